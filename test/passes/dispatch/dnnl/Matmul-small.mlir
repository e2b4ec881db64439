// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Many small products at once are left to generated code, where nobody says otherwise.
// REQUIRES: avx512
// RUN: raf-opt %s -raf-dispatch | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=prefer=dnnl | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch=force=dnnl | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch=forbid=codegen | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: remark: [Missed] raf.matmul | Category:raf-dispatch | Function=dnnl | Reason="a call for each of 8 small matrices takes longer than generated code for all of them"
// PREFER-NOT: raf.matmul %

// CHECK-LABEL: func @heads
// CHECK: raf.matmul
func.func @heads(%qkv: tensor<2x128x768xf32>) -> tensor<2x4x128x128xf32> {
  %0 = raf.slice %qkv starts = [0, 0, 0] limits = [2, 128, 256] strides = [1, 1, 1] : tensor<2x128x768xf32> -> tensor<2x128x256xf32>
  %1 = raf.reshape %0 : tensor<2x128x256xf32> to tensor<2x128x4x64xf32>
  %q = raf.transpose %1 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xf32> -> tensor<2x4x128x64xf32>
  %2 = raf.slice %qkv starts = [0, 0, 256] limits = [2, 128, 512] strides = [1, 1, 1] : tensor<2x128x768xf32> -> tensor<2x128x256xf32>
  %3 = raf.reshape %2 : tensor<2x128x256xf32> to tensor<2x128x4x64xf32>
  %k = raf.transpose %3 permutation = [0, 2, 1, 3] : tensor<2x128x4x64xf32> -> tensor<2x4x128x64xf32>
  %y = raf.matmul %q, %k transpose_rhs : tensor<2x4x128x64xf32>, tensor<2x4x128x64xf32> -> tensor<2x4x128x128xf32>
  return %y : tensor<2x4x128x128xf32>
}

// One matrix; few rows; matrices beyond the second cache; blocks that are filled up; one matrix for all; and operands that would be copied first.
// CHECK-LABEL: func @library
// CHECK-NOT: raf.matmul
// CHECK: return
func.func @library(%one: tensor<1x64x64xf32>, %thin: tensor<8x8x64xf32>, %big: tensor<2x1024x1024xf32>, %ragged: tensor<8x132x64xf32>, %a: tensor<8x64x64xf32>, %w: tensor<64x64xf32>, %x: tensor<8x65x64xf32>)
    -> (tensor<1x64x64xf32>, tensor<8x8x64xf32>, tensor<2x1024x1024xf32>, tensor<8x132x132xf32>, tensor<8x64x64xf32>, tensor<8x64x64xf32>) {
  %0 = raf.matmul %one, %one : tensor<1x64x64xf32>, tensor<1x64x64xf32> -> tensor<1x64x64xf32>
  %1 = raf.matmul %thin, %a : tensor<8x8x64xf32>, tensor<8x64x64xf32> -> tensor<8x8x64xf32>
  %2 = raf.matmul %big, %big : tensor<2x1024x1024xf32>, tensor<2x1024x1024xf32> -> tensor<2x1024x1024xf32>
  %3 = raf.matmul %ragged, %ragged transpose_rhs : tensor<8x132x64xf32>, tensor<8x132x64xf32> -> tensor<8x132x132xf32>
  %4 = raf.broadcast %w dims = [1, 2] : tensor<64x64xf32> to tensor<8x64x64xf32>
  %5 = raf.matmul %a, %4 : tensor<8x64x64xf32>, tensor<8x64x64xf32> -> tensor<8x64x64xf32>
  %6 = raf.slice %x starts = [0, 0, 0] limits = [8, 64, 64] strides = [1, 1, 1] : tensor<8x65x64xf32> -> tensor<8x64x64xf32>
  %7 = raf.matmul %6, %a : tensor<8x64x64xf32>, tensor<8x64x64xf32> -> tensor<8x64x64xf32>
  return %0, %1, %2, %3, %5, %7 : tensor<1x64x64xf32>, tensor<8x8x64xf32>, tensor<2x1024x1024xf32>, tensor<8x132x132xf32>, tensor<8x64x64xf32>, tensor<8x64x64xf32>
}
