// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-simplify -split-input-file | FileCheck %s

// CHECK-LABEL: func @box
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8x4xf32>, %[[U:[a-z0-9]+]]: tensor<1x4xf32>, %[[I:[a-z0-9]+]]: tensor<i64>
// CHECK: %[[OLD:.+]] = raf.dynamic_slice %[[A]][%[[I]], %[[I]]]
// CHECK: %[[SUM:.+]] = raf.add %[[OLD]], %[[U]] : tensor<1x4xf32>
// CHECK: %[[Y:.+]] = raf.dynamic_update_slice %[[A]], %[[SUM]][%[[I]], %[[I]]]
// CHECK: return %[[Y]]
func.func @box(%a: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i64>) -> tensor<8x4xf32> {
  %z = raf.constant dense<0.0> : tensor<8x4xf32>
  %b = raf.dynamic_update_slice %z, %u[%i, %i] : tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>
  %y = raf.add %b, %a : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// -----

// What is used elsewhere, or not zero outside the box, stays.
// CHECK-LABEL: func @others
// CHECK-COUNT-2: raf.add {{.+}} : tensor<8x4xf32>
func.func @others(%a: tensor<8x4xf32>, %u: tensor<1x4xf32>, %i: tensor<i64>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) {
  %z = raf.constant dense<0.0> : tensor<8x4xf32>
  %one = raf.constant dense<1.0> : tensor<8x4xf32>
  %b = raf.dynamic_update_slice %z, %u[%i, %i] : tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>
  %c = raf.dynamic_update_slice %one, %u[%i, %i] : tensor<8x4xf32>, tensor<1x4xf32>, tensor<i64>
  %y = raf.add %b, %a : tensor<8x4xf32>
  %w = raf.add %c, %a : tensor<8x4xf32>
  return %y, %b, %w : tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
}
