// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
// RUN: raf-opt %S/Inputs/kernels.mlir --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_80 | %python %S/Inputs/assemble.py sm_80 | FileCheck %s
// RUN: raf-opt %S/Inputs/kernels.mlir --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_90a | %python %S/Inputs/assemble.py sm_90a | FileCheck %s
// RUN: raf-opt %S/Inputs/kernels.mlir --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_100 | %python %S/Inputs/assemble.py sm_100 | FileCheck %s
// RUN: raf-opt %S/Inputs/kernels.mlir --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_120 | %python %S/Inputs/assemble.py sm_120 | FileCheck %s

// Every kernel assembles, without local memory.
// CHECK: 7 functions for sm_
