// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// An initial value that is the identity says nothing; another one is combined once.
// CHECK-LABEL: func.func @main(
// CHECK: %[[MAX:.*]] = raf.reduce max %{{.*}} dims = [1]
// CHECK: %[[SUM:.*]] = raf.reduce sum %{{.*}} dims = [0, 1]
// CHECK: %[[ALL:.*]] = raf.add %[[SUM]]
// CHECK: return %[[MAX]], %[[ALL]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> (tensor<4xf32>, tensor<f32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %m = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %s = "stablehlo.constant"() <{value = dense<2.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce"(%a, %m) <{dimensions = array<i64: 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
    %1 = "stablehlo.reduce"(%a, %s) <{dimensions = array<i64: 1, 0>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0, %1) : (tensor<4xf32>, tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Unsigned extrema are signed ones with the sign bit flipped; any and all of i1 are extrema of bytes.
// CHECK-LABEL: func.func @main(
// CHECK: raf.constant dense<-2147483648> : tensor<4x8xi32>
// CHECK: raf.xor
// CHECK: raf.reduce max %{{.*}} : tensor<4x8xi32>
// CHECK: raf.xor
// CHECK: raf.reduce max %{{.*}} : tensor<4x8xi8>
// CHECK: raf.cast %{{.*}} : tensor<4xi8> to tensor<4xi1>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xui32>, tensor<4x8xi1>) -> (tensor<4xui32>, tensor<4xi1>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xui32>, %m0: tensor<4x8xi1>):
    %m = "stablehlo.constant"() <{value = dense<0> : tensor<ui32>}> : () -> tensor<ui32>
    %s = "stablehlo.constant"() <{value = dense<false> : tensor<i1>}> : () -> tensor<i1>
    %0 = "stablehlo.reduce"(%a, %m) <{dimensions = array<i64: 1>}> ({
    ^bb0(%p: tensor<ui32>, %q: tensor<ui32>):
      %r = "stablehlo.maximum"(%p, %q) : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>
      "stablehlo.return"(%r) : (tensor<ui32>) -> ()
    }) : (tensor<4x8xui32>, tensor<ui32>) -> tensor<4xui32>
    %1 = "stablehlo.reduce"(%m0, %s) <{dimensions = array<i64: 1>}> ({
    ^bb0(%p: tensor<i1>, %q: tensor<i1>):
      %r = "stablehlo.or"(%p, %q) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      "stablehlo.return"(%r) : (tensor<i1>) -> ()
    }) : (tensor<4x8xi1>, tensor<i1>) -> tensor<4xi1>
    "func.return"(%0, %1) : (tensor<4xui32>, tensor<4xi1>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The argmax of JAX.
// CHECK-LABEL: func.func @main(
// CHECK: %[[I:.*]] = raf.arg_reduce max %{{.*}} axis = 1 : tensor<4x8xf32> -> tensor<4xi32>
// CHECK: return %[[I]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4xi32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %n = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x8xi32>
    %m = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0:2 = "stablehlo.reduce"(%a, %n, %m, %z) <{dimensions = array<i64: 1>}> ({
    ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
      %1 = "stablehlo.compare"(%v, %w) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = "stablehlo.compare"(%v, %v) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.or"(%1, %2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = "stablehlo.compare"(%v, %w) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = "stablehlo.and"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.or"(%3, %6) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %8 = "stablehlo.select"(%3, %v, %w) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.select"(%7, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%8, %9) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    "func.return"(%0#1) : (tensor<4xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The last index at a tie is no argmax: neighbours are combined in three steps, then with the initial values.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.arg_reduce
// CHECK: raf.slice %{{.*}} starts = [0, 0] limits = [4, 8] strides = [1, 2]
// CHECK: raf.select %{{.*}} : tensor<4x4xi32>
// CHECK: raf.select %{{.*}} : tensor<4x2xi32>
// CHECK: raf.select %{{.*}} : tensor<4x1xi32>
// CHECK: raf.select %{{.*}} : tensor<4xi32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4xi32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %n = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x8xi32>
    %m = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %z = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %0:2 = "stablehlo.reduce"(%a, %n, %m, %z) <{dimensions = array<i64: 1>}> ({
    ^bb0(%v: tensor<f32>, %i: tensor<i32>, %w: tensor<f32>, %j: tensor<i32>):
      %1 = "stablehlo.compare"(%v, %w) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %2 = "stablehlo.compare"(%v, %v) <{comparison_direction = #stablehlo<comparison_direction NE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %3 = "stablehlo.or"(%1, %2) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %4 = "stablehlo.compare"(%v, %w) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %5 = "stablehlo.compare"(%i, %j) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %6 = "stablehlo.and"(%4, %5) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %7 = "stablehlo.or"(%3, %6) : (tensor<i1>, tensor<i1>) -> tensor<i1>
      %8 = "stablehlo.select"(%3, %v, %w) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
      %9 = "stablehlo.select"(%7, %i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%8, %9) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x8xf32>, tensor<4x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    "func.return"(%0#1) : (tensor<4xi32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// An odd last element waits for the next step: 5, 3, 2, 1.
// CHECK-LABEL: func.func @main(
// CHECK: raf.sub %{{.*}} : tensor<2xf32>
// CHECK: raf.concat %{{.*}} axis = 0 : (tensor<2xf32>, tensor<1xf32>) -> tensor<3xf32>
// CHECK: raf.sub %{{.*}} : tensor<1xf32>
// CHECK: raf.concat
// CHECK: raf.sub %{{.*}} : tensor<1xf32>
// CHECK: raf.sub %{{.*}} : tensor<f32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<5xf32>, tensor<f32>) -> tensor<f32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<5xf32>, %c: tensor<f32>):
    %0 = "stablehlo.reduce"(%a, %c) <{dimensions = array<i64: 0>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.subtract"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<5xf32>, tensor<f32>) -> tensor<f32>
    "func.return"(%0) : (tensor<f32>) -> ()
  }) : () -> ()
}) : () -> ()
