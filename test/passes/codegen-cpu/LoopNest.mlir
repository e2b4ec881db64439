// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

// The loop that is contiguous in both operands is innermost, whatever the order of the others.
// CHECK-LABEL: func.func private @transposed_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<2x3x16xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<3x2x16xf32> {llvm.noalias})
// CHECK: scf.for
// CHECK:   scf.for %[[K:.*]] = %{{.*}} to
// CHECK:     %[[V:.*]] = memref.load %[[X]][%[[J:.*]], %[[I:.*]], %[[K]]]
// CHECK:     memref.store %[[V]], %[[Y]][%[[I]], %[[J]], %[[K]]]
func.func private @transposed(%x: tensor<2x3x16xf32>, %y: tensor<3x2x16xf32>) -> tensor<3x2x16xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (j, i, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x : tensor<2x3x16xf32>) outs(%y : tensor<3x2x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    linalg.yield %a : f32
  } -> tensor<3x2x16xf32>
  return %0 : tensor<3x2x16xf32>
}

// An index of the op is the loop's, so loops are not joined.
// CHECK-LABEL: func.func private @index_tiles(
// CHECK-NOT: collapse_shape
// CHECK: scf.for
// CHECK: scf.for %[[J:.*]] = %{{.*}} to
// CHECK: arith.index_cast %[[J]] : index to i64
func.func private @index(%y: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<4x8xf32>) {
  ^bb0(%b: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f32
    linalg.yield %f : f32
  } -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A sliding window: the place of an element is computed from two loops, and the sum stays in a register.
// CHECK-LABEL: func.func private @window_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<9xf32> {llvm.noalias}, %[[W:[a-z0-9]+]]: memref<3xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<4xf32> {llvm.noalias})
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %c4
// CHECK:   %[[START:.*]] = memref.load %[[Y]][%[[I]]]
// CHECK:   %[[SUM:.*]] = scf.for %[[J:.*]] = %{{.*}} iter_args(%{{.*}} = %[[START]])
// CHECK:     %[[TWICE:.*]] = arith.muli %[[I]], %c2
// CHECK:     %[[AT:.*]] = arith.addi %[[TWICE]], %[[J]]
// CHECK:     memref.load %[[X]][%[[AT]]]
// CHECK:     arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK:   memref.store %[[SUM]], %[[Y]][%[[I]]]
func.func private @window(%x: tensor<9xf32>, %w: tensor<3xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %w : tensor<9xf32>, tensor<3xf32>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %s: f32, %b: f32):
    %m = arith.mulf %a, %s : f32
    %n = arith.addf %m, %b : f32
    linalg.yield %n : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Only sums may be reassociated, not what is computed of each element.
// CHECK-LABEL: func.func private @elementwise_tiles(
// CHECK: arith.addf {{.*}} fastmath<contract>
// CHECK-NOT: reassoc
func.func private @elementwise(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<64xf32>, tensor<64xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
  return %0 : tensor<64xf32>
}

// Any 0 will do for an extremum of a reduction; elsewhere +0 is larger than -0.
// CHECK-LABEL: func.func private @extremum_tiles(
// CHECK: arith.maximumf {{.*}} fastmath<contract>
// CHECK: arith.maximumf {{.*}} fastmath<{{nsz,contract|contract,nsz}}>
func.func private @extremum(%x: tensor<4x32xf32>, %y: tensor<4x32xf32>, %m: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %y : tensor<4x32xf32>, tensor<4x32xf32>) outs(%m : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32):
    %p = arith.maximumf %a, %b : f32
    %q = arith.maximumf %s, %p : f32
    linalg.yield %q : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Only the iteration of the label adds something: one at most, and none for what is no index of the loop.
// CHECK-LABEL: func.func private @one_hot_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x32xf32> {llvm.noalias}, %[[L:[a-z0-9]+]]: memref<4xi64> {llvm.noalias}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to
// CHECK:   %[[LABEL:.*]] = memref.load %[[L]][%[[I]]]
// CHECK:   %[[PLACE:.*]] = arith.index_cast %[[LABEL]] : i64 to index
// CHECK:   %[[FROM:.*]] = arith.minui %[[PLACE]], %c32
// CHECK:   %[[NEXT:.*]] = arith.addi %[[FROM]], %c1
// CHECK:   %[[TO:.*]] = arith.minui %[[NEXT]], %c32
// CHECK:   scf.for %{{.*}} = %[[FROM]] to %[[TO]]
func.func private @one_hot(%x: tensor<4x32xf32>, %l: tensor<4xi64>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %l : tensor<4x32xf32>, tensor<4xi64>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %label: i64, %s: f32):
    %zero = arith.constant 0.0 : f32
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    %hit = arith.cmpi eq, %c, %label : i64
    %v = arith.select %hit, %a, %zero : f32
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Every iteration may add something: the label changes along the loop, or all others count 1.
// CHECK-LABEL: func.func private @not_one_hot_tiles(
// CHECK-COUNT-2: scf.for %{{.*}} = %c0 to %c32 step %c1 iter_args
func.func private @not_one_hot(%x: tensor<4x32xf32>, %l: tensor<4x32xi64>, %k: tensor<4xi64>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %l : tensor<4x32xf32>, tensor<4x32xi64>) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %label: i64, %s: f32):
    %zero = arith.constant 0.0 : f32
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    %hit = arith.cmpi eq, %c, %label : i64
    %v = arith.select %hit, %a, %zero : f32
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x, %k : tensor<4x32xf32>, tensor<4xi64>) outs(%z : tensor<4xf32>) {
  ^bb0(%a: f32, %label: i64, %s: f32):
    %one = arith.constant 1.0 : f32
    %j = linalg.index 1 : index
    %c = arith.index_cast %j : index to i64
    %hit = arith.cmpi eq, %c, %label : i64
    %v = arith.select %hit, %a, %one : f32
    %t = arith.addf %s, %v : f32
    linalg.yield %t : f32
  } -> tensor<4xf32>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

// A body that branches on where its loop is, as a concatenation's does, is split there: a loop for each part, without branches.
// CHECK-LABEL: func.func private @concat_tiles(
// CHECK-SAME: %[[A:[a-z0-9]+]]: memref<4x24xf32> {llvm.noalias}, %[[B:[a-z0-9]+]]: memref<4x40xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<4x64xf32> {llvm.noalias})
// CHECK-NOT: scf.if
// CHECK: scf.for %[[J:.*]] = %c0{{.*}} to %c24
// CHECK-NOT: scf.if
// CHECK:   memref.load %[[A]][%{{.*}}, %[[J]]]
// CHECK: scf.for %[[K:.*]] = %c24{{.*}} to %c64
// CHECK-NOT: scf.if
// CHECK:   %[[AT:.*]] = arith.subi %[[K]], %c24
// CHECK:   memref.load %[[B]][%{{.*}}, %[[AT]]]
// CHECK-NOT: scf.if
// CHECK: return
func.func private @concat(%a: tensor<4x24xf32>, %b: tensor<4x40xf32>, %y: tensor<4x64xf32>) -> tensor<4x64xf32> attributes {raf.kernel} {
  %c24 = arith.constant 24 : index
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<4x64xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %left = arith.cmpi ult, %j, %c24 : index
    %v = scf.if %left -> (f32) {
      %l = tensor.extract %a[%i, %j] : tensor<4x24xf32>
      scf.yield %l : f32
    } else {
      %k = arith.subi %j, %c24 : index
      %r = tensor.extract %b[%i, %k] : tensor<4x40xf32>
      scf.yield %r : f32
    }
    linalg.yield %v : f32
  } -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}
