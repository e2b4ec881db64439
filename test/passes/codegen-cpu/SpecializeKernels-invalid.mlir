// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-specialize-kernels --split-input-file --verify-diagnostics

func.func private @k(memref<4xf32>, memref<4xf32>) attributes {raf.kernel}
func.func @main(%x: memref<4xf32>) {
  // expected-error @+1 {{names a kernel without a body: @k}}
  raf.launch @k ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func private @k(%x: memref<2x2xf32>, %o: memref<4xf32>) attributes {raf.kernel} {
  return
}
func.func @main(%x: memref<4xf32>) {
  %v = memref.expand_shape %x [[0, 1]] output_shape [2, 2] : memref<4xf32> into memref<2x2xf32>
  // expected-error @+1 {{input 0 and destination 0 share a buffer under different types}}
  raf.launch @k ins(%v : memref<2x2xf32>) outs(%x : memref<4xf32>)
  return
}
