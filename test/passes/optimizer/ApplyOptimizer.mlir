// RUN: raf-opt %s --raf-apply-optimizer | FileCheck %s --check-prefix=SGD
// RUN: raf-opt %s --raf-apply-optimizer="optimizer=sgd momentum=0.9 nesterov=true weight-decay=0.01 no-decay=b" | FileCheck %s --check-prefix=MOMENTUM
// RUN: raf-opt %s --raf-apply-optimizer="optimizer=adam beta1=0.8" | FileCheck %s --check-prefix=ADAM
// RUN: raf-opt %s --raf-apply-optimizer="optimizer=adamw weight-decay=0.1" | FileCheck %s --check-prefix=ADAMW

// SGD-LABEL: func.func @main
// SGD-SAME: %[[W:[a-z0-9]+]]: tensor<4x8xf32> {raf.name = "w", raf.role = "param"}, %[[B:[a-z0-9]+]]: tensor<8xf32> {raf.name = "b", raf.role = "param"},
// SGD-SAME: %[[LR:[a-z0-9]+]]: tensor<f32> {raf.name = "lr", raf.role = "lr"})
// SGD-SAME: -> (tensor<f32> {raf.name = "loss"}, tensor<4x8xf32> {raf.alias = 0 : i64, raf.name = "new:w"}, tensor<8xf32> {raf.alias = 1 : i64, raf.name = "new:b"})
// SGD: %[[NEW:.*]] = raf.sgd_update %[[W]], %{{.*}}, %[[LR]] momentum = 0.0{{.*}} weight_decay = 0.0
// SGD-NOT: nesterov

// MOMENTUM-LABEL: func.func @main
// MOMENTUM-SAME: %[[VW:[a-z0-9]+]]: tensor<4x8xf32> {raf.name = "velocity:w", raf.role = "state"}, %[[VB:[a-z0-9]+]]: tensor<8xf32> {raf.name = "velocity:b", raf.role = "state"}
// MOMENTUM-SAME: tensor<8xf32> {raf.alias = 1 : i64, raf.name = "new:b"}, tensor<4x8xf32> {raf.alias = 3 : i64, raf.name = "new:velocity:w"}, tensor<8xf32> {raf.alias = 4 : i64, raf.name = "new:velocity:b"})
// MOMENTUM: raf.sgd_update %{{.*}}, %[[VW]] momentum = 9.0{{.*}} weight_decay = 1.0{{0*}}e-02 nesterov
// MOMENTUM: raf.sgd_update %{{.*}}, %[[VB]] momentum = 9.0{{.*}} weight_decay = 0.0{{.*}} nesterov

// The step counter that dropout uses counts for Adam too.
// ADAM-LABEL: func.func @main
// ADAM-SAME: %[[STEP:[a-z0-9]+]]: tensor<i64> {raf.name = "t", raf.role = "step"}
// ADAM-SAME: "m:w", raf.role = "state"}, %{{.*}} "v:w", raf.role = "state"}, %{{.*}} "m:b", {{.*}} "v:b", raf.role = "state"}, %[[LR:[a-z0-9]+]]: tensor<f32> {raf.name = "lr", raf.role = "lr"})
// ADAM-SAME: raf.name = "new:m:w"}, {{.*}} "new:v:w"}, {{.*}} "new:m:b"}, {{.*}} "new:v:b"})
// ADAM: raf.adam_update %{{.*}}, %[[LR]], %[[STEP]] beta1 = 8.0{{.*}} weight_decay = 0.0{{[^ ]*}} :

// ADAMW: raf.adam_update %{{.*}} weight_decay = 1.0{{0*}}e-01 decoupled :

func.func @main(%w: tensor<4x8xf32> {raf.role = "param", raf.name = "w"}, %b: tensor<8xf32> {raf.role = "param", raf.name = "b"}, %t: tensor<i64> {raf.role = "step", raf.name = "t"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<4x8xf32> {raf.grad_of = 0 : i64, raf.name = "grad:w"}, tensor<8xf32> {raf.grad_of = 1 : i64, raf.name = "grad:b"}) {
  %loss = raf.constant dense<1.0> : tensor<f32>
  %dw = raf.exp %w : tensor<4x8xf32>
  %db = raf.exp %b : tensor<8xf32>
  return %loss, %dw, %db : tensor<f32>, tensor<4x8xf32>, tensor<8xf32>
}
