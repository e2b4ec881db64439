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
