// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file --canonicalize | FileCheck %s

// Groups of one device.
// CHECK-LABEL: func.func @alone(
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>
// CHECK-NEXT: return %[[X]], %[[X]], %[[X]], %[[X]]
func.func @alone(%x: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = raf.all_reduce max %x groups = [[0], [1]] : tensor<4x4xf32>
  %1 = raf.all_gather %x dim = 1 groups = [[0], [1]] : tensor<4x4xf32> -> tensor<4x4xf32>
  %2 = raf.reduce_scatter sum %x dim = 0 groups = [[1]] : tensor<4x4xf32> -> tensor<4x4xf32>
  %3 = raf.all_to_all %x split_dim = 0 concat_dim = 1 groups = [[0], [1]] : tensor<4x4xf32> -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// A device that is not named gets zeros: nothing folds while the number of devices is not stated.
// CHECK-LABEL: func.func @unknown_devices
// CHECK: raf.collective_broadcast
// CHECK: raf.collective_permute
// CHECK: raf.device_id
func.func @unknown_devices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
  %0 = raf.collective_broadcast %x groups = [[0]] : tensor<4xf32>
  %1 = raf.collective_permute %x pairs = [[0, 0]] : tensor<4xf32>
  %2 = raf.device_id : tensor<i32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<i32>
}

// -----

module attributes {raf.num_devices = 1 : i64} {
  // CHECK-LABEL: func.func @one_device(
  // CHECK-SAME: %[[X:.*]]: tensor<4xf32>
  // CHECK-NEXT: %[[ZERO:.*]] = raf.constant dense<0> : tensor<i32>
  // CHECK-NEXT: return %[[X]], %[[X]], %[[ZERO]]
  func.func @one_device(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<i32>) {
    %0 = raf.collective_broadcast %x groups = [[0]] : tensor<4xf32>
    %1 = raf.collective_permute %x pairs = [[0, 0]] : tensor<4xf32>
    %2 = raf.device_id : tensor<i32>
    return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<i32>
  }
}

// -----

module attributes {raf.num_devices = 2 : i64} {
  // CHECK-LABEL: func.func @two_devices
  // CHECK: raf.all_reduce sum
  // CHECK: raf.collective_permute
  // CHECK: raf.collective_permute
  func.func @two_devices(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
    %0 = raf.all_reduce sum %x groups = [[0, 1]] : tensor<4xf32>
    %1 = raf.collective_permute %x pairs = [[0, 0]] : tensor<4xf32>
    %2 = raf.collective_permute %x pairs = [[0, 1], [1, 0]] : tensor<4xf32>
    %3 = raf.collective_permute %x pairs = [[0, 0], [1, 1]] : tensor<4xf32>
    // CHECK: return %{{.*}}, %{{.*}}, %{{.*}}, %arg0
    return %0, %1, %2, %3 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
  }
}
