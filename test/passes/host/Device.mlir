// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-lower-host=device=cuda -split-input-file | FileCheck %s
// RUN: not raf-opt %s -raf-lower-host=device=gpu -split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: raf-lower-host: device: 'gpu' is not known; expected cuda or cuda-sim
// RUN: not raf-opt %s -raf-lower-host -split-input-file 2>&1 | FileCheck %s --check-prefix=HOST
// HOST: error: 'gpu.launch_func' op cannot be lowered to host code

// Kernels are asked for by name, constants uploaded; a launch stores its parameters where the table points.
// CHECK-DAG: llvm.mlir.global internal constant @raf_grid_4_1_1_256_1_1(dense<[4, 1, 1, 256, 1, 1]> : tensor<6xi32>)
// CHECK-DAG: llvm.mlir.global internal constant @raf_name_0("k\00")
// Errors name the node that an op is for.
// CHECK-DAG: llvm.mlir.global internal constant @raf_ops("k\00/act/Tanh (backward), /act/Add\00copy\00\00")
// CHECK-LABEL: llvm.func @raf_run(%arg0: !llvm.ptr, %arg1: !llvm.ptr, %arg2: !llvm.ptr)
// CHECK: %[[SLOTS:.*]] = llvm.alloca %{{.*}} x i64
// CHECK: %[[W:.*]] = llvm.call @raf_rt_cuda_constant_address(%arg0
// CHECK: llvm.call @raf_rt_cuda_op(%arg0, %{{.*}})
// CHECK: %[[SLOT:.*]] = llvm.getelementptr %[[SLOTS]][1]
// CHECK: llvm.store %[[W]], %[[SLOT]]
// CHECK: %[[GRID:.*]] = llvm.mlir.addressof @raf_grid_4_1_1_256_1_1
// CHECK: %[[STATUS:.*]] = llvm.call @raf_rt_cuda_launch(%arg0, %{{.*}}, %[[GRID]], %{{.*}}, %{{.*}}, %{{.*}}) : (!llvm.ptr, i64, !llvm.ptr, i32, !llvm.ptr, i32) -> i64
// CHECK: llvm.icmp "eq" %[[STATUS]]
// CHECK: llvm.call @raf_rt_cuda_op(%arg0
// CHECK: llvm.call @raf_rt_cuda_copy
// CHECK-LABEL: llvm.func @raf_init(%arg0: !llvm.ptr) -> i64
// CHECK: %[[OPS:.*]] = llvm.mlir.addressof @raf_ops
// CHECK: %[[COUNT:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: llvm.call @raf_rt_cuda_ops(%arg0, %[[OPS]], %[[COUNT]])
// CHECK: %[[NAME:.*]] = llvm.mlir.addressof @raf_name_0
// CHECK: llvm.call @raf_rt_cuda_kernel(%arg0, %{{.*}}, %[[NAME]])
// CHECK: %[[DATA:.*]] = llvm.mlir.addressof @weights
// CHECK: %[[BYTES:.*]] = llvm.mlir.constant(4096 : i64)
// CHECK: llvm.call @raf_rt_cuda_constant(%arg0, %{{.*}}, %[[DATA]], %[[BYTES]])
// CHECK-NOT: llvm.intr.memcpy
module attributes {gpu.container_module} {
  memref.global "private" constant @weights : memref<1024xf32> = dense<2.0>
  gpu.module @raf_kernels {
    gpu.func @k(%x: memref<1024xf32>, %w: memref<1024xf32>, %y: memref<1024xf32>) kernel attributes {known_block_size = array<i32: 256, 1, 1>, known_grid_size = array<i32: 4, 1, 1>} {
      gpu.return
    }
  }
  func.func @main(%x: memref<1024xf32> {raf.name = "x", raf.role = "input"}, %y: memref<1024xf32> {raf.result, raf.name = "y"}, %arena: memref<8192xi8> {raf.arena}) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %w = memref.get_global @weights : memref<1024xf32>
    %t = memref.view %arena[%c0][] : memref<8192xi8> to memref<1024xf32>
    gpu.launch_func @raf_kernels::@k blocks in (%c4, %c1, %c1) threads in (%c256, %c1, %c1) args(%x : memref<1024xf32>, %w : memref<1024xf32>, %t : memref<1024xf32>) loc(fused[fused<"grad">["/act/Tanh"], "/act/Add"])
    memref.copy %t, %y : memref<1024xf32> to memref<1024xf32>
    return
  }
}

