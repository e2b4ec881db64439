// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels=vector-bits=128 --canonicalize --cse | FileCheck %s

// Tiles are blocks in both directions. Their input is transposed in registers, four rows of four lanes here, into a part of its own that the loops of the op then read.
// CHECK-LABEL: func.func private @flipped_tiles(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<128x192xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<192x128xf32> {llvm.noalias})
// CHECK:       %[[PART:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64x80xf32>
// CHECK:       scf.for %{{.*}} = %arg0 to %arg1
// CHECK:         scf.for %[[R:.*]] = %c0 to %c64 step %c4
// CHECK:           scf.for %[[C:.*]] = %c0 to %c64 step %c4
// CHECK:             vector.load %[[X]]
// CHECK:             memref.prefetch %[[X]]{{.*}}, read
// CHECK:             memref.prefetch %[[Y]]{{.*}}, write
// CHECK-COUNT-8:     vector.shuffle
// CHECK-NOT:         vector.shuffle
// CHECK:             vector.store %{{.*}}, %[[PART]][%[[R]], %[[C]]]
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK:             memref.load %[[PART]]
// CHECK:             math.exp
// CHECK:             memref.store %{{.*}}, %[[Y]]
func.func private @flipped(%x: tensor<128x192xf32>, %y: tensor<192x128xf32>) -> tensor<192x128xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<128x192xf32>) outs(%y : tensor<192x128xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<192x128xf32>
  return %0 : tensor<192x128xf32>
}

// The last tiles are shorter: what whole blocks leave is moved one by one.
// CHECK-LABEL: func.func private @odd_tiles(
// CHECK:         %[[REST:.*]] = arith.remui %{{.*}}, %c4
// CHECK:         vector.store
// CHECK:         memref.load %{{.*}} : memref<3x67x81xf32>
func.func private @odd(%x: tensor<3x67x81xf32>, %y: tensor<3x81x67xf32>) -> tensor<3x81x67xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, j, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<3x67x81xf32>) outs(%y : tensor<3x81x67xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x81x67xf32>
  return %0 : tensor<3x81x67xf32>
}

// Short rows, and reads along the result, need no blocks.
// CHECK-LABEL: func.func private @short_tiles(
// CHECK-NOT:     vector.shuffle
// CHECK:         return
func.func private @short(%x: tensor<8x192xf32>, %y: tensor<192x8xf32>) -> tensor<192x8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<8x192xf32>) outs(%y : tensor<192x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<192x8xf32>
  return %0 : tensor<192x8xf32>
}
