// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=forbid=dnnl | FileCheck %s --check-prefix=FORBID

// FORBID-NOT: dnnl.

// A layer of a perceptron is one call.
// CHECK-LABEL: func @layer
// CHECK-SAME: (%[[X:.*]]: tensor<32x64xf32>, %[[W:.*]]: tensor<128x64xf32>, %[[B:.*]]: tensor<128xf32>)
// CHECK-NOT: raf.
// CHECK: %[[E:.*]] = tensor.empty() : tensor<32x128xf32>
// CHECK: %[[Y:[0-9]+]]{{.*}} = dnnl.matmul ins(%[[X]], %[[W]] : tensor<32x64xf32>, tensor<128x64xf32>) bias(%[[B]] : tensor<128xf32>) outs(%[[E]] : tensor<32x128xf32>)
// CHECK-SAME: post_ops = [#dnnl.post_op<relu>]
// CHECK-SAME: rhs_view = #dnnl.view<[64, 128], strides = [1, 64]>
// CHECK-NEXT: return %[[Y]]{{(#0)?}} :
func.func @layer(%x: tensor<32x64xf32>, %w: tensor<128x64xf32>, %b: tensor<128xf32>) -> tensor<32x128xf32> {
  %0 = raf.matmul %x, %w transpose_rhs : tensor<32x64xf32>, tensor<128x64xf32> -> tensor<32x128xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<128xf32> to tensor<32x128xf32>
  %2 = raf.add %0, %1 : tensor<32x128xf32>
  %3 = raf.relu %2 : tensor<32x128xf32>
  return %3 : tensor<32x128xf32>
}

// max(x, 0) is relu.
// CHECK-LABEL: func @maximum
// CHECK: dnnl.matmul
// CHECK-SAME: post_ops = [#dnnl.post_op<relu>]
func.func @maximum(%x: tensor<32x64xf32>, %w: tensor<64x128xf32>) -> tensor<32x128xf32> {
  %zero = raf.constant dense<0.0> : tensor<f32>
  %zeros = raf.broadcast %zero dims = [] : tensor<f32> to tensor<32x128xf32>
  %0 = raf.matmul %x, %w : tensor<32x64xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  %1 = raf.maximum %zeros, %0 : tensor<32x128xf32>
  return %1 : tensor<32x128xf32>
}

// A value that somebody else reads is stored, so the chain ends there.
// CHECK-LABEL: func @used_twice
// CHECK: %[[M:[0-9]+]]{{.*}} = dnnl.matmul {{.*}} bias(
// CHECK-NOT: post_op
// CHECK: %[[R:.*]] = raf.relu %[[M]]{{(#0)?}} :
// CHECK-NEXT: return %[[M]]{{(#0)?}}, %[[R]]
func.func @used_twice(%x: tensor<32x64xf32>, %w: tensor<64x128xf32>, %b: tensor<128xf32>) -> (tensor<32x128xf32>, tensor<32x128xf32>) {
  %0 = raf.matmul %x, %w : tensor<32x64xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<128xf32> to tensor<32x128xf32>
  %2 = raf.add %0, %1 : tensor<32x128xf32>
  %3 = raf.relu %2 : tensor<32x128xf32>
  return %2, %3 : tensor<32x128xf32>, tensor<32x128xf32>
}

