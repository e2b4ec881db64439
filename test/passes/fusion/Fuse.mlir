// RUN: raf-opt %s --raf-fuse --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-fuse=enable=false --split-input-file | FileCheck %s --check-prefix=ALONE

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// The row softmax shares the rows: one kernel, with the exponentials kept in the tile.
// CHECK-LABEL: func.func @softmax
// CHECK-COUNT-1: raf.kernel
// CHECK-NOT: raf.kernel
// ALONE-LABEL: func.func @softmax
// ALONE-COUNT-6: raf.kernel
func.func @softmax(%x: tensor<128x1000xf32>) -> tensor<128x1000xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %e2 = tensor.empty() : tensor<128x1000xf32>
  %f = linalg.fill ins(%ninf : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x1000xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %x2 = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<128x1000xf32>, tensor<128xf32>) outs(%e2 : tensor<128x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<128x1000xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x2 : tensor<128x1000xf32>) outs(%f2 : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x2, %s : tensor<128x1000xf32>, tensor<128xf32>) outs(%e2 : tensor<128x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x1000xf32>
  return %y : tensor<128x1000xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#col = affine_map<(d0, d1) -> (d1)>

// Sums over rows and over columns have no tile in common: they are stages of one kernel.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK: raf.kernel
// CHECK: raf.stage = 0
// CHECK: raf.stage = 1
// CHECK-NOT: raf.kernel
func.func @rows_and_columns(%x: tensor<512x256xf32>) -> (tensor<512xf32>, tensor<256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<512xf32>
  %e1 = tensor.empty() : tensor<256xf32>
  %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<512xf32>) -> tensor<512xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e1 : tensor<256xf32>) -> tensor<256xf32>
  %r = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<512x256xf32>) outs(%f0 : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  %c = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<512x256xf32>) outs(%f1 : tensor<256xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<256xf32>
  return %r, %c : tensor<512xf32>, tensor<256xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// A library call between two pointwise ops keeps them apart: one kernel would depend on itself.
// CHECK-LABEL: func.func @no_cycle
// CHECK: raf.kernel
// CHECK: raf.reshape
// CHECK: raf.kernel
func.func @no_cycle(%x: tensor<65536xf32>) -> tensor<65536xf32> {
  %e = tensor.empty() : tensor<65536xf32>
  %a = linalg.exp ins(%x : tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  %r = raf.reshape %a : tensor<65536xf32> to tensor<256x256xf32>
  %b = raf.reshape %r : tensor<256x256xf32> to tensor<65536xf32>
  %y = linalg.add ins(%a, %b : tensor<65536xf32>, tensor<65536xf32>) outs(%e : tensor<65536xf32>) -> tensor<65536xf32>
  return %y : tensor<65536xf32>
}

// -----

#id = affine_map<(d0) -> (d0)>

// What nothing has written is read as 0: an accumulator of which other elements are replaced here.
// CHECK-LABEL: func.func @unwritten
// CHECK: raf.kernel ins(%{{.*}} : tensor<512xf32>)
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: linalg.generic {{.*}} ins(%{{[^,]*}} : tensor<512xf32>)
// CHECK: arith.select %{{.*}}, %{{.*}}, %[[ZERO]]
func.func @unwritten(%x: tensor<512xf32>) -> tensor<512xf32> {
  %e = tensor.empty() : tensor<512xf32>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %e : tensor<512xf32>, tensor<512xf32>) outs(%e : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %0 = arith.constant 256 : index
    %i = linalg.index 0 : index
    %less = arith.cmpi slt, %i, %0 : index
    %s = arith.select %less, %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<512xf32>
  return %y : tensor<512xf32>
}
