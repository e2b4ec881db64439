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

// -----

// A function that says that its gradient is 0 at 0; one that says something else, and a maximum, whose gradient is half of it there, stay.
// CHECK-LABEL: func @relu
// CHECK: %[[Y:.+]] = raf.relu %arg0
// CHECK: %[[Z:.+]] = {{.*}}call @capped(%arg0)
// CHECK: %[[M:.+]] = raf.maximum %arg0
// CHECK: return %[[Y]], %[[Z]], %[[M]]
func.func @relu(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = func.call @positive(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = func.call @capped(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = raf.maximum %x, %zero : tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @positive(%x: tensor<4xf32>) -> tensor<4xf32> attributes {raf.vjp = @positive_vjp} {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.maximum %x, %zero : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @positive_vjp(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.compare gt %x, %zero : tensor<4xf32> -> tensor<4xi1>
  %1 = raf.select %0, %dy, %zero : tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func private @capped(%x: tensor<4xf32>) -> tensor<4xf32> attributes {raf.vjp = @capped_vjp} {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.maximum %x, %zero : tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @capped_vjp(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %zero = raf.constant dense<0.0> : tensor<4xf32>
  %0 = raf.compare ge %x, %zero : tensor<4xf32> -> tensor<4xi1>
  %1 = raf.select %0, %dy, %zero : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// The gradient of gelu as JAX writes it, in parts of dy: it becomes the shorter one of raf.gelu. With half of one part it is something else.
// CHECK-LABEL: func @gelu_gradient
// CHECK: raf.tanh
// CHECK: raf.sub
// CHECK: raf.add
// CHECK: %[[SLOPE:.+]] = raf.add
// CHECK-NEXT: %[[DX:.+]] = raf.mul %arg1, %[[SLOPE]]
// CHECK-NEXT: return %[[DX]]
// CHECK-LABEL: func @no_gelu_gradient
// CHECK: raf.sub
// CHECK-COUNT-3: raf.add
// CHECK: %[[SUM:.+]] = raf.add
// CHECK-NEXT: return %[[SUM]]
func.func @gelu_gradient(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %half = raf.constant dense<0.5> : tensor<4xf32>
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %a = raf.constant dense<0.797884583> : tensor<4xf32>
  %b = raf.constant dense<4.471500e-02> : tensor<4xf32>
  %three = raf.constant dense<3.0> : tensor<4xf32>
  %0 = raf.mul %x, %x : tensor<4xf32>
  %1 = raf.mul %0, %x : tensor<4xf32>
  %2 = raf.mul %three, %0 : tensor<4xf32>
  %3 = raf.mul %b, %1 : tensor<4xf32>
  %4 = raf.add %x, %3 : tensor<4xf32>
  %5 = raf.mul %a, %4 : tensor<4xf32>
  %t = raf.tanh %5 : tensor<4xf32>
  %6 = raf.sub %one, %t : tensor<4xf32>
  %7 = raf.add %one, %t : tensor<4xf32>
  %8 = raf.mul %half, %7 : tensor<4xf32>
  %9 = raf.mul %dy, %8 : tensor<4xf32>
  %10 = raf.mul %x, %dy : tensor<4xf32>
  %11 = raf.mul %half, %10 : tensor<4xf32>
  %12 = raf.mul %11, %6 : tensor<4xf32>
  %13 = raf.mul %12, %t : tensor<4xf32>
  %14 = raf.add %12, %13 : tensor<4xf32>
  %15 = raf.mul %a, %14 : tensor<4xf32>
  %16 = raf.mul %b, %15 : tensor<4xf32>
  %17 = raf.mul %16, %2 : tensor<4xf32>
  %18 = raf.add %9, %15 : tensor<4xf32>
  %19 = raf.add %18, %17 : tensor<4xf32>
  return %19 : tensor<4xf32>
}
func.func @no_gelu_gradient(%x: tensor<4xf32>, %dy: tensor<4xf32>) -> tensor<4xf32> {
  %half = raf.constant dense<0.5> : tensor<4xf32>
  %one = raf.constant dense<1.0> : tensor<4xf32>
  %a = raf.constant dense<0.797884583> : tensor<4xf32>
  %b = raf.constant dense<4.471500e-02> : tensor<4xf32>
  %three = raf.constant dense<1.5> : tensor<4xf32>
  %0 = raf.mul %x, %x : tensor<4xf32>
  %1 = raf.mul %0, %x : tensor<4xf32>
  %2 = raf.mul %three, %0 : tensor<4xf32>
  %3 = raf.mul %b, %1 : tensor<4xf32>
  %4 = raf.add %x, %3 : tensor<4xf32>
  %5 = raf.mul %a, %4 : tensor<4xf32>
  %t = raf.tanh %5 : tensor<4xf32>
  %6 = raf.sub %one, %t : tensor<4xf32>
  %7 = raf.add %one, %t : tensor<4xf32>
  %8 = raf.mul %half, %7 : tensor<4xf32>
  %9 = raf.mul %dy, %8 : tensor<4xf32>
  %10 = raf.mul %x, %dy : tensor<4xf32>
  %11 = raf.mul %half, %10 : tensor<4xf32>
  %12 = raf.mul %11, %6 : tensor<4xf32>
  %13 = raf.mul %12, %t : tensor<4xf32>
  %14 = raf.add %12, %13 : tensor<4xf32>
  %15 = raf.mul %a, %14 : tensor<4xf32>
  %16 = raf.mul %b, %15 : tensor<4xf32>
  %17 = raf.mul %16, %2 : tensor<4xf32>
  %18 = raf.add %9, %15 : tensor<4xf32>
  %19 = raf.add %18, %17 : tensor<4xf32>
  return %19 : tensor<4xf32>
}
