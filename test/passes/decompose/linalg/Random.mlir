// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --raf-convert-to-linalg | FileCheck %s

// The mask is drawn in f32 whatever the type of the data is.
// CHECK-LABEL: func.func @dropout
// CHECK:         linalg.generic {{.*}} ins(%arg1, %arg2 : tensor<i64>, tensor<i64>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK-DAG:       arith.constant 3528531795 : i64
// CHECK-DAG:       arith.constant 3449720151 : i64
// CHECK-DAG:       arith.constant -1640531527 : i32
// CHECK:           arith.sitofp %{{.*}} : i32 to f32
func.func @dropout(%x: tensor<4x8xbf16>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<4x8xbf16> {
  %y = raf.dropout %x, %seed, %step ratio = 0.1 op_id = 3 : tensor<4x8xbf16>
  return %y : tensor<4x8xbf16>
}

// CHECK-LABEL: func.func @threefry
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>, tensor<4x8xi32>)
// CHECK:           arith.constant 466688986 : i32
// CHECK-COUNT-20:  arith.shrui
// CHECK-NOT:       arith.shrui
func.func @threefry(%k0: tensor<4x8xi32>, %k1: tensor<4x8xi32>, %c0: tensor<4x8xi32>, %c1: tensor<4x8xi32>) -> tensor<4x8xi32> {
  %y = raf.threefry %k0, %k1, %c0, %c1 word = 1 : tensor<4x8xi32>
  return %y : tensor<4x8xi32>
}
