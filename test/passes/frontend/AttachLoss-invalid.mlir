// RUN: not raf-opt %s --raf-attach-loss="loss=hinge label-smoothing=2 delta=0 target-type=f8" 2>&1 | FileCheck %s --check-prefix=OPTIONS
// RUN: not raf-opt %s --raf-attach-loss="loss=mse output=z" 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not raf-opt %s --raf-attach-loss="loss=mse output=i" 2>&1 | FileCheck %s --check-prefix=INTEGER
// RUN: not raf-opt %s --raf-attach-loss="loss=cross_entropy class-axis=2" 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not raf-opt %s --raf-attach-loss="loss=cross_entropy target-type=f32" 2>&1 | FileCheck %s --check-prefix=LABELS
// RUN: not raf-opt %s --raf-attach-loss="loss=mse output=d" 2>&1 | FileCheck %s --check-prefix=DYNAMIC
// RUN: not raf-opt %s --raf-attach-loss="loss=output" 2>&1 | FileCheck %s --check-prefix=SCALAR

// OPTIONS: error: raf-attach-loss: loss must be cross_entropy, mse, l1, huber, bce_with_logits or output, got 'hinge'
// OPTIONS: error: raf-attach-loss: label-smoothing must be in [0, 1], got 2
// OPTIONS: error: raf-attach-loss: delta must be positive, got 0
// OPTIONS: error: raf-attach-loss: target-type must be f64, f32, f16, bf16, i64, i32 or i1, got 'f8'
// NAME: error: raf-attach-loss: @main has no output 'z'; its outputs are [y, i, d]
// INTEGER: error: raf-attach-loss: output 'i' must be a floating-point tensor of static shape, got 'tensor<4xi64>'
// DYNAMIC: error: raf-attach-loss: output 'd' must be a floating-point tensor of static shape, got 'tensor<?xf32>'
// AXIS: error: raf-attach-loss: cross_entropy needs logits of rank 2 or more with the class axis among their dimensions, got 'tensor<4x8xf32>' and class-axis 2
// LABELS: error: raf-attach-loss: labels must be i64 or i32, got target-type f32; probabilities need dense-target
// SCALAR: error: raf-attach-loss: output 'y' must have one element, got 'tensor<4x8xf32>'
func.func @main(%y: tensor<4x8xf32> {raf.role = "input", raf.name = "y"}, %i: tensor<4xi64> {raf.role = "input", raf.name = "i"},
                %d: tensor<?xf32> {raf.role = "input", raf.name = "d"}) -> (tensor<4x8xf32> {raf.name = "y"}, tensor<4xi64> {raf.name = "i"}, tensor<?xf32> {raf.name = "d"}) {
  return %y, %i, %d : tensor<4x8xf32>, tensor<4xi64>, tensor<?xf32>
}
