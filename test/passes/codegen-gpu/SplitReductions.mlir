// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s "--pass-pipeline=builtin.module(func.func(raf-split-reductions{units=128}))" -split-input-file | FileCheck %s
// RUN: raf-opt %s "--pass-pipeline=builtin.module(func.func(raf-split-reductions{units=128},raf-fuse))" -split-input-file | FileCheck %s --check-prefix=FUSED
// RUN: not raf-opt %s "--pass-pipeline=builtin.module(func.func(raf-split-reductions{units=0 bytes-per-ns=0}))" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: raf-split-reductions: expected units and bytes-per-ns of at least 1 and launch-ns of at least 0, got 0, 0 and 2000

// A sum of everything: parts of whole vectors, what they leave over, and the sum of the parts, which starts from that.
// CHECK-DAG: #[[$PARTS:.*]] = affine_map<(d0, d1) -> (d1 * 4128 + d0)>
// CHECK-DAG: #[[$REST:.*]] = affine_map<(d0) -> (d0 + 998976)>
// CHECK-LABEL: func.func @all
// CHECK: linalg.fill {{.*}} -> tensor<242xf32>
// CHECK: %[[P:.*]] = linalg.generic {indexing_maps = [#[[$PARTS]], {{.*}}], iterator_types = ["reduction", "parallel"]} ins(%arg0, %{{.*}} : tensor<1000003xf32>, tensor<4128xi8>) {{.*}} attrs = {raf.partial}
// CHECK: arith.addf
// CHECK: %[[R:.*]] = linalg.generic {indexing_maps = [#[[$REST]], {{.*}}], iterator_types = ["reduction"]} ins(%arg0, %{{.*}} : tensor<1000003xf32>, tensor<1027xi8>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction"]} ins(%[[P]] : tensor<242xf32>) outs(%[[R]] : tensor<f32>)
// CHECK: arith.addf
func.func @all(%x: tensor<1000003xf32>) -> tensor<f32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<1000003xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  return %s : tensor<f32>
}

// -----

// Sums of columns, with the product that only they read in them. The parts are merged with nothing.
// CHECK-DAG: #[[$ROWS:.*]] = affine_map<(d0, d1, d2) -> (d2 * 256 + d0, d1)>
// CHECK-LABEL: func.func @columns
// CHECK-NOT: arith.mulf
// CHECK: linalg.generic {indexing_maps = [#[[$ROWS]], #[[$ROWS]], {{.*}}], iterator_types = ["reduction", "parallel", "parallel"]} ins(%arg0, %arg1, {{.*}} outs(%{{.*}} : tensor<32x768xf32>)
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: iterator_types = ["parallel", "reduction"]
// FUSED-LABEL: func.func @columns
// FUSED: raf.kernel
// FUSED: arith.mulf
// FUSED: raf.stage = 0
// FUSED: raf.stage = 1
func.func @columns(%x: tensor<8192x768xf32>, %y: tensor<8192x768xf32>) -> tensor<768xf32> {
  %z = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8192x768xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<8192x768xf32>, tensor<8192x768xf32>) outs(%m : tensor<8192x768xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %0 = arith.mulf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<8192x768xf32>
  %e = tensor.empty() : tensor<768xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%p : tensor<8192x768xf32>) outs(%f : tensor<768xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<768xf32>
  return %s : tensor<768xf32>
}

// -----

// A whole loop becomes the parts; indices stay what they were.
// CHECK-LABEL: func.func @images
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<64x4x12544xf32>) outs(%{{.*}} : tensor<64x4xf32>)
// CHECK-NEXT: ^bb0
// CHECK-NEXT: linalg.index 0
func.func @images(%x: tensor<64x4x12544xf32>) -> tensor<4xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1)>], iterator_types = ["reduction", "parallel", "reduction"]}
      ins(%x : tensor<64x4x12544xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %k = arith.sitofp %j : i32 to f32
    %t = arith.mulf %k, %a : f32
    %0 = arith.addf %o, %t : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %s : tensor<4xf32>
}

