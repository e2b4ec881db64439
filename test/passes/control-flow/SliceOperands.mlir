// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-outline-regions --canonicalize --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-outline-regions=align=64 --canonicalize --split-input-file | FileCheck %s --check-prefix=ALIGN
// RUN: not raf-opt %s --raf-outline-regions=align=0 --split-input-file 2>&1 | FileCheck %s --check-prefix=ZERO
// ZERO: error: raf-outline-regions: align must be positive, got 0

// Rows that only their iteration reads or writes are passed in place: no slice and no update is left.
// From rows of 32 bytes on the addresses of trips would not be multiples of 64.
// ALIGN:         raf.for @{{.+}} trips = 3 ins(%arg0 : tensor<7x4xf32>)
// CHECK-LABEL: func.func @main
// CHECK:         raf.for @[[BODY:.+]] trips = 3 sliced = [0, 1] ins(%arg0 : tensor<7x4xf32>) outs(%arg1, %arg2 : tensor<6x4xf32>, tensor<4xf32>)
// CHECK:       func.func private @[[BODY]](%{{.+}}: tensor<i64>, %[[X:.+]]: tensor<2x4xf32>, %{{.+}}: tensor<2x4xf32>, %[[SUM:.+]]: tensor<4xf32>) -> (tensor<2x4xf32> {raf.alias = 2 : i64}, tensor<4xf32> {raf.alias = 3 : i64})
// CHECK-NEXT:    %[[Y:.+]] = raf.exp %[[X]]
// CHECK-NEXT:    %[[ROW:.+]] = raf.reduce sum %[[Y]] dims = [0]
// CHECK-NEXT:    %[[NEXT:.+]] = raf.add %[[SUM]], %[[ROW]]
// CHECK-NEXT:    return %[[Y]], %[[NEXT]]
func.func @main(%x: tensor<7x4xf32>, %y: tensor<6x4xf32>, %sum: tensor<4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %two = raf.constant dense<2> : tensor<i64>
  %zero = raf.constant dense<0> : tensor<i64>
  %r:2 = scf.for %i = %0 to %3 step %1 iter_args(%into = %y, %acc = %sum) -> (tensor<6x4xf32>, tensor<4xf32>) {
    %n = arith.index_cast %i : index to i64
    %position = tensor.from_elements %n : tensor<i64>
    %start = raf.mul %position, %two : tensor<i64>
    %rows = raf.dynamic_slice %x[%start, %zero] : tensor<7x4xf32>, tensor<i64> -> tensor<2x4xf32>
    %e = raf.exp %rows : tensor<2x4xf32>
    %next = raf.dynamic_update_slice %into, %e[%start, %zero] : tensor<6x4xf32>, tensor<2x4xf32>, tensor<i64>
    %row = raf.reduce sum %e dims = [0] : tensor<2x4xf32> -> tensor<4xf32>
    %more = raf.add %acc, %row : tensor<4xf32>
    scf.yield %next, %more : tensor<6x4xf32>, tensor<4xf32>
  }
  return %r#0, %r#1 : tensor<6x4xf32>, tensor<4xf32>
}

// -----

// Rows that other iterations see too, or that overlap, need the whole tensor.
// CHECK-LABEL: func.func @main
// CHECK:         raf.for @{{.+}} trips = 3 ins(%arg0 : tensor<7x4xf32>) outs(%arg1 : tensor<6x4xf32>)
func.func @main(%x: tensor<7x4xf32>, %y: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %3 = arith.constant 3 : index
  %two = raf.constant dense<2> : tensor<i64>
  %zero = raf.constant dense<0> : tensor<i64>
  %r = scf.for %i = %0 to %3 step %1 iter_args(%into = %y) -> (tensor<6x4xf32>) {
    %n = arith.index_cast %i : index to i64
    %position = tensor.from_elements %n : tensor<i64>
    %start = raf.mul %position, %two : tensor<i64>
    %rows = raf.dynamic_slice %x[%position, %zero] : tensor<7x4xf32>, tensor<i64> -> tensor<2x4xf32>
    %old = raf.dynamic_slice %into[%zero, %zero] : tensor<6x4xf32>, tensor<i64> -> tensor<2x4xf32>
    %e = raf.add %rows, %old : tensor<2x4xf32>
    %next = raf.dynamic_update_slice %into, %e[%start, %zero] : tensor<6x4xf32>, tensor<2x4xf32>, tensor<i64>
    scf.yield %next : tensor<6x4xf32>
  }
  return %r : tensor<6x4xf32>
}
