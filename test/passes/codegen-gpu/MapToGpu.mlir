// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse | FileCheck %s

#id = affine_map<(d0) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
#cr = affine_map<(d0, d1) -> (d1, d0)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
// A launch names the kernel, its blocks and its threads.
// CHECK: module attributes {gpu.container_module}

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[C16:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[C256:.*]] = arith.constant 256 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK: gpu.launch_func @raf_kernels::@bias blocks in (%[[C16]], %[[C1]], %[[C1]]) threads in (%[[C256]], %[[C1]], %[[C1]]) args(%{{.*}} : memref<256xf32>, %{{.*}} : memref<64x256xi8>, %{{.*}} : memref<64x256xf32>)
// CHECK-NOT: raf.launch
// CHECK: gpu.module @raf_kernels
func.func @main(%a: memref<64x256xf32>, %b: memref<256xf32>, %m: memref<64x256xi8>, %y: memref<64x256xf32>, %v: memref<1000xf32>, %w: memref<f32>, %o: memref<256x64xf32>, %h: memref<64x256xbf16>, %s: memref<64x16xf32>, %t: memref<64x16xf32>) {
  raf.launch @bias ins(%b, %m : memref<256xf32>, memref<64x256xi8>) outs(%a : memref<64x256xf32>)
  raf.launch @odd ins(%v : memref<1000xf32>) outs(%v : memref<1000xf32>)
  raf.launch @columns ins(%a : memref<64x256xf32>) outs(%b : memref<256xf32>)
  raf.launch @all ins(%a : memref<64x256xf32>) outs(%w : memref<f32>)
  raf.launch @transpose ins(%a : memref<64x256xf32>) outs(%o : memref<256x64xf32>)
  raf.launch @half ins(%a : memref<64x256xf32>) outs(%h : memref<64x256xbf16>)
  raf.launch @softmax ins(%s : memref<64x16xf32>) outs(%t : memref<64x16xf32>)
  return
}

// Four neighbouring elements a thread: 16 bytes of floats, 4 of masks, and all threads have work.
// CHECK-LABEL: gpu.func @bias(
// CHECK-SAME: kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 16, 1, 1>}

// CHECK-NOT: scf.if
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
// CHECK: vector.load {{.*}} {alignment = 16 : i64} : memref<256xf32>, vector<4xf32>
// CHECK: vector.load {{.*}} {alignment = 4 : i64} : memref<16384xi8>, vector<4xi8>
// CHECK-COUNT-4: arith.addf {{.*}} fastmath<contract>
// CHECK: vector.store {{.*}} {alignment = 16 : i64} : memref<16384xf32>, vector<4xf32>
func.func private @bias(%b: tensor<256xf32>, %m: tensor<64x256xi8>, %x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#rc, #c, #rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%x, %b, %m : tensor<64x256xf32>, tensor<256xf32>, tensor<64x256xi8>) outs(%x : tensor<64x256xf32>) {
  ^bb0(%p: f32, %q: f32, %k: i8, %o: f32):
    %1 = arith.addf %p, %q : f32
    %2 = arith.trunci %k : i8 to i1
    %3 = arith.select %2, %1, %p : f32
    linalg.yield %3 : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

// Threads past the end do nothing.
// CHECK-LABEL: gpu.func @odd(
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : index
// CHECK: scf.if %[[INSIDE]]
// CHECK: vector.load {{.*}} vector<4xf32>
func.func private @odd(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.tanh %p : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

// Sums of columns: neighbouring threads read neighbouring columns, and the lanes of a column meet in shared memory.
// CHECK-LABEL: gpu.func @columns(
// CHECK-SAME: workgroup(%[[PARTS:.*]] : memref<1024xf32, #gpu.address_space<workgroup>> {llvm.align = 16 : i64}) kernel attributes {known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 8, 1, 1>}

// CHECK: %[[PART:.*]] = scf.for
// CHECK:   memref.load
// CHECK:   arith.addf {{.*}} fastmath<reassoc,contract>
// CHECK: memref.store %[[PART]], %[[PARTS]]
// CHECK-COUNT-6: gpu.barrier
// CHECK-NOT: gpu.barrier
// CHECK: scf.if
// CHECK:   memref.store %{{.*}}, %{{.*}} : memref<256xf32>
func.func private @columns(%x: tensor<64x256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %0 = linalg.generic {indexing_maps = [#rc, #c], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.addf %o, %p : f32
    linalg.yield %1 : f32
  } -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

// One sum of all: shuffles within warps, then among them.
// CHECK-LABEL: gpu.func @all(
// CHECK-SAME: known_block_size = array<i32: 1024, 1, 1>, known_grid_size = array<i32: 1, 1, 1>
// CHECK: scf.for
// CHECK:   vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK-COUNT-5: gpu.shuffle xor
// CHECK: memref.store %{{.*}}, %{{.*}}[] : memref<f32>
func.func private @all(%x: tensor<64x256xf32>, %y: tensor<f32>) -> tensor<f32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#rc, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.addf %o, %p : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

// What crosses the result is read element by element.
// CHECK-LABEL: gpu.func @transpose(
// CHECK-COUNT-4: memref.load
// CHECK: vector.store {{.*}} vector<4xf32>
func.func private @transpose(%x: tensor<64x256xf32>, %y: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#cr, #rc], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%y : tensor<256x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

// Eight 16-bit floats are 16 bytes; their f32 are two accesses.
// CHECK-LABEL: gpu.func @half(
// CHECK-COUNT-2: vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-8: arith.truncf
// CHECK: vector.store {{.*}} : memref<16384xbf16>, vector<8xbf16>
func.func private @half(%x: tensor<64x256xf32>, %y: tensor<64x256xbf16>) -> tensor<64x256xbf16> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%y : tensor<64x256xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %1 = arith.truncf %p : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<64x256xbf16>
  return %0 : tensor<64x256xbf16>
}

// Rows of 16: two lanes a row. What the row keeps for itself is in shared memory.
// CHECK-LABEL: gpu.func @softmax(
// CHECK-SAME: workgroup(%[[ROWS:.*]] : memref<1024xf32, #gpu.address_space<workgroup>>
// CHECK: arith.maximumf
// CHECK: gpu.shuffle xor
// CHECK: math.exp
// CHECK: vector.store %{{.*}}, %[[ROWS]]
// CHECK: gpu.shuffle xor
// CHECK: gpu.barrier
// CHECK: vector.load %[[ROWS]]
// CHECK: arith.divf
func.func private @softmax(%x: tensor<64x16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> attributes {raf.kernel} {
  %cst = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%cst : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x16xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %ex:2 = linalg.generic {indexing_maps = [#rc, #r, #rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<64x16xf32>, tensor<64xf32>) outs(%e2, %g : tensor<64x16xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %mm: f32, %o: f32, %oo: f32):
    %1 = arith.subf %a, %mm : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %oo : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<64x16xf32>, tensor<64xf32>)
  %d = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]} ins(%ex#0, %ex#1 : tensor<64x16xf32>, tensor<64xf32>) outs(%y : tensor<64x16xf32>) {
  ^bb0(%a: f32, %mm: f32, %o: f32):
    %1 = arith.divf %a, %mm : f32
    linalg.yield %1 : f32
  } -> tensor<64x16xf32>
  return %d : tensor<64x16xf32>
}
