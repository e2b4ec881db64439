// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-bufferize-host --canonicalize | FileCheck %s
// RUN: raf-opt %S/../host/Inputs/mlp-step.mlir --raf-inplace --raf-bufferize-host --mlir-pass-statistics --mlir-pass-statistics-display=list -o /dev/null 2>&1 | FileCheck %s --check-prefix=MLP

// MLP: BufferizeHost
// MLP: (S) 6 num-buffers
// MLP-NEXT: (S) 0 num-copies

func.func private @sgd(tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.+]]: memref<8xf32> {raf.name = "w", raf.role = "param"}, %[[G:.+]]: memref<8xf32>)
// CHECK-SAME: raf.results = [{alias = 0 : i64, name = "new:w", type = tensor<8xf32>}]
// CHECK-NEXT: raf.launch @sgd ins(%[[W]], %[[G]] : memref<8xf32>, memref<8xf32>) outs(%[[W]] : memref<8xf32>) may_alias = [0, 0]
// CHECK-NEXT: return
func.func @main(%w: tensor<8xf32> {raf.name = "w", raf.role = "param"}, %g: tensor<8xf32>) -> (tensor<8xf32> {raf.name = "new:w", raf.alias = 0 : i64}) {
  %new = raf.launch @sgd ins(%w, %g : tensor<8xf32>, tensor<8xf32>) outs(%w : tensor<8xf32>) may_alias = [0, 0] -> tensor<8xf32>
  return %new : tensor<8xf32>
}

// -----

func.func private @exp(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The results' memory is used directly; reshapes are views; one tensor.empty can be many buffers.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: memref<2x4xf32>, %[[R0:.+]]: memref<8xf32> {raf.name = "y", raf.result = 0 : i64}, %[[R1:.+]]: memref<4x2xf32> {raf.result = 1 : i64})
// CHECK: %[[VX:.+]] = memref.reinterpret_cast %[[X]]
// CHECK: raf.launch @exp ins(%[[VX]] : memref<8xf32>) outs(%[[R0]] : memref<8xf32>)
// CHECK: %[[V1:.+]] = memref.reinterpret_cast %[[R1]]
// CHECK: raf.launch @exp ins(%[[R0]] : memref<8xf32>) outs(%[[V1]] : memref<8xf32>)
// CHECK-NOT: copy
func.func @main(%x: tensor<2x4xf32>) -> (tensor<8xf32> {raf.name = "y"}, tensor<4x2xf32>) {
  %e = tensor.empty() : tensor<8xf32>
  %f = raf.reshape %x : tensor<2x4xf32> to tensor<8xf32>
  %a = raf.launch @exp ins(%f : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %b = raf.launch @exp ins(%a : tensor<8xf32>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  %c = raf.reshape %b : tensor<8xf32> to tensor<4x2xf32>
  return %a, %c : tensor<8xf32>, tensor<4x2xf32>
}

// -----

func.func private @add(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// An input must not be written, so the accumulation goes into a copy.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: memref<8xf32>, %[[G:.+]]: memref<8xf32>, %[[R:.+]]: memref<8xf32>
// CHECK-NEXT: memref.copy %[[X]], %[[R]]
// CHECK-NEXT: raf.launch @add ins(%[[G]] : memref<8xf32>) outs(%[[R]] : memref<8xf32>)
func.func @main(%x: tensor<8xf32>, %g: tensor<8xf32>) -> tensor<8xf32> {
  %r = raf.launch @add ins(%g : tensor<8xf32>) outs(%x : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}

// -----

func.func private @add(tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// A value that is read later must survive, also through a reshape that comes after the writer.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[W:.+]]: memref<8xf32>, %[[G:.+]]: memref<8xf32>, %[[R:.+]]: memref<2x4xf32>
// CHECK: %[[T:.+]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy %[[W]], %[[T]]
// CHECK: raf.launch @add ins(%[[G]] : memref<8xf32>) outs(%[[T]] : memref<8xf32>)
// CHECK: memref.copy %{{.+}}, %[[R]]
// CHECK: memref.copy %[[T]], %[[W]]
func.func @main(%w: tensor<8xf32>, %g: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}, tensor<2x4xf32>) {
  %new = raf.launch @add ins(%g : tensor<8xf32>) outs(%w : tensor<8xf32>) -> tensor<8xf32>
  %old = raf.reshape %w : tensor<8xf32> to tensor<2x4xf32>
  return %new, %old : tensor<8xf32>, tensor<2x4xf32>
}

// -----

// Two arguments trade places.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[A:.+]]: memref<8xf32>, %[[B:.+]]: memref<8xf32>)
// CHECK: %[[T:.+]] = memref.alloc() : memref<8xf32>
// CHECK: memref.copy %[[A]], %[[T]]
// CHECK: memref.copy %[[B]], %[[A]]
// CHECK: memref.copy %[[T]], %[[B]]
func.func @main(%a: tensor<8xf32>, %b: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}, tensor<8xf32> {raf.alias = 1 : i64}) {
  return %b, %a : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func private @take(tensor<4xi64>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// CHECK: memref.global "private" constant @raf_constant_0 : memref<4xi64> = dense<[3, 1, 4, 1]> {alignment = 64 : i64}
// CHECK-LABEL: func.func @main
// CHECK: %[[C:.+]] = memref.get_global @raf_constant_0
// CHECK: raf.launch @take ins(%[[C]] : memref<4xi64>)
// CHECK: memref.copy
func.func @main(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = raf.constant dense<[3, 1, 4, 1]> : tensor<4xi64>
  %e = tensor.empty() : tensor<8xf32>
  %r = raf.launch @take ins(%c : tensor<4xi64>) outs(%e : tensor<8xf32>) -> tensor<8xf32>
  return %r, %r : tensor<8xf32>, tensor<8xf32>
}
