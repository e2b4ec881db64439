// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -split-input-file | FileCheck %s

// CHECK-LABEL: func @signs
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[D:.*]] = raf.sub %[[A]], %[[B]]
// CHECK-DAG: %[[S:.*]] = raf.add %[[A]], %[[B]]
// CHECK-DAG: %[[R:.*]] = raf.sub %[[B]], %[[A]]
// CHECK-DAG: %[[P:.*]] = raf.mul %[[A]], %[[B]]
// CHECK: return %[[D]], %[[S]], %[[R]], %[[P]]
func.func @signs(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %na = raf.neg %a : tensor<4xf32>
  %nb = raf.neg %b : tensor<4xf32>
  %0 = raf.add %nb, %a : tensor<4xf32>
  %1 = raf.sub %a, %nb : tensor<4xf32>
  %2 = raf.sub %a, %b : tensor<4xf32>
  %3 = raf.neg %2 : tensor<4xf32>
  %4 = raf.mul %na, %nb : tensor<4xf32>
  return %0, %1, %3, %4 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What may be infinite or NaN does not cancel.
// CHECK-LABEL: func @cancel
// CHECK-DAG: %[[Z:.*]] = raf.constant dense<0> : tensor<4xi32>
// CHECK-DAG: %[[F:.*]] = raf.sub %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK-DAG: %[[P:.*]] = raf.mul %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK: return %[[Z]], %[[Z]], %[[F]], %[[P]]
func.func @cancel(%i: tensor<4xi32>, %f: tensor<4xf32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>) {
  %zi = raf.constant dense<0> : tensor<4xi32>
  %zf = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.sub %i, %i : tensor<4xi32>
  %1 = raf.mul %i, %zi : tensor<4xi32>
  %2 = raf.sub %f, %f : tensor<4xf32>
  %3 = raf.mul %f, %zf : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xi32>, tensor<4xi32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// CHECK-LABEL: func @factors
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[EIGHTH:.*]] = raf.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[THREE:.*]] = raf.constant dense<3.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[A:.*]] = raf.mul %[[X]], %[[EIGHTH]]
// CHECK-DAG: %[[B:.*]] = raf.div %[[X]], %[[THREE]]
// CHECK-DAG: %[[N:.*]] = raf.neg %[[X]]
// CHECK: return %[[A]], %[[B]], %[[N]]
func.func @factors(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %four = raf.constant dense<4.0> : tensor<4xf32>
  %half = raf.constant dense<0.5> : tensor<4xf32>
  %three = raf.constant dense<3.0> : tensor<4xf32>
  %minus = raf.constant dense<-1.0> : tensor<4xf32>
  %0 = raf.div %x, %four : tensor<4xf32>
  %1 = raf.mul %half, %0 : tensor<4xf32>
  %2 = raf.div %x, %three : tensor<4xf32>
  %3 = raf.mul %minus, %x : tensor<4xf32>
  return %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// 0.1 * 0.1 rounds, so the product of both factors is another number than one after the other.
// CHECK-LABEL: func @inexact
// CHECK: raf.mul
// CHECK: raf.mul
func.func @inexact(%x: tensor<4xf32>) -> tensor<4xf32> {
  %c = raf.constant dense<0.1> : tensor<4xf32>
  %0 = raf.mul %x, %c : tensor<4xf32>
  %1 = raf.mul %0, %c : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// CHECK-LABEL: func @choices
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<4xi1>, %[[A:[a-z0-9]+]]: tensor<4xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[S:.*]] = raf.select %[[P]], %[[B]], %[[A]]
// CHECK: return %[[A]], %[[S]]
func.func @choices(%p: tensor<4xi1>, %a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = raf.maximum %a, %a : tensor<4xf32>
  %n = raf.not %p : tensor<4xi1>
  %1 = raf.select %n, %a, %b : tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}
