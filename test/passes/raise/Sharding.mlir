// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise | FileCheck %s
// RUN: raf-opt %s --raf-simplify --raf-raise --raf-simplify | FileCheck %s

// What takes the place of an op lies on the devices as it did, arguments and results as before; an op that says how it lies itself keeps that.
// CHECK-LABEL: func @softmax
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32> {raf.sharding = {dims = {{\[}}["x"], []], mesh = "m"}}
// CHECK-SAME: tensor<4x8xf32> {raf.sharding = {dims = {{\[}}["x"], []], mesh = "m"}}
// CHECK: raf.softmax %[[X]] axis = 1 {raf.sharding = {dims = {{\[}}["x"], []], mesh = "m"}} : tensor<4x8xf32>
// CHECK: raf.matmul %{{.+}}, %[[X]] transpose_rhs {raf.sharding = {dims = {{\[}}["y"], []], mesh = "m"}}
module attributes {raf.meshes = {m = {x = 2, y = 2}}} {
  func.func @softmax(%x: tensor<4x8xf32> {raf.sharding = {dims = [["x"], []], mesh = "m"}}) -> (tensor<4x8xf32> {raf.sharding = {dims = [["x"], []], mesh = "m"}}, tensor<4x4xf32>) {
    %0 = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %1 = raf.broadcast %0 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
    %2 = raf.sub %x, %1 : tensor<4x8xf32>
    %3 = raf.exp %2 : tensor<4x8xf32>
    %4 = raf.reduce sum %3 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
    %5 = raf.broadcast %4 dims = [0] : tensor<4xf32> to tensor<4x8xf32>
    %6 = raf.div %3, %5 {raf.sharding = {dims = [["x"], []], mesh = "m"}} : tensor<4x8xf32>
    %7 = raf.transpose %x permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
    %8 = raf.matmul %6, %7 {raf.sharding = {dims = [["y"], []], mesh = "m"}} : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
    return %6, %8 : tensor<4x8xf32>, tensor<4x4xf32>
  }
}
