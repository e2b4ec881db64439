// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-decompose-ops=keep=raf.softmax --split-input-file | FileCheck %s --check-prefix=KEEP
// RUN: raf-opt %s --raf-decompose-ops=only=raf.gelu --split-input-file | FileCheck %s --check-prefix=ONLY
// RUN: not raf-opt %s --raf-decompose-ops=keep=raf.softmx --split-input-file 2>&1 | FileCheck %s --check-prefix=NAME

// NAME: error: raf-decompose-ops: option 'keep' names 'raf.softmx', which is no op with a decomposition

// CHECK-LABEL: func.func @softmax
// CHECK:         %[[M:.*]] = raf.reduce max %arg0 dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
// CHECK:         %[[S:.*]] = raf.sub %arg0, %{{.*}} : tensor<4x8xf32>
// CHECK:         %[[E:.*]] = raf.exp %[[S]]
// CHECK:         raf.reduce sum %[[E]] dims = [1]
// CHECK:         %[[R:.*]] = raf.div %{{.*}}, %{{.*}} : tensor<4xf32>
// CHECK:         %[[Y:.*]] = raf.mul %[[E]], %{{.*}}
// CHECK:         return %[[Y]]
// KEEP-LABEL:  func.func @softmax
// KEEP-NEXT:     raf.softmax
// ONLY-LABEL:  func.func @softmax
// ONLY-NEXT:     raf.softmax
func.func @softmax(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = raf.softmax %x axis = 1 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// 16-bit floats are computed in f32.
// CHECK-LABEL: func.func @gelu
// CHECK:         %[[X:.*]] = raf.cast %arg0 : tensor<8xbf16> to tensor<8xf32>
// CHECK:         raf.erf %{{.*}} : tensor<8xf32>
// CHECK:         %[[Y:.*]] = raf.cast %{{.*}} : tensor<8xf32> to tensor<8xbf16>
// CHECK-NEXT:    return %[[Y]]
// ONLY-LABEL:  func.func @gelu
// ONLY:          raf.erf
func.func @gelu(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %y = raf.gelu erf %x : tensor<8xbf16>
  return %y : tensor<8xbf16>
}

// -----

// CHECK-LABEL: func.func @attention
// CHECK:         %[[Q:.*]] = raf.reshape %arg0 : tensor<2x4x3x8xf32> to tensor<2x2x6x8xf32>
// CHECK:         raf.matmul %[[Q]], %arg1 transpose_rhs
// CHECK-NOT:     raf.softmax
// CHECK:         raf.reduce max %{{.*}} dims = [3]
// CHECK:         raf.matmul %{{.*}}, %arg1
// ONLY-LABEL:  func.func @attention
// ONLY-NEXT:     raf.attention
func.func @attention(%q: tensor<2x4x3x8xf32>, %k: tensor<2x2x5x8xf32>) -> tensor<2x4x3x8xf32> {
  %y, %lse = raf.attention %q, %k, %k scale = 0.5 causal : (tensor<2x4x3x8xf32>, tensor<2x2x5x8xf32>, tensor<2x2x5x8xf32>) -> (tensor<2x4x3x8xf32>, tensor<2x4x3xf32>)
  return %y : tensor<2x4x3x8xf32>
}

// -----

// The picked logit is a row reduction, not a gather.
// CHECK-LABEL: func.func @cross_entropy
// CHECK-DAG:     %[[I:.*]] = raf.iota dim = 1 : tensor<4x8xi64>
// CHECK-DAG:     %[[HIT:.*]] = raf.compare eq %[[I]], %{{.*}} : tensor<4x8xi64> -> tensor<4x8xi1>
// CHECK:         %[[P:.*]] = raf.select %[[HIT]], %arg0, %{{.*}} : tensor<4x8xf32>
// CHECK:         raf.reduce sum %[[P]] dims = [1]
// CHECK-NOT:     raf.gather
func.func @cross_entropy(%x: tensor<4x8xf32>, %l: tensor<4xi64>) -> tensor<f32> {
  %loss, %lse = raf.cross_entropy %x, %l ignore_index = -100 label_smoothing = 0.0 : tensor<4x8xf32>, tensor<4xi64> -> tensor<f32>, tensor<4xf32>
  return %loss : tensor<f32>
}

// -----

// Bias corrections are 0-d and in f64.
// CHECK-LABEL: func.func @adam
// CHECK:         raf.pow %{{.*}}, %{{.*}} : tensor<f64>
// CHECK-NOT:     raf.pow %{{.*}} : tensor<4x8
// CHECK:         raf.sqrt %{{.*}} : tensor<4x8xf32>
func.func @adam(%p: tensor<4x8xf32>, %g: tensor<4x8xf32>, %m: tensor<4x8xf32>, %v: tensor<4x8xf32>, %lr: tensor<f32>, %t: tensor<i64>)
    -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %a:3 = raf.adam_update %p, %g, %m, %v, %lr, %t beta1 = 0.9 beta2 = 0.999 epsilon = 1.0e-8 weight_decay = 0.01 decoupled
      : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<f32>, tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
  return %a#0, %a#1, %a#2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
