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