// -----

// The number of a trip is an entry of a table on the device; a condition and the choice of a branch are read from there.
// CHECK-DAG: llvm.mlir.global internal constant @raf_trips(dense<[0, 1, 2]> : tensor<3xi64>)
// CHECK-DAG: llvm.mlir.global internal constant @raf_flag_0(0 : i8)
// CHECK-LABEL: llvm.func @raf_run
// CHECK: %[[TRIPS:.*]] = llvm.call @raf_rt_cuda_constant_address
// CHECK: %[[TRIP:.*]] = llvm.getelementptr %[[TRIPS]][%{{.*}}]
// CHECK: llvm.store %[[TRIP]]
// CHECK: llvm.call @body_code
// CHECK: %[[FLAG:.*]] = llvm.call @raf_rt_cuda_constant_address
// CHECK: llvm.call @small_code
// CHECK-DAG: llvm.call @raf_rt_cuda_read(%arg0, %{{.*}}, %[[FLAG]], %{{.*}})
// CHECK-DAG: llvm.call @next_code
module attributes {gpu.container_module} {
  gpu.module @raf_kernels {
    gpu.func @add(%i: memref<i64>, %y: memref<4xf32>) kernel { gpu.return }
    gpu.func @less(%y: memref<4xf32>, %r: memref<i8>) kernel { gpu.return }
  }
  func.func private @body(%i: memref<i64>, %y: memref<4xf32>, %arena: memref<0xi8> {raf.arena}) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @raf_kernels::@add blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%i : memref<i64>, %y : memref<4xf32>)
    return
  }
  func.func private @small(%y: memref<4xf32>, %r: memref<i8> {raf.result}, %arena: memref<0xi8> {raf.arena}) {
    %c1 = arith.constant 1 : index
    gpu.launch_func @raf_kernels::@less blocks in (%c1, %c1, %c1) threads in (%c1, %c1, %c1) args(%y : memref<4xf32>, %r : memref<i8>)
    return
  }
  func.func private @next(%y: memref<4xf32>, %arena: memref<0xi8> {raf.arena}) {
    return
  }
  func.func @main(%y: memref<4xf32> {raf.name = "y", raf.role = "input"}, %arena: memref<0xi8> {raf.arena}) {
    raf.for @body trips = 3 outs(%y : memref<4xf32>)
    raf.while @small do @next outs(%y : memref<4xf32>)
    return
  }
}

// -----

// Streams and events: the op's stream is made the current one where it is another, then it waits; an event is recorded after it.
// CHECK-LABEL: llvm.func @raf_run
// CHECK-NOT: raf_rt_cuda_use_stream
// CHECK: llvm.call @raf_rt_cuda_copy
// CHECK: %[[E:.*]] = llvm.mlir.constant(5 : i64)
// CHECK: llvm.call @raf_rt_cuda_record(%arg0, %[[E]])
// CHECK: %[[S:.*]] = llvm.mlir.constant(1 : i64)
// CHECK: llvm.call @raf_rt_cuda_use_stream(%arg0, %[[S]])
// CHECK: %[[W:.*]] = llvm.mlir.constant(5 : i64)
// CHECK: llvm.call @raf_rt_cuda_wait(%arg0, %[[W]])
// CHECK: llvm.call @raf_rt_cuda_copy
// CHECK-NOT: raf_rt_cuda_use_stream
// CHECK: llvm.call @raf_rt_cuda_copy
// CHECK: {{^ *}}^{{bb.*:}}
// CHECK-NEXT: %[[F:.*]] = llvm.mlir.constant(0 : i64)
// CHECK-NEXT: llvm.call @raf_rt_cuda_use_stream(%arg0, %[[F]])
// CHECK: llvm.call @raf_rt_cuda_copy
module {
  func.func @main(%a: memref<4xf32>, %b: memref<4xf32>, %c: memref<4xf32>, %arena: memref<0xi8> {raf.arena}) {
    memref.copy %a, %b {raf.record = 5} : memref<4xf32> to memref<4xf32>
    memref.copy %b, %c {raf.stream = 1, raf.wait = array<i64: 5>} : memref<4xf32> to memref<4xf32>
    memref.copy %c, %b {raf.stream = 1} : memref<4xf32> to memref<4xf32>
    memref.copy %a, %a : memref<4xf32> to memref<4xf32>
    return
  }
}
