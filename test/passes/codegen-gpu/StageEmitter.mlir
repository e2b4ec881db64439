// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s

// A stage reads what an earlier one has made: a launch of its own.
// CHECK-LABEL: func.func @stages
// CHECK: gpu.launch_func @raf_kernels::@two blocks
// CHECK-NEXT: gpu.launch_func @raf_kernels::@two_stage1 blocks
// CHECK: gpu.func @two(
// CHECK: math.exp
// CHECK: vector.store %{{.*}}, %arg1
// CHECK: gpu.func @two_stage1(
// CHECK: vector.load %arg1
// CHECK: gpu.shuffle
func.func @stages(%x: memref<500xf32>, %y: memref<500xf32>, %z: memref<f32>) {
  raf.launch @two ins(%x : memref<500xf32>) outs(%y, %z : memref<500xf32>, memref<f32>)
  return
}
func.func private @two(%x: tensor<500xf32>, %y: tensor<500xf32>, %z: tensor<f32>) -> (tensor<500xf32>, tensor<f32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = linalg.exp {raf.stage = 0 : i64} ins(%x : tensor<500xf32>) outs(%y : tensor<500xf32>) -> tensor<500xf32>
  %f = linalg.fill {raf.stage = 1 : i64} ins(%zero : f32) outs(%z : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%e : tensor<500xf32>) outs(%f : tensor<f32>)
      attrs = {raf.stage = 1 : i64} {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %e, %s : tensor<500xf32>, tensor<f32>
}

// -----

// Many columns: four neighbouring ones are one access, and each of their sums meets those of the other lanes.
// CHECK-LABEL: gpu.func @wide(
// CHECK: scf.for {{.*}} -> (f32, f32, f32, f32)
// CHECK:   vector.load {{.*}} {alignment = 16 : i64} {{.*}} vector<4xf32>
// CHECK-COUNT-4: arith.addf
// CHECK: scf.if
// CHECK:   vector.store {{.*}} : memref<16384xf32>, vector<4xf32>
func.func @main(%x: memref<64x16384xf32>, %y: memref<16384xf32>) {
  raf.launch @wide ins(%x : memref<64x16384xf32>) outs(%y : memref<16384xf32>)
  return
}
func.func private @wide(%x: tensor<64x16384xf32>, %y: tensor<16384xf32>) -> tensor<16384xf32> attributes {raf.kernel} {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<64x16384xf32>) outs(%y : tensor<16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<16384xf32>
  return %s : tensor<16384xf32>
}

// -----

// The last columns of a block may be none: their threads read the last one again, since all meet, and write nothing.
// CHECK-LABEL: gpu.func @ragged(
// CHECK-DAG: %[[COLUMNS:.*]] = arith.constant 5 : index
// CHECK-DAG: %[[LAST:.*]] = arith.constant 4 : index
// CHECK: %[[VALID:.*]] = arith.cmpi ult, %[[COLUMN:.*]], %[[COLUMNS]]
// CHECK: arith.minui %[[COLUMN]], %[[LAST]]
// CHECK: gpu.barrier
// CHECK: %[[FIRST:.*]] = arith.cmpi eq
// CHECK: %[[WRITES:.*]] = arith.andi %[[VALID]], %[[FIRST]]
// CHECK: scf.if %[[WRITES]]
func.func @main(%x: memref<100x5xf32>, %y: memref<5xf32>) {
  raf.launch @ragged ins(%x : memref<100x5xf32>) outs(%y : memref<5xf32>)
  return
}
func.func private @ragged(%x: tensor<100x5xf32>, %y: tensor<5xf32>) -> tensor<5xf32> attributes {raf.kernel} {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%x : tensor<100x5xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  return %s : tensor<5xf32>
}

// Rows have blocks without rest: 5 rows are 5 blocks.
// CHECK-LABEL: gpu.func @rows(
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 5, 1, 1>
// CHECK-NOT: arith.minui
func.func @launch(%x: memref<5x100xf32>, %y: memref<5xf32>) {
  raf.launch @rows ins(%x : memref<5x100xf32>) outs(%y : memref<5xf32>)
  return
}
func.func private @rows(%x: tensor<5x100xf32>, %y: tensor<5xf32>) -> tensor<5xf32> attributes {raf.kernel} {
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<5x100xf32>) outs(%y : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<5xf32>
  return %s : tensor<5xf32>
}

// -----

// Where the parts of a reduction cannot be combined (a value and its position) one thread does it.
// CHECK-LABEL: gpu.func @argmax(
// CHECK: scf.for %{{.*}} = %{{.*}} to %{{.*}} step %{{.*}} iter_args(%{{.*}}, %{{.*}}) -> (f32, i64)
// CHECK-NOT: gpu.shuffle
// CHECK: gpu.return
func.func @main(%x: memref<64x16xf32>, %v: memref<64xf32>, %i: memref<64xi64>) {
  raf.launch @argmax ins(%x : memref<64x16xf32>) outs(%v, %i : memref<64xf32>, memref<64xi64>)
  return
}
#rc = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func private @argmax(%x: tensor<64x16xf32>, %v: tensor<64xf32>, %i: tensor<64xi64>) -> (tensor<64xf32>, tensor<64xi64>) attributes {raf.kernel} {
  %r:2 = linalg.generic {indexing_maps = [#rc, #r, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x16xf32>) outs(%v, %i : tensor<64xf32>, tensor<64xi64>) {
  ^bb0(%a: f32, %best: f32, %at: i64):
    %k = linalg.index 1 : index
    %here = arith.index_cast %k : index to i64
    %more = arith.cmpf ogt, %a, %best : f32
    %0 = arith.select %more, %a, %best : f32
    %1 = arith.select %more, %here, %at : i64
    linalg.yield %0, %1 : f32, i64
  } -> (tensor<64xf32>, tensor<64xi64>)
  return %r#0, %r#1 : tensor<64xf32>, tensor<64xi64>
}

// -----

// A convolution without anything special: the lanes of an output share its window. Positions with mod are computed as they are written, a thread an element.
// CHECK-LABEL: gpu.func @conv(
// CHECK: arith.remui
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: gpu.func @repeat(
// CHECK: %[[AT:.*]] = gpu.thread_id x
// CHECK: scf.if
// CHECK-NOT: scf.for
// CHECK: arith.remsi
// CHECK: memref.load
func.func @main(%x: memref<2x3x6x6xf32>, %w: memref<8x3x3x3xf32>, %y: memref<2x8x4x4xf32>, %s: memref<4xf32>, %t: memref<8xf32>) {
  raf.launch @conv ins(%x, %w : memref<2x3x6x6xf32>, memref<8x3x3x3xf32>) outs(%y : memref<2x8x4x4xf32>)
  raf.launch @repeat ins(%s : memref<4xf32>) outs(%t : memref<8xf32>)
  return
}
func.func private @conv(%x: tensor<2x3x6x6xf32>, %w: tensor<8x3x3x3xf32>, %y: tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<2x8x4x4xf32>) -> tensor<2x8x4x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>, affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>,
                                        affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x6x6xf32>, tensor<8x3x3x3xf32>) outs(%f : tensor<2x8x4x4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    %1 = arith.addf %o, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x8x4x4xf32>
  return %c : tensor<2x8x4x4xf32>
}
func.func private @repeat(%x: tensor<4xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i mod 4)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%y : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

// Columns that keep much to themselves, 1.5 KiB each, share a block with fewer others: 8, not 32.
// CHECK-LABEL: gpu.func @large_points(
// CHECK-SAME: workgroup(%{{.*}} : memref<24xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}, %{{.*}} : memref<3072xf32, #gpu.address_space<workgroup>>
func.func @main(%x: memref<3x128x64xf32>, %y: memref<128x64xf32>) {
  raf.launch @large_points ins(%x : memref<3x128x64xf32>) outs(%y : memref<128x64xf32>)
  return
}
func.func private @large_points(%x: tensor<3x128x64xf32>, %y: tensor<128x64xf32>) -> tensor<128x64xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x64xf32>
  %t = tensor.empty() : tensor<3x128x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x64xf32>) -> tensor<3x64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(b, t, c) -> (b, c, t)>, affine_map<(b, t, c) -> (b, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<3x128x64xf32>) outs(%f : tensor<3x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<3x64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(b, t, c) -> (b, c, t)>, affine_map<(b, t, c) -> (b, t)>, affine_map<(b, t, c) -> (b, c, t)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %s : tensor<3x128x64xf32>, tensor<3x64xf32>) outs(%t : tensor<3x128x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.subf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<3x128x64xf32>
  %g = linalg.fill ins(%zero : f32) outs(%y : tensor<128x64xf32>) -> tensor<128x64xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(t, c, b) -> (b, c, t)>, affine_map<(t, c, b) -> (c, t)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%d : tensor<3x128x64xf32>) outs(%g : tensor<128x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<128x64xf32>
  return %r : tensor<128x64xf32>
}

// -----

// The exponentials of a row fill the shared memory: one warp sums them, since parts of several would not fit beside.
// CHECK-LABEL: gpu.func @long_rows(
// CHECK-SAME: workgroup(%{{[a-z0-9_]+}} : memref<12288xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-SAME: known_block_size = array<i32: 32, 1, 1>, known_grid_size = array<i32: 64, 1, 1>
func.func @long(%x: memref<64x12288xf32>, %y: memref<64x12288xf32>) {
  raf.launch @long_rows ins(%x : memref<64x12288xf32>) outs(%y : memref<64x12288xf32>)
  return
}
func.func private @long_rows(%x: tensor<64x12288xf32>, %y: tensor<64x12288xf32>) -> tensor<64x12288xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %t = tensor.empty() : tensor<64x12288xf32>
  %e = linalg.exp ins(%x : tensor<64x12288xf32>) outs(%t : tensor<64x12288xf32>) -> tensor<64x12288xf32>
  %r = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<64x12288xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  %d = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%e, %s : tensor<64x12288xf32>, tensor<64xf32>) outs(%y : tensor<64x12288xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.divf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<64x12288xf32>
  return %d : tensor<64x12288xf32>
}
