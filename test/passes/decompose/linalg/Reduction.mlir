// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1) -> (d0, d1)>
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: func.func @max
// CHECK:         %[[LOW:.*]] = arith.constant 0xFF800000 : f32
// CHECK:         %[[INIT:.*]] = linalg.fill ins(%[[LOW]] : f32)
// CHECK:         linalg.generic {indexing_maps = [#[[$ID]], #[[$ROWS]]], iterator_types = ["parallel", "reduction"]} ins(%arg0 : tensor<4x8xf32>) outs(%[[INIT]] : tensor<4xf32>)
// CHECK:           arith.maximumf
func.func @max(%x: tensor<4x8xf32>) -> tensor<4xf32> {
  %y = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// 16-bit floats accumulate in f32.
// CHECK-LABEL: func.func @sum_bf16
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4xf32>)
// CHECK:           arith.addf %{{.*}}, %{{.*}} : f32
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<4xbf16>)
// CHECK:           arith.truncf
func.func @sum_bf16(%x: tensor<4x8xbf16>) -> tensor<4xbf16> {
  %y = raf.reduce sum %x dims = [1] : tensor<4x8xbf16> -> tensor<4xbf16>
  return %y : tensor<4xbf16>
}

// The extremum, then the least index that has it.
// CHECK-LABEL: func.func @arg_max
// CHECK:         %[[M:.*]] = linalg.generic
// CHECK:           arith.maximumf
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%arg0, %[[M]] : tensor<4x8xf32>, tensor<4xf32>) outs(%{{.*}} : tensor<4xi64>)
// CHECK:           arith.cmpf oeq
// CHECK:           linalg.index 1
// CHECK:           arith.minsi
// CHECK:         return %[[R]]
func.func @arg_max(%x: tensor<4x8xf32>) -> tensor<4xi64> {
  %y = raf.arg_reduce max %x axis = 1 : tensor<4x8xf32> -> tensor<4xi64>
  return %y : tensor<4xi64>
}
