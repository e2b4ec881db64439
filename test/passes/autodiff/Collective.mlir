// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// A sum is its own transpose.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = raf.all_reduce sum %[[X]] groups = {{\[}}[0, 1], [2, 3]]
// CHECK: %[[DX:.*]] = raf.all_reduce sum %[[DY]] groups = {{\[}}[0, 1], [2, 3]]
// CHECK: return %[[Y]], %[[DX]]
func.func @main(%x: tensor<4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.all_reduce sum %x groups = [[0, 1], [2, 3]] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Equal maxima share the gradient.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[Y:.*]] = raf.all_reduce max %[[X]]
// CHECK-DAG: %[[TOTAL:.*]] = raf.all_reduce sum %[[DY]]
// CHECK-DAG: %[[MAXIMAL:.*]] = raf.compare eq %[[X]], %[[Y]]
// CHECK-DAG: %[[ONE:.*]] = raf.cast %[[MAXIMAL]]
// CHECK-DAG: %[[TIES:.*]] = raf.all_reduce sum %[[ONE]]
// CHECK-DAG: %[[SHARE:.*]] = raf.div %[[TOTAL]], %[[TIES]]
// CHECK: raf.select %[[MAXIMAL]], %[[SHARE]]
func.func @main(%x: tensor<4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.all_reduce max %x groups = [[0, 1]] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// The product of the other devices' factors.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[ALL:.*]] = raf.all_gather %{{.*}} dim = 0 groups = {{\[}}[1, 0]] : tensor<1x4xf32> -> tensor<2x4xf32>
// CHECK-DAG: %[[DEVICE:.*]] = raf.device_id
// CHECK-DAG: %[[OTHERS:.*]] = raf.select %{{.*}}, %{{.*}}, %[[ALL]]
// CHECK: raf.reduce prod %[[OTHERS]] dims = [0]
func.func @main(%x: tensor<4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.all_reduce prod %x groups = [[1, 0]] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = raf.all_gather
// CHECK: %[[DX:.*]] = raf.reduce_scatter sum %{{.*}} dim = 1 groups = {{\[}}[0, 1]] : tensor<2x6xf32> -> tensor<2x3xf32>
// CHECK: return %[[Y]], %[[DX]]
func.func @main(%x: tensor<2x3xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x6xf32> {raf.name = "y"}) {
  %y = raf.all_gather %x dim = 1 groups = [[0, 1]] : tensor<2x3xf32> -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = raf.reduce_scatter
// CHECK: %[[DX:.*]] = raf.all_gather %{{.*}} dim = 0 groups = {{\[}}[0, 1]] : tensor<2x3xf32> -> tensor<4x3xf32>
// CHECK: return %[[Y]], %[[DX]]
func.func @main(%x: tensor<4x3xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x3xf32> {raf.name = "y"}) {
  %y = raf.reduce_scatter sum %x dim = 0 groups = [[0, 1]] : tensor<4x3xf32> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// Of a maximum this device needs the whole result.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK: %[[Y:.*]] = raf.reduce_scatter max %[[X]]
// CHECK: %[[WHOLE:.*]] = raf.all_gather %[[Y]]
// CHECK: raf.compare eq %[[X]], %[[WHOLE]]
func.func @main(%x: tensor<4x3xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x3xf32> {raf.name = "y"}) {
  %y = raf.reduce_scatter max %x dim = 0 groups = [[0, 1]] : tensor<4x3xf32> -> tensor<2x3xf32>
  return %y : tensor<2x3xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = raf.all_to_all
// CHECK: %[[DX:.*]] = raf.all_to_all %{{.*}} split_dim = 1 concat_dim = 0 groups = {{\[}}[0, 1]] : tensor<2x6xf32> -> tensor<4x3xf32>
// CHECK: return %[[Y]], %[[DX]]
func.func @main(%x: tensor<4x3xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<2x6xf32> {raf.name = "y"}) {
  %y = raf.all_to_all %x split_dim = 0 concat_dim = 1 groups = [[0, 1]] : tensor<4x3xf32> -> tensor<2x6xf32>
  return %y : tensor<2x6xf32>
}

// -----

// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = raf.collective_permute %{{.*}} pairs = {{\[}}[0, 1], [1, 2]]
// CHECK: %[[DX:.*]] = raf.collective_permute %{{.*}} pairs = {{\[}}[1, 0], [2, 1]]
// CHECK: return %[[Y]], %[[DX]]
func.func @main(%x: tensor<4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.collective_permute %x pairs = [[0, 1], [1, 2]] : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// Only the device that sent gets the gradient.
// CHECK-LABEL: func.func @main(
// CHECK: %[[Y:.*]] = raf.collective_broadcast
// CHECK-DAG: %[[TOTAL:.*]] = raf.all_reduce sum %{{.*}} groups = {{\[}}[1, 0]]
// CHECK-DAG: raf.device_id
// CHECK: raf.select %{{.*}}, %[[TOTAL]], %{{.*}} : tensor<4xf32>
func.func @main(%x: tensor<4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.collective_broadcast %x groups = [[1, 0]] : tensor<4xf32>
  return %y : tensor<4xf32>
}
