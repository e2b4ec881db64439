// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --canonicalize --cse --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @gelu_tanh
// CHECK: %[[SQUARE:.*]] = raf.mul %arg0, %arg0
// CHECK: %[[EXPONENT:.*]] = raf.mul %arg0, %{{.*}}
// CHECK: %[[E:.*]] = raf.exp %[[EXPONENT]]
// CHECK: %[[SUM:.*]] = raf.add %[[E]], %{{.*}}
// CHECK: raf.div %arg0, %[[SUM]]
// CHECK-NOT: raf.{{tanh|erf}}
func.func @gelu_tanh(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = raf.gelu tanh %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @silu
// CHECK: %[[N:.*]] = raf.neg %arg0
// CHECK: %[[E:.*]] = raf.exp %[[N]]
// CHECK: %[[D:.*]] = raf.add %[[E]]
// CHECK: %[[Y:.*]] = raf.div %arg0, %[[D]]
// CHECK: return %[[Y]]
func.func @silu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = raf.silu %x : tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// CHECK-LABEL: func.func @stop_gradient
// CHECK-NEXT: return %arg0
func.func @stop_gradient(%x: tensor<8xf32>) -> tensor<8xf32> {
  %y = raf.stop_gradient %x : tensor<8xf32>
  return %y : tensor<8xf32>
}
