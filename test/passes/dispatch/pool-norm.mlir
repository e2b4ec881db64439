// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -split-input-file | FileCheck %s

// A pool and its gradient go together.
// CHECK-LABEL: func @max_pool
// CHECK: %[[Y:[0-9]+]]:{{.*}} = dnnl.max_pool {{.*}} indices(%{{.*}} : tensor<{{[0-9]+}}xi8>)
// CHECK: dnnl.max_pool_grad ins(%{{.*}}, %[[Y]]#1 : tensor<2x3x4x4xf32>, tensor<{{[0-9]+}}xi8>)
// CHECK-NOT: raf.max_pool
func.func @max_pool(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x3x4x4xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x8x8xf32>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dx = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> (tensor<2x3x8x8xf32>)
  return %y, %dx : tensor<2x3x4x4xf32>, tensor<2x3x8x8xf32>
}

// -----

// CHECK-LABEL: func @forward_only
// CHECK: dnnl.max_pool ins
// CHECK-NOT: indices
func.func @forward_only(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x4x4xf32> {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  return %y : tensor<2x3x4x4xf32>
}

// -----

// The library's indices mean nothing to others.
// CHECK-LABEL: func @indices_used
// CHECK: raf.max_pool
// CHECK-NOT: dnnl
func.func @indices_used(%x: tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  return %y, %i : tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>
}

// -----

// CHECK-LABEL: func @avg_pool
// CHECK: dnnl.avg_pool ins(
// CHECK: dnnl.avg_pool_grad ins({{.*}} {count_include_pad}
func.func @avg_pool(%x: tensor<2x3x8x8xf32>) -> tensor<2x3x8x8xf32> {
  %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x5x5xf32>)
  %dx = raf.avg_pool_grad %y count_include_pad kernel = [2, 2] strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x5x5xf32>) -> (tensor<2x3x8x8xf32>)
  return %dx : tensor<2x3x8x8xf32>
}

// -----

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
