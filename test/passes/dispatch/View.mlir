// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch | FileCheck %s

// A broadcast over a batch is read in place.
// CHECK-LABEL: func @broadcast
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-NOT: raf.broadcast
// CHECK: dnnl.matmul ins(%[[A]], {{.*}} {lhs_view = #dnnl.view<[1, 4, 8], strides = [32, 8, 1]>}
func.func @broadcast(%a: tensor<4x8xf32>, %b: tensor<3x8x16xf32>) -> tensor<3x4x16xf32> {
  %w = raf.broadcast %a dims = [1, 2] : tensor<4x8xf32> to tensor<3x4x8xf32>
  %y = raf.matmul %w, %b : tensor<3x4x8xf32>, tensor<3x8x16xf32> -> tensor<3x4x16xf32>
  return %y : tensor<3x4x16xf32>
}

// A dimension that is split and moved is a choice of strides.
// CHECK-LABEL: func @split
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<24x8xf32>
// CHECK-NOT: raf.
// CHECK: dnnl.matmul ins(%[[A]], {{.*}} {lhs_view = #dnnl.view<[6, 4, 8], strides = [8, 48, 1]>}
func.func @split(%a: tensor<24x8xf32>, %b: tensor<6x8x5xf32>) -> tensor<6x4x5xf32> {
  %r = raf.reshape %a : tensor<24x8xf32> to tensor<4x6x8xf32>
  %t = raf.transpose %r permutation = [1, 0, 2] : tensor<4x6x8xf32> -> tensor<6x4x8xf32>
  %y = raf.matmul %t, %b : tensor<6x4x8xf32>, tensor<6x8x5xf32> -> tensor<6x4x5xf32>
  return %y : tensor<6x4x5xf32>
}

// Dimensions that changed places cannot be merged by strides: the transpose is made, and read through the reshape.
// CHECK-LABEL: func @merge
// CHECK: %[[T:.*]] = raf.transpose
// CHECK-NOT: raf.reshape
// CHECK: dnnl.matmul ins(%[[T]], {{.*}} {lhs_view = #dnnl.view<[24, 8], strides = [8, 1]>}
func.func @merge(%a: tensor<4x6x8xf32>, %b: tensor<8x5xf32>) -> tensor<24x5xf32> {
  %t = raf.transpose %a permutation = [1, 0, 2] : tensor<4x6x8xf32> -> tensor<6x4x8xf32>
  %r = raf.reshape %t : tensor<6x4x8xf32> to tensor<24x8xf32>
  %y = raf.matmul %r, %b : tensor<24x8xf32>, tensor<8x5xf32> -> tensor<24x5xf32>
  return %y : tensor<24x5xf32>
}

// A dense operand needs no view.
// CHECK-LABEL: func @dense
// CHECK-NOT: view
// CHECK: return
func.func @dense(%a: tensor<24x8xf32>, %b: tensor<8x5xf32>) -> tensor<24x5xf32> {
  %y = raf.matmul %a, %b : tensor<24x8xf32>, tensor<8x5xf32> -> tensor<24x5xf32>
  return %y : tensor<24x5xf32>
}

// A part of what is stored is read where it lies; so is a part of a product's result.
// CHECK-LABEL: func @part
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x24xf32>
// CHECK-NOT: raf.slice
// CHECK: %[[Y:.*]] = dnnl.matmul ins(%[[A]], {{.*}} {lhs_view = #dnnl.view<[2, 4, 4], strides = [4, 24, 1], offset = 8>}
// CHECK-NOT: raf.slice
// CHECK: dnnl.matmul ins(%[[Y]]{{.*}} {lhs_view = #dnnl.view<[1, 4, 5], strides = [20, 5, 1], offset = 20>
func.func @part(%a: tensor<4x24xf32>, %b: tensor<2x4x5xf32>, %c: tensor<1x5x3xf32>) -> tensor<1x4x3xf32> {
  %s = raf.slice %a starts = [0, 8] limits = [4, 16] strides = [1, 1] : tensor<4x24xf32> -> tensor<4x8xf32>
  %r = raf.reshape %s : tensor<4x8xf32> to tensor<4x2x4xf32>
  %t = raf.transpose %r permutation = [1, 0, 2] : tensor<4x2x4xf32> -> tensor<2x4x4xf32>
  %y = raf.matmul %t, %b : tensor<2x4x4xf32>, tensor<2x4x5xf32> -> tensor<2x4x5xf32>
  %p = raf.slice %y starts = [1, 0, 0] limits = [2, 4, 5] strides = [1, 1, 1] : tensor<2x4x5xf32> -> tensor<1x4x5xf32>
  %z = raf.matmul %p, %c : tensor<1x4x5xf32>, tensor<1x5x3xf32> -> tensor<1x4x3xf32>
  return %z : tensor<1x4x3xf32>
}

// What a kernel computes, it computes for the part alone; every second column is gathered by a kernel.
// CHECK-LABEL: func @computed_part
// CHECK: raf.slice
// CHECK: dnnl.matmul
// CHECK: raf.slice
// CHECK: dnnl.matmul
func.func @computed_part(%a: tensor<4x24xf32>, %b: tensor<8x5xf32>, %c: tensor<12x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %e = raf.exp %a : tensor<4x24xf32>
  %s = raf.slice %e starts = [0, 8] limits = [4, 16] strides = [1, 1] : tensor<4x24xf32> -> tensor<4x8xf32>
  %y = raf.matmul %s, %b : tensor<4x8xf32>, tensor<8x5xf32> -> tensor<4x5xf32>
  %n = raf.slice %a starts = [0, 0] limits = [4, 24] strides = [1, 2] : tensor<4x24xf32> -> tensor<4x12xf32>
  %z = raf.matmul %n, %c : tensor<4x12xf32>, tensor<12x5xf32> -> tensor<4x5xf32>
  return %y, %z : tensor<4x5xf32>, tensor<4x5xf32>
}
