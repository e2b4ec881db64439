// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @matmul(%a: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.matmul' op contracted dimensions must have the same size, got 'tensor<4x8xf32>' and 'tensor<4x8xf32>'}}
  // expected-error @+1 {{'raf.matmul' op failed to infer returned types}}
  %y = raf.matmul %a, %a : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @matmul_2(%a: tensor<8xf32>) {
  // expected-error @+2 {{'raf.matmul' op operands must have one rank of at least 2, got 'tensor<8xf32>' and 'tensor<8xf32>'}}
  // expected-error @+1 {{'raf.matmul' op failed to infer returned types}}
  %y = raf.matmul %a, %a : tensor<8xf32>, tensor<8xf32> -> tensor<f32>
  return
}

// -----

func.func @matmul_3(%a: tensor<2x4x8xf32>, %b: tensor<3x8x4xf32>) {
  // expected-error @+2 {{'raf.matmul' op operands must have the same batch dimensions, got 'tensor<2x4x8xf32>' and 'tensor<3x8x4xf32>'}}
  // expected-error @+1 {{'raf.matmul' op failed to infer returned types}}
  %y = raf.matmul %a, %b : tensor<2x4x8xf32>, tensor<3x8x4xf32> -> tensor<2x4x4xf32>
  return
}

// -----

func.func @attention(%q: tensor<2x4x8xf32>) {
  // expected-error @+2 {{'raf.attention' op q, k and v must have rank 4 and one element type, got 'tensor<2x4x8xf32>', 'tensor<2x4x8xf32>' and 'tensor<2x4x8xf32>'}}
  // expected-error @+1 {{'raf.attention' op failed to infer returned types}}
  %y, %lse = raf.attention %q, %q, %q scale = 1.0 : (tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8xf32>, tensor<2x4xf32>)
  return
}

// -----

func.func @attention_2(%q: tensor<2x4x8x16xf32>, %k: tensor<2x3x8x16xf32>) {
  // expected-error @+2 {{'raf.attention' op expects q [b, h, t, d], k [b, g, s, d], v [b, g, s, e] with h a multiple of g, got 'tensor<2x4x8x16xf32>', 'tensor<2x3x8x16xf32>' and 'tensor<2x3x8x16xf32>'}}
  // expected-error @+1 {{'raf.attention' op failed to infer returned types}}
  %y, %lse = raf.attention %q, %k, %k scale = 1.0 : (tensor<2x4x8x16xf32>, tensor<2x3x8x16xf32>, tensor<2x3x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_3(%q: tensor<2x4x8x16xf32>, %b: tensor<2x4x8x9xf32>) {
  // expected-error @+2 {{'raf.attention' op bias must be [1|b, 1|h, 1|t, s] of the same element type, got 'tensor<2x4x8x9xf32>'}}
  // expected-error @+1 {{'raf.attention' op failed to infer returned types}}
  %y, %lse = raf.attention %q, %q, %q bias %b scale = 1.0 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x9xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_4(%q: tensor<2x4x8x16xf32>, %n: tensor<i64>) {
  // expected-error @+2 {{'raf.attention' op ratio must be in [0, 1), got 1.000000e+00}}
  // expected-error @+1 {{'raf.attention' op failed to infer returned types}}
  %y, %lse = raf.attention %q, %q, %q dropout(%n, %n) ratio = 1.0 op_id = 3 scale = 1.0 : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<i64>, tensor<i64>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_5(%q: tensor<2x4x8x16xf32>) {
  // expected-error @+2 {{'raf.attention' op needs a seed and a step to drop weights}}
  // expected-error @+1 {{'raf.attention' op failed to infer returned types}}
  %y, %lse = raf.attention %q, %q, %q scale = 1.0 {ratio = 0.5} : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return
}

// -----

func.func @attention_grad(%q: tensor<2x4x8x16xbf16>, %s: tensor<2x4x8xbf16>) {
  // expected-error @+2 {{'raf.attention_grad' op expects dy of type 'tensor<2x4x8x16xbf16>' and lse and delta of type 'tensor<2x4x8xf32>', got 'tensor<2x4x8x16xbf16>', 'tensor<2x4x8xbf16>' and 'tensor<2x4x8xbf16>'}}
  // expected-error @+1 {{'raf.attention_grad' op failed to infer returned types}}
  %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %q, %s, %s scale = 1.0 : (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xbf16>, tensor<2x4x8xbf16>) -> (tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>)
  return
}

// -----

func.func @attention_grad_2(%q: tensor<2x4x8x16xf32>, %s: tensor<2x4x8xf32>) {
  // expected-error @+2 {{'raf.attention_grad' op has bias_grad but no bias with a row for each query}}
  // expected-error @+1 {{'raf.attention_grad' op failed to infer returned types}}
  %dq, %dk, %dv = raf.attention_grad %q, %q, %q, %q, %s, %s scale = 1.0 bias_grad : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>)
  return
}

// -----

func.func @attention_grad_3(%q: tensor<2x4x8x16xf32>, %s: tensor<2x4x8xf32>, %b: tensor<2x1x1x8xf32>) {
  // expected-error @+2 {{'raf.attention_grad' op has bias_grad but no bias with a row for each query}}
  // expected-error @+1 {{'raf.attention_grad' op failed to infer returned types}}
  %dq, %dk, %dv, %db = raf.attention_grad %q, %q, %q, %q, %s, %s bias %b scale = 1.0 bias_grad : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8xf32>, tensor<2x4x8xf32>, tensor<2x1x1x8xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x1x1x8xf32>)
  return
}

// -----

// The result may be wider than 16-bit operands, never narrower.
func.func @matmul_narrowed(%a: tensor<4x8xf32>, %b: tensor<8x2xf32>) {
  // expected-error @+2 {{'raf.matmul' op inferred type(s) 'tensor<4x2xf32>' are incompatible with return type(s) of operation 'tensor<4x2xbf16>'}}
  // expected-error @+1 {{'raf.matmul' op failed to infer returned types}}
  %y = raf.matmul %a, %b : tensor<4x8xf32>, tensor<8x2xf32> -> tensor<4x2xbf16>
  return
}
