// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels='stream-bytes=512000 threads=1' | FileCheck %s --check-prefix=MEMORY
// RUN: raf-opt %s --raf-tile-kernels='stream-bytes=512000 threads=3' | FileCheck %s --check-prefix=THREADS
// RUN: raf-opt %s --raf-tile-kernels='stream-bytes=512001 threads=1' | FileCheck %s --check-prefix=CACHES

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
#total = affine_map<(i, j) -> ()>

// Tiles of a few thousand elements, at least 64 where there is work for them.
// CHECK: raf.parallel_for @flat_tiles tiles = 123 grain = 4(
func.func private @flat(%x: tensor<1000000xf32>, %y: tensor<1000000xf32>) -> tensor<1000000xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<1000000xf32>) outs(%y : tensor<1000000xf32>) -> tensor<1000000xf32>
  return %0 : tensor<1000000xf32>
}

// Eight rows are not enough for threads: each is cut into eight.
// CHECK: raf.parallel_for @few_rows_tiles tiles = 64 grain = 64(
func.func private @few_rows(%x: tensor<8x4096xf32>, %y: tensor<8x4096xf32>) -> tensor<8x4096xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<8x4096xf32>) outs(%y : tensor<8x4096xf32>) -> tensor<8x4096xf32>
  return %0 : tensor<8x4096xf32>
}

// Sums along rows: one row a tile.
// CHECK: raf.parallel_for @rows_tiles tiles = 128 grain = 32(
func.func private @rows(%x: tensor<128x1000xf32>, %y: tensor<128xf32>) -> tensor<128xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<128x1000xf32>) outs(%y : tensor<128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  return %0 : tensor<128xf32>
}

// Sums over rows: pieces of 64 columns, four cache lines of each row.
// CHECK: raf.parallel_for @columns_tiles tiles = 16 grain = 4(
// From memory: as wide as threads leave.
// MEMORY: raf.parallel_for @columns_tiles tiles = 1 grain = 1(
// THREADS: raf.parallel_for @columns_tiles tiles = 3 grain = 1(
// CACHES: raf.parallel_for @columns_tiles tiles = 16 grain = 4(
func.func private @columns(%x: tensor<128x1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<128x1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// However few threads there are, the sums stay in the first cache from row to row.
// MEMORY: raf.parallel_for @wide_columns_tiles tiles = 25 grain = 1(
// THREADS: raf.parallel_for @wide_columns_tiles tiles = 25 grain = 1(
func.func private @wide_columns(%x: tensor<8x100000xf32>, %y: tensor<100000xf32>) -> tensor<100000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<8x100000xf32>) outs(%y : tensor<100000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<100000xf32>
  return %0 : tensor<100000xf32>
}

// Nothing is parallel in a total.
// CHECK: raf.parallel_for @total_tiles tiles = 1 grain = 1(
func.func private @total(%x: tensor<128x1000xf32>, %y: tensor<f32>) -> tensor<f32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #total], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<128x1000xf32>) outs(%y : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// Little work: so many tiles to a thread that one does all.
// CHECK: raf.parallel_for @small_tiles tiles = 8 grain = 4096(
func.func private @small(%x: tensor<8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8xf32>) outs(%y : tensor<8x8xf32>) {
  ^bb0(%p: f32, %q: f32):
    %s = math.exp %p : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// No element.
// CHECK: raf.parallel_for @empty_tiles tiles = 1 grain = 32768(
func.func private @empty(%x: tensor<0x8xf32>, %y: tensor<0x8xf32>) -> tensor<0x8xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<0x8xf32>) outs(%y : tensor<0x8xf32>) -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// Two sums over the rows have the columns' weights in common, which are the same for all rows; that they are joined by rows shows in what reads both.
// CHECK: raf.parallel_for @two_sums_tiles tiles = 128 grain = {{[0-9]+}}(
func.func private @two_sums(%x: tensor<128x1000xf32>, %g: tensor<1000xf32>, %a: tensor<128xf32>, %b: tensor<128xf32>, %y: tensor<128x1000xf32>) -> tensor<128x1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #column, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %g : tensor<128x1000xf32>, tensor<1000xf32>) outs(%a : tensor<128xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #column, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %g : tensor<128x1000xf32>, tensor<1000xf32>) outs(%b : tensor<128xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.subf %p, %q : f32
    %s = arith.addf %r, %m : f32
    linalg.yield %s : f32
  } -> tensor<128xf32>
  %2 = linalg.generic {indexing_maps = [#row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%0, %1 : tensor<128xf32>, tensor<128xf32>) outs(%y : tensor<128x1000xf32>) {
  ^bb0(%p: f32, %q: f32, %r: f32):
    %m = arith.mulf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<128x1000xf32>
  return %2 : tensor<128x1000xf32>
}
