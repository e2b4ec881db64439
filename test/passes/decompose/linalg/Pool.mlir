// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// The gradient gathers: one parallel generic over x, no scatter. Here one window at most has an element.
// CHECK-LABEL: func.func @max_pool
// CHECK:         linalg.generic {{.*}} outs(%{{.*}}, %{{.*}} : tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK-NOT:           scf.if
// CHECK:               tensor.extract %arg0
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x8x8xf32>)
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.if
func.func @max_pool(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x3x4x4xf32>) -> tensor<2x3x8x8xf32> {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> (tensor<2x3x8x8xf32>)
  return %dx : tensor<2x3x8x8xf32>
}
