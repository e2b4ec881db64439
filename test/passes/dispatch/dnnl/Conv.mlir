// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -split-input-file | FileCheck %s

// CHECK-LABEL: func @conv
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x8x8xf32>, %[[W:[a-z0-9]+]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]+]]: tensor<4xf32>
// CHECK: %[[R:[0-9]+]]{{.*}} = dnnl.conv ins(%[[X]], %[[W]] : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) bias(%[[B]] : tensor<4xf32>)
// CHECK: dnnl.conv ins(%[[X]], %[[W]] : {{.*}} outs(%[[R]]{{(#0)?}} : tensor<2x4x8x8xf32>)
// CHECK-SAME: strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] post_ops = [#dnnl.post_op<sum>, #dnnl.post_op<relu>]
// CHECK-NEXT: return
func.func @conv(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x8x8xf32> {
  %r = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<4xf32> to tensor<2x4x8x8xf32>
  %2 = raf.add %0, %1 : tensor<2x4x8x8xf32>
  %3 = raf.add %2, %r : tensor<2x4x8x8xf32>
  %4 = raf.relu %3 : tensor<2x4x8x8xf32>
  return %4 : tensor<2x4x8x8xf32>
}

// -----

// In channels_last the features are the last dimension; a broadcast along another one is no bias.
// CHECK-LABEL: func @channels_last
// CHECK: dnnl.conv {{.*}} bias(%{{.*}} : tensor<4xf32>) {{.*}} layout = channels_last
// CHECK: dnnl.conv
// CHECK-NOT: bias
// CHECK: raf.add
func.func @channels_last(%x: tensor<2x8x4x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x4x3xf32>, tensor<4x3x3x3xf32>) -> tensor<2x8x4x4xf32>
  %1 = raf.broadcast %b dims = [3] : tensor<4xf32> to tensor<2x8x4x4xf32>
  %2 = raf.add %0, %1 : tensor<2x8x4x4xf32>
  %3 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x4x3xf32>, tensor<4x3x3x3xf32>) -> tensor<2x8x4x4xf32>
  %4 = raf.broadcast %b dims = [2] : tensor<4xf32> to tensor<2x8x4x4xf32>
  %5 = raf.add %3, %4 : tensor<2x8x4x4xf32>
  return %2, %5 : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>
}

// -----

// CHECK-LABEL: func @gradients
// CHECK: dnnl.conv_input_grad ins({{.*}} groups = 2
// CHECK: dnnl.conv_weight_grad ins({{.*}} groups = 2
// CHECK-NOT: raf.
func.func @gradients(%x: tensor<2x8x9x9xf32>, %w: tensor<4x4x3x3xf32>, %dy: tensor<2x4x4x4xf32>) -> (tensor<2x8x9x9xf32>, tensor<4x4x3x3xf32>) {
  %0 = raf.conv_input_grad %dy, %w strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] groups = 2 : (tensor<2x4x4x4xf32>, tensor<4x4x3x3xf32>) -> tensor<2x8x9x9xf32>
  %1 = raf.conv_weight_grad %x, %dy strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] groups = 2 : (tensor<2x8x9x9xf32>, tensor<2x4x4x4xf32>) -> tensor<4x4x3x3xf32>
  return %0, %1 : tensor<2x8x9x9xf32>, tensor<4x4x3x3xf32>
}

// -----

// CHECK-LABEL: func @double
// CHECK-NOT: dnnl
func.func @double(%x: tensor<1x1x4x4xf64>, %w: tensor<1x1x2x2xf64>) -> tensor<1x1x3x3xf64> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<1x1x4x4xf64>, tensor<1x1x2x2xf64>) -> tensor<1x1x3x3xf64>
  return %0 : tensor<1x1x3x3xf64>
}
