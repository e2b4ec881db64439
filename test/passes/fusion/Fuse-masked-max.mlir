// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A maximum over selected elements becomes a loop that LLVM does not vectorize, so the selection keeps a loop of its own; a sum takes it in.
// RUN: raf-opt %s --split-input-file --raf-fuse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @max
// CHECK: raf.kernel
// CHECK: linalg.generic
// CHECK: arith.select
// CHECK: linalg.yield
// CHECK: linalg.generic
// CHECK-NOT: arith.select
// CHECK: arith.maximumf
func.func @max(%mask: tensor<8x64xi1>, %x: tensor<8x64xf32>) -> tensor<8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<8x64xi1>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %y = arith.select %c, %v, %low : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%low : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.maximumf %o, %v : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @sum
// CHECK: raf.kernel
// CHECK: linalg.generic
// CHECK: arith.select
// CHECK-NEXT: arith.addf
func.func @sum(%mask: tensor<8x64xi1>, %x: tensor<8x64xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x64xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<8x64xi1>, tensor<8x64xf32>) outs(%e : tensor<8x64xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %y = arith.select %c, %v, %zero : f32
    linalg.yield %y : f32
  } -> tensor<8x64xf32>
  %r = tensor.empty() : tensor<8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<8x64xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.addf %o, %v : f32
    linalg.yield %y : f32
  } -> tensor<8xf32>
  return %m : tensor<8xf32>
}