// -----

// An index along a loop that is cut counts from the start of the part.
// CHECK-LABEL: func.func @index
// CHECK: %[[I:.*]] = linalg.index 0
// CHECK: %[[PART:.*]] = linalg.index 1
// CHECK: %[[AT:.*]] = arith.muli %[[PART]], %{{.*}}
// CHECK: %[[SUM:.*]] = arith.addi %[[I]], %[[AT]]
// CHECK: arith.index_cast %[[SUM]]
// CHECK: arith.minsi
func.func @index(%x: tensor<1048576xf32>) -> tensor<i64> {
  %z = arith.constant 9223372036854775807 : i64
  %e = tensor.empty() : tensor<i64>
  %f = linalg.fill ins(%z : i64) outs(%e : tensor<i64>) -> tensor<i64>
  %s = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%x : tensor<1048576xf32>) outs(%f : tensor<i64>) {
  ^bb0(%a: f32, %o: i64):
    %zero = arith.constant 0.0 : f32
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i64
    %hit = arith.cmpf ogt, %a, %zero : f32
    %c = arith.select %hit, %j, %z : i64
    %0 = arith.minsi %o, %c : i64
    linalg.yield %0 : i64
  } -> tensor<i64>
  return %s : tensor<i64>
}

// -----

// Enough results, too little to sum, and a reduction whose parts cannot be combined.
// CHECK-LABEL: func.func @not
// CHECK-NOT: raf.partial
func.func @not(%x: tensor<8192x1024xf32>, %y: tensor<4096xf32>, %w: tensor<1048576xf32>) -> (tensor<8192xf32>, tensor<f32>, tensor<f32>) {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8192xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8192xf32>) -> tensor<8192xf32>
  %rows = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8192x1024xf32>) outs(%f : tensor<8192xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<8192xf32>
  %g = tensor.empty() : tensor<f32>
  %h = linalg.fill ins(%z : f32) outs(%g : tensor<f32>) -> tensor<f32>
  %small = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%y : tensor<4096xf32>) outs(%h : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<f32>
  %horner = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]} ins(%w : tensor<1048576xf32>) outs(%h : tensor<f32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.mulf %o, %a : f32
    %1 = arith.addf %0, %a : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %rows, %small, %horner : tensor<8192xf32>, tensor<f32>, tensor<f32>
}

// -----

// Sums of columns that would be cut become sums of rows, of which there are enough, when the transposition that they read is computed in them: both ops stay as they are.
// CHECK-LABEL: func.func @declined
// CHECK: %[[P:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "parallel"]} ins(%arg0 : tensor<768x8192xf32>)
// CHECK: linalg.generic {{.*}} iterator_types = ["reduction", "parallel"]} ins(%[[P]] : tensor<8192x768xf32>)
// CHECK-NOT: linalg.generic
// CHECK: return
func.func @declined(%x: tensor<768x8192xf32>) -> tensor<768xf32> {
  %z = arith.constant 0.0 : f32
  %m = tensor.empty() : tensor<8192x768xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<768x8192xf32>) outs(%m : tensor<8192x768xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<8192x768xf32>
  %e = tensor.empty() : tensor<768xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<768xf32>) -> tensor<768xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]}
      ins(%p : tensor<8192x768xf32>) outs(%f : tensor<768xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<768xf32>
  return %s : tensor<768xf32>
}

// -----

// CHECK-LABEL: func.func @no_rows
// CHECK-COUNT-1: iterator_types = ["parallel", "reduction"]
// CHECK-NOT: raf.partial
func.func @no_rows(%x: tensor<0x1000000xf32>) -> tensor<0xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<0xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<0xf32>) -> tensor<0xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<0x1000000xf32>) outs(%f : tensor<0xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<0xf32>
  return %s : tensor<0xf32>
}
