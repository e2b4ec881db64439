// RUN: raf-opt %s --raf-outline-kernels | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#t = affine_map<(d0, d1) -> (d1, d0)>

// The second stage reads the input of the first, and its ops have no tiles in common: nothing is known about who reads what when.
// CHECK-LABEL: func.func @stage_without_tiles
// CHECK: raf.launch
// CHECK-NOT: may_alias
// CHECK: return
func.func @stage_without_tiles(%x: tensor<256x256xf32>, %y: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) {
  %e = tensor.empty() : tensor<256x256xf32>
  %r:3 = raf.kernel ins(%x, %y : tensor<256x256xf32>, tensor<256x256xf32>) outs(%e, %e, %e : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>) {
  ^bb0(%a: tensor<256x256xf32>, %b: tensor<256x256xf32>, %p: tensor<256x256xf32>, %q: tensor<256x256xf32>, %s: tensor<256x256xf32>):
    %0 = linalg.exp {raf.stage = 0 : i64} ins(%a : tensor<256x256xf32>) outs(%p : tensor<256x256xf32>) -> tensor<256x256xf32>
    %1 = linalg.abs {raf.stage = 1 : i64} ins(%a : tensor<256x256xf32>) outs(%q : tensor<256x256xf32>) -> tensor<256x256xf32>
    %2 = linalg.abs {raf.stage = 1 : i64} ins(%b : tensor<256x256xf32>) outs(%s : tensor<256x256xf32>) -> tensor<256x256xf32>
    raf.yield %0, %1, %2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
  } -> tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
  return %r#0, %r#1, %r#2 : tensor<256x256xf32>, tensor<256x256xf32>, tensor<256x256xf32>
}

// Equal kernels are one function, and each element of the input is read where the output is written.
// CHECK-LABEL: func.func @main
// CHECK: raf.launch @[[K:kernel_[0-9]+]] ins(%{{.*}}) outs(%{{.*}}) may_alias = [0, 0]
// CHECK: raf.launch @[[K]]
// A transposed input is read by other elements than it is written by.
// CHECK: raf.launch @[[T:kernel_[0-9]+]] ins(%{{.*}} : tensor<64x64xf32>) outs(%{{.*}} : tensor<64x64xf32>) -> tensor<64x64xf32>
// CHECK-DAG: func.func private @[[K]](
// CHECK-DAG: func.func private @[[T]](
func.func @main(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %a = raf.kernel ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: tensor<64x64xf32>, %out: tensor<64x64xf32>):
    %r = linalg.exp ins(%in : tensor<64x64xf32>) outs(%out : tensor<64x64xf32>) -> tensor<64x64xf32>
    raf.yield %r : tensor<64x64xf32>
  } -> tensor<64x64xf32>
  %b = raf.kernel ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: tensor<64x64xf32>, %out: tensor<64x64xf32>):
    %r = linalg.exp ins(%in : tensor<64x64xf32>) outs(%out : tensor<64x64xf32>) -> tensor<64x64xf32>
    raf.yield %r : tensor<64x64xf32>
  } -> tensor<64x64xf32>
  %c = raf.kernel ins(%b : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: tensor<64x64xf32>, %out: tensor<64x64xf32>):
    %r = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x64xf32>) outs(%out : tensor<64x64xf32>) {
    ^bb0(%p: f32, %q: f32):
      linalg.yield %p : f32
    } -> tensor<64x64xf32>
    raf.yield %r : tensor<64x64xf32>
  } -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}
