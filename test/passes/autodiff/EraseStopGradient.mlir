// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-erase-stop-gradient | FileCheck %s

// CHECK-LABEL: func.func @everywhere
// CHECK-SAME: %[[P:[a-z0-9]+]]: i1, %[[X:[a-z0-9]+]]: tensor<4xf32>
// CHECK-NOT: raf.stop_gradient
// CHECK: scf.if %[[P]]
// CHECK: raf.add %[[X]], %[[X]]
// CHECK-NOT: raf.stop_gradient
func.func @everywhere(%p: i1, %x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = raf.stop_gradient %x : tensor<4xf32>
  %1 = scf.if %p -> tensor<4xf32> {
    %2 = raf.stop_gradient %0 : tensor<4xf32>
    %3 = raf.add %2, %0 : tensor<4xf32>
    scf.yield %3 : tensor<4xf32>
  } else {
    scf.yield %0 : tensor<4xf32>
  }
  return %1 : tensor<4xf32>
}
