// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels | FileCheck %s

#rows = affine_map<(d0, d1) -> (d0)>
#all = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0) -> (d0)>

// Sums of rows and the elements themselves read the same matrix, and one row for all of its rows, which says nothing of how these are cut.
// CHECK-LABEL: func.func private @siblings(
// CHECK-NEXT: raf.parallel_for @siblings_tiles tiles = 256 grain =
func.func private @siblings(%x: tensor<256x128xf32>, %b: tensor<128xf32>, %y: tensor<256x128xf32>, %s: tensor<256xf32>) -> (tensor<256x128xf32>, tensor<256xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<256xf32>) -> tensor<256xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row, #rows], iterator_types = ["parallel", "reduction"]} ins(%x, %b : tensor<256x128xf32>, tensor<128xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%a: f32, %c: f32, %sum: f32):
    %p = arith.mulf %a, %c : f32
    %q = arith.addf %sum, %p : f32
    linalg.yield %q : f32
  } -> tensor<256xf32>
  %1 = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel"]} ins(%x, %b : tensor<256x128xf32>, tensor<128xf32>) outs(%y : tensor<256x128xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.addf %a, %c : f32
    linalg.yield %p : f32
  } -> tensor<256x128xf32>
  return %1, %0 : tensor<256x128xf32>, tensor<256xf32>
}

// Element i of `v` goes into sum i and into element i of the row, but each sum reads the whole row before it is overwritten: no tile may have one of both.
// CHECK-LABEL: func.func private @overwritten(
// CHECK-NEXT: raf.parallel_for @overwritten_tiles tiles = 1 grain =
func.func private @overwritten(%x: tensor<128x128xf32>, %v: tensor<128xf32>, %s: tensor<128xf32>, %r: tensor<128xf32>) -> (tensor<128xf32>, tensor<128xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%s : tensor<128xf32>) -> tensor<128xf32>
  %0 = linalg.generic {indexing_maps = [#all, #row, #rows, #rows], iterator_types = ["parallel", "reduction"]} ins(%x, %r, %v : tensor<128x128xf32>, tensor<128xf32>, tensor<128xf32>) outs(%f : tensor<128xf32>) {
  ^bb0(%a: f32, %c: f32, %d: f32, %sum: f32):
    %p = math.exp %a : f32
    %q = arith.mulf %p, %c : f32
    %t = arith.addf %q, %d : f32
    %u = arith.addf %sum, %t : f32
    linalg.yield %u : f32
  } -> tensor<128xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%r, %v : tensor<128xf32>, tensor<128xf32>) outs(%r : tensor<128xf32>) {
  ^bb0(%c: f32, %d: f32, %o: f32):
    %p = arith.mulf %c, %d : f32
    linalg.yield %p : f32
  } -> tensor<128xf32>
  return %0, %1 : tensor<128xf32>, tensor<128xf32>
}
