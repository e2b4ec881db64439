// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-autodiff --canonicalize --cse --split-input-file | FileCheck %s

// The loop keeps what it carried at the start of each iteration; the reverse loop reads that from the last to the first and sums the gradient of the captured value.
// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[LAST:.+]] = raf.constant dense<4> : tensor<i64>
// CHECK: %[[F:.+]]:2 = scf.for {{.+}} iter_args(%[[H:.+]] = %arg0, %[[STACK:.+]] = %{{.+}}) -> (tensor<4xf32>, tensor<5x4xf32>) {
// CHECK: %[[LINE:.+]] = raf.reshape %[[H]] : tensor<4xf32> to tensor<1x4xf32>
// CHECK: %[[KEPT:.+]] = raf.dynamic_update_slice %[[STACK]], %[[LINE]]
// CHECK: %[[NEXT:.+]] = raf.mul %[[H]], %arg1
// CHECK: scf.yield %[[NEXT]], %[[KEPT]]
// CHECK: scf.for {{.+}} iter_args(%[[DH:.+]] = %{{.+}}, %[[DW:.+]] = %{{.+}}) -> (tensor<4xf32>, tensor<4xf32>) {
// CHECK: %[[POSITION:.+]] = raf.sub %[[LAST]], %{{.+}} : tensor<i64>
// CHECK: %[[READ:.+]] = raf.dynamic_slice %[[F]]#1[%[[POSITION]]
// CHECK: %[[X:.+]] = raf.reshape %[[READ]]
// CHECK-DAG: %[[DX:.+]] = raf.mul %[[DH]], %arg1
// CHECK-DAG: %[[D:.+]] = raf.mul %[[DH]], %[[X]]
// CHECK: %[[SUM:.+]] = raf.add %[[DW]], %[[D]]
// CHECK: scf.yield %[[DX]], %[[SUM]]
func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %m = raf.mul %h, %w : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  }
  %l = raf.reduce sum %y dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// A sum needs nothing kept: there is one stack less, none here.
// CHECK-LABEL: func.func @main
// CHECK: scf.for {{.+}} iter_args({{[^,]+}}) -> (tensor<4xf32>) {
// CHECK: scf.for
// CHECK-NOT: raf.dynamic_slice
func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%h = %x) -> (tensor<4xf32>) {
    %m = raf.add %h, %w : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  }
  %l = raf.reduce sum %y dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK: %[[Q:.+]] = tensor.extract
// CHECK: scf.if %[[Q]]
// CHECK: scf.if %[[Q]] -> (tensor<4xf32>) {
// CHECK: raf.exp %arg1
// CHECK: } else {
// CHECK: raf.cos %arg1
func.func @main(%p: tensor<i1> {raf.role = "input", raf.name = "p"}, %w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %q = tensor.extract %p[] : tensor<i1>
  %y = scf.if %q -> tensor<4xf32> {
    %a = raf.exp %w : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %a = raf.sin %w : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %l = raf.reduce sum %y dims = [0] : tensor<4xf32> -> tensor<f32>
  return %l : tensor<f32>
}
