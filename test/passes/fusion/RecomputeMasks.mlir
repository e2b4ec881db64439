// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --pass-pipeline='builtin.module(func.func(raf-recompute-masks))' --split-input-file | FileCheck %s

#id = affine_map<(d0, d1) -> (d0, d1)>
#none = affine_map<(d0, d1) -> ()>

// The mask of a key and places is made again on the other side of the product, and the places, which both of two masks use, with it.
// CHECK-LABEL: func @dropout
// CHECK: %[[PLACES:.+]] = linalg.generic
// CHECK: linalg.index
// CHECK: %[[MASK:.+]] = linalg.generic {{.*}} ins(%[[PLACES]], %{{.+}} : tensor<8x8xi32>, tensor<i32>)
// CHECK: %[[Y:.+]] = linalg.generic {{.*}} ins(%[[MASK]], %{{.+}} : tensor<8x8xi8>, tensor<8x8xf32>)
// CHECK: %[[Z:.+]] = linalg.matmul ins(%[[Y]]
// CHECK: %[[AGAIN:.+]] = linalg.generic
// CHECK: linalg.index
// CHECK: %[[SAME:.+]] = linalg.generic {{.*}} ins(%[[AGAIN]], %{{.+}} : tensor<8x8xi32>, tensor<i32>)
// CHECK: %[[DY:.+]] = linalg.generic {{.*}} ins(%[[SAME]], %[[Z]]
// CHECK: %[[OTHER:.+]] = linalg.generic {{.*}} ins(%[[SAME]], %[[DY]]
// CHECK: return %[[OTHER]]
func.func @dropout(%key: tensor<i32>, %x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %i = tensor.empty() : tensor<8x8xi32>
  %b = tensor.empty() : tensor<8x8xi8>
  %f = tensor.empty() : tensor<8x8xf32>
  %places = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%i : tensor<8x8xi32>) {
  ^bb0(%o: i32):
    %0 = linalg.index 1 : index
    %1 = arith.index_cast %0 : index to i32
    linalg.yield %1 : i32
  } -> tensor<8x8xi32>
  %mask = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]} ins(%places, %key : tensor<8x8xi32>, tensor<i32>) outs(%b : tensor<8x8xi8>) {
  ^bb0(%p: i32, %k: i32, %o: i8):
    %0 = arith.xori %p, %k : i32
    %1 = arith.cmpi slt, %0, %k : i32
    %2 = arith.extui %1 : i1 to i8
    linalg.yield %2 : i8
  } -> tensor<8x8xi8>
  %y = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %x : tensor<8x8xi8>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%m: i8, %v: f32, %o: f32):
    %0 = arith.trunci %m : i8 to i1
    %1 = arith.select %0, %v, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %z = linalg.matmul ins(%y, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dy = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %z : tensor<8x8xi8>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%m: i8, %v: f32, %o: f32):
    %0 = arith.trunci %m : i8 to i1
    %1 = arith.select %0, %v, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  %dz = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %dy : tensor<8x8xi8>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%m: i8, %v: f32, %o: f32):
    %0 = arith.trunci %m : i8 to i1
    %1 = arith.select %0, %v, %v : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %dz : tensor<8x8xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>

// A mask of data (of relu) is kept, and so is one that no product lies between whose readers.
// CHECK-LABEL: func @of_data
// CHECK-COUNT-1: arith.cmpf
// CHECK-NOT: arith.cmpf
func.func @of_data(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> (tensor<8x8xi8>, tensor<8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %b = tensor.empty() : tensor<8x8xi8>
  %f = tensor.empty() : tensor<8x8xf32>
  %mask = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<8x8xf32>) outs(%b : tensor<8x8xi8>) {
  ^bb0(%v: f32, %o: i8):
    %0 = arith.cmpf ogt, %v, %zero : f32
    %1 = arith.extui %0 : i1 to i8
    linalg.yield %1 : i8
  } -> tensor<8x8xi8>
  %z = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) -> tensor<8x8xf32>
  %dy = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask, %z : tensor<8x8xi8>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%m: i8, %v: f32, %o: f32):
    %0 = arith.trunci %m : i8 to i1
    %1 = arith.select %0, %v, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<8x8xf32>
  return %mask, %dy : tensor<8x8xi8>, tensor<8x8xf32>
}
