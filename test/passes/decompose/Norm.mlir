// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --canonicalize --cse --split-input-file | FileCheck %s

// Statistics are means over the rows' dimensions, in f32 where the data is of 16 bits; what is centred is squared.
// CHECK-LABEL: func.func @layer_norm
// CHECK-SAME: (%[[X:.*]]: tensor<4x8xbf16>, %[[S:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>)
// CHECK: %[[WIDE:.*]] = raf.cast %[[X]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: %[[SUM:.*]] = raf.reduce sum %[[WIDE]] dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: %[[MEAN:.*]] = raf.{{mul|div}} %[[SUM]], %{{.*}} : tensor<4xf32>
// CHECK: %[[CENTRED:.*]] = raf.sub %[[WIDE]], %{{.*}} : tensor<4x8xf32>
// CHECK: %[[SQUARE:.*]] = raf.mul %[[CENTRED]], %[[CENTRED]]
// CHECK: raf.reduce sum %[[SQUARE]] dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK: %[[RSTD:.*]] = raf.rsqrt %{{.*}} : tensor<4xf32>
// CHECK: %[[Y:.*]] = raf.cast %{{.*}} : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK: return %[[Y]], %[[MEAN]], %[[RSTD]]
func.func @layer_norm(%x: tensor<4x8xbf16>, %s: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>) {
  %y:3 = raf.layer_norm %x, %s, %b axis = 1 epsilon = 1.0e-5 : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>)
  return %y#0, %y#1, %y#2 : tensor<4x8xbf16>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Nothing is subtracted.
// CHECK-LABEL: func.func @rms_norm
// CHECK-NOT: raf.sub
// CHECK: %[[SQUARE:.*]] = raf.mul %arg0, %arg0
// CHECK: raf.reduce sum %[[SQUARE]] dims = [1, 2] : tensor<4x2x8xf32> -> tensor<4xf32>
// CHECK: %[[RSTD:.*]] = raf.rsqrt
// CHECK: raf.broadcast %arg1 dims = [1, 2] : tensor<2x8xf32> to tensor<4x2x8xf32>
// CHECK: return %{{.*}}, %[[RSTD]]
func.func @rms_norm(%x: tensor<4x2x8xf32>, %s: tensor<2x8xf32>) -> (tensor<4x2x8xf32>, tensor<4xf32>) {
  %y, %r = raf.rms_norm %x, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x2x8xf32>, tensor<2x8xf32>) -> (tensor<4x2x8xf32>, tensor<4xf32>)
  return %y, %r : tensor<4x2x8xf32>, tensor<4xf32>
}

// -----

// Sums over all dimensions but that of the features; running statistics keep their share of what they were. What is one number a feature is multiplied before it is spread.
// CHECK-LABEL: func.func @batch_norm
// CHECK-SAME: %[[X:.*]]: tensor<4x8x3xf32>, %[[S:.*]]: tensor<8xf32>, %[[B:.*]]: tensor<8xf32>, %[[M:.*]]: tensor<8xf32>, %[[V:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[KEPT:.*]] = raf.constant dense<7.500000e-01>
// CHECK-DAG: %[[NEW:.*]] = raf.constant dense<2.500000e-01>
// CHECK: raf.reduce sum %[[X]] dims = [0, 2] : tensor<4x8x3xf32> -> tensor<8xf32>
// CHECK: %[[RSTD:.*]] = raf.rsqrt
// CHECK: %[[FACTOR:.*]] = raf.mul %[[RSTD]], %[[S]] : tensor<8xf32>
// CHECK: raf.broadcast %[[FACTOR]] dims = [1] : tensor<8xf32> to tensor<4x8x3xf32>
// CHECK: %[[BY_MEAN:.*]] = raf.mul %{{.*}}, %[[NEW]] : tensor<8xf32>
// CHECK: %[[OLD_MEAN:.*]] = raf.mul %[[M]], %[[KEPT]] : tensor<8xf32>
// CHECK: %[[MEAN:.*]] = raf.add %[[OLD_MEAN]], %[[BY_MEAN]]
// CHECK: %[[BY_VARIANCE:.*]] = raf.mul %{{.*}}, %[[NEW]] : tensor<8xf32>
// CHECK: %[[OLD_VARIANCE:.*]] = raf.mul %[[V]], %[[KEPT]] : tensor<8xf32>
// CHECK: %[[VARIANCE:.*]] = raf.add %[[OLD_VARIANCE]], %[[BY_VARIANCE]]
// CHECK: return %{{.*}}, %[[MEAN]], %[[VARIANCE]]
func.func @batch_norm(%x: tensor<4x8x3xf32>, %s: tensor<8xf32>, %b: tensor<8xf32>, %m: tensor<8xf32>, %v: tensor<8xf32>) -> (tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>) {
  %y, %rm, %rv, %mean, %r = raf.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 momentum = 0.75 : (tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %y, %rm, %rv : tensor<4x8x3xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// Two sums, and no element is read for a third.
// CHECK-LABEL: func.func @batch_norm_grad
// CHECK-SAME: (%[[DY:.*]]: tensor<4x8xf32>, %[[X:.*]]: tensor<4x8xf32>, %[[S:.*]]: tensor<8xf32>, %[[M:.*]]: tensor<8xf32>, %[[R:.*]]: tensor<8xf32>)
// CHECK: %[[CENTRED:.*]] = raf.sub %[[X]]
// CHECK: %[[DBIAS:.*]] = raf.reduce sum %[[DY]] dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
// CHECK: %[[PRODUCT:.*]] = raf.mul %[[DY]], %[[CENTRED]]
// CHECK: %[[SUM:.*]] = raf.reduce sum %[[PRODUCT]] dims = [0]
// CHECK: %[[DSCALE:.*]] = raf.mul %[[SUM]], %[[R]] : tensor<8xf32>
// CHECK-NOT: raf.reduce
// CHECK: raf.mul %[[S]], %[[R]] : tensor<8xf32>
// CHECK-NOT: raf.reduce
// CHECK: return %{{.*}}, %[[DSCALE]], %[[DBIAS]]
func.func @batch_norm_grad(%dy: tensor<4x8xf32>, %x: tensor<4x8xf32>, %s: tensor<8xf32>, %m: tensor<8xf32>, %r: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %dx, %ds, %db = raf.batch_norm_grad %dy, %x, %s, %m, %r axis = 1 : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %dx, %ds, %db : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @log_softmax
// CHECK: %[[SHIFTED:.*]] = raf.sub %arg0
// CHECK: %[[E:.*]] = raf.exp %[[SHIFTED]]
// CHECK: %[[SUM:.*]] = raf.reduce sum %[[E]] dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
// CHECK: %[[LOG:.*]] = raf.log %[[SUM]] : tensor<8xf32>
// CHECK: %[[WIDE:.*]] = raf.broadcast %[[LOG]]
// CHECK: %[[Y:.*]] = raf.sub %[[SHIFTED]], %[[WIDE]]
// CHECK: return %[[Y]]
func.func @log_softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = raf.log_softmax %x axis = 0 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
