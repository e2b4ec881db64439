// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @cross_entropy(%x: tensor<4x8xf32>, %l: tensor<5xi64>) {
  // expected-error @+2 {{'raf.cross_entropy' op expects logits [n, c] with c > 0 and labels [n], got 'tensor<4x8xf32>' and 'tensor<5xi64>'}}
  // expected-error @+1 {{'raf.cross_entropy' op failed to infer returned types}}
  %loss, %lse = raf.cross_entropy %x, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x8xf32>, tensor<5xi64> -> tensor<f32>, tensor<4xf32>
  return
}

// -----

func.func @cross_entropy_2(%x: tensor<4x8xf32>, %l: tensor<4xi64>) {
  // expected-error @+2 {{'raf.cross_entropy' op label_smoothing must be in [0, 1]}}
  // expected-error @+1 {{'raf.cross_entropy' op failed to infer returned types}}
  %loss, %lse = raf.cross_entropy %x, %l ignore_index = -100 label_smoothing = 1.5 : tensor<4x8xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return
}

// -----

func.func @cross_entropy_grad(%d: tensor<4xf32>, %x: tensor<4x8xf32>, %l: tensor<4xi64>, %s: tensor<4xf32>) {
  // expected-error @+2 {{'raf.cross_entropy_grad' op expects dloss of type 'tensor<f32>' and lse of type 'tensor<4xf32>', got 'tensor<4xf32>' and 'tensor<4xf32>'}}
  // expected-error @+1 {{'raf.cross_entropy_grad' op failed to infer returned types}}
  %dx = raf.cross_entropy_grad %d, %x, %l, %s ignore_index = -100 label_smoothing = 0.0 : tensor<4xf32>, tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @linear_cross_entropy(%x: tensor<4x8xf32>, %w: tensor<16x8xf32>, %l: tensor<4xi64>) {
  // expected-error @+2 {{'raf.linear_cross_entropy' op expects x [n, d] and w [d, c] of one element type, got 'tensor<4x8xf32>' and 'tensor<16x8xf32>'}}
  // expected-error @+1 {{'raf.linear_cross_entropy' op failed to infer returned types}}
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l ignore_index = -100 label_smoothing = 0.0 : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func @linear_cross_entropy_2(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %l: tensor<4xi64>, %b: tensor<8xf32>) {
  // expected-error @+2 {{'raf.linear_cross_entropy' op expects a bias of type 'tensor<16xf32>', got 'tensor<8xf32>'}}
  // expected-error @+1 {{'raf.linear_cross_entropy' op failed to infer returned types}}
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l bias %b ignore_index = -100 label_smoothing = 0.0 : (tensor<4x8xf32>, tensor<8x16xf32>, tensor<4xi64>, tensor<8xf32>) -> (tensor<f32>, tensor<4xf32>)
  return
}

// -----

func.func @linear_cross_entropy_grad(%d: tensor<bf16>, %x: tensor<4x8xbf16>, %w: tensor<8x16xbf16>, %l: tensor<4xi64>) {
  // expected-error @+2 {{'raf.linear_cross_entropy_grad' op expects dloss of type 'tensor<f32>', got 'tensor<bf16>'}}
  // expected-error @+1 {{'raf.linear_cross_entropy_grad' op failed to infer returned types}}
  %loss, %lse, %dx, %dw = raf.linear_cross_entropy_grad %d, %x, %w, %l ignore_index = -100 label_smoothing = 0.0 : (tensor<bf16>, tensor<4x8xbf16>, tensor<8x16xbf16>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>, tensor<4x8xbf16>, tensor<8x16xbf16>)
  return
}
