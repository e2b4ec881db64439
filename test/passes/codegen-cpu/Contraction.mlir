// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-tile-kernels="vector-bits=512 l1-bytes=49152 l2-bytes=2097152 threads=2" --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-tile-kernels="vector-bits=256 l1-bytes=32768 l2-bytes=524288 threads=1" --canonicalize --cse | FileCheck %s --check-prefix=AVX2
// A cache that is too small for any tile.
// RUN: raf-opt %s --split-input-file --raf-tile-kernels="vector-bits=512 l2-bytes=4096" --canonicalize --cse -o /dev/null
// What is computed from packed operands, and in which blocks.

// Eight tiles for two threads. 13 rows in registers leave less unused than 14; parts of a and b are 512 deep.
// CHECK-LABEL: func.func private @large(
// AVX2-LABEL: func.func private @large(
// CHECK: raf.parallel_for @large_tiles tiles = 8 grain = 1
// CHECK: memref.alloca() {{.*}} : memref<20x13x528xf32>
// CHECK: memref.alloca() {{.*}} : memref<16x512x32xf32>
// CHECK-COUNT-26: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
// With a quarter of the cache and half the registers: 6 x 16 in registers.
// AVX2: memref.alloca() {{.*}} : memref<{{[0-9]+}}x6x{{[0-9]+}}xf32>
// AVX2: memref.alloca() {{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}x16xf32>
// AVX2-COUNT-12: vector.fma {{.*}} : vector<8xf32>
// AVX2-NOT: vector.fma
func.func private @large(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%start : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Small matrices one by one; columns that fit one vector need one.
// CHECK-LABEL: func.func private @batched(
// AVX2-LABEL: func.func private @batched(
// CHECK: raf.parallel_for @batched_tiles tiles = 48 grain = 20
// CHECK: memref.alloca() {{.*}} : memref<1x32x16xf32>
// CHECK-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
func.func private @batched(%a: tensor<48x24x32xf32>, %b: tensor<48x32x16xf32>, %y: tensor<48x24x16xf32>) -> tensor<48x24x16xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : tensor<48x24x16xf32>) -> tensor<48x24x16xf32>
  %0 = linalg.batch_matmul ins(%a, %b : tensor<48x24x32xf32>, tensor<48x32x16xf32>) outs(%start : tensor<48x24x16xf32>) -> tensor<48x24x16xf32>
  return %0 : tensor<48x24x16xf32>
}

// -----

// A convolution is a product for each element of its window: columns are output channels, rows positions, the depth input channels.
// CHECK-LABEL: func.func private @conv(
// CHECK: memref.alloca() {{.*}} : memref<1x32x32xf32>
// CHECK: vector.fma {{.*}} : vector<16xf32>
func.func private @conv(%x: tensor<2x10x10x32xf32>, %w: tensor<3x3x32x32xf32>, %y: tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x10x10x32xf32>, tensor<3x3x32x32xf32>) outs(%start : tensor<2x8x8x32xf32>) -> tensor<2x8x8x32xf32>
  return %0 : tensor<2x8x8x32xf32>
}

// -----

// Not a sum of products of floats, or too few rows for packing to pay: plain loops.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func private @integers(
// CHECK-NOT: vector
func.func private @integers(%a: tensor<32x32xi32>, %b: tensor<32x32xi32>, %y: tensor<32x32xi32>) -> tensor<32x32xi32> attributes {raf.kernel} {
  %0 = linalg.matmul ins(%a, %b : tensor<32x32xi32>, tensor<32x32xi32>) outs(%y : tensor<32x32xi32>) -> tensor<32x32xi32>
  return %0 : tensor<32x32xi32>
}
func.func private @shortest_paths(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%y : tensor<32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.addf %p, %q : f32
    %t = arith.minimumf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func private @squares(%a: tensor<32x32xf32>, %b: tensor<32x32xf32>, %y: tensor<32x32xf32>) -> tensor<32x32xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<32x32xf32>, tensor<32x32xf32>) outs(%y : tensor<32x32xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %p : f32
    %t = arith.addf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<32x32xf32>
  return %0 : tensor<32x32xf32>
}
func.func private @thin(%a: tensor<2x32xf32>, %b: tensor<32x32xf32>, %y: tensor<2x32xf32>) -> tensor<2x32xf32> attributes {raf.kernel} {
  %0 = linalg.matmul ins(%a, %b : tensor<2x32xf32>, tensor<32x32xf32>) outs(%y : tensor<2x32xf32>) -> tensor<2x32xf32>
  return %0 : tensor<2x32xf32>
}

// -----

// Blocks that a measurement has chosen: one vector in 29 rows at most, four in 6, parts of a and b twice as deep.
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#y = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func private @narrow(
// CHECK: memref.alloca() {{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}x16xf32>
// CHECK-NOT: : memref<{{[0-9]+}}x{{[0-9]+}}x32xf32>
// AVX2-LABEL: func.func private @narrow(
func.func private @narrow(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<1024x1024xf32>) attrs = {raf.blocks = "narrow"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// CHECK-LABEL: func.func private @wide(
// CHECK: memref.alloca() {{.*}} : memref<{{[0-9]+}}x6x{{[0-9]+}}xf32>
// CHECK: memref.alloca() {{.*}} : memref<{{[0-9]+}}x{{[0-9]+}}x64xf32>
// CHECK-COUNT-24: vector.fma {{.*}} : vector<16xf32>
// CHECK-NOT: vector.fma
func.func private @wide(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<1024x1024xf32>) attrs = {raf.blocks = "wide"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// CHECK-LABEL: func.func private @deep(
// CHECK: memref.alloca() {{.*}} : memref<{{[0-9]+}}x1024x32xf32>
// CHECK-COUNT-26: vector.fma {{.*}} : vector<16xf32>
func.func private @deep(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #b, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<1024x1024xf32>) attrs = {raf.blocks = "deep"} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}

// -----

// Where both operands lie along the depth, four vectors of columns and the six rows for which there are registers left: panels of b are 64 wide. With half the registers two.
// CHECK-LABEL: func.func private @along_depth_tiles
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<{{.*}}x6x{{.*}}xf32>
// CHECK: memref.alloca() {alignment = 64 : i64} : memref<{{.*}}x64xf32>
// AVX2-LABEL: func.func private @along_depth_tiles
// AVX2: memref.alloca() {alignment = 64 : i64} : memref<{{.*}}x16xf32>
#a = affine_map<(m, n, k) -> (m, k)>
#bt = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
func.func private @along_depth(%a: tensor<1024x1024xf32>, %b: tensor<1024x1024xf32>, %y: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #bt, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<1024x1024xf32>, tensor<1024x1024xf32>) outs(%y : tensor<1024x1024xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %s = arith.mulf %p, %q : f32
    %t = arith.addf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<1024x1024xf32>
  return %0 : tensor<1024x1024xf32>
}
