// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(raf-fuse))' | FileCheck %s
// RUN: raf-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(raf-fuse))' --remarks-filter=raf-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The derivative 1 - t^2 is computed where the gradient is, from t, which is stored anyway: the first kernel has one result.
// REMARK: ComputedAnew
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @derivative
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<128x128xf32>
// CHECK: %[[T:.*]] = raf.kernel ins(%[[X]] : tensor<128x128xf32>) outs(%{{[0-9]+}} : tensor<128x128xf32>)
// CHECK: math.tanh
// CHECK-NOT: arith.subf
// CHECK: %[[Y:.*]] = raf.kernel
// CHECK: %[[G:.*]] = raf.kernel ins(%[[T]], %[[Y]] : tensor<128x128xf32>, tensor<128x128xf32>)
// CHECK: arith.subf
// CHECK: return %[[T]], %[[G]]
func.func @derivative(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.tanh %in : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %t : tensor<128x128xf32>, tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %v = arith.mulf %l, %r : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = arith.subf %one, %in : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y = linalg.matmul ins(%t, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %y : tensor<128x128xf32>, tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %v = arith.mulf %l, %r : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  return %t, %g : tensor<128x128xf32>, tensor<128x128xf32>
}

// -----

// A product of two tensors is stored: reading both again would move more.
// REMARK-NOT: ComputedAnew
#id = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-LABEL: @product
// CHECK: %[[K:.*]]:2 = raf.kernel
// CHECK: raf.kernel
// CHECK: raf.kernel ins(%[[K]]#1, %{{.*}} : tensor<128x128xf32>, tensor<128x128xf32>)
func.func @product(%x: tensor<128x128xf32>, %z: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> (tensor<128x128xf32>, tensor<128x128xf32>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %v = math.tanh %in : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  %d = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %z : tensor<128x128xf32>, tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %v = arith.mulf %l, %r : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y = linalg.matmul ins(%t, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%start : tensor<128x128xf32>) -> tensor<128x128xf32>
  %g = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%d, %y : tensor<128x128xf32>, tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) {
  ^bb0(%l: f32, %r: f32, %out: f32):
    %v = arith.mulf %l, %r : f32
    linalg.yield %v : f32
  } -> tensor<128x128xf32>
  return %t, %g : tensor<128x128xf32>, tensor<128x128xf32>
}
