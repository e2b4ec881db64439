// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --split-input-file | FileCheck %s

// Running sums of three numbers by halves: of the sums of neighbours, and of those and what lies between.
// CHECK-LABEL: func @sum
// CHECK-NEXT: %[[Y:.+]] = raf.cumsum %arg0 axis = 0
// CHECK-NEXT: return %[[Y]]
func.func @sum(%x: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %0 = raf.slice %x starts = [0, 0] limits = [2, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %1 = raf.slice %x starts = [1, 0] limits = [3, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %2 = raf.add %0, %1 : tensor<1x2xf32>
  %3 = raf.slice %x starts = [2, 0] limits = [3, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %4 = raf.add %2, %3 : tensor<1x2xf32>
  %5 = raf.slice %x starts = [0, 0] limits = [1, 2] strides = [1, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %6 = raf.concat %5, %4 axis = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %7 = raf.pad %6 low = [0, 0] high = [0, 0] interior = [1, 0] value = 0.0 : tensor<2x2xf32> -> tensor<3x2xf32>
  %8 = raf.pad %2 low = [1, 0] high = [1, 0] interior = [1, 0] value = 0.0 : tensor<1x2xf32> -> tensor<3x2xf32>
  %9 = raf.add %7, %8 : tensor<3x2xf32>
  return %9 : tensor<3x2xf32>
}

// -----

// Another number of the last place, and a pad with ones.
// CHECK-LABEL: func @others
// CHECK-NOT: raf.cumsum
func.func @others(%x: tensor<3x2xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = raf.slice %x starts = [0, 0] limits = [2, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %1 = raf.slice %x starts = [1, 0] limits = [3, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %2 = raf.add %0, %1 : tensor<1x2xf32>
  %4 = raf.add %2, %1 : tensor<1x2xf32>
  %5 = raf.slice %x starts = [0, 0] limits = [1, 2] strides = [1, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %6 = raf.concat %5, %4 axis = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %7 = raf.pad %6 low = [0, 0] high = [0, 0] interior = [1, 0] value = 0.0 : tensor<2x2xf32> -> tensor<3x2xf32>
  %8 = raf.pad %2 low = [1, 0] high = [1, 0] interior = [1, 0] value = 0.0 : tensor<1x2xf32> -> tensor<3x2xf32>
  %9 = raf.add %7, %8 : tensor<3x2xf32>
  %10 = raf.slice %x starts = [2, 0] limits = [3, 2] strides = [2, 1] : tensor<3x2xf32> -> tensor<1x2xf32>
  %11 = raf.add %2, %10 : tensor<1x2xf32>
  %12 = raf.concat %5, %11 axis = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  %13 = raf.pad %12 low = [0, 0] high = [0, 0] interior = [1, 0] value = 1.0 : tensor<2x2xf32> -> tensor<3x2xf32>
  %14 = raf.add %13, %8 : tensor<3x2xf32>
  return %9, %14 : tensor<3x2xf32>, tensor<3x2xf32>
}
