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
