// RUN: raf-opt %s --raf-autodiff --cse | FileCheck %s

// The gradients of an MLP's parameters: frozen ones get none, those of inputs are not computed.

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: -> (tensor<f32> {raf.name = "loss"}, tensor<8x16xf32> {raf.grad_of = 1 : i64, raf.name = "grad:w"}, tensor<16xf32> {raf.grad_of = 2 : i64, raf.name = "grad:b"})
func.func @main(%x: tensor<4x8xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<8x16xf32> {raf.role = "param", raf.name = "w"},
                %b: tensor<16xf32> {raf.role = "param", raf.name = "b"}, %s: tensor<4x16xf32> {raf.role = "param", raf.name = "s", raf.frozen},
                %l : tensor<4xi64> {raf.role = "target", raf.name = "target"}) -> (tensor<f32> {raf.name = "loss"}) {
  // CHECK: %[[LOGITS:.*]] = raf.add %{{.*}}, %arg3
  // CHECK: %[[LOSS:.*]], %[[LSE:.*]] = raf.cross_entropy
  // CHECK: %[[ONE:.*]] = raf.constant dense<1.000000e+00> : tensor<f32>
  // CHECK: %[[DY:.*]] = raf.cross_entropy_grad %[[ONE]], %[[LOGITS]], %[[L]], %[[LSE]]
  // CHECK: %[[ZERO:.*]] = raf.constant dense<0.0
  // CHECK: %[[P:.*]] = raf.compare gt
  // CHECK: %[[DZ:.*]] = raf.select %[[P]], %[[DY]], %[[ZERO]]
  // CHECK: %[[DB:.*]] = raf.reduce sum %[[DZ]] dims = [0]
  // CHECK: %[[DW:.*]] = raf.matmul %[[X]], %[[DZ]] transpose_lhs
  // CHECK-NOT: raf.
  // CHECK: return %[[LOSS]], %[[DW]], %[[DB]]
  %0 = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<4x16xf32>
  %2 = raf.add %0, %1 : tensor<4x16xf32>
  %3 = raf.relu %2 : tensor<4x16xf32>
  %4 = raf.add %3, %s : tensor<4x16xf32>
  %loss, %lse = raf.cross_entropy %4, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x16xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss : tensor<f32>
}
