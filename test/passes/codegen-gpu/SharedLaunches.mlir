// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s --implicit-check-not='gpu.func @small' --implicit-check-not='gpu.func @none'

// Costs are those of the parts. Updates of several tensors are one kernel: each has a range of blocks. A reduction keeps its launch, with its own arguments.
// CHECK-LABEL: func.func @main
// CHECK-NEXT: %[[X:.*]] = arith.constant
// CHECK: gpu.launch_func @raf_kernels::@rows blocks in {{.*}} args(%arg4 : memref<64x128xf32>, %arg5 : memref<64xf32>) {raf.bytes = 33280 : i64, raf.flops = 8192 : i64}
// CHECK-NEXT: gpu.launch_func @raf_kernels::@launches blocks in (%c5, %{{.*}}, %{{.*}}) threads in (%c256, {{.*}} args(%arg0 : memref<4096xf32>, %arg1 : memref<4096xf32>, %arg2 : memref<1000xf32>, %arg3 : memref<1000xf32>) {raf.bytes = 40768 : i64, raf.flops = 5096 : i64}
// CHECK-NOT: gpu.launch_func
// CHECK-LABEL: gpu.func @launches(
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 5, 1, 1>
// CHECK: %[[BLOCK:.*]] = gpu.block_id x
// CHECK: %[[FIRST:.*]] = arith.cmpi ult, %[[BLOCK]], %c4
// CHECK: scf.if %[[FIRST]] {
// CHECK:   vector.load %arg0
// CHECK:   vector.store %{{.*}}, %arg1
// CHECK: } else {
// CHECK:   arith.subi %[[BLOCK]], %c4
// CHECK:   vector.store %{{.*}}, %arg3
func.func @main(%a: memref<4096xf32>, %b: memref<4096xf32>, %c: memref<1000xf32>, %d: memref<1000xf32>, %x: memref<64x128xf32>, %s: memref<64xf32>) {
  raf.launch @launches ins(%a, %c, %x : memref<4096xf32>, memref<1000xf32>, memref<64x128xf32>) outs(%b, %d, %s : memref<4096xf32>, memref<1000xf32>, memref<64xf32>) {raf.flops = 13288 : i64, raf.bytes = 74048 : i64}
  return
}
func.func private @launches(%a: memref<4096xf32>, %c: memref<1000xf32>, %x: memref<64x128xf32>, %b: memref<4096xf32>, %d: memref<1000xf32>, %s: memref<64xf32>) attributes {raf.kernel} {
  raf.launch @large ins(%a : memref<4096xf32>) outs(%b : memref<4096xf32>)
  raf.launch @rows ins(%x : memref<64x128xf32>) outs(%s : memref<64xf32>)
  raf.launch @small ins(%c : memref<1000xf32>) outs(%d : memref<1000xf32>)
  return
}
func.func private @large(%x: tensor<4096xf32>, %y: tensor<4096xf32>) -> tensor<4096xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<4096xf32>) outs(%y : tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}
func.func private @small(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<1000xf32>) outs(%y : tensor<1000xf32>) -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
func.func private @rows(%x: tensor<64x128xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%y : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// -----

// What has no elements has no launch.
// CHECK-LABEL: func.func @main
// CHECK-NOT: gpu.launch_func
// CHECK: return
func.func @main(%a: memref<0xf32>, %b: memref<0xf32>) {
  raf.launch @launches ins(%a : memref<0xf32>) outs(%b : memref<0xf32>)
  return
}
func.func private @launches(%a: memref<0xf32>, %b: memref<0xf32>) attributes {raf.kernel} {
  raf.launch @none ins(%a : memref<0xf32>) outs(%b : memref<0xf32>)
  return
}
func.func private @none(%x: tensor<0xf32>, %y: tensor<0xf32>) -> tensor<0xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<0xf32>) outs(%y : tensor<0xf32>) -> tensor<0xf32>
  return %0 : tensor<0xf32>
}
