// RUN: raf-opt %s --allow-unregistered-dialect --import-stablehlo --mlir-print-debuginfo --mlir-print-local-scope | FileCheck %s

// Names come from raf.name, else the location; of results from jax.result_info. Donation is raf.alias. Helpers are expanded, meshes dropped.
// CHECK: module @jit_f
// CHECK-NOT: mhlo
// CHECK-NOT: sdy
// CHECK: func.func @main(
// CHECK-SAME: tensor<4xf32> {raf.name = "params['w']", raf.role = "input"}
// CHECK-SAME: tensor<4xf32> {raf.frozen, raf.name = "b", raf.role = "param"}
// CHECK-SAME: -> (tensor<4xf32> {raf.alias = 0 : i64, raf.name = "result[0]['w']"}, tensor<4xf32> {raf.name = "result1"})
// CHECK: raf.add %{{.*}} : tensor<4xf32> loc("model.py":7:3)
// CHECK: raf.add
// CHECK: return
// CHECK-NOT: func.func
"builtin.module"() <{sym_name = "jit_f"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<[]>, sym_name = "empty_mesh"}> : () -> ()
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 0 : i32}, {raf.name = "b", raf.role = "param", raf.frozen}], function_type = (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>),
                  res_attrs = [{jax.result_info = "result[0]['w']"}, {}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%w: tensor<4xf32> loc("params['w']"), %b: tensor<4xf32>):
    %0 = "sdy.sharding_constraint"(%w) <{sharding = #sdy.sharding<@empty_mesh, [{}]>}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "func.call"(%0, %b) <{callee = @helper}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    %2 = "func.call"(%1, %b) <{callee = @helper}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2, %1) : (tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "helper", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32> loc("model.py":7:3)
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
