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

// -----

// LAPACK's triangular systems, and LU and QR factors: columns are unrolled when there are few, else a loop.
// CHECK-LABEL: func.func @main(
// CHECK-COUNT-2: raf.arg_reduce{{ +}}max
// CHECK: raf.div
// CHECK-NOT: scf.for
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<2x2xf32>):
    %0:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgetrf_ffi"}> {mhlo.backend_config = {}} : (tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xi32>, tensor<i32>)
    %1 = "stablehlo.custom_call"(%a, %0#0) <{call_target_name = "lapack_strsm_ffi"}> {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    "func.return"(%1, %0#1) : (tensor<2x2xf32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: scf.for
// CHECK: raf.sqrt
// CHECK: scf.for
// CHECK-NOT: raf.sqrt
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3x12x9xf32>) -> tensor<3x12x9xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<3x12x9xf32>):
    %0:2 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgeqrf_ffi"}> : (tensor<3x12x9xf32>) -> (tensor<3x12x9xf32>, tensor<3x9xf32>)
    %1 = "stablehlo.custom_call"(%0#0, %0#1) <{call_target_name = "lapack_sorgqr_ffi"}> : (tensor<3x12x9xf32>, tensor<3x9xf32>) -> tensor<3x12x9xf32>
    "func.return"(%1) : (tensor<3x12x9xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Eigenvalues by Jacobi rotations; an odd order gets a row and column more, whose eigenvalue is the largest and is left out.
// CHECK-LABEL: func.func @main(
// CHECK: raf.pad %{{.*}} low = [0, 0, 0] high = [0, 1, 1]
// CHECK: scf.for
// CHECK: raf.add_along_axis
// CHECK: raf.take_along_axis %{{.*}} axis = 1 : tensor<1x6xf32>
// CHECK: raf.slice %{{.*}} limits = [1, 5]
// CHECK: raf.take_along_axis %{{.*}} axis = 2 : tensor<1x6x6xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<5x5xf32>):
    %0:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_ssyevd_ffi"}> {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<5x5xf32>) -> (tensor<5x5xf32>, tensor<5xf32>, tensor<i32>)
    "func.return"(%0#0, %0#1) : (tensor<5x5xf32>, tensor<5xf32>) -> ()
  }) : () -> ()
}) : () -> ()
// -----

// Singular values: a call of a function that names its gradient, whose body rotates pairs of columns in a loop.
// CHECK-LABEL: func.func @main(
// CHECK: call @raf.svd.2.5.3.f32
// CHECK: func.func private @raf.svd.2.5.3.f32(%{{.*}}: tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x3x3xf32>) attributes {raf.vjp = @raf.svd.2.5.3.f32.vjp}
// CHECK: scf.for
// CHECK: func.func private @raf.svd.2.5.3.f32.vjp(
// CHECK: call @raf.svd.2.5.3.f32
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x5x3xf32>) -> (tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<2x5x3xf32>):
    %0:5 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgesdd_ffi"}> {mhlo.backend_config = {mode = 83 : ui8}} : (tensor<2x5x3xf32>) -> (tensor<2x5x3xf32>, tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>, tensor<2xi32>)
    "func.return"(%0#1, %0#2, %0#3) : (tensor<2x3xf32>, tensor<2x5x3xf32>, tensor<2x3x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A complex Cholesky factor has a real diagonal.
// CHECK-LABEL: func.func @main(
// CHECK: raf.sqrt
// CHECK: raf.sqrt
// CHECK: raf.constant dense<0.000000e+00> : tensor<1x1xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x2xcomplex<f32>>):
    %0 = "stablehlo.cholesky"(%a) <{lower = true}> : (tensor<2x2xcomplex<f32>>) -> tensor<2x2xcomplex<f32>>
    "func.return"(%0) : (tensor<2x2xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()
