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

// -----

// The gradient of a one_hot product: each row is added to that of its label, in both orders in which JAX writes it.
// CHECK-LABEL: func @one_hot_gradient
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<5x2xi32>, %[[DY:[a-z0-9]+]]: tensor<10x4xf32>
// CHECK: %[[A:.+]] = raf.scatter_add %{{.+}}, %{{.+}}, %[[DY]] axis = 0 : tensor<7x4xf32>, tensor<10xi32>, tensor<10x4xf32>
// CHECK: %[[B:.+]] = raf.scatter_add %{{.+}}, %{{.+}}, %[[DY]] axis = 0 : tensor<7x4xf32>, tensor<10xi32>, tensor<10x4xf32>
// CHECK: %[[C:.+]] = raf.transpose %[[B]]
// CHECK: return %[[A]], %[[C]]
func.func @one_hot_gradient(%labels: tensor<5x2xi32>, %dy: tensor<10x4xf32>) -> (tensor<7x4xf32>, tensor<4x7xf32>) {
  %0 = raf.iota dim = 2 : tensor<1x1x7xi32>
  %1 = raf.broadcast %labels dims = [0, 1] : tensor<5x2xi32> to tensor<5x2x7xi32>
  %2 = raf.broadcast %0 dims = [0, 1, 2] : tensor<1x1x7xi32> to tensor<5x2x7xi32>
  %3 = raf.compare eq %1, %2 : tensor<5x2x7xi32> -> tensor<5x2x7xi1>
  %4 = raf.cast %3 : tensor<5x2x7xi1> to tensor<5x2x7xf32>
  %5 = raf.reshape %4 : tensor<5x2x7xf32> to tensor<10x7xf32>
  %6 = raf.matmul %5, %dy transpose_lhs : tensor<10x7xf32>, tensor<10x4xf32> -> tensor<7x4xf32>
  %7 = raf.matmul %dy, %5 transpose_lhs : tensor<10x4xf32>, tensor<10x7xf32> -> tensor<4x7xf32>
  return %6, %7 : tensor<7x4xf32>, tensor<4x7xf32>
}

// -----

// What is not equal to the label, and a table that is summed along its other dimension.
// CHECK-LABEL: func @no_one_hot_gradient
// CHECK-NOT: raf.scatter_add
func.func @no_one_hot_gradient(%labels: tensor<7xi32>, %dy: tensor<7x7xf32>) -> (tensor<7x7xf32>, tensor<7x7xf32>) {
  %0 = raf.iota dim = 1 : tensor<7x7xi32>
  %1 = raf.broadcast %labels dims = [0] : tensor<7xi32> to tensor<7x7xi32>
  %2 = raf.compare ne %1, %0 : tensor<7x7xi32> -> tensor<7x7xi1>
  %3 = raf.cast %2 : tensor<7x7xi1> to tensor<7x7xf32>
  %4 = raf.matmul %3, %dy transpose_lhs : tensor<7x7xf32>, tensor<7x7xf32> -> tensor<7x7xf32>
  %5 = raf.compare eq %1, %0 : tensor<7x7xi32> -> tensor<7x7xi1>
  %6 = raf.cast %5 : tensor<7x7xi1> to tensor<7x7xf32>
  %7 = raf.matmul %dy, %6 transpose_rhs : tensor<7x7xf32>, tensor<7x7xf32> -> tensor<7x7xf32>
  return %4, %7 : tensor<7x7xf32>, tensor<7x7xf32>
}

// -----

