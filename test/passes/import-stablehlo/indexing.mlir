// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// An embedding.
// CHECK-LABEL: func.func @main(
// CHECK: raf.gather %{{.*}} axis = 0 : tensor<64x32xf32>, tensor<2x16xi32> -> tensor<2x16x32xf32>
// CHECK-NEXT: return
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<2x16x1xi32>) -> tensor<2x16x32xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<64x32xf32>, %i: tensor<2x16x1xi32>):
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<64x32xf32>, tensor<2x16x1xi32>) -> tensor<2x16x32xf32>
    "func.return"(%0) : (tensor<2x16x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// An axis that the window keeps, and windows before the indices.
// CHECK-LABEL: func.func @main(
// CHECK: raf.gather %{{.*}} axis = 1 : tensor<4x8x3xf32>, tensor<5xi32> -> tensor<4x5x3xf32>
// CHECK: raf.reshape %{{.*}} to tensor<4x5x1x3xf32>
// CHECK: raf.transpose %{{.*}} permutation = [0, 2, 3, 1]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8x3xf32>, tensor<5x1xi32>) -> tensor<4x1x3x5xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4x8x3xf32>, %i: tensor<5x1xi32>):
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1, 2], start_index_map = [1], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 4, 1, 3>}> : (tensor<4x8x3xf32>, tensor<5x1xi32>) -> tensor<4x1x3x5xf32>
    "func.return"(%0) : (tensor<4x1x3x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: raf.take_along_axis %{{.*}} axis = 1 : tensor<4x8xf32>, tensor<4x3xi32> -> tensor<4x3xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4x8xf32>, %i: tensor<4x3x1xi32>):
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>
    "func.return"(%0) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Any other form: starts are clamped so that the window fits, rows of the flattened operand are read.
// CHECK-LABEL: func.func @main(
// CHECK: raf.constant dense<6> : tensor<5xi32>
// CHECK: raf.minimum
// CHECK: raf.reshape %{{.*}} : tensor<8x4x3xf32> to tensor<8x12xf32>
// CHECK: raf.gather %{{.*}} axis = 0 : tensor<8x12xf32>, tensor<5x2xi32> -> tensor<5x2x12xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x4x3xf32>, tensor<5x1xi32>) -> tensor<5x2x4x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<8x4x3xf32>, %i: tensor<5x1xi32>):
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 2, 4, 3>}> : (tensor<8x4x3xf32>, tensor<5x1xi32>) -> tensor<5x2x4x3xf32>
    "func.return"(%0) : (tensor<5x2x4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The gradient of an embedding.
// CHECK-LABEL: func.func @main(
// CHECK: raf.scatter_add %{{.*}} axis = 0 : tensor<64x32xf32>, tensor<2x16xi32>, tensor<2x16x32xf32>
// CHECK-NEXT: return
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<64x32xf32>, %i: tensor<2x16x1xi32>, %u: tensor<2x16x32xf32>):
    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>
    "func.return"(%0) : (tensor<64x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: raf.scatter{{ +}}set %{{.*}} axis = 0 : tensor<64x32xf32>, tensor<2x16xi32>, tensor<2x16x32xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<64x32xf32>, %i: tensor<2x16x1xi32>, %u: tensor<2x16x32xf32>):
    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>
    "func.return"(%0) : (tensor<64x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: raf.add_along_axis %{{.*}} axis = 1 : tensor<4x8xf32>, tensor<4x3xi32>, tensor<4x3xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<4x8xf32>, %i: tensor<4x3x1xi32>, %u: tensor<4x3xf32>):
    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x3x1xi32>, tensor<4x3xf32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A window that does not fit goes to the row after the last, which is not there.
// CHECK-LABEL: func.func @main(
// CHECK: raf.compare ge
// CHECK: raf.compare le
// CHECK: raf.constant dense<32> : tensor<5x2xi32>
// CHECK: raf.select
// CHECK: raf.scatter{{ +}}max %{{.*}} axis = 0
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8x4xf32>, tensor<5x2xi32>, tensor<5x2xf32>) -> tensor<8x4xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<8x4xf32>, %i: tensor<5x2xi32>, %u: tensor<5x2xf32>):
    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<8x4xf32>, tensor<5x2xi32>, tensor<5x2xf32>) -> tensor<8x4xf32>
    "func.return"(%0) : (tensor<8x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A body that raf has not: one window after the other.
// CHECK-LABEL: func.func @main(
// CHECK: scf.for %[[N:.*]] = %{{.*}} iter_args(%[[X:.*]] =
// CHECK: %[[P:.*]] = raf.dynamic_slice
// CHECK: %[[OLD:.*]] = raf.gather %[[X]], %[[P]] axis = 0
// CHECK: %[[NEW:.*]] = raf.sub %[[OLD]]
// CHECK: raf.scatter{{ +}}set %[[X]], %[[P]], %[[NEW]] axis = 0
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<64x32xf32>, %i: tensor<2x16x1xi32>, %u: tensor<2x16x32xf32>):
    %0 = "stablehlo.scatter"(%x, %i, %u) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>, unique_indices = false}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.subtract"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<64x32xf32>, tensor<2x16x1xi32>, tensor<2x16x32xf32>) -> tensor<64x32xf32>
    "func.return"(%0) : (tensor<64x32xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// An index without components is of the whole operand: x.at[...].set(y) of a scalar.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:.*]]: tensor<f32> {{.*}}, %[[Y:.*]]: tensor<f32>
// CHECK: raf.scatter set
// CHECK: return %{{.*}} : tensor<f32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %c = "stablehlo.constant"() <{value = dense<> : tensor<0xi32>}> : () -> tensor<0xi32>
    %0 = "stablehlo.scatter"(%x, %c, %y) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<>, unique_indices = true}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      "stablehlo.return"(%b) : (tensor<f32>) -> ()
    }) : (tensor<f32>, tensor<0xi32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()
