// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-inplace | FileCheck %s

func.func private @sgd(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @use(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<8xf32>, %[[G:.+]]: tensor<8xf32>
// CHECK: %[[NEW:.+]] = raf.launch @sgd ins(%[[W]], %[[G]] : {{.+}}) outs(%[[W]] : tensor<8xf32>)
// CHECK: return %[[NEW]]
func.func @main(%w: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  return %new : tensor<8xf32>
}

// -----

func.func private @sgd(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @use(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The reader of the old value moves before the op that overwrites it.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<8xf32>, %[[G:.+]]: tensor<8xf32>
// CHECK: raf.launch @use
// CHECK: raf.launch @sgd {{.+}} outs(%[[W]] : tensor<8xf32>)
func.func @main(%w: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %r = raf.launch @use ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r, %new : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func private @sgd(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @both(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The reader of the old value needs the new one: no order serves both.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<8xf32>, %[[G:.+]]: tensor<8xf32>
// CHECK: %[[E:.+]] = tensor.empty
// CHECK: raf.launch @sgd {{.+}} outs(%[[E]] : tensor<8xf32>)
func.func @main(%w: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %r = raf.launch @both ins(%w, %new : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r, %new : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func private @shift(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The op itself reads elements after it has written over them.
// CHECK-LABEL: func.func @main
// CHECK: %[[E:.+]] = tensor.empty
// CHECK: raf.launch @shift {{.+}} outs(%[[E]] : tensor<8xf32>)
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %new = raf.launch @shift ins(%w : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %new : tensor<8xf32>
}

// -----

func.func private @flat(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[W:.+]]: tensor<2x4xf32>
// CHECK: %[[F:.+]] = raf.reshape %[[W]]
// CHECK: %[[V:.+]] = raf.reshape %[[W]]
// CHECK: raf.launch @flat ins(%[[F]] : tensor<8xf32>) outs(%[[V]] : tensor<8xf32>)
func.func @main(%w: tensor<2x4xf32>) -> (tensor<2x4xf32> {raf.alias = 0 : i64}) {
  %e = tensor.empty() : tensor<8xf32>
  %f = raf.reshape %w : tensor<2x4xf32> to tensor<8xf32>
  %y = raf.launch @flat ins(%f : tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %new = raf.reshape %y : tensor<8xf32> to tensor<2x4xf32>
  return %new : tensor<2x4xf32>
}

// -----

func.func private @exp(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// A chain of elementwise kernels stays in one buffer, but not in that of the input, and not where a value is needed later.
// CHECK-LABEL: func.func @main
// CHECK-SAME: %[[X:.+]]: tensor<8xf32>
// CHECK: %[[E0:.+]] = tensor.empty
// CHECK: %[[A:.+]] = raf.launch @exp ins(%[[X]] : tensor<8xf32>) outs(%[[E0]] : tensor<8xf32>)
// CHECK: %[[B:.+]] = raf.launch @exp ins(%[[A]] : tensor<8xf32>) outs(%[[A]] : tensor<8xf32>)
// CHECK: %[[E1:.+]] = tensor.empty
// CHECK: %[[C:.+]] = raf.launch @exp ins(%[[B]] : tensor<8xf32>) outs(%[[E1]] : tensor<8xf32>)
// CHECK: return %[[B]], %[[C]]
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %a = raf.launch @exp ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %b = raf.launch @exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  %c = raf.launch @exp ins(%b : tensor<8xf32>) outs(%e : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  return %b, %c : tensor<8xf32>, tensor<8xf32>
}
