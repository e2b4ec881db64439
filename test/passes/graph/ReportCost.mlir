// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-report-cost -o /dev/null | FileCheck %s
// RUN: raf-opt %s -raf-report-cost=annotate | FileCheck %s --check-prefix=ANNOTATE

// CHECK: "flops": 1152
// CHECK: "bytes": 2432
// CHECK: "op": "raf.matmul"
// CHECK-NEXT: "count": 1
// CHECK-NEXT: "flops": 1024
// CHECK-NEXT: "bytes": 896
// CHECK: "op": "raf.relu"
// CHECK-NEXT: "count": 2
// CHECK-NEXT: "flops": 128

// ANNOTATE-NOT: {{^}}{
// ANNOTATE: raf.matmul {{.*}} {raf.flops = 1024 : i64}
// ANNOTATE: raf.relu {{.*}} {raf.flops = 64 : i64}
// ANNOTATE: raf.reshape
// ANNOTATE-NOT: raf.flops
func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>) -> tensor<64xf32> {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.relu %0 : tensor<4x16xf32>
  %2 = raf.relu %1 : tensor<4x16xf32>
  %3 = raf.reshape %2 : tensor<4x16xf32> to tensor<64xf32>
  return %3 : tensor<64xf32>
}
