// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-inplace --split-input-file --verify-diagnostics

// expected-error @+2 {{argument 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'f32'}}
// expected-error @+1 {{result 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'tensor<?xf32>'}}
func.func @main(%x: f32, %y: tensor<?xf32>) -> (tensor<?xf32> {raf.alias = 0 : i64}) {
  // expected-error @-1 {{argument 1 must be a tensor or memref of static shape of integers or floating-point numbers, got 'tensor<?xf32>'}}
  return %y : tensor<?xf32>
}
