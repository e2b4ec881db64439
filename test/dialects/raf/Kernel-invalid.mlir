// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.kernel' op region must have one argument for each of the 2 operands, got 1}}
  %y = raf.kernel ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    raf.yield %a : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @yielded(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.kernel' op must yield and return one value for each of the 1 destinations, got 0 and 1}}
  %y = raf.kernel outs(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    raf.yield
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @types(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.kernel' op destination, yielded value and result must have one type, got 'tensor<4xf32>', 'tensor<5xf32>' and 'tensor<4xf32>'}}
  %y = raf.kernel outs(%x : tensor<4xf32>) {
  ^bb0(%a: tensor<4xf32>):
    %b = tensor.empty() : tensor<5xf32>
    raf.yield %b : tensor<5xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @on_buffers(%x: memref<4xf32>) {
  // expected-error @+1 {{'raf.kernel' op on buffers has no results}}
  raf.kernel outs(%x : memref<4xf32>) {
  ^bb0(%a: memref<4xf32>):
    raf.yield %a : memref<4xf32>
  }
  return
}

// -----

func.func @outside(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.yield' op expects parent op 'raf.kernel'}}
  raf.yield %x : tensor<4xf32>
}

// -----

func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel}
func.func @pairs(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.launch' op may_alias must be pairs of an input and a destination index}}
  %y = raf.launch @k ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) may_alias = [0, 1] -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @k(tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
func.func @no_kernel(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.launch' op @k has no raf.kernel attribute}}
  %y = raf.launch @k ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @k(tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel}
func.func @count(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.launch' op @k has 1 arguments, got 2 operands}}
  %y = raf.launch @k ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @missing(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.launch' op names no function: @k}}
  %y = raf.launch @k outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @tiles(index, memref<4xf32>)
func.func @parallel(%x: memref<4xf32>) {
  // expected-error @+1 {{'raf.parallel_for' op @tiles must take begin, end and 1 arguments, got 2}}
  raf.parallel_for @tiles tiles = 8 grain = 1 (%x) : memref<4xf32>
  return
}

// -----


func.func @type_of_argument(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.kernel' op region argument 0 must have the type of operand 0, expected 'tensor<4xf32>', got 'tensor<5xf32>'}}
  %y = raf.kernel ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: tensor<5xf32>, %out: tensor<4xf32>):
    raf.yield %out : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----


func.func @no_terminator(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.kernel' op region must end in raf.yield}}
  %y = raf.kernel ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    %r = linalg.exp ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----


func.func @kind_of_stage(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = raf.kernel ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    // expected-error @+1 {{'linalg.exp' op raf.stage must be an i64 of at least 0, got "last"}}
    %r = linalg.exp {raf.stage = "last"} ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    raf.yield %r : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----


func.func @order_of_stages(%a: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %y = raf.kernel ins(%a : tensor<4xf32>) outs(%x : tensor<4xf32>) {
  ^bb0(%in: tensor<4xf32>, %out: tensor<4xf32>):
    %q = linalg.exp {raf.stage = 1 : i64} ins(%in : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    // expected-error @+1 {{'linalg.exp' op raf.stage must not be below the 1 of an op before it, got 0}}
    %r = linalg.exp {raf.stage = 0 : i64} ins(%q : tensor<4xf32>) outs(%out : tensor<4xf32>) -> tensor<4xf32>
    raf.yield %r : tensor<4xf32>
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}
