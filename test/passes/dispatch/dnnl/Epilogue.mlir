// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch | FileCheck %s

// Constants become linear functions, a vector along the columns an operand, in the order of the ops.
// CHECK-LABEL: func @chain
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<16xf32>)
// CHECK-NOT: raf.
// CHECK: dnnl.matmul {{.*}} post_operands(%[[S]] : tensor<16xf32>)
// CHECK-SAME: post_ops = [#dnnl.post_op<linear, alpha = 1.000000e+00 : f64, beta = -3.000000e+00 : f64>, #dnnl.post_op<mul>, #dnnl.post_op<silu>]
// CHECK-SAME: {post_operand_views = [#dnnl.view<[1, 16], strides = [16, 1]>]}
// CHECK-NEXT: return
func.func @chain(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %s: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %c = raf.constant dense<3.0> : tensor<8x16xf32>
  %1 = raf.sub %0, %c : tensor<8x16xf32>
  %b = raf.broadcast %s dims = [1] : tensor<16xf32> to tensor<8x16xf32>
  %2 = raf.mul %1, %b : tensor<8x16xf32>
  %3 = raf.silu %2 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// After an activation a vector is no bias any more.
// CHECK-LABEL: func @vector_after_relu
// CHECK: dnnl.matmul
// CHECK-NOT: bias
// CHECK-SAME: post_ops = [#dnnl.post_op<relu>, #dnnl.post_op<add>]
func.func @vector_after_relu(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %b: tensor<16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %r = raf.relu %0 : tensor<8x16xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<8x16xf32>
  %2 = raf.add %r, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Nor is a vector along the rows, which the library would write out to the size of the result first.
// CHECK-LABEL: func @rows
// CHECK: dnnl.matmul
// CHECK-NOT: bias
// CHECK-NOT: post_op
// CHECK: raf.add
func.func @rows(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %b: tensor<8xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.broadcast %b dims = [0] : tensor<8xf32> to tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// What is subtracted from something is not the first operand of a post-op.
// CHECK-LABEL: func @from_the_other_side
// CHECK: dnnl.matmul
// CHECK-NOT: post_ops
// CHECK: raf.sub
func.func @from_the_other_side(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %r: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.sub %r, %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// CHECK-LABEL: func @with_itself
// CHECK: dnnl.matmul
// CHECK-NOT: post_ops
// CHECK: raf.mul
func.func @with_itself(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.mul %0, %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// The chain ends at an op that the library has no post-op for.
// CHECK-LABEL: func @ends
// CHECK: dnnl.matmul
// CHECK-NOT: post_ops
// CHECK: raf.exp
// CHECK: raf.relu
func.func @ends(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.exp %0 : tensor<8x16xf32>
  %2 = raf.relu %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// The library refuses a constant that is not finite; without it there is a kernel.
// CHECK-LABEL: func @infinite
// CHECK: dnnl.matmul
// CHECK-NOT: post_ops
// CHECK: raf.add
func.func @infinite(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %c = raf.constant dense<0x7F800000> : tensor<8x16xf32>
  %2 = raf.add %0, %c : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// One number a row: the library would write it out to the size of the result first. One a column it reads in passing.
// CHECK-LABEL: func @one_a_row
// CHECK: dnnl.matmul
// CHECK-SAME: post_ops = [#dnnl.post_op<linear
// CHECK-NOT: post_op<sub>
// CHECK: raf.sub
// CHECK: raf.mul
func.func @one_a_row(%x: tensor<3x8x4xf32>, %w: tensor<3x4x16xf32>, %r: tensor<3x8xf32>, %m: tensor<3x8x16xf32>) -> tensor<3x8x16xf32> {
  %c = raf.constant dense<0.5> : tensor<3x8x16xf32>
  %0 = raf.matmul %x, %w : tensor<3x8x4xf32>, tensor<3x4x16xf32> -> tensor<3x8x16xf32>
  %1 = raf.mul %0, %c : tensor<3x8x16xf32>
  %2 = raf.broadcast %r dims = [0, 1] : tensor<3x8xf32> to tensor<3x8x16xf32>
  %3 = raf.sub %1, %2 : tensor<3x8x16xf32>
  %4 = raf.mul %3, %m : tensor<3x8x16xf32>
  return %4 : tensor<3x8x16xf32>
}

// CHECK-LABEL: func @one_a_column
// CHECK: dnnl.matmul
// CHECK-SAME: post_ops = [#dnnl.post_op<sub>, #dnnl.post_op<mul>]
func.func @one_a_column(%x: tensor<3x8x4xf32>, %w: tensor<3x4x16xf32>, %r: tensor<16xf32>, %m: tensor<3x8x16xf32>) -> tensor<3x8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<3x8x4xf32>, tensor<3x4x16xf32> -> tensor<3x8x16xf32>
  %2 = raf.broadcast %r dims = [2] : tensor<16xf32> to tensor<3x8x16xf32>
  %3 = raf.sub %0, %2 : tensor<3x8x16xf32>
  %4 = raf.mul %3, %m : tensor<3x8x16xf32>
  return %4 : tensor<3x8x16xf32>
}
