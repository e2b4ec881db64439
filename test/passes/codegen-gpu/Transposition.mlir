// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// A tile of 32 x 32, with an element between its rows: both sides of memory are touched by vectors of 16 bytes.
// CHECK-LABEL: gpu.func @tiles(
// CHECK-SAME: workgroup(%[[TILE:.*]] : memref<1056xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16, 1, 1>}
// CHECK-NOT: scf.if
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
// CHECK-COUNT-4: memref.store %{{.*}}, %[[TILE]]
// CHECK: gpu.barrier
// CHECK-COUNT-4: memref.load %[[TILE]]
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
func.func @main(%x: memref<64x256xf32>, %y: memref<256x64xf32>) {
  raf.launch @tiles ins(%x : memref<64x256xf32>) outs(%y : memref<256x64xf32>)
  return
}
func.func private @tiles(%x: tensor<64x256xf32>, %y: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x256xf32>) outs(%y : tensor<256x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.exp %p : f32
    linalg.yield %1 : f32
  } -> tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

// -----

// Odd sizes: element by element, inside the bounds. What lies like the result is read where it is written.
// CHECK-LABEL: gpu.func @odd(
// CHECK-SAME: known_grid_size = array<i32: 8, 1, 1>
// CHECK: scf.if
// CHECK: memref.load %{{.*}} : memref<3267xf32>
// CHECK: gpu.barrier
// CHECK: scf.if
// CHECK: memref.load %{{.*}} : memref<3267xf32>
// CHECK: arith.addf
// CHECK: memref.store %{{.*}} : memref<3267xf32>
func.func @main(%x: memref<33x99xf32>, %z: memref<99x33xf32>, %y: memref<99x33xf32>) {
  raf.launch @odd ins(%x, %z : memref<33x99xf32>, memref<99x33xf32>) outs(%y : memref<99x33xf32>)
  return
}
func.func private @odd(%x: tensor<33x99xf32>, %z: tensor<99x33xf32>, %y: tensor<99x33xf32>) -> tensor<99x33xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %z : tensor<33x99xf32>, tensor<99x33xf32>) outs(%y : tensor<99x33xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %1 = arith.addf %p, %q : f32
    linalg.yield %1 : f32
  } -> tensor<99x33xf32>
  return %0 : tensor<99x33xf32>
}

// -----

// A few columns are no tile.
// CHECK-LABEL: gpu.func @narrow(
// CHECK-NOT: workgroup
func.func @main(%x: memref<256x8xf32>, %y: memref<8x256xf32>) {
  raf.launch @narrow ins(%x : memref<256x8xf32>) outs(%y : memref<8x256xf32>)
  return
}
func.func private @narrow(%x: tensor<256x8xf32>, %y: tensor<8x256xf32>) -> tensor<8x256xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<256x8xf32>) outs(%y : tensor<8x256xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<8x256xf32>
  return %0 : tensor<8x256xf32>
}