// Two products of one sum: the second adds to what the first left.
// CHECK-LABEL: func @accumulate
// CHECK: %[[A:[0-9]+]]{{.*}} = dnnl.matmul
// CHECK: dnnl.matmul {{.*}} outs(%[[A]]{{(#0)?}} : tensor<8x16xf32>) {{.*}}post_ops = [#dnnl.post_op<sum>, #dnnl.post_op<tanh>]
func.func @accumulate(%x: tensor<8x4xf32>, %h: tensor<8x16xf32>, %w: tensor<4x16xf32>, %u: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.matmul %h, %u : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  %3 = raf.tanh %2 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// A long sum has one buffer.
// CHECK-LABEL: func @long_sum
// CHECK: %[[B:[0-9]+]]{{.*}} = dnnl.matmul
// CHECK: %[[A:[0-9]+]]{{.*}} = dnnl.matmul {{.*}} outs(%[[B]]{{(#0)?}} : tensor<8x16xf32>) {{.*}}post_ops = [#dnnl.post_op<sum>] ->
// CHECK: %[[C:[0-9]+]]{{.*}} = dnnl.matmul {{.*}} outs(%[[A]]{{(#0)?}} : tensor<8x16xf32>) {{.*}}post_ops = [#dnnl.post_op<sum>] ->
// CHECK-NEXT: return %[[C]]
func.func @long_sum(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %u: tensor<4x16xf32>, %v: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.matmul %x, %u : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  %3 = raf.matmul %x, %v : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %4 = raf.add %2, %3 : tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// A slice that nobody else needs is added by generated code, which reads it where it lies.
// CHECK-LABEL: func @slice
// CHECK: dnnl.matmul
// CHECK-NOT: post_ops
// CHECK: raf.slice
// CHECK: raf.add
func.func @slice(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %r: tensor<9x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.slice %r starts = [1, 0] limits = [9, 16] strides = [1, 1] : tensor<9x16xf32> -> tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// A function's argument must not be overwritten.
// CHECK-LABEL: func @residual
// CHECK-SAME: %[[R:[a-z0-9]+]]: tensor<8x16xf32>)
// CHECK: dnnl.matmul {{.*}} post_operands(%[[R]] : tensor<8x16xf32>) {{.*}} post_ops = [#dnnl.post_op<add>]
// CHECK-NOT: view
func.func @residual(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %r: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.add %r, %0 : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// Splitting and merging heads is a choice of strides, and scaling a post-op.
// CHECK-LABEL: func @heads
// CHECK-NOT: raf.transpose
// CHECK: %[[S:[0-9]+]]{{.*}} = dnnl.matmul
// CHECK-SAME: post_ops = [#dnnl.post_op<linear, alpha = 2.500000e-01 : f64, beta = 0.000000e+00 : f64>]
// CHECK-SAME: lhs_view = #dnnl.view<[2, 4, 8, 16], strides = [512, 16, 64, 1]>
// CHECK-SAME: rhs_view = #dnnl.view<[2, 4, 16, 8], strides = [512, 16, 1, 64]>
// CHECK: dnnl.matmul ins(%[[S]]{{(#0)?}},
// CHECK-SAME: outs(%{{.*}} : tensor<2x8x4x16xf32>)
// CHECK-SAME: dst_view = #dnnl.view<[2, 4, 8, 16], strides = [512, 16, 64, 1]>
// CHECK-SAME: rhs_view = #dnnl.view<[2, 4, 8, 16], strides = [512, 16, 64, 1]>
// CHECK: raf.reshape
func.func @heads(%q: tensor<2x8x64xf32>, %k: tensor<2x8x64xf32>, %v: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
  %q1 = raf.reshape %q : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
  %q2 = raf.transpose %q1 permutation = [0, 2, 1, 3] : tensor<2x8x4x16xf32> -> tensor<2x4x8x16xf32>
  %k1 = raf.reshape %k : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
  %k2 = raf.transpose %k1 permutation = [0, 2, 3, 1] : tensor<2x8x4x16xf32> -> tensor<2x4x16x8xf32>
  %v1 = raf.reshape %v : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
  %v2 = raf.transpose %v1 permutation = [0, 2, 1, 3] : tensor<2x8x4x16xf32> -> tensor<2x4x8x16xf32>
  %s = raf.matmul %q2, %k2 : tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x8x8xf32>
  %c = raf.constant dense<0.25> : tensor<2x4x8x8xf32>
  %t = raf.mul %s, %c : tensor<2x4x8x8xf32>
  %o = raf.matmul %t, %v2 : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32> -> tensor<2x4x8x16xf32>
  %o1 = raf.transpose %o permutation = [0, 2, 1, 3] : tensor<2x4x8x16xf32> -> tensor<2x8x4x16xf32>
  %o2 = raf.reshape %o1 : tensor<2x8x4x16xf32> to tensor<2x8x64xf32>
  return %o2 : tensor<2x8x64xf32>
}

// One of two readers wants the result transposed: it is stored so.
// CHECK-LABEL: func @two_orders
// CHECK: %[[O:[0-9]+]]{{.*}} = dnnl.matmul {{.*}} outs(%{{.*}} : tensor<2x8x4x16xf32>) {{.*}}{dst_view = #dnnl.view<[2, 4, 8, 16], strides = [512, 16, 64, 1]>}
// CHECK-NEXT: %[[B:.*]] = raf.transpose %[[O]]{{(#0)?}} permutation = [0, 2, 1, 3]
// CHECK-NEXT: %[[E:.*]] = raf.exp %[[B]]
// CHECK-NEXT: return %[[O]]{{(#0)?}}, %[[E]]
func.func @two_orders(%p: tensor<2x4x8x8xf32>, %v: tensor<2x4x8x16xf32>) -> (tensor<2x8x4x16xf32>, tensor<2x4x8x16xf32>) {
  %o = raf.matmul %p, %v : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32> -> tensor<2x4x8x16xf32>
  %e = raf.exp %o : tensor<2x4x8x16xf32>
  %t = raf.transpose %o permutation = [0, 2, 1, 3] : tensor<2x4x8x16xf32> -> tensor<2x8x4x16xf32>
  return %t, %e : tensor<2x8x4x16xf32>, tensor<2x4x8x16xf32>
}

// Through the reshape between the product and the bias; the residual is read in the shape of the product.
// CHECK-LABEL: func @flattened
// CHECK: dnnl.matmul {{.*}} bias(%{{.*}} : tensor<16xf32>) post_operands(%{{.*}} : tensor<2x8x16xf32>) outs(%{{.*}} : tensor<2x8x16xf32>)
// CHECK-SAME: post_ops = [#dnnl.post_op<add>]
// CHECK-SAME: dst_view = #dnnl.view<[16, 16], strides = [16, 1]>
// CHECK-SAME: lhs_view = #dnnl.view<[16, 4], strides = [4, 1]>
// CHECK-SAME: post_operand_views = [#dnnl.view<[16, 16], strides = [16, 1]>]
// CHECK-NEXT: return
func.func @flattened(%x: tensor<2x8x4xf32>, %w: tensor<4x16xf32>, %b: tensor<16xf32>, %r: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %x1 = raf.reshape %x : tensor<2x8x4xf32> to tensor<16x4xf32>
  %0 = raf.matmul %x1, %w : tensor<16x4xf32>, tensor<4x16xf32> -> tensor<16x16xf32>
  %1 = raf.reshape %0 : tensor<16x16xf32> to tensor<2x8x16xf32>
  %2 = raf.broadcast %b dims = [2] : tensor<16xf32> to tensor<2x8x16xf32>
  %3 = raf.add %1, %2 : tensor<2x8x16xf32>
  %4 = raf.add %3, %r : tensor<2x8x16xf32>
  return %4 : tensor<2x8x16xf32>
}

// The weight of a batched product is not copied for each batch.
// CHECK-LABEL: func @shared_weight
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<4x16xf32>)
// CHECK: dnnl.matmul ins(%{{.*}}, %[[W]] :
// CHECK-SAME: rhs_view = #dnnl.view<[1, 4, 16], strides = [64, 16, 1]>
func.func @shared_weight(%x: tensor<2x8x4xf32>, %w: tensor<4x16xf32>) -> tensor<2x8x16xf32> {
  %w1 = raf.broadcast %w dims = [1, 2] : tensor<4x16xf32> to tensor<2x4x16xf32>
  %0 = raf.matmul %x, %w1 : tensor<2x8x4xf32>, tensor<2x4x16xf32> -> tensor<2x8x16xf32>
  return %0 : tensor<2x8x16xf32>
}

// CHECK-LABEL: func @double
// CHECK-NOT: dnnl
// CHECK: raf.matmul
func.func @double(%x: tensor<8x4xf64>, %w: tensor<4x16xf64>) -> tensor<8x16xf64> {
  %0 = raf.matmul %x, %w : tensor<8x4xf64>, tensor<4x16xf64> -> tensor<8x16xf64>
  return %0 : tensor<8x16xf64>
}
