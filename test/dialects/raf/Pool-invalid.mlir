// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @max_pool(%x: tensor<2x3x8x8xf32>) {
  // expected-error @+2 {{'raf.max_pool' op kernel, strides, pad_low, pad_high and dilations must have one element for each of the 2 spatial dimensions}}
  // expected-error @+1 {{'raf.max_pool' op failed to infer returned types}}
  %y, %i = raf.max_pool %x kernel = [2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  return
}

// -----

func.func @max_pool_2(%x: tensor<2x3x8x8xf32>) {
  // expected-error @+2 {{'raf.max_pool' op padding must be in [0, 1] so that each window meets an element, got 2 and 0}}
  // expected-error @+1 {{'raf.max_pool' op failed to infer returned types}}
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [2, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x5x4xf32>, tensor<2x3x5x4xi32>)
  return
}

// -----

func.func @max_pool_grad(%dy: tensor<2x3x3x4xf32>, %i: tensor<2x3x3x4xi32>) {
  // expected-error @+1 {{'raf.max_pool_grad' op dy must have the type of the pool's result, expected 'tensor<2x3x4x4xf32>', got 'tensor<2x3x3x4xf32>'}}
  %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x3x4xf32>, tensor<2x3x3x4xi32>) -> (tensor<2x3x8x8xf32>)
  return
}

// -----

func.func @max_pool_grad_2(%dy: tensor<2x3x4x4xf32>, %i: tensor<2x3x3x4xi32>) {
  // expected-error @+1 {{'raf.max_pool_grad' op indices must have the shape of dy, got 'tensor<2x3x3x4xi32>' and 'tensor<2x3x4x4xf32>'}}
  %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x3x4xi32>) -> (tensor<2x3x8x8xf32>)
  return
}

// -----

func.func @avg_pool(%x: tensor<8x8xf32>) {
  // expected-error @+2 {{'raf.avg_pool' op operand must have rank 3 to 5, got 'tensor<8x8xf32>'}}
  // expected-error @+1 {{'raf.avg_pool' op failed to infer returned types}}
  %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<8x8xf32>) -> (tensor<4x4xf32>)
  return
}

// -----

func.func @avg_pool_grad(%dy: tensor<2x3x3x4xf32>) {
  // expected-error @+1 {{'raf.avg_pool_grad' op dy must have the type of the pool's result, expected 'tensor<2x3x4x4xf32>', got 'tensor<2x3x3x4xf32>'}}
  %dx = raf.avg_pool_grad %dy kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x3x4xf32>) -> (tensor<2x3x8x8xf32>)
  return
}
