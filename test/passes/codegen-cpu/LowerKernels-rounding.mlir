// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-lower-kernels=bf16=native | FileCheck %s
// RUN: raf-opt %s --raf-lower-kernels=bf16=arithmetic | FileCheck %s --check-prefix=ARITHMETIC

// LLVM would choose vectors of four for a loop that has the instruction, and knows better where integers round.
// CHECK: #[[WIDTH:.*]] = #llvm.loop_vectorize<width = 16 : i32>
// CHECK: #[[$ANNOTATION:.*]] = #llvm.loop_annotation<vectorize = #[[WIDTH]]>
// ARITHMETIC-NOT: loop_annotation

// The inner loop only.
// CHECK-LABEL: llvm.func @round(
// CHECK:         llvm.fptrunc
// CHECK:         llvm.br {{.*}} {loop_annotation = #[[$ANNOTATION]]}
// CHECK-NOT:     loop_annotation
func.func @round(%x: memref<4x256xf32> {llvm.noalias}, %y: memref<4x256xbf16> {llvm.noalias}) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %j = %c0 to %c256 step %c1 {
      %a = memref.load %x[%i, %j] : memref<4x256xf32>
      %b = arith.truncf %a : f32 to bf16
      memref.store %b, %y[%i, %j] : memref<4x256xbf16>
    }
  }
  return
}

// No conversion, no width.
// CHECK-LABEL: llvm.func @add(
// CHECK-NOT:     loop_annotation
func.func @add(%x: memref<256xf32> {llvm.noalias}, %y: memref<256xf32> {llvm.noalias}) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %a = memref.load %x[%i] : memref<256xf32>
    %b = arith.addf %a, %a : f32
    memref.store %b, %y[%i] : memref<256xf32>
  }
  return
}
