// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// Elements outside are NaN in either form.
// CHECK-LABEL: func @mean
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[L:[a-z0-9]+]]: tensor<4x1xi32>
// CHECK: %[[LABELS:.+]] = raf.reshape %[[L]] : tensor<4x1xi32> to tensor<4xi32>
// CHECK: %[[LOSS:.+]], %{{.+}} = raf.cross_entropy %[[X]], %[[LABELS]] ignore_index = -9223372036854775808 label_smoothing = 0.0
// CHECK: return %[[LOSS]]
func.func @mean(%x: tensor<4x8xf32>, %l: tensor<4x1xi32>) -> tensor<f32> {
  %c0 = raf.constant dense<0> : tensor<4x1xi32>
  %c7 = raf.constant dense<7> : tensor<4x1xi32>
  %ge = raf.compare ge %l, %c0 : tensor<4x1xi32> -> tensor<4x1xi1>
  %le = raf.compare le %l, %c7 : tensor<4x1xi32> -> tensor<4x1xi1>
  %inside = raf.and %ge, %le : tensor<4x1xi1>
  %nan = raf.constant dense<0x7FC00000> : tensor<4x1xf32>
  %quarter = raf.constant dense<0.25> : tensor<f32>
  %0 = raf.log_softmax %x axis = 1 : tensor<4x8xf32>
  %1 = raf.take_along_axis %0, %l axis = 1 : tensor<4x8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %2 = raf.select %inside, %1, %nan : tensor<4x1xf32>
  %3 = raf.reduce sum %2 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %4 = raf.mul %3, %quarter : tensor<f32>
  %5 = raf.neg %4 : tensor<f32>
  return %5 : tensor<f32>
}

// -----

// The sum is not the mean; what is 0 or clamped instead of NaN outside, or NaN elsewhere too, is another loss.
// CHECK-LABEL: func @others
// CHECK-NOT: raf.cross_entropy
func.func @others(%x: tensor<4x8xf32>, %l: tensor<4x1xi32>, %mask: tensor<4x1xi1>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
  %c0 = raf.constant dense<0> : tensor<4x1xi32>
  %c7 = raf.constant dense<7> : tensor<4x1xi32>
  %ge = raf.compare ge %l, %c0 : tensor<4x1xi32> -> tensor<4x1xi1>
  %le = raf.compare le %l, %c7 : tensor<4x1xi32> -> tensor<4x1xi1>
  %inside = raf.and %ge, %le : tensor<4x1xi1>
  %zero = raf.constant dense<0.0> : tensor<4x1xf32>
  %quarter = raf.constant dense<0.25> : tensor<f32>
  %0 = raf.log_softmax %x axis = 1 : tensor<4x8xf32>
  %1 = raf.take_along_axis %0, %l axis = 1 : tensor<4x8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %2 = raf.select %inside, %1, %zero : tensor<4x1xf32>
  %3 = raf.reduce sum %2 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %4 = raf.mul %3, %quarter : tensor<f32>
  %5 = raf.neg %4 : tensor<f32>
  %nan = raf.constant dense<0x7FC00000> : tensor<4x1xf32>
  %6 = raf.select %inside, %1, %nan : tensor<4x1xf32>
  %7 = raf.reduce sum %6 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %8 = raf.neg %7 : tensor<f32>
  %9 = raf.reduce sum %1 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %10 = raf.mul %9, %quarter : tensor<f32>
  %11 = raf.neg %10 : tensor<f32>
  %12 = raf.select %mask, %1, %nan : tensor<4x1xf32>
  %13 = raf.reduce sum %12 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %14 = raf.mul %13, %quarter : tensor<f32>
  %15 = raf.neg %14 : tensor<f32>
  return %5, %8, %11, %15 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
}
