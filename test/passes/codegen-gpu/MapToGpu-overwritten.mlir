// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>

// Rows less their sums overwrite what the sum over the batch reads: that goes first, and computes anew the product with the sum of the row, of which a block could not keep 32 rows.
// CHECK-LABEL: gpu.func @overwritten(
// CHECK-SAME: workgroup(%[[SUMS:[a-z0-9]+]] : memref<32xf32, #gpu.address_space<workgroup>>
// CHECK: vector.store {{.*}}, %[[SUMS]]
// CHECK: gpu.barrier
// CHECK: vector.store {{.*}} : memref<49152xf32>
// CHECK: gpu.barrier
// CHECK: vector.store {{.*}} : memref<1572864xf32>
func.func @main(%x: memref<32x64x768xf32>, %y: memref<64x768xf32>) {
  raf.launch @overwritten outs(%x, %y : memref<32x64x768xf32>, memref<64x768xf32>)
  return
}
func.func private @overwritten(%x: tensor<32x64x768xf32>, %y: tensor<64x768xf32>) -> (tensor<32x64x768xf32>, tensor<64x768xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<32x64x768xf32>
  %w = tensor.empty() : tensor<32x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%w : tensor<32x64xf32>) -> tensor<32x64xf32>
  %s = linalg.generic {indexing_maps = [#all, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<32x64x768xf32>) outs(%g : tensor<32x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<32x64xf32>
  %p:2 = linalg.generic {indexing_maps = [#all, #rows, #all, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<32x64x768xf32>, tensor<32x64xf32>) outs(%e, %e : tensor<32x64x768xf32>, tensor<32x64x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32, %q: f32):
    %m = arith.mulf %a, %b : f32
    %n = arith.subf %a, %m : f32
    linalg.yield %m, %n : f32, f32
  } -> (tensor<32x64x768xf32>, tensor<32x64x768xf32>)
  %v = tensor.empty() : tensor<64x768xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<64x768xf32>) -> tensor<64x768xf32>
  %1 = linalg.generic {indexing_maps = [#all, affine_map<(b, r, c) -> (r, c)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%p#0 : tensor<32x64x768xf32>) outs(%f : tensor<64x768xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.addf %a, %o : f32
    linalg.yield %m : f32
  } -> tensor<64x768xf32>
  return %p#1, %1 : tensor<32x64x768xf32>, tensor<64x768xf32>
}
