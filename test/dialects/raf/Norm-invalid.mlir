// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @softmax(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.softmax' op axis must be in [0, 2), got 2}}
  %y = raf.softmax %x axis = 2 : tensor<4x8xf32>
  return
}

// -----

func.func @log_softmax(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.log_softmax' op axis must be in [0, 2), got 2}}
  %y = raf.log_softmax %x axis = 2 : tensor<4x8xf32>
  return
}

// -----

func.func @layer_norm(%x: tensor<4x8xf32>, %s: tensor<7xf32>) {
  // expected-error @+2 {{'raf.layer_norm' op scale must have type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  // expected-error @+1 {{'raf.layer_norm' op failed to infer returned types}}
  %y, %m, %r = raf.layer_norm %x, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<7xf32>, tensor<7xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @layer_norm_2(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+2 {{'raf.layer_norm' op axis must be in [0, 2), got 3}}
  // expected-error @+1 {{'raf.layer_norm' op failed to infer returned types}}
  %y, %m, %r = raf.layer_norm %x, %s, %s axis = 3 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @rms_norm(%x: tensor<4x8xf32>, %s: tensor<7xf32>) {
  // expected-error @+2 {{'raf.rms_norm' op scale must have type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  // expected-error @+1 {{'raf.rms_norm' op failed to infer returned types}}
  %y, %r = raf.rms_norm %x, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<7xf32>) -> (tensor<4x8xf32>, tensor<4x1xf32>)
  return
}

// -----

func.func @batch_norm(%x: tensor<4x8xf32>, %s: tensor<8xf32>, %b: tensor<7xf32>) {
  // expected-error @+2 {{'raf.batch_norm' op bias must have type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  // expected-error @+1 {{'raf.batch_norm' op failed to infer returned types}}
  %y, %nm, %nv, %m, %r = raf.batch_norm %x, %s, %b, %s, %s axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8xf32>, tensor<8xf32>, tensor<7xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @batch_norm_2(%x: tensor<4x8xf32>, %s: tensor<8xf32>) {
  // expected-error @+2 {{'raf.batch_norm' op axis must be in [0, 2), got 5}}
  // expected-error @+1 {{'raf.batch_norm' op failed to infer returned types}}
  %y, %nm, %nv, %m, %r = raf.batch_norm %x, %s, %s, %s, %s axis = 5 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @batch_norm_grad(%x: tensor<4x8xf32>, %s: tensor<8xf32>, %b: tensor<7xf32>) {
  // expected-error @+2 {{'raf.batch_norm_grad' op mean must have type 'tensor<8xf32>', got 'tensor<7xf32>'}}
  // expected-error @+1 {{'raf.batch_norm_grad' op failed to infer returned types}}
  %dx, %ds, %db = raf.batch_norm_grad %x, %x, %s, %b, %s axis = 1 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<7xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// Beside a 16-bit x, scale and bias are both f32 or both of x's type.
func.func @layer_norm_mixed(%x: tensor<4x8xbf16>, %s: tensor<8xf32>, %b: tensor<8xbf16>) {
  %y:3 = raf.layer_norm %x, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  // expected-error @+2 {{'raf.layer_norm' op bias must have type 'tensor<8xf32>', got 'tensor<8xbf16>'}}
  // expected-error @+1 {{'raf.layer_norm' op failed to infer returned types}}
  %z:3 = raf.layer_norm %x, %s, %b axis = 1 epsilon = 1.0e-5 : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xbf16>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  return
}
