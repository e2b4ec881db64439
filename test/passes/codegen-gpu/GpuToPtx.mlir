// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %S/Inputs/kernels.mlir --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_90 | FileCheck %s

// The module becomes a binary with PTX, which the launches go on naming. Four floats are one access, of 16-bit floats eight; functions of libdevice are inlined.
// CHECK: gpu.launch_func @raf_kernels::@bias
// CHECK: gpu.binary @raf_kernels
// CHECK-SAME: chip = "sm_90"
// CHECK-SAME: assembly = "
// CHECK-SAME: .target sm_90
// CHECK-SAME: .entry bias(
// CHECK-SAME: ld.global.v4.b32
// CHECK-SAME: st.global.v4.b32
// CHECK-SAME: .entry odd(
// CHECK-SAME: ex2.approx
// CHECK-SAME: .entry all(
// CHECK-SAME: shfl.sync.bfly.b32
// CHECK-SAME: bar.sync
// CHECK-SAME: .entry half(
// CHECK-SAME: cvt.rn.bf16
// CHECK-SAME: st.global.v4.b32
// CHECK-SAME: .entry softmax(
// CHECK-SAME: st.shared.v4.b32
// CHECK-NOT: {{call.*__nv_}}
