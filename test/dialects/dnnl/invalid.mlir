// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @shapes(%a: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op cannot multiply lhs [4, 8] and rhs [4, 8] to dst [4, 4]}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @view(%a: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op rhs view reaches element 34 of a tensor with 32 elements}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) {rhs_view = #dnnl.view<[8, 4], strides = [1, 9]>} -> tensor<4x4xf32>
  return
}

// -----

func.func @part(%a: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op rhs view reaches element 32 of a tensor with 32 elements}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) {rhs_view = #dnnl.view<[8, 4], strides = [1, 8], offset = 1>} -> tensor<4x4xf32>
  return
}

// -----

func.func @part_of_destination(%a: tensor<4x4xf32>, %y: tensor<4x8xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op dst must be written from its first element on, got an offset of 4}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x8xf32>) {dst_view = #dnnl.view<[4, 4], strides = [8, 1], offset = 4>} -> tensor<4x8xf32>
  return
}

// -----

func.func @part_as_bias(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>, %b: tensor<8xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op bias must be read from its first element on, got an offset of 4}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) bias(%b : tensor<8xf32>) outs(%y : tensor<4x4xf32>) {bias_view = #dnnl.view<[1, 4], strides = [4, 1], offset = 4>} -> tensor<4x4xf32>
  return
}

// -----

// expected-error@+1 {{view must have an offset of at least 0, got -1}}
func.func private @negative_offset() attributes {view = #dnnl.view<[4], strides = [1], offset = -1>}

// -----

// expected-error@+1 {{view must have positive dimensions and strides, got 4 and 0}}
func.func private @zero_stride() attributes {view = #dnnl.view<[4], strides = [0]>}

// -----

func.func @post_operand(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op must have one operand for each of the 1 binary post-ops, got 0}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) post_ops = [#dnnl.post_op<add>] -> tensor<4x4xf32>
  return
}

// -----

func.func @bias(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>, %b: tensor<3xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op bias must have the dimensions of dst [4, 4] or 1 each, got [1, 3]}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) bias(%b : tensor<3xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @results(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op must have one result for each of the 1 destinations, got 0}}
  dnnl.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>)
  return
}

// -----

func.func @double(%a: tensor<4x4xf64>, %y: tensor<4x4xf64>) {
  // expected-error@+1 {{'dnnl.matmul' op operand #0 must be static tensor or memref of f32, bf16 or f16, but got 'tensor<4x4xf64>'}}
  %0 = dnnl.matmul ins(%a, %a : tensor<4x4xf64>, tensor<4x4xf64>) outs(%y : tensor<4x4xf64>) -> tensor<4x4xf64>
  return
}

// -----

func.func @conv(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %y: tensor<2x4x7x7xf32>) {
  // expected-error@+1 {{'dnnl.conv' op the convolution's result must have shape [2, 4, 8, 8], got [2, 4, 7, 7]}}
  %0 = dnnl.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%y : tensor<2x4x7x7xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x7x7xf32>
  return
}

// -----

func.func @norm(%x: tensor<4x8x2x2xf32>, %v: tensor<4xf32>) {
  // expected-error@+1 {{'dnnl.batch_norm' op scale must have shape [8], got [4]}}
  %0:3 = dnnl.batch_norm ins(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<4xf32>, tensor<4xf32>) outs(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<4xf32>, tensor<4xf32>)
      epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<4xf32>, tensor<4xf32>
  return
}

// -----

