// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-constant-fold=max-elements=16 -split-input-file | FileCheck %s

// CHECK-LABEL: func @families
// CHECK-DAG: dense<[2.000000e+00, 4.000000e+00, 6.000000e+00]> : tensor<3xf32>
// CHECK-DAG: dense<[true, false, false]> : tensor<3xi1>
// CHECK-DAG: dense<[3.000000e+00, 2.000000e+00, 1.000000e+00]> : tensor<3xf32>
// CHECK-DAG: dense<6.000000e+00> : tensor<f32>
// CHECK-DAG: dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-DAG: dense<{{\[}}[1, 3], [2, 4]]> : tensor<2x2xi64>
// CHECK-DAG: dense<[2, 3]> : tensor<2xi64>
// CHECK: return
func.func @families() -> (tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<f32>, tensor<3xi32>, tensor<2x2xi64>, tensor<2xi64>) {
  %a = raf.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %two = raf.constant dense<2.0> : tensor<3xf32>
  %m = raf.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %0 = raf.add %a, %a : tensor<3xf32>
  %1 = raf.compare lt %a, %two : tensor<3xf32> -> tensor<3xi1>
  %2 = raf.reverse %a dims = [0] : tensor<3xf32>
  %3 = raf.reduce sum %a dims = [0] : tensor<3xf32> -> tensor<f32>
  %4 = raf.cast %a : tensor<3xf32> to tensor<3xi32>
  %5 = raf.transpose %m permutation = [1, 0] : tensor<2x2xi64> -> tensor<2x2xi64>
  %6 = raf.reshape %m : tensor<2x2xi64> to tensor<4xi64>
  %7 = raf.slice %6 starts = [1] limits = [3] strides = [1] : tensor<4xi64> -> tensor<2xi64>
  return %0, %1, %2, %3, %4, %5, %7 : tensor<3xf32>, tensor<3xi1>, tensor<3xf32>, tensor<f32>, tensor<3xi32>, tensor<2x2xi64>, tensor<2xi64>
}

// -----

// A constant with equal elements counts as one element.
// CHECK-LABEL: func @bound
// CHECK-DAG: raf.constant dense<5.000000e-01> : tensor<100xf32>
// CHECK-DAG: raf.concat
func.func @bound() -> (tensor<100xf32>, tensor<20xf32>) {
  %two = raf.constant dense<2.0> : tensor<100xf32>
  %one = raf.constant dense<1.0> : tensor<100xf32>
  %a = raf.constant dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]> : tensor<10xf32>
  %0 = raf.div %one, %two : tensor<100xf32>
  %1 = raf.concat %a, %a axis = 0 : (tensor<10xf32>, tensor<10xf32>) -> tensor<20xf32>
  return %0, %1 : tensor<100xf32>, tensor<20xf32>
}

// -----

// What would trap, or has no defined value, is left to run time.
// CHECK-LABEL: func @undefined
// CHECK: raf.div
// CHECK: raf.cast
func.func @undefined() -> (tensor<2xi32>, tensor<2xi32>) {
  %a = raf.constant dense<[1, 2]> : tensor<2xi32>
  %z = raf.constant dense<0> : tensor<2xi32>
  %f = raf.constant dense<[1.0, 1.0e20]> : tensor<2xf32>
  %0 = raf.div %a, %z : tensor<2xi32>
  %1 = raf.cast %f : tensor<2xf32> to tensor<2xi32>
  return %0, %1 : tensor<2xi32>, tensor<2xi32>
}
