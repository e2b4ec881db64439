// RUN: raf-opt %s --raf-tile-kernels --canonicalize --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels --raf-approximate-math --raf-lower-kernels --split-input-file | FileCheck %s --check-prefix=LLVM

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// One row a tile; the sum stays in a register, the exponentials in a row-sized temporary.
// CHECK-LABEL: func.func private @rows(
// CHECK: raf.parallel_for @rows_tiles tiles = 128 grain
// CHECK-LABEL: func.func private @rows_tiles(
// CHECK: memref.alloca() {{.*}} : memref<1x1000xf32>
// CHECK: scf.for
// CHECK: math.exp
// CHECK: scf.for {{.*}} iter_args
// CHECK: arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: arith.divf
// LLVM: llvm.func @rows(
// LLVM: llvm.call @raf_rt_parallel_for
// LLVM: llvm.func internal @rows_tiles({{.*}}llvm.noalias
func.func private @rows(%x: tensor<128x1000xf32>, %y: tensor<128x1000xf32>) -> tensor<128x1000xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128xf32>
  %e2 = tensor.empty() : tensor<128x1000xf32>
  %x2 = linalg.exp ins(%x : tensor<128x1000xf32>) outs(%e2 : tensor<128x1000xf32>) -> tensor<128x1000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x2 : tensor<128x1000xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x2, %s : tensor<128x1000xf32>, tensor<128xf32>) outs(%y : tensor<128x1000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x1000xf32>
  return %q : tensor<128x1000xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#col = affine_map<(d0, d1) -> (d1)>

// Sums over rows go along pieces of 64 columns, the last one shorter.
// CHECK-LABEL: func.func private @columns(
// CHECK: raf.parallel_for @columns_tiles tiles = 32
// CHECK-LABEL: func.func private @columns_tiles(
// CHECK: arith.minui
func.func private @columns(%x: tensor<512x2047xf32>, %y: tensor<2047xf32>) -> tensor<2047xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<2047xf32>) -> tensor<2047xf32>
  %c = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<512x2047xf32>) outs(%f : tensor<2047xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2047xf32>
  return %c : tensor<2047xf32>
}

// -----

// Adjacent dimensions that lie contiguously in every operand are one loop.
// CHECK-LABEL: func.func private @joined_tiles(
// CHECK: memref.collapse_shape
// CHECK: scf.for {{.*}} to %{{.*}} step
func.func private @joined(%x: tensor<64x4x7x7xf32>, %y: tensor<64x4x7x7xf32>) -> tensor<64x4x7x7xf32> attributes {raf.kernel} {
  %r = linalg.exp ins(%x : tensor<64x4x7x7xf32>) outs(%y : tensor<64x4x7x7xf32>) -> tensor<64x4x7x7xf32>
  return %r : tensor<64x4x7x7xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>

// A value that was fused into a reduction and is a result too is written where it is made; the sum stays in a register.
// CHECK-LABEL: func.func private @sum_and_square_tiles(
// CHECK: %[[S:.*]] = scf.for {{.*}} iter_args(%[[A:.*]] =
// CHECK:   %[[Q:.*]] = arith.mulf
// CHECK:   %[[N:.*]] = arith.addf
// CHECK:   memref.store %[[Q]], %{{.*}} : memref<128x1000xf32>
// CHECK:   scf.yield %[[N]] : f32
// CHECK: memref.store %[[S]], %{{.*}} : memref<128xf32>
func.func private @sum_and_square(%x: tensor<128x1000xf32>, %y: tensor<128x1000xf32>, %z: tensor<128xf32>) -> (tensor<128x1000xf32>, tensor<128xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%z : tensor<128xf32>) -> tensor<128xf32>
  %q, %s = linalg.generic {indexing_maps = [#id, #id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x1000xf32>)
      outs(%y, %f : tensor<128x1000xf32>, tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %a : f32
    %r = arith.addf %p, %c : f32
    linalg.yield %p, %r : f32, f32
  } -> (tensor<128x1000xf32>, tensor<128xf32>)
  return %q, %s : tensor<128x1000xf32>, tensor<128xf32>
}
