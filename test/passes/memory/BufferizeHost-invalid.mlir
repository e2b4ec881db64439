// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-bufferize-host --verify-diagnostics

func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @+1 {{cannot be a part of the step after raf-outline-kernels: expected an op of destination style, raf.constant, raf.reshape or tensor.empty of static shape}}
  %y = raf.exp %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// expected-error @+1 {{result 0 has raf.alias = 0, but its type is 'tensor<4xf32>' and that of the argument 'tensor<8xf32>'}}
func.func @main(%x: tensor<8xf32>, %y: tensor<4xf32>) -> (tensor<4xf32> {raf.alias = 0 : i64}) {
  return %y : tensor<4xf32>
}

// -----

// expected-error @+1 {{argument 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'tensor<?xf32>'}}
func.func @main(%x: tensor<?xf32>) {
  return
}

// -----

// An op on buffers beside those on tensors stays as it is.
func.func private @k(memref<4xf32>) attributes {raf.kernel}
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %m = memref.alloc() : memref<4xf32>
  raf.launch @k outs(%m : memref<4xf32>)
  return %x : tensor<4xf32>
}

// -----

// Its region reads a tensor from outside, which is a buffer afterwards.
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{'scf.forall' op cannot be a part of the step after raf-outline-kernels}}
  %y = scf.forall (%i) in (4) shared_outs(%o = %e) -> (tensor<4xf32>) {
    %s = tensor.extract_slice %x[%i] [1] [1] : tensor<4xf32> to tensor<1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xf32> into tensor<4xf32>
    }
  }
  return %y : tensor<4xf32>
}
