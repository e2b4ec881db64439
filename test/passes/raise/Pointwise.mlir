// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// CHECK-LABEL: func @gelu_tanh
// CHECK-NEXT: raf.gelu tanh %arg0
func.func @gelu_tanh(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = raf.constant dense<0.5> : tensor<4x8xf32>
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %a = raf.constant dense<0.797884583> : tensor<4x8xf32>
  %b = raf.constant dense<4.471500e-02> : tensor<4x8xf32>
  %0 = raf.mul %x, %x : tensor<4x8xf32>
  %1 = raf.mul %0, %x : tensor<4x8xf32>
  %2 = raf.mul %1, %b : tensor<4x8xf32>
  %3 = raf.add %x, %2 : tensor<4x8xf32>
  %4 = raf.mul %3, %a : tensor<4x8xf32>
  %5 = raf.tanh %4 : tensor<4x8xf32>
  %6 = raf.add %5, %one : tensor<4x8xf32>
  %7 = raf.mul %6, %half : tensor<4x8xf32>
  %8 = raf.mul %x, %7 : tensor<4x8xf32>
  return %8 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @gelu_erf
// CHECK-NEXT: raf.gelu erf %arg0
func.func @gelu_erf(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = raf.constant dense<0.5> : tensor<4x8xf32>
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %r = raf.constant dense<1.41421354> : tensor<4x8xf32>
  %0 = raf.mul %half, %x : tensor<4x8xf32>
  %1 = raf.div %x, %r : tensor<4x8xf32>
  %2 = raf.erf %1 : tensor<4x8xf32>
  %3 = raf.add %one, %2 : tensor<4x8xf32>
  %4 = raf.mul %0, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// By the complementary error function of -x / sqrt 2.
// CHECK-LABEL: func @gelu_erfc
// CHECK-NEXT: raf.gelu erf %arg0
func.func @gelu_erfc(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %half = raf.constant dense<0.5> : tensor<4x8xf32>
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %r = raf.constant dense<0.707106769> : tensor<4x8xf32>
  %0 = raf.neg %x : tensor<4x8xf32>
  %1 = raf.mul %0, %r : tensor<4x8xf32>
  %2 = raf.erf %1 : tensor<4x8xf32>
  %3 = raf.sub %one, %2 : tensor<4x8xf32>
  %4 = raf.mul %x, %3 : tensor<4x8xf32>
  %5 = raf.mul %4, %half : tensor<4x8xf32>
  return %5 : tensor<4x8xf32>
}

// -----

// Another cube, another constant, another variable, another sign.
// CHECK-LABEL: func @no_gelu
// CHECK-NOT: raf.gelu
func.func @no_gelu(%x: tensor<4x8xf32>, %y: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %half = raf.constant dense<0.5> : tensor<4x8xf32>
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %a = raf.constant dense<0.797884583> : tensor<4x8xf32>
  %b = raf.constant dense<4.5e-02> : tensor<4x8xf32>
  %r = raf.constant dense<0.707106769> : tensor<4x8xf32>
  %0 = raf.mul %x, %x : tensor<4x8xf32>
  %1 = raf.mul %0, %x : tensor<4x8xf32>
  %2 = raf.mul %1, %b : tensor<4x8xf32>
  %3 = raf.add %x, %2 : tensor<4x8xf32>
  %4 = raf.mul %3, %a : tensor<4x8xf32>
  %5 = raf.tanh %4 : tensor<4x8xf32>
  %6 = raf.add %5, %one : tensor<4x8xf32>
  %7 = raf.mul %6, %half : tensor<4x8xf32>
  %8 = raf.mul %x, %7 : tensor<4x8xf32>
  %9 = raf.mul %x, %r : tensor<4x8xf32>
  %10 = raf.erf %9 : tensor<4x8xf32>
  %11 = raf.add %10, %one : tensor<4x8xf32>
  %12 = raf.mul %11, %half : tensor<4x8xf32>
  %13 = raf.mul %y, %12 : tensor<4x8xf32>
  %14 = raf.sub %one, %10 : tensor<4x8xf32>
  %15 = raf.mul %14, %half : tensor<4x8xf32>
  %16 = raf.mul %x, %15 : tensor<4x8xf32>
  return %8, %13, %16 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @silu
// CHECK-NEXT: raf.silu %arg0
func.func @silu(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %0 = raf.neg %x : tensor<4x8xf32>
  %1 = raf.exp %0 : tensor<4x8xf32>
  %2 = raf.add %1, %one : tensor<4x8xf32>
  %3 = raf.div %one, %2 : tensor<4x8xf32>
  %4 = raf.mul %x, %3 : tensor<4x8xf32>
  return %4 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func @no_sigmoid
// CHECK-NOT: raf.sigmoid
func.func @no_sigmoid(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %one = raf.constant dense<1.0> : tensor<4x8xf32>
  %two = raf.constant dense<2.0> : tensor<4x8xf32>
  %0 = raf.neg %x : tensor<4x8xf32>
  %1 = raf.exp %0 : tensor<4x8xf32>
  %2 = raf.add %1, %two : tensor<4x8xf32>
  %3 = raf.div %one, %2 : tensor<4x8xf32>
  %4 = raf.exp %x : tensor<4x8xf32>
  %5 = raf.add %4, %one : tensor<4x8xf32>
  %6 = raf.div %one, %5 : tensor<4x8xf32>
  return %3, %6 : tensor<4x8xf32>, tensor<4x8xf32>
}
