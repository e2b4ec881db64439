// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-simplify --split-input-file | FileCheck %s

// The op that computes the gradients gives the loss too; what scales it comes along.
// CHECK-LABEL: func.func @shared
// CHECK-NOT:     raf.linear_cross_entropy %
// CHECK:         %[[D:.+]] = raf.mul %arg4
// CHECK:         %[[LOSS:.+]], %{{.+}}, %[[DX:.+]], %[[DW:.+]] = raf.linear_cross_entropy_grad %[[D]]
// CHECK-NOT:     raf.linear_cross_entropy %
// CHECK:         %[[TWICE:.+]] = raf.add %[[LOSS]], %[[LOSS]]
// CHECK:         return %[[TWICE]], %[[DX]], %[[DW]]
func.func @shared(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %l: tensor<4xi64>, %c: tensor<f32>, %s: tensor<f32>) -> (tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>) {
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0 : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  %twice = raf.add %loss, %loss : tensor<f32>
  %d = raf.mul %s, %c : tensor<f32>
  %loss2, %lse2, %dx, %dw = raf.linear_cross_entropy_grad %d, %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0
    : (tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>, tensor<4x8xf32>, tensor<16x8xf32>)
  return %twice, %dx, %dw : tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>
}

// -----

// A gradient that depends on the loss comes after it.
// CHECK-LABEL: func.func @squared
// CHECK:         raf.linear_cross_entropy %
// CHECK:         raf.linear_cross_entropy_grad
func.func @squared(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %l: tensor<4xi64>) -> (tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>) {
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0 : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  %square = raf.mul %loss, %loss : tensor<f32>
  %d = raf.add %loss, %loss : tensor<f32>
  %loss2, %lse2, %dx, %dw = raf.linear_cross_entropy_grad %d, %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0
    : (tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>, tensor<4x8xf32>, tensor<16x8xf32>)
  return %square, %dx, %dw : tensor<f32>, tensor<4x8xf32>, tensor<16x8xf32>
}
