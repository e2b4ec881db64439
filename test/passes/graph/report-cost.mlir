// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-report-cost -o /dev/null | FileCheck %s

// CHECK: "flops": 1152
// CHECK: "bytes": 1920
// CHECK: "op": "raf.matmul"
// CHECK-NEXT: "count": 1
// CHECK-NEXT: "flops": 1024
// CHECK-NEXT: "bytes": 896
// CHECK: "op": "raf.relu"
// CHECK-NEXT: "count": 2
// CHECK-NEXT: "flops": 128
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.relu %0 : tensor<4x16xf32>
  %2 = raf.relu %1 : tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}
