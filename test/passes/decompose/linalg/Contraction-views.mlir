// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operands are read where they lie.
// RUN: raf-opt %s --raf-convert-to-linalg=views=true --canonicalize | FileCheck %s
// RUN: raf-opt %s --raf-convert-to-linalg --canonicalize | FileCheck %s --check-prefix=COPIES

// CHECK-DAG: #[[$Q:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, 1, d2, 0, d1, d4)>
// CHECK-DAG: #[[$K:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d3, 1, d1, d4)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$RAGGED:.*]] = affine_map<(d0, d1, d2) -> (d0 + 3, d2)>

// CHECK-DAG: #[[$JOINED:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d2, d1, d3)>

// Some rows of the heads of q, and those of k, out of the columns of one product: as attention has them.
// CHECK-LABEL: func.func @heads
// CHECK-DAG:     %[[Q:.*]] = raf.reshape %arg0 : tensor<2x32x96xf32> to tensor<2x2x16x3x4x8xf32>
// CHECK-DAG:     %[[K:.*]] = raf.reshape %arg0 : tensor<2x32x96xf32> to tensor<2x32x3x4x8xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$Q]], #[[$K]], #[[$Y]]]
// CHECK-SAME:      ins(%[[Q]], %[[K]]
// CHECK-NOT:     linalg.generic
// COPIES-LABEL: func.func @heads
// COPIES-COUNT-6: linalg.generic
func.func @heads(%qkv: tensor<2x32x96xf32>) -> tensor<2x4x16x32xf32> {
  %0 = raf.slice %qkv starts = [0, 0, 0] limits = [2, 32, 32] strides = [1, 1, 1] : tensor<2x32x96xf32> -> tensor<2x32x32xf32>
  %1 = raf.reshape %0 : tensor<2x32x32xf32> to tensor<2x32x4x8xf32>
  %2 = raf.transpose %1 permutation = [0, 2, 1, 3] : tensor<2x32x4x8xf32> -> tensor<2x4x32x8xf32>
  %q = raf.slice %2 starts = [0, 0, 16, 0] limits = [2, 4, 32, 8] strides = [1, 1, 1, 1] : tensor<2x4x32x8xf32> -> tensor<2x4x16x8xf32>
  %3 = raf.slice %qkv starts = [0, 0, 32] limits = [2, 32, 64] strides = [1, 1, 1] : tensor<2x32x96xf32> -> tensor<2x32x32xf32>
  %4 = raf.reshape %3 : tensor<2x32x32xf32> to tensor<2x32x4x8xf32>
  %k = raf.transpose %4 permutation = [0, 2, 1, 3] : tensor<2x32x4x8xf32> -> tensor<2x4x32x8xf32>
  %y = raf.matmul %q, %k transpose_rhs : tensor<2x4x16x8xf32>, tensor<2x4x32x8xf32> -> tensor<2x4x16x32xf32>
  return %y : tensor<2x4x16x32xf32>
}

// Rows that begin anywhere are counted from there; the others are walked as a whole.
// CHECK-LABEL: func.func @ragged
// CHECK:         linalg.generic {indexing_maps = [#[[$RAGGED]],
// CHECK-SAME:      ins(%arg0, %arg1
// CHECK-NOT:     linalg.generic
func.func @ragged(%x: tensor<10x8xf32>, %w: tensor<8x4xf32>) -> tensor<5x4xf32> {
  %0 = raf.slice %x starts = [3, 0] limits = [8, 8] strides = [1, 1] : tensor<10x8xf32> -> tensor<5x8xf32>
  %y = raf.matmul %0, %w : tensor<5x8xf32>, tensor<8x4xf32> -> tensor<5x4xf32>
  return %y : tensor<5x4xf32>
}

// From the first row on, linalg would take a part for the whole dimension: copied. So is a part of what a kernel computes in passing, steps, and a matrix none of whose dimensions lies along memory.
// CHECK-LABEL: func.func @copied
// CHECK-COUNT-10: linalg.generic
func.func @copied(%x: tensor<10x8xf32>, %w: tensor<8x4xf32>, %z: tensor<8x4x2xf32>) -> (tensor<7x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<2x7x4xf32>) {
  %0 = raf.slice %x starts = [0, 0] limits = [7, 8] strides = [1, 1] : tensor<10x8xf32> -> tensor<7x8xf32>
  %first = raf.matmul %0, %w : tensor<7x8xf32>, tensor<8x4xf32> -> tensor<7x4xf32>
  %1 = raf.exp %x : tensor<10x8xf32>
  %2 = raf.slice %1 starts = [5, 0] limits = [10, 8] strides = [1, 1] : tensor<10x8xf32> -> tensor<5x8xf32>
  %passing = raf.matmul %2, %w : tensor<5x8xf32>, tensor<8x4xf32> -> tensor<5x4xf32>
  %3 = raf.slice %x starts = [0, 0] limits = [10, 8] strides = [2, 1] : tensor<10x8xf32> -> tensor<5x8xf32>
  %steps = raf.matmul %3, %w : tensor<5x8xf32>, tensor<8x4xf32> -> tensor<5x4xf32>
  %4 = raf.transpose %z permutation = [2, 0, 1] : tensor<8x4x2xf32> -> tensor<2x8x4xf32>
  %5 = raf.broadcast %0 dims = [1, 2] : tensor<7x8xf32> to tensor<2x7x8xf32>
  %across = raf.matmul %5, %4 : tensor<2x7x8xf32>, tensor<2x8x4xf32> -> tensor<2x7x4xf32>
  return %first, %passing, %steps, %across : tensor<7x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<2x7x4xf32>
}

// Heads are joined while they are stored; columns that would become rows are not.
// CHECK-LABEL: func.func @joined
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #{{.*}}, #[[$JOINED]]]
// CHECK-SAME:      outs(%{{.*}} : tensor<2x16x4x8xf32>)
// CHECK:         linalg.generic
// CHECK:         linalg.generic
// CHECK-NOT:     linalg.generic
func.func @joined(%p: tensor<2x4x16x16xf32>, %v: tensor<2x4x16x8xf32>) -> (tensor<2x16x4x8xf32>, tensor<2x4x8x16xf32>) {
  %0 = raf.matmul %p, %v : tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>
  %1 = raf.transpose %0 permutation = [0, 2, 1, 3] : tensor<2x4x16x8xf32> -> tensor<2x16x4x8xf32>
  %2 = raf.matmul %p, %v transpose_lhs : tensor<2x4x16x16xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x16x8xf32>
  %3 = raf.transpose %2 permutation = [0, 1, 3, 2] : tensor<2x4x16x8xf32> -> tensor<2x4x8x16xf32>
  return %1, %3 : tensor<2x16x4x8xf32>, tensor<2x4x8x16xf32>
}
