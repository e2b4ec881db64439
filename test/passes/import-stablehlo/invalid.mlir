// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo --verify-diagnostics

// Everything that cannot be imported is one error.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+2 {{import-stablehlo: 4 operations are not supported: stablehlo.infeed (2); stablehlo.custom_call: @mystery (1); stablehlo.floor: element type must be f64}}
    // expected-note @+1 {{stablehlo.infeed}}
    %0 = "stablehlo.infeed"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    // expected-note @+1 {{stablehlo.infeed}}
    %1 = "stablehlo.infeed"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    // What follows from an op that cannot be imported is not reported.
    %2 = "stablehlo.add"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    // expected-note @+1 {{stablehlo.custom_call: @mystery}}
    %3 = "stablehlo.custom_call"(%a) <{call_target_name = "mystery"}> : (tensor<4xf32>) -> tensor<4xf32>
    // expected-note @+1 {{stablehlo.floor}}
    %4 = "stablehlo.floor"(%a) : (tensor<4xf32>) -> tensor<4xf8E4M3FN>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  // expected-error @+2 {{argument 0 has a type that is not supported: shapes must be static, got tensor<?xf32>}}
  // expected-error @+1 {{result 0 has a type that is not supported: shapes must be static, got tensor<?xf32>}}
  "func.func"() <{function_type = (tensor<?xf32>) -> tensor<?xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<?xf32>):
    "func.return"(%a) : (tensor<?xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// expected-error @+1 {{import-stablehlo needs a function @main of one block}}
module {
}

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{calls @main recursively}}
    %0 = "func.call"(%a) <{callee = @main}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{needs 2 operands, got 1}}
    %0 = "stablehlo.add"(%a) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<5xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{needs operands and results of one shape, got 'tensor<4xf32>' and 'tensor<5xf32>'}}
    %0 = "stablehlo.negate"(%a) : (tensor<4xf32>) -> tensor<5xf32>
    "func.return"(%0) : (tensor<5xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{result 0 must have the shape and type that follow from operands and attributes, expected 'tensor<2xf32>', got 'tensor<3xf32>'}}
    %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0>, limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{needs a list attribute 'start_indices' of 1 elements}}
    %0 = "stablehlo.slice"(%a) <{limit_indices = array<i64: 2>, strides = array<i64: 1>}> : (tensor<4xf32>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>, %b: tensor<8x5xf32>):
    // expected-error @+1 {{needs equal sizes of lhs dimension 0 and rhs dimension 0, got 4 and 8}}
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [0], rhs_contracting_dimensions = [0]>}> : (tensor<4x8xf32>, tensor<8x5xf32>) -> tensor<4x5xf32>
    "func.return"(%0) : (tensor<4x5xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>, %i: tensor<2xi32>):
    // expected-error @+1 {{needs a structured attribute 'dimension_numbers'}}
    %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, collapsed]>, slice_sizes = array<i64: 1, 8>}> : (tensor<4x8xf32>, tensor<2xi32>) -> tensor<2x8xf32>
    "func.return"(%0) : (tensor<2x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    // expected-error @+1 {{needs a block with 2 arguments, got 1}}
    %0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>):
      "stablehlo.return"(%x) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    // expected-error @+1 {{replica_groups must name different devices in [0, 1), got 1}}
    %0 = "stablehlo.all_reduce"(%a) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %1 = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} : () -> ()

// -----

