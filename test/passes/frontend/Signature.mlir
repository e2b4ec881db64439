// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-attach-loss=loss=mse | FileCheck %s

// A new argument has a name of its own, and comes last; what a result says of itself goes with it.
// CHECK: func.func @main(
// CHECK-SAME: %{{.*}}: tensor<4x8xf32> {raf.name = "target", raf.role = "input"},
// CHECK-SAME: %{{.*}}: tensor<4xf32> {raf.name = "target_", raf.role = "buffer"},
// CHECK-SAME: %{{.*}}: tensor<4x8xf32> {raf.name = "target__", raf.role = "target"})
// CHECK-SAME: -> (tensor<f32> {raf.name = "loss"}, tensor<4xf32> {raf.alias = 1 : i64, raf.name = "new:target_"})
func.func @main(%t: tensor<4x8xf32> {raf.name = "target", raf.role = "input"}, %u: tensor<4xf32> {raf.name = "target_", raf.role = "buffer"})
    -> (tensor<4x8xf32> {raf.name = "y"}, tensor<4xf32> {raf.name = "new:target_", raf.alias = 1 : i64}) {
  return %t, %u : tensor<4x8xf32>, tensor<4xf32>
}
