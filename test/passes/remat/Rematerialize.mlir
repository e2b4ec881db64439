// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize=budget=1200 | FileCheck %s
// RUN: raf-opt %s --raf-rematerialize=budget=1152 --raf-inplace=donate=false --raf-bufferize-host --raf-plan-memory | FileCheck %s --check-prefix=PLAN
// RUN: raf-opt %s --raf-rematerialize=budget=1408 | FileCheck %s --check-prefix=ENOUGH
// RUN: raf-opt %s --raf-rematerialize | FileCheck %s --check-prefix=NONE

func.func private @wide(tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel}
func.func private @next(tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @grow(tensor<8xf32>, tensor<256xf32>) -> tensor<256xf32> attributes {raf.kernel}
func.func private @shrink(tensor<256xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @last(tensor<8xf32>, tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The wide value waits from @next to @last while the step is at its fullest: it is made again for @last, and its reshape with it.
// CHECK: module attributes {raf.rematerialization = {budget = 1200 : i64, recompute_ns = {{[0-9]+}} : i64, recomputed = 1 : i64, step_ns = {{[0-9]+}} : i64}}
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.+]] = raf.launch @wide
// CHECK: %[[B:.+]] = raf.launch @next ins(%[[A]]
// CHECK: raf.launch @grow
// CHECK: raf.launch @shrink
// CHECK: %[[A2:.+]] = raf.launch @wide
// CHECK: %[[R:.+]] = raf.reshape %[[A2]]
// CHECK: raf.launch @last ins({{.*}}, %[[R]]

// What was promised is what is planned.
// PLAN: raf.memory = {{.*}}arena_bytes = 1088 : i64, {{.*}}budget = 1152 : i64{{.*}}recomputed = 1 : i64

// ENOUGH: recomputed = 0 : i64
// ENOUGH-COUNT-1: raf.launch @wide
// ENOUGH-NOT: raf.launch @wide
// NONE-NOT: raf.rematerialization
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<256xf32>
  %e3 = tensor.empty() : tensor<8xf32>
  %e4 = tensor.empty() : tensor<8xf32>
  %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %b = raf.launch @next ins(%a : tensor<64xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %g = raf.launch @grow ins(%b : tensor<8xf32>) outs(%e2 : tensor<256xf32>) -> tensor<256xf32>
  %c = raf.launch @shrink ins(%g : tensor<256xf32>) outs(%e3 : tensor<8xf32>) -> tensor<8xf32>
  %r = raf.reshape %a : tensor<64xf32> to tensor<8x8xf32>
  %d = raf.launch @last ins(%c, %r : tensor<8xf32>, tensor<8x8xf32>) outs(%e4 : tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}
