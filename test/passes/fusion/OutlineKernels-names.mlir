// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-outline-kernels | FileCheck %s

// A function of the program keeps its name, and the launch names the kernel.
// CHECK: raf.launch @kernel_1
// CHECK: func.func @kernel_0(%{{.*}}: tensor<4xf32>) -> tensor<4xf32> {
// CHECK: func.func private @kernel_1({{.*}} attributes {raf.kernel}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %a = raf.kernel ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    %r = linalg.exp ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    raf.yield %r : tensor<4xf32>
  } -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func @kernel_0(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
