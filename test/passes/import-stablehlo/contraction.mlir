// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// CHECK-LABEL: func.func @main(
// CHECK-NEXT: raf.matmul %{{.*}} : tensor<4x8xf32>, tensor<8x5xf32> -> tensor<4x5xf32>
// CHECK-NEXT: return
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>):
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    "func.return"(%0) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// What matmul reads transposed is not transposed before.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: raf.matmul %{{.*}} transpose_lhs transpose_rhs : tensor<8x4xf32>, tensor<5x8xf32> -> tensor<4x5xf32>
// CHECK-NEXT: return
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x4xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<8x4xf32>, %b: tensor<5x8xf32>):
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [1]>}> : (tensor<8x4xf32>, tensor<5x8xf32>) -> tensor<4x5xf32>
    "func.return"(%0) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Attention scores: the heads become a batch dimension.
// CHECK-LABEL: func.func @main(
// CHECK: raf.transpose %{{.*}} permutation = [0, 2, 1, 3]
// CHECK: raf.matmul %{{.*}} : tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x8x8xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x8x4x16xf32>, %b: tensor<2x8x4x16xf32>):
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_batching_dimensions = [0, 2], rhs_batching_dimensions = [0, 2], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [3]>}> : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
    "func.return"(%0) : (tensor<2x4x8x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Several contracted dimensions are merged; a wider result converts the operands first.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: raf.cast %{{.*}} : tensor<4x2x3xbf16> to tensor<4x2x3xf32>
// CHECK-DAG: raf.reshape %{{.*}} : tensor<4x2x3xf32> to tensor<4x6xf32>
// CHECK: raf.matmul %{{.*}} : tensor<4x6xf32>, tensor<6x5xf32> -> tensor<4x5xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x2x3xbf16>, tensor<2x3x5xbf16>) -> tensor<4x5xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x2x3xbf16>, %b: tensor<2x3x5xbf16>):
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [1, 2], rhs_contracting_dimensions = [0, 1]>}> : (tensor<4x2x3xbf16>, tensor<2x3x5xbf16>) -> tensor<4x5xf32>
    "func.return"(%0) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
