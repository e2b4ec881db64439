// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-lower-host --verify-diagnostics

// expected-error @+1 {{must be on buffers: run raf-bufferize-host and raf-plan-memory before raf-lower-host}}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{is a kernel with results: kernels must be on buffers when the host code is lowered}}
func.func private @exp(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  return %x : tensor<8xf32>
}
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  raf.launch @exp ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}

// -----

// expected-error @+1 {{argument 0 must be a memref of static shape and identity layout or a scalar, got 'memref<8xf32, strided<[2]>>'}}
func.func private @exp(%x: memref<8xf32, strided<[2]>>, %y: memref<8xf32>) attributes {raf.kernel} {
  return
}
func.func @main(%x: memref<8xf32, strided<[2]>>, %y: memref<8xf32>) {
  raf.launch @exp ins(%x : memref<8xf32, strided<[2]>>) outs(%y : memref<8xf32>)
  return
}

// -----

func.func @main(%x: memref<8xf32>) {
  // expected-error @+1 {{cannot be lowered to host code: the step must be on buffers with a memory plan}}
  %y = memref.alloc() : memref<8xf32>
  return
}
