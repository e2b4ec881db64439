// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @nothing_dropped
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]]
func.func @nothing_dropped(%x: tensor<4xf32>, %s: tensor<i64>) -> tensor<4xf32> {
  %0 = raf.dropout %x, %s, %s ratio = 0.0 op_id = 3 : tensor<4xf32>
  return %0 : tensor<4xf32>
}
