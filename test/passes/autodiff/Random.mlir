// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// dropout: the same mask, recomputed.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[SEED:[a-z0-9]+]]: tensor<i64>
// CHECK-SAME: %[[STEP:[a-z0-9]+]]: tensor<i64>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[DROPOUT:.*]] = raf.dropout %[[X]], %[[SEED]], %[[STEP]] ratio = 2.500000e-01 op_id = 3
// CHECK-DAG: %[[DROPOUT2:.*]] = raf.dropout %[[DY]], %[[SEED]], %[[STEP]] ratio = 2.500000e-01 op_id = 3
// CHECK: return %[[DROPOUT]], %[[DROPOUT2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %seed: tensor<i64> {raf.role = "input", raf.name = "seed"}, %step: tensor<i64> {raf.role = "input", raf.name = "step"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.dropout %x, %seed, %step ratio = 0.25 op_id = 3 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
