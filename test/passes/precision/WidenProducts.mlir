// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-widen-products="types=bf16" --canonicalize --split-input-file | FileCheck %s
// RUN: not raf-opt %s --raf-widen-products="types=f8" --split-input-file 2>&1 | FileCheck %s --check-prefix=TYPE
// TYPE: error: raf-widen-products: types must be bf16 or f16, got 'f8'

// Parameters that were rounded for the product are read as they are, also through what only moves them; the bias and the activation come before the rounding. What is kept is
// kept in 16 bits.
// CHECK-LABEL: func.func @layer
// CHECK-SAME: %[[X:.*]]: tensor<4x8xbf16>, %[[W:.*]]: tensor<8x16xf32>, %[[B:.*]]: tensor<16xf32>
// CHECK: %[[WX:.*]] = raf.cast %[[X]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: %[[H:.*]] = raf.matmul %[[WX]], %[[W]] : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
// CHECK: %[[WB:.*]] = raf.broadcast %[[B]] dims = [1] : tensor<16xf32> to tensor<4x16xf32>
// CHECK: %[[S:.*]] = raf.add %[[H]], %[[WB]] : tensor<4x16xf32>
// CHECK: %[[R:.*]] = raf.relu %[[S]] : tensor<4x16xf32>
// CHECK: %[[Y:.*]] = raf.cast %[[R]] : tensor<4x16xf32> to tensor<4x16xbf16>
// CHECK: %[[WY:.*]] = raf.cast %[[Y]] : tensor<4x16xbf16> to tensor<4x16xf32>
// CHECK: %[[G:.*]] = raf.matmul %[[WX]], %[[WY]] transpose_lhs : tensor<4x8xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
// CHECK: return %[[Y]], %[[G]]
func.func @layer(%x: tensor<4x8xbf16>, %w: tensor<8x16xf32>, %b: tensor<16xf32>) -> (tensor<4x16xbf16>, tensor<8x16xf32>) {
  %nw = raf.cast %w : tensor<8x16xf32> to tensor<8x16xbf16>
  %h = raf.matmul %x, %nw : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xbf16>
  %nb = raf.cast %b : tensor<16xf32> to tensor<16xbf16>
  %bb = raf.broadcast %nb dims = [1] : tensor<16xbf16> to tensor<4x16xbf16>
  %s = raf.add %h, %bb : tensor<4x16xbf16>
  %y = raf.relu %s : tensor<4x16xbf16>
  %g = raf.matmul %x, %y transpose_lhs : tensor<4x8xbf16>, tensor<4x16xbf16> -> tensor<8x16xf32>
  return %y, %g : tensor<4x16xbf16>, tensor<8x16xf32>
}

// -----

// A residual is another activation: it is added after the rounding, as it lies. What was computed is rounded before a product reads it.
// CHECK-LABEL: func.func @residual
// CHECK-SAME: %[[X:.*]]: tensor<4x4xf32>, %[[R:.*]]: tensor<4x4xbf16>
// CHECK: %[[E:.*]] = raf.exp %[[X]]
// CHECK: %[[N:.*]] = raf.cast %[[E]] : tensor<4x4xf32> to tensor<4x4xbf16>
// CHECK: %[[W:.*]] = raf.cast %[[N]] : tensor<4x4xbf16> to tensor<4x4xf32>
// CHECK: %[[P:.*]] = raf.matmul %[[W]], %[[W]] : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
// CHECK: %[[Q:.*]] = raf.cast %[[P]] : tensor<4x4xf32> to tensor<4x4xbf16>
// CHECK: raf.add %[[Q]], %[[R]] : tensor<4x4xbf16>
func.func @residual(%x: tensor<4x4xf32>, %r: tensor<4x4xbf16>) -> tensor<4x4xbf16> {
  %e = raf.exp %x : tensor<4x4xf32>
  %n = raf.cast %e : tensor<4x4xf32> to tensor<4x4xbf16>
  %p = raf.matmul %n, %n : tensor<4x4xbf16>, tensor<4x4xbf16> -> tensor<4x4xbf16>
  %y = raf.add %p, %r : tensor<4x4xbf16>
  return %y : tensor<4x4xbf16>
}

// -----

