// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-gpu-to-ptx=chip=sm_80 | FileCheck %s

// Functions of integers have instructions of their own.
// CHECK: .entry integers(
// CHECK-SAME: abs.s32
// CHECK-SAME: popc.b32
// CHECK-SAME: clz.b64
gpu.module @kernels {
  gpu.func @integers(%x: memref<8xi32>, %y: memref<8xi64>) kernel {
    %i = gpu.thread_id x
    %0 = memref.load %x[%i] : memref<8xi32>
    %1 = math.absi %0 : i32
    memref.store %1, %x[%i] : memref<8xi32>
    %j = gpu.block_id x
    %2 = math.ctpop %1 : i32
    memref.store %2, %x[%j] : memref<8xi32>
    %3 = memref.load %y[%i] : memref<8xi64>
    %4 = math.ctlz %3 : i64
    memref.store %4, %y[%i] : memref<8xi64>
    gpu.return
  }
}
