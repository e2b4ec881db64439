// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --canonicalize --cse --split-input-file | FileCheck %s

// Blocks of 250 rows; the last comes first, since the loop goes on from its sums. No tensor has the logits of all rows.
// CHECK-LABEL: func.func @gradients
// CHECK-NOT:     tensor<999x8192x
// CHECK:         raf.matmul %{{.+}}, %arg2 transpose_rhs : tensor<249x64xf32>, tensor<8192x64xf32> -> tensor<249x8192xf32>
// CHECK:         scf.for {{.*}} -> (tensor<999xf32>, tensor<999xf32>, tensor<999x64xf32>, tensor<8192x64xf32>, tensor<8192xf32>)
// CHECK:           %[[X:.+]] = raf.dynamic_slice %arg1[
// CHECK:           raf.matmul %[[X]], %arg2 transpose_rhs : tensor<250x64xf32>, tensor<8192x64xf32> -> tensor<250x8192xf32>
// CHECK:           raf.matmul %[[G:.+]], %arg2 : tensor<250x8192xf32>, tensor<8192x64xf32> -> tensor<250x64xf32>
// CHECK:           raf.matmul %[[G]], %[[X]] transpose_lhs : tensor<250x8192xf32>, tensor<250x64xf32> -> tensor<8192x64xf32>
// CHECK-NOT:     tensor<999x8192x
func.func @gradients(%d: tensor<f32>, %x: tensor<999x64xf32>, %w: tensor<8192x64xf32>, %l: tensor<999xi64>, %b: tensor<8192xf32>)
    -> (tensor<f32>, tensor<999x64xf32>, tensor<8192x64xf32>, tensor<8192xf32>) {
  %loss, %lse, %dx, %dw, %db = raf.linear_cross_entropy_grad %d, %x, %w, %l bias %b transpose_w ignore_index = -100 label_smoothing = 0.0
    : (tensor<f32>, tensor<999x64xf32>, tensor<8192x64xf32>, tensor<999xi64>, tensor<8192xf32>) -> (tensor<f32>, tensor<999xf32>, tensor<999x64xf32>, tensor<8192x64xf32>, tensor<8192xf32>)
  return %loss, %dx, %dw, %db : tensor<f32>, tensor<999x64xf32>, tensor<8192x64xf32>, tensor<8192xf32>
}

// -----

// 16-bit gradients of a weight are summed in f32.
// CHECK-LABEL: func.func @half
// CHECK:         scf.for {{.*}} -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024x64xbf16>, tensor<64x8192xf32>)
// CHECK:         raf.cast %{{.+}} : tensor<64x8192xf32> to tensor<64x8192xbf16>
func.func @half(%d: tensor<f32>, %x: tensor<1024x64xbf16>, %w: tensor<64x8192xbf16>, %l: tensor<1024xi64>) -> (tensor<f32>, tensor<1024x64xbf16>, tensor<64x8192xbf16>) {
  %loss, %lse, %dx, %dw = raf.linear_cross_entropy_grad %d, %x, %w, %l ignore_index = -100 label_smoothing = 0.0
    : (tensor<f32>, tensor<1024x64xbf16>, tensor<64x8192xbf16>, tensor<1024xi64>) -> (tensor<f32>, tensor<1024xf32>, tensor<1024x64xbf16>, tensor<64x8192xbf16>)
  return %loss, %dx, %dw : tensor<f32>, tensor<1024x64xbf16>, tensor<64x8192xbf16>
}

// -----

// CHECK-LABEL: func.func @few
// CHECK-NOT:     scf.for
// CHECK:         raf.matmul %arg0, %arg1 : tensor<64x8xf32>, tensor<8x10xf32> -> tensor<64x10xf32>
func.func @few(%x: tensor<64x8xf32>, %w: tensor<8x10xf32>, %l: tensor<64xi64>) -> tensor<f32> {
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l ignore_index = -100 label_smoothing = 0.0 : (tensor<64x8xf32>, tensor<8x10xf32>, tensor<64xi64>) -> (tensor<f32>, tensor<64xf32>)
  return %loss : tensor<f32>
}
