// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is measured has the operands of the program: parts of what is stored with their strides, and what a kernel would compute in passing as an operand of its own.
// RUN: raf-opt %s --raf-dispatch=questions=true | FileCheck %s

// CHECK: func.func @main(%arg0: tensor<2x32x96xf32> {raf.name = "x0", raf.role = "input"}) -> (tensor<2x4x32x32xf32>
// CHECK-DAG: raf.slice %arg0 starts = [0, 0, 0] limits = [2, 32, 32]
// CHECK-DAG: raf.slice %arg0 starts = [0, 0, 32]
// CHECK: raf.matmul
// CHECK: func.func @main(%arg0: tensor<2x4x32x8xf32> {{.*}}, %arg1: tensor<2x4x8x8xf32>
// CHECK-NOT: raf.slice
func.func @main(%qkv: tensor<2x32x96xf32>, %x: tensor<2x4x64x8xf32>, %w: tensor<2x4x8x8xf32>) -> (tensor<2x4x32x32xf32>, tensor<2x4x32x8xf32>) {
  %0 = raf.slice %qkv starts = [0, 0, 0] limits = [2, 32, 32] strides = [1, 1, 1] : tensor<2x32x96xf32> -> tensor<2x32x32xf32>
  %1 = raf.reshape %0 : tensor<2x32x32xf32> to tensor<2x32x4x8xf32>
  %q = raf.transpose %1 permutation = [0, 2, 1, 3] : tensor<2x32x4x8xf32> -> tensor<2x4x32x8xf32>
  %2 = raf.slice %qkv starts = [0, 0, 32] limits = [2, 32, 64] strides = [1, 1, 1] : tensor<2x32x96xf32> -> tensor<2x32x32xf32>
  %3 = raf.reshape %2 : tensor<2x32x32xf32> to tensor<2x32x4x8xf32>
  %k = raf.transpose %3 permutation = [0, 2, 1, 3] : tensor<2x32x4x8xf32> -> tensor<2x4x32x8xf32>
  %y = raf.matmul %q, %k transpose_rhs : tensor<2x4x32x8xf32>, tensor<2x4x32x8xf32> -> tensor<2x4x32x32xf32>
  %4 = raf.exp %x : tensor<2x4x64x8xf32>
  %5 = raf.slice %4 starts = [0, 0, 32, 0] limits = [2, 4, 64, 8] strides = [1, 1, 1, 1] : tensor<2x4x64x8xf32> -> tensor<2x4x32x8xf32>
  %z = raf.matmul %5, %w : tensor<2x4x32x8xf32>, tensor<2x4x8x8xf32> -> tensor<2x4x32x8xf32>
  return %y, %z : tensor<2x4x32x32xf32>, tensor<2x4x32x8xf32>
}
