// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// A transpose of the last two dimensions is an attribute of the product; one of the batch is not.
// CHECK-LABEL: func.func @transposes
// CHECK-SAME: %[[A:.*]]: tensor<2x4x8xf32>, %[[B:.*]]: tensor<2x5x4xf32>
// CHECK-NEXT: %[[Y:.*]] = raf.matmul %[[A]], %[[B]] transpose_lhs transpose_rhs
// CHECK-NEXT: return %[[Y]]
func.func @transposes(%a: tensor<2x4x8xf32>, %b: tensor<2x5x4xf32>) -> tensor<2x8x5xf32> {
  %0 = raf.transpose %a permutation = [0, 2, 1] : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
  %1 = raf.transpose %b permutation = [0, 2, 1] : tensor<2x5x4xf32> -> tensor<2x4x5xf32>
  %2 = raf.matmul %0, %1 : tensor<2x8x4xf32>, tensor<2x4x5xf32> -> tensor<2x8x5xf32>
  return %2 : tensor<2x8x5xf32>
}

// CHECK-LABEL: func.func @batch
// CHECK: raf.transpose
// CHECK: raf.matmul
// CHECK-NOT: transpose_
func.func @batch(%a: tensor<4x2x8xf32>, %b: tensor<2x8x5xf32>) -> tensor<2x4x5xf32> {
  %0 = raf.transpose %a permutation = [1, 0, 2] : tensor<4x2x8xf32> -> tensor<2x4x8xf32>
  %1 = raf.matmul %0, %b : tensor<2x4x8xf32>, tensor<2x8x5xf32> -> tensor<2x4x5xf32>
  return %1 : tensor<2x4x5xf32>
}

// The element type of the result stays when it is wider than that of the operands.
// CHECK-LABEL: func.func @wide
// CHECK: raf.matmul %{{.*}}, %{{.*}} transpose_lhs : tensor<4x8xbf16>, tensor<4x5xbf16> -> tensor<8x5xf32>
func.func @wide(%a: tensor<4x8xbf16>, %b: tensor<4x5xbf16>) -> tensor<8x5xf32> {
  %0 = raf.transpose %a permutation = [1, 0] : tensor<4x8xbf16> -> tensor<8x4xbf16>
  %1 = raf.matmul %0, %b : tensor<8x4xbf16>, tensor<4x5xbf16> -> tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}
