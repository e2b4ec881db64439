// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not raf-opt %s --raf-gpu-to-ptx=chip=sm_75 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not raf-opt %s --raf-gpu-to-ptx=chip=gfx90a 2>&1 | FileCheck %s --check-prefix=OTHER
// RUN: not raf-opt %s --raf-gpu-to-ptx=opt-level=4 2>&1 | FileCheck %s --check-prefix=LEVEL

// CHIP: raf-gpu-to-ptx: chip must be sm_80 or a later one, such as sm_90a, got sm_75
// OTHER: raf-gpu-to-ptx: chip must be sm_80 or a later one, such as sm_90a, got gfx90a
// LEVEL: raf-gpu-to-ptx: opt-level must be 0 to 3, got 4
gpu.module @raf_kernels {
  gpu.func @nothing() kernel {
    gpu.return
  }
}
