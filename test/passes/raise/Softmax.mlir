// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func @softmax
// CHECK-SAME: %[[X:.+]]: tensor<4x8xf32>
// CHECK-NEXT: %[[Y:.+]] = raf.softmax %[[X]] axis = 1
// CHECK-NEXT: return %[[Y]]
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %least = raf.constant dense<0xFF800000> : tensor<4xf32>
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.maximum %least, %0 : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.exp %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %6 = raf.broadcast %5 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %7 = raf.div %4, %6 : tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}

// -----

// Along the first dimension, the sums kept as rows of one element.
// CHECK-LABEL: func @first
// CHECK: raf.softmax %{{.+}} axis = 0
func.func @first(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = raf.reduce max %x dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %1 = raf.reshape %0 : tensor<8xf32> to tensor<1x8xf32>
  %2 = raf.broadcast %1 dims = [0, 1] : tensor<1x8xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.exp %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %6 = raf.reshape %5 : tensor<8xf32> to tensor<1x8xf32>
  %7 = raf.broadcast %6 dims = [0, 1] : tensor<1x8xf32> to tensor<4x8xf32>
  %8 = raf.div %4, %7 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @log_softmax
// CHECK: raf.log_softmax %{{.+}} axis = 1
func.func @log_softmax(%x: tensor<4x8xf32>, %finite: tensor<4xi1>) -> tensor<4x8xf32> {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.select %finite, %0, %zero : tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.sub %x, %2 : tensor<4x8xf32>
  %4 = raf.exp %3 : tensor<4x8xf32>
  %5 = raf.reduce sum %4 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %6 = raf.log %5 : tensor<4xf32>
  %7 = raf.broadcast %6 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %8 = raf.sub %3, %7 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// -----

// The sum runs along another dimension than the maximum.
// CHECK-LABEL: func @other_dimension
// CHECK-NOT: softmax
func.func @other_dimension(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = raf.reduce max %x dims = [0] : tensor<8x8xf32> -> tensor<8xf32>
  %1 = raf.broadcast %0 dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  %2 = raf.sub %x, %1 : tensor<8x8xf32>
  %3 = raf.exp %2 : tensor<8x8xf32>
  %4 = raf.reduce sum %3 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  %5 = raf.broadcast %4 dims = [0] : tensor<8xf32> to tensor<8x8xf32>
  %6 = raf.div %3, %5 : tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}

// -----

// Without the maximum it may overflow, which softmax does not.
// CHECK-LABEL: func @no_maximum
// CHECK-NOT: softmax
func.func @no_maximum(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = raf.exp %x : tensor<4x8xf32>
  %1 = raf.reduce sum %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %2 = raf.broadcast %1 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %3 = raf.div %0, %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// The sum is put along the dimension that is left.
// CHECK-LABEL: func @transposed_sum
// CHECK-NOT: softmax
func.func @transposed_sum(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = raf.reduce max %x dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  %1 = raf.broadcast %0 dims = [0] : tensor<8xf32> to tensor<8x8xf32>
  %2 = raf.sub %x, %1 : tensor<8x8xf32>
  %3 = raf.exp %2 : tensor<8x8xf32>
  %4 = raf.reduce sum %3 dims = [1] : tensor<8x8xf32> -> tensor<8xf32>
  %5 = raf.broadcast %4 dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  %6 = raf.div %3, %5 : tensor<8x8xf32>
  return %6 : tensor<8x8xf32>
}

// -----

// A stopped gradient at the maximum, between the shapes that JAX puts it through.
// CHECK-LABEL: func @stopped
// CHECK-NEXT: %[[Y:.+]] = raf.softmax %arg0 axis = 1
// CHECK-NEXT: return %[[Y]]
func.func @stopped(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.reshape %0 : tensor<4xf32> to tensor<4x1xf32>
  %2 = raf.stop_gradient %1 : tensor<4x1xf32>
  %3 = raf.broadcast %2 dims = [0, 1] : tensor<4x1xf32> to tensor<4x8xf32>
  %4 = raf.sub %x, %3 : tensor<4x8xf32>
  %5 = raf.exp %4 : tensor<4x8xf32>
  %6 = raf.reduce sum %5 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %7 = raf.broadcast %6 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %8 = raf.div %5, %7 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// -----

// The gradient as JAX writes it: (dy / s - sum(dy e / s^2)) e. It is that of raf.softmax: (dy - sum(dy y)) y.
// CHECK-LABEL: func @gradient
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK: %[[Y:.+]] = raf.softmax %[[X]] axis = 1
// CHECK: %[[P:.+]] = raf.mul %[[DY]], %[[Y]]
// CHECK: %[[S:.+]] = raf.reduce sum %[[P]]
// CHECK: %[[B:.+]] = raf.broadcast %[[S]]
// CHECK: %[[D:.+]] = raf.sub %[[DY]], %[[B]]
// CHECK: %[[G:.+]] = raf.mul %[[D]], %[[Y]]
// CHECK: return %[[G]]
func.func @gradient(%x: tensor<4x8xf32>, %dy: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %2 = raf.sub %x, %1 : tensor<4x8xf32>
  %e = raf.exp %2 : tensor<4x8xf32>
  %s = raf.reduce sum %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = raf.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %4 = raf.mul %s, %s : tensor<4xf32>
  %5 = raf.div %one, %4 : tensor<4xf32>
  %6 = raf.broadcast %5 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %7 = raf.mul %dy, %6 : tensor<4x8xf32>
  %8 = raf.mul %7, %e : tensor<4x8xf32>
  %9 = raf.reduce sum %8 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %10 = raf.reshape %9 : tensor<4xf32> to tensor<4x1xf32>
  %11 = raf.neg %10 : tensor<4x1xf32>
  %12 = raf.div %dy, %3 : tensor<4x8xf32>
  %13 = raf.reshape %11 : tensor<4x1xf32> to tensor<4xf32>
  %14 = raf.broadcast %13 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %15 = raf.add %12, %14 : tensor<4x8xf32>
  %16 = raf.mul %15, %e : tensor<4x8xf32>
  return %16 : tensor<4x8xf32>
}

// -----

// Another sign, another divisor.
// CHECK-LABEL: func @no_gradient
// CHECK-NOT: raf.softmax
func.func @no_gradient(%x: tensor<4x8xf32>, %dy: tensor<4x8xf32>, %other: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %2 = raf.sub %x, %1 : tensor<4x8xf32>
  %e = raf.exp %2 : tensor<4x8xf32>
  %s = raf.reduce sum %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = raf.broadcast %s dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %4 = raf.mul %s, %s : tensor<4xf32>
  %5 = raf.div %one, %4 : tensor<4xf32>
  %6 = raf.broadcast %5 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %7 = raf.mul %dy, %6 : tensor<4x8xf32>
  %8 = raf.mul %7, %e : tensor<4x8xf32>
  %9 = raf.reduce sum %8 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %12 = raf.div %dy, %3 : tensor<4x8xf32>
  %14 = raf.broadcast %9 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %15 = raf.add %12, %14 : tensor<4x8xf32>
  %16 = raf.mul %15, %e : tensor<4x8xf32>
  %17 = raf.neg %9 : tensor<4xf32>
  %18 = raf.broadcast %17 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %19 = raf.broadcast %other dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %20 = raf.div %dy, %19 : tensor<4x8xf32>
  %21 = raf.add %20, %18 : tensor<4x8xf32>
  %22 = raf.mul %21, %e : tensor<4x8xf32>
  return %16, %22 : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// The exponentials times something over their sum, as in the gradient of log_softmax.
// CHECK-LABEL: func @scaled
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>, %[[V:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[Y:.+]] = raf.softmax %[[X]] axis = 1
// CHECK: %[[B:.+]] = raf.broadcast %[[V]]
// CHECK: raf.mul %[[B]], %[[Y]]
func.func @scaled(%x: tensor<4x8xf32>, %v: tensor<4xf32>) -> tensor<4x8xf32> {
  %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %1 = raf.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %2 = raf.sub %x, %1 : tensor<4x8xf32>
  %e = raf.exp %2 : tensor<4x8xf32>
  %s = raf.reduce sum %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  %3 = raf.div %v, %s : tensor<4xf32>
  %4 = raf.broadcast %3 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %5 = raf.mul %4, %e : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}
