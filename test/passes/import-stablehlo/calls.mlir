// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// Custom calls with a known meaning, and a composite, which is a call of its decomposition.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[E:.*]] = raf.erf %[[A]]
// CHECK-NEXT: %[[S:.*]] = raf.mul %[[E]], %[[E]]
// CHECK-NEXT: return %[[S]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %t = "stablehlo.constant"() <{value = dense<true> : tensor<i1>}> : () -> tensor<i1>
    "stablehlo.custom_call"(%t) <{call_target_name = "shape_assertion", has_side_effect = true}> {error_message = "b must be even"} : (tensor<i1>) -> ()
    %0 = "stablehlo.custom_call"(%a) <{call_target_name = "Sharding", backend_config = ""}> {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.custom_call"(%0) <{call_target_name = "mhlo.erf"}> : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.composite"(%1) <{name = "my.square", decomposition = @square, version = 1 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "square", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "stablehlo.multiply"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Collectives of one device are identities, the device is number 0.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK: %[[N:.*]] = raf.constant dense<0> : tensor<i32>
// CHECK: return %[[A]], %[[N]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> (tensor<4xf32>, tensor<ui32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.partition_id"() : () -> tensor<ui32>
    "func.return"(%1, %2) : (tensor<4xf32>, tensor<ui32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// Batch normalization by its definition.
// CHECK-LABEL: func.func @main(
// CHECK: raf.reduce{{ +}}sum %{{.*}} dims = [0, 1]
// CHECK: raf.reduce{{ +}}sum %{{.*}} dims = [0, 1]
// CHECK: raf.sqrt %{{.*}} : tensor<3xf32>
// CHECK: raf.div
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8x3xf32>, tensor<3xf32>) -> (tensor<4x8x3xf32>, tensor<3xf32>, tensor<3xf32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8x3xf32>, %s: tensor<3xf32>):
    %0:3 = "stablehlo.batch_norm_training"(%a, %s, %s) <{epsilon = 1.0e-5 : f32, feature_index = 2 : i64}> : (tensor<4x8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x8x3xf32>, tensor<3xf32>, tensor<3xf32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<4x8x3xf32>, tensor<3xf32>, tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
