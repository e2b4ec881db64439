// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// Ranks are counted over all pairs and inverted; every operand is taken in that order.
// CHECK-LABEL: func.func @main(
// CHECK: raf.bitcast %{{.*}} : tensor<8x4x4xf32> to tensor<8x4x4xi32>
// CHECK: %[[RANK:.*]] = raf.reduce{{ +}}sum %{{.*}} dims = [2]
// CHECK: %[[ORDER:.*]] = raf.add_along_axis %{{.*}}, %[[RANK]], %{{.*}} axis = 1
// CHECK-COUNT-2: raf.take_along_axis %{{.*}}, %[[ORDER]] axis = 1
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<4x8xf32>, %n: tensor<4x8xi32>):
    %0:2 = "stablehlo.sort"(%x, %n) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>):
      %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>) -> (tensor<4x8xf32>, tensor<4x8xi32>)
    "func.return"(%0#0, %0#1) : (tensor<4x8xf32>, tensor<4x8xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Only k places are kept; ranks past them are dropped.
// CHECK-LABEL: func.func @main(
// CHECK: %[[ORDER:.*]] = raf.add_along_axis %{{.*}} axis = 1 : tensor<4x3xi32>, tensor<4x8xi32>, tensor<4x8xi32>
// CHECK: raf.take_along_axis %{{.*}}, %[[ORDER]] axis = 1
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<4x8xf32>):
    %0:2 = "chlo.top_k"(%x) <{k = 3 : i64}> : (tensor<4x8xf32>) -> (tensor<4x3xf32>, tensor<4x3xi32>)
    "func.return"(%0#0, %0#1) : (tensor<4x3xf32>, tensor<4x3xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Long rows go through a bitonic network: 45 steps for 300 elements, which are filled up to 512. The index is the last key, and the values follow it.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<300xf32>
// CHECK-DAG: %[[PADDED:.*]] = raf.pad %[[X]] low = [0] high = [212]
// CHECK-DAG: %[[INDEX:.*]] = raf.iota{{.*}} tensor<512xi32>
// CHECK-DAG: %[[STEPS:.*]] = arith.constant 45 : index
// CHECK: %[[LOOP:.*]]:2 = scf.for {{.*}} to %[[STEPS]] {{.*}} iter_args(%{{.*}} = %[[PADDED]], %{{.*}} = %[[INDEX]])
// CHECK: raf.gather
// CHECK: raf.compare lt
// CHECK: scf.yield
// CHECK: %[[PLACES:.*]] = raf.slice %[[LOOP]]#1
// CHECK: raf.take_along_axis %[[X]], %[[PLACES]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<300xf32>) -> tensor<300xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<300xf32>):
    %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }) : (tensor<300xf32>) -> tensor<300xf32>
    "func.return"(%0) : (tensor<300xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// top_k as JAX exports it for old readers, of the smallest: the operands of the comparison change places.
// CHECK-LABEL: func.func @main(
// CHECK: raf.compare gt
// CHECK: raf.take_along_axis
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<9xi32>) -> (tensor<2xi32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<9xi32>):
    %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> {mhlo.attributes = {k = 2 : i64, largest = false}, mhlo.version = 1 : i64} : (tensor<9xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2xi32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
