// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-gpu-to-ptx -split-input-file | FileCheck %s

// Indices have 32 bits; a label that those do not hold stays out of range.
// CHECK: .entry pick(
// CHECK-SAME: {{max|min}}.s64
// CHECK-SAME: {{max|min}}.s64
module attributes {gpu.container_module} {
  gpu.module @raf_kernels {
    gpu.func @pick(%labels: memref<32xi64>, %x: memref<10xf32>, %y: memref<32xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.thread_id x
      %label = memref.load %labels[%i] : memref<32xi64>
      %zero = arith.constant 0 : index
      %last = arith.constant 9 : index
      %raw = arith.index_cast %label : i64 to index
      %low = arith.maxsi %raw, %zero : index
      %position = arith.minsi %low, %last : index
      %v = memref.load %x[%position] : memref<10xf32>
      memref.store %v, %y[%i] : memref<32xf32>
      gpu.return
    }
  }
}

// -----

// What is computed of indices is wanted with 64 bits: then all of it has them.
// CHECK: .entry number(
// CHECK-SAME: {{mul.wide|mul.lo.s64|mad.lo.s64|mad.wide}}
module attributes {gpu.container_module} {
  gpu.module @raf_kernels {
    gpu.func @number(%y: memref<32xi64>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.thread_id x
      %stride = arith.constant 3000000001 : index
      %element = arith.muli %i, %stride : index
      %wide = arith.index_cast %element : index to i64
      memref.store %wide, %y[%i] : memref<32xi64>
      gpu.return
    }
  }
}