// x[arange(5), labels] as JAX lowers it: one element of each row.
// CHECK-LABEL: func @element_of_each_row
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<5x8xf32>
// CHECK: raf.take_along_axis %[[X]], %{{.+}} axis = 1 : tensor<5x8xf32>, tensor<5x1xi32> -> tensor<5x1xf32>
// CHECK-NOT: raf.gather
func.func @element_of_each_row(%x: tensor<5x8xf32>, %labels: tensor<5xi32>) -> tensor<5x1xf32> {
  %zero = raf.constant dense<0> : tensor<5xi32>
  %four = raf.constant dense<4> : tensor<5xi32>
  %five = raf.constant dense<5> : tensor<5xi32>
  %seven = raf.constant dense<7> : tensor<5xi32>
  %eight = raf.constant dense<8> : tensor<5xi32>
  %place = raf.iota dim = 0 : tensor<5xi32>
  %negative = raf.compare lt %place, %zero : tensor<5xi32> -> tensor<5xi1>
  %wrapped = raf.add %place, %five : tensor<5xi32>
  %row = raf.select %negative, %wrapped, %place : tensor<5xi32>
  %0 = raf.maximum %row, %zero : tensor<5xi32>
  %1 = raf.minimum %0, %four : tensor<5xi32>
  %2 = raf.mul %1, %eight : tensor<5xi32>
  %3 = raf.maximum %labels, %zero : tensor<5xi32>
  %4 = raf.minimum %3, %seven : tensor<5xi32>
  %5 = raf.add %2, %4 : tensor<5xi32>
  %6 = raf.reshape %x : tensor<5x8xf32> to tensor<40x1xf32>
  %7 = raf.gather %6, %5 axis = 0 : tensor<40x1xf32>, tensor<5xi32> -> tensor<5x1xf32>
  return %7 : tensor<5x1xf32>
}

// -----

// Rows at indices that are no places, and indices that reach into other rows.
// CHECK-LABEL: func @elements_of_any_row
// CHECK-NOT: raf.take_along_axis
func.func @elements_of_any_row(%x: tensor<5x8xf32>, %rows: tensor<5xi32>, %labels: tensor<5xi32>) -> (tensor<5x1xf32>, tensor<5x1xf32>) {
  %zero = raf.constant dense<0> : tensor<5xi32>
  %seven = raf.constant dense<7> : tensor<5xi32>
  %eight = raf.constant dense<8> : tensor<5xi32>
  %place = raf.iota dim = 0 : tensor<5xi32>
  %0 = raf.mul %rows, %eight : tensor<5xi32>
  %1 = raf.mul %place, %eight : tensor<5xi32>
  %2 = raf.maximum %labels, %zero : tensor<5xi32>
  %3 = raf.minimum %2, %seven : tensor<5xi32>
  %4 = raf.add %0, %3 : tensor<5xi32>
  %5 = raf.add %1, %labels : tensor<5xi32>
  %6 = raf.reshape %x : tensor<5x8xf32> to tensor<40x1xf32>
  %7 = raf.gather %6, %4 axis = 0 : tensor<40x1xf32>, tensor<5xi32> -> tensor<5x1xf32>
  %8 = raf.gather %6, %5 axis = 0 : tensor<40x1xf32>, tensor<5xi32> -> tensor<5x1xf32>
  return %7, %8 : tensor<5x1xf32>, tensor<5x1xf32>
}

// -----

// Places that repeat: as many as rows, but not each row once.
// CHECK-LABEL: func @elements_of_repeated_rows
// CHECK-NOT: raf.take_along_axis
func.func @elements_of_repeated_rows(%x: tensor<6x8xf32>, %labels: tensor<6xi32>) -> (tensor<6x1xf32>, tensor<6x1xf32>) {
  %zero = raf.constant dense<0> : tensor<6xi32>
  %seven = raf.constant dense<7> : tensor<6xi32>
  %eight = raf.constant dense<8> : tensor<6xi32>
  %two = raf.iota dim = 0 : tensor<2xi32>
  %three = raf.iota dim = 1 : tensor<2x3xi32>
  %0 = raf.broadcast %two dims = [0] : tensor<2xi32> to tensor<2x3xi32>
  %1 = raf.reshape %0 : tensor<2x3xi32> to tensor<6xi32>
  %2 = raf.reshape %three : tensor<2x3xi32> to tensor<6xi32>
  %3 = raf.mul %1, %eight : tensor<6xi32>
  %4 = raf.mul %2, %eight : tensor<6xi32>
  %5 = raf.maximum %labels, %zero : tensor<6xi32>
  %6 = raf.minimum %5, %seven : tensor<6xi32>
  %7 = raf.add %3, %6 : tensor<6xi32>
  %8 = raf.add %4, %6 : tensor<6xi32>
  %9 = raf.reshape %x : tensor<6x8xf32> to tensor<48x1xf32>
  %10 = raf.gather %9, %7 axis = 0 : tensor<48x1xf32>, tensor<6xi32> -> tensor<6x1xf32>
  %11 = raf.gather %9, %8 axis = 0 : tensor<48x1xf32>, tensor<6xi32> -> tensor<6x1xf32>
  return %10, %11 : tensor<6x1xf32>, tensor<6x1xf32>
}
