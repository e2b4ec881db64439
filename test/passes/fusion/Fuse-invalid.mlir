// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-fuse --split-input-file --verify-diagnostics

func.func @dynamic(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{must have static shapes before kernels are formed}}
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// expected-error @+1 {{control flow must be lowered before kernels are formed}}
func.func @blocks(%x: tensor<4xf32>) -> tensor<4xf32> {
  cf.br ^a
^a:
  return %x : tensor<4xf32>
}
