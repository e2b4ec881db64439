// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch=libraries=cublas,cudnn | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=libraries=cudnn -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn tf32=true" | FileCheck %s --check-prefix=TF32

// CHECK-LABEL: func @step
// CHECK-SAME: (%[[X:.*]]: tensor<2x3x8x8xf32>, %[[W:.*]]: tensor<4x3x3x3xf32>)
// CHECK: %[[Y:.*]]:2 = cudnn.conv ins(%[[X]], %[[W]] : {{.*}}) outs({{.*}}) workspace({{.*}} : tensor<4096xi8>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] ->
// CHECK: cudnn.conv_input_grad ins(%[[Y]]#0, %[[W]] :
// CHECK: cudnn.conv_weight_grad ins(%[[X]], %[[Y]]#0 :
// CHECK-NOT: raf.
func.func @step(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = raf.conv_input_grad %0, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x8x8xf32>
  %2 = raf.conv_weight_grad %x, %0 strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<4x3x3x3xf32>
  return %1, %2 : tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>
}

// The weights follow the activations.
// CHECK-LABEL: func @channels_last
// CHECK: %[[T:.*]] = raf.transpose %{{.*}} permutation = [0, 2, 3, 1] : tensor<4x3x5x7xbf16> -> tensor<4x5x7x3xbf16>
// CHECK: cudnn.conv ins(%{{.*}}, %[[T]] : {{.*}} layout = channels_last
// CHECK: %[[G:.*]]:2 = cudnn.conv_weight_grad {{.*}} layout = channels_last -> tensor<4x5x7x3xbf16>
// CHECK: raf.transpose %[[G]]#0 permutation = [0, 3, 1, 2] : tensor<4x5x7x3xbf16> -> tensor<4x3x5x7xbf16>
func.func @channels_last(%x: tensor<2x8x8x3xbf16>, %w: tensor<4x3x5x7xbf16>) -> tensor<4x3x5x7xbf16> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x3xbf16>, tensor<4x3x5x7xbf16>) -> tensor<2x4x2x4xbf16>
  %1 = raf.conv_weight_grad %x, %0 strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x3xbf16>, tensor<2x4x2x4xbf16>) -> tensor<4x3x5x7xbf16>
  return %1 : tensor<4x3x5x7xbf16>
}

// REMARK: remark: [Missed] raf.conv | Category:raf-dispatch | Function=cudnn | Reason="cuDNN pads equally on both sides, not by 0 and 1"
// CHECK-LABEL: func @asymmetric
// CHECK-NOT: raf.transpose
// CHECK: raf.conv
func.func @asymmetric(%x: tensor<2x8x8x3xf32>, %w: tensor<4x3x2x2xf32>) -> tensor<2x8x8x4xf32> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x3xf32>, tensor<4x3x2x2xf32>) -> tensor<2x8x8x4xf32>
  return %0 : tensor<2x8x8x4xf32>
}

// REMARK: Function=cudnn | Reason="cuDNN has no convolutions of element type f64"
// CHECK-LABEL: func @double
// CHECK: raf.conv
func.func @double(%x: tensor<2x3x8x8xf64>, %w: tensor<4x3x3x3xf64>) -> tensor<2x4x6x6xf64> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf64>, tensor<4x3x3x3xf64>) -> tensor<2x4x6x6xf64>
  return %0 : tensor<2x4x6x6xf64>
}

// REMARK: Function=cudnn | Reason="cuDNN convolves bf16 to f32 with channels last, in one group, of an even number of channels"
// CHECK-LABEL: func @wide_result
// CHECK: raf.conv
func.func @wide_result(%x: tensor<2x3x8x8xbf16>, %w: tensor<4x3x3x3xbf16>) -> tensor<2x4x6x6xf32> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<4x3x3x3xbf16>) -> tensor<2x4x6x6xf32>
  return %0 : tensor<2x4x6x6xf32>
}

// Sums of 16-bit products are stored as they are, in all three directions.
// CHECK-LABEL: func @wide_results
// CHECK: cudnn.conv ins({{.*}} : tensor<2x8x8x6xbf16>, tensor<4x3x3x6xbf16>) outs({{.*}} : tensor<2x8x8x4xf32>)
// CHECK: cudnn.conv_input_grad ins({{.*}} : tensor<2x8x8x4xbf16>, tensor<4x3x3x6xbf16>) outs({{.*}} : tensor<2x8x8x6xf32>)
// CHECK: cudnn.conv_weight_grad ins({{.*}} : tensor<2x8x8x6xbf16>, tensor<2x8x8x4xbf16>) outs({{.*}} : tensor<4x3x3x6xf32>)
// CHECK: raf.transpose {{.*}} : tensor<4x3x3x6xf32> -> tensor<4x6x3x3xf32>
func.func @wide_results(%x: tensor<2x8x8x6xbf16>, %w: tensor<4x6x3x3xbf16>, %dy: tensor<2x8x8x4xbf16>) -> (tensor<2x8x8x4xf32>, tensor<2x8x8x6xf32>, tensor<4x6x3x3xf32>) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x6xbf16>, tensor<4x6x3x3xbf16>) -> tensor<2x8x8x4xf32>
  %1 = raf.conv_input_grad %dy, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xbf16>, tensor<4x6x3x3xbf16>) -> tensor<2x8x8x6xf32>
  %2 = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x6xbf16>, tensor<2x8x8x4xbf16>) -> tensor<4x6x3x3xf32>
  return %0, %1, %2 : tensor<2x8x8x4xf32>, tensor<2x8x8x6xf32>, tensor<4x6x3x3xf32>
}

// Operands of 16 bits are not rounded further.
// TF32-LABEL: func @wide_first
// TF32: cudnn.conv_weight_grad
// TF32-NOT: tf32
// TF32: return
func.func @wide_first(%x: tensor<2x8x8x16xf16>, %dy: tensor<2x8x8x2xf16>) -> tensor<2x16x3x3xf32> {
  %0 = raf.conv_weight_grad %x, %dy strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x16xf16>, tensor<2x8x8x2xf16>) -> tensor<2x16x3x3xf32>
  return %0 : tensor<2x16x3x3xf32>
}
