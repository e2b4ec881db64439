// RUN: not raf-opt %s --raf-apply-optimizer="optimizer=lion momentum=1.5 weight-decay=-1 beta2=1 epsilon=-1 clip-norm=-1 guard=all" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not raf-opt %s --raf-apply-optimizer="nesterov=true" 2>&1 | FileCheck %s --check-prefix=NESTEROV
// RUN: not raf-opt %s --raf-apply-optimizer="no-decay=q" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not raf-opt %s --raf-apply-optimizer="guard=loss" 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: echo "func.func @main() { return }" | not raf-opt --raf-apply-optimizer 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: echo "func.func @f() { return }" | not raf-opt --raf-apply-optimizer 2>&1 | FileCheck %s --check-prefix=MAIN

// OPTIONS: error: raf-apply-optimizer: optimizer must be sgd, adam or adamw, got 'lion'
// OPTIONS: error: raf-apply-optimizer: momentum must be in [0, 1), got 1.5
// OPTIONS: error: raf-apply-optimizer: weight-decay must not be negative, got -1
// OPTIONS: error: raf-apply-optimizer: beta2 must be in [0, 1), got 1
// OPTIONS: error: raf-apply-optimizer: clip-norm must be finite and not negative, got -1
// OPTIONS: error: raf-apply-optimizer: epsilon must not be negative, got -1
// OPTIONS: error: raf-apply-optimizer: guard must be none, loss or gradients, got 'all'
// NESTEROV: error: raf-apply-optimizer: nesterov needs a momentum above 0
// NAME: error: raf-apply-optimizer: no-decay names 'q', which is no parameter with a gradient
// LOSS: error: raf-apply-optimizer: guard needs a result 'loss' that is a floating-point scalar
// NONE: error: @main has no gradient results (raf.grad_of) to apply: run raf-autodiff first
// MAIN: error: raf-apply-optimizer needs a function @main of one block

func.func @main(%w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<4xf32> {raf.grad_of = 0 : i64, raf.name = "grad:w"}) {
  return %w : tensor<4xf32>
}
