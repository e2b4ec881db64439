// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @whole
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[U:.*]]: tensor<4x8xf32>
// CHECK-NEXT: return %[[X]], %[[U]]
func.func @whole(%x: tensor<4x8xf32>, %u: tensor<4x8xf32>, %i: tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = "raf.dynamic_slice"(%x, %i, %i) : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  %1 = "raf.dynamic_update_slice"(%x, %u, %i, %i) : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A constant start outside is moved so that the box fits; one in a dimension that is taken whole does not matter.
// CHECK-LABEL: func.func @constant_starts
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>
// CHECK-NEXT: %[[S:.*]] = raf.slice %[[X]] starts = [0, 5] limits = [4, 8] strides = [1, 1]
// CHECK-NEXT: return %[[S]]
func.func @constant_starts(%x: tensor<4x8xf32>, %i: tensor<i64>) -> tensor<4x3xf32> {
  %c = raf.constant dense<7> : tensor<i64>
  %0 = "raf.dynamic_slice"(%x, %i, %c) : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func.func @unknown_start
// CHECK: raf.dynamic_slice
func.func @unknown_start(%x: tensor<4x8xf32>, %i: tensor<i64>) -> tensor<4x3xf32> {
  %0 = "raf.dynamic_slice"(%x, %i, %i) : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
