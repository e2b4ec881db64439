// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// A short counted loop is unrolled.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: scf
// CHECK-COUNT-3: raf.mul
// CHECK-NOT: raf.mul
// CHECK: return
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32>):
    %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0:2 = "stablehlo.while"(%z, %x) ({
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %l = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
      %c = "stablehlo.compare"(%i, %l) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %f = "stablehlo.convert"(%i) : (tensor<i32>) -> tensor<f32>
      %b = "stablehlo.broadcast_in_dim"(%f) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
      %m = "stablehlo.multiply"(%y, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %o = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%j, %m) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%0#1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A long one is scf.for, its counter made of the trip.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<4xf32>
// CHECK: %[[N:.*]] = arith.constant 1000 : index
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[N]] step %{{.*}} iter_args(%{{.*}} = %[[X]]) -> (tensor<4xf32>)
// CHECK: arith.index_cast %[[I]] : index to i32
// CHECK: tensor.from_elements
// CHECK: scf.yield %{{.*}} : tensor<4xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32>):
    %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0:2 = "stablehlo.while"(%z, %x) ({
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %l = "stablehlo.constant"() <{value = dense<1000> : tensor<i32>}> : () -> tensor<i32>
      %c = "stablehlo.compare"(%i, %l) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %f = "stablehlo.convert"(%i) : (tensor<i32>) -> tensor<f32>
      %b = "stablehlo.broadcast_in_dim"(%f) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
      %m = "stablehlo.multiply"(%y, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %o = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%j, %m) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%0#1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A limit that is not known makes it scf.while.
// CHECK-LABEL: func.func @main(
// CHECK: scf.while
// CHECK: %[[P:.*]] = raf.compare lt
// CHECK: %[[B:.*]] = tensor.extract %[[P]][] : tensor<i1>
// CHECK: scf.condition(%[[B]])
// CHECK: scf.yield
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<i32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32>, %n: tensor<i32>):
    %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0:2 = "stablehlo.while"(%z, %x) ({
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %y: tensor<4xf32>):
      %f = "stablehlo.convert"(%i) : (tensor<i32>) -> tensor<f32>
      %b = "stablehlo.broadcast_in_dim"(%f) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4xf32>
      %m = "stablehlo.multiply"(%y, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %o = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %o) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%j, %m) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%0#1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: %[[B:.*]] = tensor.extract
// CHECK: scf.if %[[B]] -> (tensor<4xf32>)
// CHECK: raf.exp
// CHECK: else
// CHECK: raf.neg
// CHECK: %[[S:.*]] = arith.index_cast
// CHECK: scf.index_switch %[[S]] -> tensor<4xf32>
// CHECK: case 0
// CHECK: raf.sin
// CHECK: default
// CHECK: raf.cos
// CHECK: raf.barrier
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<i1>, tensor<i32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4xf32>, %p: tensor<i1>, %n: tensor<i32>):
    %0 = "stablehlo.if"(%p) ({
      %r = "stablehlo.exponential"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%r) : (tensor<4xf32>) -> ()
    }, {
      %r = "stablehlo.negate"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%r) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4xf32>
    %1 = "stablehlo.case"(%n) ({
      %r = "stablehlo.sine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%r) : (tensor<4xf32>) -> ()
    }, {
      %r = "stablehlo.cosine"(%x) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%r) : (tensor<4xf32>) -> ()
    }) : (tensor<i32>) -> tensor<4xf32>
    %2:2 = "stablehlo.optimization_barrier"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    %3 = "stablehlo.add"(%2#0, %2#1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%3) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
