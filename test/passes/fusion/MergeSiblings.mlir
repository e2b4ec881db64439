// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-fuse | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-fuse --raf-outline-kernels | FileCheck %s --check-prefix=LAUNCH

#id = affine_map<(i) -> (i)>

// The new moment and the new parameter are one loop, so that both are computed in place.
// CHECK-LABEL: func.func @momentum
// CHECK: raf.kernel
// CHECK-COUNT-1: linalg.generic
// CHECK-NOT: linalg.generic
// CHECK: linalg.yield %{{.+}}, %{{.+}} : f32, f32
// LAUNCH: raf.launch {{.+}} may_alias = [0, 0, 1, 0, 2, 0, 0, 1, 1, 1, 2, 1]
func.func @momentum(%m: tensor<4096xf32>, %g: tensor<4096xf32>, %w: tensor<4096xf32>) -> (tensor<4096xf32>, tensor<4096xf32>) {
  %e = tensor.empty() : tensor<4096xf32>
  %n = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%m, %g : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = math.sqrt %b : f32
    %s = arith.addf %a, %r : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  %u = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%w, %n : tensor<4096xf32>, tensor<4096xf32>) outs(%e : tensor<4096xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4096xf32>
  return %n, %u : tensor<4096xf32>, tensor<4096xf32>
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// The sum stands between the two loops.
// CHECK-LABEL: func.func @softmax_tail
// CHECK-COUNT-3: linalg.generic
func.func @softmax_tail(%x: tensor<64x128xf32>, %z: tensor<64xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<64x128xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.addf %a, %o : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %y = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %s : tensor<64x128xf32>, tensor<64xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  return %p, %y : tensor<64x128xf32>, tensor<64x128xf32>
}
