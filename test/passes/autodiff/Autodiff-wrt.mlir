// RUN: raf-opt %s --raf-autodiff="wrt=x,w" | FileCheck %s
// RUN: not raf-opt %s --raf-autodiff="wrt=q,i,w,w" 2>&1 | FileCheck %s --check-prefix=ERROR

// Named arguments, of whatever role, in the order of their names.
// CHECK: -> (tensor<f32> {raf.name = "loss"}, tensor<f32> {raf.grad_of = 1 : i64, raf.name = "grad:x"}, tensor<f32> {raf.grad_of = 0 : i64, raf.name = "grad:w"})
// CHECK-NEXT: %[[LOSS:.*]] = raf.mul %[[W:.*]], %[[X:.*]] : tensor<f32>
// CHECK: return %[[LOSS]], %[[W]], %[[X]]

// ERROR-DAG: error: @main has no argument named 'q' to differentiate with respect to
// ERROR-DAG: error: argument 'i' has type 'tensor<i64>' and so no derivative
// ERROR-DAG: error: argument 'w' is named twice in wrt
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}, %x: tensor<f32> {raf.role = "input", raf.name = "x"}, %i: tensor<i64> {raf.role = "input", raf.name = "i"})
    -> (tensor<f32> {raf.name = "loss"}) {
  %0 = raf.mul %w, %x : tensor<f32>
  return %0 : tensor<f32>
}
