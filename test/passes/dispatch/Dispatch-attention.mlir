// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch | FileCheck %s

// Attention is split so that its two products go to the library.
// CHECK-LABEL: func @attention
// CHECK-COUNT-2: dnnl.matmul
// CHECK-NOT: raf.attention
func.func @attention(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y = raf.attention %q, %q, %q scale = 0.25 causal : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %y : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @codegen
// CHECK: raf.attention
func.func @codegen(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y = raf.attention %q, %q, %q scale = 0.25 {raf.dispatch = ["codegen"]} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  return %y : tensor<2x4x8x16xf32>
}
