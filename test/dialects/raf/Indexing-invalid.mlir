// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @gather(%x: tensor<4x8xf32>, %i: tensor<3xi64>) {
  // expected-error @+2 {{'raf.gather' op axis must be in [0, 2), got 2}}
  // expected-error @+1 {{'raf.gather' op failed to infer returned types}}
  %y = raf.gather %x, %i axis = 2 : tensor<4x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
  return
}

// -----

func.func @scatter_add(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3x7xf32>) {
  // expected-error @+1 {{'raf.scatter_add' op updates must have type 'tensor<3x8xf32>', got 'tensor<3x7xf32>'}}
  %y = raf.scatter_add %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<3xi64>, tensor<3x7xf32>
  return
}

// -----

func.func @scatter(%x: tensor<4x8xf32>, %i: tensor<3xi64>, %u: tensor<3x7xf32>) {
  // expected-error @+1 {{'raf.scatter' op updates must have type 'tensor<3x8xf32>', got 'tensor<3x7xf32>'}}
  %y = raf.scatter max %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<3xi64>, tensor<3x7xf32>
  return
}

// -----

func.func @take_along_axis(%x: tensor<4x8xf32>, %i: tensor<4xi64>) {
  // expected-error @+2 {{'raf.take_along_axis' op indices must have the shape of the operand but for dimension 1, got 'tensor<4xi64>' and 'tensor<4x8xf32>'}}
  // expected-error @+1 {{'raf.take_along_axis' op failed to infer returned types}}
  %y = raf.take_along_axis %x, %i axis = 1 : tensor<4x8xf32>, tensor<4xi64> -> tensor<4xf32>
  return
}

// -----

func.func @add_along_axis(%x: tensor<4x8xf32>, %i: tensor<4x1xi64>, %u: tensor<4x2xf32>) {
  // expected-error @+1 {{'raf.add_along_axis' op updates must have type 'tensor<4x1xf32>', got 'tensor<4x2xf32>'}}
  %y = raf.add_along_axis %x, %i, %u axis = 1 : tensor<4x8xf32>, tensor<4x1xi64>, tensor<4x2xf32>
  return
}

// -----

func.func @dynamic_slice(%x: tensor<4x8xf32>, %s: tensor<i64>) {
  // expected-error @+1 {{'raf.dynamic_slice' op needs one start and one size for each of the 2 dimensions, got 1 starts and 'tensor<2x3xf32>'}}
  %y = "raf.dynamic_slice"(%x, %s) : (tensor<4x8xf32>, tensor<i64>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dynamic_slice_2(%x: tensor<4x8xf32>, %s: tensor<i64>) {
  // expected-error @+1 {{'raf.dynamic_slice' op needs a box that fits: dimension 0 has size 4, the box 5}}
  %y = "raf.dynamic_slice"(%x, %s, %s) : (tensor<4x8xf32>, tensor<i64>, tensor<i64>) -> tensor<5x3xf32>
  return
}

// -----

func.func @dynamic_slice_3(%x: tensor<4x8xf32>, %s: tensor<i64>, %t: tensor<i32>) {
  // expected-error @+1 {{'raf.dynamic_slice' op needs starts of one type, got 'tensor<i64>' and 'tensor<i32>'}}
  %y = "raf.dynamic_slice"(%x, %s, %t) : (tensor<4x8xf32>, tensor<i64>, tensor<i32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @dynamic_update_slice(%x: tensor<4x8xf32>, %u: tensor<5x3xf32>, %s: tensor<i64>) {
  // expected-error @+1 {{'raf.dynamic_update_slice' op needs a box that fits: dimension 0 has size 4, the box 5}}
  %y = "raf.dynamic_update_slice"(%x, %u, %s, %s) : (tensor<4x8xf32>, tensor<5x3xf32>, tensor<i64>, tensor<i64>) -> tensor<4x8xf32>
  return
}
