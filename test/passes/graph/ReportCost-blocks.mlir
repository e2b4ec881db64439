// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-report-cost=annotate | FileCheck %s

// However weights lie, their own dimensions count.
// CHECK: dnnl.conv {{.*}}raf.flops = 16384 : i64
// CHECK: dnnl.conv_input_grad {{.*}}raf.flops = 16384 : i64
// CHECK: dnnl.conv_weight_grad {{.*}}raf.flops = 16384 : i64
func.func @main(%x: tensor<2x16x4x4xf32>, %w: tensor<256xf32>) -> (tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<256xf32>) {
  %0 = dnnl.conv ins(%x, %w : tensor<2x16x4x4xf32>, tensor<256xf32>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  %1 = dnnl.conv_input_grad ins(%x, %w : tensor<2x16x4x4xf32>, tensor<256xf32>) outs(%x : tensor<2x16x4x4xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x16x4x4xf32>
  %2 = dnnl.conv_weight_grad ins(%x, %x : tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>) outs(%w : tensor<256xf32>) strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1]
      {w_layout = #dnnl.blocked<[16, 16, 1, 1], strides = [256, 256, 256, 256], blocks = [16, 16] of [1, 0]>} -> tensor<256xf32>
  return %0, %1, %2 : tensor<2x16x4x4xf32>, tensor<2x16x4x4xf32>, tensor<256xf32>
}
