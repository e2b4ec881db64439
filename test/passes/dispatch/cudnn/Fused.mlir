// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn library-relu=true" | FileCheck %s
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn" | FileCheck %s --check-prefix=EXACT
// RUN: raf-opt %s "-raf-dispatch=libraries=cudnn library-relu=true tf32=true" | FileCheck %s --check-prefix=TF32

// A bias, a residual that somebody else reads too, and relu.
// CHECK-LABEL: func @all
// CHECK-SAME: (%[[X:.*]]: tensor<2x8x8x16xbf16>, %[[W:.*]]: tensor<8x16x3x3xbf16>, %[[B:.*]]: tensor<8xbf16>, %[[R:.*]]: tensor<2x8x8x8xbf16>)
// CHECK: %[[T:.*]] = raf.transpose %[[W]]
// CHECK: %[[Y:.*]]:2 = cudnn.conv ins(%[[X]], %[[T]] : {{.*}}) bias(%[[B]] : tensor<8xbf16>) addend(%[[R]] : {{.*}}) outs({{.*}}) activation = relu workspace
// CHECK-NEXT: return %[[Y]]#0, %[[R]]
// The library's relu makes NaN 0, so it takes an option.
// EXACT-LABEL: func @all
// EXACT: cudnn.conv {{.*}} bias(%{{.*}}) addend(%{{.*}}) outs
// EXACT: raf.relu
func.func @all(%x: tensor<2x8x8x16xbf16>, %w: tensor<8x16x3x3xbf16>, %b: tensor<8xbf16>, %r: tensor<2x8x8x8xbf16>) -> (tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x16xbf16>, tensor<8x16x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %1 = raf.broadcast %b dims = [3] : tensor<8xbf16> to tensor<2x8x8x8xbf16>
  %2 = raf.add %0, %1 : tensor<2x8x8x8xbf16>
  %3 = raf.add %2, %r : tensor<2x8x8x8xbf16>
  %4 = raf.relu %3 : tensor<2x8x8x8xbf16>
  return %4, %r : tensor<2x8x8x8xbf16>, tensor<2x8x8x8xbf16>
}

// What its gradient needs is stored, so the activation stays.
// CHECK-LABEL: func @kept
// CHECK: cudnn.conv {{.*}} bias(%{{.*}}) outs({{.*}}) workspace({{.*}}) strides
// CHECK: raf.silu
func.func @kept(%x: tensor<2x8x8x8xf16>, %w: tensor<8x8x1x1xf16>, %b: tensor<8xf16>) -> (tensor<2x8x8x8xf16>, tensor<2x8x8x8xf16>) {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x8xf16>, tensor<8x8x1x1xf16>) -> tensor<2x8x8x8xf16>
  %1 = raf.broadcast %b dims = [3] : tensor<8xf16> to tensor<2x8x8x8xf16>
  %2 = raf.add %0, %1 : tensor<2x8x8x8xf16>
  %3 = raf.silu %2 : tensor<2x8x8x8xf16>
  return %2, %3 : tensor<2x8x8x8xf16>, tensor<2x8x8x8xf16>
}

// Fused engines are for tensor cores: f32 is theirs as tf32.
// CHECK-LABEL: func @wide
// CHECK: cudnn.conv ins({{.*}}) outs
// CHECK: raf.add
// CHECK: raf.tanh
// TF32-LABEL: func @wide
// TF32: cudnn.conv {{.*}} bias(%{{.*}}) outs({{.*}}) activation = tanh workspace({{.*}} {tf32}
// TF32-NEXT: return
func.func @wide(%x: tensor<2x8x8x4xf32>, %w: tensor<8x4x3x3xf32>, %b: tensor<8xf32>) -> tensor<2x8x8x8xf32> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last : (tensor<2x8x8x4xf32>, tensor<8x4x3x3xf32>) -> tensor<2x8x8x8xf32>
  %1 = raf.broadcast %b dims = [3] : tensor<8xf32> to tensor<2x8x8x8xf32>
  %2 = raf.add %0, %1 : tensor<2x8x8x8xf32>
  %3 = raf.tanh %2 : tensor<2x8x8x8xf32>
  return %3 : tensor<2x8x8x8xf32>
}

// ... with channels last.
// CHECK-LABEL: func @channels_first
// CHECK: cudnn.conv ins({{.*}}) outs
// CHECK: raf.add
func.func @channels_first(%x: tensor<2x8x8x8xbf16>, %w: tensor<8x8x3x3xbf16>, %b: tensor<8xbf16>) -> tensor<2x8x8x8xbf16> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x8x8x8xbf16>, tensor<8x8x3x3xbf16>) -> tensor<2x8x8x8xbf16>
  %1 = raf.broadcast %b dims = [1] : tensor<8xbf16> to tensor<2x8x8x8xbf16>
  %2 = raf.add %0, %1 : tensor<2x8x8x8xbf16>
  return %2 : tensor<2x8x8x8xbf16>
}

// ... also where the result has one place only, which lies either way: by itself the convolution is the library's.
// CHECK-LABEL: func @one_place
// CHECK: cudnn.conv ins({{.*}}) outs
// CHECK: raf.add
func.func @one_place(%x: tensor<8x16x7x7xbf16>, %w: tensor<32x16x7x7xbf16>, %b: tensor<32xbf16>) -> tensor<8x32x1x1xbf16> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<8x16x7x7xbf16>, tensor<32x16x7x7xbf16>) -> tensor<8x32x1x1xbf16>
  %1 = raf.broadcast %b dims = [1] : tensor<32xbf16> to tensor<8x32x1x1xbf16>
  %2 = raf.add %0, %1 : tensor<8x32x1x1xbf16>
  return %2 : tensor<8x32x1x1xbf16>
}
