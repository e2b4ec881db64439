// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

// Rows that are walked three times: the costly second pass fetches the next row, as far as there is one, and where this one will be written.
// CHECK-LABEL: func.func private @rows_tiles(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<64x1000xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<64x1000xf32> {llvm.noalias})
// CHECK:       scf.for %[[I:.*]] = %arg0 to %arg1
// CHECK:         %[[NEXT:.*]] = arith.addi %[[I]], %c1
// CHECK:         %[[ROW:.*]] = arith.minui %[[NEXT]], %c63
// CHECK:         %[[START:.*]] = arith.muli %[[ROW]], %c1000
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[X]] {{\[}}[0, 1]] : memref<64x1000xf32> into memref<64000xf32>
// CHECK:         %[[OUT:.*]] = memref.collapse_shape %[[Y]]
// CHECK:         scf.for %{{.*}} = %c0 to %c1000
// CHECK-NOT:       memref.prefetch
// CHECK:           arith.addf
// CHECK:         scf.for %[[FROM:.*]] = %c0 to %c896 step %c128
// CHECK:           %[[FIRST:.*]] = arith.addi %[[START]], %[[FROM]]
// CHECK:           scf.for %{{.*}} = %c0 to %c128 step %c16
// CHECK:             memref.prefetch %[[FLAT]][%{{.*}}], read, locality<2>, data
// CHECK:           scf.for
// CHECK:             memref.prefetch %[[OUT]][%{{.*}}], write, locality<2>, data
// CHECK:           scf.for
// CHECK:             math.exp
// CHECK:         memref.prefetch %[[FLAT]]
// CHECK:         scf.for %{{.*}} = %c896 to %c1000
// CHECK:           math.exp
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func private @rows(%x: tensor<64x1000xf32>, %y: tensor<64x1000xf32>) -> tensor<64x1000xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x1000xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %t = tensor.empty() : tensor<64x1000xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x1000xf32>, tensor<64xf32>) outs(%t : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %d = arith.subf %a, %m : f32
    %n = math.exp %d : f32
    linalg.yield %n : f32
  } -> tensor<64x1000xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%p, %s : tensor<64x1000xf32>, tensor<64xf32>) outs(%y : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %n = arith.mulf %a, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x1000xf32>
  return %r : tensor<64x1000xf32>
}

// Rows of few bytes need no help: the processor sees the next ones coming.
// CHECK-LABEL: func.func private @short_tiles(
// CHECK-NOT:     memref.prefetch
// CHECK:         return
func.func private @short(%x: tensor<64x100xf32>, %y: tensor<64x100xf32>) -> tensor<64x100xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x100xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %n = arith.addf %a, %b : f32
    linalg.yield %n : f32
  } -> tensor<64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<64x100xf32>, tensor<64xf32>) outs(%y : tensor<64x100xf32>) {
  ^bb0(%a: f32, %m: f32, %b: f32):
    %n = arith.mulf %a, %m : f32
    linalg.yield %n : f32
  } -> tensor<64x100xf32>
  return %r : tensor<64x100xf32>
}
