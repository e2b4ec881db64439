// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -cse -split-input-file | FileCheck %s

// The inputs of all steps are multiplied at once, before the first step.
// CHECK-LABEL: func @inputs
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>, %[[W:[a-z0-9]+]]: tensor<4x5xf32>
// CHECK: %[[F:.*]] = raf.reshape %[[X]] : tensor<2x3x4xf32> to tensor<6x4xf32>
// CHECK: %[[P:.*]] = raf.matmul %[[F]], %[[W]]
// CHECK: %[[A:.*]] = raf.reshape %[[P]] : tensor<6x5xf32> to tensor<2x3x5xf32>
// CHECK-COUNT-3: raf.slice %[[A]]
// CHECK-NOT: raf.matmul
func.func @inputs(%x: tensor<2x3x4xf32>, %w: tensor<4x5xf32>) -> (tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>) {
  %a = raf.slice %x starts = [0, 0, 0] limits = [2, 1, 4] strides = [1, 1, 1] : tensor<2x3x4xf32> -> tensor<2x1x4xf32>
  %b = raf.slice %x starts = [0, 1, 0] limits = [2, 2, 4] strides = [1, 1, 1] : tensor<2x3x4xf32> -> tensor<2x1x4xf32>
  %c = raf.slice %x starts = [0, 2, 0] limits = [2, 3, 4] strides = [1, 1, 1] : tensor<2x3x4xf32> -> tensor<2x1x4xf32>
  %a1 = raf.reshape %a : tensor<2x1x4xf32> to tensor<2x4xf32>
  %b1 = raf.reshape %b : tensor<2x1x4xf32> to tensor<2x4xf32>
  %c1 = raf.reshape %c : tensor<2x1x4xf32> to tensor<2x4xf32>
  %0 = raf.matmul %a1, %w : tensor<2x4xf32>, tensor<4x5xf32> -> tensor<2x5xf32>
  %1 = raf.matmul %b1, %w : tensor<2x4xf32>, tensor<4x5xf32> -> tensor<2x5xf32>
  %2 = raf.matmul %c1, %w : tensor<2x4xf32>, tensor<4x5xf32> -> tensor<2x5xf32>
  return %0, %1, %2 : tensor<2x5xf32>, tensor<2x5xf32>, tensor<2x5xf32>
}

// -----

// Of many rows few are wanted.
// CHECK-LABEL: func @few
// CHECK-COUNT-2: raf.matmul {{.*}} -> tensor<1x5xf32>
func.func @few(%x: tensor<64x4xf32>, %w: tensor<4x5xf32>) -> (tensor<1x5xf32>, tensor<1x5xf32>) {
  %a = raf.slice %x starts = [0, 0] limits = [1, 4] strides = [1, 1] : tensor<64x4xf32> -> tensor<1x4xf32>
  %b = raf.slice %x starts = [9, 0] limits = [10, 4] strides = [1, 1] : tensor<64x4xf32> -> tensor<1x4xf32>
  %0 = raf.matmul %a, %w : tensor<1x4xf32>, tensor<4x5xf32> -> tensor<1x5xf32>
  %1 = raf.matmul %b, %w : tensor<1x4xf32>, tensor<4x5xf32> -> tensor<1x5xf32>
  return %0, %1 : tensor<1x5xf32>, tensor<1x5xf32>
}

// -----

