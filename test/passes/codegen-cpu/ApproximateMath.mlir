// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-approximate-math | FileCheck %s

// In f32 they become arithmetic that vectorizes.
// CHECK-LABEL: func.func @single
// CHECK-NOT: math.{{exp|log|tanh|erf}}
// CHECK: math.fma
// CHECK-NOT: math.{{exp|log|tanh|erf}}
// CHECK: return
func.func @single(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %0 = math.exp %x : f32
  %1 = math.tanh %x : f32
  %2 = math.erf %x : f32
  %3 = math.expm1 %x : f32
  %4 = math.log %x : f32
  %5 = math.log1p %x : f32
  return %0, %1, %2, %3, %4, %5 : f32, f32, f32, f32, f32, f32
}

// e^x is the product of a polynomial on [-ln 2 / 2, ln 2 / 2] and of a power of two, whose exponent is in the last bits of a sum.
// CHECK-LABEL: func.func @exponential
// CHECK: %[[B:.*]] = math.fma %{{.*}}, %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: %[[N:.*]] = arith.subf %[[B]], %{{.*}} : vector<16xf32>
// CHECK-COUNT-7: math.fma
// CHECK: %[[I:.*]] = arith.bitcast %[[B]] : vector<16xf32> to vector<16xi32>
// CHECK: %[[S:.*]] = arith.shli %[[I]], %{{.*}}
// CHECK: %[[P:.*]] = arith.bitcast %[[S]] : vector<16xi32> to vector<16xf32>
// CHECK: %[[E:.*]] = arith.mulf %{{.*}}, %[[P]]
// CHECK: return %[[E]]
func.func @exponential(%x: vector<16xf32>) -> vector<16xf32> {
  %0 = math.exp %x : vector<16xf32>
  return %0 : vector<16xf32>
}

// erf x is x times the quotient of two polynomials of x^2, for x and the result within bounds.
// CHECK-LABEL: func.func @error
// CHECK-COUNT-2: arith.select
// CHECK: arith.mulf
// CHECK-COUNT-10: math.fma
// CHECK: %[[Y:.*]] = arith.divf
// CHECK: arith.cmpf ult, %{{.*}}, %[[Y]]
// CHECK: return
func.func @error(%x: f32) -> f32 {
  %0 = math.erf %x : f32
  return %0 : f32
}

// So is tanh x.
// CHECK-LABEL: func.func @tangent
// CHECK-COUNT-2: arith.select
// CHECK: arith.mulf
// CHECK-COUNT-8: math.fma
// CHECK: %[[Y:.*]] = arith.divf
// CHECK: arith.cmpf ult, %{{.*}}, %[[Y]]
// CHECK: return
func.func @tangent(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}

// f64 keeps the library's functions: the polynomials have the digits of f32.
// CHECK-LABEL: func.func @double
// CHECK-NEXT: %[[E:.*]] = math.exp %{{.*}} : f64
// CHECK-NEXT: %[[T:.*]] = math.tanh %[[E]] : f64
// CHECK-NEXT: return %[[T]]
func.func @double(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  %1 = math.tanh %0 : f64
  return %1 : f64
}

// What the CPU has instructions for, and what is rare, stays; so do sine and cosine, whose polynomials are wrong many turns from 0.
// CHECK-LABEL: func.func @others
// CHECK-NEXT: math.sin
// CHECK-NEXT: math.cos
// CHECK-NEXT: math.sqrt
// CHECK-NEXT: math.rsqrt
// CHECK-NEXT: math.atan2
// CHECK-NEXT: math.powf
// CHECK-NEXT: return
func.func @others(%x: f32) -> (f32, f32, f32, f32, f32, f32) {
  %s = math.sin %x : f32
  %c = math.cos %x : f32
  %0 = math.sqrt %x : f32
  %1 = math.rsqrt %x : f32
  %2 = math.atan2 %x, %0 : f32
  %3 = math.powf %x, %0 : f32
  return %0, %1, %2, %3, %s, %c : f32, f32, f32, f32, f32, f32
}
