// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func @layer_norm
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[S:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[Y:.+]], %{{.+}}, %{{.+}} = raf.layer_norm %[[X]], %[[S]], %[[B]] axis = 1 epsilon = 9.99999{{.*}}E-6
// CHECK-NEXT: return %[[Y]]
func.func @layer_norm(%x: tensor<4x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %eps = raf.constant dense<1.0e-5> : tensor<4xf32>
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %0 = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.mul %0, %n : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.mul %3, %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %6 = raf.mul %5, %n : tensor<4xf32>
  %7 = raf.add %6, %eps : tensor<4xf32>
  %8 = raf.rsqrt %7 : tensor<4xf32>
  %9 = raf.broadcast %8 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %10 = raf.mul %3, %9 : tensor<4x8xf32>
  %11 = raf.broadcast %s dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %12 = raf.mul %10, %11 : tensor<4x8xf32>
  %13 = raf.broadcast %b dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %14 = raf.add %12, %13 : tensor<4x8xf32>
  return %14 : tensor<4x8xf32>
}

// -----

// The variance as mean(x^2) - mean(x)^2, at least 0, and the scale multiplied into the inverse deviation: the form of Flax.
// CHECK-LABEL: func @difference_of_means
// CHECK: raf.layer_norm %arg0, %arg1, %{{.+}} axis = 1
func.func @difference_of_means(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %eps = raf.constant dense<1.0e-6> : tensor<4xf32>
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %n = raf.constant dense<8.0> : tensor<4xf32>
  %0 = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %mean = raf.div %0, %n : tensor<4xf32>
  %1 = raf.mul %x, %x : tensor<4x8xf32>
  %2 = raf.reduce sum %1 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = raf.div %2, %n : tensor<4xf32>
  %4 = raf.mul %mean, %mean : tensor<4xf32>
  %5 = raf.sub %3, %4 : tensor<4xf32>
  %6 = raf.maximum %zero, %5 : tensor<4xf32>
  %7 = raf.add %6, %eps : tensor<4xf32>
  %8 = raf.rsqrt %7 : tensor<4xf32>
  %9 = raf.broadcast %8 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %10 = raf.broadcast %s dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %11 = raf.mul %9, %10 : tensor<4x8xf32>
  %12 = raf.broadcast %mean dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %13 = raf.sub %x, %12 : tensor<4x8xf32>
  %14 = raf.mul %13, %11 : tensor<4x8xf32>
  return %14 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @rms_norm
// CHECK: %[[Y:.+]], %{{.+}} = raf.rms_norm %arg0, %arg1 axis = 1
// CHECK-NEXT: return %[[Y]]
func.func @rms_norm(%x: tensor<4x8xf32>, %s: tensor<8xf32>) -> tensor<4x8xf32> {
  %eps = raf.constant dense<1.0e-6> : tensor<4xf32>
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %0 = raf.mul %x, %x : tensor<4x8xf32>
  %1 = raf.reduce sum %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = raf.mul %1, %n : tensor<4xf32>
  %3 = raf.add %2, %eps : tensor<4xf32>
  %4 = raf.sqrt %3 : tensor<4xf32>
  %5 = raf.broadcast %4 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %6 = raf.div %x, %5 : tensor<4x8xf32>
  %7 = raf.broadcast %s dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %8 = raf.mul %7, %6 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// -----

// Divided by one less than the number of elements: not the variance of a normalization.
// CHECK-LABEL: func @unbiased
// CHECK-NOT: _norm
func.func @unbiased(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %eps = raf.constant dense<1.0e-5> : tensor<4xf32>
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %m = raf.constant dense<7.0> : tensor<4xf32>
  %0 = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.mul %0, %n : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.mul %3, %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %6 = raf.div %5, %m : tensor<4xf32>
  %7 = raf.add %6, %eps : tensor<4xf32>
  %8 = raf.rsqrt %7 : tensor<4xf32>
  %9 = raf.broadcast %8 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %10 = raf.mul %3, %9 : tensor<4x8xf32>
  return %10 : tensor<4x8xf32>
}

// -----

// Over the first dimension: no suffix of the dimensions.
// CHECK-LABEL: func @leading
// CHECK-NOT: _norm
func.func @leading(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %eps = raf.constant dense<1.0e-6> : tensor<4xf32>
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %0 = raf.mul %x, %x : tensor<8x4xf32>
  %1 = raf.reduce sum %0 dims = [0] : tensor<8x4xf32> -> tensor<4xf32>
  %2 = raf.mul %1, %n : tensor<4xf32>
  %3 = raf.add %2, %eps : tensor<4xf32>
  %4 = raf.rsqrt %3 : tensor<4xf32>
  %5 = raf.broadcast %4 dims = [1] : tensor<4xf32> to tensor<8x4xf32>
  %6 = raf.mul %x, %5 : tensor<8x4xf32>
  return %6 : tensor<8x4xf32>
}

// -----

// The scale differs from row to row: it is no scale of the normalization.
// CHECK-LABEL: func @scale_of_rows
// CHECK: %[[Y:.+]], %{{.+}} = raf.rms_norm %arg0
// CHECK: raf.mul %[[Y]]
func.func @scale_of_rows(%x: tensor<8x8xf32>, %s: tensor<8xf32>) -> tensor<8x8xf32> {
  %eps = raf.constant dense<1.0e-6> : tensor<8xf32>
  %n = raf.constant dense<0.125> : tensor<8xf32>
  %0 = raf.mul %x, %x : tensor<8x8xf32>
  %1 = raf.reduce sum %0 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  %2 = raf.mul %1, %n : tensor<8xf32>
  %3 = raf.add %2, %eps : tensor<8xf32>
  %4 = raf.rsqrt %3 : tensor<8xf32>
  %5 = raf.broadcast %4 dims = [0] : tensor<8xf32> to tensor<8x8xf32>
  %6 = raf.mul %x, %5 : tensor<8x8xf32>
  %7 = raf.broadcast %s dims = [0] : tensor<8xf32> to tensor<8x8xf32>
  %8 = raf.mul %6, %7 : tensor<8x8xf32>
  return %8 : tensor<8x8xf32>
}

// -----

// What else uses mean and inverse deviation, as the backward pass of JAX does, gets them from the normalization; 1 / sqrt(v) / v is their cube.
// CHECK-LABEL: func @statistics
// CHECK: %[[Y:.+]], %[[MEAN:.+]], %[[RSTD:.+]] = raf.layer_norm %arg0
// CHECK-NOT: raf.rsqrt
// CHECK-NOT: raf.reduce
// CHECK: %[[SQUARE:.+]] = raf.mul %[[RSTD]], %[[RSTD]]
// CHECK: %[[CUBE:.+]] = raf.mul %[[SQUARE]], %[[RSTD]]
// CHECK: return %[[Y]], %[[MEAN]], %[[RSTD]], %[[CUBE]]
func.func @statistics(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %eps = raf.constant dense<1.0e-5> : tensor<4xf32>
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %0 = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.mul %0, %n : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.mul %3, %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %6 = raf.mul %5, %n : tensor<4xf32>
  %7 = raf.add %6, %eps : tensor<4xf32>
  %8 = raf.rsqrt %7 : tensor<4xf32>
  %9 = raf.div %8, %7 : tensor<4xf32>
  %10 = raf.broadcast %8 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %11 = raf.mul %3, %10 : tensor<4x8xf32>
  return %11, %1, %8, %9 : tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// The sum of what is centered is zero, times anything that does not vary along it; not times something that does, and not along another dimension.
// CHECK-LABEL: func @sum_of_centered
// CHECK: %[[ZERO:.+]] = raf.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: raf.sub
// CHECK: %[[A:.+]] = raf.reduce sum %{{.+}} dims = [1]
// CHECK: %[[B:.+]] = raf.reduce sum %{{.+}} dims = [0]
// CHECK: return %[[ZERO]], %[[A]], %[[B]]
func.func @sum_of_centered(%x: tensor<4x8xf32>, %v: tensor<4xf32>, %y: tensor<4x8xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<8xf32>) {
  %n = raf.constant dense<0.125> : tensor<4xf32>
  %two = raf.constant dense<2.0> : tensor<4x8xf32>
  %0 = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.mul %0, %n : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.broadcast %v dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %5 = raf.mul %3, %two : tensor<4x8xf32>
  %6 = raf.mul %4, %5 : tensor<4x8xf32>
  %7 = raf.neg %6 : tensor<4x8xf32>
  %8 = raf.reduce sum %7 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %9 = raf.mul %3, %y : tensor<4x8xf32>
  %10 = raf.reduce sum %9 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %11 = raf.reduce sum %3 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  return %8, %10, %11 : tensor<4xf32>, tensor<4xf32>, tensor<8xf32>
}

// -----

// Statistics with a last dimension of size 1, and guarded, as flax has them.
// CHECK-LABEL: func @kept_dimensions
// CHECK: %[[Y:.+]], %{{.+}}, %{{.+}} = raf.layer_norm %arg0, %arg1, %arg2 axis = 2
// CHECK: return %[[Y]]
func.func @kept_dimensions(%x: tensor<2x3x8xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<2x3x8xf32> {
  %n = raf.constant dense<1.250000e-01> : tensor<2x3xf32>
  %eps = raf.constant dense<1.0e-6> : tensor<2x3x1xf32>
  %zero = raf.constant dense<0.0> : tensor<2x3xf32>
  %0 = raf.mul %x, %x : tensor<2x3x8xf32>
  %1 = raf.reduce sum %x dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %2 = raf.mul %1, %n : tensor<2x3xf32>
  %3 = raf.reduce sum %0 dims = [2] : tensor<2x3x8xf32> -> tensor<2x3xf32>
  %4 = raf.mul %3, %n : tensor<2x3xf32>
  %5 = raf.mul %2, %2 : tensor<2x3xf32>
  %6 = raf.sub %4, %5 : tensor<2x3xf32>
  %7 = raf.maximum %6, %zero : tensor<2x3xf32>
  %8 = raf.reshape %2 : tensor<2x3xf32> to tensor<2x3x1xf32>
  %9 = raf.reshape %7 : tensor<2x3xf32> to tensor<2x3x1xf32>
  %10 = raf.broadcast %8 dims = [0, 1, 2] : tensor<2x3x1xf32> to tensor<2x3x8xf32>
  %11 = raf.sub %x, %10 : tensor<2x3x8xf32>
  %12 = raf.add %9, %eps : tensor<2x3x1xf32>
  %13 = raf.rsqrt %12 : tensor<2x3x1xf32>
  %14 = raf.reshape %s : tensor<8xf32> to tensor<1x1x8xf32>
  %15 = raf.broadcast %13 dims = [0, 1, 2] : tensor<2x3x1xf32> to tensor<2x3x8xf32>
  %16 = raf.broadcast %14 dims = [0, 1, 2] : tensor<1x1x8xf32> to tensor<2x3x8xf32>
  %17 = raf.mul %15, %16 : tensor<2x3x8xf32>
  %18 = raf.mul %11, %17 : tensor<2x3x8xf32>
  %19 = raf.broadcast %b dims = [2] : tensor<8xf32> to tensor<2x3x8xf32>
  %20 = raf.add %18, %19 : tensor<2x3x8xf32>
  return %20 : tensor<2x3x8xf32>
}
