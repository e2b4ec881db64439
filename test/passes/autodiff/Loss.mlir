// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// cross_entropy
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<4xi64>
// CHECK-DAG: %[[LOSS:.*]], %[[LSE:.*]] = raf.cross_entropy %[[X]], %[[L]] ignore_index = -1 label_smoothing = 5.000000e-01
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<f32>
// CHECK-DAG: %[[CROSS_ENTROPY_GRAD:.*]] = raf.cross_entropy_grad %[[C]], %[[X]], %[[L]], %[[LSE]] ignore_index = -1 label_smoothing = 5.000000e-01
// CHECK: return %[[LOSS]], %[[CROSS_ENTROPY_GRAD]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %l: tensor<4xi64> {raf.role = "input", raf.name = "l"}) -> (tensor<f32> {raf.name = "y"}) {
  %y, %lse = raf.cross_entropy %x, %l ignore_index = -1 label_smoothing = 0.5 : tensor<4x8xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %y : tensor<f32>
}

// -----

// log_sum_exp: the second result has a gradient too.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<4xi64>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[LOSS:.*]], %[[LSE:.*]] = raf.cross_entropy %[[X]], %[[L]] ignore_index = -1 label_smoothing = 5.000000e-01
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[LSE]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[X]], %[[B]]
// CHECK-DAG: %[[EXP:.*]] = raf.exp %[[SUB]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[DY]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[B2]], %[[EXP]]
// CHECK: return %[[LSE]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %l: tensor<4xi64> {raf.role = "input", raf.name = "l"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %z, %y = raf.cross_entropy %x, %l ignore_index = -1 label_smoothing = 0.5 : tensor<4x8xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// linear_cross_entropy: one op computes the loss again with its gradients.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<16x8xf32>
// CHECK-SAME: %[[L:[a-z0-9]+]]: tensor<4xi64>
// CHECK: %[[LOSS:.*]], %{{.*}} = raf.linear_cross_entropy %[[X]], %[[W]], %[[L]] transpose_w
// CHECK: %[[ONE:.*]] = raf.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %{{.*}}, %{{.*}}, %[[DX:.*]], %[[DW:.*]] = raf.linear_cross_entropy_grad %[[ONE]], %[[X]], %[[W]], %[[L]] transpose_w ignore_index = -100
// CHECK: return %[[LOSS]], %[[DX]], %[[DW]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %w: tensor<16x8xf32> {raf.role = "param", raf.name = "w"}, %l: tensor<4xi64> {raf.role = "target", raf.name = "l"}) -> (tensor<f32> {raf.name = "y"}) {
  %loss, %lse = raf.linear_cross_entropy %x, %w, %l transpose_w ignore_index = -100 label_smoothing = 0.0 : (tensor<4x8xf32>, tensor<16x8xf32>, tensor<4xi64>) -> (tensor<f32>, tensor<4xf32>)
  return %loss : tensor<f32>
}