func.func @conv_input_grad(%w: tensor<4x3x3x3xf32>, %dy: tensor<2x7x8x4xf32>, %x: tensor<2x8x8x3xf32>) -> tensor<2x8x8x3xf32> {
  // expected-error@+1 {{'dnnl.conv_input_grad' op the convolution's result must have shape [2, 8, 8, 4], got [2, 7, 8, 4]}}
  %1 = dnnl.conv_input_grad ins(%dy, %w : tensor<2x7x8x4xf32>, tensor<4x3x3x3xf32>) outs(%x : tensor<2x8x8x3xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x8x8x3xf32>
  return %1 : tensor<2x8x8x3xf32>
}

// -----

func.func @conv_weight_grad(%w: tensor<4x3x3x3xf32>, %dy: tensor<2x7x8x4xf32>, %x: tensor<2x8x8x3xf32>) -> tensor<4x3x3x3xf32> {
  // expected-error@+1 {{'dnnl.conv_weight_grad' op the convolution's result must have shape [2, 8, 8, 4], got [2, 7, 8, 4]}}
  %1 = dnnl.conv_weight_grad ins(%x, %dy : tensor<2x8x8x3xf32>, tensor<2x7x8x4xf32>) outs(%w : tensor<4x3x3x3xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<4x3x3x3xf32>
  return %1 : tensor<4x3x3x3xf32>
}

// -----

func.func @max_pool(%x: tensor<2x3x8x8xf32>, %y: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  // expected-error@+1 {{'dnnl.max_pool' op the pool's result must have shape [2, 3, 4, 4], got [2, 3, 5, 4]}}
  %0 = dnnl.max_pool ins(%x : tensor<2x3x8x8xf32>) outs(%y : tensor<2x3x5x4xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x5x4xf32>
  return %0 : tensor<2x3x5x4xf32>
}

// -----

func.func @max_pool_grad(%x: tensor<2x3x8x8xf32>, %y: tensor<2x3x5x4xf32>, %i: tensor<96xi8>) -> tensor<2x3x8x8xf32> {
  // expected-error@+1 {{'dnnl.max_pool_grad' op the pool's result must have shape [2, 3, 4, 4], got [2, 3, 5, 4]}}
  %0 = dnnl.max_pool_grad ins(%y, %i : tensor<2x3x5x4xf32>, tensor<96xi8>) outs(%x : tensor<2x3x8x8xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}

// -----

func.func @avg_pool(%x: tensor<2x3x8x8xf32>, %y: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  // expected-error@+1 {{'dnnl.avg_pool' op the pool's result must have shape [2, 3, 4, 4], got [2, 4, 4, 4]}}
  %0 = dnnl.avg_pool ins(%x : tensor<2x3x8x8xf32>) outs(%y : tensor<2x4x4x4xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x4x4x4xf32>
  return %0 : tensor<2x4x4x4xf32>
}

// -----

func.func @avg_pool_grad(%x: tensor<2x3x8x8xf32>, %y: tensor<2x3x4x5xf32>) -> tensor<2x3x8x8xf32> {
  // expected-error@+1 {{'dnnl.avg_pool_grad' op the pool's result must have shape [2, 3, 4, 4], got [2, 3, 4, 5]}}
  %0 = dnnl.avg_pool_grad ins(%y : tensor<2x3x4x5xf32>) outs(%x : tensor<2x3x8x8xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}

// -----

func.func @batch_norm_grad(%x: tensor<4x8x2x2xf32>, %v: tensor<8xf32>, %u: tensor<7xf32>) -> tensor<4x8x2x2xf32> {
  // expected-error@+1 {{'dnnl.batch_norm_grad' op variance must have shape [8], got [7]}}
  %1:3 = dnnl.batch_norm_grad ins(%x, %v, %u, %x, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<7xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>) outs(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>) epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>
  return %1#0 : tensor<4x8x2x2xf32>
}

// -----

func.func @bytes(%a: tensor<4x16xf32>, %p: tensor<4096xi8>, %y: tensor<4x64xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op rhs is bytes, so its layout must be given}}
  %0 = dnnl.matmul ins(%a, %p : tensor<4x16xf32>, tensor<4096xi8>) outs(%y : tensor<4x64xf32>) -> tensor<4x64xf32>
  return
}

// -----

func.func @few_bytes(%a: tensor<4x16xf32>, %p: tensor<4000xi8>, %y: tensor<4x64xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op rhs must have the 4096 bytes of its layout, got 'tensor<4000xi8>'}}
  %0 = dnnl.matmul ins(%a, %p : tensor<4x16xf32>, tensor<4000xi8>) outs(%y : tensor<4x64xf32>)
      {rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>} -> tensor<4x64xf32>
  return
}

// -----

func.func @packed_shape(%a: tensor<4x8xf32>, %p: tensor<4096xi8>, %y: tensor<4x64xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op cannot multiply lhs [4, 8] and rhs [16, 64] to dst [4, 64]}}
  %0 = dnnl.matmul ins(%a, %p : tensor<4x8xf32>, tensor<4096xi8>) outs(%y : tensor<4x64xf32>)
      {rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>} -> tensor<4x64xf32>
  return
}

// -----

func.func @packed_view(%a: tensor<4x16xf32>, %p: tensor<4096xi8>, %y: tensor<4x64xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op a packed rhs must be a matrix without a view, got [16, 64] and a view}}
  %0 = dnnl.matmul ins(%a, %p : tensor<4x16xf32>, tensor<4096xi8>) outs(%y : tensor<4x64xf32>)
      {rhs_view = #dnnl.view<[16, 64], strides = [64, 1]>, rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>} -> tensor<4x64xf32>
  return
}

// -----

