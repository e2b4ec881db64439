// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -split-input-file | FileCheck %s

// The gradient takes the variance from the forward op instead of rstd, which then is computed only for others.
// CHECK-LABEL: func @batch_norm
// CHECK: %[[Y:[0-9]+]]:{{[34]}} = dnnl.batch_norm ins({{.*}} epsilon = 1.000000e-05
// CHECK: raf.mul
// CHECK: raf.mul %[[Y]]#1
// CHECK: raf.add
// CHECK-NOT: raf.rsqrt
// CHECK: dnnl.batch_norm_grad ins(%{{.*}}, %[[Y]]#1, %[[Y]]#2, %[[Y]]#0,
// CHECK-NOT: raf.
func.func @batch_norm(%x: tensor<4x8x2x2xf32>, %s: tensor<8xf32>, %rm: tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>) {
  %y, %nm, %nv, %mean, %rstd = raf.batch_norm %x, %s, %s, %rm, %rm axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %dx, %ds, %db = raf.batch_norm_grad %y, %x, %s, %mean, %rstd axis = 1 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>)
  return %dx, %nm : tensor<4x8x2x2xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func @middle_axis
// CHECK: raf.batch_norm
// CHECK-NOT: dnnl
func.func @middle_axis(%x: tensor<4x2x8x2xf32>, %s: tensor<8xf32>) -> tensor<4x2x8x2xf32> {
  %y, %nm, %nv, %mean, %rstd = raf.batch_norm %x, %s, %s, %s, %s axis = 2 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x2x8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x2x8x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %y : tensor<4x2x8x2xf32>
}

// -----

// A relu goes with the normalization when every gradient passes through it.
// CHECK-LABEL: func @relu
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8x2x2xf32>, %[[S:[a-z0-9]+]]: tensor<8xf32>, %[[G:[a-z0-9]+]]: tensor<4x8x2x2xf32>
// CHECK: %[[Y:[0-9]+]]:{{[45]}} = dnnl.batch_norm {{.*}} mask(%{{.*}} : tensor<{{[0-9]+}}xi8>)
// CHECK: dnnl.batch_norm_grad ins(%[[X]], %[[Y]]#1, %[[Y]]#2, %[[G]], %[[S]] : {{.*}} mask(%[[Y]]#3 :
// CHECK-NOT: raf.
// CHECK: return %[[Y]]#0
func.func @relu(%x: tensor<4x8x2x2xf32>, %s: tensor<8xf32>, %g: tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) {
  %zero = raf.constant dense<0.0> : tensor<4x8x2x2xf32>
  %y, %nm, %nv, %mean, %rstd = raf.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %r = raf.relu %y : tensor<4x8x2x2xf32>
  %p = raf.compare gt %r, %zero : tensor<4x8x2x2xf32> -> tensor<4x8x2x2xi1>
  %dy = raf.select %p, %g, %zero : tensor<4x8x2x2xf32>
  %dx, %ds, %db = raf.batch_norm_grad %dy, %x, %s, %mean, %rstd axis = 1 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r, %dx : tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>
}

// -----

// Here a gradient does not.
// CHECK-LABEL: func @relu_apart
// CHECK: dnnl.batch_norm
// CHECK-NOT: mask
// CHECK: raf.relu
func.func @relu_apart(%x: tensor<4x8x2x2xf32>, %s: tensor<8xf32>, %g: tensor<4x8x2x2xf32>) -> (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) {
  %y, %nm, %nv, %mean, %rstd = raf.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %r = raf.relu %y : tensor<4x8x2x2xf32>
  %dx, %ds, %db = raf.batch_norm_grad %g, %x, %s, %mean, %rstd axis = 1 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>)
  return %r, %dx : tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>
}
