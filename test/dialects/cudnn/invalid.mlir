// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @types(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xbf16>, %y: tensor<2x4x8x8xf32>) {
  // expected-error@+1 {{'cudnn.conv' op operands must have one element type, and the result that or f32, got 'f32', 'bf16' and 'f32'}}
  %0 = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xbf16>) outs(%y : tensor<2x4x8x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @shape(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %y: tensor<2x4x7x8xf32>) {
  // expected-error@+1 {{'cudnn.conv' op the convolution's result must have shape [2, 4, 8, 8], got [2, 4, 7, 8]}}
  %0 = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%y : tensor<2x4x7x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x7x8xf32>
  return
}

// -----

// The weights of the raf dialect, whose channels come before the window in both layouts.
func.func @weights(%x: tensor<2x8x8x6xf32>, %w: tensor<4x6x3x3xf32>, %y: tensor<2x8x8x4xf32>) {
  // expected-error-re@+1 {{conv{{.*}}channels}}
  %0 = cudnn.conv ins(%x, %w : tensor<2x8x8x6xf32>, tensor<4x6x3x3xf32>) outs(%y : tensor<2x8x8x4xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x8x8x4xf32>
  return
}

// -----

func.func @results(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %y: tensor<2x4x8x8xf32>) {
  // expected-error@+1 {{'cudnn.conv' op must have one result for each of the 1 destinations, got 0}}
  cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%y : tensor<2x4x8x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1]
  return
}

// -----

func.func @input_grad(%dy: tensor<2x4x8x8xf32>, %w: tensor<4x3x3x3xf32>, %dx: tensor<2x3x9x8xf32>) {
  // expected-error@+1 {{'cudnn.conv_input_grad' op the convolution's result must have shape [2, 4, 9, 8], got [2, 4, 8, 8]}}
  %0 = cudnn.conv_input_grad ins(%dy, %w : tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) outs(%dx : tensor<2x3x9x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x3x9x8xf32>
  return
}

// -----

func.func @weight_grad(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x4x8x8xf32>, %dw: tensor<4x3x3x3xf16>) {
  // expected-error@+1 {{'cudnn.conv_weight_grad' op operands must have one element type, and the result that or f32, got 'f32', 'f32' and 'f16'}}
  %0 = cudnn.conv_weight_grad ins(%x, %dy : tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) outs(%dw : tensor<4x3x3x3xf16>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<4x3x3x3xf16>
  return
}

// -----

func.func @wide(%x: tensor<2x3x8x8xf64>, %dy: tensor<2x4x8x8xf64>, %dw: tensor<4x3x3x3xf32>) {
  // expected-error@+1 {{'cudnn.conv_weight_grad' op operand #0 must be static tensor or memref of f32, bf16 or f16, but got 'tensor<2x3x8x8xf64>'}}
  %0 = cudnn.conv_weight_grad ins(%x, %dy : tensor<2x3x8x8xf64>, tensor<2x4x8x8xf64>) outs(%dw : tensor<4x3x3x3xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<4x3x3x3xf32>
  return
}

// -----

func.func @norm(%x: tensor<2x8x4x4xf32>, %s: tensor<8xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{'cudnn.batch_norm' op each number of a channel must have shape [8], got [4]}}
  %0:3 = cudnn.batch_norm ins(%x, %s, %b : tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<4xf32>) outs(%x, %s, %s : tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) epsilon = 1.0e-5
      -> tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @indices(%x: tensor<2x8x8x3xf32>, %y: tensor<2x4x4x3xf32>, %i: tensor<95xi8>) {
  // expected-error@+1 {{'cudnn.max_pool' op indices must have shape [96], got [95]}}
  %0:2 = cudnn.max_pool ins(%x : tensor<2x8x8x3xf32>) outs(%y : tensor<2x4x4x3xf32>) indices(%i : tensor<95xi8>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0]
      -> tensor<2x4x4x3xf32>, tensor<95xi8>
  return
}

// -----

func.func @heads(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x3x8x16xbf16>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'cudnn.attention' op q [2, 4, 8, 16], k [2, 3, 8, 16] and v [2, 3, 8, 16] do not fit together}}
  %0:2 = cudnn.attention ins(%q, %k, %k : tensor<2x4x8x16xbf16>, tensor<2x3x8x16xbf16>, tensor<2x3x8x16xbf16>) outs(%q, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) scale = 0.25
      -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
  return
}

// -----

func.func @norm_grad(%x: tensor<2x8x4x4xf32>, %g: tensor<2x8x4x3xf32>, %s: tensor<8xf32>) {
  // expected-error@+1 {{'cudnn.batch_norm_grad' op each activation must have shape [2, 8, 4, 4], got [2, 8, 4, 3]}}
  %0:3 = cudnn.batch_norm_grad ins(%x, %g, %s, %s, %s : tensor<2x8x4x4xf32>, tensor<2x8x4x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
      outs(%x, %s, %s : tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xf32>, tensor<8xf32>, tensor<8xf32>
  return
}

// -----

func.func @max_pool_grad(%dx: tensor<2x8x8x3xf32>, %dy: tensor<2x4x4x3xf32>, %i: tensor<95xi8>) {
  // expected-error@+1 {{'cudnn.max_pool_grad' op indices must have shape [96], got [95]}}
  %0 = cudnn.max_pool_grad ins(%dy, %i : tensor<2x4x4x3xf32>, tensor<95xi8>) outs(%dx : tensor<2x8x8x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @avg_pool(%x: tensor<2x8x8x3xf32>, %y: tensor<2x4x5x3xf32>) {
  // expected-error@+1 {{'cudnn.avg_pool' op the pool's result must have shape [2, 4, 4, 3], got [2, 4, 5, 3]}}
  %0 = cudnn.avg_pool ins(%x : tensor<2x8x8x3xf32>) outs(%y : tensor<2x4x5x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x4x5x3xf32>
  return
}

// -----

func.func @avg_pool_grad(%dx: tensor<2x8x8x3xf32>, %dy: tensor<2x3x4x3xf32>) {
  // expected-error@+1 {{'cudnn.avg_pool_grad' op the pool's result must have shape [2, 4, 4, 3], got [2, 3, 4, 3]}}
  %0 = cudnn.avg_pool_grad ins(%dy : tensor<2x3x4x3xf32>) outs(%dx : tensor<2x8x8x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] -> tensor<2x8x8x3xf32>
  return
}

// -----

func.func @attention_grad(%q: tensor<2x4x8x16xbf16>, %g: tensor<2x4x8x8xbf16>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'cudnn.attention_grad' op dy must have shape [2, 4, 8, 16], got [2, 4, 8, 8]}}
  %0:3 = cudnn.attention_grad ins(%q, %q, %q, %q, %l, %g : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x8xbf16>)
      outs(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) scale = 0.25 -> tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>
  return
}

// -----

func.func @conv_bias(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<3xf32>, %y: tensor<2x4x8x8xf32>) {
  // expected-error@+1 {{'cudnn.conv' op bias must have shape [4], got [3]}}
  %0 = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) bias(%b : tensor<3xf32>) outs(%y : tensor<2x4x8x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @conv_addend(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %a: tensor<2x4x8x8xbf16>, %y: tensor<2x4x8x8xf32>) {
  // expected-error@+1 {{'cudnn.conv' op addend must have element type 'f32', got 'bf16'}}
  %0 = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) addend(%a : tensor<2x4x8x8xbf16>) outs(%y : tensor<2x4x8x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>
  return
}

// -----

func.func @attention_bias(%q: tensor<2x4x8x16xbf16>, %l: tensor<2x4x8xf32>, %b: tensor<2x3x8x8xbf16>) {
  // expected-error@+1 {{'cudnn.attention' op bias [2, 3, 8, 8] cannot be added to scores [2, 4, 8, 8]}}
  %y:2 = cudnn.attention ins(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) bias(%b : tensor<2x3x8x8xbf16>)
         outs(%q, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) scale = 0.25 -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
  return
}

// -----

func.func @causal(%q: tensor<2x4x8x16xbf16>, %k: tensor<2x4x7x16xbf16>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'cudnn.attention' op causal takes as many keys as queries or more, got 7 and 8}}
  %y:2 = cudnn.attention ins(%q, %k, %k : tensor<2x4x8x16xbf16>, tensor<2x4x7x16xbf16>, tensor<2x4x7x16xbf16>)
         outs(%q, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) scale = 0.25 causal -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
  return
}
