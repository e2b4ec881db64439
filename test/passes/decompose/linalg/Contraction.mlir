// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// CHECK-DAG: #[[$A:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
// CHECK-DAG: #[[$B:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d2, d3)>
// CHECK-DAG: #[[$C:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>

// CHECK-LABEL: func.func @matmul
// CHECK:         linalg.generic {indexing_maps = [#[[$A]], #[[$B]], #[[$C]]], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
// CHECK:           arith.mulf
// CHECK-NEXT:      arith.addf
func.func @matmul(%a: tensor<2x4x8xf32>, %b: tensor<2x5x8xf32>) -> tensor<2x4x5xf32> {
  %y = raf.matmul %a, %b transpose_rhs : tensor<2x4x8xf32>, tensor<2x5x8xf32> -> tensor<2x4x5xf32>
  return %y : tensor<2x4x5xf32>
}
