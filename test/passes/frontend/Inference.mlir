// RUN: raf-opt %s --raf-inference | FileCheck %s
// RUN: echo "func.func @f() { return }" | not raf-opt --raf-inference 2>&1 | FileCheck %s --check-prefix=MAIN

// MAIN: error: raf-inference needs a function @main of one block

// CHECK: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32> {{{[^}]*}}}, %[[S:[a-z0-9]+]]: tensor<3xf32> {{{[^}]*}}}, %[[B:[a-z0-9]+]]: tensor<3xf32> {{{[^}]*}}},
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<3xf32> {{{[^}]*}}}, %[[V:[a-z0-9]+]]: tensor<3xf32> {{{[^}]*}}}) -> (tensor<2x3x4xf32> {raf.name = "y"})
// CHECK-NEXT: %[[EPS:.*]] = raf.constant dense<9.99999974E-6>
// CHECK-NEXT: %[[VE:.*]] = raf.add %[[V]], %[[EPS]]
// CHECK-NEXT: %[[R:.*]] = raf.rsqrt %[[VE]]
// CHECK-NEXT: %[[A:.*]] = raf.mul %[[S]], %[[R]]
// CHECK-NEXT: %[[MA:.*]] = raf.mul %[[M]], %[[A]]
// CHECK-NEXT: %[[C:.*]] = raf.sub %[[B]], %[[MA]]
// CHECK-DAG: %[[AX:.*]] = raf.broadcast %[[A]] dims = [1]
// CHECK-DAG: %[[XA:.*]] = raf.mul %[[X]], %[[AX]]
// CHECK-DAG: %[[CX:.*]] = raf.broadcast %[[C]] dims = [1]
// CHECK-DAG: %[[Y:.*]] = raf.add %[[XA]], %[[CX]]
// CHECK-NEXT: return %[[Y]]
func.func @main(%x: tensor<2x3x4xf32> {raf.role = "input", raf.name = "x"}, %s: tensor<3xf32> {raf.role = "param", raf.name = "s"}, %b: tensor<3xf32> {raf.role = "param", raf.name = "b"},
                %m: tensor<3xf32> {raf.role = "buffer", raf.name = "m"}, %v: tensor<3xf32> {raf.role = "buffer", raf.name = "v"},
                %seed: tensor<i64> {raf.role = "seed", raf.name = "seed"}, %step: tensor<i64> {raf.role = "step", raf.name = "step"})
    -> (tensor<2x3x4xf32> {raf.name = "y"}, tensor<3xf32> {raf.name = "new:m", raf.alias = 3 : i64}, tensor<3xf32> {raf.name = "new:v", raf.alias = 4 : i64}) {
  %y, %rm, %rv, %mean, %rstd = raf.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 momentum = 0.9 :
    (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>)
  %z = raf.dropout %y, %seed, %step ratio = 0.5 op_id = 1 : tensor<2x3x4xf32>
  return %z, %rm, %rv : tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>
}
