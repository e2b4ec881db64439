// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize=slack=2 --split-input-file | FileCheck %s
// RUN: not raf-opt %s --raf-rematerialize="slack=2 budget=100" --split-input-file 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: not raf-opt %s --raf-rematerialize=slack=101 --split-input-file 2>&1 | FileCheck %s --check-prefix=MUCH

// BOTH: error: raf-rematerialize: expected a budget of bytes, or a slack of 0 to 100 percent, a launch-ns of at least 0 and speeds of at least 1; got budget=100 slack=2
// MUCH: error: raf-rematerialize: expected {{.*}} got budget=0 slack=101

func.func private @wide(tensor<8x65536xf32>, tensor<64x65536xf32>) -> tensor<64x65536xf32> attributes {raf.kernel}
func.func private @next(tensor<64x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}
func.func private @grow(tensor<8x65536xf32>, tensor<256x65536xf32>) -> tensor<256x65536xf32> attributes {raf.kernel}
func.func private @shrink(tensor<256x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}
func.func private @last(tensor<8x65536xf32>, tensor<64x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}

// One percent of the time for a tenth of the memory.
// CHECK: raf.rematerialization = {recompute_ns = 10 : i64, recomputed = 1 : i64, step_ns = 1000 : i64}
// CHECK-COUNT-2: raf.launch @wide
func.func @main(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  %e0 = tensor.empty() : tensor<64x65536xf32>
  %e1 = tensor.empty() : tensor<8x65536xf32>
  %e2 = tensor.empty() : tensor<256x65536xf32>
  %e3 = tensor.empty() : tensor<8x65536xf32>
  %e4 = tensor.empty() : tensor<8x65536xf32>
  %a = raf.launch @wide ins(%x : tensor<8x65536xf32>) outs(%e0 : tensor<64x65536xf32>) {raf.time_ns = 10 : i64} -> tensor<64x65536xf32>
  %b = raf.launch @next ins(%a : tensor<64x65536xf32>) outs(%e1 : tensor<8x65536xf32>) {raf.time_ns = 490 : i64} -> tensor<8x65536xf32>
  %g = raf.launch @grow ins(%b : tensor<8x65536xf32>) outs(%e2 : tensor<256x65536xf32>) {raf.time_ns = 0 : i64} -> tensor<256x65536xf32>
  %c = raf.launch @shrink ins(%g : tensor<256x65536xf32>) outs(%e3 : tensor<8x65536xf32>) {raf.time_ns = 490 : i64} -> tensor<8x65536xf32>
  %d = raf.launch @last ins(%c, %a : tensor<8x65536xf32>, tensor<64x65536xf32>) outs(%e4 : tensor<8x65536xf32>) {raf.time_ns = 10 : i64} -> tensor<8x65536xf32>
  return %d : tensor<8x65536xf32>
}

// -----

func.func private @wide(tensor<8x65536xf32>, tensor<64x65536xf32>) -> tensor<64x65536xf32> attributes {raf.kernel}
func.func private @next(tensor<64x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}
func.func private @grow(tensor<8x65536xf32>, tensor<256x65536xf32>) -> tensor<256x65536xf32> attributes {raf.kernel}
func.func private @shrink(tensor<256x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}
func.func private @last(tensor<8x65536xf32>, tensor<64x65536xf32>, tensor<8x65536xf32>) -> tensor<8x65536xf32> attributes {raf.kernel}

