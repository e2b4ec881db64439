// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// Dimensions of a broadcast in another order than the result's are transposed first.
// CHECK-LABEL: func.func @main(
// CHECK: %[[T:.*]] = raf.transpose %{{.*}} permutation = [1, 0]
// CHECK: raf.broadcast %[[T]] dims = [0, 2] : tensor<3x2xf32> to tensor<3x5x2xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<3x5x2xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x3xf32>):
    %0 = "stablehlo.broadcast_in_dim"(%a) <{broadcast_dimensions = array<i64: 2, 0>}> : (tensor<2x3xf32>) -> tensor<3x5x2xf32>
    "func.return"(%0) : (tensor<3x5x2xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Padding with a value that is not constant: zeros, and the value where nothing was.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32> {{.*}}, %[[V:.*]]: tensor<f32>
// CHECK-DAG: %[[P:.*]] = raf.pad %[[A]] low = [1] high = [-1] interior = [1] value = 0.0
// CHECK-DAG: %[[M:.*]] = raf.pad %{{.*}} : tensor<4xi1> -> tensor<7xi1>
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[V]]
// CHECK: raf.select %[[M]], %[[P]], %[[B]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>, %v: tensor<f32>):
    %0 = "stablehlo.pad"(%a, %v) <{edge_padding_low = array<i64: 1>, edge_padding_high = array<i64: -1>, interior_padding = array<i64: 1>}> : (tensor<4xf32>, tensor<f32>) -> tensor<7xf32>
    "func.return"(%0) : (tensor<7xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Starts that are known, clamped, make slices and concatenations; others stay.
// CHECK-LABEL: func.func @main(
// CHECK: raf.slice %{{.*}} starts = [2, 0] limits = [4, 8]
// CHECK: raf.concat %{{.*}} axis = 0
// CHECK: raf.dynamic_slice %{{.*}}[%[[N:.*]], %{{.*}}] : tensor<4x8xf32>, tensor<i32> -> tensor<2x8xf32>
// CHECK: raf.dynamic_update_slice %{{.*}}, %{{.*}}[%[[N]], %{{.*}}]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<i32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>, %n: tensor<i32>):
    %c = "stablehlo.constant"() <{value = dense<7> : tensor<i32>}> : () -> tensor<i32>
    %0 = "stablehlo.dynamic_slice"(%a, %c, %c) <{slice_sizes = array<i64: 2, 8>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
    %1 = "stablehlo.dynamic_update_slice"(%a, %0, %c, %c) : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    %2 = "stablehlo.dynamic_slice"(%1, %n, %c) <{slice_sizes = array<i64: 2, 8>}> : (tensor<4x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>
    %3 = "stablehlo.dynamic_update_slice"(%1, %2, %n, %c) : (tensor<4x8xf32>, tensor<2x8xf32>, tensor<i32>, tensor<i32>) -> tensor<4x8xf32>
    "func.return"(%3) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Forms with sizes as operands, once the sizes are known.
// CHECK-LABEL: func.func @main(
// CHECK: raf.slice %{{.*}} starts = [1] limits = [3] strides = [1]
// CHECK: raf.broadcast %{{.*}} dims = [1] : tensor<2xf32> to tensor<3x2xf32>
// CHECK: raf.reshape %{{.*}} : tensor<3x2xf32> to tensor<6xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<2xi32>, tensor<1xi32>) -> tensor<6xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>, %s: tensor<2xi32>, %f: tensor<1xi32>):
    %b = "stablehlo.constant"() <{value = dense<1> : tensor<1xi64>}> : () -> tensor<1xi64>
    %l = "stablehlo.constant"() <{value = dense<3> : tensor<1xi64>}> : () -> tensor<1xi64>
    %0 = "stablehlo.real_dynamic_slice"(%a, %b, %l, %b) : (tensor<4xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xf32>
    %1 = "stablehlo.dynamic_broadcast_in_dim"(%0, %s) <{broadcast_dimensions = array<i64: 1>}> : (tensor<2xf32>, tensor<2xi32>) -> tensor<3x2xf32>
    %2 = "stablehlo.dynamic_reshape"(%1, %f) : (tensor<3x2xf32>, tensor<1xi32>) -> tensor<6xf32>
    "func.return"(%2) : (tensor<6xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A dimension that is set to its own size.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<2x3xf32>
// CHECK: return %[[X]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x3xf32>):
    %n = "stablehlo.constant"() <{value = dense<3> : tensor<i32>}> : () -> tensor<i32>
    %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
