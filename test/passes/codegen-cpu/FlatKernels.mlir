// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

#id = affine_map<(i, j, k) -> (i, j, k)>
#rows = affine_map<(i, j, k) -> (i)>
#columns = affine_map<(i, j, k) -> (k)>
#all = affine_map<(i, j, k) -> ()>

// What is pointwise runs over its operands as they lie in memory, whose buffers keep their types.
// CHECK-LABEL: func.func private @pointwise(%{{.*}}: memref<3x5x700xf32> {llvm.noalias}, %{{.*}}: memref<f32> {llvm.noalias}, %{{.*}}: memref<3x5x700xf32> {llvm.noalias})
// CHECK-LABEL: func.func private @pointwise_tiles(
// CHECK-SAME:    %[[X:[a-z0-9]+]]: memref<3x5x700xf32> {llvm.noalias}, %[[S:[a-z0-9]+]]: memref<f32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<3x5x700xf32> {llvm.noalias})
// CHECK-DAG:     %[[FLATX:.*]] = memref.collapse_shape %[[X]] {{\[}}[0, 1, 2]] : memref<3x5x700xf32> into memref<10500xf32>
// CHECK-DAG:     %[[FLATY:.*]] = memref.collapse_shape %[[Y]] {{\[}}[0, 1, 2]] : memref<3x5x700xf32> into memref<10500xf32>
// CHECK:         scf.for
// CHECK:           scf.for
// CHECK-DAG:         memref.load %[[FLATX]][%[[AT:.*]]] : memref<10500xf32>
// CHECK-DAG:         memref.load %[[S]][] : memref<f32>
// CHECK:             memref.store %{{.*}}, %[[FLATY]][%[[AT]]] : memref<10500xf32>
func.func private @pointwise(%x: tensor<3x5x700xf32>, %s: tensor<f32>, %y: tensor<3x5x700xf32>) -> tensor<3x5x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #all, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<3x5x700xf32>, tensor<f32>) outs(%y : tensor<3x5x700xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x5x700xf32>
  return %0 : tensor<3x5x700xf32>
}

// Only the dimensions that all operands have or lack together; the index of another one has its number among what is left.
// CHECK-LABEL: func.func private @partly_tiles(
// CHECK-SAME:    %[[ROWS:[a-z0-9]+]]: memref<3xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<3x5x700xf32> {llvm.noalias})
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[Y]] {{\[}}[0], [1, 2]] : memref<3x5x700xf32> into memref<3x3500xf32>
// CHECK:         %[[VALUE:.*]] = memref.load %[[ROWS]][%[[ROW:.*]]] : memref<3xf32>
// CHECK:         arith.index_cast %[[ROW]] : index to i32
// CHECK:         memref.store %{{.*}}, %[[FLAT]][%[[ROW]], %{{.*}}] : memref<3x3500xf32>
func.func private @partly(%s: tensor<3xf32>, %y: tensor<3x5x700xf32>) -> tensor<3x5x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#rows, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%s : tensor<3xf32>) outs(%y : tensor<3x5x700xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 0 : index
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %r = arith.addf %a, %f : f32
    linalg.yield %r : f32
  } -> tensor<3x5x700xf32>
  return %0 : tensor<3x5x700xf32>
}

// The number of an element, be it scaled, is that of the one loop.
// CHECK-LABEL: func.func private @numbered_tiles(
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape
// CHECK:         scf.for %[[I:.*]] = %{{.*}} to
// CHECK-NOT:       arith.muli {{.*}} : index
// CHECK:           %[[N:.*]] = arith.index_cast %[[AT:.*]] : index to i64
// CHECK:           %[[TWICE:.*]] = arith.muli %[[N]], %c2_i64
// CHECK:           %[[FROM:.*]] = arith.addi %[[TWICE]], %c7_i64
// CHECK:           %[[F:.*]] = arith.sitofp %[[FROM]]
// CHECK:           memref.store %[[F]], %[[FLAT]][%[[AT]]]
func.func private @numbered(%y: tensor<3x5x7xf32>) -> tensor<3x5x7xf32> attributes {raf.kernel} {
  %c5 = arith.constant 5 : index
  %c7 = arith.constant 7 : index
  %c2_i64 = arith.constant 2 : i64
  %c7_i64 = arith.constant 7 : i64
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%y : tensor<3x5x7xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = linalg.index 2 : index
    %0 = arith.muli %i, %c5 : index
    %1 = arith.addi %0, %j : index
    %2 = arith.muli %1, %c7 : index
    %3 = arith.addi %2, %k : index
    %n = arith.index_cast %3 : index to i64
    %4 = arith.muli %n, %c2_i64 : i64
    %5 = arith.addi %4, %c7_i64 : i64
    %r = arith.sitofp %5 : i64 to f32
    linalg.yield %r : f32
  } -> tensor<3x5x7xf32>
  return %0 : tensor<3x5x7xf32>
}

// Loops stay whose indices mean something by themselves, here or in a branch, those of operands that lie across one another, and reductions.
// CHECK-LABEL: func.func private @index_tiles(
// CHECK-NOT:     memref.collapse_shape
func.func private @index(%y: tensor<3x5x7xindex>) -> tensor<3x5x7xindex> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel", "parallel"]} outs(%y : tensor<3x5x7xindex>) {
  ^bb0(%out: index):
    %k = linalg.index 2 : index
    linalg.yield %k : index
  } -> tensor<3x5x7xindex>
  return %0 : tensor<3x5x7xindex>
}
// CHECK-LABEL: func.func private @nested_tiles(
// CHECK-NOT:     memref.collapse_shape
func.func private @nested(%x: tensor<9x7xf32>, %y: tensor<9x7xf32>) -> tensor<9x7xf32> attributes {raf.kernel} {
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<9x7xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %low = arith.cmpf olt, %out, %zero : f32
    %v = scf.if %low -> (f32) {
      %at = arith.remui %i, %c4 : index
      %e = tensor.extract %x[%at, %j] : tensor<9x7xf32>
      scf.yield %e : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<9x7xf32>
  return %0 : tensor<9x7xf32>
}
// CHECK-LABEL: func.func private @across_tiles(
// CHECK-NOT:     memref.collapse_shape
func.func private @across(%x: tensor<7x9xf32>, %y: tensor<9x7xf32>) -> tensor<9x7xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j, i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x9xf32>) outs(%y : tensor<9x7xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<9x7xf32>
  return %0 : tensor<9x7xf32>
}
// CHECK-LABEL: func.func private @columns_tiles(
// CHECK-NOT:     memref.collapse_shape
func.func private @columns(%x: tensor<700xf32>, %y: tensor<3x5x700xf32>) -> tensor<3x5x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#columns, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<700xf32>) outs(%y : tensor<3x5x700xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<3x5x700xf32>
  return %0 : tensor<3x5x700xf32>
}
