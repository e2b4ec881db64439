// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: llc
// RUN: raf-opt %s --raf-lower-kernels=bf16=native | mlir-translate --mlir-to-llvmir | opt -O2 -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids -S \
// RUN:   | llc -mtriple=x86_64-linux-gnu -mcpu=sapphirerapids | FileCheck %s --check-prefix=NATIVE
// RUN: raf-opt %s --raf-lower-kernels=bf16=arithmetic | mlir-translate --mlir-to-llvmir | opt -O2 -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 -S \
// RUN:   | llc -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 | FileCheck %s --check-prefix=ARITHMETIC

// One instruction rounds a vector where the CPU has it; otherwise vectors of integers do. No call anywhere, and no element by itself.
// NATIVE-LABEL: scale:
// NATIVE-NOT:     call
// NATIVE:         vcvtneps2bf16
// NATIVE-NOT:     call
// NATIVE:         ret
// ARITHMETIC-LABEL: scale:
// ARITHMETIC-NOT:     {{call|vpextr|vpinsr}}
// ARITHMETIC:         vpmovdw
// ARITHMETIC-NOT:     {{call|vpextr|vpinsr}}
// ARITHMETIC:         ret
func.func @scale(%x: memref<256xbf16> {llvm.noalias}, %y: memref<256xbf16> {llvm.noalias}) attributes {raf.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %a = memref.load %x[%i] : memref<256xbf16>
    %b = arith.extf %a : bf16 to f32
    %c = arith.mulf %b, %b : f32
    %d = arith.truncf %c : f32 to bf16
    memref.store %d, %y[%i] : memref<256xbf16>
  }
  return
}
