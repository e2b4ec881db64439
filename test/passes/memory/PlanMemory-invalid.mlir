// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-plan-memory --split-input-file --verify-diagnostics

// expected-error @+1 {{argument 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'i1'}}
func.func @main(%c: i1) {
  return
}

// -----

// expected-error @+1 {{argument 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'memref<*xf32>'}}
func.func @main(%c: memref<*xf32>) {
  return
}

// -----

func.func @main(%n: memref<4xindex>) {
  // expected-error @+1 {{result 0 must be a tensor or memref of static shape of integers or floating-point numbers, got 'memref<4xcomplex<f32>>'}}
  %0 = memref.alloc() : memref<4xcomplex<f32>>
  return
}

// -----

func.func @main() {
  // expected-error @+1 {{of the step must have a static shape and the identity layout, got 'memref<4xf32, strided<[2]>>'}}
  %0 = memref.alloc() : memref<4xf32, strided<[2]>>
  return
}
