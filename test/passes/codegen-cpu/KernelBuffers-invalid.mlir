// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --split-input-file --verify-diagnostics

func.func private @reads_nothing(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{operand #1 must be an argument of the kernel or computed by a linalg op of it; from another stage it must be a result of the kernel}}
  %0 = linalg.add ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @reads_a_constant_tensor(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // expected-error @+1 {{operand #1 must be an argument of the kernel}}
  %0 = linalg.add ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @reads_the_temporary_of_another_stage(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {raf.stage = 0 : i64} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{operand #0 must be an argument of the kernel}}
  %1 = linalg.exp {raf.stage = 1 : i64} ins(%0 : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
