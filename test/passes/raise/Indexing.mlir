// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// jax.nn.one_hot(labels, 7) @ table: rows of the table, and zeros for labels that are none of its rows.
// CHECK-LABEL: func @one_hot_product
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<5x2xi32>, %[[T:[a-z0-9]+]]: tensor<7x4xf32>
// CHECK: %[[F:.+]] = raf.reshape %[[L]] : tensor<5x2xi32> to tensor<10xi32>
// CHECK: %[[INSIDE:.+]] = raf.and
// CHECK: %[[ROWS:.+]] = raf.gather %[[T]], %[[F]] axis = 0
// CHECK: %[[B:.+]] = raf.broadcast %[[INSIDE]]
// CHECK: %[[Y:.+]] = raf.select %[[B]], %[[ROWS]]
// CHECK: return %[[Y]]
func.func @one_hot_product(%labels: tensor<5x2xi32>, %table: tensor<7x4xf32>) -> tensor<10x4xf32> {
  %0 = raf.iota dim = 2 : tensor<1x1x7xi32>
  %1 = raf.broadcast %labels dims = [0, 1] : tensor<5x2xi32> to tensor<5x2x7xi32>
  %2 = raf.broadcast %0 dims = [0, 1, 2] : tensor<1x1x7xi32> to tensor<5x2x7xi32>
  %3 = raf.compare eq %1, %2 : tensor<5x2x7xi32> -> tensor<5x2x7xi1>
  %4 = raf.cast %3 : tensor<5x2x7xi1> to tensor<5x2x7xf32>
  %5 = raf.reshape %4 : tensor<5x2x7xf32> to tensor<10x7xf32>
  %6 = raf.matmul %5, %table : tensor<10x7xf32>, tensor<7x4xf32> -> tensor<10x4xf32>
  return %6 : tensor<10x4xf32>
}

// -----

// All places but one, the places along the rows, a table that is summed along its other dimension.
// CHECK-LABEL: func @others
// CHECK-NOT: raf.gather
func.func @others(%labels: tensor<7xi32>, %table: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>) {
  %0 = raf.iota dim = 1 : tensor<7x7xi32>
  %1 = raf.iota dim = 0 : tensor<7x7xi32>
  %2 = raf.broadcast %labels dims = [0] : tensor<7xi32> to tensor<7x7xi32>
  %3 = raf.compare ne %2, %0 : tensor<7x7xi32> -> tensor<7x7xi1>
  %4 = raf.cast %3 : tensor<7x7xi1> to tensor<7x7xf32>
  %5 = raf.matmul %4, %table : tensor<7x7xf32>, tensor<7x7xf32> -> tensor<7x7xf32>
  %6 = raf.compare eq %2, %1 : tensor<7x7xi32> -> tensor<7x7xi1>
  %7 = raf.cast %6 : tensor<7x7xi1> to tensor<7x7xf32>
  %8 = raf.matmul %7, %table : tensor<7x7xf32>, tensor<7x7xf32> -> tensor<7x7xf32>
  %9 = raf.compare eq %2, %0 : tensor<7x7xi32> -> tensor<7x7xi1>
  %10 = raf.cast %9 : tensor<7x7xi1> to tensor<7x7xf32>
  %11 = raf.matmul %10, %table transpose_rhs : tensor<7x7xf32>, tensor<7x7xf32> -> tensor<7x7xf32>
  return %5, %8, %11 : tensor<7x7xf32>, tensor<7x7xf32>, tensor<7x7xf32>
}
