// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -split-input-file | FileCheck %s

// The gradient of relu under a max_pool is cut, and summed, before it is scattered.
// CHECK-LABEL: func @relu_pool
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x3x4x4xf32>
// CHECK: %[[Y:.+]], %[[I:.+]] = raf.max_pool
// CHECK: %[[MASK:.+]] = raf.compare gt %[[Y]], {{.+}} : tensor<2x3x4x4xf32> -> tensor<2x3x4x4xi1>
// CHECK: %[[CUT:.+]] = raf.select %[[MASK]], %[[DY]], {{.+}} : tensor<2x3x4x4xf32>
// CHECK: %[[DX:.+]] = raf.max_pool_grad %[[CUT]], %[[I]]
// CHECK: %[[DB:.+]] = raf.reduce sum %[[CUT]] dims = [0, 2, 3] : tensor<2x3x4x4xf32> -> tensor<3xf32>
// CHECK: return %[[DX]], %[[DB]]
func.func @relu_pool(%x: tensor<2x3x8x8xf32>, %dy: tensor<2x3x4x4xf32>) -> (tensor<2x3x8x8xf32>, tensor<3xf32>) {
  %zero = raf.constant dense<0.0> : tensor<2x3x8x8xf32>
  %h = raf.relu %x : tensor<2x3x8x8xf32>
  %y, %i = raf.max_pool %h kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dh = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> tensor<2x3x8x8xf32>
  %mask = raf.compare gt %h, %zero : tensor<2x3x8x8xf32> -> tensor<2x3x8x8xi1>
  %dx = raf.select %mask, %dh, %zero : tensor<2x3x8x8xf32>
  %db = raf.reduce sum %dx dims = [0, 2, 3] : tensor<2x3x8x8xf32> -> tensor<3xf32>
  return %dx, %db : tensor<2x3x8x8xf32>, tensor<3xf32>
}

// -----

// A mask of something else, a sum over rows only, and a relu that belongs to a normalization stay.
// CHECK-LABEL: func @others
// CHECK: raf.select {{.+}} : tensor<2x3x8x8xf32>
// CHECK: raf.reduce sum {{.+}} dims = [3] : tensor<2x3x8x8xf32>
// CHECK: raf.select {{.+}} : tensor<2x3x8x8xf32>
func.func @others(%x: tensor<2x3x8x8xf32>, %s: tensor<3xf32>, %dy: tensor<2x3x4x4xf32>) -> (tensor<2x3x8x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8x8xf32>) {
  %zero = raf.constant dense<0.0> : tensor<2x3x8x8xf32>
  %h = raf.relu %x : tensor<2x3x8x8xf32>
  %y, %i = raf.max_pool %h kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dh = raf.max_pool_grad %dy, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> tensor<2x3x8x8xf32>
  %mask = raf.compare gt %x, %zero : tensor<2x3x8x8xf32> -> tensor<2x3x8x8xi1>
  %dx = raf.select %mask, %dh, %zero : tensor<2x3x8x8xf32>
  %rows = raf.reduce sum %dh dims = [3] : tensor<2x3x8x8xf32> -> tensor<2x3x8xf32>
  %n, %mean, %rstd, %rm, %rv = raf.batch_norm %x, %s, %s, %s, %s axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<2x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x8x8xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %r = raf.relu %n : tensor<2x3x8x8xf32>
  %z, %j = raf.max_pool %r kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf32>) -> (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>)
  %dr = raf.max_pool_grad %dy, %j kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x4x4xf32>, tensor<2x3x4x4xi32>) -> tensor<2x3x8x8xf32>
  %bn_mask = raf.compare gt %r, %zero : tensor<2x3x8x8xf32> -> tensor<2x3x8x8xi1>
  %dn = raf.select %bn_mask, %dr, %zero : tensor<2x3x8x8xf32>
  return %dx, %rows, %dn : tensor<2x3x8x8xf32>, tensor<2x3x8xf32>, tensor<2x3x8x8xf32>
}
