// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s | raf-opt | FileCheck %s
// RUN: raf-opt %s -mlir-print-op-generic | raf-opt | FileCheck %s
// RUN: raf-opt %s -canonicalize -cse | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: func @collectives
// CHECK: nccl.all_reduce sum ins(%{{.*}} : tensor<8x4xf32>) outs(%{{.*}} : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
// CHECK: nccl.reduce_scatter mean ins(%{{.*}} : tensor<8x4xf32>) outs(%{{.*}} : tensor<2x4xf32>) ranks = 4 -> tensor<2x4xf32>
// CHECK: nccl.all_gather ins(%{{.*}} : tensor<2x4xf32>) outs(%{{.*}} : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
// CHECK: nccl.broadcast ins(%{{.*}} : tensor<8x4xf32>) outs(%{{.*}} : tensor<8x4xf32>) root = 3 ranks = 4 -> tensor<8x4xf32>
// CHECK: nccl.all_to_all ins(%{{.*}} : tensor<8x4xf32>) outs(%{{.*}} : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
func.func @collectives(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>, %p: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %0 = nccl.all_reduce sum ins(%x : tensor<8x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
  %1 = nccl.reduce_scatter mean ins(%0 : tensor<8x4xf32>) outs(%p : tensor<2x4xf32>) ranks = 4 -> tensor<2x4xf32>
  %2 = nccl.all_gather ins(%1 : tensor<2x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
  %3 = nccl.broadcast ins(%2 : tensor<8x4xf32>) outs(%y : tensor<8x4xf32>) root = 3 ranks = 4 -> tensor<8x4xf32>
  %4 = nccl.all_to_all ins(%3 : tensor<8x4xf32>) outs(%y : tensor<8x4xf32>) ranks = 4 -> tensor<8x4xf32>
  return %4 : tensor<8x4xf32>
}

// A message that nobody reads here is still one that somebody waits for there.
// CHECK-LABEL: func @messages
// CHECK: nccl.send ins(%{{.*}} : tensor<8xbf16>) peer = 1 ranks = 2
// CHECK: nccl.receive outs(%{{.*}} : tensor<8xbf16>) peer = 1 ranks = 2 -> tensor<8xbf16>
// KEPT-LABEL: func @messages
// KEPT: nccl.send
// KEPT: nccl.receive
func.func @messages(%x: tensor<8xbf16>, %y: tensor<8xbf16>) {
  nccl.send ins(%x : tensor<8xbf16>) peer = 1 ranks = 2
  %0 = nccl.receive outs(%y : tensor<8xbf16>) peer = 1 ranks = 2 -> tensor<8xbf16>
  return
}

// CHECK-LABEL: func @on_buffers
// CHECK: nccl.all_reduce max ins(%{{.*}} : memref<8xi32>) outs(%{{.*}} : memref<8xi32>) ranks = 2
// CHECK: nccl.receive outs(%{{.*}} : memref<8xi32>) peer = 0 ranks = 2
func.func @on_buffers(%x: memref<8xi32>) {
  nccl.all_reduce max ins(%x : memref<8xi32>) outs(%x : memref<8xi32>) ranks = 2
  nccl.receive outs(%x : memref<8xi32>) peer = 0 ranks = 2
  return
}
