// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --raf-tile-kernels --raf-lower-kernels | FileCheck %s --check-prefix=LLVM

// One loop over the tiles of both parts, in units of 1024 elements: of the first part a tile is 8 of them, of the second 1. The first has many, so each range gets its share of them. The kernels themselves are gone, their tiles are shared.
// CHECK-NOT: func.func private @twice(
// CHECK: func.func private @twice_tiles(
// CHECK: func.func private @small_tiles(
// CHECK: func.func private @launches_tiles(%[[BEGIN:[a-z0-9]+]]: index, %[[END:[a-z0-9]+]]: index,
// CHECK-SAME: %[[X:[a-z0-9]+]]: memref<524288xf32>, %[[S:[a-z0-9]+]]: memref<100xf32>, %[[Y:[a-z0-9]+]]: memref<524288xf32>, %[[T:[a-z0-9]+]]: memref<100xf32>) attributes {raf.tiles}
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK-DAG: %[[C513:.*]] = arith.constant 513 : index
// CHECK: arith.muli %[[BEGIN]], %[[C64]]
// CHECK: %[[FIRST:.*]] = arith.divui %{{.*}}, %[[C513]]
// CHECK: arith.muli %[[END]], %[[C64]]
// CHECK: %[[LAST:.*]] = arith.divui %{{.*}}, %[[C513]]
// CHECK: %[[ANY:.*]] = arith.cmpi ult, %[[FIRST]], %[[LAST]]
// CHECK: scf.if %[[ANY]]
// CHECK-NEXT: func.call @twice_tiles(%[[FIRST]], %[[LAST]], %[[X]], %[[Y]])
// CHECK: scf.if
// CHECK-NEXT: func.call @small_tiles(%{{.*}}, %{{.*}}, %[[S]], %[[T]])
// CHECK: func.func private @launches(%[[A:[a-z0-9]+]]: memref<524288xf32>, %[[B:[a-z0-9]+]]: memref<100xf32>, %[[C:[a-z0-9]+]]: memref<524288xf32>, %[[D:[a-z0-9]+]]: memref<100xf32>)
// CHECK-NEXT: raf.parallel_for @launches_tiles tiles = 513 grain = 32(%[[A]], %[[B]], %[[C]], %[[D]])
// CHECK-NEXT: return

// LLVM: llvm.call @raf_rt_parallel_for
func.func private @twice(%x: tensor<524288xf32>, %y: tensor<524288xf32>) -> tensor<524288xf32> attributes {raf.kernel} {
  %0 = linalg.add ins(%x, %x : tensor<524288xf32>, tensor<524288xf32>) outs(%y : tensor<524288xf32>) -> tensor<524288xf32>
  return %0 : tensor<524288xf32>
}
func.func private @small(%x: tensor<100xf32>, %y: tensor<100xf32>) -> tensor<100xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<100xf32>) outs(%y : tensor<100xf32>) -> tensor<100xf32>
  return %0 : tensor<100xf32>
}
func.func private @launches(%x: memref<524288xf32>, %s: memref<100xf32>, %y: memref<524288xf32>, %t: memref<100xf32>) attributes {raf.kernel} {
  raf.launch @twice ins(%x : memref<524288xf32>) outs(%y : memref<524288xf32>)
  raf.launch @small ins(%s : memref<100xf32>) outs(%t : memref<100xf32>)
  return
}
