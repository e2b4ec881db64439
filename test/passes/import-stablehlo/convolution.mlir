// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK: raf.transpose %{{.*}} permutation = [0, 3, 1, 2]
// CHECK: raf.transpose %{{.*}} permutation = [3, 2, 0, 1]
// CHECK: raf.conv %{{.*}} strides = [2, 2] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] :
// CHECK: raf.transpose %{{.*}} permutation = [0, 2, 3, 1]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x4x4x4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x8x8x3xf32>, %w: tensor<3x3x3x4xf32>):
    %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, padding = dense<1> : tensor<2x2xi64>, window_strides = array<i64: 2, 2>}> : (tensor<2x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<2x4x4x4xf32>
    "func.return"(%0) : (tensor<2x4x4x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The gradient of the weights, as JAX writes it: features first, the strides as dilation of the window.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.conv %
// CHECK: raf.conv_weight_grad %{{.*}} strides = [2, 2] pad_low = [0, 0] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<2x4x4x4xf32>) -> tensor<4x3x3x3xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x8x8x3xf32>, tensor<2x4x4x4xf32>) -> tensor<3x3x3x4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x8x8x3xf32>, %w: tensor<2x4x4x4xf32>):
    %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f]>, feature_group_count = 1 : i64, padding = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>, rhs_dilation = array<i64: 2, 2>}> : (tensor<2x8x8x3xf32>, tensor<2x4x4x4xf32>) -> tensor<3x3x3x4xf32>
    "func.return"(%0) : (tensor<3x3x3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The gradient of the input: the strides as dilation of the operand, the window reversed.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.reverse
// CHECK: raf.conv_input_grad %{{.*}} strides = [2, 2] pad_low = [0, 0] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x4x4xf32>, tensor<4x3x3x3xf32>) -> tensor<2x3x8x8xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x4x4xf32>, tensor<3x3x3x4xf32>) -> tensor<2x8x8x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x4x4x4xf32>, %w: tensor<3x3x3x4xf32>):
    %r = "stablehlo.reverse"(%w) <{dimensions = array<i64: 0, 1>}> : (tensor<3x3x3x4xf32>) -> tensor<3x3x3x4xf32>
    %0 = "stablehlo.convolution"(%x, %r) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 2, 2>, padding = dense<[[2, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<2x4x4x4xf32>, tensor<3x3x3x4xf32>) -> tensor<2x8x8x3xf32>
    "func.return"(%0) : (tensor<2x8x8x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Groups of the batch are groups of features after a regrouping; negative padding crops.
// CHECK-LABEL: func.func @main(
// CHECK: raf.reshape %{{.*}} : tensor<4x3x8xf32> to tensor<2x2x3x8xf32>
// CHECK: raf.transpose %{{.*}} permutation = [1, 0, 2, 3]
// CHECK: raf.pad %{{.*}} low = [0, 0, -1] high = [0, 0, 0]
// CHECK: raf.conv %{{.*}} groups = 2
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x3x8xf32>, tensor<6x3x2xf32>) -> tensor<2x6x6xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4x3x8xf32>, %w: tensor<6x3x2xf32>):
    %0 = "stablehlo.convolution"(%x, %w) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0]x[o, i, 0]->[b, f, 0]>, feature_group_count = 1 : i64, padding = dense<[[-1, 0]]> : tensor<1x2xi64>}> : (tensor<4x3x8xf32>, tensor<6x3x2xf32>) -> tensor<2x6x6xf32>
    "func.return"(%0) : (tensor<2x6x6xf32>) -> ()
  }) : () -> ()
}) : () -> ()
