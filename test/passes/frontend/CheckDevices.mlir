// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --verify-diagnostics --raf-check-devices

func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %0 = raf.neg %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

module attributes {raf.num_devices = 8 : i64} {
  func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
    // expected-error @+2 {{the program needs 8 devices, of which each runs it as one process, and is compiled for one; it has 2 operators that the devices run together}}
    // expected-note @+1 {{'raf.all_reduce'}}
    %0 = raf.all_reduce sum %x groups = [[0, 1]] : tensor<4xf32>
    // expected-note @+1 {{'raf.collective_permute'}}
    %1 = raf.collective_permute %0 pairs = [[0, 1]] : tensor<4xf32>
    return %1 : tensor<4xf32>
  }
}

// -----

// As many as are named, where the module does not say.
func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  // expected-error @+2 {{the program needs 4 devices}}
  // expected-note @+1 {{'raf.all_reduce'}}
  %0 = raf.all_reduce sum %x groups = [[0, 1], [2, 3]] : tensor<4xf32>
  return %0 : tensor<4xf32>
}
