// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-outline-regions --split-input-file --verify-diagnostics

func.func @main(%n: index, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op needs constant bounds and a positive constant step here; a loop that ends by a computed value is an scf.while}}
  %y = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %a = raf.exp %h : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @main(%x: f32) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @+1 {{'scf.for' op carries a value that is no tensor}}
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%h = %x) -> (f32) {
    %a = math.exp %h : f32
    scf.yield %a : f32
  }
  return %y : f32
}

// -----

func.func @main(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'scf.if' op needs a condition that is an element of a 0-d tensor}}
  %y = scf.if %p -> tensor<4xf32> {
    %a = raf.exp %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    scf.yield %x : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

func.func @main(%n: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %k = tensor.extract %n[] : tensor<i32>
  %j = arith.index_cast %k : i32 to index
  // expected-error @+1 {{'scf.index_switch' op needs the cases 0, 1, ... in order, got 5 at position 0}}
  %z = scf.index_switch %j -> tensor<4xf32>
  case 5 {
    %a = raf.abs %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  default {
    scf.yield %x : tensor<4xf32>
  }
  return %z : tensor<4xf32>
}

// -----

// expected-error @+1 {{a region uses this value of type 'f32' from outside: only tensors can be passed to it}}
func.func @main(%s: f32, %x: tensor<4xf32>) -> tensor<4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %t = tensor.splat %s : tensor<4xf32>
    %a = raf.add %h, %t : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}
