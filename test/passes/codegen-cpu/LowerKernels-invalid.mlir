// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-kernels --split-input-file --verify-diagnostics

func.func private @tiles(%b: index, %e: index, %x: f32) attributes {raf.tiles} {
  return
}
func.func private @scalar(%x: f32) attributes {raf.kernel} {
  // expected-error @+1 {{'raf.parallel_for' op of a kernel cannot be lowered to the LLVM dialect}}
  raf.parallel_for @tiles tiles = 8 grain = 2 (%x) : f32
  return
}
