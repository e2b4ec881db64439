// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -split-input-file | FileCheck %s

// What is repeated is computed once.
// CHECK-LABEL: func @pointwise
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8xf32>, %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK: %[[S:.*]] = raf.add %[[A]], %[[B]] : tensor<8xf32>
// CHECK: %[[E:.*]] = raf.exp %[[S]] : tensor<8xf32>
// CHECK: %[[Y:.*]] = raf.broadcast %[[E]] dims = [1]
// CHECK: return %[[Y]]
func.func @pointwise(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<4x8xf32> {
  %0 = raf.broadcast %a dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %2 = raf.add %0, %1 : tensor<4x8xf32>
  %3 = raf.exp %2 : tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @other_dimensions
// CHECK: raf.add {{.*}} : tensor<8x8xf32>
func.func @other_dimensions(%a: tensor<8xf32>, %b: tensor<8xf32>) -> tensor<8x8xf32> {
  %0 = raf.broadcast %a dims = [1] : tensor<8xf32> to tensor<8x8xf32>
  %1 = raf.broadcast %b dims = [0] : tensor<8xf32> to tensor<8x8xf32>
  %2 = raf.add %0, %1 : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// -----

// A mask depends on the place of each element.
// CHECK-LABEL: func @dropout
// CHECK: raf.dropout {{.*}} : tensor<4x8xf32>
func.func @dropout(%a: tensor<8xf32>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<4x8xf32> {
  %0 = raf.broadcast %a dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = raf.dropout %0, %seed, %step ratio = 0.5 op_id = 1 : tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @reductions
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8xf32>, %[[X:[a-z0-9]+]]: tensor<1x8x1xf32>, %[[Y:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-DAG: %[[FOUR:.*]] = raf.constant dense<4.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[S:.*]] = raf.mul %[[A]], %[[FOUR]]
// CHECK-DAG: %[[R:.*]] = raf.reshape %[[X]] : tensor<1x8x1xf32> to tensor<8xf32>
// CHECK-DAG: %[[T:.*]] = raf.reduce sum %[[Y]] dims = [0, 2]
// CHECK: return %[[S]], %[[A]], %[[R]], %[[T]]
func.func @reductions(%a: tensor<8xf32>, %x: tensor<1x8x1xf32>, %y: tensor<2x3x4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>) {
  %0 = raf.broadcast %a dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = raf.reduce sum %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %2 = raf.reduce max %0 dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %3 = raf.reduce sum %x dims = [0, 2] : tensor<1x8x1xf32> -> tensor<8xf32>
  %4 = raf.reduce sum %y dims = [2] : tensor<2x3x4xf32> -> tensor<2x3xf32>
  %5 = raf.reduce sum %4 dims = [0] : tensor<2x3xf32> -> tensor<3xf32>
  return %1, %2, %3, %5 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<3xf32>
}

// -----

// The operand's own dimension is reduced: nothing is known about its elements.
// CHECK-LABEL: func @own_dimension
// CHECK: raf.reduce sum
func.func @own_dimension(%a: tensor<8xf32>) -> tensor<4xf32> {
  %0 = raf.broadcast %a dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %1 = raf.reduce sum %0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
