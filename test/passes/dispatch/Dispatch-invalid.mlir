// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -split-input-file -verify-diagnostics

// expected-error@+1 {{'func.func' op raf.dispatch names an unknown library 'blas'; known: codegen, cublas, cudnn, dnnl}}
func.func @unknown() attributes {raf.dispatch = ["blas"]} {
  return
}

// -----

// expected-error@+1 {{'func.func' op raf.dispatch must be an array of library names, got "dnnl"}}
func.func @no_array() attributes {raf.dispatch = "dnnl"} {
  return
}

// -----

func.func @forced(%x: tensor<0x8xf32>) -> tensor<0x0xf32> {
  // expected-error@+1 {{'raf.matmul' op cannot be executed by the library that is forced for it; dnnl: a tensor is empty: tensor<0x8xf32>}}
  %0 = raf.matmul %x, %x transpose_rhs {raf.dispatch = ["dnnl"]} : tensor<0x8xf32>, tensor<0x8xf32> -> tensor<0x0xf32>
  return %0 : tensor<0x0xf32>
}

// -----

// expected-error@+1 {{'func.func' op raf.dispatch names 'cublas', which is no library of this target}}
func.func @other_target() attributes {raf.dispatch = ["cublas"]} {
  return
}
