// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --canonicalize --cse --split-input-file | FileCheck %s

// Plain: nothing is decayed, and there is no velocity.
// CHECK-LABEL: func.func @sgd
// CHECK: %[[LR:.*]] = raf.broadcast %arg2 dims = [] : tensor<f32> to tensor<4xf32>
// CHECK-NEXT: %[[D:.*]] = raf.mul %[[LR]], %arg1
// CHECK-NEXT: %[[P:.*]] = raf.sub %arg0, %[[D]]
// CHECK-NEXT: return %[[P]]
func.func @sgd(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>) -> tensor<4xf32> {
  %n = raf.sgd_update %p, %g, %lr momentum = 0.0 weight_decay = 0.0 : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %n : tensor<4xf32>
}

// -----

// The decayed gradient goes into the velocity; with nesterov the step is of the gradient and the new velocity.
// CHECK-LABEL: func.func @nesterov
// CHECK-SAME: (%[[P:.*]]: tensor<4xf32>, %[[G:.*]]: tensor<4xf32>, %[[LR:.*]]: tensor<f32>, %[[V:.*]]: tensor<4xf32>)
// CHECK-DAG: %[[DECAY:.*]] = raf.constant dense<1.000000e-01>
// CHECK-DAG: %[[MOMENTUM:.*]] = raf.constant dense<{{(9.000000e-01|0.899999976)}}>
// CHECK: %[[DECAYED:.*]] = raf.mul %[[P]], %[[DECAY]]
// CHECK: %[[GRAD:.*]] = raf.add %[[G]], %[[DECAYED]]
// CHECK: %[[OLD:.*]] = raf.mul %[[V]], %[[MOMENTUM]]
// CHECK: %[[NEW:.*]] = raf.add %[[OLD]], %[[GRAD]]
// CHECK: %[[AHEAD:.*]] = raf.mul %[[NEW]], %[[MOMENTUM]]
// CHECK: %[[STEP:.*]] = raf.add %[[GRAD]], %[[AHEAD]]
// CHECK: %[[D:.*]] = raf.mul %{{.*}}, %[[STEP]]
// CHECK: %[[NEXT:.*]] = raf.sub %[[P]], %[[D]]
// CHECK: return %[[NEXT]], %[[NEW]]
func.func @nesterov(%p: tensor<4xf32>, %g: tensor<4xf32>, %lr: tensor<f32>, %v: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %n:2 = raf.sgd_update %p, %g, %lr, %v momentum = 0.9 weight_decay = 0.1 nesterov : (tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  return %n#0, %n#1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Two parameters of one step: corrections are numbers of f64, computed once; decay that is decoupled multiplies the parameter and leaves the gradient alone.
// CHECK-LABEL: func.func @adamw
// CHECK: %[[T:.*]] = raf.cast %{{.*}} : tensor<i64> to tensor<f64>
// CHECK-COUNT-2: raf.pow %{{.*}} : tensor<f64>
// CHECK-NOT: raf.pow
// CHECK: %[[M:.*]] = raf.add %{{.*}} : tensor<4xf32>
// CHECK: raf.mul %arg1, %arg1 : tensor<4xf32>
// CHECK: raf.sqrt %{{.*}} : tensor<4xf32>
// CHECK: raf.mul %arg0, %{{.*}} : tensor<4xf32>
// CHECK-NOT: raf.pow
// CHECK: return
func.func @adamw(%p: tensor<4xf32>, %g: tensor<4xf32>, %q: tensor<8xf32>, %h: tensor<8xf32>, %lr: tensor<f32>, %s: tensor<i64>, %m: tensor<4xf32>, %k: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %n:3 = raf.adam_update %p, %g, %m, %m, %lr, %s beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.1 decoupled : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %o:3 = raf.adam_update %q, %h, %k, %k, %lr, %s beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.1 decoupled : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<f32>, tensor<i64>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %n#0, %o#0 : tensor<4xf32>, tensor<8xf32>
}

// -----

// Otherwise it is part of the gradient, and of both moments.
// CHECK-LABEL: func.func @adam
// CHECK: %[[DECAYED:.*]] = raf.mul %arg0, %{{.*}} : tensor<4xf32>
// CHECK: %[[GRAD:.*]] = raf.add %arg1, %[[DECAYED]]
// CHECK: raf.mul %[[GRAD]], %[[GRAD]]
// CHECK: raf.sub %arg0, %{{.*}} : tensor<4xf32>
func.func @adam(%p: tensor<4xf32>, %g: tensor<4xf32>, %m: tensor<4xf32>, %lr: tensor<f32>, %s: tensor<i64>) -> tensor<4xf32> {
  %n:3 = raf.adam_update %p, %g, %m, %m, %lr, %s beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.1 : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<f32>, tensor<i64>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  return %n#0 : tensor<4xf32>
}