// An operator in the body of a reduction is reported like any other.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      // expected-error @+2 {{import-stablehlo: 1 operation is not supported: stablehlo.concatenate: in the body of a reduction, sort, scatter or map (1)}}
      // expected-note @+1 {{stablehlo.concatenate}}
      %1 = "stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%1) : (tensor<f32>) -> ()
    }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>, %i: tensor<4x3x1xi32>):
    // expected-error @+1 {{batching dimensions of the indices must be different and in [0, 3), got [3]}}
    %0 = "stablehlo.gather"(%a, %i) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<4x8xf32>, tensor<4x3x1xi32>) -> tensor<4x3xf32>
    "func.return"(%0) : (tensor<4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = () -> tensor<f32>, sym_name = "main"}> ({
    // expected-error @+1 {{needs 1 values for its results, got 0}}
    %0 = "stablehlo.optimization_barrier"() : () -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %t = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    // expected-error @+1 {{states a relation of dimensions that does not hold: b must be even}}
    "stablehlo.custom_call"(%t) <{call_target_name = "shape_assertion"}> {error_message = "b must be even"} : (tensor<i1>) -> ()
    "func.return"(%a) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{arg_attrs = [{tf.aliasing_output = 1 : i32}], function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    "func.return"(%a) : (tensor<4xf32>) -> ()
  // expected-error @-3 {{argument 0: tf.aliasing_output must name a result of the argument's type that no other argument names, got 1 : i32}}
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x4xf32>) -> tensor<4x4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x4xf32>):
    // expected-error @+1 {{to @lapack_sgesdd_ffi needs 1 operands and 5 results}}
    %0:3 = "stablehlo.custom_call"(%a) <{call_target_name = "lapack_sgesdd_ffi"}> : (tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4xf32>, tensor<i32>)
    "func.return"(%0#0) : (tensor<4x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x3xf32>) -> tensor<2x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x3xf32>):
    %n = "stablehlo.constant"() <{value = dense<2> : tensor<i32>}> : () -> tensor<i32>
    // expected-error @+2 {{import-stablehlo: 1 operation is not supported: stablehlo.set_dimension_size: to another size than the dimension has (1)}}
    // expected-note @+1 {{stablehlo.set_dimension_size}}
    %0 = "stablehlo.set_dimension_size"(%x, %n) <{dimension = 1 : i64}> : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x3xf32>
    "func.return"(%0) : (tensor<2x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<9xi32>) -> (tensor<2xi32>, tensor<2xi32>), sym_name = "main"}> ({
  ^bb0(%x: tensor<9xi32>):
    // expected-error @+1 {{to @mhlo.topk needs an attribute 'mhlo.attributes' with an integer k}}
    %0:2 = "stablehlo.custom_call"(%x) <{call_target_name = "mhlo.topk"}> : (tensor<9xi32>) -> (tensor<2xi32>, tensor<2xi32>)
    "func.return"(%0#0, %0#1) : (tensor<2xi32>, tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>) -> tensor<2xi32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xf32>):
    %t = "stablehlo.tuple"(%x) : (tensor<2xf32>) -> tuple<tensor<2xf32>>
    // expected-error @+1 {{needs a tuple and an 'index' of an element of the type of the result}}
    %0 = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<2xf32>>) -> tensor<2xi32>
    "func.return"(%0) : (tensor<2xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
    // expected-error @+1 {{needs operands of the types of the elements of its result}}
    %t = "stablehlo.tuple"(%x, %y) : (tensor<2xf32>, tensor<2xf32>) -> tuple<tensor<2xf32>>
    %0 = "stablehlo.get_tuple_element"(%t) <{index = 0 : i32}> : (tuple<tensor<2xf32>>) -> tensor<2xf32>
    "func.return"(%0) : (tensor<2xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A loop whose iterations are not counted would draw the same numbers again.
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>, tensor<f32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%low: tensor<f32>, %high: tensor<f32>):
    %shape = "stablehlo.constant"() <{value = dense<> : tensor<0xi64>}> : () -> tensor<0xi64>
    %l = "stablehlo.while"(%low) ({
    ^bb0(%x: tensor<f32>):
      %c = "stablehlo.compare"(%x, %high) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%x: tensor<f32>):
      // expected-error @+2 {{stablehlo.rng: in a loop whose iterations are not counted, or in a function with a gradient of its own}}
      // expected-note @+1 {{stablehlo.rng}}
      %y = "stablehlo.rng"(%low, %high, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<0xi64>) -> tensor<f32>
      %s = "stablehlo.add"(%x, %y) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }) : (tensor<f32>) -> tensor<f32>
    "func.return"(%l) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A short program with a tuple of 8^6 elements.
!t0 = tensor<f32>
!t1 = tuple<!t0, !t0, !t0, !t0, !t0, !t0, !t0, !t0>
!t2 = tuple<!t1, !t1, !t1, !t1, !t1, !t1, !t1, !t1>
!t3 = tuple<!t2, !t2, !t2, !t2, !t2, !t2, !t2, !t2>
!t4 = tuple<!t3, !t3, !t3, !t3, !t3, !t3, !t3, !t3>
!t5 = tuple<!t4, !t4, !t4, !t4, !t4, !t4, !t4, !t4>
!t6 = tuple<!t5, !t5, !t5, !t5, !t5, !t5, !t5, !t5>
// expected-error @+1 {{import-stablehlo: the program has tuples of too many elements}}
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<f32>):
    "func.return"(%x) : (tensor<f32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (!t6) -> !t6, sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%x: !t6):
    "func.return"(%x) : (!t6) -> ()
  }) : () -> ()
}) : () -> ()
