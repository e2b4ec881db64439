// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-decompose-ops --canonicalize --cse --split-input-file | FileCheck %s

// The mask is drawn in f32 whatever the data is; what is kept is scaled in f32 too.
// CHECK-LABEL: func.func @dropout
// CHECK-DAG: %[[ZERO:.*]] = raf.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[RATIO:.*]] = raf.constant dense<5.000000e-01> : tensor<4xf32>
// CHECK-DAG: %[[SCALE:.*]] = raf.constant dense<2.000000e+00> : tensor<4xf32>
// CHECK-DAG: %[[X:.*]] = raf.cast %arg0 : tensor<4xbf16> to tensor<4xf32>
// CHECK-DAG: %[[U:.*]] = raf.random_uniform %arg1, %arg2 op_id = 3 {{.*}}tensor<4xf32>
// CHECK-DAG: %[[KEEP:.*]] = raf.compare ge %[[U]], %[[RATIO]]
// CHECK-DAG: %[[SCALED:.*]] = raf.mul %[[X]], %[[SCALE]]
// CHECK: %[[Y:.*]] = raf.select %[[KEEP]], %[[SCALED]], %[[ZERO]]
// CHECK: raf.cast %[[Y]] : tensor<4xf32> to tensor<4xbf16>
func.func @dropout(%x: tensor<4xbf16>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<4xbf16> {
  %y = raf.dropout %x, %seed, %step ratio = 0.5 op_id = 3 : tensor<4xbf16>
  return %y : tensor<4xbf16>
}
