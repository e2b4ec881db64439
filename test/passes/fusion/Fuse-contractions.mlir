// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --raf-convert-to-linalg --canonicalize --cse --raf-fuse | FileCheck %s
// RUN: raf-opt %s --raf-decompose-ops --raf-convert-to-linalg --canonicalize --cse --raf-fuse=epilogues=true | FileCheck %s --check-prefix=ALWAYS
// Pointwise ops on a product that is too large for the caches are computed tile by tile in its kernel.

// Product, bias, activation, residual: one kernel. The value before the activation is stored too, since somebody wants it.
// CHECK-LABEL: func.func @follows
// CHECK-COUNT-1: raf.kernel ins
// CHECK: raf.yield {{.*}}, {{.*}} : tensor<1024x768xf32>, tensor<1024x768xf32>
// CHECK-NOT: raf.kernel ins
func.func @follows(%a: tensor<1024x64xf32>, %b: tensor<64x768xf32>, %bias: tensor<768xf32>, %r: tensor<1024x768xf32>) -> (tensor<1024x768xf32>, tensor<1024x768xf32>) {
  %0 = raf.matmul %a, %b : tensor<1024x64xf32>, tensor<64x768xf32> -> tensor<1024x768xf32>
  %1 = raf.broadcast %bias dims = [1] : tensor<768xf32> to tensor<1024x768xf32>
  %2 = raf.add %0, %1 : tensor<1024x768xf32>
  %3 = raf.relu %2 : tensor<1024x768xf32>
  %4 = raf.add %3, %r : tensor<1024x768xf32>
  return %2, %4 : tensor<1024x768xf32>, tensor<1024x768xf32>
}

// bf16: the sums are f32, and are narrowed before they are stored.
// CHECK-LABEL: func.func @narrowed
// CHECK-COUNT-1: raf.kernel ins
// CHECK-NOT: raf.kernel ins
func.func @narrowed(%a: tensor<1024x64xbf16>, %b: tensor<64x768xbf16>) -> tensor<1024x768xbf16> {
  %0 = raf.matmul %a, %b : tensor<1024x64xbf16>, tensor<64x768xbf16> -> tensor<1024x768xbf16>
  return %0 : tensor<1024x768xbf16>
}

// What makes an operand runs before, and what sums the product up after: a tile has neither all of the one nor all of the other. Two products have two kernels.
// CHECK-LABEL: func.func @apart
// CHECK-COUNT-4: raf.kernel ins
// CHECK-NOT: raf.kernel ins
func.func @apart(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>) -> (tensor<1024x1024xf32>, tensor<1024xf32>) {
  %0 = raf.exp %a : tensor<1024x1024xf32>
  %1 = raf.matmul %0, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %2 = raf.reduce sum %1 dims = [1] : tensor<1024x1024xf32> -> tensor<1024xf32>
  %3 = raf.matmul %1, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  return %3, %2 : tensor<1024x1024xf32>, tensor<1024xf32>
}

// A small product stays in cache until the next kernel reads it; where launches cost more than that, one kernel computes it all.
// ALWAYS-LABEL: func.func @small
// ALWAYS-COUNT-1: raf.kernel ins
// ALWAYS-NOT: raf.kernel ins
// CHECK-LABEL: func.func @small
// CHECK-COUNT-2: raf.kernel ins
// CHECK-NOT: raf.kernel ins
func.func @small(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<32x32xf32> {
  %0 = raf.matmul %a, %b : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %1 = raf.relu %0 : tensor<32x32xf32>
  return %1 : tensor<32x32xf32>
}
