// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --pass-pipeline='builtin.module(raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,raf-tile-kernels,canonicalize,cse)' | FileCheck %s

// Along a loop one counter serves four places: up to the first place whose number is a multiple of 64 element by element, then two blocks of 64 at a time, one by itself, and the rest.
// In a block the words are known, so that nothing is selected; its counters are drawn as vectors, in which the upper halves of products are moved by shuffles.
// CHECK-LABEL: func.func private @kernel_0_tiles(
// CHECK: scf.for %[[TILE:.*]] = %{{.*}} to
// CHECK:   %[[END:.*]] = arith.minui %{{.*}}, %c512
// CHECK:   %[[MISSING:.*]] = arith.andi %{{.*}}, %c63_i64
// CHECK:   %[[CAST:.*]] = arith.index_castui %[[MISSING]]
// CHECK:   %[[HEAD:.*]] = arith.minui %[[CAST]], %[[END]]
// CHECK:   scf.for %{{.*}} = %c0 to %[[HEAD]]
// CHECK:   scf.for %{{.*}} = %[[HEAD]] to %[[SINGLE:.*]] step %c128
// CHECK-COUNT-80: vector.shuffle
// CHECK-COUNT-8: vector.store
// CHECK-COUNT-2: scf.for %{{.*}} = %c0 to %c16
// CHECK-NOT:   arith.select
// CHECK:   scf.for %{{.*}} = %[[SINGLE]] to %[[TAIL:.*]] step %c64
// CHECK-COUNT-40: vector.shuffle
// CHECK-COUNT-4: vector.store
// CHECK:     scf.for %{{.*}} = %c0 to %c16
// CHECK-NOT:   arith.select
// CHECK-NOT:   arith.muli
// CHECK-COUNT-4: memref.store
// CHECK:   scf.for %{{.*}} = %[[TAIL]] to %[[END]]
func.func @main(%seed: tensor<i64>, %step: tensor<i64>) -> (tensor<33x300xf32>, tensor<6x20xf32>) {
  %u = raf.random_uniform %seed, %step op_id = 3 : tensor<33x300xf32>
  // What is shorter than two blocks, and places that do not follow one another, are drawn one by one.
  // CHECK-LABEL: func.func private @kernel_1_tiles(
  // CHECK-NOT: step %c64
  %v = raf.random_uniform %seed, %step op_id = 3 : tensor<6x20xf32>
  return %u, %v : tensor<33x300xf32>, tensor<6x20xf32>
}

// CHECK-LABEL: func.func private @kernel_2_tiles(
// CHECK-NOT: step %c64
func.func @apart(%seed: tensor<i64>, %step: tensor<i64>, %at: tensor<i64>) -> tensor<33x300xf32> {
  %u = raf.random_uniform %seed, %step op_id = 3 offset = %at strides = [1, 33] : tensor<33x300xf32>
  return %u : tensor<33x300xf32>
}
