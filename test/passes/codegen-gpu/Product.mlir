// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// Tiles of 64 x 64 results a block, 4 x 4 a thread; both operands pass through shared memory. Nothing is checked where the tiles fit.
// CHECK: gpu.launch_func @raf_kernels::@product blocks in (%[[TWO:.*]], %{{.*}}, %{{.*}}) threads in (%c256
// CHECK-LABEL: gpu.func @product(
// CHECK-SAME: workgroup(%[[A:.*]] : memref<1088xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %[[B:.*]] : memref<1088xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 2, 1, 1>
// CHECK-NOT: scf.if
// CHECK: scf.for
// CHECK:   gpu.barrier
// CHECK-COUNT-4: memref.store %{{.*}}, %[[A]]
// CHECK-COUNT-4: memref.store %{{.*}}, %[[B]]
// CHECK:   gpu.barrier
// CHECK:   scf.for
// CHECK:     vector.load %[[A]]{{.*}} {alignment = 16 : i64}
// CHECK:     vector.load %[[B]]
// CHECK-COUNT-16: arith.mulf
// CHECK-COUNT-4: vector.store
func.func @main(%a: memref<64x32xf32>, %b: memref<32x128xf32>, %c: memref<64x128xf32>) {
  raf.launch @product ins(%a, %b : memref<64x32xf32>, memref<32x128xf32>) outs(%c : memref<64x128xf32>)
  return
}
func.func private @product(%a: tensor<64x32xf32>, %b: tensor<32x128xf32>, %c: tensor<64x128xf32>) -> tensor<64x128xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<64x128xf32>) -> tensor<64x128xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x128xf32>) outs(%f : tensor<64x128xf32>) -> tensor<64x128xf32>
  return %0 : tensor<64x128xf32>
}

// -----

// Past the ends of rows and depth the tiles hold 0.
// CHECK-LABEL: gpu.func @ragged(
// CHECK: scf.for
// CHECK: scf.if %{{.*}} -> (f32)
// CHECK: } else {
// CHECK: memref.store
func.func @main(%a: memref<40x20xf32>, %b: memref<20x33xf32>, %c: memref<40x33xf32>) {
  raf.launch @ragged ins(%a, %b : memref<40x20xf32>, memref<20x33xf32>) outs(%c : memref<40x33xf32>)
  return
}
func.func private @ragged(%a: tensor<40x20xf32>, %b: tensor<20x33xf32>, %c: tensor<40x33xf32>) -> tensor<40x33xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<40x33xf32>) -> tensor<40x33xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<40x20xf32>, tensor<20x33xf32>) outs(%f : tensor<40x33xf32>) -> tensor<40x33xf32>
  return %0 : tensor<40x33xf32>
}

// -----

// A product that nobody reads is not computed.
// CHECK-LABEL: gpu.func @dead(
// CHECK-NOT: arith.mulf
// CHECK: gpu.return
func.func @main(%a: memref<64x64xf32>, %y: memref<64x64xf32>) {
  raf.launch @dead ins(%a : memref<64x64xf32>) outs(%y : memref<64x64xf32>)
  return
}
func.func private @dead(%a: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %p = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.exp ins(%a : tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
