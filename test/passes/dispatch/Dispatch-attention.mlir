// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-decompose-ops=only=raf.attention -raf-dispatch | FileCheck %s

// The two products of attention go to the library, unless the op is for another.
// CHECK-LABEL: func @attention
// CHECK-COUNT-2: dnnl.matmul
func.func @attention(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y, %lse = raf.attention %q, %q, %q scale = 0.25 causal : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xf32>
}

// CHECK-LABEL: func @codegen
// CHECK-NOT: dnnl.matmul
// CHECK-COUNT-2: raf.matmul
func.func @codegen(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y, %lse = raf.attention %q, %q, %q scale = 0.25 {raf.dispatch = ["codegen"]} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xf32>
}
