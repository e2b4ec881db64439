// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-plan-memory --split-input-file --verify-diagnostics

// The bytes of this one do not fit into 64 bits: as a product that wraps around they would be a small buffer.
func.func @main(%x: memref<4xf32> {raf.name = "x", raf.role = "input"}, %y: memref<4xf32> {raf.name = "y", raf.result}) {
  // expected-error @+1 {{of the step must be of at most 2^47 bytes, got 'memref<4611686018427387904x4xf32>'}}
  %a = memref.alloc() : memref<4611686018427387904x4xf32>
  raf.launch @k ins(%x : memref<4xf32>) outs(%a, %y : memref<4611686018427387904x4xf32>, memref<4xf32>)
  return
}
func.func private @k(memref<4xf32>, memref<4611686018427387904x4xf32>, memref<4xf32>) attributes {raf.kernel}

// -----

// Nothing of a shape without elements is stored.
func.func @main(%x: memref<4xf32> {raf.name = "x", raf.role = "input"}, %y: memref<4xf32> {raf.name = "y", raf.result}) {
  %a = memref.alloc() : memref<4611686018427387904x0xf32>
  raf.launch @k ins(%x : memref<4xf32>) outs(%a, %y : memref<4611686018427387904x0xf32>, memref<4xf32>)
  return
}
func.func private @k(memref<4xf32>, memref<4611686018427387904x0xf32>, memref<4xf32>) attributes {raf.kernel}
