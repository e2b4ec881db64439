// ----- parts
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xcomplex<f32>>
    %1 = "stablehlo.complex"(%arg1, %arg0) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xcomplex<f32>>
    %2 = "stablehlo.multiply"(%0, %1) : (tensor<5xcomplex<f32>>, tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    %3 = "stablehlo.real"(%2) : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    "func.return"(%3) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- abs
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xcomplex<f32>>
    %1 = "stablehlo.abs"(%0) : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    "func.return"(%1) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- exp
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5xf32>, tensor<5xf32>) -> tensor<5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xcomplex<f32>>
    %1 = "stablehlo.exponential"(%0) : (tensor<5xcomplex<f32>>) -> tensor<5xcomplex<f32>>
    %2 = "stablehlo.imag"(%1) : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
    "func.return"(%2) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- conj_matmul
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>):
    %0 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xcomplex<f32>>
    %1 = "stablehlo.real"(%0) : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    %2 = "stablehlo.imag"(%0) : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xf32>
    %3 = "stablehlo.negate"(%2) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %4 = "stablehlo.complex"(%1, %3) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xcomplex<f32>>
    %5 = "stablehlo.transpose"(%4) <{permutation = array<i64: 1, 0>}> : (tensor<3x4xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
    %6 = "stablehlo.complex"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xcomplex<f32>>
    %7 = "stablehlo.dot_general"(%5, %6) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<4x3xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<4x4xcomplex<f32>>
    %8 = "stablehlo.real"(%7) : (tensor<4x4xcomplex<f32>>) -> tensor<4x4xf32>
    "func.return"(%8) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- exp_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.exponential"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- expm1_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.exponential_minus_one"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- log_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.log"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- log1p_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.log_plus_one"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sqrt_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.sqrt"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- rsqrt_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.rsqrt"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- cbrt_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<(0.333333343,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %2 = "stablehlo.power"(%arg0, %1) : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%2) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sin_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %1 = "stablehlo.imag"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %4 = "stablehlo.compare"(%0, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %5 = "stablehlo.sine"(%0) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %6 = "stablehlo.cosine"(%0) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %7 = "stablehlo.exponential_minus_one"(%1) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %8 = "stablehlo.negate"(%1) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %9 = "stablehlo.exponential_minus_one"(%8) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %10 = "stablehlo.subtract"(%7, %9) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %11 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %13 = "stablehlo.divide"(%10, %12) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %14 = "stablehlo.add"(%7, %9) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %15 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %17 = "stablehlo.add"(%14, %16) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %20 = "stablehlo.divide"(%17, %19) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %21 = "stablehlo.multiply"(%5, %20) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %22 = "stablehlo.multiply"(%6, %13) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %23 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %24 = "stablehlo.broadcast_in_dim"(%23) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %25 = "stablehlo.complex"(%24, %22) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %26 = "stablehlo.complex"(%21, %22) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %27 = "stablehlo.select"(%4, %25, %26) : (tensor<2x5xi1>, tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%27) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- cos_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %1 = "stablehlo.imag"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %4 = "stablehlo.compare"(%0, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xi1>
    %5 = "stablehlo.sine"(%0) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %6 = "stablehlo.cosine"(%0) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %7 = "stablehlo.exponential_minus_one"(%1) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %8 = "stablehlo.negate"(%1) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %9 = "stablehlo.exponential_minus_one"(%8) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %10 = "stablehlo.subtract"(%7, %9) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %11 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %12 = "stablehlo.broadcast_in_dim"(%11) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %13 = "stablehlo.divide"(%10, %12) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %14 = "stablehlo.add"(%7, %9) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %15 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %16 = "stablehlo.broadcast_in_dim"(%15) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %17 = "stablehlo.add"(%14, %16) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %18 = "stablehlo.constant"() <{value = dense<2.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %19 = "stablehlo.broadcast_in_dim"(%18) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %20 = "stablehlo.divide"(%17, %19) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %21 = "stablehlo.multiply"(%6, %20) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %22 = "stablehlo.negate"(%5) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %23 = "stablehlo.multiply"(%22, %13) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %24 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %25 = "stablehlo.broadcast_in_dim"(%24) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<2x5xf32>
    %26 = "stablehlo.complex"(%21, %25) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %27 = "stablehlo.complex"(%21, %23) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    %28 = "stablehlo.select"(%4, %26, %27) : (tensor<2x5xi1>, tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%28) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- tan_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.tan"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- tanh_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- logistic_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.negate"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %1 = "stablehlo.exponential"(%0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %2 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %4 = "stablehlo.add"(%3, %1) : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    %5 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %6 = "stablehlo.broadcast_in_dim"(%5) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %7 = "stablehlo.divide"(%6, %4) : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%7) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sinh_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.sinh"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- cosh_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.cosh"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- asin_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.asin"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- acos_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.acos"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- atan_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.atan"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- asinh_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.asinh"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- atanh_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.atanh"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- square_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "chlo.square"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- reciprocal_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    %2 = "stablehlo.divide"(%1, %arg0) : (tensor<2x5xcomplex<f32>>, tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%2) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- conjugate_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %1 = "stablehlo.imag"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %2 = "stablehlo.negate"(%1) : (tensor<2x5xf32>) -> tensor<2x5xf32>
    %3 = "stablehlo.complex"(%0, %2) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%3) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- real_part_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    "func.return"(%0) : (tensor<2x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- imag_part_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.imag"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    "func.return"(%0) : (tensor<2x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- magnitude_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    "func.return"(%0) : (tensor<2x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- angle_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x5xcomplex<f32>>):
    %3 = "func.call"(%arg1) <{callee = @angle}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    "func.return"(%3) : (tensor<2x5xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>, res_attrs = [{}], sym_name = "angle", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %1 = "stablehlo.imag"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %2 = "stablehlo.atan2"(%1, %0) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    "func.return"(%2) : (tensor<2x5xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- norm_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<f32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.abs"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xf32>
    %1 = "stablehlo.multiply"(%0, %0) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %2 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.reduce"(%1, %2) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %4 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%4) : (tensor<f32>) -> ()
    }) : (tensor<2x5xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%3) : (tensor<f32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- exp_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "stablehlo.exponential"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>
    "func.return"(%0) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- log_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "stablehlo.log"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>
    "func.return"(%0) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- asin_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "chlo.asin"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>
    "func.return"(%0) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- tanh_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "stablehlo.tanh"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>
    "func.return"(%0) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- conjugate_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xf64>
    %1 = "stablehlo.imag"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xf64>
    %2 = "stablehlo.negate"(%1) : (tensor<9xf64>) -> tensor<9xf64>
    %3 = "stablehlo.complex"(%0, %2) : (tensor<9xf64>, tensor<9xf64>) -> tensor<9xcomplex<f64>>
    "func.return"(%3) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- acosh_right_complex64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<7xcomplex<f32>>):
    %0 = "chlo.acosh"(%arg0) : (tensor<7xcomplex<f32>>) -> tensor<7xcomplex<f32>>
    "func.return"(%0) : (tensor<7xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- acosh_complex64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f32>>):
    %0 = "chlo.acosh"(%arg0) : (tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    "func.return"(%0) : (tensor<9xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- acosh_right_complex128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<7xcomplex<f64>>):
    %0 = "chlo.acosh"(%arg0) : (tensor<7xcomplex<f64>>) -> tensor<7xcomplex<f64>>
    "func.return"(%0) : (tensor<7xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- acosh_complex128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<9xcomplex<f64>>):
    %0 = "chlo.acosh"(%arg0) : (tensor<9xcomplex<f64>>) -> tensor<9xcomplex<f64>>
    "func.return"(%0) : (tensor<9xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sign
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.sign"(%arg0) : (tensor<2x5xcomplex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- add_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>):
    %0 = "stablehlo.add"(%arg0, %arg1) : (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    "func.return"(%0) : (tensor<3x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sub_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>):
    %0 = "stablehlo.subtract"(%arg0, %arg1) : (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    "func.return"(%0) : (tensor<3x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- mul_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>):
    %0 = "stablehlo.multiply"(%arg0, %arg1) : (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    "func.return"(%0) : (tensor<3x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- div_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>):
    %0 = "stablehlo.divide"(%arg0, %arg1) : (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    "func.return"(%0) : (tensor<3x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- pow_c64
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<3x4xcomplex<f32>>):
    %0 = "stablehlo.power"(%arg0, %arg1) : (tensor<3x4xcomplex<f32>>, tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    "func.return"(%0) : (tensor<3x4xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- scalar
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<complex<f32>>) -> tensor<complex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<complex<f32>>):
    %0 = "stablehlo.multiply"(%arg0, %arg0) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "func.return"(%0) : (tensor<complex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- eq
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<4xcomplex<f32>>, %arg1: tensor<4xcomplex<f32>>):
    %0 = "stablehlo.compare"(%arg0, %arg1) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xi1>
    "func.return"(%0) : (tensor<4xi1>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- matmul
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<3x4xcomplex<f32>>, tensor<4x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x4xcomplex<f32>>, %arg1: tensor<4x2xcomplex<f32>>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<3x4xcomplex<f32>>, tensor<4x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    "func.return"(%0) : (tensor<3x2xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- matmul_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x3x4xcomplex<f64>>, tensor<2x4x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<2x3x4xcomplex<f64>>, %arg1: tensor<2x4x2xcomplex<f64>>):
    %0 = "stablehlo.dot_general"(%arg0, %arg1) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1]>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]}> : (tensor<2x3x4xcomplex<f64>>, tensor<2x4x2xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>>
    "func.return"(%0) : (tensor<2x3x2xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- sum
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x5xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 1>}> ({
    ^bb0(%arg1: tensor<complex<f32>>, %arg2: tensor<complex<f32>>):
      %2 = "stablehlo.add"(%arg1, %arg2) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%2) : (tensor<complex<f32>>) -> ()
    }) : (tensor<3x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3xcomplex<f32>>
    "func.return"(%1) : (tensor<3xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- prod
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x2xcomplex<f32>>) -> tensor<2xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<3x2xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %1 = "stablehlo.reduce"(%arg0, %0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<complex<f32>>, %arg2: tensor<complex<f32>>):
      %2 = "stablehlo.multiply"(%arg1, %arg2) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%2) : (tensor<complex<f32>>) -> ()
    }) : (tensor<3x2xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    "func.return"(%1) : (tensor<2xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- cumsum
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg4: tensor<3x5xcomplex<f32>>):
    %5 = "func.call"(%arg4) <{callee = @cumsum}> : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
    "func.return"(%5) : (tensor<3x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>, res_attrs = [{}], sym_name = "cumsum", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<3x5xcomplex<f32>>):
    %4 = "func.call"(%arg3) <{callee = @cumsum_0}> : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
    "func.return"(%4) : (tensor<3x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>, sym_name = "cumsum_0", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<complex<f32>>
    %2 = "stablehlo.reduce_window"(%arg0, %1) <{base_dilations = array<i64: 1, 1>, padding = dense<[[0, 0], [4, 0]]> : tensor<2x2xi64>, window_dilations = array<i64: 1, 1>, window_dimensions = array<i64: 1, 5>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%arg1: tensor<complex<f32>>, %arg2: tensor<complex<f32>>):
      %3 = "stablehlo.add"(%arg1, %arg2) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%3) : (tensor<complex<f32>>) -> ()
    }) : (tensor<3x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<3x5xcomplex<f32>>
    "func.return"(%2) : (tensor<3x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- gather
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5x3xcomplex<f32>>, tensor<4xi32>) -> tensor<4x3xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5x3xcomplex<f32>>, %arg1: tensor<4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = "stablehlo.gather"(%arg0, %7) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<5x3xcomplex<f32>>, tensor<4x1xi32>) -> tensor<4x3xcomplex<f32>>
    "func.return"(%8) : (tensor<4x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- scatter_add
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5x3xcomplex<f32>>, tensor<4xi32>, tensor<4x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<5x3xcomplex<f32>>, %arg1: tensor<4xi32>, %arg2: tensor<4x3xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.broadcast_in_dim"(%0) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %2 = "stablehlo.compare"(%arg1, %1) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi1>
    %3 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
    %4 = "stablehlo.broadcast_in_dim"(%3) <{broadcast_dimensions = array<i64>}> : (tensor<i32>) -> tensor<4xi32>
    %5 = "stablehlo.add"(%arg1, %4) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %6 = "stablehlo.select"(%2, %5, %arg1) : (tensor<4xi1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
    %7 = "stablehlo.broadcast_in_dim"(%6) <{broadcast_dimensions = array<i64: 0>}> : (tensor<4xi32>) -> tensor<4x1xi32>
    %8 = "stablehlo.scatter"(%arg0, %7, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<complex<f32>>, %arg4: tensor<complex<f32>>):
      %9 = "stablehlo.add"(%arg3, %arg4) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
      "stablehlo.return"(%9) : (tensor<complex<f32>>) -> ()
    }) : (tensor<5x3xcomplex<f32>>, tensor<4x1xi32>, tensor<4x3xcomplex<f32>>) -> tensor<5x3xcomplex<f32>>
    "func.return"(%8) : (tensor<5x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- shapes
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x6xcomplex<f32>>) -> tensor<5x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg2: tensor<2x6xcomplex<f32>>):
    %2 = "stablehlo.reshape"(%arg2) : (tensor<2x6xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    %3 = "stablehlo.reverse"(%2) <{dimensions = array<i64: 0>}> : (tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
    %4 = "stablehlo.transpose"(%3) <{permutation = array<i64: 1, 0>}> : (tensor<3x4xcomplex<f32>>) -> tensor<4x3xcomplex<f32>>
    %5 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %6 = "func.call"(%4, %5) <{callee = @_pad}> : (tensor<4x3xcomplex<f32>>, tensor<i32>) -> tensor<5x5xcomplex<f32>>
    "func.return"(%6) : (tensor<5x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<4x3xcomplex<f32>>, tensor<i32>) -> tensor<5x5xcomplex<f32>>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x3xcomplex<f32>>, %arg1: tensor<i32>):
    %0 = "stablehlo.convert"(%arg1) : (tensor<i32>) -> tensor<complex<f32>>
    %1 = "stablehlo.pad"(%arg0, %0) <{edge_padding_high = array<i64: 0, 2>, edge_padding_low = array<i64: 1, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<4x3xcomplex<f32>>, tensor<complex<f32>>) -> tensor<5x5xcomplex<f32>>
    "func.return"(%1) : (tensor<5x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- scan
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<5x2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<5x2xcomplex<f32>>), res_attrs = [{jax.result_info = "result[0]"}, {jax.result_info = "result[1]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg7: tensor<5x2xcomplex<f32>>):
    %7 = "stablehlo.constant"() <{value = dense<(1.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %8 = "stablehlo.broadcast_in_dim"(%7) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<2xcomplex<f32>>
    %9 = "stablehlo.constant"() <{value = dense<(0.000000e+00,0.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %10 = "stablehlo.broadcast_in_dim"(%9) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<5x2xcomplex<f32>>
    %11 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %12:4 = "stablehlo.while"(%arg7, %11, %8, %10) ({
    ^bb0(%arg12: tensor<5x2xcomplex<f32>>, %arg13: tensor<i32>, %arg14: tensor<2xcomplex<f32>>, %arg15: tensor<5x2xcomplex<f32>>):
      %18 = "stablehlo.constant"() <{value = dense<5> : tensor<i32>}> : () -> tensor<i32>
      %19 = "stablehlo.compare"(%arg13, %18) <{compare_type = #stablehlo<comparison_type SIGNED>, comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%19) : (tensor<i1>) -> ()
    }, {
    ^bb0(%arg8: tensor<5x2xcomplex<f32>>, %arg9: tensor<i32>, %arg10: tensor<2xcomplex<f32>>, %arg11: tensor<5x2xcomplex<f32>>):
      %13 = "func.call"(%arg8, %arg9) <{callee = @dynamic_index_in_dim}> : (tensor<5x2xcomplex<f32>>, tensor<i32>) -> tensor<2xcomplex<f32>>
      %14:2 = "func.call"(%arg10, %13) <{callee = @closed_call}> : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>)
      %15 = "func.call"(%arg11, %14#1, %arg9) <{callee = @dynamic_update_index_in_dim}> : (tensor<5x2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>) -> tensor<5x2xcomplex<f32>>
      %16 = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %17 = "stablehlo.add"(%arg9, %16) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%arg8, %17, %14#0, %15) : (tensor<5x2xcomplex<f32>>, tensor<i32>, tensor<2xcomplex<f32>>, tensor<5x2xcomplex<f32>>) -> ()
    }) : (tensor<5x2xcomplex<f32>>, tensor<i32>, tensor<2xcomplex<f32>>, tensor<5x2xcomplex<f32>>) -> (tensor<5x2xcomplex<f32>>, tensor<i32>, tensor<2xcomplex<f32>>, tensor<5x2xcomplex<f32>>)
    "func.return"(%12#2, %12#3) : (tensor<2xcomplex<f32>>, tensor<5x2xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<5x2xcomplex<f32>>, tensor<i32>) -> tensor<2xcomplex<f32>>, res_attrs = [{}], sym_name = "dynamic_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg5: tensor<5x2xcomplex<f32>>, %arg6: tensor<i32>):
    %4 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %5 = "stablehlo.dynamic_slice"(%arg5, %arg6, %4) <{slice_sizes = array<i64: 1, 2>}> : (tensor<5x2xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<1x2xcomplex<f32>>
    %6 = "stablehlo.reshape"(%5) : (tensor<1x2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    "func.return"(%6) : (tensor<2xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>), res_attrs = [{}, {}], sym_name = "closed_call", sym_visibility = "private"}> ({
  ^bb0(%arg3: tensor<2xcomplex<f32>>, %arg4: tensor<2xcomplex<f32>>):
    %3 = "stablehlo.multiply"(%arg3, %arg4) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> tensor<2xcomplex<f32>>
    "func.return"(%3, %arg3) : (tensor<2xcomplex<f32>>, tensor<2xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<5x2xcomplex<f32>>, tensor<2xcomplex<f32>>, tensor<i32>) -> tensor<5x2xcomplex<f32>>, res_attrs = [{}], sym_name = "dynamic_update_index_in_dim", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<5x2xcomplex<f32>>, %arg1: tensor<2xcomplex<f32>>, %arg2: tensor<i32>):
    %0 = "stablehlo.broadcast_in_dim"(%arg1) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xcomplex<f32>>) -> tensor<1x2xcomplex<f32>>
    %1 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %2 = "stablehlo.dynamic_update_slice"(%arg0, %0, %arg2, %1) : (tensor<5x2xcomplex<f32>>, tensor<1x2xcomplex<f32>>, tensor<i32>, tensor<i32>) -> tensor<5x2xcomplex<f32>>
    "func.return"(%2) : (tensor<5x2xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- select
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<9xcomplex<f32>>, %arg4: tensor<9xcomplex<f32>>):
    %1 = "stablehlo.abs"(%arg3) : (tensor<9xcomplex<f32>>) -> tensor<9xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.500000e+00> : tensor<f32>}> : () -> tensor<f32>
    %3 = "stablehlo.broadcast_in_dim"(%2) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<9xf32>
    %4 = "stablehlo.compare"(%1, %3) <{compare_type = #stablehlo<comparison_type FLOAT>, comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<9xf32>, tensor<9xf32>) -> tensor<9xi1>
    %5 = "func.call"(%4, %arg3, %arg4) <{callee = @_where}> : (tensor<9xi1>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    "func.return"(%5) : (tensor<9xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}, {}], function_type = (tensor<9xi1>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>, res_attrs = [{}], sym_name = "_where", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<9xi1>, %arg1: tensor<9xcomplex<f32>>, %arg2: tensor<9xcomplex<f32>>):
    %0 = "stablehlo.select"(%arg0, %arg1, %arg2) : (tensor<9xi1>, tensor<9xcomplex<f32>>, tensor<9xcomplex<f32>>) -> tensor<9xcomplex<f32>>
    "func.return"(%0) : (tensor<9xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- convolution
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<1x4x4x2xcomplex<f32>>, tensor<3x3x2x3xcomplex<f32>>) -> tensor<1x4x4x3xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<1x4x4x2xcomplex<f32>>, %arg1: tensor<3x3x2x3xcomplex<f32>>):
    %0 = "stablehlo.real"(%arg0) : (tensor<1x4x4x2xcomplex<f32>>) -> tensor<1x4x4x2xf32>
    %1 = "stablehlo.imag"(%arg0) : (tensor<1x4x4x2xcomplex<f32>>) -> tensor<1x4x4x2xf32>
    %2 = "stablehlo.real"(%arg1) : (tensor<3x3x2x3xcomplex<f32>>) -> tensor<3x3x2x3xf32>
    %3 = "stablehlo.imag"(%arg1) : (tensor<3x3x2x3xcomplex<f32>>) -> tensor<3x3x2x3xf32>
    %4 = "stablehlo.add"(%0, %1) : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
    %5 = "stablehlo.convolution"(%4, %2) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x4x3xf32>
    %6 = "stablehlo.subtract"(%3, %2) : (tensor<3x3x2x3xf32>, tensor<3x3x2x3xf32>) -> tensor<3x3x2x3xf32>
    %7 = "stablehlo.convolution"(%0, %6) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x4x3xf32>
    %8 = "stablehlo.add"(%2, %3) : (tensor<3x3x2x3xf32>, tensor<3x3x2x3xf32>) -> tensor<3x3x2x3xf32>
    %9 = "stablehlo.convolution"(%1, %8) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 1>, padding = dense<1> : tensor<2x2xi64>, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>], rhs_dilation = array<i64: 1, 1>, window_reversal = array<i1: false, false>, window_strides = array<i64: 1, 1>}> : (tensor<1x4x4x2xf32>, tensor<3x3x2x3xf32>) -> tensor<1x4x4x3xf32>
    %10 = "stablehlo.subtract"(%5, %9) : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %11 = "stablehlo.add"(%5, %7) : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32>
    %12 = "stablehlo.complex"(%10, %11) : (tensor<1x4x4x3xf32>, tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xcomplex<f32>>
    "func.return"(%12) : (tensor<1x4x4x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- from_real
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<6xf32>) -> tensor<6xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg0: tensor<6xf32>):
    %0 = "stablehlo.convert"(%arg0) : (tensor<6xf32>) -> tensor<6xcomplex<f32>>
    %1 = "stablehlo.constant"() <{value = dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>}> : () -> tensor<complex<f32>>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<complex<f32>>) -> tensor<6xcomplex<f32>>
    %3 = "stablehlo.multiply"(%0, %2) : (tensor<6xcomplex<f32>>, tensor<6xcomplex<f32>>) -> tensor<6xcomplex<f32>>
    "func.return"(%3) : (tensor<6xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- fft
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x8xcomplex<f32>>):
    %1 = "func.call"(%arg1) <{callee = @fft}> : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    "func.return"(%1) : (tensor<2x8xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8xcomplex<f32>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<2x8xcomplex<f32>>) -> tensor<2x8xcomplex<f32>>
    "func.return"(%0) : (tensor<2x8xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- ifft_odd
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<3x5xcomplex<f32>>):
    %1 = "func.call"(%arg1) <{callee = @fft}> : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
    "func.return"(%1) : (tensor<3x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<3x5xcomplex<f32>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 5>, fft_type = #stablehlo<fft_type IFFT>}> : (tensor<3x5xcomplex<f32>>) -> tensor<3x5xcomplex<f32>>
    "func.return"(%0) : (tensor<3x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- fft2_c128
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<4x6xcomplex<f64>>):
    %1 = "func.call"(%arg1) <{callee = @fft}> : (tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>
    "func.return"(%1) : (tensor<4x6xcomplex<f64>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<4x6xcomplex<f64>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 4, 6>, fft_type = #stablehlo<fft_type FFT>}> : (tensor<4x6xcomplex<f64>>) -> tensor<4x6xcomplex<f64>>
    "func.return"(%0) : (tensor<4x6xcomplex<f64>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- rfft
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg1: tensor<2x8xf32>):
    %1 = "func.call"(%arg1) <{callee = @fft}> : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%1) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x8xf32>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<2x8xf32>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%0) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
// ----- irfft
"builtin.module"() <{sym_name = "jit__lambda"}> ({
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>, res_attrs = [{jax.result_info = "result[0]"}], sym_name = "main", sym_visibility = "public"}> ({
  ^bb0(%arg3: tensor<2x5xcomplex<f32>>):
    %3 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %4 = "func.call"(%arg3, %3) <{callee = @_pad}> : (tensor<2x5xcomplex<f32>>, tensor<i32>) -> tensor<2x5xcomplex<f32>>
    %5 = "func.call"(%4) <{callee = @fft}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    "func.return"(%5) : (tensor<2x8xf32>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}, {}], function_type = (tensor<2x5xcomplex<f32>>, tensor<i32>) -> tensor<2x5xcomplex<f32>>, res_attrs = [{}], sym_name = "_pad", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x5xcomplex<f32>>, %arg2: tensor<i32>):
    %1 = "stablehlo.convert"(%arg2) : (tensor<i32>) -> tensor<complex<f32>>
    %2 = "stablehlo.pad"(%arg1, %1) <{edge_padding_high = array<i64: 0, 0>, edge_padding_low = array<i64: 0, 0>, interior_padding = array<i64: 0, 0>}> : (tensor<2x5xcomplex<f32>>, tensor<complex<f32>>) -> tensor<2x5xcomplex<f32>>
    "func.return"(%2) : (tensor<2x5xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{arg_attrs = [{}], function_type = (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>, res_attrs = [{}], sym_name = "fft", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x5xcomplex<f32>>):
    %0 = "stablehlo.fft"(%arg0) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type IRFFT>}> : (tensor<2x5xcomplex<f32>>) -> tensor<2x8xf32>
    "func.return"(%0) : (tensor<2x8xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()
