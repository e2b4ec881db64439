// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The library convolves in bf16 with AVX-512 only.
// REQUIRES: avx512
// RUN: raf-opt %s -raf-store-layouts -canonicalize | FileCheck %s

// Parameters of f32 that are multiplied in bf16 lie as their gradient does: it is written where it is updated, and both readers round the parameter while they reorder it.
// CHECK-LABEL: func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<2359296xf32> {raf.name = "w", raf.role = "param", raf.stored = {{{.*}}shape = array<i64: 512, 512, 3, 3>
// CHECK-NOT: raf.cast
// CHECK: dnnl.conv ins(%{{.*}}, %[[W]] : tensor<2x512x4x4xbf16>, tensor<2359296xf32>) {{.*}}w_layout = #[[L:.*]]}
// CHECK: dnnl.conv_input_grad ins(%{{.*}}, %[[W]] : tensor<2x512x4x4xbf16>, tensor<2359296xf32>) {{.*}}w_layout = #[[L]]}
// CHECK: %[[G:[0-9a-z]+]]{{.*}} = dnnl.conv_weight_grad ins({{.*}}) outs(%{{.*}} : tensor<2359296xf32>) {{.*}}w_layout = #[[L]]}
// CHECK: raf.sgd_update %[[W]], %[[G]]
func.func @main(%x: tensor<2x512x4x4xbf16> {raf.name = "x", raf.role = "input"}, %w: tensor<512x512x3x3xf32> {raf.name = "w", raf.role = "param"}, %lr: tensor<f32> {raf.name = "lr", raf.role = "lr"})
    -> (tensor<2x512x4x4xbf16>, tensor<512x512x3x3xf32> {raf.alias = 1 : i64}) {
  %c = raf.cast %w : tensor<512x512x3x3xf32> to tensor<512x512x3x3xbf16>
  %e = tensor.empty() : tensor<2x512x4x4xbf16>
  %y = dnnl.conv ins(%x, %c : tensor<2x512x4x4xbf16>, tensor<512x512x3x3xbf16>) outs(%e : tensor<2x512x4x4xbf16>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x512x4x4xbf16>
  %dx = dnnl.conv_input_grad ins(%y, %c : tensor<2x512x4x4xbf16>, tensor<512x512x3x3xbf16>) outs(%e : tensor<2x512x4x4xbf16>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x512x4x4xbf16>
  %ew = tensor.empty() : tensor<512x512x3x3xf32>
  %g = dnnl.conv_weight_grad ins(%x, %y : tensor<2x512x4x4xbf16>, tensor<2x512x4x4xbf16>) outs(%ew : tensor<512x512x3x3xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<512x512x3x3xf32>
  %u = raf.sgd_update %w, %g, %lr momentum = 0.0 weight_decay = 0.1 : (tensor<512x512x3x3xf32>, tensor<512x512x3x3xf32>, tensor<f32>) -> tensor<512x512x3x3xf32>
  return %dx, %u : tensor<2x512x4x4xbf16>, tensor<512x512x3x3xf32>
}
