// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-schedule --split-input-file | FileCheck %s

func.func private @wide(tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel}
func.func private @sum(tensor<64xf32>, tensor<f32>) -> tensor<f32> attributes {raf.kernel}

// Each wide value dies before the next one is made.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.+]] = raf.launch @wide ins(%arg0
// CHECK: raf.launch @sum ins(%[[A]]
// CHECK: %[[B:.+]] = raf.launch @wide ins(%arg1
// CHECK: raf.launch @sum ins(%[[B]]
func.func @main(%x: tensor<8xf32>, %y: tensor<8xf32>) -> (tensor<f32>, tensor<f32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<f32>
  %e3 = tensor.empty() : tensor<f32>
  %a = raf.launch @wide ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %b = raf.launch @wide ins(%y : tensor<8xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %c = raf.launch @sum ins(%a : tensor<64xf32>) outs(%e2 : tensor<f32>) -> tensor<f32>
  %d = raf.launch @sum ins(%b : tensor<64xf32>) outs(%e3 : tensor<f32>) -> tensor<f32>
  return %c, %d : tensor<f32>, tensor<f32>
}

// -----

func.func private @grow(tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel}
func.func private @update(tensor<8xf32>, tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @sum(tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The update would free the gradient at once, but what reads the old parameter must come before it: so the gradient is made after that.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.+]]: tensor<8xf32>, %[[X:.+]]: tensor<8xf32>)
// CHECK: %[[H:.+]] = raf.launch @grow ins(%[[W]]
// CHECK: raf.launch @sum
// CHECK: %[[G:.+]] = raf.launch @grow ins(%[[X]]
// CHECK: raf.launch @update ins(%[[W]], %[[G]] {{.*}} outs(%[[W]]
func.func @main(%w: tensor<8xf32>, %x: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %e1 = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<8xf32>
  %g = raf.launch @grow ins(%x : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %h = raf.launch @grow ins(%w : tensor<8xf32>) outs(%e1 : tensor<64xf32>) -> tensor<64xf32>
  %t = raf.reshape %h : tensor<64xf32> to tensor<8x8xf32>
  %r = raf.reshape %t : tensor<8x8xf32> to tensor<64xf32>
  %new = raf.launch @update ins(%w, %g : tensor<8xf32>, tensor<64xf32>) outs(%w : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %s = raf.launch @sum ins(%r : tensor<64xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  return %new, %s : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func private @next(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// A chain has one order.
// CHECK-LABEL: func.func @main
// CHECK: %[[A:.+]] = raf.launch @next ins(%arg0
// CHECK: %[[B:.+]] = raf.launch @next ins(%[[A]]
// CHECK: raf.launch @next ins(%[[B]]
func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %e0 = tensor.empty() : tensor<8xf32>
  %e1 = tensor.empty() : tensor<8xf32>
  %e2 = tensor.empty() : tensor<8xf32>
  %a = raf.launch @next ins(%x : tensor<8xf32>) outs(%e0 : tensor<8xf32>) -> tensor<8xf32>
  %b = raf.launch @next ins(%a : tensor<8xf32>) outs(%e1 : tensor<8xf32>) -> tensor<8xf32>
  %c = raf.launch @next ins(%b : tensor<8xf32>) outs(%e2 : tensor<8xf32>) -> tensor<8xf32>
  return %c : tensor<8xf32>
}
