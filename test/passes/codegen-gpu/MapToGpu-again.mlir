// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --mlir-disable-threading "--pass-pipeline=builtin.module(builtin.module(raf-map-to-gpu))" | FileCheck %s

// One pass runs twice, on kernels of the same name: of the first module it has kept nothing.
// CHECK-LABEL: module @one
// CHECK-COUNT-1: gpu.launch_func
// CHECK: gpu.func @kernel(%arg0: memref<64xf32>, %arg1: memref<64xf32>)
module @one {
  func.func @main(%x: memref<64xf32>, %y: memref<64xf32>) {
    raf.launch @kernel ins(%x : memref<64xf32>) outs(%y : memref<64xf32>)
    return
  }
  func.func private @kernel(%x: tensor<64xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
    %0 = linalg.exp ins(%x : tensor<64xf32>) outs(%y : tensor<64xf32>) -> tensor<64xf32>
    return %0 : tensor<64xf32>
  }
}
// CHECK-LABEL: module @two
// CHECK-COUNT-1: gpu.launch_func
// CHECK-NOT: gpu.launch_func
// CHECK: gpu.func @kernel(%arg0: memref<8x8xf32>, %arg1: memref<8x8xf32>)
module @two {
  func.func @main(%x: memref<8x8xf32>, %y: memref<8x8xf32>) {
    raf.launch @kernel ins(%x : memref<8x8xf32>) outs(%y : memref<8x8xf32>)
    return
  }
  func.func private @kernel(%x: tensor<8x8xf32>, %y: tensor<8x8xf32>) -> tensor<8x8xf32> attributes {raf.kernel} {
    %0 = linalg.exp ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) -> tensor<8x8xf32>
    return %0 : tensor<8x8xf32>
  }
}
