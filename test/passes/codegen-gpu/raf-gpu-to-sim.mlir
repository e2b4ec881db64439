// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-gpu-to-sim | FileCheck %s
// RUN: raf-opt %s --raf-gpu-to-sim="check=none" | FileCheck %s --check-prefix=NONE
// RUN: raf-opt %s --raf-gpu-to-sim="check=bounds" | FileCheck %s --check-prefix=BOUNDS

module attributes {gpu.container_module} {
  // The launch stays: its kernel is now a function of the LLVM dialect.
  // CHECK-LABEL: func.func @main
  // CHECK: gpu.launch_func @raf_kernels::@add_one
  func.func @main(%x: memref<100xf32>, %y: memref<100xf32>) {
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c32 = arith.constant 32 : index
    gpu.launch_func @raf_kernels::@add_one blocks in (%c4, %c1, %c1) threads in (%c32, %c1, %c1) args(%x : memref<100xf32>, %y : memref<100xf32>)
    return
  }

  // CHECK-LABEL: gpu.module @raf_kernels attributes {raf.image = "sim"}
  gpu.module @raf_kernels {
    // CHECK: llvm.func internal @add_one$body(%[[THREAD:.*]]: !llvm.ptr, %{{.*}}: !llvm.ptr, %{{.*}}: !llvm.ptr)
    // A load (0) with checks of memory (4) and races (8), aligned to 2^2 bytes (<< 8).
    // CHECK: %[[KIND:.*]] = llvm.mlir.constant(524 : i32)
    // CHECK: llvm.call @raf_sim_out_of_bounds
    // CHECK: llvm.call @raf_sim_access(%[[THREAD]], %{{.*}}, %{{.*}}, %[[KIND]], %{{.*}}) : (!llvm.ptr, !llvm.ptr, i64, i32, i32) -> ()
    // CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
    // CHECK: llvm.call @raf_sim_access
    // CHECK: llvm.store %{{.*}} : f32, !llvm.ptr
    // NONE-LABEL: llvm.func internal @add_one$body
    // NONE-NOT: raf_sim_access
    // NONE-NOT: raf_sim_out_of_bounds
    // BOUNDS: raf_sim_out_of_bounds
    // BOUNDS-NOT: raf_sim_access
    // The entry reads pointers to the parameters.
    // CHECK: llvm.func @add_one(%[[T:.*]]: !llvm.ptr, %[[PARAMS:.*]]: !llvm.ptr) attributes {gpu.kernel}
    // CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[PARAMS]][8]
    // CHECK: llvm.call @add_one$body
    gpu.func @add_one(%x: memref<100xf32>, %y: memref<100xf32>) kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
      %i = gpu.global_id x
      %n = arith.constant 100 : index
      %inside = arith.cmpi ult, %i, %n : index
      scf.if %inside {
        %one = arith.constant 1.0 : f32
        %v = memref.load %x[%i] : memref<100xf32>
        %r = arith.addf %v, %one : f32
        memref.store %r, %y[%i] : memref<100xf32>
      }
      gpu.return
    }

    // Workgroup memory lies in the block's shared memory, one buffer after the other; shuffles and barriers are calls.
    // CHECK: llvm.func internal @block_sum$body
    // CHECK: llvm.call @raf_sim_shuffle
    // CHECK: llvm.call @raf_sim_barrier
    // CHECK: llvm.func @block_sum
    // CHECK: llvm.getelementptr %{{.*}}[16]
    gpu.func @block_sum(%x: memref<128xf32>, %y: memref<2xf32>) workgroup(%w: memref<2xf32, #gpu.address_space<workgroup>>, %u: memref<2xf64, #gpu.address_space<workgroup>>) kernel {
      %tid = gpu.thread_id x
      %bid = gpu.block_id x
      %c64 = arith.constant 64 : index
      %base = arith.muli %bid, %c64 : index
      %i = arith.addi %base, %tid : index
      %v = memref.load %x[%i] : memref<128xf32>
      %sum = gpu.subgroup_reduce add %v : (f32) -> f32
      %lane = gpu.lane_id
      %warp = gpu.subgroup_id : index
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %first = arith.cmpi eq, %lane, %c0 : index
      scf.if %first {
        memref.store %sum, %w[%warp] : memref<2xf32, #gpu.address_space<workgroup>>
      }
      gpu.barrier
      %leader = arith.cmpi eq, %tid, %c0 : index
      scf.if %leader {
        %a = memref.load %w[%c0] : memref<2xf32, #gpu.address_space<workgroup>>
        %b = memref.load %w[%c1] : memref<2xf32, #gpu.address_space<workgroup>>
        %s = arith.addf %a, %b : f32
        memref.store %s, %y[%bid] : memref<2xf32>
      }
      gpu.return
    }
  }
  // Names, sizes, whether threads wait, and the sites.
  // CHECK: llvm.mlir.global internal constant @{{.*}}("memref.load at {{.*}}raf-gpu-to-sim.mlir:{{[0-9]+}}:{{[0-9]+}}\00")
  // CHECK: llvm.mlir.global internal constant @raf_sim_kernel_table()
  // CHECK: llvm.mlir.global external constant @raf_sim_kernels()
}
