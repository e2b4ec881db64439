// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-apply-optimizer="clip-norm=0.5 weight-decay=0.1" | FileCheck %s
// RUN: raf-opt %s --raf-apply-optimizer="clip-norm=0.5 guard=gradients" --cse | FileCheck %s --check-prefix=GUARD
// RUN: raf-opt %s --raf-apply-optimizer="clip-norm=0" | FileCheck %s --check-prefix=OFF

// One sum of squares over all gradients, in the type of the learning rate; weight decay sees the scaled gradient.
// CHECK: %[[DW:.*]] = raf.exp
// CHECK: %[[DB:.*]] = raf.tanh
// CHECK: %[[WIDE:.*]] = raf.cast %[[DW]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: %[[SQUARES:.*]] = raf.mul %[[WIDE]], %[[WIDE]]
// CHECK: %[[FIRST:.*]] = raf.reduce sum %[[SQUARES]] dims = [0, 1]
// CHECK: %[[SECOND:.*]] = raf.mul %[[DB]], %[[DB]] : tensor<f32>
// CHECK: %[[TOTAL:.*]] = raf.add %[[FIRST]], %[[SECOND]]
// CHECK: %[[NORM:.*]] = raf.sqrt %[[TOTAL]]
// CHECK: %[[RATIO:.*]] = raf.div %{{.*}}, %[[NORM]]
// CHECK: %[[FACTOR:.*]] = raf.minimum %[[RATIO]], %{{.*}}
// CHECK: %[[ALL:.*]] = raf.broadcast %[[FACTOR]]
// CHECK: %[[SCALED:.*]] = raf.mul %{{.*}}, %[[ALL]] : tensor<4x8xf32>
// CHECK: %[[G0:.*]] = raf.cast %[[SCALED]] : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK: %[[G1:.*]] = raf.mul %[[DB]], %[[FACTOR]] : tensor<f32>
// CHECK: raf.sgd_update %{{.*}}, %[[G0]], {{.*}} weight_decay = 1.000000e-01
// CHECK: raf.sgd_update %{{.*}}, %[[G1]], {{.*}} weight_decay = 1.000000e-01

// The guard looks at the same sum, of the gradients as they were.
// GUARD: %[[NORM:.*]] = raf.sqrt %[[TOTAL:.*]] :
// GUARD: %[[SUM:.*]] = raf.add %{{.*}}, %[[TOTAL]]
// GUARD: raf.compare lt %[[SUM]],

// OFF-NOT: raf.sqrt
func.func @main(%w: tensor<4x8xbf16> {raf.role = "param", raf.name = "w"}, %b: tensor<f32> {raf.role = "param", raf.name = "b"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<4x8xbf16> {raf.grad_of = 0 : i64, raf.name = "grad:w"}, tensor<f32> {raf.grad_of = 1 : i64, raf.name = "grad:b"}) {
  %dw = raf.exp %w : tensor<4x8xbf16>
  %db = raf.tanh %b : tensor<f32>
  return %b, %dw, %db : tensor<f32>, tensor<4x8xbf16>, tensor<f32>
}
