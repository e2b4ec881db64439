// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --mlir-disable-threading "--pass-pipeline=builtin.module(builtin.module(raf-assign-streams{streams=2}))" | FileCheck %s

// One pass runs twice: of the first module it has kept nothing.
// CHECK-LABEL: module @one
// CHECK: memref.copy %arg0, %arg1 :
// CHECK: memref.copy %arg0, %arg2 {raf.stream = 1 : i64}
module @one attributes {raf.memory = {}} {
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    memref.copy %x, %z : memref<4xf32> to memref<4xf32>
    return
  }
}
// CHECK-LABEL: module @two
// CHECK: memref.copy %arg0, %arg1 :
// CHECK: memref.copy %arg0, %arg2 {raf.stream = 1 : i64}
module @two attributes {raf.memory = {}} {
  func.func @main(%x: memref<4xf32>, %y: memref<4xf32>, %z: memref<4xf32>) {
    memref.copy %x, %y : memref<4xf32> to memref<4xf32>
    memref.copy %x, %z : memref<4xf32> to memref<4xf32>
    return
  }
}
