// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo --canonicalize --cse | FileCheck %s

// A program of jax.shard_map on a mesh of 2 x 2 devices, as JAX prints it: each device takes its piece, and the results are gathered.
// CHECK: module @jit_f attributes {raf.meshes = {mesh = {axes = ["x", "y"], sizes = array<i64: 2, 2>}}, raf.num_devices = 4 : i64}
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>
// CHECK: %[[DEVICE:.*]] = raf.device_id
// CHECK: %[[PIECE:.*]] = raf.dynamic_slice %[[A]]{{.*}} -> tensor<2x4xf32>
// CHECK: raf.all_reduce{{ +}}sum %[[PIECE]] groups = {{\[}}[0, 2], [1, 3]]
// CHECK: raf.all_reduce{{ +}}max %[[PIECE]] groups = {{\[}}[0, 1, 2, 3]]
// CHECK: %[[G:.*]] = raf.all_gather %[[PIECE]] dim = 1 groups = {{\[}}[0, 1], [2, 3]]
// CHECK: raf.reduce_scatter{{ +}}sum %[[G]] dim = 1 groups = {{\[}}[0, 1], [2, 3]]
// CHECK: raf.all_to_all %[[PIECE]] split_dim = 0 concat_dim = 1 groups = {{\[}}[0, 2], [1, 3]]
// CHECK: raf.collective_permute %[[PIECE]] pairs = {{\[}}[0, 2], [2, 0], [1, 3], [3, 1]]
// CHECK: %[[ROWS:.*]] = raf.all_gather %{{.*}} dim = 0 groups = {{\[}}[0, 2], [1, 3]] : tensor<2x4xf32> -> tensor<4x4xf32>
// CHECK: %[[ALL:.*]] = raf.all_gather %[[ROWS]] dim = 1 groups = {{\[}}[0, 1], [2, 3]] : tensor<4x4xf32> -> tensor<4x8xf32>
// CHECK: return %[[ALL]]
"builtin.module"() <{sym_name = "jit_f"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, res_attrs = [{jax.result_info = "result"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x8xf32>):
    %0 = "sdy.manual_computation"(%arg0) <{in_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>, manual_axes = #sdy<manual_axes{"x", "y"}>, out_shardings = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y"}]>]>}> ({
    ^bb0(%arg1: tensor<2x4xf32>):
      %1 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
      ^bb0(%arg6: tensor<f32>, %arg7: tensor<f32>):
        %23 = "stablehlo.add"(%arg6, %arg7) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%23) : (tensor<f32>) -> ()
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %2 = "stablehlo.all_reduce"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
      ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
        %22 = "stablehlo.maximum"(%arg4, %arg5) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%22) : (tensor<f32>) -> ()
      }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %3 = "stablehlo.all_gather"(%arg1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x8xf32>
      %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
      ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
        %21 = "stablehlo.add"(%arg2, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%21) : (tensor<f32>) -> ()
      }) : (tensor<2x8xf32>) -> tensor<2x4xf32>
      %5 = "stablehlo.all_to_all"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, concat_dimension = 1 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, split_count = 2 : i64, split_dimension = 0 : i64}> : (tensor<2x4xf32>) -> tensor<1x8xf32>
      %6 = "stablehlo.collective_permute"(%arg1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
      %7 = "stablehlo.constant"() <{value = dense<1> : tensor<ui32>}> : () -> tensor<ui32>
      %8 = "stablehlo.constant"() <{value = dense<2> : tensor<ui32>}> : () -> tensor<ui32>
      %9 = "stablehlo.partition_id"() : () -> tensor<ui32>
      %10 = "stablehlo.divide"(%9, %7) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %11 = "stablehlo.remainder"(%10, %8) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      %12 = "stablehlo.convert"(%11) : (tensor<ui32>) -> tensor<i32>
      %13 = "stablehlo.add"(%1, %2) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %14 = "stablehlo.add"(%13, %4) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %15 = "stablehlo.add"(%14, %6) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %16 = "stablehlo.convert"(%12) : (tensor<i32>) -> tensor<f32>
      %17 = "stablehlo.broadcast_in_dim"(%16) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x4xf32>
      %18 = "stablehlo.add"(%15, %17) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      %19 = "stablehlo.reshape"(%5) : (tensor<1x8xf32>) -> tensor<2x4xf32>
      %20 = "stablehlo.add"(%18, %19) : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<2x4xf32>
      "sdy.return"(%20) : (tensor<2x4xf32>) -> ()
    }) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// Shardings stay with arguments, results and the ops that make values.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32> {raf.name = "arg0", raf.role = "input", raf.sharding = {dims = {{\[}}["x"], ["y"]], mesh = "mesh"}}
// CHECK-SAME: -> (tensor<4x4xf32> {raf.name = "result", raf.sharding = {dims = {{\[}}[], ["y"]], mesh = "mesh"}})
// CHECK: raf.mul %[[A]], %{{.*}} {raf.sharding = {dims = {{\[}}["x"], []], mesh = "mesh"}}
// CHECK: raf.matmul
"builtin.module"() <{sym_name = "jit_k"}> ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> {stablehlo.mesh = {axes = [{name = "x", size = 2 : i64}, {name = "y", size = 2 : i64}]}} : () -> ()
  "func.func"() <{arg_attrs = [{sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}], function_type = (tensor<4x8xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result", sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4x8xf32>):
    %0 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<4x8xf32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
    %3 = "sdy.sharding_constraint"(%2) <{sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}> : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<4x8xf32>) -> tensor<8x4xf32>
    %5 = "stablehlo.dot_general"(%3, %4) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
    "func.return"(%5) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// Groups by the axes of a mesh, as JAX 0.12 prints them; replicas and partitions make one number of a device; other bodies are applied to what is gathered.
// CHECK: raf.num_devices = 4
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xi32>
// CHECK: raf.all_reduce{{ +}}prod %[[A]] groups = {{\[}}[0, 2], [1, 3]]
// CHECK: raf.all_reduce{{ +}}sum %{{.*}} groups = {{\[}}[0, 2], [1, 3]]
// CHECK: raf.all_reduce{{ +}}sum %{{.*}} groups = {{\[}}[0, 1, 2, 3]]
// CHECK: %[[ALL:.*]] = raf.all_gather %{{.*}} dim = 0 groups = {{\[}}[0, 1], [2, 3]] : tensor<1x4xi32> -> tensor<2x4xi32>
// CHECK: raf.xor
// CHECK: raf.collective_broadcast %{{.*}} groups = {{\[}}[0, 2], [1, 3]]
// CHECK: raf.all_to_all %{{.*}} split_dim = 1 concat_dim = 0 groups = {{\[}}[0, 1], [2, 3]] : tensor<1x4xi32> -> tensor<2x2xi32>
"builtin.module"() ({
  "sdy.mesh"() <{mesh = #sdy.mesh<["x"=2, "y"=2]>, sym_name = "mesh"}> : () -> ()
  "func.func"() <{function_type = (tensor<4xi32>) -> (tensor<4xi32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4xi32>):
    %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = "stablehlo.multiply"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    %1 = "stablehlo.all_reduce"(%0) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = "stablehlo.add"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = "stablehlo.add"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = "stablehlo.xor"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<4xi32>
    %4 = "stablehlo.collective_broadcast"(%3) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
    %5 = "stablehlo.reduce_scatter"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = "stablehlo.xor"(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%s) : (tensor<i32>) -> ()
    }) : (tensor<4xi32>) -> tensor<2xi32>
    "func.return"(%4, %5) : (tensor<4xi32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} : () -> ()
