// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-cpu="opt-level=0" -o /dev/null
// RUN: raf-opt %s --raf-cpu | FileCheck %s

// MLIR says of a dimension before an empty one that its stride is unknown; a view of it has one that is.
// CHECK-LABEL: llvm.func @raf_run
func.func @main(%p: tensor<0x1xf32> {raf.name = "p", raf.role = "param"}) -> (tensor<2x0x1xf32> {raf.name = "view"}, tensor<0x1xf32> {raf.name = "new:p", raf.alias = 0 : i64}) {
  %view = raf.reshape %p : tensor<0x1xf32> to tensor<2x0x1xf32>
  %new = raf.neg %p : tensor<0x1xf32>
  return %view, %new : tensor<2x0x1xf32>, tensor<0x1xf32>
}
