// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --pass-pipeline="builtin.module(func.func(raf-isolate-copies))" | FileCheck %s

// Rows of a product: of any size if a library makes it.
// CHECK-LABEL: @rows
// CHECK: %[[X:.*]] = raf.matmul
// CHECK: raf.kernel ins(%[[X]] : tensor<256x64xf32>) outs(%{{.*}} : tensor<128x64xf32>) attributes {raf.copies = array<i64: 8192, 0, 8192>} {
// CHECK: raf.slice
// CHECK: raf.yield
// CHECK: dnnl.matmul
// CHECK: raf.kernel ins(%{{.*}} : tensor<4x16xf32>) outs(%{{.*}} : tensor<2x16xf32>) attributes {raf.copies = array<i64: 32, 0, 32>} {
func.func @rows(%a: tensor<256x8xf32>, %b: tensor<8x64xf32>, %c: tensor<4x8xf32>, %d: tensor<8x16xf32>) -> (tensor<128x64xf32>, tensor<2x16xf32>) {
  %x = raf.matmul %a, %b : tensor<256x8xf32>, tensor<8x64xf32> -> tensor<256x64xf32>
  %y = raf.slice %x starts = [128, 0] limits = [256, 64] strides = [1, 1] : tensor<256x64xf32> -> tensor<128x64xf32>
  %e = tensor.empty() : tensor<4x16xf32>
  %u = dnnl.matmul ins(%c, %d : tensor<4x8xf32>, tensor<8x16xf32>) outs(%e : tensor<4x16xf32>) -> tensor<4x16xf32>
  %v = raf.slice %u starts = [2, 0] limits = [4, 16] strides = [1, 1] : tensor<4x16xf32> -> tensor<2x16xf32>
  return %y, %v : tensor<128x64xf32>, tensor<2x16xf32>
}

// Columns of a product are not neighbours, every other row neither; rows of what is computed where it is read are computed there; rows may begin in the middle of a line of the cache.
// CHECK-LABEL: @not_rows
// CHECK-NOT: raf.kernel
func.func @not_rows(%a: tensor<256x8xf32>, %b: tensor<8x64xf32>, %c: tensor<8x63xf32>) -> (tensor<256x32xf32>, tensor<128x64xf32>, tensor<128x64xf32>, tensor<255x63xf32>) {
  %x = raf.matmul %a, %b : tensor<256x8xf32>, tensor<8x64xf32> -> tensor<256x64xf32>
  %y = raf.slice %x starts = [0, 32] limits = [256, 64] strides = [1, 1] : tensor<256x64xf32> -> tensor<256x32xf32>
  %z = raf.slice %x starts = [0, 0] limits = [256, 64] strides = [2, 1] : tensor<256x64xf32> -> tensor<128x64xf32>
  %e = raf.exp %x : tensor<256x64xf32>
  %v = raf.slice %e starts = [128, 0] limits = [256, 64] strides = [1, 1] : tensor<256x64xf32> -> tensor<128x64xf32>
  %w = raf.matmul %a, %c : tensor<256x8xf32>, tensor<8x63xf32> -> tensor<256x63xf32>
  %u = raf.slice %w starts = [1, 0] limits = [256, 63] strides = [1, 1] : tensor<256x63xf32> -> tensor<255x63xf32>
  return %y, %z, %v, %u : tensor<256x32xf32>, tensor<128x64xf32>, tensor<128x64xf32>, tensor<255x63xf32>
}

// Tensors that others read too, joined by rows; then rows of both.
// CHECK-LABEL: @joined
// CHECK: %[[Z:.*]] = raf.kernel ins(%{{.*}}, %{{.*}} : tensor<256x64xf32>, tensor<256x64xf32>) outs(%{{.*}} : tensor<512x64xf32>) attributes {raf.copies = array<i64: 0, 0, 16384, 0, 16384, 16384>} {
// CHECK: raf.kernel ins(%[[Z]] : tensor<512x64xf32>) {{.*}} attributes {raf.copies = array<i64: 16320, 0, 128>}
func.func @joined(%a: tensor<256x64xf32>) -> (tensor<256x64xf32>, tensor<512x64xf32>, tensor<2x64xf32>) {
  %x = raf.exp %a : tensor<256x64xf32>
  %y = raf.tanh %x : tensor<256x64xf32>
  %s = raf.add %x, %y : tensor<256x64xf32>
  %z = raf.concat %x, %y axis = 0 : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<512x64xf32>
  %r = raf.slice %z starts = [255, 0] limits = [257, 64] strides = [1, 1] : tensor<512x64xf32> -> tensor<2x64xf32>
  return %s, %z, %r : tensor<256x64xf32>, tensor<512x64xf32>, tensor<2x64xf32>
}

// Arguments would be copied all the same, booleans are stored otherwise, columns are not neighbours, what nobody else reads is computed in the kernel that joins it, and small
// tensors cost less in the kernel of their neighbours than a launch.
// CHECK-LABEL: @not_joined
// CHECK-NOT: raf.kernel
func.func @not_joined(%a: tensor<256x64xf32>, %b: tensor<65536xi1>, %c: tensor<4x16xf32>)
    -> (tensor<512x64xf32>, tensor<131072xi1>, tensor<256x128xf32>, tensor<512x64xf32>, tensor<8x16xf32>) {
  %0 = raf.concat %a, %a axis = 0 : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<512x64xf32>
  %n = raf.not %b : tensor<65536xi1>
  %1 = raf.concat %n, %n axis = 0 : (tensor<65536xi1>, tensor<65536xi1>) -> tensor<131072xi1>
  %x = raf.exp %a : tensor<256x64xf32>
  %2 = raf.concat %x, %x axis = 1 : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<256x128xf32>
  %y = raf.tanh %a : tensor<256x64xf32>
  %z = raf.abs %a : tensor<256x64xf32>
  %3 = raf.concat %y, %z axis = 0 : (tensor<256x64xf32>, tensor<256x64xf32>) -> tensor<512x64xf32>
  %u = raf.exp %c : tensor<4x16xf32>
  %v = raf.tanh %u : tensor<4x16xf32>
  %4 = raf.concat %u, %v axis = 0 : (tensor<4x16xf32>, tensor<4x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %2, %3, %4 : tensor<512x64xf32>, tensor<131072xi1>, tensor<256x128xf32>, tensor<512x64xf32>, tensor<8x16xf32>
}
