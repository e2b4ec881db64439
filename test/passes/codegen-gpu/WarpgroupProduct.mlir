// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu="wgmma=true tf32=true" --canonicalize --cse -split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-map-to-gpu="wgmma=true tf32=true" --canonicalize --cse -split-input-file --raf-gpu-to-ptx=chip=sm_90a | FileCheck %s --check-prefix=PTX
// RUN: raf-opt %s --raf-map-to-gpu="wgmma=true tf32=true" --canonicalize --cse -split-input-file --raf-gpu-to-sim | FileCheck %s --check-prefix=SIM

// Three slots of 64 places of the depth lie in dynamic memory, where the pattern of the swizzle begins. a lies along the depth, b along its rows.
// CHECK: gpu.launch_func @raf_kernels::@product blocks in {{.*}} threads in (%c128{{.*}}) dynamic_shared_memory_size %c50176_i32
// CHECK-LABEL: gpu.func @product(
// CHECK: %[[ALL:.*]] = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
// CHECK: %[[START:.*]] = memref.extract_aligned_pointer_as_index %[[ALL]]
// CHECK: %[[NEGATIVE:.*]] = arith.subi %c0, %[[START]]
// CHECK: arith.andi %[[NEGATIVE]], %c1023
// CHECK-COUNT-8: nvgpu.device_async_copy {{.*}}, 8 {bypassL1}
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (!llvm.struct<(f32, {{.*}}
// CHECK:   nvvm.cp.async.commit.group
// CHECK-NEXT: nvvm.cp.async.wait.group 1
// CHECK-NEXT: nvvm.fence.proxy {kind = #nvvm.proxy_kind<async.shared>, space = #nvvm.shared_space<cta>}
// CHECK-NEXT: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: gpu.barrier
// CHECK:   nvvm.wgmma.fence.aligned
// CHECK-COUNT-4: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 64, k = 16>, D[<f32>, <one>], A[<bf16>, <one>, <row>], B[<bf16>, <one>, <row>]
// CHECK:   nvvm.wgmma.commit.group.sync.aligned
// What comes next is copied while the tensor cores work.
// CHECK:   scf.if
// CHECK-COUNT-8: nvgpu.device_async_copy
// CHECK:   scf.yield
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK: llvm.extractvalue
// CHECK: gpu.barrier
// CHECK-COUNT-8: arith.maximumf

// PTX: .extern .shared .align 16 .b8 __dynamic_shmem__0[]
// PTX: fence.proxy.async.shared::cta
// PTX: wgmma.wait_group.sync.aligned
// PTX: wgmma.fence.sync.aligned
// PTX: wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16
// PTX: wgmma.commit_group.sync.aligned

// The sums are a place of their own, which the simulator is asked about before they are read.
// SIM-LABEL: llvm.func internal @product$body(
// SIM: %[[SUMS:.*]] = llvm.alloca %{{.*}} x !llvm.struct<(f32,
// SIM: llvm.call @raf_sim_wgmma_registers(%arg0, %[[SUMS]],
// SIM: llvm.call @raf_sim_proxy_fence(
// SIM: llvm.call @raf_sim_wgmma_wait(
// SIM: llvm.call @raf_sim_barrier(
// SIM: llvm.call @raf_sim_wgmma_fence(
// SIM-COUNT-4: llvm.call @raf_sim_wgmma(%arg0, %{{.*}}, %{{.*}}, %[[SUMS]],
// SIM: llvm.call @raf_sim_wgmma_commit(
// SIM: llvm.call @raf_sim_wgmma_wait(
// SIM: llvm.call @raf_sim_wgmma_registers(%arg0, %[[SUMS]],
#rc = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
func.func @main(%a: memref<64x320xbf16>, %b: memref<320x64xbf16>, %bias: memref<64xbf16>, %y: memref<64x64xbf16>) {
  raf.launch @product ins(%a, %b, %bias : memref<64x320xbf16>, memref<320x64xbf16>, memref<64xbf16>) outs(%y : memref<64x64xbf16>)
  return
}
func.func private @product(%a: tensor<64x320xbf16>, %b: tensor<320x64xbf16>, %bias: tensor<64xbf16>, %y: tensor<64x64xbf16>) -> tensor<64x64xbf16> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%a, %b : tensor<64x320xbf16>, tensor<320x64xbf16>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
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

// f32 is rounded in shared memory, each element by the thread that has copied it, before the tensor cores see it.
// CHECK-LABEL: gpu.func @single(
// CHECK: scf.for
// CHECK: nvvm.cp.async.wait.group 1
// CHECK: vector.load {{.*}}vector<4xf32>
// CHECK-COUNT-4: nvvm.convert.float.to.tf32 %{{.*}} {rnd = #nvvm.fp_rnd_mode<rna>}
// CHECK: vector.store {{.*}}vector<4xf32>
// CHECK: nvvm.fence.proxy
// CHECK: nvvm.wgmma.mma_async {{.*}}, <m = 64, n = 64, k = 8>, D[<f32>, <one>], A[<tf32>, <one>, <row>], B[<tf32>, <one>, <col>]

// PTX: wgmma.mma_async.sync.aligned.m64n64k8.f32.tf32.tf32
func.func @main(%a: memref<64x96xf32>, %b: memref<64x96xf32>, %c: memref<64x64xf32>) {
  raf.launch @single ins(%a, %b : memref<64x96xf32>, memref<64x96xf32>) outs(%c : memref<64x64xf32>)
  return
}
func.func private @single(%a: tensor<64x96xf32>, %b: tensor<64x96xf32>, %c: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<64x64xf32>) -> tensor<64x64xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<64x96xf32>, tensor<64x96xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Rows of 35 elements of 16 bits cannot be copied: they go through registers, while the tensor cores work.
// CHECK-LABEL: gpu.func @narrow(
// CHECK: nvvm.wgmma.wait.group.sync.aligned 0
// CHECK-NEXT: gpu.barrier
// CHECK: nvvm.wgmma.mma_async
// CHECK: nvvm.wgmma.commit.group
// CHECK: memref.load %{{.*}} : memref<4480xf16>
// CHECK: vector.store %{{.*}} {alignment = 16 : i64} : memref<12288xf16, #gpu.address_space<workgroup>>, vector<8xf16>
func.func @main(%a: memref<64x128xf16>, %b: memref<128x35xf16>, %c: memref<64x35xf32>) {
  raf.launch @narrow ins(%a, %b : memref<64x128xf16>, memref<128x35xf16>) outs(%c : memref<64x35xf32>)
  return
}
func.func private @narrow(%a: tensor<64x128xf16>, %b: tensor<128x35xf16>, %c: tensor<64x35xf32>) -> tensor<64x35xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<64x35xf32>) -> tensor<64x35xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<64x128xf16>, tensor<128x35xf16>) outs(%f : tensor<64x35xf32>) -> tensor<64x35xf32>
  return %0 : tensor<64x35xf32>
}
