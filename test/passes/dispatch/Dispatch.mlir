// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=prefer=codegen | FileCheck %s --check-prefix=PREFER
// RUN: raf-opt %s -raf-dispatch=libraries=codegen | FileCheck %s --check-prefix=PREFER
// RUN: not raf-opt %s -raf-dispatch=force=dnnl 2>&1 | FileCheck %s --check-prefix=FORCE
// RUN: not raf-opt %s -raf-dispatch=prefer=blas 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: raf-opt %s -raf-dispatch -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// UNKNOWN: error: raf-dispatch: unknown library 'blas'; known: codegen, cublas, cudnn, dnnl

// An attribute is stronger than an option.
// CHECK-LABEL: func @chosen
// CHECK: dnnl.matmul
// CHECK: raf.matmul
// PREFER-LABEL: func @chosen
// PREFER: dnnl.matmul
// PREFER: raf.matmul
func.func @chosen(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = raf.matmul %x, %x {raf.dispatch = ["dnnl"]} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = raf.matmul %0, %x {raf.dispatch = ["codegen"]} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// CHECK-LABEL: func @scope
// CHECK: raf.matmul
// CHECK: dnnl.matmul
// PREFER-LABEL: func @scope
// PREFER: raf.matmul
// PREFER: dnnl.matmul
func.func @scope(%x: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {raf.dispatch = ["codegen", "dnnl"]} {
  %0 = raf.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = raf.matmul %0, %x {raf.dispatch = ["dnnl", "codegen"]} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// FORCE: error: 'raf.matmul' op cannot be executed by the library that is forced for it; dnnl: oneDNN has no training kernels for element type f64
// REMARK: remark: [Missed] raf.matmul | Category:raf-dispatch | Function=dnnl
// REMARK-SAME: oneDNN has no training kernels for element type f64
// CHECK-LABEL: func @declined
// CHECK: raf.matmul
// PREFER-LABEL: func @declined
// PREFER: raf.matmul
func.func @declined(%x: tensor<8x8xf64>) -> tensor<8x8xf64> {
  %0 = raf.matmul %x, %x : tensor<8x8xf64>, tensor<8x8xf64> -> tensor<8x8xf64>
  return %0 : tensor<8x8xf64>
}
