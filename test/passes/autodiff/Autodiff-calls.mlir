// RUN: raf-opt %s --raf-autodiff | FileCheck %s

// Calls are inlined, and the functions that nothing calls any more are gone.
// CHECK-NOT: @layer
// CHECK: func.func @main
// CHECK-NEXT: %[[A:.*]] = raf.exp
// CHECK-NEXT: %[[B:.*]] = raf.exp %[[A]]
// CHECK-NEXT: raf.constant
// CHECK-NEXT: raf.mul %[[B]], %[[A]]
// CHECK-NOT: @layer
func.func private @layer(%x: tensor<f32>) -> tensor<f32> {
  %0 = raf.exp %x : tensor<f32>
  return %0 : tensor<f32>
}
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = call @layer(%w) : (tensor<f32>) -> tensor<f32>
  %1 = call @layer(%0) : (tensor<f32>) -> tensor<f32>
  return %1 : tensor<f32>
}
