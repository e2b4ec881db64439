// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-outline-regions --canonicalize --split-input-file | FileCheck %s

// Captured values come first, then the carried ones, which the results overwrite. The induction variable is the counter of the function; constants are made inside.
// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.+]]: tensor<4xf32>, %[[W:.+]]: tensor<4xf32>)
// CHECK: %[[Y:.+]] = raf.for @region_0_body trips = 3 ins(%[[W]] : tensor<4xf32>) outs(%[[X]] : tensor<4xf32>) -> tensor<4xf32>
// CHECK: return %[[Y]]
// CHECK: func.func private @region_0_body(%[[I:.+]]: tensor<i64>, %[[CAPTURED:.+]]: tensor<4xf32>, %[[CARRIED:.+]]: tensor<4xf32>) -> (tensor<4xf32> {raf.alias = 2 : i64})
// CHECK-DAG: %[[TWO:.+]] = raf.constant dense<2> : tensor<i64>
// CHECK-DAG: %[[ONE:.+]] = raf.constant dense<1> : tensor<i64>
// CHECK: %[[SCALED:.+]] = raf.mul %[[I]], %[[TWO]]
// CHECK: %[[SHIFTED:.+]] = raf.add %[[SCALED]], %[[ONE]]
// CHECK: raf.cast %[[SHIFTED]] : tensor<i64> to tensor<f32>
// CHECK: %[[NEXT:.+]] = raf.mul
// CHECK: return %[[NEXT]]
func.func @main(%x: tensor<4xf32>, %w: tensor<4xf32>) -> tensor<4xf32> {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c7 = arith.constant 7 : index
  %y = scf.for %i = %c1 to %c7 step %c2 iter_args(%h = %x) -> (tensor<4xf32>) {
    %n = arith.index_cast %i : index to i64
    %t = tensor.from_elements %n : tensor<i64>
    %f = raf.cast %t : tensor<i64> to tensor<f32>
    %b = raf.broadcast %f dims = [] : tensor<f32> to tensor<4xf32>
    %s = raf.add %b, %w : tensor<4xf32>
    %m = raf.mul %h, %s : tensor<4xf32>
    scf.yield %m : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// -----

// What the first region forwards need not be what it gets: each function, and the place after the loop, computes it for itself.
// CHECK-LABEL: func.func @main
// CHECK: %[[Y:.+]] = raf.while @region_0_condition do @region_1_body outs({{.+}} : tensor<f32>) -> tensor<f32>
// CHECK: %[[R:.+]] = raf.exp %[[Y]]
// CHECK: return %[[R]]
// CHECK: func.func private @region_0_condition(%[[A:.+]]: tensor<f32>) -> tensor<i1>
// CHECK: %[[P:.+]] = raf.compare lt %[[A]]
// CHECK: return %[[P]]
// CHECK: func.func private @region_1_body(%[[B:.+]]: tensor<f32>) -> (tensor<f32> {raf.alias = 0 : i64})
// CHECK: %[[E:.+]] = raf.exp %[[B]]
// CHECK: %[[N:.+]] = raf.neg %[[E]]
// CHECK: return %[[N]]
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = scf.while (%a = %x) : (tensor<f32>) -> tensor<f32> {
    %limit = raf.constant dense<3.0> : tensor<f32>
    %p = raf.compare lt %a, %limit : tensor<f32> -> tensor<i1>
    %q = tensor.extract %p[] : tensor<i1>
    %e = raf.exp %a : tensor<f32>
    scf.condition(%q) %e : tensor<f32>
  } do {
  ^bb0(%e: tensor<f32>):
    %n = raf.neg %e : tensor<f32>
    scf.yield %n : tensor<f32>
  }
  return %y : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[P:.+]]: tensor<i1>, %[[N:.+]]: tensor<i32>, %[[X:.+]]: tensor<4xf32>)
