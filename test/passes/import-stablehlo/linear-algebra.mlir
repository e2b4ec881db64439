// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// By halves: two square roots and, between them, a division and a product.
// CHECK-LABEL: func.func @main(
// CHECK: raf.sqrt
// CHECK: raf.div
// CHECK: raf.matmul
// CHECK: raf.sqrt
// CHECK: raf.concat %{{.*}} axis = 0 : (tensor<1x2xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf32>) -> tensor<2x2xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x2xf32>):
    %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%0) : (tensor<2x2xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// An upper triangle is a lower one from the other end.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: raf.reverse
// CHECK-COUNT-2: raf.div
// CHECK: raf.reverse
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x2xf32>, %y: tensor<2x3xf32>):
    %0 = "stablehlo.triangular_solve"(%a, %y) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x2xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A real signal has half a spectrum.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: raf.matmul %{{.*}} : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
// CHECK-COUNT-2: raf.slice %{{.*}} limits = [4, 5]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %0 = "stablehlo.fft"(%a) <{fft_length = array<i64: 8>, fft_type = #stablehlo<fft_type RFFT>}> : (tensor<4x8xf32>) -> tensor<4x5xcomplex<f32>>
    "func.return"(%0) : (tensor<4x5xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
