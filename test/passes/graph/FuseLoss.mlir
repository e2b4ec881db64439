// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-fuse-loss=min-bytes=0 --canonicalize --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-fuse-loss --canonicalize --split-input-file | FileCheck %s --check-prefix=SMALL

// SMALL-NOT: linear_cross_entropy

// CHECK-LABEL: func.func @bias
// CHECK-NEXT:    %[[LOSS:.+]], %{{.+}} = raf.linear_cross_entropy %arg0, %arg1, %arg3 bias %arg2 ignore_index = -100 label_smoothing = 1.000000e-01
// CHECK-NEXT:    return %[[LOSS]]
func.func @bias(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %b: tensor<16xf32>, %l: tensor<4xi64>) -> tensor<f32> {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<4x16xf32>
  %2 = raf.add %0, %1 : tensor<4x16xf32>
  %loss, %lse = raf.cross_entropy %2, %l ignore_index = -100 label_smoothing = 0.1 : tensor<4x16xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss : tensor<f32>
}

// -----

// The embedding as the weight of the head, transposed; logits that were given another shape on the way; 16-bit products with a loss in f32.
// CHECK-LABEL: func.func @tied
// CHECK-NEXT:    %[[LOSS:.+]], %{{.+}} = raf.linear_cross_entropy %arg0, %arg1, %arg2 transpose_w ignore_index = -100 label_smoothing = 0.000000e+00 : (tensor<4x8xbf16>, tensor<16x8xbf16>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
// CHECK-NEXT:    return %[[LOSS]]
func.func @tied(%x: tensor<4x8xbf16>, %w: tensor<16x8xbf16>, %l: tensor<4xi64>) -> tensor<f32> {
  %t = raf.transpose %w permutation = [1, 0] : tensor<16x8xbf16> -> tensor<8x16xbf16>
  %0 = raf.matmul %x, %t : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xbf16>
  %1 = raf.reshape %0 : tensor<4x16xbf16> to tensor<2x2x16xbf16>
  %2 = raf.reshape %1 : tensor<2x2x16xbf16> to tensor<4x16xbf16>
  %3 = raf.cast %2 : tensor<4x16xbf16> to tensor<4x16xf32>
  %loss, %lse = raf.cross_entropy %3, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x16xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss : tensor<f32>
}

// -----

// Logits that something else reads are there anyway.
// CHECK-LABEL: func.func @kept
// CHECK:         raf.cross_entropy
func.func @kept(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %l: tensor<4xi64>) -> (tensor<f32>, tensor<4x16xf32>) {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %loss, %lse = raf.cross_entropy %0, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x16xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss, %0 : tensor<f32>, tensor<4x16xf32>
}

// -----

// A term that differs from row to row is no bias.
// CHECK-LABEL: func.func @rows
// CHECK:         raf.cross_entropy
func.func @rows(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>, %b: tensor<4xf32>, %l: tensor<4xi64>) -> tensor<f32> {
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x4xf32> -> tensor<4x4xf32>
  %1 = raf.broadcast %b dims = [0] : tensor<4xf32> to tensor<4x4xf32>
  %2 = raf.add %0, %1 : tensor<4x4xf32>
  %loss, %lse = raf.cross_entropy %2, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x4xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss : tensor<f32>
}
