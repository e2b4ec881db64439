// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-inference=outputs=1,0 --canonicalize | FileCheck %s
// RUN: raf-opt %s --raf-inference=outputs=1 --canonicalize | FileCheck %s --check-prefix=ONE
// RUN: not raf-opt %s --raf-inference=outputs=0,2 2>&1 | FileCheck %s --check-prefix=NONE

// CHECK: -> (tensor<2xf32> {raf.name = "b"}, tensor<2xf32> {raf.name = "a"})
// ONE: -> (tensor<2xf32> {raf.name = "b"})
// ONE-NOT: raf.exp
// NONE: error: raf-inference: outputs: expected numbers from 0 to 1, got 2
func.func @main(%x: tensor<2xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<2xf32> {raf.name = "a"}, tensor<2xf32> {raf.name = "b"}) {
  %a = raf.exp %x : tensor<2xf32>
  %b = raf.neg %x : tensor<2xf32>
  return %a, %b : tensor<2xf32>, tensor<2xf32>
}
