// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=cross_entropy label-smoothing=0.1 ignore-index=-1" | FileCheck %s --check-prefix=CE
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=cross_entropy target-type=i32 class-axis=-1" | FileCheck %s --check-prefix=LAST
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=cross_entropy dense-target=true label-smoothing=0.25" | FileCheck %s --check-prefix=DENSE
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=mse keep-outputs=true output=y" | FileCheck %s --check-prefix=MSE
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=l1" | FileCheck %s --check-prefix=L1
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=huber delta=2.0" | FileCheck %s --check-prefix=HUBER
// RUN: raf-opt %s --split-input-file --raf-attach-loss="loss=bce_with_logits target-type=i1" | FileCheck %s --check-prefix=BCE

// Rank 2: no transpose, no reshape.
// CE-LABEL: func.func @main(
// CE-SAME: %[[Y:[a-z0-9]+]]: tensor<4x8xf32> {raf.name = "y", raf.role = "input"}, %[[B:[a-z0-9]+]]: tensor<8xf32> {raf.name = "mean", raf.role = "buffer"},
// CE-SAME: %[[T:[a-z0-9]+]]: tensor<4xi64> {raf.name = "target", raf.role = "target"})
// CE-SAME: -> (tensor<f32> {raf.name = "loss"}, tensor<8xf32> {raf.alias = 1 : i64, raf.name = "new:mean"})
// CE-NEXT: %[[NEW:.*]] = raf.neg %[[B]]
// CE-NEXT: %[[LOSS:.*]], %{{.*}} = raf.cross_entropy %[[Y]], %[[T]] ignore_index = -1 label_smoothing = 1.0{{0*}}e-01
// CE-NEXT: return %[[LOSS]], %[[NEW]]

// DENSE-LABEL: func.func @main(
// DENSE-SAME: %[[T:[a-z0-9]+]]: tensor<4x8xf32> {raf.name = "target", raf.role = "target"})
// DENSE: %[[KEPT:.*]] = raf.mul %[[T]]
// DENSE: raf.constant dense<3.125000e-02>
// DENSE: %[[SMOOTH:.*]] = raf.add %[[KEPT]]
// DENSE: %[[P:.*]] = raf.log_softmax %{{.*}} axis = 1
// DENSE: raf.mul %[[SMOOTH]], %[[P]]
// DENSE: raf.reduce sum %{{.*}} dims = [0, 1]
// DENSE: raf.constant dense<-2.500000e-01> : tensor<f32>

// MSE-LABEL: func.func @main(
// MSE-SAME: -> (tensor<f32> {raf.name = "loss"}, tensor<4x8xf32> {raf.name = "y"}, tensor<8xf32> {raf.alias = 1 : i64, raf.name = "new:mean"})
// MSE: %[[D:.*]] = raf.sub %[[Y:.*]], %{{.*}} : tensor<4x8xf32>
// MSE: %[[S:.*]] = raf.mul %[[D]], %[[D]]
// MSE: %[[SUM:.*]] = raf.reduce sum %[[S]] dims = [0, 1]
// MSE: %[[C:.*]] = raf.constant dense<3.125000e-02> : tensor<f32>
// MSE: %[[LOSS:.*]] = raf.mul %[[SUM]], %[[C]]
// MSE: return %[[LOSS]], %[[Y]]

// L1-LABEL: func.func @main(
// L1: raf.sub
// L1: raf.abs
// L1: raf.reduce sum

// HUBER-LABEL: func.func @main(
// HUBER: %[[D:.*]] = raf.sub
// HUBER: %[[A:.*]] = raf.abs %[[D]]
// HUBER: raf.constant dense<1.0
// HUBER: %[[L:.*]] = raf.sub %[[A]]
// HUBER: raf.constant dense<2.0
// HUBER: raf.mul %[[L]]
// HUBER: raf.constant dense<2.0
// HUBER: %[[IN:.*]] = raf.compare le %[[A]]
// HUBER: raf.select %[[IN]]

// BCE-LABEL: func.func @main(
// BCE-SAME: %[[T:[a-z0-9]+]]: tensor<4x8xi1> {raf.name = "target", raf.role = "target"})
// BCE: %[[F:.*]] = raf.cast %[[T]] : tensor<4x8xi1> to tensor<4x8xf32>
// BCE: raf.maximum
// BCE: raf.abs
// BCE: raf.neg
// BCE: raf.exp
// BCE: raf.log1p
// BCE: raf.mul %{{.*}}, %[[F]]

func.func @main(%y: tensor<4x8xf32> {raf.role = "input", raf.name = "y"}, %m: tensor<8xf32> {raf.role = "buffer", raf.name = "mean"})
    -> (tensor<4x8xf32> {raf.name = "y"}, tensor<8xf32> {raf.name = "new:mean", raf.alias = 1 : i64}) {
  %new = raf.neg %m : tensor<8xf32>
  return %y, %new : tensor<4x8xf32>, tensor<8xf32>
}

// -----

// [N, C, d]: the class axis goes last and the rest becomes rows; 16-bit logits are widened; a taken name gets an underscore.
// CE-LABEL: func.func @main(
// CE-SAME: %[[T:[a-z0-9]+]]: tensor<2x5xi64> {raf.name = "target_", raf.role = "target"})
// CE-NEXT: %[[W:.*]] = raf.cast %{{.*}} : tensor<2x3x5xbf16> to tensor<2x3x5xf32>
// CE-NEXT: %[[P:.*]] = raf.transpose %[[W]] permutation = [0, 2, 1]
// CE-NEXT: %[[R:.*]] = raf.reshape %[[P]] : tensor<2x5x3xf32> to tensor<10x3xf32>
// CE-NEXT: %[[L:.*]] = raf.reshape %[[T]] : tensor<2x5xi64> to tensor<10xi64>
// CE-NEXT: raf.cross_entropy %[[R]], %[[L]]

// LAST-LABEL: func.func @main(
// LAST-LABEL: func.func @main(
// LAST-SAME: %[[T:[a-z0-9]+]]: tensor<2x3xi32> {raf.name = "target_", raf.role = "target"})
// LAST-NOT: raf.transpose
// LAST: raf.reshape %{{.*}} : tensor<2x3x5xf32> to tensor<6x5xf32>

// DENSE-LABEL: func.func @main(
// MSE-LABEL: func.func @main(
// L1-LABEL: func.func @main(
// HUBER-LABEL: func.func @main(
// BCE-LABEL: func.func @main(
func.func @main(%y: tensor<2x3x5xbf16> {raf.role = "input", raf.name = "target"}) -> (tensor<2x3x5xbf16> {raf.name = "y"}) {
  return %y : tensor<2x3x5xbf16>
}
