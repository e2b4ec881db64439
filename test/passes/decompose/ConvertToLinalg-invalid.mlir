// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not raf-opt %s --raf-convert-to-linalg 2>&1 | FileCheck %s

// All that has no lowering is named at once.
// CHECK:      error: raf-convert-to-linalg has no lowering for raf.softmax (2), raf.gelu (1)
// CHECK:      [[@LINE+5]]:{{.*}}: note: first raf.softmax is here
// CHECK:      [[@LINE+6]]:{{.*}}: note: first raf.gelu is here
// CHECK-NOT:  error:

func.func @f(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %a = raf.softmax %x axis = 1 : tensor<4x8xf32>
  %b = raf.softmax %a axis = 0 : tensor<4x8xf32>
  %c = raf.gelu erf %b : tensor<4x8xf32>
  return %c : tensor<4x8xf32>
}
