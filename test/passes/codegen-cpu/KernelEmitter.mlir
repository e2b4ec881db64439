// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s

// Each stage is a function of its own, run when all tiles of the one before are done; the kernel keeps its name.
// CHECK-LABEL: func.func private @stages(
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<128x64xf32> {llvm.noalias}, %[[S:[a-z0-9]+]]: memref<64xf32> {llvm.noalias}, %[[Y:[a-z0-9]+]]: memref<128x64xf32> {llvm.noalias}
// CHECK-SAME: attributes {raf.kernel}
// CHECK-NEXT: raf.parallel_for @stages_tiles tiles = {{[0-9]+}} grain = {{[0-9]+}}(%[[X]], %[[S]], %[[Y]])
// CHECK-NEXT: raf.parallel_for @stages_tiles1 tiles = {{[0-9]+}} grain = {{[0-9]+}}(%[[X]], %[[S]], %[[Y]])
// CHECK-NEXT: return
// CHECK: func.func private @stages_tiles(%[[BEGIN:.*]]: index, %[[END:.*]]: index, {{.*}} attributes {raf.tiles}
// CHECK-NOT: arith.divf
// CHECK: scf.for %{{.*}} = %[[BEGIN]] to %[[END]]
// CHECK: arith.addf
// CHECK: func.func private @stages_tiles1(
// CHECK-NOT: arith.addf
// CHECK: arith.divf
func.func private @stages(%x: tensor<128x64xf32>, %s: tensor<64xf32>, %y: tensor<128x64xf32>) -> (tensor<64xf32>, tensor<128x64xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill {raf.stage = 0 : i64} ins(%zero : f32) outs(%s : tensor<64xf32>) -> tensor<64xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<128x64xf32>) outs(%f : tensor<64xf32>) attrs = {raf.stage = 0 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %1 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %0 : tensor<128x64xf32>, tensor<64xf32>) outs(%y : tensor<128x64xf32>) attrs = {raf.stage = 1 : i64} {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.divf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<128x64xf32>
  return %0, %1 : tensor<64xf32>, tensor<128x64xf32>
}

// A tile's number gives its coordinates, the last dimension first; the last tile of a row is shorter.
// CHECK-LABEL: func.func private @coordinates_tiles(
// CHECK: scf.for %[[N:.*]] = %{{.*}} to
// CHECK: %[[C:.*]] = arith.remui %[[N]], %[[COUNT:.*]] : index
// CHECK: %[[R:.*]] = arith.divui %[[N]], %[[COUNT]] : index
// CHECK: %[[O:.*]] = arith.muli %[[C]], %[[STEP:.*]] : index
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[O]] : index
// CHECK: arith.minui %[[LEFT]], %[[STEP]] : index
func.func private @coordinates(%x: tensor<4100xf32>, %y: tensor<8x4100xf32>) -> tensor<8x4100xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<4100xf32>) outs(%y : tensor<8x4100xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<8x4100xf32>
  return %0 : tensor<8x4100xf32>
}

// A scalar is passed as it is.
// CHECK-LABEL: func.func private @scalar(
// CHECK-SAME: %{{[a-z0-9]+}}: memref<4xf32> {llvm.noalias}, %[[S:[a-z0-9]+]]: f32, %{{[a-z0-9]+}}: memref<4xf32> {llvm.noalias})
func.func private @scalar(%x: tensor<4xf32>, %s: f32, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%x, %s : tensor<4xf32>, f32) outs(%y : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %r = arith.mulf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A kernel on buffers is done already.
// CHECK-LABEL: func.func private @on_buffers(
// CHECK-NEXT: linalg.exp
func.func private @on_buffers(%x: memref<4xf32>, %y: memref<4xf32>) attributes {raf.kernel} {
  linalg.exp ins(%x : memref<4xf32>) outs(%y : memref<4xf32>)
  return
}
