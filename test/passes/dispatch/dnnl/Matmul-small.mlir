// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many small products at once are left to generated code, where nobody says otherwise.
// REQUIRES: avx512bf16
// RUN: raf-opt %s -raf-dispatch | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=prefer=dnnl | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch=force=dnnl | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch=forbid=codegen | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Missed] raf.matmul | Category:raf-dispatch | Function=dnnl | Reason="a call for each of 8 small matrices takes longer than generated code for all of them"
// PREFER-NOT: raf.matmul %

// CHECK-LABEL: func @heads
// CHECK: raf.matmul
func.func @heads(%qkv: tensor<2x128x768xbf16>) -> tensor<2x4x128x128xbf16> {
  %0 = raf.slice %qkv starts = [0, 0, 0] limits = [2, 128, 256] strides = [1, 1, 1] : tensor<2x128x768xbf16> -> tensor<2x128x256xbf16>
  %1 = raf.reshape %0 : tensor<2x128x256xbf16> to tensor<2x128x4x64xbf16>
  %q = raf.transpose %1 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xbf16> -> tensor<2x4x128x64xbf16>
  %2 = raf.slice %qkv starts = [0, 0, 256] limits = [2, 128, 512] strides = [1, 1, 1] : tensor<2x128x768xbf16> -> tensor<2x128x256xbf16>
  %3 = raf.reshape %2 : tensor<2x128x256xbf16> to tensor<2x128x4x64xbf16>
  %k = raf.transpose %3 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xbf16> -> tensor<2x4x128x64xbf16>
  %y = raf.matmul %q, %k transpose_rhs : tensor<2x4x128x64xbf16>, tensor<2x4x128x64xbf16> -> tensor<2x4x128x128xbf16>
  return %y : tensor<2x4x128x128xbf16>
}

// In f32 steps do not become shorter by it.
// CHECK-LABEL: func @single
// CHECK-NOT: raf.matmul
// CHECK: return
func.func @single(%a: tensor<8x64x64xf32>) -> tensor<8x64x64xf32> {
  %0 = raf.matmul %a, %a : tensor<8x64x64xf32>, tensor<8x64x64xf32> -> tensor<8x64x64xf32>
  return %0 : tensor<8x64x64xf32>
}

// One matrix; few rows; matrices beyond the second cache; blocks that are filled up; one matrix for all; and operands that would be copied first.
// CHECK-LABEL: func @library
// CHECK-NOT: raf.matmul
// CHECK: return
func.func @library(%one: tensor<1x64x64xbf16>, %thin: tensor<8x8x64xbf16>, %big: tensor<2x1024x1024xbf16>, %ragged: tensor<8x132x64xbf16>, %a: tensor<8x64x64xbf16>, %w: tensor<64x64xbf16>, %x: tensor<8x65x64xbf16>)
    -> (tensor<1x64x64xbf16>, tensor<8x8x64xbf16>, tensor<2x1024x1024xbf16>, tensor<8x132x132xbf16>, tensor<8x64x64xbf16>, tensor<8x64x64xbf16>) {
  %0 = raf.matmul %one, %one : tensor<1x64x64xbf16>, tensor<1x64x64xbf16> -> tensor<1x64x64xbf16>
  %1 = raf.matmul %thin, %a : tensor<8x8x64xbf16>, tensor<8x64x64xbf16> -> tensor<8x8x64xbf16>
  %2 = raf.matmul %big, %big : tensor<2x1024x1024xbf16>, tensor<2x1024x1024xbf16> -> tensor<2x1024x1024xbf16>
  %3 = raf.matmul %ragged, %ragged transpose_rhs : tensor<8x132x64xbf16>, tensor<8x132x64xbf16> -> tensor<8x132x132xbf16>
  %4 = raf.broadcast %w dims = [1, 2] : tensor<64x64xbf16> to tensor<8x64x64xbf16>
  %5 = raf.matmul %a, %4 : tensor<8x64x64xbf16>, tensor<8x64x64xbf16> -> tensor<8x64x64xbf16>
  %6 = raf.slice %x starts = [0, 0, 0] limits = [8, 64, 64] strides = [1, 1, 1] : tensor<8x65x64xbf16> -> tensor<8x64x64xbf16>
  %7 = raf.matmul %6, %a : tensor<8x64x64xbf16>, tensor<8x64x64xbf16> -> tensor<8x64x64xbf16>
  return %0, %1, %2, %3, %5, %7 : tensor<1x64x64xbf16>, tensor<8x8x64xbf16>, tensor<2x1024x1024xbf16>, tensor<8x132x132xbf16>, tensor<8x64x64xbf16>, tensor<8x64x64xbf16>
}
