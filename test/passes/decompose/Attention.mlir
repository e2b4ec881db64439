// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops=only=raf.attention,raf.attention_grad --canonicalize --cse --split-input-file | FileCheck %s

// Two batches an iteration, each in two blocks of rows of which the first sees half of the keys. Nothing has the shape of all scores.
// CHECK-LABEL: func.func @causal
// CHECK-NOT:     tensor<4x8x128x128x
// CHECK:         scf.for
// CHECK:           %[[K:.+]] = raf.slice %{{.+}} starts = [0, 0, 0, 0] limits = [4, 8, 64, 64]
// CHECK:           raf.matmul %{{.+}}, %[[K]] transpose_rhs : tensor<4x8x64x64xf32>, tensor<4x8x64x64xf32> -> tensor<4x8x64x64xf32>
// CHECK:           raf.matmul %{{.+}}, %{{.+}} transpose_rhs : tensor<4x8x64x64xf32>, tensor<4x8x128x64xf32> -> tensor<4x8x64x128xf32>
// CHECK-NOT:     8x128x128x
func.func @causal(%q: tensor<8x8x128x64xf32>) -> (tensor<8x8x128x64xf32>, tensor<8x8x128xf32>) {
  %y, %lse = raf.attention %q, %q, %q scale = 0.125 causal : (tensor<8x8x128x64xf32>, tensor<8x8x128x64xf32>, tensor<8x8x128x64xf32>) -> (tensor<8x8x128x64xf32>, tensor<8x8x128xf32>)
  return %y, %lse : tensor<8x8x128x64xf32>, tensor<8x8x128xf32>
}

// -----

// Heads that were split off and transposed are cut before that, from the tensor that holds all of them; the result is made in the order in which heads are joined.
// CHECK-LABEL: func.func @split
// CHECK-SAME:    %[[X:.+]]: tensor<8x128x1536xf32>
// CHECK-NOT:     raf.slice
// CHECK:         %[[Y:.+]]:2 = scf.for {{.*}} -> (tensor<8x128x8x64xf32>, tensor<8x8x128xf32>)
// CHECK:           raf.dynamic_slice %[[X]][
// CHECK-NOT:       raf.dynamic_slice
// CHECK:         }
// CHECK-NEXT:    %[[JOINED:.+]] = raf.reshape %[[Y]]#0 : tensor<8x128x8x64xf32> to tensor<8x128x512xf32>
// CHECK-NEXT:    return %[[JOINED]]
func.func @split(%x: tensor<8x128x1536xf32>) -> tensor<8x128x512xf32> {
  %0 = raf.slice %x starts = [0, 0, 0] limits = [8, 128, 512] strides = [1, 1, 1] : tensor<8x128x1536xf32> -> tensor<8x128x512xf32>
  %1 = raf.slice %x starts = [0, 0, 512] limits = [8, 128, 1024] strides = [1, 1, 1] : tensor<8x128x1536xf32> -> tensor<8x128x512xf32>
  %2 = raf.slice %x starts = [0, 0, 1024] limits = [8, 128, 1536] strides = [1, 1, 1] : tensor<8x128x1536xf32> -> tensor<8x128x512xf32>
  %3 = raf.reshape %0 : tensor<8x128x512xf32> to tensor<8x128x8x64xf32>
  %4 = raf.reshape %1 : tensor<8x128x512xf32> to tensor<8x128x8x64xf32>
  %5 = raf.reshape %2 : tensor<8x128x512xf32> to tensor<8x128x8x64xf32>
  %q = raf.transpose %3 permutation = [0, 2, 1, 3] : tensor<8x128x8x64xf32> -> tensor<8x8x128x64xf32>
  %k = raf.transpose %4 permutation = [0, 2, 1, 3] : tensor<8x128x8x64xf32> -> tensor<8x8x128x64xf32>
  %v = raf.transpose %5 permutation = [0, 2, 1, 3] : tensor<8x128x8x64xf32> -> tensor<8x8x128x64xf32>
  %y, %lse = raf.attention %q, %k, %v scale = 0.125 : (tensor<8x8x128x64xf32>, tensor<8x8x128x64xf32>, tensor<8x8x128x64xf32>) -> (tensor<8x8x128x64xf32>, tensor<8x8x128xf32>)
  %6 = raf.transpose %y permutation = [0, 2, 1, 3] : tensor<8x8x128x64xf32> -> tensor<8x128x8x64xf32>
  %7 = raf.reshape %6 : tensor<8x128x8x64xf32> to tensor<8x128x512xf32>
  return %7 : tensor<8x128x512xf32>
}

// -----

// Many scores of one batch: some heads an iteration, and blocks of rows. The gradient of a bias that all share is a sum that the loop carries.
// CHECK-LABEL: func.func @gradient
// CHECK-NOT:     tensor<1x4x1024x1024x
// CHECK:         scf.for {{.*}} -> (tensor<2x2x1024x64xf32>, tensor<2x2x1024x64xf32>, tensor<2x2x1024x64xf32>, tensor<1x1x1024x1024xf32>)
// CHECK:           raf.random_uniform %{{.+}}, %{{.+}} op_id = 7 offset = %{{.+}} strides = [4194304, 1048576, 1024, 1] : tensor<1x2x128x128xf32>
// CHECK:           raf.random_uniform %{{.+}}, %{{.+}} op_id = 7 offset = %{{.+}} strides = [4194304, 1048576, 1024, 1] : tensor<1x2x128x256xf32>
// CHECK-NOT:     tensor<1x4x1024x1024x
func.func @gradient(%q: tensor<1x4x1024x64xf32>, %bias: tensor<1x1x1024x1024xf32>, %row: tensor<1x4x1024xf32>, %n: tensor<i64>)
    -> (tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x1x1024x1024xf32>) {
  %dq, %dk, %dv, %db = raf.attention_grad %q, %q, %q, %q, %row, %row bias %bias dropout(%n, %n) ratio = 0.1 op_id = 7 scale = 0.125 causal bias_grad
    : (tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024xf32>, tensor<1x4x1024xf32>, tensor<1x1x1024x1024xf32>,
       tensor<i64>, tensor<i64>) -> (tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x1x1024x1024xf32>)
  return %dq, %dk, %dv, %db : tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x4x1024x64xf32>, tensor<1x1x1024x1024xf32>
}

// -----

// Few scores: one tile, without a loop.
// CHECK-LABEL: func.func @small
// CHECK-NOT:     scf.for
// CHECK:         raf.matmul %arg0, %arg0 transpose_rhs : tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32> -> tensor<2x4x8x8xf32>
func.func @small(%q: tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32> {
  %y, %lse = raf.attention %q, %q, %q scale = 0.25 causal : (tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>, tensor<2x4x8x16xf32>) -> (tensor<2x4x8x16xf32>, tensor<2x4x8xf32>)
  return %y : tensor<2x4x8x16xf32>
}
