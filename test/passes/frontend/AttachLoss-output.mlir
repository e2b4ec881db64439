// RUN: raf-opt %s --raf-attach-loss="loss=output output=1" | FileCheck %s
// RUN: raf-opt %s --raf-attach-loss="loss=output output=total keep-outputs=true" | FileCheck %s --check-prefix=KEEP
// RUN: raf-opt %s --raf-attach-loss="loss=mse" -mlir-print-debuginfo -mlir-print-local-scope | FileCheck %s --check-prefix=LOC

// CHECK: func.func @main(%[[Y:[a-z0-9]+]]: tensor<4xf32> {{{.*}}}, %[[T:[a-z0-9]+]]: tensor<1xf32> {{{[^}]*}}}) -> (tensor<f32> {raf.name = "loss"})
// CHECK-NEXT: %[[L:.*]] = raf.reshape %[[T]] : tensor<1xf32> to tensor<f32>
// CHECK-NEXT: return %[[L]]
// KEEP: -> (tensor<f32> {raf.name = "loss"}, tensor<4xf32> {raf.name = "y"})
// LOC: raf.sub {{.*}} loc("loss"(
func.func @main(%y: tensor<4xf32> {raf.role = "input", raf.name = "y"}, %t: tensor<1xf32> {raf.role = "input", raf.name = "t"})
    -> (tensor<4xf32> {raf.name = "y"}, tensor<1xf32> {raf.name = "total"}) {
  return %y, %t : tensor<4xf32>, tensor<1xf32>
}
