// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s | raf-opt | FileCheck %s
// RUN: raf-opt %s -mlir-print-op-generic | raf-opt | FileCheck %s

// CHECK-LABEL: func @matmul
// CHECK: dnnl.matmul ins(%{{.*}}, %{{.*}} : tensor<4x8xf32>, tensor<16x8xf32>) bias(%{{.*}} : tensor<16xf32>) post_operands(%{{.*}} : tensor<4x16xf32>) outs(%{{.*}} : tensor<4x16xf32>) workspace(%{{.*}} : tensor<64xi8>) post_ops = [#dnnl.post_op<add>, #dnnl.post_op<linear, alpha = 5.000000e-01 : f64, beta = 1.000000e+00 : f64>] {rhs_view = #dnnl.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>, tensor<64xi8>
func.func @matmul(%a: tensor<4x8xf32>, %b: tensor<16x8xf32>, %v: tensor<16xf32>, %r: tensor<4x16xf32>, %y: tensor<4x16xf32>, %w: tensor<64xi8>) -> tensor<4x16xf32> {
  %0:2 = dnnl.matmul ins(%a, %b : tensor<4x8xf32>, tensor<16x8xf32>) bias(%v : tensor<16xf32>) post_operands(%r : tensor<4x16xf32>) outs(%y : tensor<4x16xf32>)
      workspace(%w : tensor<64xi8>) post_ops = [#dnnl.post_op<add>, #dnnl.post_op<linear, alpha = 0.5, beta = 1.0>]
      {rhs_view = #dnnl.view<[8, 16], strides = [1, 8]>} -> tensor<4x16xf32>, tensor<64xi8>
  return %0#0 : tensor<4x16xf32>
}

// CHECK-LABEL: func @on_buffers
// CHECK: dnnl.matmul ins(%{{.*}}, %{{.*}} : memref<4x8xbf16>, memref<8x16xbf16>) outs(%{{.*}} : memref<4x16xf32>) post_ops = [#dnnl.post_op<sum>]
func.func @on_buffers(%a: memref<4x8xbf16>, %b: memref<8x16xbf16>, %y: memref<4x16xf32>) {
  dnnl.matmul ins(%a, %b : memref<4x8xbf16>, memref<8x16xbf16>) outs(%y : memref<4x16xf32>) post_ops = [#dnnl.post_op<sum>]
  return
}

// CHECK-LABEL: func @conv
// CHECK: dnnl.conv ins(%{{.*}}, %{{.*}} : tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) bias(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<2x8x8x4xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last post_ops = [#dnnl.post_op<relu>] -> tensor<2x8x8x4xf32>
// CHECK: dnnl.conv_input_grad ins(
// CHECK: dnnl.conv_weight_grad ins(
func.func @conv(%x: tensor<2x8x8x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %y: tensor<2x8x8x4xf32>) -> (tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) {
  %0 = dnnl.conv ins(%x, %w : tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) bias(%b : tensor<4xf32>) outs(%y : tensor<2x8x8x4xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last post_ops = [#dnnl.post_op<relu>] -> tensor<2x8x8x4xf32>
  %1 = dnnl.conv_input_grad ins(%0, %w : tensor<2x8x8x4xf32>, tensor<4x3x3x3xf32>) outs(%x : tensor<2x8x8x3xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x8x8x3xf32>
  %2 = dnnl.conv_weight_grad ins(%x, %0 : tensor<2x8x8x3xf32>, tensor<2x8x8x4xf32>) outs(%w : tensor<4x3x3x3xf32>)
      strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<4x3x3x3xf32>
  return %1, %2 : tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>
}

// CHECK-LABEL: func @pools
// CHECK: dnnl.max_pool ins(%{{.*}} : tensor<2x3x8x8xf32>) outs(%{{.*}} : tensor<2x3x4x4xf32>) indices(%{{.*}} : tensor<96xi8>) kernel = [2, 2]
// CHECK: dnnl.max_pool_grad ins(%{{.*}}, %{{.*}} : tensor<2x3x4x4xf32>, tensor<96xi8>) outs(
// CHECK: dnnl.avg_pool ins({{.*}}count_include_pad
// CHECK: dnnl.avg_pool_grad ins(
func.func @pools(%x: tensor<2x3x8x8xf32>, %y: tensor<2x3x4x4xf32>, %i: tensor<96xi8>) -> (tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>) {
  %0:2 = dnnl.max_pool ins(%x : tensor<2x3x8x8xf32>) outs(%y : tensor<2x3x4x4xf32>) indices(%i : tensor<96xi8>)
      kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x4x4xf32>, tensor<96xi8>
  %1 = dnnl.max_pool_grad ins(%0#0, %0#1 : tensor<2x3x4x4xf32>, tensor<96xi8>) outs(%x : tensor<2x3x8x8xf32>)
      kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] -> tensor<2x3x8x8xf32>
  %2 = dnnl.avg_pool ins(%x : tensor<2x3x8x8xf32>) outs(%y : tensor<2x3x4x4xf32>)
      kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] {count_include_pad} -> tensor<2x3x4x4xf32>
  %3 = dnnl.avg_pool_grad ins(%2 : tensor<2x3x4x4xf32>) outs(%x : tensor<2x3x8x8xf32>)
      kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] {count_include_pad} -> tensor<2x3x8x8xf32>
  return %1, %3 : tensor<2x3x8x8xf32>, tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func @batch_norm
// CHECK: dnnl.batch_norm ins({{.*}}) outs({{.*}}) mask(%{{.*}} : tensor<128xi8>) epsilon = 1.000000e-05
// CHECK: dnnl.batch_norm_grad ins({{.*}}) mask(%{{.*}} : tensor<128xi8>) outs(
func.func @batch_norm(%x: tensor<4x8x2x2xf32>, %v: tensor<8xf32>, %k: tensor<128xi8>) -> tensor<4x8x2x2xf32> {
  %0:4 = dnnl.batch_norm ins(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>) outs(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>)
      mask(%k : tensor<128xi8>) epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<128xi8>
  %1:3 = dnnl.batch_norm_grad ins(%x, %0#1, %0#2, %0#0, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>, tensor<4x8x2x2xf32>, tensor<8xf32>) mask(%0#3 : tensor<128xi8>)
      outs(%x, %v, %v : tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>) epsilon = 1.0e-5 -> tensor<4x8x2x2xf32>, tensor<8xf32>, tensor<8xf32>
  return %1#0 : tensor<4x8x2x2xf32>
}

// CHECK-LABEL: func @packed
// CHECK: %[[P:.*]] = dnnl.reorder ins(%{{.*}} : tensor<64x16xf32>) outs(%{{.*}} : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of[0, 1]> {src_view = #dnnl.view<[16, 64], strides = [1, 16]>} -> tensor<4096xi8>
// CHECK: dnnl.matmul ins(%{{.*}}, %[[P]] : tensor<2x4x16xf32>, tensor<4096xi8>) outs(%{{.*}} : tensor<2x4x64xf32>) {rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of[0, 1]>}
// CHECK: dnnl.conv ins(%{{.*}}, %{{.*}} : tensor<2x16x4x4xf32>, tensor<1024xi8>){{.*}}{w_layout = #dnnl.blocked<[16, 16, 1, 1]
// CHECK: dnnl.conv_input_grad ins(%{{.*}}, %{{.*}} : tensor<2x16x4x4xf32>, tensor<1024xi8>){{.*}}{w_layout = #dnnl.blocked<[16, 16, 1, 1]
// CHECK: dnnl.conv_weight_grad ins({{.*}}) outs(%{{.*}} : tensor<256xf32>){{.*}}{w_layout = #dnnl.blocked<[16, 16, 1, 1]
func.func @packed(%a: tensor<2x4x16xf32>, %w: tensor<64x16xf32>, %d: tensor<4096xi8>, %y: tensor<2x4x64xf32>, %x: tensor<2x16x4x4xf32>, %k: tensor<1024xi8>, %s: tensor<256xf32>)
    -> (tensor<2x4x64xf32>, tensor<2x16x4x4xf32>, tensor<256xf32>) {
  %0 = dnnl.reorder ins(%w : tensor<64x16xf32>) outs(%d : tensor<4096xi8>) layout = <[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>
      {src_view = #dnnl.view<[16, 64], strides = [1, 16]>} -> tensor<4096xi8>
  %1 = dnnl.matmul ins(%a, %0 : tensor<2x4x16xf32>, tensor<4096xi8>) outs(%y : tensor<2x4x64xf32>)
      {rhs_layout = #dnnl.blocked<[16, 64], strides = [1024, 1024], blocks = [16, 64] of [0, 1]>} -> tensor<2x4x64xf32>
  %2 = dnnl.conv ins(%x, %k : tensor<2x16x4x4xf32>, tensor<1024xi8>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  %3 = dnnl.conv_input_grad ins(%2, %k : tensor<2x16x4x4xf32>, tensor<1024xi8>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [0, 1]>} -> tensor<2x16x4x4xf32>
  %4 = dnnl.conv_weight_grad ins(%x, %2 : tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) outs(%s : tensor<256xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<256xf32>
  return %1, %3, %4 : tensor<2x4x64xf32>, tensor<2x16x4x4xf32>, tensor<256xf32>
}
