// RUN: raf-opt %s --split-input-file --raf-autodiff | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-autodiff --mlir-pass-statistics 2>&1 | FileCheck %s --check-prefix=STATS

// Only what lies between a parameter and the loss is differentiated: not the input, not what only another output uses, and nothing behind integers. Each use but the
// first of a value adds one raf.add.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4xf32> {raf.name = "x", raf.role = "input"}, %[[W:[a-z0-9]+]]: tensor<4xf32>
// STATS: (S) 2 accumulations
// STATS: (S) 0 ops decomposed
// STATS: (S) 5 ops differentiated
func.func @main(%x: tensor<4xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<4xf32> {raf.role = "param", raf.name = "w"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<4xf32> {raf.name = "y"}) {
  // CHECK: %[[A:.*]] = raf.mul %[[X]], %[[W]]
  %a = raf.mul %x, %w : tensor<4xf32>
  // CHECK: %[[UNUSED:.*]] = raf.exp
  %unused = raf.exp %w : tensor<4xf32>
  // CHECK: raf.compare
  %m = raf.compare gt %a, %x : tensor<4xf32> -> tensor<4xi1>
  // CHECK: %[[F:.*]] = raf.cast
  %f = raf.cast %m : tensor<4xi1> to tensor<4xf32>
  // CHECK: raf.mul
  %b = raf.mul %a, %f : tensor<4xf32>
  // CHECK: raf.add %[[A]], %[[A]]
  %c = raf.add %a, %a : tensor<4xf32>
  // CHECK: raf.add
  %d = raf.add %c, %b : tensor<4xf32>
  // CHECK: %[[LOSS:.*]] = raf.reduce
  %loss = raf.reduce sum %d dims = [0] : tensor<4xf32> -> tensor<f32>
  // CHECK-NEXT: %[[ONE:.*]] = raf.constant dense<1.0
  // CHECK-NEXT: %[[ONES:.*]] = raf.constant dense<1.0{{.*}} : tensor<4xf32>
  // CHECK-NEXT: %[[TWO:.*]] = raf.add %[[ONES]], %[[ONES]]
  // CHECK-NEXT: %[[DA:.*]] = raf.add %[[TWO]], %[[F]]
  // CHECK-NEXT: %[[DW:.*]] = raf.mul %[[DA]], %[[X]]
  // CHECK-NEXT: return %[[LOSS]], %[[UNUSED]], %[[DW]]
  return %loss, %unused : tensor<f32>, tensor<4xf32>
}

// -----

// Nothing flows back through raf.stop_gradient: d/dw (w sg(w)) = sg(w), and the op is still there for a second derivative.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<f32>
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  // CHECK-NEXT: %[[S:.*]] = raf.stop_gradient %[[W]]
  // CHECK-NEXT: %[[LOSS:.*]] = raf.mul %[[W]], %[[S]]
  %s = raf.stop_gradient %w : tensor<f32>
  %loss = raf.mul %w, %s : tensor<f32>
  // CHECK-NOT: raf.mul
  // CHECK: return %[[LOSS]], %[[S]]
  return %loss : tensor<f32>
}
