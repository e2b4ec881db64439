// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// A splat becomes a scalar of the body; other constants and reshapes stay.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32> {raf.name = "x"}
// CHECK-DAG: %[[C:.*]] = raf.constant dense<[1.000000e+00, 2.000000e+00]> : tensor<2xf32>
// CHECK-NOT: raf.constant dense<2.0
// CHECK: %[[G:.*]] = linalg.generic {{.*}} ins(%[[X]] : tensor<4x8xf32>)
// CHECK: arith.constant 2.000000e+00 : f32
// CHECK: %[[R:.*]] = raf.reshape %[[G]] : tensor<4x8xf32> to tensor<32xf32>
// CHECK: return %[[R]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.name = "x"}) -> (tensor<32xf32> {raf.name = "y"}, tensor<2xf32> {raf.name = "c"}) {
  %c = raf.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %s = raf.constant dense<2.0> : tensor<4x8xf32>
  %0 = raf.mul %x, %s : tensor<4x8xf32>
  %1 = raf.reshape %0 : tensor<4x8xf32> to tensor<32xf32>
  return %1, %c : tensor<32xf32>, tensor<2xf32>
}

// A large splat that somebody reads as a tensor is written by a loop; a small one is a constant.
// CHECK-LABEL: func.func @splats
// CHECK-DAG: raf.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-NOT: raf.constant {{.*}}tensor<4096xf32>
// CHECK: linalg.{{fill|generic}} {{.*}}tensor<4096xf32>
func.func @splats() -> (tensor<8xf32>, tensor<4096xf32>) {
  %0 = raf.constant dense<1.0> : tensor<8xf32>
  %1 = raf.constant dense<1.0> : tensor<4096xf32>
  return %0, %1 : tensor<8xf32>, tensor<4096xf32>
}

// Functions that are called store booleans alike.
// CHECK-LABEL: func.func @caller
// CHECK-SAME: tensor<8xi8> {raf.element = i1}
// CHECK: call @callee(%{{.*}}) : (tensor<8xi8>) -> tensor<8xi8>
func.func @caller(%m: tensor<8xi1>) -> tensor<8xi1> {
  %0 = call @callee(%m) : (tensor<8xi1>) -> tensor<8xi1>
  return %0 : tensor<8xi1>
}
// CHECK-LABEL: func.func private @callee(tensor<8xi8> {raf.element = i1}) -> (tensor<8xi8> {raf.element = i1})
func.func private @callee(tensor<8xi1>) -> tensor<8xi1>