func.func @bytes_of_a_convolution(%x: tensor<2x16x4x4xf32>, %k: tensor<16x16x1x1xi8>) {
  // expected-error@+1 {{'dnnl.conv' op w is bytes, so its layout must be given}}
  %0 = dnnl.conv ins(%x, %k : tensor<2x16x4x4xf32>, tensor<16x16x1x1xi8>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x16x4x4xf32>
  return
}

// -----

func.func @packed_groups(%x: tensor<2x16x4x4xf32>, %k: tensor<1024xi8>) {
  // expected-error@+1 {{'dnnl.conv' op packed w must be of one group and the rank of the input, got 2 groups}}
  %0 = dnnl.conv ins(%x, %k : tensor<2x16x4x4xf32>, tensor<1024xi8>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] groups = 2
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  return
}

// -----

func.func @stored_size(%x: tensor<2x16x4x4xf32>, %w: tensor<128xf32>) {
  // expected-error@+1 {{'dnnl.conv' op w must have the 256 'f32' of its layout, got 'tensor<128xf32>'}}
  %0 = dnnl.conv ins(%x, %w : tensor<2x16x4x4xf32>, tensor<128xf32>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  return
}

// -----

func.func @stored_type(%x: tensor<2x16x4x4xf32>, %w: tensor<256xbf16>) {
  // expected-error@+1 {{'dnnl.conv' op operands must have one element type, got 'f32' and 'bf16'}}
  %0 = dnnl.conv ins(%x, %w : tensor<2x16x4x4xf32>, tensor<256xbf16>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  return
}

// -----

// Only weights that are read may be stored in f32 beside activations of 16 bits: a gradient of the result may not,
func.func @wide_gradient(%x: tensor<2x16x4x4xbf16>, %dy: tensor<2x16x4x4xf32>, %w: tensor<16x16x1x1xf32>) {
  // expected-error@+1 {{'dnnl.conv_weight_grad' op operands must have one element type, got 'bf16' and 'f32'}}
  %0 = dnnl.conv_weight_grad ins(%x, %dy : tensor<2x16x4x4xbf16>, tensor<2x16x4x4xf32>) outs(%w : tensor<16x16x1x1xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<16x16x1x1xf32>
  return
}

// -----

// nor may weights be of the other 16 bits.
func.func @other_weights(%x: tensor<2x16x4x4xbf16>, %w: tensor<16x16x1x1xf16>) {
  // expected-error@+1 {{'dnnl.conv' op operands must have one element type, got 'bf16' and 'f16'}}
  %0 = dnnl.conv ins(%x, %w : tensor<2x16x4x4xbf16>, tensor<16x16x1x1xf16>) outs(%x : tensor<2x16x4x4xbf16>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x16x4x4xbf16>
  return
}

// -----

func.func @stored_gradient(%x: tensor<2x16x4x4xf32>, %w: tensor<16x16x1x1xf32>) {
  // expected-error@+1 {{'dnnl.conv_weight_grad' op packed w must be of one group and the rank of the input, got 1 groups}}
  %0 = dnnl.conv_weight_grad ins(%x, %x : tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) outs(%w : tensor<16x16x1x1xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1, 1], strides = [256, 256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<16x16x1x1xf32>
  return
}

// -----

func.func @reorder_layout_and_view(%w: tensor<1024xf32>, %d: tensor<4096xi8>) {
  // expected-error@+1 {{'dnnl.reorder' op src must have a layout or a view, got both}}
  %0 = dnnl.reorder ins(%w : tensor<1024xf32>) outs(%d : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>
      {src_view = #dnnl.view<[16, 64], strides = [64, 1]>, src_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [64, 16] of [1, 0]>} -> tensor<4096xi8>
  return
}

// -----

func.func @reorder_stored_size(%w: tensor<512xf32>, %d: tensor<4096xi8>) {
  // expected-error@+1 {{'dnnl.reorder' op src must have the 1024 'f32' of its layout, got 'tensor<512xf32>'}}
  %0 = dnnl.reorder ins(%w : tensor<512xf32>) outs(%d : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>
      {src_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [64, 16] of [1, 0]>} -> tensor<4096xi8>
  return
}

// -----

func.func @reorder_stored_bytes(%w: tensor<1024xi8>, %d: tensor<4096xi8>) {
  // expected-error@+1 {{'dnnl.reorder' op operand #0 must be static tensor or memref of f32, bf16 or f16, but got 'tensor<1024xi8>'}}
  %0 = dnnl.reorder ins(%w : tensor<1024xi8>) outs(%d : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>
      {src_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [64, 16] of [1, 0]>} -> tensor<4096xi8>
  return
}

// -----

func.func @packed_elements(%a: tensor<2x4x16xf32>, %w: tensor<1024xf32>, %y: tensor<2x4x64xf32>) {
  // expected-error@+1 {{'dnnl.matmul' op rhs must have the 4096 bytes of its layout, got 'tensor<1024xf32>'}}
  %0 = dnnl.matmul ins(%a, %w : tensor<2x4x16xf32>, tensor<1024xf32>) outs(%y : tensor<2x4x64xf32>)
      {rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>} -> tensor<2x4x64xf32>
  return
}

// -----

func.func @reorder_shape(%w: tensor<64x16xf32>, %d: tensor<4096xi8>) {
  // expected-error@+1 {{'dnnl.reorder' op layout must have the dimensions of src [64, 16], got [16, 64]}}
  %0 = dnnl.reorder ins(%w : tensor<64x16xf32>) outs(%d : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]> -> tensor<4096xi8>
  return
}

// -----

// expected-error@+1 {{blocked layout cuts dimension 2 of 2}}
func.func private @no_dim() attributes {layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [64] of [2]>}

// -----

// expected-error@+1 {{blocked layout must have positive dimensions, strides and blocks, got [0]}}
func.func private @no_block() attributes {layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [0] of [1]>}

// -----

// expected-error@+1 {{blocked layout must have a stride for each dimension and a dimension for each block, got 2 dimensions, 1 strides, 1 blocks of 1 dimensions}}
func.func private @strides() attributes {layout = #dnnl.blocked<[16, 64], strides = [1024], blocks = [64] of [1]>}
