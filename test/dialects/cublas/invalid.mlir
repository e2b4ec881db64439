// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @shapes(%a: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op cannot multiply lhs [4, 8] and rhs [4, 8] to dst [4, 4]}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @types(%a: tensor<4x4xf32>, %b: tensor<4x4xbf16>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op lhs and rhs must have one element type, or both 8 bits, got 'f32' and 'bf16'}}
  %0 = cublas.matmul ins(%a, %b : tensor<4x4xf32>, tensor<4x4xbf16>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @view(%a: tensor<4x8xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op rhs view reaches element 34 of a tensor with 32 elements}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x8xf32>, tensor<4x8xf32>) outs(%y : tensor<4x4xf32>) {rhs_view = #cublas.view<[8, 4], strides = [1, 9]>} -> tensor<4x4xf32>
  return
}

// -----

func.func @bias(%a: tensor<4x4xf32>, %v: tensor<1x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op bias must have shape [4], got [1, 4]}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) bias(%v : tensor<1x4xf32>) outs(%y : tensor<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @keep_without_activation(%a: tensor<4x4xf32>, %k: tensor<64xi8>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op keep and kept belong to an activation}}
  %0:2 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) keep(%k : tensor<64xi8>) -> tensor<4x4xf32>, tensor<64xi8>
  return
}

// -----

func.func @keep_bytes(%a: tensor<4x4xf32>, %k: tensor<65xi8>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op keep must have 64 bytes, got 65}}
  %0:2 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) keep(%k : tensor<65xi8>) activation = relu -> tensor<4x4xf32>, tensor<65xi8>
  return
}

// -----

func.func @gradient_accumulates(%a: tensor<4x4xf32>, %k: tensor<64xi8>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op that is the gradient of an activation has no bias and accumulates nothing}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) kept(%k : tensor<64xi8>) outs(%y : tensor<4x4xf32>) activation = relu {accumulate} -> tensor<4x4xf32>
  return
}

// -----

func.func @bias_gradient_without_buffer(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op bias_grad and bias_gradient go together}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) bias_gradient = of_rhs -> tensor<4x4xf32>
  return
}

// -----

func.func @bias_gradient_of_result(%a: tensor<4x4xf32>, %s: tensor<4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op bias_gradient = of_result goes with kept, of_lhs and of_rhs go with no activation}}
  %0:2 = cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>) bias_grad(%s : tensor<4xf32>) bias_gradient = of_result -> tensor<4x4xf32>, tensor<4xf32>
  return
}

// -----

func.func @results(%a: tensor<4x4xf32>, %y: tensor<4x4xf32>) {
  // expected-error@+1 {{'cublas.matmul' op must have one result for each of the 1 destinations, got 0}}
  cublas.matmul ins(%a, %a : tensor<4x4xf32>, tensor<4x4xf32>) outs(%y : tensor<4x4xf32>)
  return
}

// -----

func.func @eight_bits_with_sixteen(%a: tensor<4x16xf8E4M3FN>, %b: tensor<16x16xbf16>, %y: tensor<4x16xbf16>) {
  // expected-error@+1 {{'cublas.matmul' op lhs and rhs must have one element type, or both 8 bits, got 'f8E4M3FN' and 'bf16'}}
  %0 = cublas.matmul ins(%a, %b : tensor<4x16xf8E4M3FN>, tensor<16x16xbf16>) outs(%y : tensor<4x16xbf16>) -> tensor<4x16xbf16>
  return
}

// -----

func.func @scale_of_sixteen_bits(%a: tensor<4x4xbf16>, %s: tensor<f32>, %y: tensor<4x4xbf16>) {
  // expected-error@+1 {{'cublas.matmul' op rhs_scale belongs to operands of 8 bits, got 'bf16'}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x4xbf16>, tensor<4x4xbf16>) rhs_scale(%s : tensor<f32>) outs(%y : tensor<4x4xbf16>) -> tensor<4x4xbf16>
  return
}

// -----

func.func @many_scales(%a: tensor<16x16xf8E4M3FN>, %s: tensor<16xf32>, %y: tensor<16x16xbf16>) {
  // expected-error@+1 {{'cublas.matmul' op lhs_scale must be one number, got 16}}
  %0 = cublas.matmul ins(%a, %a : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>) lhs_scale(%s : tensor<16xf32>) outs(%y : tensor<16x16xbf16>) -> tensor<16x16xbf16>
  return
}

// -----

func.func @result_of_eight_bits(%a: tensor<16x16xf8E4M3FN>) {
  // expected-error@+1 {{must be static tensor or memref of f32, f64, bf16 or f16, but got 'tensor<16x16xf8E4M3FN>'}}
  %0 = cublas.matmul ins(%a, %a : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN>) outs(%a : tensor<16x16xf8E4M3FN>) -> tensor<16x16xf8E4M3FN>
  return
}

// -----

func.func @element_without_a_number(%a: tensor<4x4xi32>) {
  // expected-error@+1 {{'cublas.matmul' op operand #0 must be static tensor or memref of f32, f64, bf16, f16, f8E4M3FN or f8E5M2, but got 'tensor<4x4xi32>'}}
  %0 = cublas.matmul ins(%a, %a : tensor<4x4xi32>, tensor<4x4xi32>) outs(%a : tensor<4x4xi32>) -> tensor<4x4xi32>
  return
}
