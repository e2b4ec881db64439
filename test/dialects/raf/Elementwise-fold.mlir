// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --canonicalize | FileCheck %s

// CHECK-LABEL: func.func @neutral
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]], %[[X]], %[[X]]
func.func @neutral(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %0 = raf.add %x, %zero : tensor<4xf32>
  %1 = raf.add %zero, %x : tensor<4xf32>
  %2 = raf.sub %x, %zero : tensor<4xf32>
  %3 = raf.mul %x, %one : tensor<4xf32>
  %4 = raf.mul %one, %x : tensor<4xf32>
  %5 = raf.div %x, %one : tensor<4xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// What is not the same for NaN and infinity, or for some elements, stays.
// CHECK-LABEL: func.func @not_neutral
// CHECK: raf.mul
// CHECK: raf.sub
// CHECK: raf.sub
// CHECK: raf.add
func.func @not_neutral(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) {
  %zero = raf.constant dense<0.0> : tensor<2xf32>
  %mixed = raf.constant dense<[0.0, 1.0]> : tensor<2xf32>
  %0 = raf.mul %x, %zero : tensor<2xf32>
  %1 = raf.sub %x, %x : tensor<2xf32>
  %2 = raf.sub %zero, %x : tensor<2xf32>
  %3 = raf.add %x, %mixed : tensor<2xf32>
  return %0, %1, %2, %3 : tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @twice
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[R:.*]] = raf.relu %[[X]]
// CHECK-NEXT: return %[[X]], %[[R]]
func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = raf.neg %x : tensor<4xf32>
  %1 = raf.neg %0 : tensor<4xf32>
  %2 = raf.relu %x : tensor<4xf32>
  %3 = raf.relu %2 : tensor<4xf32>
  return %1, %3 : tensor<4xf32>, tensor<4xf32>
}

// Widening that is undone loses nothing; narrowing that is undone does.
// CHECK-LABEL: func.func @casts
// CHECK-SAME: %[[B:.*]]: tensor<4xbf16>, %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[N:.*]] = raf.cast %[[X]] : tensor<4xf32> to tensor<4xbf16>
// CHECK-NEXT: %[[W:.*]] = raf.cast %[[N]] : tensor<4xbf16> to tensor<4xf32>
// CHECK-NEXT: return %[[B]], %[[W]], %[[X]]
func.func @casts(%b: tensor<4xbf16>, %x: tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>) {
  %0 = raf.cast %b : tensor<4xbf16> to tensor<4xf32>
  %1 = raf.cast %0 : tensor<4xf32> to tensor<4xbf16>
  %2 = raf.cast %x : tensor<4xf32> to tensor<4xbf16>
  %3 = raf.cast %2 : tensor<4xbf16> to tensor<4xf32>
  %4 = raf.cast %x : tensor<4xf32> to tensor<4xf32>
  return %1, %3, %4 : tensor<4xbf16>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @bitcasts
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[I:.*]] = raf.bitcast %[[X]]
// CHECK-NEXT: return %[[X]], %[[I]]
func.func @bitcasts(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xi32>) {
  %0 = raf.bitcast %x : tensor<4xf32> to tensor<4xi32>
  %1 = raf.bitcast %0 : tensor<4xi32> to tensor<4xf32>
  return %1, %0 : tensor<4xf32>, tensor<4xi32>
}

// CHECK-LABEL: func.func @select
// CHECK-SAME: %[[P:.*]]: tensor<4xi1>, %[[X:.*]]: tensor<4xf32>, %[[Y:.*]]: tensor<4xf32>
// CHECK-NEXT: return %[[X]], %[[Y]], %[[X]]
func.func @select(%p: tensor<4xi1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %yes = raf.constant dense<true> : tensor<4xi1>
  %no = raf.constant dense<false> : tensor<4xi1>
  %0 = raf.select %yes, %x, %y : tensor<4xf32>
  %1 = raf.select %no, %x, %y : tensor<4xf32>
  %2 = raf.select %p, %x, %x : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// CHECK-LABEL: func.func @powers
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-DAG: %[[THREE:.*]] = raf.constant dense<3.0
// CHECK-DAG: %[[S:.*]] = raf.mul %[[X]], %[[X]]
// CHECK-DAG: %[[R:.*]] = raf.sqrt %[[X]]
// CHECK-DAG: %[[P:.*]] = raf.pow %[[X]], %[[THREE]]
// CHECK: return %[[X]], %[[S]], %[[R]], %[[P]]
func.func @powers(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %two = raf.constant dense<2.0> : tensor<4xf32>
  %half = raf.constant dense<0.5> : tensor<4xf32>
  %three = raf.constant dense<3.0> : tensor<4xf32>
  %0 = raf.pow %x, %one : tensor<4xf32>
  %1 = raf.pow %x, %two : tensor<4xf32>
  %2 = raf.pow %x, %half : tensor<4xf32>
  %3 = raf.pow %x, %three : tensor<4xf32>
  return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// A constant has no gradient; anything else keeps the op, once.
// CHECK-LABEL: func.func @stop_gradient
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = raf.constant
// CHECK-NEXT: %[[Y:.*]] = raf.stop_gradient %[[X]] : tensor<4xf32>
// CHECK-NEXT: return %[[Y]], %[[C]]
func.func @stop_gradient(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = raf.stop_gradient %x : tensor<4xf32>
  %1 = raf.stop_gradient %0 : tensor<4xf32>
  %c = raf.constant dense<2.0> : tensor<4xf32>
  %2 = raf.stop_gradient %c : tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}
