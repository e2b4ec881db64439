// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// A window as long as its dimension, padded on one side, is a running sum.
// CHECK-LABEL: func.func @main(
// CHECK: raf.cumsum %{{.*}} axis = 1
// CHECK-NOT: raf.add
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK: raf.cumsum %{{.*}} axis = 1 reverse
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<[[0, 0], [0, 7]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A running product combines windows of 1, 2 and 4 elements; the dimension is padded with the initial value.
// CHECK-LABEL: func.func @main(
// CHECK: raf.pad %{{.*}} low = [0, 7] high = [0, 0] interior = [0, 0] value = 1.0
// CHECK: raf.mul %{{.*}} : tensor<4x14xf32>
// CHECK: raf.mul %{{.*}} : tensor<4x12xf32>
// CHECK: raf.mul %{{.*}} : tensor<4x8xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x8xf32>) -> tensor<4x8xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x8xf32>):
    %c = "stablehlo.constant"() <{value = dense<1.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<[[0, 0], [7, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 8>, window_strides = array<i64: 1, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.multiply"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
    "func.return"(%0) : (tensor<4x8xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Pools, with the channels last.
// CHECK-LABEL: func.func @main(
// CHECK: raf.max_pool %{{.*}} kernel = [3, 3] strides = [2, 2] pad_low = [0, 0] pad_high = [1, 1] dilations = [1, 1] layout = channels_last
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x8x8x3xf32>) -> tensor<2x4x4x3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x8x8x3xf32>):
    %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<[[0, 0], [0, 1], [0, 1], [0, 0]]> : tensor<4x2xi64>, window_dimensions = array<i64: 1, 3, 3, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<2x8x8x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    "func.return"(%0) : (tensor<2x4x4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A sum is a mean times the size of the window; dimensions that are not together are brought together.
// CHECK-LABEL: func.func @main(
// CHECK: raf.transpose %{{.*}} permutation = [1, 2, 0, 3]
// CHECK: raf.reshape %{{.*}} : tensor<6x3x4x8xf32> to tensor<18x1x4x8xf32>
// CHECK: raf.avg_pool %{{.*}} count_include_pad kernel = [2, 2]
// CHECK: raf.constant dense<4.0{{.*}}>
// CHECK: raf.mul
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4x6x3x8xf32>) -> tensor<2x6x3x4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4x6x3x8xf32>):
    %c = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<0> : tensor<4x2xi64>, window_dimensions = array<i64: 2, 1, 1, 2>, window_strides = array<i64: 2, 1, 1, 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<4x6x3x8xf32>, tensor<f32>) -> tensor<2x6x3x4xf32>
    "func.return"(%0) : (tensor<2x6x3x4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A negative padding is no pool of raf.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.max_pool
// CHECK: raf.pad %{{.*}} low = [-1] high = [0] interior = [0]
// CHECK: raf.maximum
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<8xf32>) -> tensor<3xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<8xf32>):
    %c = "stablehlo.constant"() <{value = dense<0xFF800000> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.reduce_window"(%a, %c) <{padding = dense<[[-1, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.maximum"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<8xf32>, tensor<f32>) -> tensor<3xf32>
    "func.return"(%0) : (tensor<3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The gradient of max pooling.
// CHECK-LABEL: func.func @main(
// CHECK: %{{.*}}, %[[I:.*]] = raf.max_pool
// CHECK: raf.max_pool_grad %{{.*}}, %[[I]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x4x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x4x4x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x4x4x3xf32>, %d: tensor<2x2x2x3xf32>):
    %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%x, %d, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4x3xf32>, tensor<2x2x2x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    "func.return"(%0) : (tensor<2x4x4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The last of equal maxima is another choice than that of max_pool: position by position.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: raf.max_pool
// CHECK-COUNT-4: raf.compare gt
// CHECK: raf.pad %{{.*}} low = [0, 1, 1, 0] high = [0, 0, 0, 0] interior = [0, 1, 1, 0]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x4x4x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x4x4x3xf32>, sym_name = "main"}> ({
  ^bb0(%x: tensor<2x4x4x3xf32>, %d: tensor<2x2x2x3xf32>):
    %z = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %0 = "stablehlo.select_and_scatter"(%x, %d, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>, window_strides = array<i64: 1, 2, 2, 1>}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %r = "stablehlo.add"(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
      "stablehlo.return"(%r) : (tensor<f32>) -> ()
    }) : (tensor<2x4x4x3xf32>, tensor<2x2x2x3xf32>, tensor<f32>) -> tensor<2x4x4x3xf32>
    "func.return"(%0) : (tensor<2x4x4x3xf32>) -> ()
  }) : () -> ()
}) : () -> ()
