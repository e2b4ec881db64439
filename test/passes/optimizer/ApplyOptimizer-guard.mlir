// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-apply-optimizer="momentum=0.9 guard=loss" | FileCheck %s
// RUN: raf-opt %s --raf-apply-optimizer="momentum=0.9 guard=gradients" | FileCheck %s --check-prefix=GRADIENTS
// RUN: raf-opt %s --raf-apply-optimizer="momentum=0.9" | FileCheck %s --check-prefix=OFF

// Everything that the step overwrites is chosen: parameters, states and buffers.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4x8xbf16> {raf.name = "w"{{[^%]*}}%[[MEAN:[a-z0-9]+]]: tensor<8xf32> {raf.name = "mean"{{[^%]*}}%[[COUNT:[a-z0-9]+]]: tensor<i64>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<4x8xbf16> {raf.name = "velocity:w"{{[^%]*}}%[[LR:[a-z0-9]+]]: tensor<f32>
// CHECK-SAME: tensor<i1> {raf.name = "finite"})
// CHECK: %[[LOSS:.*]] = raf.tanh
// CHECK: %[[NEW:.*]], %[[NEW_V:.*]] = raf.sgd_update
// CHECK-DAG: %[[ABS:.*]] = raf.abs %[[LOSS]]
// CHECK-DAG: %[[RATE:.*]] = raf.abs %[[LR]]
// CHECK: %[[SUM:.*]] = raf.add %[[ABS]], %[[RATE]] : tensor<f32>
// CHECK: %[[INF:.*]] = raf.constant dense<0x7F800000> : tensor<f32>
// CHECK: %[[FINITE:.*]] = raf.compare lt %[[SUM]], %[[INF]]
// CHECK: %[[ALL:.*]] = raf.broadcast %[[FINITE]] dims = [] : tensor<i1> to tensor<4x8xi1>
// CHECK: %[[R0:.*]] = raf.select %[[ALL]], %[[NEW]], %[[W]]
// CHECK: %[[R1:.*]] = raf.select %{{.*}}, %{{.*}}, %[[MEAN]]
// CHECK: %[[R2:.*]] = raf.select %[[FINITE]], %{{.*}}, %[[COUNT]]
// CHECK: %[[R3:.*]] = raf.select %{{.*}}, %[[NEW_V]], %[[V]]
// CHECK: return %[[LOSS]], %[[R0]], %{{.*}}, %[[R1]], %[[R2]], %[[R3]], %[[FINITE]]

// Squares are summed in the type of the learning rate.
// GRADIENTS: %[[DW:.*]] = raf.exp
// GRADIENTS: %[[WIDE:.*]] = raf.cast %[[DW]] : tensor<4x8xbf16> to tensor<4x8xf32>
// GRADIENTS: %[[SQUARES:.*]] = raf.mul %[[WIDE]], %[[WIDE]]
// GRADIENTS: %[[SUM:.*]] = raf.reduce sum %[[SQUARES]] dims = [0, 1]
// GRADIENTS: %[[TOTAL:.*]] = raf.add %{{.*}}, %[[SUM]]
// GRADIENTS: raf.compare lt %[[TOTAL]],

// OFF-NOT: raf.select
// OFF-NOT: finite
func.func @main(%w: tensor<4x8xbf16> {raf.role = "param", raf.name = "w"}, %mean: tensor<8xf32> {raf.role = "buffer", raf.name = "mean"}, %count: tensor<i64> {raf.role = "buffer", raf.name = "count"},
    %x: tensor<f32> {raf.role = "input", raf.name = "x"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<4x8xbf16> {raf.grad_of = 0 : i64, raf.name = "grad:w"}, tensor<8xf32> {raf.name = "output"},
        tensor<8xf32> {raf.alias = 1 : i64, raf.name = "new:mean"}, tensor<i64> {raf.alias = 2 : i64, raf.name = "new:count"}) {
  %loss = raf.tanh %x : tensor<f32>
  %dw = raf.exp %w : tensor<4x8xbf16>
  %dm = raf.exp %mean : tensor<8xf32>
  %more = raf.add %count, %count : tensor<i64>
  return %loss, %dw, %dm, %dm, %more : tensor<f32>, tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<i64>
}
