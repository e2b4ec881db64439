// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// What is broadcast has the last dimensions, or those that are said.
// CHECK-LABEL: func.func @main(
// CHECK: %[[ROW:.*]] = raf.broadcast %{{.*}} dims = [1] : tensor<3xf32> to tensor<2x3xf32>
// CHECK: raf.add %{{.*}}, %[[ROW]]
// CHECK: %[[COLUMN:.*]] = raf.broadcast %{{.*}} dims = [0] : tensor<2xf32> to tensor<2x3xf32>
// CHECK: raf.mul %{{.*}}, %[[COLUMN]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>, tensor<2xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %c: tensor<2xf32>):
    %0 = "chlo.broadcast_add"(%a, %b) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    %1 = "chlo.broadcast_multiply"(%0, %c) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    "func.return"(%1) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Tuples cross functions and loops as their elements.
// CHECK-LABEL: func.func @main(%{{.*}}: tensor<2xf32> {{.*}}, %{{.*}}: tensor<i1> {{.*}}) -> (tensor<2xf32>
// CHECK: scf.if
// CHECK-NOT: tuple
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>, tensor<i1>) -> tensor<2xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2xf32>, %p: tensor<i1>):
    %i = "stablehlo.tuple"(%a) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
    %t = "stablehlo.tuple"(%i, %a) : (tuple<tensor<2xf32>>, tensor<2xf32>) -> tuple<tuple<tensor<2xf32>>, tensor<2xf32>>
    %c = "func.call"(%t) <{callee = @negate_second}> : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tuple<tuple<tensor<2xf32>>, tensor<2xf32>>
    %r = "stablehlo.if"(%p) ({
      "stablehlo.return"(%c) : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> ()
    }, {
      "stablehlo.return"(%t) : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> ()
    }) : (tensor<i1>) -> tuple<tuple<tensor<2xf32>>, tensor<2xf32>>
    %o = "stablehlo.get_tuple_element"(%r) <{index = 0 : i32}> : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tuple<tensor<2xf32>>
    %e = "stablehlo.get_tuple_element"(%o) <{index = 0 : i32}> : (tuple<tensor<2xf32>>) -> tensor<2xf32>
    %s = "stablehlo.get_tuple_element"(%r) <{index = 1 : i32}> : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tensor<2xf32>
    %y = "stablehlo.add"(%e, %s) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    "func.return"(%y) : (tensor<2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tuple<tuple<tensor<2xf32>>, tensor<2xf32>>, sym_name = "negate_second", sym_visibility = "private"}> ({
  ^bb0(%t: tuple<tuple<tensor<2xf32>>, tensor<2xf32>>):
    %f = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tuple<tensor<2xf32>>
    %s = "stablehlo.get_tuple_element"(%t) <{index = 1 : i32}> : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> tensor<2xf32>
    %n = "stablehlo.negate"(%s) : (tensor<2xf32>) -> tensor<2xf32>
    %r = "stablehlo.tuple"(%f, %n) : (tuple<tensor<2xf32>>, tensor<2xf32>) -> tuple<tuple<tensor<2xf32>>, tensor<2xf32>>
    "func.return"(%r) : (tuple<tuple<tensor<2xf32>>, tensor<2xf32>>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Numbers without a state in the program are those of the model's seed and step, in a loop a box for each iteration.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[SEED:[a-z0-9]+]]: tensor<i64> {raf.name = "seed", raf.role = "seed"}, %[[STEP:[a-z0-9]+]]: tensor<i64> {raf.name = "step", raf.role = "step"}
// CHECK: raf.random_uniform %[[SEED]], %[[STEP]] op_id = 0 : tensor<4xf32>
// CHECK: scf.for
// CHECK: raf.random_uniform %[[SEED]], %[[STEP]] op_id = 1 offset = %{{.*}} strides = [1] : tensor<4xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%low: tensor<f32>, %high: tensor<f32>):
    %shape = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<1xi64>
    %zero = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %first = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %l:2 = "stablehlo.while"(%zero, %first) ({
    ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
      %n = "stablehlo.constant"() <{value = dense<1000> : tensor<i32>}> : () -> tensor<i32>
      %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %x: tensor<4xf32>):
      %y = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      %s = "stablehlo.add"(%x, %y) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %k = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %k) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%j, %s) : (tensor<i32>, tensor<4xf32>) -> ()
    }) : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>)
    "func.return"(%l#1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
