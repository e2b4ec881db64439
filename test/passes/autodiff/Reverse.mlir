// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-autodiff --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-autodiff --inline --symbol-dce --split-input-file | FileCheck %s --check-prefix=INLINED

// Rounding with the gradient of the identity, scaled: the rule is the function's, not that of raf.round, which is 0. An integer argument has no cotangent.
// CHECK-LABEL: func.func @main
// CHECK: %[[Y:.+]] = call @round(%arg0, %arg1)
// CHECK: %[[DY:.+]] = raf.constant dense<1.000000e+00> : tensor<4xf32>
// CHECK: %[[D:.+]] = call @round_vjp(%arg0, %arg1, %[[DY]]) : (tensor<4xf32>, tensor<i64>, tensor<4xf32>) -> tensor<4xf32>
// CHECK: return %{{.+}}, %[[D]]
// INLINED-LABEL: func.func @main
// INLINED-NOT: call
// INLINED: raf.round
// INLINED: raf.add
// INLINED: return
func.func private @round(%x: tensor<4xf32>, %n: tensor<i64>) -> tensor<4xf32> attributes {raf.vjp = @round_vjp} {
  %y = raf.round %x : tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @round_vjp(%x: tensor<4xf32>, %n: tensor<i64>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %d = raf.add %dy, %dy : tensor<4xf32>
  return %d : tensor<4xf32>
}
func.func @main(%w: tensor<4xf32> {raf.role = "param", raf.name = "w"}, %n: tensor<i64> {raf.role = "input", raf.name = "n"}) -> (tensor<f32> {raf.name = "loss"}) {
  %y = call @round(%w, %n) : (tensor<4xf32>, tensor<i64>) -> tensor<4xf32>
  %l = raf.reduce sum %y dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// It may be called from functions that are expanded. A result without influence has the cotangent 0.
// CHECK-LABEL: func.func @main
// CHECK: call @two
// CHECK: %[[ZERO:.+]] = raf.constant dense<0.000000e+00> : tensor<f32>
// CHECK: call @two_vjp(%arg0, %{{.+}}, %[[ZERO]])
func.func private @two(%x: tensor<f32>) -> (tensor<f32>, tensor<f32>) attributes {raf.vjp = @two_vjp} {
  %y = raf.exp %x : tensor<f32>
  return %x, %y : tensor<f32>, tensor<f32>
}
func.func private @two_vjp(%x: tensor<f32>, %d0: tensor<f32>, %d1: tensor<f32>) -> tensor<f32> {
  return %d0 : tensor<f32>
}
func.func private @helper(%x: tensor<f32>) -> tensor<f32> {
  %y:2 = call @two(%x) : (tensor<f32>) -> (tensor<f32>, tensor<f32>)
  return %y#0 : tensor<f32>
}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %y = call @helper(%w) : (tensor<f32>) -> tensor<f32>
  return %y : tensor<f32>
}
