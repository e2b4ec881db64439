// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s | raf-opt | FileCheck %s
// RUN: raf-opt %s -mlir-print-op-generic | raf-opt | FileCheck %s

// CHECK-LABEL: func @channels_first
// CHECK: cudnn.conv ins(%{{.*}}, %{{.*}} : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%{{.*}} : tensor<2x4x8x8xf32>) workspace(%{{.*}} : tensor<64xi8>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>, tensor<64xi8>
// CHECK: cudnn.conv_input_grad ins(%{{.*}}, %{{.*}} : tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) outs(%{{.*}} : tensor<2x3x8x8xf32>)
// CHECK: cudnn.conv_weight_grad ins(%{{.*}}, %{{.*}} : tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) outs(%{{.*}} : tensor<4x3x3x3xf32>)
func.func @channels_first(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %y: tensor<2x4x8x8xf32>, %s: tensor<64xi8>) -> (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) {
  %0:2 = cudnn.conv ins(%x, %w : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) outs(%y : tensor<2x4x8x8xf32>) workspace(%s : tensor<64xi8>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x4x8x8xf32>, tensor<64xi8>
  %1 = cudnn.conv_input_grad ins(%0#0, %w : tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) outs(%x : tensor<2x3x8x8xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x3x8x8xf32>
  %2 = cudnn.conv_weight_grad ins(%x, %0#0 : tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) outs(%w : tensor<4x3x3x3xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<4x3x3x3xf32>
  return %1, %2 : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>
}

// With channels last the weights have them last too.
// CHECK-LABEL: func @channels_last
// CHECK: cudnn.conv ins(%{{.*}}, %{{.*}} : memref<2x8x8x6xbf16>, memref<4x3x3x3xbf16>) outs(%{{.*}} : memref<2x8x8x4xbf16>) strides = [1, 1] {{.*}} groups = 2 layout = channels_last
func.func @channels_last(%x: memref<2x8x8x6xbf16>, %w: memref<4x3x3x3xbf16>, %y: memref<2x8x8x4xbf16>) {
  cudnn.conv ins(%x, %w : memref<2x8x8x6xbf16>, memref<4x3x3x3xbf16>) outs(%y : memref<2x8x8x4xbf16>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] groups = 2 layout = channels_last
  return
}

// CHECK-LABEL: func @norms
// CHECK: cudnn.batch_norm ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) outs(%{{.*}}, %{{.*}}, %{{.*}} : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) workspace(%{{.*}} : tensor<64xi8>) epsilon = 1.000000e-05 -> tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<64xi8>
// CHECK: cudnn.batch_norm_grad ins({{.*}}) outs({{.*}}) -> tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>
func.func @norms(%x: tensor<2x8x4x4xbf16>, %s: tensor<8xf32>, %w: tensor<64xi8>) -> (tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>) {
  %y:4 = cudnn.batch_norm ins(%x, %s, %s : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) outs(%x, %s, %s : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) workspace(%w : tensor<64xi8>)
         epsilon = 1.0e-5 -> tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<64xi8>
  %g:3 = cudnn.batch_norm_grad ins(%x, %y#0, %s, %y#1, %y#2 : tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
         outs(%x, %s, %s : tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8x4x4xbf16>, tensor<8xf32>, tensor<8xf32>
  return %y#0, %g#0 : tensor<2x8x4x4xbf16>, tensor<2x8x4x4xbf16>
}

// CHECK-LABEL: func @pools
// CHECK: cudnn.max_pool ins(%{{.*}} : memref<2x8x8x3xf32>) outs(%{{.*}} : memref<2x4x4x3xf32>) indices(%{{.*}} : memref<96xi8>) workspace(%{{.*}} : memref<64xi8>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0]
// CHECK: cudnn.max_pool_grad ins(%{{.*}}, %{{.*}} : memref<2x4x4x3xf32>, memref<96xi8>) outs(%{{.*}} : memref<2x8x8x3xf32>)
// CHECK: cudnn.avg_pool ins({{.*}}) outs({{.*}}) kernel = {{.*}} {count_include_pad}
// CHECK: cudnn.avg_pool_grad ins(
func.func @pools(%x: memref<2x8x8x3xf32>, %y: memref<2x4x4x3xf32>, %i: memref<96xi8>, %w: memref<64xi8>) {
  cudnn.max_pool ins(%x : memref<2x8x8x3xf32>) outs(%y : memref<2x4x4x3xf32>) indices(%i : memref<96xi8>) workspace(%w : memref<64xi8>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0]
  cudnn.max_pool_grad ins(%y, %i : memref<2x4x4x3xf32>, memref<96xi8>) outs(%x : memref<2x8x8x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0]
  cudnn.avg_pool ins(%x : memref<2x8x8x3xf32>) outs(%y : memref<2x4x4x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] {count_include_pad}
  cudnn.avg_pool_grad ins(%y : memref<2x4x4x3xf32>) outs(%x : memref<2x8x8x3xf32>) kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0]
  return
}

// CHECK-LABEL: func @attention
// CHECK: cudnn.attention ins({{.*}}) outs({{.*}} : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) scale = 2.500000e-01
// CHECK: cudnn.attention_grad ins(
func.func @attention(%q: tensor<2x4x8x16xbf16>, %l: tensor<2x4x8xf32>) -> tensor<2x4x8x16xbf16> {
  %y:2 = cudnn.attention ins(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) outs(%q, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>)
         scale = 0.25 -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
  %g:3 = cudnn.attention_grad ins(%q, %q, %q, %y#0, %y#1, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>)
         outs(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) scale = 0.25 -> tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>
  return %g#1 : tensor<2x4x8x16xbf16>
}

// CHECK-LABEL: func @fused
// CHECK: cudnn.conv ins(%{{.*}}, %{{.*}} : tensor<2x8x8x16xbf16>, tensor<8x3x3x16xbf16>) bias(%{{.*}} : tensor<8xbf16>) addend(%{{.*}} : tensor<2x8x8x8xbf16>) outs(%{{.*}} : tensor<2x8x8x8xbf16>) activation = gelu_tanh strides
func.func @fused(%x: tensor<2x8x8x16xbf16>, %w: tensor<8x3x3x16xbf16>, %b: tensor<8xbf16>, %y: tensor<2x8x8x8xbf16>) -> tensor<2x8x8x8xbf16> {
  %0 = cudnn.conv ins(%x, %w : tensor<2x8x8x16xbf16>, tensor<8x3x3x16xbf16>) bias(%b : tensor<8xbf16>) addend(%y : tensor<2x8x8x8xbf16>) outs(%y : tensor<2x8x8x8xbf16>)
      activation = gelu_tanh strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x8x8x8xbf16>
  return %0 : tensor<2x8x8x8xbf16>
}

// CHECK-LABEL: func @masked
// CHECK: cudnn.attention ins({{.*}}) bias(%{{.*}} : tensor<1x1x8x8xbf16>) outs({{.*}}) scale = 2.500000e-01 causal ->
// CHECK: cudnn.attention_grad ins({{.*}}) bias(%{{.*}} : tensor<1x1x8x8xbf16>) outs({{.*}}) scale = 2.500000e-01 causal ->
func.func @masked(%q: tensor<2x4x8x16xbf16>, %l: tensor<2x4x8xf32>, %b: tensor<1x1x8x8xbf16>) -> tensor<2x4x8x16xbf16> {
  %y:2 = cudnn.attention ins(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) bias(%b : tensor<1x1x8x8xbf16>)
         outs(%q, %l : tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>) scale = 0.25 causal -> tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>
  %g:3 = cudnn.attention_grad ins(%q, %q, %q, %y#0, %y#1, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8xf32>, tensor<2x4x8x16xbf16>)
         bias(%b : tensor<1x1x8x8xbf16>) outs(%q, %q, %q : tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) scale = 0.25 causal
         -> tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>
  return %g#0 : tensor<2x4x8x16xbf16>
}
