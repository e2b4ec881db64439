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
