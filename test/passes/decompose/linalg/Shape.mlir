// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// CHECK-DAG: #[[$SLICE:.*]] = affine_map<(d0, d1) -> (d0, d1 * 2 + 1)>
// CHECK-DAG: #[[$BIAS:.*]] = affine_map<(d0, d1) -> (d1)>
// CHECK-DAG: #[[$T:.*]] = affine_map<(d0, d1) -> (d1, d0)>

// CHECK-LABEL: func.func @moves
// CHECK:         linalg.generic {indexing_maps = [#[[$BIAS]],
// CHECK:         linalg.generic {indexing_maps = [#[[$T]],
// CHECK:         linalg.generic {indexing_maps = [#[[$SLICE]],
func.func @moves(%v: tensor<8xf32>, %x: tensor<8x4xf32>) -> (tensor<4x8xf32>, tensor<4x3xf32>) {
  %b = raf.broadcast %v dims = [1] : tensor<8xf32> to tensor<4x8xf32>
  %t = raf.transpose %x permutation = [1, 0] : tensor<8x4xf32> -> tensor<4x8xf32>
  %s = raf.slice %t starts = [0, 1] limits = [4, 7] strides = [1, 2] : tensor<4x8xf32> -> tensor<4x3xf32>
  return %b, %s : tensor<4x8xf32>, tensor<4x3xf32>
}

// The beginning of a dimension is no map: a plain loop index must cover its dimension.
// CHECK-LABEL: func.func @head
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4x3xf32>)
// CHECK:           tensor.extract %arg0
func.func @head(%x: tensor<4x8xf32>) -> tensor<4x3xf32> {
  %y = raf.slice %x starts = [0, 0] limits = [4, 3] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// A constant that stays a tensor stays a constant; a large splat is written by a loop.
// CHECK-LABEL: func.func @constants
// CHECK-DAG:     %[[A:.*]] = raf.constant dense<[1.0{{.*}}, 2.0{{.*}}]> : tensor<2xf32>
// CHECK-DAG:     %[[B:.*]] = linalg.fill {{.*}} -> tensor<2048xf32>
// CHECK:         return %[[A]], %[[B]]
func.func @constants() -> (tensor<2xf32>, tensor<2048xf32>) {
  %a = raf.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %b = raf.constant dense<1.0> : tensor<2048xf32>
  return %a, %b : tensor<2xf32>, tensor<2048xf32>
}

// The test for padding is a branch around the load.
// CHECK-LABEL: func.func @pad
// CHECK:           %[[IN:.*]] = arith.cmpi ult
// CHECK:           scf.if %[[IN]] -> (f32)
// CHECK-NEXT:        tensor.extract %arg0
func.func @pad(%x: tensor<4x8xf32>) -> tensor<4x10xf32> {
  %y = raf.pad %x low = [0, 1] high = [0, 1] interior = [0, 0] value = 0.0 : tensor<4x8xf32> -> tensor<4x10xf32>
  return %y : tensor<4x10xf32>
}

// Nothing is left of an op on no elements but its start.
// CHECK-LABEL: func.func @empty
// CHECK-NOT:     linalg.generic
// CHECK:         %[[S:.*]] = linalg.fill
// CHECK:         return %[[S]], %arg1
func.func @empty(%x: tensor<0x8xf32>, %y: tensor<4x8xf32>, %i: tensor<0xi64>) -> (tensor<8xf32>, tensor<4x8xf32>) {
  %e = raf.exp %x : tensor<0x8xf32>
  %s = raf.reduce sum %e dims = [0] : tensor<0x8xf32> -> tensor<8xf32>
  %z = raf.scatter_add %y, %i, %e axis = 0 : tensor<4x8xf32>, tensor<0xi64>, tensor<0x8xf32>
  return %s, %z : tensor<8xf32>, tensor<4x8xf32>
}

// The part that a position lies in is found by a binary search: with many parts, a chain of branches would be as deep as there are parts.
// CHECK-LABEL: func.func @concat
// CHECK-SAME:    %[[A:.*]]: tensor<2x3xf32>, %[[B:.*]]: tensor<4x3xf32>, %{{.*}}: tensor<0x3xf32>, %[[C:.*]]: tensor<1x3xf32>, %[[D:.*]]: tensor<5x3xf32>
// CHECK:         %[[I:.*]] = linalg.index 0
// CHECK:         %[[SIX:.*]] = arith.constant 6 : index
// CHECK:         %[[LEFT:.*]] = arith.cmpi ult, %[[I]], %[[SIX]]
// CHECK:         scf.if %[[LEFT]]
// CHECK:           scf.if
// CHECK:             tensor.extract %[[A]][%[[I]],
// CHECK:           } else {
// CHECK:             tensor.extract %[[B]]
// CHECK:         } else {
// CHECK:           scf.if
// CHECK:             tensor.extract %[[C]]
// CHECK:           } else {
// CHECK:             tensor.extract %[[D]]
// CHECK-NOT:     scf.if
func.func @concat(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %none: tensor<0x3xf32>, %c: tensor<1x3xf32>, %d: tensor<5x3xf32>) -> tensor<12x3xf32> {
  %y = raf.concat %a, %b, %none, %c, %d axis = 0 : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<0x3xf32>, tensor<1x3xf32>, tensor<5x3xf32>) -> tensor<12x3xf32>
  return %y : tensor<12x3xf32>
}

// A slice from the start of a dimension is read in the body: its map would give the loops the size of x.
// CHECK-LABEL: func.func @prefix
// CHECK:         %[[I:.*]] = linalg.index 0
// CHECK:         %[[J:.*]] = linalg.index 1
// CHECK:         %[[K:.*]] = arith.addi %[[J]],
// CHECK:         tensor.extract %{{.*}}[%[[I]], %[[K]]]
func.func @prefix(%x: tensor<8x4xf32>) -> tensor<3x2xf32> {
  %s = raf.slice %x starts = [0, 1] limits = [3, 3] strides = [1, 1] : tensor<8x4xf32> -> tensor<3x2xf32>
  return %s : tensor<3x2xf32>
}
