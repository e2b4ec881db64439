// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize | FileCheck %s

// A kernel with loops of its own runs on one thread.
// CHECK: gpu.launch_func @raf_kernels::@scatter blocks in (%[[ONE:.*]], %[[ONE]], %[[ONE]]) threads in (%[[ONE]], %[[ONE]], %[[ONE]])
// CHECK-LABEL: gpu.func @scatter(
// CHECK-SAME: known_block_size = array<i32: 1, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK-NOT: memref.copy
// CHECK: scf.for
// CHECK: memref.store
// CHECK: gpu.return
func.func @main(%i: memref<3xi64>, %y: memref<4xf32>, %x: memref<4xf32>) {
  raf.launch @launches ins(%i, %x : memref<3xi64>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
// A kernel that launches others gives way to them.
// CHECK-NOT: @launches
func.func private @launches(%i: memref<3xi64>, %x: memref<4xf32>, %y: memref<4xf32>) attributes {raf.kernel} {
  raf.launch @scatter ins(%i, %x : memref<3xi64>, memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
func.func private @scatter(%i: tensor<3xi64>, %x: tensor<4xf32>, %init: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %0 = scf.for %k = %c0 to %c3 step %c1 iter_args(%y = %x) -> tensor<4xf32> {
    %raw = tensor.extract %i[%k] : tensor<3xi64>
    %at = arith.index_cast %raw : i64 to index
    %old = tensor.extract %y[%at] : tensor<4xf32>
    %new = arith.addf %old, %one : f32
    %next = tensor.insert %new into %y[%at] : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}

// Loops that work in their destination are followed by no copy of it to itself, which would read elements that nothing has written.
// CHECK-LABEL: gpu.func @in_place(
// CHECK: scf.for
// CHECK: memref.store
// CHECK: }
// CHECK-NEXT: gpu.return
func.func @second(%x: memref<2xf32>, %y: memref<4xf32>) {
  raf.launch @in_place ins(%x : memref<2xf32>) outs(%y : memref<4xf32>)
  return
}
func.func private @in_place(%x: tensor<2xf32>, %init: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = scf.for %k = %c0 to %c2 step %c1 iter_args(%y = %init) -> tensor<4xf32> {
    %element = tensor.extract %x[%k] : tensor<2xf32>
    %next = tensor.insert %element into %y[%k] : tensor<4xf32>
    scf.yield %next : tensor<4xf32>
  }
  return %0 : tensor<4xf32>
}
