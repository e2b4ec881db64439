// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-autodiff --canonicalize --cse --split-input-file | FileCheck %s

// A loop that says how many iterations it takes at most is one of that length, in which those after the last do nothing; it keeps what it carried.
// CHECK-LABEL: func.func @main
// CHECK: %[[C7:.+]] = arith.constant 7 : index
// CHECK: %[[F:.+]]:2 = scf.for %{{.+}} = %{{.+}} to %[[C7]] {{.+}} -> (tensor<f32>, tensor<7xf32>)
// CHECK: %[[P:.+]] = raf.compare lt
// CHECK: %[[Q:.+]] = tensor.extract %[[P]]
// CHECK: scf.if %[[Q]]
// CHECK: raf.mul
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[C7]] {{.+}} -> (tensor<f32>)
// CHECK: raf.dynamic_slice %[[F]]#1
// CHECK: scf.if
// CHECK-NOT: scf.while
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %limit = raf.constant dense<3.0> : tensor<f32>
  %y = scf.while (%a = %w) : (tensor<f32>) -> tensor<f32> {
    %p = raf.compare lt %a, %limit : tensor<f32> -> tensor<i1>
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %a : tensor<f32>
  } do {
  ^bb0(%a: tensor<f32>):
    %n = raf.mul %a, %a : tensor<f32>
    scf.yield %n : tensor<f32>
  } attributes {raf.bound = 7 : i64}
  return %y : tensor<f32>
}

// -----

// So does a counter among the conditions: from 2 while it is at most 10, by 3.
// CHECK-LABEL: func.func @main
// CHECK: %[[C3:.+]] = arith.constant 3 : index
// CHECK: scf.for %{{.+}} = %{{.+}} to %[[C3]]
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %limit = raf.constant dense<3.0> : tensor<f32>
  %start = raf.constant dense<2> : tensor<i32>
  %end = raf.constant dense<10> : tensor<i32>
  %step = raf.constant dense<3> : tensor<i32>
  %i, %y = scf.while (%k = %start, %a = %w) : (tensor<i32>, tensor<f32>) -> (tensor<i32>, tensor<f32>) {
    %0 = raf.compare lt %a, %limit : tensor<f32> -> tensor<i1>
    %1 = raf.compare le %k, %end : tensor<i32> -> tensor<i1>
    %p = raf.and %0, %1 : tensor<i1>
    %q = tensor.extract %p[] : tensor<i1>
    scf.condition(%q) %k, %a : tensor<i32>, tensor<f32>
  } do {
  ^bb0(%k: tensor<i32>, %a: tensor<f32>):
    %n = raf.mul %a, %a : tensor<f32>
    %m = raf.add %k, %step : tensor<i32>
    scf.yield %m, %n : tensor<i32>, tensor<f32>
  }
  return %y : tensor<f32>
}
