// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK:         linalg.generic {{.*}} ins(%arg1 : tensor<3xi64>)
// CHECK:           arith.maxsi
// CHECK:           arith.minsi
// CHECK:           tensor.extract %arg0
func.func @gather(%x: tensor<4x8xf32>, %i: tensor<3xi64>) -> tensor<3x8xf32> {
  %y = raf.gather %x, %i axis = 0 : tensor<4x8xf32>, tensor<3xi64> -> tensor<3x8xf32>
  return %y : tensor<3x8xf32>
}

// Zeros are made in the kernel, not read.
// CHECK-LABEL: func.func @scatter
// CHECK:         raf.kernel ins(%arg0, %arg1 : tensor<3xi64>, tensor<3x8xf32>) outs(%{{.*}} : tensor<4x8xf32>) attributes {label = "scatter_add"}
// CHECK:           linalg.fill
// CHECK:           scf.for
// CHECK:             scf.for
// CHECK:               scf.if
// CHECK:                 tensor.insert
func.func @scatter(%i: tensor<3xi64>, %u: tensor<3x8xf32>) -> tensor<4x8xf32> {
  %x = raf.constant dense<0.0> : tensor<4x8xf32>
  %y = raf.scatter_add %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<3xi64>, tensor<3x8xf32>
  return %y : tensor<4x8xf32>
}
