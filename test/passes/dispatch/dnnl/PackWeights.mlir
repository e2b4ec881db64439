// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts are those of the machine that compiles, so they are not looked at closely.
// RUN: raf-opt %s -split-input-file -raf-pack-weights | FileCheck %s
// RUN: raf-opt %s -split-input-file -raf-pack-weights --remarks-filter=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Time steps that multiply by one transposed matrix.
// CHECK-LABEL: func @steps
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<1024x256xf32>
// CHECK: %[[P:[0-9]+]] = dnnl.reorder ins(%[[W]] : tensor<1024x256xf32>) outs(%{{.*}} : tensor<{{[0-9]+}}xi8>) layout = <[256, 1024], {{.*}} {src_view = #dnnl.view<[256, 1024], strides = [1, 256]>}
// CHECK-COUNT-4: dnnl.matmul ins(%{{.*}}, %[[P]] : tensor<32x256xf32>, tensor<{{[0-9]+}}xi8>) {{.*}}rhs_layout = #dnnl.blocked<[256, 1024]
// CHECK-NOT: dnnl.matmul
// REMARK: Category:raf-dispatch{{.*}}weights packed once for 4 ops
func.func @steps(%w: tensor<1024x256xf32>, %h0: tensor<32x256xf32>, %h1: tensor<32x256xf32>, %h2: tensor<32x256xf32>, %h3: tensor<32x256xf32>)
    -> (tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>) {
  %s0 = tensor.empty() : tensor<32x1024xf32>
  %y0 = dnnl.matmul ins(%h0, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s0 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  %s1 = tensor.empty() : tensor<32x1024xf32>
  %y1 = dnnl.matmul ins(%h1, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s1 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  %s2 = tensor.empty() : tensor<32x1024xf32>
  %y2 = dnnl.matmul ins(%h2, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s2 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  %s3 = tensor.empty() : tensor<32x1024xf32>
  %y3 = dnnl.matmul ins(%h3, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s3 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  return %y0, %y1, %y2, %y3 : tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>
}

// -----

// For three a reorder does not pay.
// CHECK-LABEL: func @few
// CHECK-NOT: dnnl.reorder
// CHECK-COUNT-3: rhs_view
func.func @few(%w: tensor<1024x256xf32>, %h0: tensor<32x256xf32>, %h1: tensor<32x256xf32>, %h2: tensor<32x256xf32>) -> (tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>) {
  %s0 = tensor.empty() : tensor<32x1024xf32>
  %y0 = dnnl.matmul ins(%h0, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s0 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  %s1 = tensor.empty() : tensor<32x1024xf32>
  %y1 = dnnl.matmul ins(%h1, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s1 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  %s2 = tensor.empty() : tensor<32x1024xf32>
  %y2 = dnnl.matmul ins(%h2, %w : tensor<32x256xf32>, tensor<1024x256xf32>) outs(%s2 : tensor<32x1024xf32>) {rhs_view = #dnnl.view<[256, 1024], strides = [1, 256]>} -> tensor<32x1024xf32>
  return %y0, %y1, %y2 : tensor<32x1024xf32>, tensor<32x1024xf32>, tensor<32x1024xf32>
}

// -----

// An image and another one. The gradient with respect to an image wants another layout, and has it for itself.
// CHECK-LABEL: func @images
// CHECK: %[[P:[0-9]+]]{{.*}} = dnnl.reorder ins(%{{.*}} : tensor<64x64x3x3xf32>)
// CHECK-COUNT-2: dnnl.conv ins(%{{.*}}, %[[P]] : {{.*}}w_layout
// CHECK: dnnl.conv_input_grad ins(%{{.*}}, %{{.*}} : tensor<2x14x14x64xf32>, tensor<64x64x3x3xf32>)
func.func @images(%w: tensor<64x64x3x3xf32>, %a: tensor<2x14x14x64xf32>, %b: tensor<2x14x14x64xf32>) -> (tensor<2x14x14x64xf32>, tensor<2x14x14x64xf32>, tensor<2x14x14x64xf32>) {
  %e = tensor.empty() : tensor<2x14x14x64xf32>
  %y = dnnl.conv ins(%a, %w : tensor<2x14x14x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x14x14x64xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x14x14x64xf32>
  %z = dnnl.conv ins(%b, %w : tensor<2x14x14x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x14x14x64xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x14x14x64xf32>
  %g = dnnl.conv_input_grad ins(%b, %w : tensor<2x14x14x64xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x14x14x64xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] layout = channels_last -> tensor<2x14x14x64xf32>
  return %y, %z, %g : tensor<2x14x14x64xf32>, tensor<2x14x14x64xf32>, tensor<2x14x14x64xf32>
}

// -----

// What rounds the weights that it reads does so itself: the bytes would have to be rounded, too.
// CHECK-LABEL: func @rounded
// CHECK-NOT: dnnl.reorder
// CHECK-COUNT-2: tensor<36864xf32>)
func.func @rounded(%w: tensor<36864xf32>, %x: tensor<2x64x14x14xbf16>) -> tensor<2x64x14x14xbf16> {
  %s = tensor.empty() : tensor<2x64x14x14xbf16>
  %y = dnnl.conv ins(%x, %w : tensor<2x64x14x14xbf16>, tensor<36864xf32>) outs(%s : tensor<2x64x14x14xbf16>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1]
         {w_layout = #dnnl.blocked<[64, 64, 3, 3], strides = [9216, 2304, 768, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x64x14x14xbf16>
  %z = dnnl.conv ins(%y, %w : tensor<2x64x14x14xbf16>, tensor<36864xf32>) outs(%s : tensor<2x64x14x14xbf16>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1]
         {w_layout = #dnnl.blocked<[64, 64, 3, 3], strides = [9216, 2304, 768, 256], blocks = [16, 16] of [1, 0]>} -> tensor<2x64x14x14xbf16>
  return %z : tensor<2x64x14x14xbf16>
}