// Three percent of the time are more than may be added.
// CHECK: raf.rematerialization = {recompute_ns = 0 : i64, recomputed = 0 : i64, step_ns = 1000 : i64}
// CHECK-COUNT-1: raf.launch @wide
// CHECK-NOT: raf.launch @wide
func.func @main(%x: tensor<8x65536xf32>) -> tensor<8x65536xf32> {
  %e0 = tensor.empty() : tensor<64x65536xf32>
  %e1 = tensor.empty() : tensor<8x65536xf32>
  %e2 = tensor.empty() : tensor<256x65536xf32>
  %e3 = tensor.empty() : tensor<8x65536xf32>
  %e4 = tensor.empty() : tensor<8x65536xf32>
  %a = raf.launch @wide ins(%x : tensor<8x65536xf32>) outs(%e0 : tensor<64x65536xf32>) {raf.time_ns = 30 : i64} -> tensor<64x65536xf32>
  %b = raf.launch @next ins(%a : tensor<64x65536xf32>) outs(%e1 : tensor<8x65536xf32>) {raf.time_ns = 480 : i64} -> tensor<8x65536xf32>
  %g = raf.launch @grow ins(%b : tensor<8x65536xf32>) outs(%e2 : tensor<256x65536xf32>) {raf.time_ns = 0 : i64} -> tensor<256x65536xf32>
  %c = raf.launch @shrink ins(%g : tensor<256x65536xf32>) outs(%e3 : tensor<8x65536xf32>) {raf.time_ns = 480 : i64} -> tensor<8x65536xf32>
  %d = raf.launch @last ins(%c, %a : tensor<8x65536xf32>, tensor<64x65536xf32>) outs(%e4 : tensor<8x65536xf32>) {raf.time_ns = 10 : i64} -> tensor<8x65536xf32>
  return %d : tensor<8x65536xf32>
}

// -----

func.func private @wide(tensor<f32>, tensor<2xf32>) -> tensor<2xf32> attributes {raf.kernel}
func.func private @next(tensor<2xf32>, tensor<f32>) -> tensor<f32> attributes {raf.kernel}
func.func private @grow(tensor<f32>, tensor<32xf32>) -> tensor<32xf32> attributes {raf.kernel}
func.func private @shrink(tensor<32xf32>, tensor<f32>) -> tensor<f32> attributes {raf.kernel}
func.func private @last(tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<f32> attributes {raf.kernel}

// Two percent of the time for next to nothing beside what a process holds: not worth it.
// CHECK: raf.rematerialization = {recompute_ns = 0 : i64, recomputed = 0 : i64, step_ns = 1000 : i64}
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %e0 = tensor.empty() : tensor<2xf32>
  %e1 = tensor.empty() : tensor<f32>
  %e2 = tensor.empty() : tensor<32xf32>
  %e3 = tensor.empty() : tensor<f32>
  %e4 = tensor.empty() : tensor<f32>
  %a = raf.launch @wide ins(%x : tensor<f32>) outs(%e0 : tensor<2xf32>) {raf.time_ns = 20 : i64} -> tensor<2xf32>
  %b = raf.launch @next ins(%a : tensor<2xf32>) outs(%e1 : tensor<f32>) {raf.time_ns = 480 : i64} -> tensor<f32>
  %g = raf.launch @grow ins(%b : tensor<f32>) outs(%e2 : tensor<32xf32>) {raf.time_ns = 0 : i64} -> tensor<32xf32>
  %c = raf.launch @shrink ins(%g : tensor<32xf32>) outs(%e3 : tensor<f32>) {raf.time_ns = 490 : i64} -> tensor<f32>
  %d = raf.launch @last ins(%c, %a : tensor<f32>, tensor<2xf32>) outs(%e4 : tensor<f32>) {raf.time_ns = 10 : i64} -> tensor<f32>
  return %d : tensor<f32>
}

// -----

func.func private @once(tensor<i64>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// A loop takes what its body takes, as often as it runs: 1000 for the call, and 10 times 70.
// CHECK: step_ns = 1700 : i64
func.func private @body(%i: tensor<i64>, %x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 2 : i64}) {
  %z = raf.launch @once ins(%i, %x : tensor<i64>, tensor<8xf32>) outs(%y : tensor<8xf32>) {raf.time_ns = 70 : i64} -> tensor<8xf32>
  return %z : tensor<8xf32>
}
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %y = raf.for @body trips = 10 ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
