// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-kernels=bf16=fast --verify-diagnostics

// expected-error @+1 {{raf-lower-kernels: bf16 must be auto, native or arithmetic, got fast}}
module {
  func.func private @kernel(%x: memref<8xf32>) attributes {raf.kernel} {
    return
  }
}
