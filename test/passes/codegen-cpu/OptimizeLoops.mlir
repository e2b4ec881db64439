// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-optimize-loops | FileCheck %s

// CHECK: llvm.func @declared()
// CHECK-NOT: attributes
llvm.func @declared()

// What runs through once is not optimized, whatever it branches to further down.
// CHECK-LABEL: llvm.func @straight(
// CHECK-SAME: no_inline, optimize_none
llvm.func @straight(%c: i1) {
  llvm.cond_br %c, ^yes, ^end
^yes:
  llvm.call @declared() : () -> ()
  llvm.br ^end
^end:
  llvm.return
}

// CHECK-LABEL: llvm.func @loop(
// CHECK-NOT: optimize_none
llvm.func @loop(%n: i64) {
  %zero = llvm.mlir.constant(0 : i64) : i64
  %one = llvm.mlir.constant(1 : i64) : i64
  llvm.br ^head(%zero : i64)
^head(%i: i64):
  %more = llvm.icmp "slt" %i, %n : i64
  llvm.cond_br %more, ^body, ^end
^body:
  llvm.call @declared() : () -> ()
  %next = llvm.add %i, %one : i64
  llvm.br ^head(%next : i64)
^end:
  llvm.return
}
