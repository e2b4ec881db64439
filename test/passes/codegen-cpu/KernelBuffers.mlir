// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

// A result is computed in its destination; what only fills it on the way is there too.
// CHECK-LABEL: func.func private @in_place_tiles(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<4x8xf32> {llvm.noalias}, %[[O:[a-z0-9]+]]: memref<4x8xf32> {llvm.noalias})
// CHECK-NOT: memref.alloc
// CHECK-DAG: %[[FX:.*]] = memref.collapse_shape %[[X]]
// CHECK-DAG: %[[FO:.*]] = memref.collapse_shape %[[O]]
// CHECK: memref.store %{{.*}}, %[[FO]]
// CHECK: memref.load %[[FX]]
// CHECK: memref.load %[[FO]]
// CHECK: memref.store %{{.*}}, %[[FO]]
func.func private @in_place(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>) -> tensor<4x8xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4x8xf32>) outs(%0 : tensor<4x8xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A value that is no result lives in a temporary of the tile's size, counted from the tile's start, allocated once for all tiles.
// CHECK-LABEL: func.func private @temporary_tiles(
// CHECK: %[[ZERO:.*]] = arith.constant 0 : index
// CHECK: %[[T:.*]] = memref.alloca() {alignment = 64 : i64} : memref<1x1000xf32>
// CHECK: scf.for
// CHECK: memref.store %{{.*}}, %[[T]][%[[ZERO]], %{{.*}}]
// CHECK: memref.load %[[T]][%[[ZERO]], %{{.*}}]
func.func private @temporary(%x: tensor<1000xf32>, %o: tensor<64x1000xf32>) -> tensor<64x1000xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<64x1000xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1000xf32>) outs(%e : tensor<64x1000xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = math.exp %a : f32
    linalg.yield %s : f32
  } -> tensor<64x1000xf32>
  %1 = linalg.tanh ins(%0 : tensor<64x1000xf32>) outs(%o : tensor<64x1000xf32>) -> tensor<64x1000xf32>
  return %1 : tensor<64x1000xf32>
}

// A value returned twice is computed in one destination and copied to the other.
// CHECK-LABEL: func.func private @twice_tiles(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x8xf32> {llvm.noalias}, %[[O:[a-z0-9]+]]: memref<4x8xf32> {llvm.noalias}, %[[P:[a-z0-9]+]]: memref<4x8xf32> {llvm.noalias})
// CHECK-DAG: %[[FO:.*]] = memref.collapse_shape %[[O]]
// CHECK-DAG: %[[FP:.*]] = memref.collapse_shape %[[P]]
// CHECK: math.exp
// CHECK-COUNT-1: memref.store %{{.*}}, %[[FO]]
// CHECK: %[[V:.*]] = memref.load %[[FO]]
// CHECK: memref.store %[[V]], %[[FP]]
func.func private @twice(%x: tensor<4x8xf32>, %o: tensor<4x8xf32>, %p: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<4x8xf32>) outs(%o : tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0, %0 : tensor<4x8xf32>, tensor<4x8xf32>
}

// A sum that starts from an argument which is not its destination starts from a copy: arguments are not written.
// CHECK-LABEL: func.func private @start_tiles(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4x8xf32> {llvm.noalias}, %[[S:[a-z0-9]+]]: memref<4xf32> {llvm.noalias}, %[[O:[a-z0-9]+]]: memref<4xf32> {llvm.noalias})
// CHECK-NOT: memref.store %{{.*}}, %[[S]]
// CHECK: %[[V:.*]] = memref.load %[[S]]
// CHECK: memref.store %[[V]], %[[O]]
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: memref.store %{{.*}}, %[[S]]
// CHECK: memref.store %{{.*}}, %[[O]]
func.func private @start(%x: tensor<4x8xf32>, %s: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x8xf32>) outs(%s : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
