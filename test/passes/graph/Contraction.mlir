// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -split-input-file | FileCheck %s

// CHECK-LABEL: func @shared
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x8x4xf32>, %[[W:[a-z0-9]+]]: tensor<4x16xf32>
// CHECK: %[[R:.*]] = raf.reshape %[[X]] : tensor<2x8x4xf32> to tensor<16x4xf32>
// CHECK: %[[P:.*]] = raf.matmul %[[R]], %[[W]] : tensor<16x4xf32>, tensor<4x16xf32> -> tensor<16x16xf32>
// CHECK: raf.reshape %[[P]] : tensor<16x16xf32> to tensor<2x8x16xf32>
func.func @shared(%x: tensor<2x8x4xf32>, %w: tensor<4x16xf32>) -> tensor<2x8x16xf32> {
  %0 = raf.broadcast %w dims = [1, 2] : tensor<4x16xf32> to tensor<2x4x16xf32>
  %1 = raf.matmul %x, %0 : tensor<2x8x4xf32>, tensor<2x4x16xf32> -> tensor<2x8x16xf32>
  return %1 : tensor<2x8x16xf32>
}

// -----

// CHECK-LABEL: func @different
// CHECK: raf.matmul {{.*}} -> tensor<2x8x16xf32>
func.func @different(%x: tensor<2x8x4xf32>, %w: tensor<2x4x16xf32>) -> tensor<2x8x16xf32> {
  %1 = raf.matmul %x, %w : tensor<2x8x4xf32>, tensor<2x4x16xf32> -> tensor<2x8x16xf32>
  return %1 : tensor<2x8x16xf32>
}

// -----

// CHECK-LABEL: func @gradient
// CHECK: raf.matmul {{.*}} transpose_lhs : tensor<16x4xf32>, tensor<16x6xf32> -> tensor<4x6xf32>
// CHECK-NOT: raf.reduce
func.func @gradient(%x: tensor<2x8x4xf32>, %dy: tensor<2x8x6xf32>) -> tensor<4x6xf32> {
  %0 = raf.matmul %x, %dy transpose_lhs : tensor<2x8x4xf32>, tensor<2x8x6xf32> -> tensor<2x4x6xf32>
  %1 = raf.reduce sum %0 dims = [0] : tensor<2x4x6xf32> -> tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// -----

// The gradient of a weight used in each of four steps.
// CHECK-LABEL: func @recurrent
// CHECK: %[[H:.*]] = raf.concat %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} axis = 0 : {{.*}} -> tensor<8x32xf32>
// CHECK: %[[D:.*]] = raf.concat %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} axis = 0 : {{.*}} -> tensor<8x32xf32>
// CHECK: %[[S:.*]] = raf.matmul %[[H]], %[[D]] transpose_lhs
// CHECK: raf.add %[[S]], %{{.*}} : tensor<32x32xf32>
func.func @recurrent(%h: tensor<2x32xf32>, %d: tensor<2x32xf32>, %l: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = raf.matmul %h, %d transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %1 = raf.matmul %d, %h transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %2 = raf.matmul %h, %h transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %3 = raf.matmul %d, %d transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %4 = raf.add %0, %1 : tensor<32x32xf32>
  %5 = raf.add %4, %l : tensor<32x32xf32>
  %6 = raf.add %5, %2 : tensor<32x32xf32>
  %7 = raf.add %6, %3 : tensor<32x32xf32>
  return %7 : tensor<32x32xf32>
}

// -----

// Long operands of a small result are cheaper to add up than to join.
// CHECK-LABEL: func @long
// CHECK-NOT: raf.concat
func.func @long(%h: tensor<512x4xf32>, %d: tensor<512x4xf32>) -> tensor<4x4xf32> {
  %0 = raf.matmul %h, %d transpose_lhs : tensor<512x4xf32>, tensor<512x4xf32> -> tensor<4x4xf32>
  %1 = raf.matmul %d, %h transpose_lhs : tensor<512x4xf32>, tensor<512x4xf32> -> tensor<4x4xf32>
  %2 = raf.matmul %h, %h transpose_lhs : tensor<512x4xf32>, tensor<512x4xf32> -> tensor<4x4xf32>
  %3 = raf.add %0, %1 : tensor<4x4xf32>
  %4 = raf.add %3, %2 : tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}

// -----

// Slices of one tensor are joined in its order, whatever lies between them.
// CHECK-LABEL: func @slices_of_two_tensors
// CHECK: %[[H4:.*]] = raf.slice %{{.*}} starts = [4, 0]
// CHECK: %[[K:.*]] = raf.slice %{{.*}} starts = [2, 0]
// CHECK: %[[H0:.*]] = raf.slice %{{.*}} starts = [0, 0]
// CHECK: raf.concat %[[H0]], %[[H4]], %[[K]] axis = 0
func.func @slices_of_two_tensors(%h: tensor<8x32xf32>, %k: tensor<8x32xf32>, %d: tensor<2x32xf32>) -> tensor<32x32xf32> {
  %a = raf.slice %h starts = [4, 0] limits = [6, 32] strides = [1, 1] : tensor<8x32xf32> -> tensor<2x32xf32>
  %b = raf.slice %k starts = [2, 0] limits = [4, 32] strides = [1, 1] : tensor<8x32xf32> -> tensor<2x32xf32>
  %c = raf.slice %h starts = [0, 0] limits = [2, 32] strides = [1, 1] : tensor<8x32xf32> -> tensor<2x32xf32>
  %0 = raf.matmul %a, %d transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %1 = raf.matmul %b, %d transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %2 = raf.matmul %c, %d transpose_lhs : tensor<2x32xf32>, tensor<2x32xf32> -> tensor<32x32xf32>
  %3 = raf.add %0, %1 : tensor<32x32xf32>
  %4 = raf.add %3, %2 : tensor<32x32xf32>
  return %4 : tensor<32x32xf32>
}

// -----

// Products of operands of several types are not joined.
// CHECK-LABEL: func @summed_of_two_types
// CHECK-COUNT-3: raf.matmul
func.func @summed_of_two_types(%a: tensor<8x4xbf16>, %b: tensor<8x5xbf16>, %c: tensor<8x4xbf16>, %d: tensor<8x5xbf16>, %e: tensor<8x4xf32>, %f: tensor<8x5xf32>) -> tensor<4x5xf32> {
  %0 = raf.matmul %a, %b transpose_lhs : tensor<8x4xbf16>, tensor<8x5xbf16> -> tensor<4x5xf32>
  %1 = raf.matmul %c, %d transpose_lhs : tensor<8x4xbf16>, tensor<8x5xbf16> -> tensor<4x5xf32>
  %2 = raf.matmul %e, %f transpose_lhs : tensor<8x4xf32>, tensor<8x5xf32> -> tensor<4x5xf32>
  %3 = raf.add %0, %1 : tensor<4x5xf32>
  %4 = raf.add %3, %2 : tensor<4x5xf32>
  return %4 : tensor<4x5xf32>
}
