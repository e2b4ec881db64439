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

// What is 0 or clamped instead of NaN outside, or NaN elsewhere too, is another loss.
// CHECK-LABEL: func @others
// CHECK-NOT: raf.cross_entropy
func.func @others(%x: tensor<4x8xf32>, %l: tensor<4x1xi32>, %mask: tensor<4x1xi1>) -> (tensor<f32>, tensor<f32>, tensor<f32>) {
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
  %9 = raf.reduce sum %1 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %10 = raf.mul %9, %quarter : tensor<f32>
  %11 = raf.neg %10 : tensor<f32>
  %12 = raf.select %mask, %1, %nan : tensor<4x1xf32>
  %13 = raf.reduce sum %12 dims = [0, 1] : tensor<4x1xf32> -> tensor<f32>
  %14 = raf.mul %13, %quarter : tensor<f32>
  %15 = raf.neg %14 : tensor<f32>
  return %5, %11, %15 : tensor<f32>, tensor<f32>, tensor<f32>
}

// -----

// The sum is the mean times the number of rows, here those of all sequences.
// CHECK-LABEL: func @sum
// CHECK: %[[X:.+]] = raf.reshape %{{.+}} : tensor<2x3x8xf32> to tensor<6x8xf32>
// CHECK: %[[L:.+]], %{{.+}} = raf.cross_entropy %[[X]], %{{.+}} label_smoothing = 0.000000e+00 : tensor<6x8xf32>, tensor<6xi32>
// CHECK: raf.mul %[[L]], %{{.+}} : tensor<f32>
func.func @sum(%x: tensor<2x3x8xf32>, %l: tensor<2x3x1xi32>) -> tensor<f32> {
  %c0 = raf.constant dense<0> : tensor<2x3x1xi32>
  %c7 = raf.constant dense<7> : tensor<2x3x1xi32>
  %nan = raf.constant dense<0x7FC00000> : tensor<2x3x1xf32>
  %ge = raf.compare ge %l, %c0 : tensor<2x3x1xi32> -> tensor<2x3x1xi1>
  %le = raf.compare le %l, %c7 : tensor<2x3x1xi32> -> tensor<2x3x1xi1>
  %inside = raf.and %ge, %le : tensor<2x3x1xi1>
  %0 = raf.log_softmax %x axis = 2 : tensor<2x3x8xf32>
  %1 = raf.take_along_axis %0, %l axis = 2 : tensor<2x3x8xf32>, tensor<2x3x1xi32> -> tensor<2x3x1xf32>
  %2 = raf.select %inside, %1, %nan : tensor<2x3x1xf32>
  %3 = raf.neg %2 : tensor<2x3x1xf32>
  %4 = raf.reduce sum %3 dims = [0, 1, 2] : tensor<2x3x1xf32> -> tensor<f32>
  return %4 : tensor<f32>
}

// -----

// optax.softmax_cross_entropy_with_integer_labels: logsumexp(x) - x[label], with labels that are clamped, and its mean.
// CHECK-LABEL: func @log_likelihood
// CHECK: raf.cross_entropy
// CHECK-NOT: raf.exp
func.func @log_likelihood(%x: tensor<4x8xf32>, %l: tensor<4x1xi32>) -> tensor<f32> {
  %c0 = raf.constant dense<0> : tensor<4x1xi32>
  %c7 = raf.constant dense<7> : tensor<4x1xi32>
  %four = raf.constant dense<4.0> : tensor<f32>
  %ge = raf.maximum %l, %c0 : tensor<4x1xi32>
  %inside = raf.minimum %ge, %c7 : tensor<4x1xi32>
  %0 = raf.take_along_axis %x, %inside axis = 1 : tensor<4x8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %1 = raf.reshape %0 : tensor<4x1xf32> to tensor<4xf32>
  %2 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = raf.stop_gradient %2 : tensor<4xf32>
  %4 = raf.broadcast %3 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %5 = raf.sub %x, %4 : tensor<4x8xf32>
  %6 = raf.exp %5 : tensor<4x8xf32>
  %7 = raf.reduce sum %6 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %8 = raf.abs %7 : tensor<4xf32>
  %9 = raf.log %8 : tensor<4xf32>
  %10 = raf.add %9, %3 : tensor<4xf32>
  %11 = raf.sub %10, %1 : tensor<4xf32>
  %12 = raf.reduce sum %11 dims = [0] : tensor<4xf32> -> tensor<f32>
  %13 = raf.div %12, %four : tensor<f32>
  return %13 : tensor<f32>
}

// -----

// The element is one of another matrix, or the logarithm of another sum.
// CHECK-LABEL: func @log_likelihood_of_others
// CHECK-NOT: raf.cross_entropy
// CHECK-NOT: raf.log_softmax
func.func @log_likelihood_of_others(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>, %l: tensor<4x1xi32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %c0 = raf.constant dense<0> : tensor<4x1xi32>
  %c7 = raf.constant dense<7> : tensor<4x1xi32>
  %ge = raf.maximum %l, %c0 : tensor<4x1xi32>
  %inside = raf.minimum %ge, %c7 : tensor<4x1xi32>
  %0 = raf.take_along_axis %y, %inside axis = 1 : tensor<4x8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %1 = raf.reshape %0 : tensor<4x1xf32> to tensor<4xf32>
  %x0 = raf.take_along_axis %x, %inside axis = 1 : tensor<4x8xf32>, tensor<4x1xi32> -> tensor<4x1xf32>
  %x1 = raf.reshape %x0 : tensor<4x1xf32> to tensor<4xf32>
  %2 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %4 = raf.broadcast %2 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %5 = raf.sub %x, %4 : tensor<4x8xf32>
  %6 = raf.exp %5 : tensor<4x8xf32>
  %7 = raf.reduce sum %6 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %9 = raf.log %7 : tensor<4xf32>
  %10 = raf.add %9, %2 : tensor<4xf32>
  %11 = raf.sub %10, %1 : tensor<4xf32>
  %12 = raf.add %9, %1 : tensor<4xf32>
  %13 = raf.sub %12, %x1 : tensor<4xf32>
  return %11, %13 : tensor<4xf32>, tensor<4xf32>
}

// -----

// No classes, of which none can be a label.
// CHECK-LABEL: func @no_classes
// CHECK-NOT: raf.cross_entropy
func.func @no_classes(%x: tensor<5x0xf32>, %l: tensor<5x1xi32>) -> tensor<f32> {
  %first = raf.constant dense<0> : tensor<5x1xi32>
  %last = raf.constant dense<-1> : tensor<5x1xi32>
  %0 = raf.maximum %l, %first : tensor<5x1xi32>
  %1 = raf.minimum %0, %last : tensor<5x1xi32>
  %2 = raf.log_softmax %x axis = 1 : tensor<5x0xf32>
  %3 = raf.take_along_axis %2, %1 axis = 1 : tensor<5x0xf32>, tensor<5x1xi32> -> tensor<5x1xf32>
  %4 = raf.reduce sum %3 dims = [0, 1] : tensor<5x1xf32> -> tensor<f32>
  return %4 : tensor<f32>
}