// CHECK-LABEL: func @neighbours
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<3x2x4xf32>
// CHECK-DAG: %[[ALL:.*]] = raf.reshape %[[X]] : tensor<3x2x4xf32> to tensor<6x4xf32>
// CHECK-DAG: %[[FLAT:.*]] = raf.reshape %[[X]] : tensor<3x2x4xf32> to tensor<24xf32>
// CHECK-DAG: %[[S:.*]] = raf.slice %[[FLAT]] starts = [8] limits = [24]
// CHECK-DAG: %[[TWO:.*]] = raf.reshape %[[S]] : tensor<16xf32> to tensor<4x4xf32>
// CHECK-DAG: %[[SWAPPED:.*]] = raf.concat
// CHECK: return %[[ALL]], %[[TWO]], %[[SWAPPED]]
func.func @neighbours(%x: tensor<3x2x4xf32>) -> (tensor<6x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %a = raf.slice %x starts = [0, 0, 0] limits = [1, 2, 4] strides = [1, 1, 1] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
  %b = raf.slice %x starts = [1, 0, 0] limits = [2, 2, 4] strides = [1, 1, 1] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
  %c = raf.slice %x starts = [2, 0, 0] limits = [3, 2, 4] strides = [1, 1, 1] : tensor<3x2x4xf32> -> tensor<1x2x4xf32>
  %a1 = raf.reshape %a : tensor<1x2x4xf32> to tensor<2x4xf32>
  %b1 = raf.reshape %b : tensor<1x2x4xf32> to tensor<2x4xf32>
  %c1 = raf.reshape %c : tensor<1x2x4xf32> to tensor<2x4xf32>
  %0 = raf.concat %a1, %b1, %c1 axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %1 = raf.concat %b1, %c1 axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %2 = raf.concat %c1, %b1 axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<6x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// Rows that got a dimension of 1 to be joined along it are joined as rows.
// CHECK-LABEL: func @new_dimension
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x4xf32>, %[[B:[a-z0-9]+]]: tensor<3x4xf32>
// CHECK: %[[ALL:.*]] = raf.concat %[[A]], %[[B]] axis = 0 : (tensor<2x4xf32>, tensor<3x4xf32>) -> tensor<5x4xf32>
// CHECK: %[[Y:.*]] = raf.reshape %[[ALL]] : tensor<5x4xf32> to tensor<1x5x4xf32>
// CHECK: return %[[Y]]
func.func @new_dimension(%a: tensor<2x4xf32>, %b: tensor<3x4xf32>) -> tensor<1x5x4xf32> {
  %a1 = raf.reshape %a : tensor<2x4xf32> to tensor<1x2x4xf32>
  %b1 = raf.reshape %b : tensor<3x4xf32> to tensor<1x3x4xf32>
  %0 = raf.concat %a1, %b1 axis = 1 : (tensor<1x2x4xf32>, tensor<1x3x4xf32>) -> tensor<1x5x4xf32>
  return %0 : tensor<1x5x4xf32>
}

// -----

// Not joined as they lie: each row of the result has parts of both.
// CHECK-LABEL: func @inner_dimension
// CHECK: raf.concat %{{.*}}, %{{.*}} axis = 2
func.func @inner_dimension(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>) -> tensor<1x2x8xf32> {
  %a1 = raf.reshape %a : tensor<2x4xf32> to tensor<1x2x4xf32>
  %b1 = raf.reshape %b : tensor<2x4xf32> to tensor<1x2x4xf32>
  %0 = raf.concat %a1, %b1 axis = 2 : (tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> tensor<1x2x8xf32>
  return %0 : tensor<1x2x8xf32>
}

// What joins a run of another concatenation's parts is a slice of that one, which moves up to it.
// CHECK-LABEL: @run_of_parts
// CHECK: %[[D:.*]] = raf.exp %arg3
// CHECK: %[[ALL:.*]] = raf.concat %arg0, %arg1, %arg2, %[[D]] axis = 0
// CHECK: %[[SOME:.*]] = raf.slice %[[ALL]] starts = [2, 0] limits = [6, 4] strides = [1, 1] : tensor<8x4xf32> -> tensor<4x4xf32>
// CHECK: %[[E:.*]] = raf.tanh %[[SOME]]
// CHECK: return %[[E]], %[[ALL]]
func.func @run_of_parts(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: tensor<2x4xf32>, %d: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<8x4xf32>) {
  %some = raf.concat %b, %c axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %e = raf.tanh %some : tensor<4x4xf32>
  %f = raf.exp %d : tensor<2x4xf32>
  %all = raf.concat %a, %b, %c, %f axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return %e, %all : tensor<4x4xf32>, tensor<8x4xf32>
}

// The larger one needs the smaller one; or it joins other parts in between.
// CHECK-LABEL: @no_run
// CHECK-NOT: raf.slice
func.func @no_run(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<4x4xf32>) {
  %some = raf.concat %a, %b axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %e = raf.tanh %some : tensor<4x4xf32>
  %all = raf.concat %a, %b, %e axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  %apart = raf.concat %a, %c axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %all, %apart : tensor<8x4xf32>, tensor<4x4xf32>
}

// The parts of a sum of products may come in any order: in that of the other concatenation.
// CHECK-LABEL: @order_of_a_sum
// CHECK: %[[ALL:.*]] = raf.concat %arg2, %arg1, %arg0 axis = 0
// CHECK: %[[A:.*]] = raf.slice %[[ALL]] starts = [0, 0] limits = [4, 4]
// CHECK: %[[C:.*]] = raf.concat %arg4, %arg3 axis = 0
// CHECK: raf.matmul %[[A]], %[[C]] transpose_lhs
func.func @order_of_a_sum(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: tensor<2x4xf32>, %x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<6x4xf32>) {
  %all = raf.concat %c, %b, %a axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %lhs = raf.concat %b, %c axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %rhs = raf.concat %x, %y axis = 0 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf32>
  %p = raf.matmul %lhs, %rhs transpose_lhs : tensor<4x4xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  return %p, %all : tensor<4x3xf32>, tensor<6x4xf32>
}

// Each joins a run of the next one's parts: all are parts of the largest.
// CHECK-LABEL: @nested_runs
// CHECK: %[[ALL:.*]] = raf.concat %arg0, %arg1, %arg2, %arg3 axis = 0
// CHECK-NOT: raf.concat
// CHECK-DAG: raf.slice %[[ALL]] starts = [0, 0] limits = [6, 4]
// CHECK: return
func.func @nested_runs(%a: tensor<2x4xf32>, %b: tensor<2x4xf32>, %c: tensor<2x4xf32>, %d: tensor<2x4xf32>) -> (tensor<4x4xf32>, tensor<6x4xf32>, tensor<8x4xf32>) {
  %two = raf.concat %a, %b axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  %three = raf.concat %a, %b, %c axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<6x4xf32>
  %four = raf.concat %a, %b, %c, %d axis = 0 : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<8x4xf32>
  return %two, %three, %four : tensor<4x4xf32>, tensor<6x4xf32>, tensor<8x4xf32>
}
