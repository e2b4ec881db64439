// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-autodiff --split-input-file --verify-diagnostics

func.func @main(%x: tensor<3xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  // expected-error @+1 {{must carry tensors of static shape only to be differentiated, got 'index'}}
  %y, %k = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %x, %n = %c0) -> (tensor<3xf32>, index) {
    %m = raf.mul %c, %w : tensor<3xf32>
    %next = arith.addi %n, %i : index
    scf.yield %m, %next : tensor<3xf32>, index
  }
  %loss = raf.reduce sum %y dims = [0] : tensor<3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

func.func @main(%x: tensor<3xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %d = tensor.cast %x : tensor<3xf32> to tensor<?xf32>
  // expected-error @+1 {{must carry tensors of static shape only to be differentiated, got 'tensor<?xf32>'}}
  %y, %k = scf.for %i = %c0 to %c3 step %c1 iter_args(%c = %x, %n = %d) -> (tensor<3xf32>, tensor<?xf32>) {
    %m = raf.mul %c, %w : tensor<3xf32>
    scf.yield %m, %n : tensor<3xf32>, tensor<?xf32>
  }
  %loss = raf.reduce sum %y dims = [0] : tensor<3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

func.func @main(%x: tensor<3xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.constant -1 : index
  // expected-error @+1 {{needs constant bounds to be differentiated}}
  %y = scf.for unsigned %i = %c0 to %last step %c1 iter_args(%c = %x) -> (tensor<3xf32>) {
    %m = raf.mul %c, %w : tensor<3xf32>
    scf.yield %m : tensor<3xf32>
  }
  %loss = raf.reduce sum %y dims = [0] : tensor<3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