// The other 16-bit type stays. Convolutions are products.
// CHECK-LABEL: func.func @others
// CHECK-DAG: raf.matmul {{.*}} : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
// CHECK-DAG: raf.conv {{.*}} : (tensor<2x3x8x8xf32>, tensor<4x3x1x1xf32>) -> tensor<2x4x8x8xf32>
func.func @others(%x: tensor<4x4xf16>, %i: tensor<2x3x8x8xbf16>, %k: tensor<4x3x1x1xbf16>) -> (tensor<4x4xf16>, tensor<2x4x8x8xbf16>) {
  %y = raf.matmul %x, %x : tensor<4x4xf16>, tensor<4x4xf16> -> tensor<4x4xf16>
  %c = raf.conv %i, %k strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<4x3x1x1xbf16>) -> tensor<2x4x8x8xbf16>
  return %y, %c : tensor<4x4xf16>, tensor<2x4x8x8xbf16>
}

// -----

// What only moves an activation is done on f32, so that the library can read through it.
// CHECK-LABEL: func.func @transposed
// CHECK: %[[W:.*]] = raf.cast %{{.*}} : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: raf.matmul %[[W]], %[[W]] transpose_rhs : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x4xf32>
func.func @transposed(%x: tensor<4x8xbf16>) -> tensor<4x4xf32> {
  %t = raf.transpose %x permutation = [1, 0] : tensor<4x8xbf16> -> tensor<8x4xbf16>
  %y = raf.matmul %x, %t : tensor<4x8xbf16>, tensor<8x4xbf16> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// What is pooled has no copy in 16 bits: the maxima are rounded instead, and the gradient is spread out in f32, as the convolution's gradient reads it.
// CHECK-LABEL: func.func @pooled
// CHECK: %[[C:.*]] = raf.conv
// CHECK: %[[R:.*]] = raf.relu %[[C]] : tensor<2x4x8x8xf32>
// CHECK: %[[Y:.*]], %[[I:.*]] = raf.max_pool %[[R]] {{.*}} : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
// CHECK: %[[N:.*]] = raf.cast %[[Y]] : tensor<2x4x4x4xf32> to tensor<2x4x4x4xbf16>
// CHECK: %[[T:.*]] = raf.tanh %[[N]] : tensor<2x4x4x4xbf16>
// CHECK: %[[D:.*]] = raf.cast %[[T]] : tensor<2x4x4x4xbf16> to tensor<2x4x4x4xf32>
// CHECK: %[[G:.*]] = raf.max_pool_grad %[[D]], %[[I]] {{.*}} : (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>) -> tensor<2x4x8x8xf32>
// CHECK: raf.conv_weight_grad %{{.*}}, %[[G]]
// CHECK: raf.reduce {{.*}}%[[G]]
func.func @pooled(%x: tensor<2x3x8x8xbf16>, %k: tensor<4x3x1x1xbf16>) -> (tensor<4x3x1x1xf32>, tensor<4xf32>) {
  %c = raf.conv %x, %k strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<4x3x1x1xbf16>) -> tensor<2x4x8x8xbf16>
  %r = raf.relu %c : tensor<2x4x8x8xbf16>
  %y, %i = raf.max_pool %r kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xbf16>) -> (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>)
  %t = raf.tanh %y : tensor<2x4x4x4xbf16>
  %g = raf.max_pool_grad %t, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>) -> tensor<2x4x8x8xbf16>
  %dk = raf.conv_weight_grad %x, %g strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<2x4x8x8xbf16>) -> tensor<4x3x1x1xf32>
  %w = raf.cast %g : tensor<2x4x8x8xbf16> to tensor<2x4x8x8xf32>
  %b = raf.reduce sum %w dims = [0, 2, 3] : tensor<2x4x8x8xf32> -> tensor<4xf32>
  return %dk, %b : tensor<4x3x1x1xf32>, tensor<4xf32>
}

// -----

// The gradient is of use in 16 bits: it and its pool stay in that type.
// CHECK-LABEL: func.func @pooled_in_16_bits
// CHECK: raf.max_pool %{{.*}} : (tensor<2x4x8x8xbf16>) -> (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>)
// CHECK: raf.max_pool_grad %{{.*}} -> tensor<2x4x8x8xbf16>
func.func @pooled_in_16_bits(%x: tensor<2x3x8x8xbf16>, %k: tensor<4x3x1x1xbf16>) -> tensor<2x4x8x8xbf16> {
  %c = raf.conv %x, %k strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xbf16>, tensor<4x3x1x1xbf16>) -> tensor<2x4x8x8xbf16>
  %y, %i = raf.max_pool %c kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xbf16>) -> (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>)
  %g = raf.max_pool_grad %y, %i kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x4x4xbf16>, tensor<2x4x4x4xi32>) -> tensor<2x4x8x8xbf16>
  return %g : tensor<2x4x8x8xbf16>
}
