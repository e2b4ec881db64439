// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch -remarks-filter-missed=raf-dispatch 2>&1 | FileCheck %s

// Why something is declined is said.
// CHECK: remark: [Missed] raf.matmul {{.*}} | Function=dnnl | Reason="oneDNN has no training kernels for element type i32"
// CHECK: remark: [Missed] raf.avg_pool {{.*}} | Function=dnnl | Reason="oneDNN has no training kernels for element type f64"
// CHECK: remark: [Missed] raf.max_pool {{.*}} | Function=dnnl | Reason="a tensor is empty: tensor<0x3x8x8xf32>"

// The product of a transposed operand needs scratch memory, which is the op's last destination and result.
// CHECK-LABEL: func @workspace
// CHECK: %[[S:.*]] = tensor.empty() : tensor<[[BYTES:[0-9]+]]xi8>
// CHECK: %[[Y:[0-9]+]]:2 = dnnl.matmul {{.*}} workspace(%[[S]] : tensor<[[BYTES]]xi8>) {{.*}} -> tensor<8x5xf32>, tensor<[[BYTES]]xi8>
// CHECK: return %[[Y]]#0
func.func @workspace(%a: tensor<4x8xf32>, %b: tensor<4x5xf32>) -> tensor<8x5xf32> {
  %t = raf.transpose %a permutation = [1, 0] : tensor<4x8xf32> -> tensor<8x4xf32>
  %y = raf.matmul %t, %b : tensor<8x4xf32>, tensor<4x5xf32> -> tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// CHECK-LABEL: func @integers
// CHECK-NEXT: raf.matmul
func.func @integers(%x: tensor<8x8xi32>) -> tensor<8x8xi32> {
  %0 = raf.matmul %x, %x : tensor<8x8xi32>, tensor<8x8xi32> -> tensor<8x8xi32>
  return %0 : tensor<8x8xi32>
}

// CHECK-LABEL: func @double
// CHECK-NEXT: raf.avg_pool
func.func @double(%x: tensor<2x3x8x8xf64>) -> tensor<2x3x4x4xf64> {
  %y = raf.avg_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x3x8x8xf64>) -> tensor<2x3x4x4xf64>
  return %y : tensor<2x3x4x4xf64>
}

// CHECK-LABEL: func @empty
// CHECK-NEXT: raf.max_pool
func.func @empty(%x: tensor<0x3x8x8xf32>) -> tensor<0x3x4x4xf32> {
  %y, %i = raf.max_pool %x kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<0x3x8x8xf32>) -> (tensor<0x3x4x4xf32>, tensor<0x3x4x4xi32>)
  return %y : tensor<0x3x4x4xf32>
}
