// RUN: raf-opt %s --raf-specialize-kernels | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[P:.*]]: memref<8xf32>, %[[G:.*]]: memref<8xf32>
// CHECK: raf.launch @add_inplace_0_0 ins(%[[G]] : memref<8xf32>) outs(%[[P]] : memref<8xf32>)
// CHECK-NOT: func.func private @add(
// CHECK: func.func private @add_inplace_0_0(%[[IN:.*]]: tensor<8xf32>, %[[OUT:.*]]: tensor<8xf32>)
// CHECK: linalg.add ins(%[[OUT]], %[[IN]]
func.func @main(%p: memref<8xf32>, %g: memref<8xf32>) {
  raf.launch @add ins(%p, %g : memref<8xf32>, memref<8xf32>) outs(%p : memref<8xf32>) may_alias = [0, 0]
  return
}
func.func private @add(%a: tensor<8xf32>, %b: tensor<8xf32>, %o: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %r = linalg.add ins(%a, %b : tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
