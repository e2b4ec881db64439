// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -split-input-file | FileCheck %s

// A pool and its gradient go together.
// CHECK-LABEL: func @max_pool
// CHECK: %[[Y:[0-9]+]]:{{.*}} = dnnl.max_pool {{.*}} indices(%{{.*}} : tensor<{{[0-9]+}}xi8>)
// CHECK: dnnl.max_pool_grad ins(%{{.*}}, %[[Y]]#1 : tensor<2x3x4x4xf32>, tensor<{{[0-9]+}}xi8>)
// CHECK-NOT: raf.max_pool
func.func @max_pool(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x8x8xf32>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> (tensor<2x3x8x8xf32>)
  return %y, %dx : tensor<2x3x4x4xf32>, tensor<2x3x8x8xf32>
}

// -----

// CHECK-LABEL: func @forward_only
// CHECK: dnnl.max_pool ins
// CHECK-NOT: indices
func.func @forward_only(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  return %y : tensor<2x3x4x4xf32>
}

// -----

// The library's indices mean nothing to others.
// CHECK-LABEL: func @indices_used
// CHECK: raf.max_pool
// CHECK-NOT: dnnl
func.func @indices_used(%x: tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  return %y, %i : tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>
}

// -----

// CHECK-LABEL: func @avg_pool
// CHECK: dnnl.avg_pool ins(
// CHECK: dnnl.avg_pool_grad ins({{.*}} {count_include_pad}
func.func @avg_pool(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x5x5xf32>)
  %dx = raf.avg_pool_grad %y count_include_pad kernel = [2, 2] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x5x5xf32>) -> (tensor<2x3x8x8xf32>)
  return %dx : tensor<2x3x8x8xf32>
}
