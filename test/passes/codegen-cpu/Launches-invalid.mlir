// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not raf-opt %s --raf-tile-kernels 2>&1 | FileCheck %s

// CHECK: error: 'raf.launch' op is in a kernel of launches and must name a kernel that runs by tiles, got @loops
func.func private @loops(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %c = arith.constant 0 : index
  %e = tensor.extract %x[%c] : tensor<8xf32>
  %0 = tensor.insert %e into %y[%c] : tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @launches(%x: memref<8xf32>, %y: memref<8xf32>) attributes {raf.kernel} {
  raf.launch @loops ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
