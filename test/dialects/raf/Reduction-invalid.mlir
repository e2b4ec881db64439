// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @reduce(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.reduce' op dims must be increasing and in [0, 2), got [1, 0]}}
  // expected-error @+1 {{'raf.reduce' op failed to infer returned types}}
  %y = raf.reduce sum %x dims = [1, 0] : tensor<4x8xf32> -> tensor<f32>
  return
}

// -----

func.func @reduce_2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.reduce' op dims must be increasing and in [0, 2), got [2]}}
  // expected-error @+1 {{'raf.reduce' op failed to infer returned types}}
  %y = raf.reduce sum %x dims = [2] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @arg_reduce(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.arg_reduce' op kind must be max or min, got sum}}
  %y = raf.arg_reduce sum %x axis = 1 : tensor<4x8xf32> -> tensor<4xi64>
  return
}

// -----

func.func @arg_reduce_2(%x: tensor<4x0xf32>) {
  // expected-error @+1 {{'raf.arg_reduce' op axis 1 is empty and has no extremum}}
  %y = raf.arg_reduce max %x axis = 1 : tensor<4x0xf32> -> tensor<4xi64>
  return
}

// -----

func.func @arg_reduce_3(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.arg_reduce' op result must have the operand's shape without dimension 1, got 'tensor<8xi64>'}}
  %y = raf.arg_reduce max %x axis = 1 : tensor<4x8xf32> -> tensor<8xi64>
  return
}

// -----

func.func @cumsum(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.cumsum' op attribute 'axis' failed to satisfy constraint: 64-bit signless integer attribute whose value is non-negative}}
  %y = raf.cumsum %x axis = -1 : tensor<4x8xf32>
  return
}
