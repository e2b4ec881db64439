// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel keeps to itself is on the stack, one tile of it: a value as long as these rows is only kept where its reader computes it.
// RUN: raf-opt %s --split-input-file --raf-fuse | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// The selection is no part of the maximum's loop (Fuse-masked-max.mlir): it is stored, by a stage of its own.
// CHECK-LABEL: @masked_max(
// CHECK: %[[S:.*]] = linalg.generic {{.*}} attrs = {raf.stage = 0 : i64}
// CHECK: arith.select
// CHECK: %[[M:.*]] = linalg.generic {{.*}} ins(%[[S]] {{.*}} attrs = {raf.stage = 1 : i64}
// CHECK: raf.yield %[[S]], %[[M]]
func.func @masked_max(%mask: tensor<1x4000000xi1>, %x: tensor<1x4000000xf32>) -> tensor<1xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4000000xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<1x4000000xi1>, tensor<1x4000000xf32>) outs(%e : tensor<1x4000000xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %y = arith.select %c, %v, %low : f32
    linalg.yield %y : f32
  } -> tensor<1x4000000xf32>
  %r = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%low : f32) outs(%r : tensor<1xf32>) -> tensor<1xf32>
  %m = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<1x4000000xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.maximumf %o, %v : f32
    linalg.yield %y : f32
  } -> tensor<1xf32>
  return %m : tensor<1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// CHECK-LABEL: @masked_sum
// CHECK: raf.kernel
// CHECK: arith.select
// CHECK-NEXT: arith.addf
// CHECK-NOT: raf.kernel
// CHECK: return
func.func @masked_sum(%mask: tensor<1x4000000xi1>, %x: tensor<1x4000000xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4000000xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<1x4000000xi1>, tensor<1x4000000xf32>) outs(%e : tensor<1x4000000xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %y = arith.select %c, %v, %zero : f32
    linalg.yield %y : f32
  } -> tensor<1x4000000xf32>
  %r = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<1xf32>) -> tensor<1xf32>
  %m = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<1x4000000xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.addf %o, %v : f32
    linalg.yield %y : f32
  } -> tensor<1xf32>
  return %m : tensor<1xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>

// Each pair of neighbours may be fused, but once the copy has taken the selection in, that is what the maximum would read: the kernel is split after all.
// CHECK-LABEL: @masked_max_of_a_copy
// CHECK: raf.kernel
// CHECK: arith.select
// CHECK: raf.yield
// CHECK: raf.kernel
// CHECK: linalg.fill
// CHECK-NOT: arith.select
// CHECK: arith.maximumf
// CHECK-NOT: raf.kernel
// CHECK: return
func.func @masked_max_of_a_copy(%mask: tensor<1x4000000xi1>, %x: tensor<1x4000000xf32>) -> tensor<1xf32> {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<1x4000000xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask, %x : tensor<1x4000000xi1>, tensor<1x4000000xf32>) outs(%e : tensor<1x4000000xf32>) {
  ^bb0(%c: i1, %v: f32, %o: f32):
    %y = arith.select %c, %v, %low : f32
    linalg.yield %y : f32
  } -> tensor<1x4000000xf32>
  %t = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<1x4000000xf32>) outs(%e : tensor<1x4000000xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<1x4000000xf32>
  %r = tensor.empty() : tensor<1xf32>
  %f = linalg.fill ins(%low : f32) outs(%r : tensor<1xf32>) -> tensor<1xf32>
  %m = linalg.generic {indexing_maps = [#id, #rows], iterator_types = ["parallel", "reduction"]} ins(%t : tensor<1x4000000xf32>) outs(%f : tensor<1xf32>) {
  ^bb0(%v: f32, %o: f32):
    %y = arith.maximumf %o, %v : f32
    linalg.yield %y : f32
  } -> tensor<1xf32>
  return %m : tensor<1xf32>
}
