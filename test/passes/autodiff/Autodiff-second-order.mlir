// RUN: raf-opt %s --split-input-file --raf-autodiff --raf-autodiff="of=grad:w wrt=w" --canonicalize --cse | FileCheck %s

// The gradient of w^3 / 6 is w^2 / 2; differentiated again, along a direction that becomes an argument: w v.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<4xf32> {raf.name = "cotangent:grad:w", raf.role = "input"})
// CHECK-SAME: tensor<4xf32> {raf.grad_of = 0 : i64, raf.name = "grad:w"}, tensor<4xf32> {raf.grad_of = 0 : i64, raf.name = "grad:grad:w:w"})
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<4xf32>, tensor<4xf32>
func.func @main(%w: tensor<4xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %c = raf.constant dense<0.166666667> : tensor<4xf32>
  %0 = raf.mul %w, %w : tensor<4xf32>
  %1 = raf.mul %0, %w : tensor<4xf32>
  %2 = raf.mul %1, %c : tensor<4xf32>
  %loss = raf.reduce sum %2 dims = [0] : tensor<4xf32> -> tensor<f32>
  return %loss : tensor<f32>
}

// -----

// Gradient ops have rules of their own: a convolution's second derivatives are convolutions, a maximum's are gathers.
// CHECK-LABEL: func.func @main(
// CHECK: raf.max_pool_grad
// CHECK: raf.conv_weight_grad
// CHECK: raf.conv
// CHECK: raf.take_along_axis
func.func @main(%x: tensor<1x2x6x6xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<3x2x3x3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<1x2x6x6xf32>, tensor<3x2x3x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = raf.tanh %0 : tensor<1x3x4x4xf32>
  %2, %i = raf.max_pool %1 kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x2xf32>, tensor<1x3x2x2xi32>)
  %3 = raf.mul %2, %2 : tensor<1x3x2x2xf32>
  %loss = raf.reduce sum %3 dims = [0, 1, 2, 3] : tensor<1x3x2x2xf32> -> tensor<f32>
  return %loss : tensor<f32>
}
