// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-scale-loss | FileCheck %s --check-prefix=SCALE
// RUN: raf-opt %s --raf-scale-loss --raf-autodiff=of=scaled_loss --raf-unscale-gradients | FileCheck %s --check-prefix=UNSCALE
// RUN: raf-opt %s --raf-scale-loss --raf-autodiff=of=scaled_loss --raf-unscale-gradients --raf-apply-optimizer=guard=gradients --raf-update-loss-scale=growth-interval=7 | FileCheck %s --check-prefix=UPDATE
// RUN: not raf-opt %s --raf-scale-loss --raf-scale-loss 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not raf-opt %s --raf-unscale-gradients 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not raf-opt %s --raf-scale-loss --raf-update-loss-scale 2>&1 | FileCheck %s --check-prefix=GUARD
// RUN: not raf-opt %s --raf-scale-loss --raf-update-loss-scale=growth-interval=0 2>&1 | FileCheck %s --check-prefix=INTERVAL
// RUN: echo "func.func @main(%%x: tensor<f64>) -> (tensor<f64> {raf.name = \"loss\"}) { return %%x : tensor<f64> }" | not raf-opt --raf-scale-loss 2>&1 | FileCheck %s --check-prefix=F64

// SCALE: %[[S:[a-z0-9]+]]: tensor<f32> {raf.name = "loss_scale", raf.role = "state"}
// SCALE-SAME: tensor<i64> {raf.name = "good_steps", raf.role = "state"}
// SCALE-SAME: tensor<f32> {raf.name = "scaled_loss"}
// SCALE: %[[LOSS:.*]] = raf.reduce sum
// SCALE: %[[SCALED:.*]] = raf.mul %[[LOSS]], %[[S]]
// SCALE: return %[[LOSS]], %[[SCALED]]

// The cotangent of the loss is the scale, and the gradient leaves divided by it.
// UNSCALE-NOT: scaled_loss"}
// UNSCALE: %[[INV:.*]] = raf.div %{{.*}}, %{{.*}} : tensor<f32>
// UNSCALE: %[[ALL:.*]] = raf.broadcast %[[INV]]
// UNSCALE: %[[G:.*]] = raf.mul %{{.*}}, %[[ALL]] : tensor<4xf32>
// UNSCALE: return %{{.*}}, %[[G]]

// UPDATE: %[[W:[a-z0-9]+]]: tensor<4xf32> {raf.name = "w"{{[^%]*}}%[[S:[a-z0-9]+]]: tensor<f32> {raf.name = "loss_scale"{{[^%]*}}%[[N:[a-z0-9]+]]: tensor<i64> {raf.name = "good_steps"
// UPDATE-SAME: tensor<f32> {raf.alias = 1 : i64, raf.name = "new:loss_scale"}, tensor<i64> {raf.alias = 2 : i64, raf.name = "new:good_steps"}
// UPDATE: %[[FINITE:.*]] = raf.compare lt
// UPDATE: %[[MORE:.*]] = raf.add %[[N]]
// UPDATE: %[[GROWS:.*]] = raf.compare ge %[[MORE]]
// UPDATE: %[[GROWN:.*]] = raf.select %[[GROWS]], %{{.*}}, %[[S]]
// UPDATE: %[[LOSSFINITE:.*]] = raf.compare lt
// UPDATE: %[[SHRUNK:.*]] = raf.select %[[LOSSFINITE]], %{{.*}}, %[[S]]
// UPDATE: raf.select %[[FINITE]], %[[GROWN]], %[[SHRUNK]]

// TWICE: error: raf-scale-loss: @main has an argument 'loss_scale' already
// NONE: error: raf-unscale-gradients: @main has no states 'loss_scale' (tensor<f32>) and 'good_steps' (tensor<i64>): run raf-scale-loss first
// GUARD: error: raf-update-loss-scale: @main must have the results 'loss' and 'finite': run raf-apply-optimizer with guard=gradients first
// INTERVAL: error: raf-update-loss-scale: growth-interval must be at least 1, got 0
// F64: error: raf-scale-loss: @main must have a result 'loss' of type 'tensor<f32>', got 'tensor<f64>'
func.func @main(%w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %y = raf.tanh %w : tensor<4xf32>
  %loss = raf.reduce sum %y dims = [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
