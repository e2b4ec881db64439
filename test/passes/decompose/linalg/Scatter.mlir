// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s "--raf-convert-to-linalg=by-result=true" -split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-convert-to-linalg -split-input-file | FileCheck %s --check-prefix=LOOPS

// Places in the order of the indices, where each slice begins, and the sum of each element of the result.
// CHECK-LABEL: func.func @scatter_add
// CHECK-NOT: raf.kernel
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<6xi32>)
// CHECK: arith.cmpi slt
// CHECK: %[[ORDER:.*]]:2 = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} {{.*}} outs(%{{.*}}, %{{.*}} : tensor<6xi32>, tensor<6xi32>)
// CHECK: %[[FIRST:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<5xi32>)
// CHECK: tensor.extract %[[ORDER]]#1
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>) outs(%{{.*}} : tensor<4x8xf32>)
// CHECK: tensor.extract %[[FIRST]]
// CHECK: tensor.extract %[[FIRST]]
// CHECK: scf.for
// CHECK: tensor.extract %[[ORDER]]#0
// CHECK: arith.addf
// LOOPS-LABEL: func.func @scatter_add
// LOOPS: raf.kernel
func.func @scatter_add(%x: tensor<4x8xf32>, %i: tensor<2x3xi64>, %u: tensor<2x3x8xf32>) -> tensor<4x8xf32> {
  %0 = raf.scatter_add %x, %i, %u axis = 0 : tensor<4x8xf32>, tensor<2x3xi64>, tensor<2x3x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// CHECK-LABEL: func.func @along
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]}
// LOOPS-LABEL: func.func @along
// LOOPS: raf.kernel
func.func @along(%x: tensor<4x8xf32>, %i: tensor<4x3xi64>, %u: tensor<4x3xf32>) -> tensor<4x8xf32> {
  %0 = raf.add_along_axis %x, %i, %u axis = 1 : tensor<4x8xf32>, tensor<4x3xi64>, tensor<4x3xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A long scan is in chunks, a short one is not.
// CHECK-LABEL: func.func @scans
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<63xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<63xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<1000xf32>)
// CHECK: linalg.generic {{.*}} outs(%{{.*}} : tensor<50xf32>)
// CHECK-NOT: linalg.generic
// LOOPS-LABEL: func.func @scans
// LOOPS: raf.kernel
func.func @scans(%x: tensor<1000xf32>, %y: tensor<50xf32>) -> (tensor<1000xf32>, tensor<50xf32>) {
  %0 = raf.cumsum %x axis = 0 : tensor<1000xf32>
  %1 = raf.cumsum %y axis = 0 exclusive reverse : tensor<50xf32>
  return %0, %1 : tensor<1000xf32>, tensor<50xf32>
}

// -----

// CHECK-LABEL: func.func @update
// CHECK: linalg.generic {{.*}} ins(%arg0 : tensor<4x8xf32>)
// CHECK: scf.if
// CHECK: tensor.extract %arg1
// LOOPS-LABEL: func.func @update
// LOOPS: raf.kernel
func.func @update(%x: tensor<4x8xf32>, %u: tensor<2x8xf32>, %n: tensor<i64>) -> tensor<4x8xf32> {
  %0 = raf.dynamic_update_slice %x, %u[%n, %n] : tensor<4x8xf32>, tensor<2x8xf32>, tensor<i64>
  return %0 : tensor<4x8xf32>
}

// -----

// So many indices of single elements are not compared with each other.
// CHECK-LABEL: func.func @histogram
// CHECK: raf.kernel
// CHECK: scf.for
func.func @histogram(%x: tensor<4xf32>, %i: tensor<1000000xi64>, %u: tensor<1000000xf32>) -> tensor<4xf32> {
  %0 = raf.scatter_add %x, %i, %u axis = 0 : tensor<4xf32>, tensor<1000000xi64>, tensor<1000000xf32>
  return %0 : tensor<4xf32>
}
