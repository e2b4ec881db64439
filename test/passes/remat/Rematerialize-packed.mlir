// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize=slack=4 | FileCheck %s

// Computing %v0 and %v2 again leaves 12 MiB alive at once, which is worth the 29 ns; but its buffers do not fit together in less than 13 MiB, and those that wait where only %v2 is computed again need
// no more: what is ranked are the packed bytes.
// CHECK: raf.rematerialization = {recompute_ns = 14 : i64, recomputed = 1 : i64, step_ns = 3060 : i64}
// CHECK-COUNT-1: raf.launch @k0
// CHECK-NOT: raf.launch @k0
// CHECK: raf.launch @k6
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: raf.launch @k2
// CHECK-NEXT: tensor.empty
// CHECK-NEXT: raf.launch @k7
func.func private @k0(tensor<1x262144xf32>, tensor<1x262144xf32>) -> tensor<1x262144xf32> attributes {raf.kernel}
func.func private @k1(tensor<1x262144xf32>, tensor<1x262144xf32>) -> tensor<1x262144xf32> attributes {raf.kernel}
func.func private @k2(tensor<1x262144xf32>, tensor<3x262144xf32>) -> tensor<3x262144xf32> attributes {raf.kernel}
func.func private @k3(tensor<3x262144xf32>, tensor<1x262144xf32>, tensor<8x262144xf32>) -> tensor<8x262144xf32> attributes {raf.kernel}
func.func private @k4(tensor<8x262144xf32>, tensor<1x262144xf32>, tensor<2x262144xf32>) -> tensor<2x262144xf32> attributes {raf.kernel}
func.func private @k5(tensor<2x262144xf32>, tensor<1x262144xf32>, tensor<2x262144xf32>) -> tensor<2x262144xf32> attributes {raf.kernel}
func.func private @k6(tensor<2x262144xf32>, tensor<2x262144xf32>, tensor<7x262144xf32>) -> tensor<7x262144xf32> attributes {raf.kernel}
func.func private @k7(tensor<7x262144xf32>, tensor<3x262144xf32>, tensor<6x262144xf32>) -> tensor<6x262144xf32> attributes {raf.kernel}
func.func @main(%x: tensor<1x262144xf32>) -> tensor<6x262144xf32> {
  %e0 = tensor.empty() : tensor<1x262144xf32>
  %v0 = raf.launch @k0 ins(%x : tensor<1x262144xf32>) outs(%e0 : tensor<1x262144xf32>) {raf.time_ns = 15 : i64} -> tensor<1x262144xf32>
  %e1 = tensor.empty() : tensor<1x262144xf32>
  %v1 = raf.launch @k1 ins(%v0 : tensor<1x262144xf32>) outs(%e1 : tensor<1x262144xf32>) {raf.time_ns = 811 : i64} -> tensor<1x262144xf32>
  %e2 = tensor.empty() : tensor<3x262144xf32>
  %v2 = raf.launch @k2 ins(%v1 : tensor<1x262144xf32>) outs(%e2 : tensor<3x262144xf32>) {raf.time_ns = 14 : i64} -> tensor<3x262144xf32>
  %e3 = tensor.empty() : tensor<8x262144xf32>
  %v3 = raf.launch @k3 ins(%v2, %v1 : tensor<3x262144xf32>, tensor<1x262144xf32>) outs(%e3 : tensor<8x262144xf32>) {raf.time_ns = 603 : i64} -> tensor<8x262144xf32>
  %e4 = tensor.empty() : tensor<2x262144xf32>
  %v4 = raf.launch @k4 ins(%v3, %v0 : tensor<8x262144xf32>, tensor<1x262144xf32>) outs(%e4 : tensor<2x262144xf32>) {raf.time_ns = 515 : i64} -> tensor<2x262144xf32>
  %e5 = tensor.empty() : tensor<2x262144xf32>
  %v5 = raf.launch @k5 ins(%v4, %v0 : tensor<2x262144xf32>, tensor<1x262144xf32>) outs(%e5 : tensor<2x262144xf32>) {raf.time_ns = 562 : i64} -> tensor<2x262144xf32>
  %e6 = tensor.empty() : tensor<7x262144xf32>
  %v6 = raf.launch @k6 ins(%v5, %v4 : tensor<2x262144xf32>, tensor<2x262144xf32>) outs(%e6 : tensor<7x262144xf32>) {raf.time_ns = 27 : i64} -> tensor<7x262144xf32>
  %e7 = tensor.empty() : tensor<6x262144xf32>
  %v7 = raf.launch @k7 ins(%v6, %v2 : tensor<7x262144xf32>, tensor<3x262144xf32>) outs(%e7 : tensor<6x262144xf32>) {raf.time_ns = 513 : i64} -> tensor<6x262144xf32>
  return %v7 : tensor<6x262144xf32>
}
