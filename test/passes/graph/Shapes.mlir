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

// -----

// The gradient of slices is joined; gaps are zeros.
// CHECK-LABEL: func @pads
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x3xf32>, %[[B:[a-z0-9]+]]: tensor<2x2xf32>, %[[C:[a-z0-9]+]]: tensor<2x8xf32>
// CHECK: %[[Z:.*]] = raf.constant dense<0.000000e+00> : tensor<2x1xf32>
// CHECK: %[[J:.*]] = raf.concat %[[B]], %[[Z]], %[[A]], %[[B]] axis = 1 : {{.*}} -> tensor<2x8xf32>
// CHECK: %[[Y:.*]] = raf.add %[[J]], %[[C]]
// CHECK: return %[[Y]]
func.func @pads(%a: tensor<2x3xf32>, %b: tensor<2x2xf32>, %c: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = raf.pad %a low = [0, 3] high = [0, 2] interior = [0, 0] value = 0.0 : tensor<2x3xf32> -> tensor<2x8xf32>
  %1 = raf.pad %b low = [0, 0] high = [0, 6] interior = [0, 0] value = 0.0 : tensor<2x2xf32> -> tensor<2x8xf32>
  %2 = raf.pad %b low = [0, 6] high = [0, 0] interior = [0, 0] value = 0.0 : tensor<2x2xf32> -> tensor<2x8xf32>
  %3 = raf.add %0, %1 : tensor<2x8xf32>
  %4 = raf.add %3, %c : tensor<2x8xf32>
  %5 = raf.add %4, %2 : tensor<2x8xf32>
  return %5 : tensor<2x8xf32>
}

// -----

// CHECK-LABEL: func @overlapping_pads
// CHECK-NOT: raf.concat
// CHECK: raf.add
func.func @overlapping_pads(%a: tensor<2x3xf32>) -> tensor<2x4xf32> {
  %0 = raf.pad %a low = [0, 1] high = [0, 0] interior = [0, 0] value = 0.0 : tensor<2x3xf32> -> tensor<2x4xf32>
  %1 = raf.pad %a low = [0, 0] high = [0, 1] interior = [0, 0] value = 0.0 : tensor<2x3xf32> -> tensor<2x4xf32>
  %2 = raf.add %0, %1 : tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}

// -----

// CHECK-LABEL: func @slices
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x3xf32>, %[[B:[a-z0-9]+]]: tensor<4x5xf32>
// CHECK-DAG: %[[X:.*]] = raf.slice %[[B]] starts = [0, 1] limits = [4, 5] strides = [1, 3]
// CHECK-DAG: %[[Y:.*]] = raf.slice %{{.*}} starts = [0, 2] limits = [4, 4] strides = [1, 1]
// CHECK-DAG: %[[Z:.*]] = raf.slice %[[B]] starts = [1, 2] limits = [4, 5] strides = [2, 2]
// CHECK: return %[[X]], %[[Y]], %[[Z]]
func.func @slices(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x2xf32>) {
  %0 = raf.concat %a, %b axis = 1 : (tensor<4x3xf32>, tensor<4x5xf32>) -> tensor<4x8xf32>
  %1 = raf.slice %0 starts = [0, 4] limits = [4, 8] strides = [1, 3] : tensor<4x8xf32> -> tensor<4x2xf32>
  %2 = raf.slice %0 starts = [0, 2] limits = [4, 4] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x2xf32>
  %3 = raf.slice %b starts = [1, 0] limits = [4, 5] strides = [1, 2] : tensor<4x5xf32> -> tensor<3x3xf32>
  %4 = raf.slice %3 starts = [0, 1] limits = [3, 3] strides = [2, 1] : tensor<3x3xf32> -> tensor<2x2xf32>
  return %1, %2, %4 : tensor<4x2xf32>, tensor<4x2xf32>, tensor<2x2xf32>
}

// -----

// The product of the strides of one element would overflow.
// CHECK-LABEL: func @slices_of_one_element
// CHECK: raf.slice %{{.*}} starts = [2] limits = [3] strides = [1] : tensor<8xf32> -> tensor<1xf32>
func.func @slices_of_one_element(%x: tensor<8xf32>) -> tensor<1xf32> {
  %0 = raf.slice %x starts = [0] limits = [8] strides = [2] : tensor<8xf32> -> tensor<4xf32>
  %1 = raf.slice %0 starts = [1] limits = [4] strides = [9223372036854775807] : tensor<4xf32> -> tensor<1xf32>
  return %1 : tensor<1xf32>
}

// -----

// A pad added to itself overlaps too.
// CHECK-LABEL: func @doubled_pad
// CHECK: %[[P:.*]] = raf.pad
// CHECK: raf.add %[[P]], %[[P]]
func.func @doubled_pad(%a: tensor<2x3xf32>) -> tensor<2x6xf32> {
  %0 = raf.pad %a low = [0, 3] high = [0, 0] interior = [0, 0] value = 0.0 : tensor<2x3xf32> -> tensor<2x6xf32>
  %1 = raf.add %0, %0 : tensor<2x6xf32>
  return %1 : tensor<2x6xf32>
}
