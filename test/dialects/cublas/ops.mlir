// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s | raf-opt | FileCheck %s
// RUN: raf-opt %s -mlir-print-op-generic | raf-opt | FileCheck %s

// CHECK-LABEL: func @forward
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<16x8xf32>) bias(%{{.*}} : tensor<16xf32>) outs(%{{.*}} : tensor<4x16xf32>) keep(%{{.*}} : tensor<256xi8>) workspace(%{{.*}} : tensor<64xi8>) activation = gelu_tanh {alpha = 5.000000e-01 : f64, rhs_view = #cublas.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>, tensor<256xi8>, tensor<64xi8>
func.func @forward(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %v: tensor<16xf32>, %y: tensor<4x16xf32>, %k: tensor<256xi8>, %w: tensor<64xi8>) -> tensor<4x16xf32> {
  %0:3 = cublas.matmul ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) bias(%v : tensor<16xf32>) outs(%y : tensor<4x16xf32>) keep(%k : tensor<256xi8>) workspace(%w : tensor<64xi8>)
    activation = gelu_tanh {alpha = 0.5, rhs_view = #cublas.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>, tensor<256xi8>, tensor<64xi8>
  return %0#0 : tensor<4x16xf32>
}

// CHECK-LABEL: func @gradient
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<8x16xf32>) kept(%{{.*}} : tensor<64xi8>) outs(%{{.*}} : tensor<4x16xf32>) bias_grad(%{{.*}} : tensor<16xf32>) activation = relu bias_gradient = of_result -> tensor<4x16xf32>, tensor<16xf32>
func.func @gradient(%g: tensor<4x8xf32>, %b: tensor<8x16xf32>, %k: tensor<64xi8>, %y: tensor<4x16xf32>, %s: tensor<16xf32>) -> tensor<4x16xf32> {
  %0:2 = cublas.matmul ins(%g, %b : tensor<4x8xf32>, tensor<8x16xf32>) kept(%k : tensor<64xi8>) outs(%y : tensor<4x16xf32>) bias_grad(%s : tensor<16xf32>)
    activation = relu bias_gradient = of_result -> tensor<4x16xf32>, tensor<16xf32>
  return %0#0 : tensor<4x16xf32>
}

// CHECK-LABEL: func @on_buffers
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : memref<3x4x8xbf16>, memref<1x8x16xbf16>) outs(%{{.*}} : memref<3x4x16xf32>) {accumulate}
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : memref<4x8xf32>, memref<8x16xf32>) outs(%{{.*}} : memref<4x16xf32>) bias_grad(%{{.*}} : memref<4xf32>) bias_gradient = of_lhs {tf32}
func.func @on_buffers(%a: memref<3x4x8xbf16>, %b: memref<1x8x16xbf16>, %y: memref<3x4x16xf32>, %c: memref<4x8xf32>, %d: memref<8x16xf32>, %z: memref<4x16xf32>, %s: memref<4xf32>) {
  cublas.matmul ins(%a, %b : memref<3x4x8xbf16>, memref<1x8x16xbf16>) outs(%y : memref<3x4x16xf32>) {accumulate}
  cublas.matmul ins(%c, %d : memref<4x8xf32>, memref<8x16xf32>) outs(%z : memref<4x16xf32>) bias_grad(%s : memref<4xf32>) bias_gradient = of_lhs {tf32}
  return
}

// CHECK-LABEL: func @eight_bits
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : tensor<4x16xf8E4M3FN>, tensor<16x16xf8E5M2>) lhs_scale(%{{.*}} : tensor<f32>) rhs_scale(%{{.*}} : tensor<1xf32>) bias(%{{.*}} : tensor<16xbf16>) outs(%{{.*}} : tensor<4x16xbf16>)
func.func @eight_bits(%a: tensor<4x16xf8E4M3FN>, %b: tensor<16x16xf8E5M2>, %s: tensor<f32>, %t: tensor<1xf32>, %v: tensor<16xbf16>, %y: tensor<4x16xbf16>) -> tensor<4x16xbf16> {
  %0 = cublas.matmul ins(%a, %b : tensor<4x16xf8E4M3FN>, tensor<16x16xf8E5M2>) lhs_scale(%s : tensor<f32>) rhs_scale(%t : tensor<1xf32>) bias(%v : tensor<16xbf16>)
    outs(%y : tensor<4x16xbf16>) {rhs_view = #cublas.view<[16, 16], strides = [1, 16]>} -> tensor<4x16xbf16>
  return %0 : tensor<4x16xbf16>
}
