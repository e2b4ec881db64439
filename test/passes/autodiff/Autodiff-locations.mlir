// RUN: raf-opt %s --raf-autodiff -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s
// RUN: raf-opt %s --raf-autodiff --raf-autodiff="of=grad:w" -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=TWICE

// An op of the backward pass names the op that it is the gradient of.
// CHECK: raf.cos %{{.*}} loc(fused<"grad">["model.onnx:/layer1/Sin"])
// TWICE: raf.sin %{{.*}} loc(fused<"grad">[fused<"grad">["model.onnx:/layer1/Sin"]])
func.func @main(%w: tensor<f32> {raf.role = "param", raf.name = "w"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = raf.sin %w : tensor<f32> loc("model.onnx:/layer1/Sin")
  %1 = raf.exp %0 : tensor<f32> loc("model.onnx:/layer2/Exp")
  return %1 : tensor<f32>
}
