// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not raf-opt %s --split-input-file --raf-gpu-to-sim 2>&1 | FileCheck %s
// RUN: not raf-opt %s --raf-gpu-to-sim="check=everything" 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: raf-gpu-to-sim: check must be of bounds, memory, races, or none; got everything

gpu.module @dynamic {
  // CHECK: error: 'gpu.func' op has a parameter of type 'memref<?xf32>'; expected buffers of static shape, integers or floats
  gpu.func @k(%x: memref<?xf32>) kernel {
    gpu.return
  }
}

// -----

gpu.module @copies {
  gpu.func @k(%x: memref<4xf32>, %y: memref<4xf32>) kernel {
    // CHECK: error: 'memref.copy' op cannot be simulated: expected memref.load, memref.store, memref.atomic_rmw, vector.load or vector.store
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    gpu.return
  }
}

// -----

gpu.module @clusters {
  gpu.func @k(%x: memref<4xindex>) kernel {
    // CHECK: error: 'gpu.cluster_id' op cannot be simulated
    %id = gpu.cluster_id x
    memref.store %id, %x[%id] : memref<4xindex>
    gpu.return
  }
}

// -----

gpu.module @functions {
  // CHECK: error: 'gpu.func' op is not a kernel: raf-gpu-to-sim has no calls inside kernels
  gpu.func @f(%x: memref<4xf32>) {
    gpu.return
  }
}

// -----

gpu.module @fences {
  gpu.func @k() kernel {
    // CHECK: error: 'nvvm.fence.proxy' op cannot be simulated: expected the proxy async or async.shared
    nvvm.fence.proxy {kind = #nvvm.proxy_kind<alias>}
    gpu.return
  }
}

// -----

!sums = !llvm.struct<(f32, f32, f32, f32)>
gpu.module @reused {
  gpu.func @k(%a: i64, %y: memref<f32>) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %0 = llvm.mlir.poison : !sums
    // CHECK: error: {{.*}}its sums are used again after they were given to another one, expected the same registers before and after
    %1 = nvvm.wgmma.mma_async %a, %a, %0, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !sums -> !sums
    %2 = nvvm.wgmma.mma_async %a, %a, %1, #nvvm.shape<m = 64, n = 8, k = 16>, D [<f32>, <one>], A [<bf16>, <one>, <row>], B [<bf16>, <one>, <col>] : !sums -> !sums
    %3 = llvm.extractvalue %1[0] : !sums
    %4 = llvm.extractvalue %2[0] : !sums
    %5 = arith.addf %3, %4 : f32
    memref.store %5, %y[] : memref<f32>
    gpu.return
  }
}

// -----

!whole = !llvm.struct<(i32, i32, i32, i32)>
gpu.module @integers {
  gpu.func @k(%a: i64) kernel attributes {known_block_size = array<i32: 128, 1, 1>} {
    %0 = llvm.mlir.poison : !whole
    // CHECK: error: {{.*}}cannot be simulated: expected sums of f32, got '!llvm.struct<(i32, i32, i32, i32)>'
    %1 = nvvm.wgmma.mma_async %a, %a, %0, #nvvm.shape<m = 64, n = 8, k = 32>, D [<s32>, <one>, <wrapped>], A [<s8>, <one>, <row>], B [<s8>, <one>, <col>] : !whole -> !whole
    gpu.return
  }
}
