// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-fuse --remarks-filter-missed=raf-fuse 2>&1 | FileCheck %s
// RUN: raf-opt %s --raf-fuse --raf-outline-kernels --raf-tile-kernels | FileCheck %s --check-prefix=TILES

// CHECK: remark: [Missed] NotFused {{.*}} | Function=rows_then_columns | Reason="too few tiles would be left to run in parallel"

#id = affine_map<(i, j) -> (i, j)>
#t = affine_map<(i, j) -> (j, i)>
#row = affine_map<(i, j) -> (i)>
#col = affine_map<(i, j) -> (j)>
// Dimension i of one op is dimension j of the other: both are cut alike, and the values stay with their tile.
// CHECK-LABEL: func.func @transposed
// CHECK-COUNT-1: raf.kernel
// CHECK: math.exp
// CHECK: math.sqrt
// CHECK: raf.yield
// TILES: raf.parallel_for @[[ONE:.*]]_tiles tiles = 2 grain = 4(
// TILES-NOT: raf.parallel_for @[[ONE]]_tiles1
func.func @transposed(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<128x64xf32>) {
  %e = tensor.empty() : tensor<64x128xf32>
  %f = tensor.empty() : tensor<128x64xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%e : tensor<64x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x128xf32>
  %1 = linalg.generic {indexing_maps = [#t, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<64x128xf32>) outs(%f : tensor<128x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.sqrt %a : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  return %0, %1 : tensor<64x128xf32>, tensor<128x64xf32>
}
// Sums along the rows and over them have no dimension of a large value in common: the second is a further stage, with tiles of its own.
// CHECK-LABEL: func.func @rows_then_columns
// CHECK-COUNT-1: raf.kernel
// CHECK: iterator_types = ["parallel", "reduction"]{{.*}} {raf.stage = 0 : i64}
// CHECK: iterator_types = ["reduction", "parallel"]{{.*}} {raf.stage = 1 : i64}
// TILES: raf.parallel_for @[[TWO:.*]]_tiles tiles = 512 grain = 31(
// TILES-NEXT: raf.parallel_for @[[TWO]]_tiles1 tiles = 16 grain = 1(
func.func @rows_then_columns(%x: tensor<512x512xf32>) -> (tensor<512x512xf32>, tensor<512xf32>, tensor<512xf32>) {
  %e = tensor.empty() : tensor<512x512xf32>
  %v = tensor.empty() : tensor<512xf32>
  %w = tensor.empty() : tensor<512xf32>
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<512x512xf32>) outs(%e : tensor<512x512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<512x512xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<512xf32>) -> tensor<512xf32>
  %1 = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%0 : tensor<512x512xf32>) outs(%f : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  %g = linalg.fill ins(%zero : f32) outs(%w : tensor<512xf32>) -> tensor<512xf32>
  %2 = linalg.generic {indexing_maps = [#id, #col], iterator_types = ["reduction", "parallel"]} ins(%0 : tensor<512x512xf32>) outs(%g : tensor<512xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<512xf32>
  return %0, %1, %2 : tensor<512x512xf32>, tensor<512xf32>, tensor<512xf32>
}
