// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels="threads=1 stream-bytes=1024" --canonicalize --cse | FileCheck %s --check-prefix=WHOLE

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d1)>

// Of pieces of rows, eight are added at a time, in their order; two are left.
// CHECK-LABEL: func.func private @columns_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<26x1000xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<1000xf32> {llvm.noalias})
// CHECK: scf.for %[[R:.*]] = %c0 to %c24 step %c8 {
// CHECK:   scf.for %[[C:.*]] =
// CHECK:     memref.load %[[X]][%[[R]], %[[AT:.*]]] : memref<26x1000xf32>
// CHECK:     memref.load %[[Y]][%[[AT]]]
// CHECK-NEXT: %[[S0:.*]] = arith.addf {{.*}} fastmath<contract>
// CHECK-COUNT-7: arith.addf {{.*}} fastmath<contract>
// CHECK-NEXT: memref.store {{.*}}, %[[Y]][%[[AT]]]
// CHECK: scf.for %[[C:.*]] =
// CHECK:   memref.load %[[X]][%c24, %{{.*}}] : memref<26x1000xf32>
// CHECK:   memref.load %[[X]][%c25, %{{.*}}] : memref<26x1000xf32>
// CHECK:   memref.store
// CHECK-NOT: memref.store
// Whole rows are read one after the other.
// WHOLE-LABEL: func.func private @columns_tiles(
// WHOLE-NOT: step %c8
// WHOLE: scf.for %{{.*}} = %c0 to %c26 step %c1
// WHOLE:   scf.for %{{.*}} = %c0 to %c1000 step %c1
func.func private @columns(%x: tensor<26x1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<26x1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// Either product of the sum could be the one that is not rounded, and more rows could make it the other: row by row.
// CHECK-LABEL: func.func private @two_products_tiles(
// CHECK: scf.for %{{.*}} = %c0 to %c26 step %c1
// CHECK-NOT: step %c8
// CHECK: memref.store
// CHECK-NOT: memref.store
func.func private @two_products(%x: tensor<26x1000xf32>, %z: tensor<26x1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %z : tensor<26x1000xf32>, tensor<26x1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %p = arith.mulf %a, %a : f32
    %q = arith.mulf %c, %c : f32
    %d = arith.addf %p, %q : f32
    %s = arith.addf %b, %d : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// A product of what all rows have in common would be computed once for all of them, and be rounded: row by row, too.
// CHECK-LABEL: func.func private @common_product_tiles(
// CHECK: scf.for %{{.*}} = %c0 to %c26 step %c1
// CHECK-NOT: step %c8
// CHECK: memref.store
// CHECK-NOT: memref.store
func.func private @common_product(%x: tensor<26x1000xf32>, %z: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #column, #column], iterator_types = ["reduction", "parallel"]} ins(%x, %z : tensor<26x1000xf32>, tensor<1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%a: f32, %c: f32, %b: f32):
    %q = arith.mulf %c, %c : f32
    %d = arith.subf %a, %q : f32
    %s = arith.addf %b, %d : f32
    linalg.yield %s : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}
