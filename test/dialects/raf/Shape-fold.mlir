// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @nothing_moves
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @nothing_moves(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = raf.broadcast %x dims = [0, 1] : tensor<4x8xf32> to tensor<4x8xf32>
  %1 = raf.reshape %x : tensor<4x8xf32> to tensor<4x8xf32>
  %2 = raf.transpose %x permutation = [0, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %3 = raf.slice %x starts = [0, 0] limits = [4, 8] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  %4 = raf.pad %x low = [0, 0] high = [0, 0] interior = [0, 0] value = 0.0 : tensor<4x8xf32> -> tensor<4x8xf32>
  %5 = raf.concat %x axis = 0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// A square that is transposed has its type, not its elements.
// CHECK-LABEL: func.func @elements_move
// CHECK: raf.transpose
// CHECK: raf.pad
func.func @elements_move(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = raf.transpose %x permutation = [1, 0] : tensor<4x4xf32> -> tensor<4x4xf32>
  %1 = raf.pad %x low = [1, 0] high = [-1, 0] interior = [0, 0] value = 0.0 : tensor<4x4xf32> -> tensor<4x4xf32>
  return %0, %1 : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: func.func @composed
// CHECK-SAME: %[[X:.*]]: tensor<4x8x2xf32>, %[[V:.*]]: tensor<8xf32>
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[V]] dims = [2] : tensor<8xf32> to tensor<2x4x8xf32>
// CHECK-DAG: %[[R:.*]] = raf.reshape %[[X]] : tensor<4x8x2xf32> to tensor<2x32xf32>
// CHECK-DAG: %[[T:.*]] = raf.transpose %[[X]] permutation = [2, 0, 1]
// CHECK: return %[[B]], %[[R]], %[[T]]
func.func @composed(%x: tensor<4x8x2xf32>, %v: tensor<8xf32>) -> (tensor<2x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8xf32>) {
  %0 = raf.broadcast %v dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = raf.broadcast %0 dims = [1, 2] : tensor<4x8xf32> to tensor<2x4x8xf32>
  %2 = raf.reshape %x : tensor<4x8x2xf32> to tensor<64xf32>
  %3 = raf.reshape %2 : tensor<64xf32> to tensor<2x32xf32>
  %4 = raf.transpose %x permutation = [1, 2, 0] : tensor<4x8x2xf32> -> tensor<8x2x4xf32>
  %5 = raf.transpose %4 permutation = [1, 2, 0] : tensor<8x2x4xf32> -> tensor<2x4x8xf32>
  return %1, %3, %5 : tensor<2x4x8xf32>, tensor<2x32xf32>, tensor<2x4x8xf32>
}

// CHECK-LABEL: func.func @unit_dimensions
// CHECK-SAME: %[[X:.*]]: tensor<4x1x8xf32>
// CHECK-NEXT: %[[R:.*]] = raf.reshape %[[X]] : tensor<4x1x8xf32> to tensor<1x4x8xf32>
// CHECK-NEXT: return %[[R]]
func.func @unit_dimensions(%x: tensor<4x1x8xf32>) -> tensor<1x4x8xf32> {
  %0 = raf.transpose %x permutation = [1, 0, 2] : tensor<4x1x8xf32> -> tensor<1x4x8xf32>
  return %0 : tensor<1x4x8xf32>
}

// CHECK-LABEL: func.func @constants
// CHECK-DAG: %[[S:.*]] = raf.constant dense<2.000000e+00> : tensor<8x4xf32>
// CHECK-DAG: %[[M:.*]] = raf.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00], [3.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
// CHECK-DAG: %[[V:.*]] = raf.constant dense<2.000000e+00> : tensor<3xf32>
// CHECK-NOT: raf.{{transpose|broadcast|reshape|slice}}
// CHECK: return %[[S]], %[[M]], %[[V]]
func.func @constants() -> (tensor<8x4xf32>, tensor<2x2xf32>, tensor<3xf32>) {
  %two = raf.constant dense<2.0> : tensor<4xf32>
  %four = raf.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  %0 = raf.broadcast %two dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %1 = raf.transpose %0 permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %2 = raf.reshape %four : tensor<4xf32> to tensor<2x2xf32>
  %3 = raf.slice %two starts = [0] limits = [3] strides = [1] : tensor<4xf32> -> tensor<3xf32>
  return %1, %2, %3 : tensor<8x4xf32>, tensor<2x2xf32>, tensor<3xf32>
}
