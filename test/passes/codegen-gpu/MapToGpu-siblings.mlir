// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse | FileCheck %s

#rows = affine_map<(d0, d1, d2) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#bias = affine_map<(d0, d1, d2) -> (d2)>
#id = affine_map<(d0, d1) -> (d0, d1)>

// Sums of rows and the elements themselves, as what is left of a norm when its result is computed again elsewhere: they pass each other nothing, and read the same. A row that is the same for all
// of them says nothing of how they are cut; it made one tile of all, whose sums of 12800 rows no block can keep.
// CHECK-LABEL: func.func @main
// CHECK: %[[BLOCKS:.*]] = arith.constant 800 : index
// CHECK: gpu.launch_func @raf_kernels::@siblings blocks in (%[[BLOCKS]],
// CHECK-LABEL: gpu.func @siblings(
// CHECK: arith.mulf
// CHECK: vector.store {{.*}} : memref<819200xf32>, vector<4xf32>
func.func @main(%x: memref<128x100x64xf32>, %b: memref<64xf32>, %y: memref<128x100x64xf32>, %s: memref<128x100xf32>) {
  raf.launch @siblings ins(%x, %b : memref<128x100x64xf32>, memref<64xf32>) outs(%y, %s : memref<128x100x64xf32>, memref<128x100xf32>)
  return
}
func.func private @siblings(%x: tensor<128x100x64xf32>, %b: tensor<64xf32>, %y: tensor<128x100x64xf32>, %s: tensor<128x100xf32>) -> (tensor<128x100x64xf32>, tensor<128x100xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<128x100xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<128x100xf32>) -> tensor<128x100xf32>
  %0 = linalg.generic {indexing_maps = [#all, #bias, #rows], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %b : tensor<128x100x64xf32>, tensor<64xf32>) outs(%f : tensor<128x100xf32>) {
  ^bb0(%a: f32, %c: f32, %sum: f32):
    %p = arith.addf %a, %c : f32
    %q = arith.addf %sum, %p : f32
    linalg.yield %q : f32
  } -> tensor<128x100xf32>
  %1 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%0 : tensor<128x100xf32>) outs(%e : tensor<128x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %p = math.exp %a : f32
    linalg.yield %p : f32
  } -> tensor<128x100xf32>
  %g = tensor.empty() : tensor<128x100x64xf32>
  %2 = linalg.generic {indexing_maps = [#all, #bias, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %b : tensor<128x100x64xf32>, tensor<64xf32>) outs(%g : tensor<128x100x64xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %p = arith.mulf %a, %c : f32
    linalg.yield %p : f32
  } -> tensor<128x100x64xf32>
  return %2, %1 : tensor<128x100x64xf32>, tensor<128x100xf32>
}
