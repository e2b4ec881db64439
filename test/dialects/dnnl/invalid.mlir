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
