// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --mlir-pass-statistics -o /dev/null 2>&1 | FileCheck %s --check-prefix=STATS

// An op without a rule is replaced by its decomposition, whose ops have rules. Only if a derivative goes through it: the other stays whole.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[P:[a-z0-9]+]]: tensor<4xf32> {{{[^}]*}}}, %[[G:[a-z0-9]+]]: tensor<4xf32> {{{[^}]*}}}, %[[LR:[a-z0-9]+]]: tensor<f32>
// CHECK: %[[STEP:.*]] = raf.mul %[[B:.*]], %[[G]] : tensor<4xf32>
// CHECK: %[[NEW:.*]] = raf.sub %[[P]], %[[STEP]]
// CHECK: %[[OTHER:.*]] = raf.sgd_update %[[G]], %[[G]], %[[LR]]
// CHECK: return %[[NEW]], %[[OTHER]], %[[DY:.*]] :
// STATS: (S) 1 ops decomposed
func.func @main(%p: tensor<4xf32> {raf.role = "param", raf.name = "p"}, %g: tensor<4xf32> {raf.role = "input", raf.name = "g"}, %lr: tensor<f32> {raf.role = "lr", raf.name = "lr"})
    -> (tensor<4xf32> {raf.name = "y"}, tensor<4xf32> {raf.name = "z"}) {
  %y = raf.sgd_update %p, %g, %lr momentum = 0.0 weight_decay = 0.0 : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  %z = raf.sgd_update %g, %g, %lr momentum = 0.0 weight_decay = 0.0 : (tensor<4xf32>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// The gradients of norms and of cross entropy are differentiated so, for the second order.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.cross_entropy_grad
// CHECK: raf.exp
// CHECK: return
func.func @main(%d: tensor<f32> {raf.role = "input", raf.name = "d"}, %x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %l: tensor<4xi64> {raf.role = "input", raf.name = "l"},
                %s: tensor<4xf32> {raf.role = "input", raf.name = "s"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.cross_entropy_grad %d, %x, %l, %s ignore_index = -1 label_smoothing = 0.0 : tensor<f32>, tensor<4x8xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
