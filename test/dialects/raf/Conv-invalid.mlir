// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @conv(%x: tensor<2x3x8x8xf32>, %w: tensor<4x2x3x3xf32>) {
  // expected-error @+2 {{'raf.conv' op with 1 groups needs 2 input channels and a multiple of 1 output channels, got 3 and 4}}
  // expected-error @+1 {{'raf.conv' op failed to infer returned types}}
  %y = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x2x3x3xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @conv_2(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{'raf.conv' op kernel, strides and dilations must be positive, got 3, 0 and 1 in spatial dimension 0}}
  // expected-error @+1 {{'raf.conv' op failed to infer returned types}}
  %y = raf.conv %x, %w strides = [0, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @conv_3(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{'raf.conv' op kernel, strides, pad_low, pad_high and dilations must have one element for each of the 2 spatial dimensions}}
  // expected-error @+1 {{'raf.conv' op failed to infer returned types}}
  %y = raf.conv %x, %w strides = [1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @conv_input_grad(%dy: tensor<2x4x7x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+1 {{'raf.conv_input_grad' op dy must have the type of the convolution's result, expected 'tensor<2x4x8x8xf32>', got 'tensor<2x4x7x8xf32>'}}
  %y = raf.conv_input_grad %dy, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x7x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x8x8xf32>
  return
}

// -----

func.func @conv_weight_grad(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x4x8x7xf32>) {
  // expected-error @+1 {{'raf.conv_weight_grad' op dy must have the type of the convolution's result, expected 'tensor<2x4x8x8xf32>', got 'tensor<2x4x8x7xf32>'}}
  %y = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<2x4x8x7xf32>) -> tensor<4x3x3x3xf32>
  return
}

// -----

func.func @conv_window_overflows(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{'raf.conv' op window of extent of more than 64 bits does not fit in padded spatial dimension 0 of size 10}}
  // expected-error @+1 {{'raf.conv' op failed to infer returned types}}
  %y = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [9223372036854775807, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @conv_padding_overflows(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) {
  // expected-error @+2 {{'raf.conv' op window of extent 3 does not fit in padded spatial dimension 1 of size of more than 64 bits}}
  // expected-error @+1 {{'raf.conv' op failed to infer returned types}}
  %y = raf.conv %x, %w strides = [1, 1] pad_low = [1, 9223372036854775807] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  return
}

// -----

// A wider result is for 16-bit operands; f64 is no such type.
func.func @weight_grad_wide(%x: tensor<2x3x8x8xbf16>, %dy: tensor<2x4x8x8xbf16>) {
  %y = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<2x4x8x8xbf16>) -> tensor<4x3x3x3xf32>
  // expected-error @+1 {{'raf.conv_weight_grad' op input and weights must have one rank from 3 to 5 and one element type, got 'tensor<2x3x8x8xbf16>' and 'tensor<4x3x3x3xf64>'}}
  %z = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<2x4x8x8xbf16>) -> tensor<4x3x3x3xf64>
  return
}
