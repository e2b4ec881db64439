// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-inplace --remarks-filter=memory --remark-policy=all 2>&1 | FileCheck %s

// CHECK: raf-inplace
// CHECK-SAME: argument 0 is updated by a copy: the old value is still read after the new one is computed
func.func private @shift(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %new = raf.launch @shift ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %new : tensor<8xf32>
}
