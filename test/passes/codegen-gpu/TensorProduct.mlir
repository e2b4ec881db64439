// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse -split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-map-to-gpu=tf32=true --canonicalize --cse -split-input-file | FileCheck %s --check-prefix=TF32
// RUN: raf-opt %s --raf-map-to-gpu=tf32=true --canonicalize --cse -split-input-file --raf-gpu-to-ptx=chip=sm_80 | FileCheck %s --check-prefix=PTX

// Three steps of the depth lie in shared memory: two are under way when the loop begins, and each round starts the next one before it multiplies. a is read by rows, b transposed.
// CHECK: gpu.launch_func @raf_kernels::@product blocks in (%c1{{.*}}) threads in (%c128
// CHECK-LABEL: gpu.func @product(
// CHECK-SAME: workgroup(%[[M:.*]] : memref<24576xi8, #gpu.address_space<workgroup>> {llvm.align = 16 : i64})
// CHECK-DAG: %[[A:.*]] = memref.view %[[M]][%c0]
// CHECK-DAG: %[[B:.*]] = memref.view %[[M]][%c12288]
// CHECK-COUNT-2: nvgpu.device_async_copy %{{.*}}, %[[A]][%{{.*}}], 8 {bypassL1}
// CHECK-COUNT-2: nvgpu.device_async_copy %{{.*}}, %[[B]][%{{.*}}], 8 {bypassL1}
// CHECK: nvvm.cp.async.commit.group
// CHECK-COUNT-4: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK:   nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: gpu.barrier
// CHECK:   scf.if
// CHECK-COUNT-4: nvgpu.device_async_copy
// CHECK:   nvgpu.ldmatrix %[[A]][%{{.*}}] {numTiles = 4 : i32, transpose = false}
// CHECK:   nvgpu.ldmatrix %[[B]][%{{.*}}] {numTiles = 4 : i32, transpose = true}
// CHECK-COUNT-16: nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]}
// CHECK-NOT: nvgpu
// CHECK: gpu.barrier
// CHECK: scf.for
// CHECK-COUNT-16: vector.store %{{.*}} {alignment = 8 : i64} : memref<2560xf32, #gpu.address_space<workgroup>>, vector<2xf32>
// CHECK: nvvm.bar.warp.sync
// The epilogue has 8 columns at a time.
// CHECK: scf.for
// CHECK-COUNT-2: vector.load %{{.*}} {alignment = 16 : i64} : memref<2560xf32, #gpu.address_space<workgroup>>, vector<4xf32>
// CHECK: vector.load %{{.*}} {alignment = 16 : i64} : memref<64xbf16>, vector<8xbf16>
// CHECK-COUNT-8: arith.maximumf
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<4096xbf16>, vector<8xbf16>
// CHECK: nvvm.bar.warp.sync

// PTX: mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32
#rc = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: memref<64x96xbf16>, %b: memref<96x64xbf16>, %bias: memref<64xbf16>, %y: memref<64x64xbf16>) {
  raf.launch @product ins(%a, %b, %bias : memref<64x96xbf16>, memref<96x64xbf16>, memref<64xbf16>) outs(%y : memref<64x64xbf16>)
  return
}
func.func private @product(%a: tensor<64x96xbf16>, %b: tensor<96x64xbf16>, %bias: tensor<64xbf16>, %y: tensor<64x64xbf16>) -> tensor<64x64xbf16> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%a, %b : tensor<64x96xbf16>, tensor<96x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.generic {indexing_maps = [#rc, #c, #rc], iterator_types = ["parallel", "parallel"]} ins(%s, %bias : tensor<64x64xf32>, tensor<64xbf16>) outs(%y : tensor<64x64xbf16>) {
  ^bb0(%v: f32, %p: bf16, %o: bf16):
    %1 = arith.extf %p : bf16 to f32
    %2 = arith.addf %v, %1 : f32
    %3 = arith.maximumf %2, %zero : f32
    %4 = arith.truncf %3 : f32 to bf16
    linalg.yield %4 : bf16
  } -> tensor<64x64xbf16>
  return %0 : tensor<64x64xbf16>
}

// -----

// Single elements of 16 bits cannot be copied: they go through registers, one step ahead. Past the end of the depth they are 0.
// CHECK-LABEL: gpu.func @ragged(
// CHECK-NOT: nvgpu.device_async_copy
// CHECK: scf.for
// CHECK: arith.select %{{.*}} : f16
// CHECK: nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<6144xf16, #gpu.address_space<workgroup>>, vector<8xf16>

// PTX: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
func.func @main(%a: memref<40x51xf16>, %b: memref<51x33xf16>, %c: memref<40x33xf32>) {
  raf.launch @ragged ins(%a, %b : memref<40x51xf16>, memref<51x33xf16>) outs(%c : memref<40x33xf32>)
  return
}
func.func private @ragged(%a: tensor<40x51xf16>, %b: tensor<51x33xf16>, %c: tensor<40x33xf32>) -> tensor<40x33xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<40x33xf32>) -> tensor<40x33xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<40x51xf16>, tensor<51x33xf16>) outs(%f : tensor<40x33xf32>) -> tensor<40x33xf32>
  return %0 : tensor<40x33xf32>
}

// -----

// f32 is exact, unless it may be rounded: then every element is, before the product. b is turned on its way into shared memory, since ldmatrix cannot do it.
// CHECK-LABEL: gpu.func @single(
// CHECK-NOT: nvgpu
// TF32-LABEL: gpu.func @single(
// TF32: nvgpu.device_async_copy %{{.*}}, %{{.*}}, 1 :
// TF32-COUNT-4: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// TF32: nvgpu.mma.sync({{.*}}) {mmaShape = [16, 8, 8], tf32Enabled}

// PTX: cvt.rna.tf32.f32
// PTX: mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32
func.func @main(%a: memref<64x32xf32>, %b: memref<32x64xf32>, %c: memref<64x64xf32>) {
  raf.launch @single ins(%a, %b : memref<64x32xf32>, memref<32x64xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func private @single(%a: tensor<64x32xf32>, %b: tensor<32x64xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x32xf32>, tensor<32x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Blocks of 128 x 128 where there are enough of them. Those that run at the same time are neighbours: 8 tiles down before one across.
// CHECK-LABEL: gpu.func @large(
// CHECK-SAME: workgroup(%{{.*}} : memref<49152xi8
// CHECK-SAME: known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 144, 1, 1>
// CHECK: %[[TOP:.*]] = arith.muli %{{.*}}, %c8
// CHECK: %[[LEFT:.*]] = arith.subi %c9, %[[TOP]]
// CHECK: arith.minui %[[LEFT]], %c8
// CHECK-COUNT-32: nvgpu.mma.sync
func.func @main(%a: memref<1152x64xbf16>, %b: memref<64x2048xbf16>, %c: memref<1152x2048xf32>) {
  raf.launch @large ins(%a, %b : memref<1152x64xbf16>, memref<64x2048xbf16>) outs(%c : memref<1152x2048xf32>)
  return
}
func.func private @large(%a: tensor<1152x64xbf16>, %b: tensor<64x2048xbf16>, %c: tensor<1152x2048xf32>) -> tensor<1152x2048xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1152x2048xf32>) -> tensor<1152x2048xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<1152x64xbf16>, tensor<64x2048xbf16>) outs(%f : tensor<1152x2048xf32>) -> tensor<1152x2048xf32>
  return %0 : tensor<1152x2048xf32>
}
