// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func private @body(tensor<i64>, tensor<4xf32>) -> tensor<4xf32>
func.func @for_results(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.for' op results must have the types of the destinations (none for buffers)}}
  raf.for @body trips = 3 outs(%x : tensor<4xf32>)
  return
}

// -----

func.func @for_function(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.for' op names no function: @body}}
  %y = raf.for @body trips = 3 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @body(tensor<4xf32>) -> tensor<4xf32>
func.func @for_arguments(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.for' op @body must take ('tensor<i64>', 'tensor<4xf32>'), got ('tensor<4xf32>')}}
  %y = raf.for @body trips = 3 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @for_trips(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.for' op attribute 'trips' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %y = raf.for @body trips = -3 outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @small(tensor<4xf32>) -> tensor<4xi1>
func.func private @body(tensor<4xf32>) -> tensor<4xf32>
func.func @while_condition(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.while' op @small must return ('tensor<i1>'), got ('tensor<4xi1>')}}
  %y = raf.while @small do @body outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func @case_branches(%i: tensor<i32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.case' op needs a branch}}
  %y = raf.case [] ins(%i, %x : tensor<i32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @same(tensor<4xf32>) -> tensor<4xf32>
func.func @case_index(%i: tensor<1xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.case' op needs a 0-d integer tensor as its first input}}
  %y = raf.case [@same] ins(%i, %x : tensor<1xi32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @same(tensor<4xf32>) -> tensor<4xf32>
func.func @case_unranked_index(%i: tensor<*xi32>, %x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{'raf.case' op needs a 0-d integer tensor as its first input}}
  %y = raf.case [@same] ins(%i, %x : tensor<*xi32>, tensor<4xf32>) outs(%x : tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

func.func private @body(tensor<i64>, tensor<8x4xf32>) -> tensor<8x4xf32>
func.func @for_sliced(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{'raf.for' op sliced must name operands in [0, 1) in increasing order, got [1]}}
  %y = raf.for @body trips = 2 sliced = [1] outs(%x : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

func.func private @body(tensor<i64>, tensor<4x4xf32>) -> tensor<4x4xf32>
func.func @for_rows(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // expected-error @+1 {{'raf.for' op operand 0 is sliced, so @body must take rows of 'tensor<8x4xf32>' that are enough for 3 iterations, got 'tensor<4x4xf32>'}}
  %y = raf.for @body trips = 3 sliced = [0] outs(%x : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}
