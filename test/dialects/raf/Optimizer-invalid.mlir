// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @sgd_update(%p: tensor<4xf32>, %g: tensor<5xf32>, %lr: tensor<f32>) {
  // expected-error @+2 {{'raf.sgd_update' op gradient and states must have the parameter's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  // expected-error @+1 {{'raf.sgd_update' op failed to infer returned types}}
  %n = raf.sgd_update %p, %g, %lr momentum = 0.0 weight_decay = 0.0 : (tensor<4xf32>, tensor<5xf32>, tensor<f32>) -> tensor<4xf32>
  return
}

// -----

func.func @adam_update(%p: tensor<4xf32>, %m: tensor<5xf32>, %lr: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+2 {{'raf.adam_update' op gradient and states must have the parameter's type 'tensor<4xf32>', got 'tensor<5xf32>'}}
  // expected-error @+1 {{'raf.adam_update' op failed to infer returned types}}
  %n, %a, %b = raf.adam_update %p, %p, %m, %p, %lr, %s beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.0 : (tensor<4xf32>, tensor<4xf32>, tensor<5xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return
}
