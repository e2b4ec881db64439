// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @no_dimension
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @no_dimension(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = raf.reduce sum %x dims = [] : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
