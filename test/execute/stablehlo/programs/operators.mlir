// ----- logistic
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "stablehlo.logistic"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%0) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- logistic_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<7xf64>) -> tensor<7xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<7xf64>):
    %0 = "stablehlo.logistic"(%arg0) : (tensor<7xf64>) -> tensor<7xf64>
    "func.return"(%0) : (tensor<7xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- chlo_tan
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "chlo.tan"(%arg0) : (tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%0) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- chlo_tan_c128
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xcomplex<f64>>):
    %0 = "chlo.tan"(%arg0) : (tensor<5xcomplex<f64>>) -> tensor<5xcomplex<f64>>
    "func.return"(%0) : (tensor<5xcomplex<f64>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- top_k_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x9xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x9xi32>):
    %0:2 = "chlo.top_k"(%arg0) <{k = 4 : i64}> : (tensor<2x9xi32>) -> (tensor<2x4xi32>, tensor<2x4xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2x4xi32>, tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- map
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<3x4xf32>):
    %0 = "stablehlo.map"(%arg0, %arg1) <{dimensions = array<i64: 0, 1>}> ({
    ^bb0(%arg2: tensor<f32>, %arg3: tensor<f32>):
      %1 = "stablehlo.sine"(%arg2) : (tensor<f32>) -> tensor<f32>
      %2 = "stablehlo.multiply"(%1, %arg3) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%2) : (tensor<f32>) -> ()
    }) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%0) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- map_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi32>) -> tensor<5xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi32>):
    %0 = "stablehlo.map"(%arg0) <{dimensions = array<i64: 0>}> ({
    ^bb0(%arg1: tensor<i32>):
      %1 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1) : (tensor<i32>) -> ()
    }) : (tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%0) : (tensor<5xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_inf
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf32>) -> tensor<5xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf32>):
    %0 = "chlo.is_inf"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    "func.return"(%0) : (tensor<5xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_inf_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> tensor<2x3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    %0 = "chlo.is_inf"(%arg0) : (tensor<2x3xf64>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_pos_inf
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf32>) -> tensor<5xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf32>):
    %0 = "chlo.is_pos_inf"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    "func.return"(%0) : (tensor<5xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_pos_inf_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> tensor<2x3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    %0 = "chlo.is_pos_inf"(%arg0) : (tensor<2x3xf64>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_neg_inf
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf32>) -> tensor<5xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xf32>):
    %0 = "chlo.is_neg_inf"(%arg0) : (tensor<5xf32>) -> tensor<5xi1>
    "func.return"(%0) : (tensor<5xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- is_neg_inf_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>) -> tensor<2x3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>):
    %0 = "chlo.is_neg_inf"(%arg0) : (tensor<2x3xf64>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- constant_like
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "chlo.constant_like"(%arg0) <{value = 2.500000e+00 : f32}> : (tensor<3x4xf32>) -> tensor<3x4xf32>
    %1 = "stablehlo.multiply"(%arg0, %0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%1) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- constant_like_i64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi64>) -> tensor<5xi64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi64>):
    %0 = "chlo.constant_like"(%arg0) <{value = 3 : i64}> : (tensor<5xi64>) -> tensor<5xi64>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<5xi64>, tensor<5xi64>) -> tensor<5xi64>
    "func.return"(%1) : (tensor<5xi64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- chlo_constant
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> tensor<3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    %0 = "chlo.constant"() <{value = dense<[1.000000e+00, 2.000000e+00, 3.000000e+00]> : tensor<3xf32>}> : () -> tensor<3xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%1) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- chlo_constant_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xui8>) -> tensor<4xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xui8>):
    %0 = "chlo.constant"() <{value = dense<200> : tensor<4xui8>}> : () -> tensor<4xui8>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<4xui8>, tensor<4xui8>) -> tensor<4xui8>
    "func.return"(%1) : (tensor<4xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- conj
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xcomplex<f32>>):
    %0 = "chlo.conj"(%arg0) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- conj_scalar_c128
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<complex<f64>>) -> tensor<complex<f64>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<complex<f64>>):
    %0 = "chlo.conj"(%arg0) : (tensor<complex<f64>>) -> tensor<complex<f64>>
    "func.return"(%0) : (tensor<complex<f64>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_add
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_add_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_add"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_subtract
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_subtract_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_subtract"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_multiply
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_multiply_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_multiply"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_divide
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_divide_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_divide"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_maximum
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_maximum_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_maximum"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_minimum
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_minimum_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_minimum"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_atan2
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_atan2_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_atan2"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_power
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_power_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_power"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_remainder
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_remainder_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_remainder"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_next_after
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_next_after_ones_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xf64>, %arg1: tensor<2x1xf64>):
    %0 = "chlo.broadcast_next_after"(%arg0, %arg1) : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_and
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_and_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_and"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_or
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_or_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_or"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_xor
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_xor_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_xor"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_left
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_left_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_shift_left"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_right_arithmetic
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_right_arithmetic_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_shift_right_arithmetic"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_right_logical
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x2xi32>, %arg1: tensor<i32>):
    %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>
    "func.return"(%0) : (tensor<4x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_shift_right_logical_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xui8>, %arg1: tensor<2x3xui8>):
    %0 = "chlo.broadcast_shift_right_logical"(%arg0, %arg1) : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>
    "func.return"(%0) : (tensor<2x3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_dimensions
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>):
    %0 = "chlo.broadcast_multiply"(%arg0, %arg1) <{broadcast_dimensions = array<i64: 0>}> : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_zeta_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_zeta_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<3xf64>):
    %0 = "chlo.broadcast_zeta"(%arg0, %arg1) : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_polygamma_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_polygamma_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf64>, %arg1: tensor<3xf64>):
    %0 = "chlo.broadcast_polygamma"(%arg0, %arg1) : (tensor<2x3xf64>, tensor<3xf64>) -> tensor<2x3xf64>
    "func.return"(%0) : (tensor<2x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_compare
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>):
    %0 = "chlo.broadcast_compare"(%arg0, %arg1) <{comparison_direction = #chlo<comparison_direction LT>}> : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_compare_ui32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xui32>, %arg1: tensor<3xui32>):
    %0 = "chlo.broadcast_compare"(%arg0, %arg1) <{comparison_direction = #chlo<comparison_direction GE>}> : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xi1>
    "func.return"(%0) : (tensor<2x3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_select
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi1>, %arg1: tensor<2x3xf32>, %arg2: tensor<1x3xf32>):
    %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<3xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_select_scalar
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<2xi32>, %arg2: tensor<i32>):
    %0 = "chlo.broadcast_select"(%arg0, %arg1, %arg2) : (tensor<i1>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_complex
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<3xf32>):
    %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
    "func.return"(%0) : (tensor<2x3xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- broadcast_complex_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4xf64>, %arg1: tensor<f64>):
    %0 = "chlo.broadcast_complex"(%arg0, %arg1) : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>
    "func.return"(%0) : (tensor<4xcomplex<f64>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_broadcast_in_dim
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[3, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %0) <{broadcast_dimensions = array<i64: 0>}> : (tensor<3xf32>, tensor<2xi64>) -> tensor<3x4xf32>
    "func.return"(%1) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_broadcast_in_dim_i8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x3xi8>) -> tensor<2x3xi8>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x3xi8>):
    %0 = "stablehlo.constant"() <{value = dense<[2, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "stablehlo.dynamic_broadcast_in_dim"(%arg0, %0) <{broadcast_dimensions = array<i64: 0, 1>}> : (tensor<1x3xi8>, tensor<2xi32>) -> tensor<2x3xi8>
    "func.return"(%1) : (tensor<2x3xi8>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_reshape
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x6xf32>) -> tensor<4x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[4, 3]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.dynamic_reshape"(%arg0, %0) : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<4x3xf32>
    "func.return"(%1) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_reshape_complex
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xcomplex<f32>>) -> tensor<6xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xcomplex<f32>>):
    %0 = "stablehlo.constant"() <{value = dense<6> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.dynamic_reshape"(%arg0, %0) : (tensor<2x3xcomplex<f32>>, tensor<1xi32>) -> tensor<6xcomplex<f32>>
    "func.return"(%1) : (tensor<6xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_iota
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[3, 4]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.dynamic_iota"(%0) <{iota_dimension = 1 : i64}> : (tensor<2xi64>) -> tensor<3x4xf32>
    %2 = "stablehlo.add"(%arg0, %1) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%2) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_iota_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi32>) -> tensor<5xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi32>):
    %0 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.dynamic_iota"(%0) <{iota_dimension = 0 : i64}> : (tensor<1xi32>) -> tensor<5xi32>
    %2 = "stablehlo.multiply"(%arg0, %1) : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi32>
    "func.return"(%2) : (tensor<5xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_pad
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>, tensor<f32>) -> tensor<3x9xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<f32>):
    %0 = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[-1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<[0, 1]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %3 = "stablehlo.dynamic_pad"(%arg0, %arg1, %0, %1, %2) : (tensor<3x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x9xf32>
    "func.return"(%3) : (tensor<3x9xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_pad_i16
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xi16>) -> tensor<5xi16>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3xi16>):
    %0 = "stablehlo.constant"() <{value = dense<7> : tensor<i16>}> : () -> tensor<i16>
    %1 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<0> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "stablehlo.dynamic_pad"(%arg0, %0, %1, %2, %2) : (tensor<3xi16>, tensor<i16>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi16>
    "func.return"(%3) : (tensor<5xi16>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- real_dynamic_slice
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[1, 0]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %1 = "stablehlo.constant"() <{value = dense<[3, 6]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %2 = "stablehlo.constant"() <{value = dense<[1, 2]> : tensor<2xi64>}> : () -> tensor<2xi64>
    %3 = "stablehlo.real_dynamic_slice"(%arg0, %0, %1, %2) : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>
    "func.return"(%3) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- real_dynamic_slice_i1
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<7xi1>) -> tensor<3xi1>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<7xi1>):
    %0 = "stablehlo.constant"() <{value = dense<2> : tensor<1xi32>}> : () -> tensor<1xi32>
    %1 = "stablehlo.constant"() <{value = dense<5> : tensor<1xi32>}> : () -> tensor<1xi32>
    %2 = "stablehlo.constant"() <{value = dense<1> : tensor<1xi32>}> : () -> tensor<1xi32>
    %3 = "stablehlo.real_dynamic_slice"(%arg0, %0, %1, %2) : (tensor<7xi1>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi1>
    "func.return"(%3) : (tensor<3xi1>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_gather
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x3xf32>, tensor<4x1xi32>) -> tensor<4x1x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x3xf32>, %arg1: tensor<4x1xi32>):
    %0 = "stablehlo.constant"() <{value = dense<[1, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "stablehlo.dynamic_gather"(%arg0, %arg1, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x3xf32>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<4x3xf32>) -> tensor<4x1x3xf32>
    "func.return"(%2) : (tensor<4x1x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_gather_i64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x3xi64>, tensor<4x1xi32>) -> tensor<4x1x3xi64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5x3xi64>, %arg1: tensor<4x1xi32>):
    %0 = "stablehlo.constant"() <{value = dense<[1, 3]> : tensor<2xi32>}> : () -> tensor<2xi32>
    %1 = "stablehlo.dynamic_gather"(%arg0, %arg1, %0) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<5x3xi64>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x3xi64>
    %2 = "stablehlo.reshape"(%1) : (tensor<4x3xi64>) -> tensor<4x1x3xi64>
    "func.return"(%2) : (tensor<4x1x3xi64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_conv
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x5x5x2xf32>, tensor<3x2x2x3xf32>) -> tensor<1x6x5x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x5x5x2xf32>, %arg1: tensor<3x2x2x3xf32>):
    %0 = "stablehlo.constant"() <{value = dense<[[1, 2], [0, 1]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
    %1 = "stablehlo.dynamic_conv"(%arg0, %arg1, %0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x5x5x2xf32>, tensor<3x2x2x3xf32>, tensor<2x2xi64>) -> tensor<1x6x5x3xf32>
    "func.return"(%1) : (tensor<1x6x5x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dynamic_conv_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<1x5x5x2xf64>, tensor<3x2x2x3xf64>) -> tensor<1x3x6x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<1x5x5x2xf64>, %arg1: tensor<3x2x2x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<[[-1, 1], [2, 0]]> : tensor<2x2xi64>}> : () -> tensor<2x2xi64>
    %1 = "stablehlo.dynamic_conv"(%arg0, %arg1, %0) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x5x5x2xf64>, tensor<3x2x2x3xf64>, tensor<2x2xi64>) -> tensor<1x3x6x3xf64>
    "func.return"(%1) : (tensor<1x3x6x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- get_dimension_size
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 1 : i64}> : (tensor<3x4xf32>) -> tensor<i32>
    %1 = "stablehlo.convert"(%0) : (tensor<i32>) -> tensor<f32>
    %2 = "stablehlo.broadcast_in_dim"(%1) <{broadcast_dimensions = array<i64>}> : (tensor<f32>) -> tensor<3x4xf32>
    %3 = "stablehlo.multiply"(%arg0, %2) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%3) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- get_dimension_size_ui8
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xui8>) -> tensor<i32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xui8>):
    %0 = "stablehlo.get_dimension_size"(%arg0) <{dimension = 0 : i64}> : (tensor<5xui8>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- set_dimension_size
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>) -> tensor<3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.set_dimension_size"(%arg0, %0) <{dimension = 1 : i64}> : (tensor<3x4xf32>, tensor<i32>) -> tensor<3x4xf32>
    %2 = "stablehlo.add"(%1, %arg0) : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
    "func.return"(%2) : (tensor<3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- set_dimension_size_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xi32>) -> tensor<3x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xi32>):
    %0 = "stablehlo.constant"() <{value = dense<4> : tensor<i32>}> : () -> tensor<i32>
    %1 = "stablehlo.set_dimension_size"(%arg0, %0) <{dimension = 1 : i64}> : (tensor<3x4xi32>, tensor<i32>) -> tensor<3x4xi32>
    %2 = "stablehlo.add"(%1, %arg0) : (tensor<3x4xi32>, tensor<3x4xi32>) -> tensor<3x4xi32>
    "func.return"(%2) : (tensor<3x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- cholesky
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x4xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 1, 0>}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    %3 = "stablehlo.multiply"(%1, %2) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    %4 = "stablehlo.cholesky"(%3) <{lower = true}> : (tensor<4x4xf32>) -> tensor<4x4xf32>
    %5 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<4x4xi32>
    %6 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x4xi32>
    %7 = "stablehlo.compare"(%5, %6) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi1>
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<4x4xf32>}> : () -> tensor<4x4xf32>
    %9 = "stablehlo.select"(%7, %4, %8) : (tensor<4x4xi1>, tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    "func.return"(%9) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- cholesky_upper
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x3xf32>):
    %0 = "stablehlo.transpose"(%arg0) <{permutation = array<i64: 0, 2, 1>}> : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %1 = "stablehlo.add"(%arg0, %0) : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %2 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2x3x3xf32>}> : () -> tensor<2x3x3xf32>
    %3 = "stablehlo.multiply"(%1, %2) : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %4 = "stablehlo.cholesky"(%3) <{lower = false}> : (tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %5 = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<2x3x3xi32>
    %6 = "stablehlo.iota"() <{iota_dimension = 2 : i64}> : () -> tensor<2x3x3xi32>
    %7 = "stablehlo.compare"(%5, %6) <{comparison_direction = #stablehlo<comparison_direction LE>}> : (tensor<2x3x3xi32>, tensor<2x3x3xi32>) -> tensor<2x3x3xi1>
    %8 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<2x3x3xf32>}> : () -> tensor<2x3x3xf32>
    %9 = "stablehlo.select"(%7, %4, %8) : (tensor<2x3x3xi1>, tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    "func.return"(%9) : (tensor<2x3x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- triangular_solve
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x3xf32>, %arg1: tensor<3x2xf32>):
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf32>, tensor<3x2xf32>) -> tensor<3x2xf32>
    "func.return"(%0) : (tensor<3x2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- triangular_solve_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x3xf64>, %arg1: tensor<3x2xf64>):
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x3xf64>, tensor<3x2xf64>) -> tensor<3x2xf64>
    "func.return"(%0) : (tensor<3x2xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- triangular_solve_adjoint
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x3xcomplex<f32>>, %arg1: tensor<3x2xcomplex<f32>>):
    %0 = "stablehlo.triangular_solve"(%arg0, %arg1) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = false}> : (tensor<3x3xcomplex<f32>>, tensor<3x2xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
    "func.return"(%0) : (tensor<3x2xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dot
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<3x4xf32>, %arg1: tensor<4x2xf32>):
    %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>
    "func.return"(%0) : (tensor<3x2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- dot_vectors_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xi32>, tensor<5xi32>) -> tensor<i32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<5xi32>, %arg1: tensor<5xi32>):
    %0 = "stablehlo.dot"(%arg0, %arg1) : (tensor<5xi32>, tensor<5xi32>) -> tensor<i32>
    "func.return"(%0) : (tensor<i32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- ragged_dot
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x4xf32>, %arg1: tensor<3x4x5xf32>, %arg2: tensor<3xi32>):
    %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}> : (tensor<6x4xf32>, tensor<3x4x5xf32>, tensor<3xi32>) -> tensor<6x5xf32>
    "func.return"(%0) : (tensor<6x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- ragged_dot_batch_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x6x4xf64>, tensor<3x2x4x5xf64>, tensor<2x3xi32>) -> tensor<2x6x5xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x6x4xf64>, %arg1: tensor<3x2x4x5xf64>, %arg2: tensor<2x3xi32>):
    %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x6x4xf64>, tensor<3x2x4x5xf64>, tensor<2x3xi32>) -> tensor<2x6x5xf64>
    "func.return"(%0) : (tensor<2x6x5xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- ragged_dot_contracting
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<4x6xf32>, %arg1: tensor<6x5xf32>, %arg2: tensor<3xi32>):
    %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}> : (tensor<4x6xf32>, tensor<6x5xf32>, tensor<3xi32>) -> tensor<3x4x5xf32>
    "func.return"(%0) : (tensor<3x4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- ragged_dot_batches
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x2x4xf32>, tensor<6x4x3xf32>, tensor<3xi32>) -> tensor<6x2x3xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x2x4xf32>, %arg1: tensor<6x4x3xf32>, %arg2: tensor<3xi32>):
    %0 = "chlo.ragged_dot"(%arg0, %arg1, %arg2) <{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}> : (tensor<6x2x4xf32>, tensor<6x4x3xf32>, tensor<3xi32>) -> tensor<6x2x3xf32>
    "func.return"(%0) : (tensor<6x2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_inference
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x3x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>, %arg3: tensor<4xf32>, %arg4: tensor<4xf32>):
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.000000e-03 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x3x3x4xf32>
    "func.return"(%0) : (tensor<2x3x3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_training
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<4xf32>):
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_grad
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<2x3x3x4xf32>) -> (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3x3x4xf32>, %arg1: tensor<4xf32>, %arg2: tensor<2x3x3x4xf32>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<4xf32>}> : () -> tensor<4xf32>
    %1:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %0) <{epsilon = 1.000000e-03 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    %2:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %1#1, %1#2, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 3 : i64}> : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<2x3x3x4xf32>) -> (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>)
    "func.return"(%2#0, %2#1, %2#2) : (tensor<2x3x3x4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_inference_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<6x3xf64>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<3xf64>, %arg3: tensor<3xf64>, %arg4: tensor<3xf64>):
    %0 = "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg2, %arg3, %arg4) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<6x3xf64>
    "func.return"(%0) : (tensor<6x3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_training_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<3xf64>):
    %0:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>)
    "func.return"(%0#0, %0#1, %0#2) : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- batch_norm_grad_f64
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<6x3xf64>, tensor<3xf64>, tensor<6x3xf64>) -> (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<6x3xf64>, %arg1: tensor<3xf64>, %arg2: tensor<6x3xf64>):
    %0 = "stablehlo.constant"() <{value = dense<0.000000e+00> : tensor<3xf64>}> : () -> tensor<3xf64>
    %1:3 = "stablehlo.batch_norm_training"(%arg0, %arg1, %0) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) -> (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>)
    %2:3 = "stablehlo.batch_norm_grad"(%arg0, %arg1, %1#1, %1#2, %arg2) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<6x3xf64>) -> (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>)
    "func.return"(%2#0, %2#1, %2#2) : (tensor<6x3xf64>, tensor<3xf64>, tensor<3xf64>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- if
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<4xf32>):
    %0 = "stablehlo.if"(%arg0) ({
      %2 = "stablehlo.sine"(%arg1) : (tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%2) : (tensor<4xf32>) -> ()
    }, {
      %1 = "stablehlo.multiply"(%arg1, %arg1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      "stablehlo.return"(%1) : (tensor<4xf32>) -> ()
    }) : (tensor<i1>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- if_two_results
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<i1>, tensor<2x3xi32>) -> (tensor<2x3xi32>, tensor<2x3xi32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<i1>, %arg1: tensor<2x3xi32>):
    %0:2 = "stablehlo.if"(%arg0) ({
      %2 = "stablehlo.constant"() <{value = dense<1> : tensor<2x3xi32>}> : () -> tensor<2x3xi32>
      %3 = "stablehlo.add"(%arg1, %2) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
      "stablehlo.return"(%arg1, %3) : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    }, {
      %1 = "stablehlo.add"(%arg1, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> tensor<2x3xi32>
      "stablehlo.return"(%1, %arg1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
    }) : (tensor<i1>) -> (tensor<2x3xi32>, tensor<2x3xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2x3xi32>, tensor<2x3xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- tuple
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>, sym_name = "main"}> ({
  ^bb0(%arg1: tensor<3xf32>, %arg2: tensor<3xf32>):
    %0 = "stablehlo.tuple"(%arg1, %arg2) : (tensor<3xf32>, tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
    %1 = "func.call"(%0) <{callee = @keep}> : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tuple<tensor<3xf32>, tensor<3xf32>>
    %2 = "stablehlo.get_tuple_element"(%1) <{index = 0 : i32}> : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
    %3 = "stablehlo.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
    %4 = "stablehlo.multiply"(%2, %3) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
    "func.return"(%4) : (tensor<3xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tuple<tensor<3xf32>, tensor<3xf32>>) -> tuple<tensor<3xf32>, tensor<3xf32>>, sym_name = "keep", sym_visibility = "private"}> ({
  ^bb0(%arg0: tuple<tensor<3xf32>, tensor<3xf32>>):
    "func.return"(%arg0) : (tuple<tensor<3xf32>, tensor<3xf32>>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- nested_tuple
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>, tensor<2x2xi32>) -> tensor<2x2xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2xf32>, %arg1: tensor<2x2xi32>):
    %0 = "stablehlo.tuple"(%arg1) : (tensor<2x2xi32>) -> tuple<tensor<2x2xi32>>
    %1 = "stablehlo.tuple"(%arg0, %0) : (tensor<2xf32>, tuple<tensor<2x2xi32>>) -> tuple<tensor<2xf32>, tuple<tensor<2x2xi32>>>
    %2 = "stablehlo.get_tuple_element"(%1) <{index = 1 : i32}> : (tuple<tensor<2xf32>, tuple<tensor<2x2xi32>>>) -> tuple<tensor<2x2xi32>>
    %3 = "stablehlo.get_tuple_element"(%2) <{index = 0 : i32}> : (tuple<tensor<2x2xi32>>) -> tensor<2x2xi32>
    %4 = "stablehlo.constant"() <{value = dense<1> : tensor<2x2xi32>}> : () -> tensor<2x2xi32>
    %5 = "stablehlo.add"(%3, %4) : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
    "func.return"(%5) : (tensor<2x2xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- composite_nested
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, sym_name = "main"}> ({
  ^bb0(%arg2: tensor<2x2xf32>):
    %4 = "stablehlo.composite"(%arg2) <{decomposition = @outer, name = "test.shifted_cosine"}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%4) : (tensor<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, sym_name = "outer", sym_visibility = "private"}> ({
  ^bb0(%arg1: tensor<2x2xf32>):
    %1 = "stablehlo.composite"(%arg1) <{decomposition = @inner, name = "test.cosine"}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %2 = "stablehlo.constant"() <{value = dense<1.000000e+00> : tensor<2x2xf32>}> : () -> tensor<2x2xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%3) : (tensor<2x2xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, sym_name = "inner", sym_visibility = "private"}> ({
  ^bb0(%arg0: tensor<2x2xf32>):
    %0 = "stablehlo.cosine"(%arg0) : (tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- scan
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>, %arg1: tensor<2xf32>):
    %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 1 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: tensor<2xf32>, %arg3: tensor<2xf32>):
      %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2xf32>}> : () -> tensor<2xf32>
      %2 = "stablehlo.multiply"(%arg3, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %3 = "stablehlo.add"(%2, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %4 = "stablehlo.tanh"(%arg3) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%4, %3) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) : (tensor<2x4xf32>, tensor<2xf32>) -> (tensor<2x4xf32>, tensor<2xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2x4xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- scan_reverse
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x3xf32>, %arg1: tensor<2xf32>):
    %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: tensor<2xf32>, %arg3: tensor<2xf32>):
      %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2xf32>}> : () -> tensor<2xf32>
      %2 = "stablehlo.multiply"(%arg3, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %3 = "stablehlo.add"(%2, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %4 = "stablehlo.tanh"(%arg3) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%4, %3) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2x3xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- scan_long
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x200xf32>, tensor<2xf32>) -> (tensor<2x200xf32>, tensor<2xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x200xf32>, %arg1: tensor<2xf32>):
    %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 1 : i64, is_reverse = false, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: tensor<2xf32>, %arg3: tensor<2xf32>):
      %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2xf32>}> : () -> tensor<2xf32>
      %2 = "stablehlo.multiply"(%arg3, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %3 = "stablehlo.add"(%2, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %4 = "stablehlo.tanh"(%arg3) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%4, %3) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) : (tensor<2x200xf32>, tensor<2xf32>) -> (tensor<2x200xf32>, tensor<2xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2x200xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- scan_long_reverse
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x150xf32>, tensor<2xf32>) -> (tensor<2x150xf32>, tensor<2xf32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x150xf32>, %arg1: tensor<2xf32>):
    %0:2 = "chlo.scan"(%arg0, %arg1) <{dimension = 1 : i64, is_reverse = true, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}> ({
    ^bb0(%arg2: tensor<2xf32>, %arg3: tensor<2xf32>):
      %1 = "stablehlo.constant"() <{value = dense<5.000000e-01> : tensor<2xf32>}> : () -> tensor<2xf32>
      %2 = "stablehlo.multiply"(%arg3, %1) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %3 = "stablehlo.add"(%2, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
      %4 = "stablehlo.tanh"(%arg3) : (tensor<2xf32>) -> tensor<2xf32>
      "stablehlo.return"(%4, %3) : (tensor<2xf32>, tensor<2xf32>) -> ()
    }) : (tensor<2x150xf32>, tensor<2xf32>) -> (tensor<2x150xf32>, tensor<2xf32>)
    "func.return"(%0#0, %0#1) : (tensor<2x150xf32>, tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_reduce_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- reduce_scatter_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<f32>, %arg2: tensor<f32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_gather_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_to_all_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- collective_broadcast_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- collective_permute_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> tensor<2x4xf32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%0) : (tensor<2x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- partition_id_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<ui32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%1, %0) : (tensor<2x4xf32>, tensor<ui32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- replica_id_f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<ui32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xf32>):
    %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
    "func.return"(%1, %0) : (tensor<2x4xf32>, tensor<ui32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_reduce_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.all_reduce"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- reduce_scatter_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.reduce_scatter"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>, scatter_dimension = 1 : i64}> ({
    ^bb0(%arg1: tensor<i32>, %arg2: tensor<i32>):
      %1 = "stablehlo.add"(%arg1, %arg2) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%1) : (tensor<i32>) -> ()
    }) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_gather_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- all_to_all_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.all_to_all"(%arg0) <{concat_dimension = 1 : i64, replica_groups = dense<0> : tensor<1x1xi64>, split_count = 1 : i64, split_dimension = 0 : i64}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- collective_broadcast_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.collective_broadcast"(%arg0) <{replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- collective_permute_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> tensor<2x4xi32>, sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.collective_permute"(%arg0) <{source_target_pairs = dense<0> : tensor<1x2xi64>}> : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%0) : (tensor<2x4xi32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- partition_id_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<ui32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.partition_id"() : () -> tensor<ui32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%1, %0) : (tensor<2x4xi32>, tensor<ui32>) -> ()
  }) : () -> ()
}) : () -> ()
// ----- replica_id_i32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4xi32>) -> (tensor<2x4xi32>, tensor<ui32>), sym_name = "main"}> ({
  ^bb0(%arg0: tensor<2x4xi32>):
    %0 = "stablehlo.replica_id"() : () -> tensor<ui32>
    %1 = "stablehlo.negate"(%arg0) : (tensor<2x4xi32>) -> tensor<2x4xi32>
    "func.return"(%1, %0) : (tensor<2x4xi32>, tensor<ui32>) -> ()
  }) : () -> ()
}) : () -> ()