// CHECK: %[[I:.+]] = raf.cast %[[P]] : tensor<i1> to tensor<i32>
// CHECK: raf.case [@region_0_branch, @region_1_branch] ins(%[[I]], %[[X]] : tensor<i32>, tensor<4xf32>)
// CHECK: raf.case [@region_2_branch, @region_3_branch] ins(%[[N]], %[[X]] : tensor<i32>, tensor<4xf32>)
// CHECK: func.func private @region_0_branch
// CHECK: raf.sin
// CHECK: func.func private @region_1_branch
// CHECK: raf.exp
// CHECK: func.func private @region_2_branch
// CHECK: raf.abs
// CHECK: func.func private @region_3_branch
// CHECK: raf.neg
func.func @main(%p: tensor<i1>, %n: tensor<i32>, %x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %q = tensor.extract %p[] : tensor<i1>
  %y = scf.if %q -> tensor<4xf32> {
    %a = raf.exp %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  } else {
    %a = raf.sin %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  %k = tensor.extract %n[] : tensor<i32>
  %j = arith.index_cast %k : i32 to index
  %z = scf.index_switch %j -> tensor<4xf32>
  case 0 {
    %a = raf.abs %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  default {
    %a = raf.neg %x : tensor<4xf32>
    scf.yield %a : tensor<4xf32>
  }
  return %y, %z : tensor<4xf32>, tensor<4xf32>
}

// -----

// The choice that canonicalization makes of a branch without work is pointwise.
// CHECK-LABEL: func.func @main
// CHECK: %[[EVERYWHERE:.+]] = raf.broadcast %{{.+}} dims = [] : tensor<i1> to tensor<4xi1>
// CHECK: raf.select %[[EVERYWHERE]]
func.func @main(%p: tensor<i1>, %x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  %q = tensor.extract %p[] : tensor<i1>
  %z = arith.select %q, %x, %y : tensor<4xf32>
  return %z : tensor<4xf32>
}

// -----

// Positions, and constants repeated, are made inside too: nothing is kept for them from one call to the next.
// CHECK-LABEL: func.func @main
// CHECK: raf.for @region_0_body trips = 3 outs({{.+}} : tensor<4xi64>) -> tensor<4xi64>
// CHECK: func.func private @region_0_body
// CHECK-DAG: raf.iota
// CHECK: return
func.func @main(%x: tensor<4xi64>) -> (tensor<4xi64>, tensor<4xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %two = raf.constant dense<2> : tensor<i64>
  %twos = raf.broadcast %two dims = [] : tensor<i64> to tensor<4xi64>
  %i = raf.iota dim = 0 : tensor<4xi64>
  %y = scf.for %k = %c0 to %c3 step %c1 iter_args(%h = %x) -> (tensor<4xi64>) {
    %a = raf.add %h, %i : tensor<4xi64>
    %m = raf.mul %a, %twos : tensor<4xi64>
    scf.yield %m : tensor<4xi64>
  }
  %z = raf.add %i, %twos : tensor<4xi64>
  return %y, %z : tensor<4xi64>, tensor<4xi64>
}

// -----

// Of a smaller tensor that is repeated the function gets that, also where something outside reads it repeated.
// CHECK-LABEL: func.func @main
// CHECK: raf.for @region_0_body trips = 3 ins(%{{.+}} : tensor<4xf32>) outs({{.+}} : tensor<4x8xf32>) -> tensor<4x8xf32>
// CHECK: func.func private @region_0_body(%{{.+}}: tensor<i64>, %[[ROWS:.+]]: tensor<4xf32>, %[[H:.+]]: tensor<4x8xf32>
// CHECK: %[[WIDE:.+]] = raf.broadcast %[[ROWS]] dims = [0] : tensor<4xf32> to tensor<4x8xf32>
// CHECK: raf.mul %[[H]], %[[WIDE]]
func.func @main(%x: tensor<4x8xf32>, %s: tensor<4xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %rows = raf.exp %s : tensor<4xf32>
  %wide = raf.broadcast %rows dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %y = scf.for %k = %c0 to %c3 step %c1 iter_args(%h = %x) -> (tensor<4x8xf32>) {
    %m = raf.mul %h, %wide : tensor<4x8xf32>
    scf.yield %m : tensor<4x8xf32>
  }
  %z = raf.add %x, %wide : tensor<4x8xf32>
  return %y, %z : tensor<4x8xf32>, tensor<4x8xf32>
}
