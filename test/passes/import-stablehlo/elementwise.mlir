// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// Unsigned integers are signless with unsigned operators; the signature says what they were.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xi32> {raf.element = ui32, raf.name = "arg0", raf.role = "input"}
// CHECK-SAME: -> (tensor<4xi32> {raf.element = ui32, raf.name = "result0"}, tensor<4xi1> {raf.name = "result1"}, tensor<4xf32> {raf.name = "result2"})
// CHECK: raf.div_unsigned %[[A]]
// CHECK: raf.rem_unsigned
// CHECK: %[[LESS:.*]] = raf.compare ult
// CHECK: raf.compare ugt
// CHECK: raf.select
// CHECK: raf.shift_right_logical
// CHECK: raf.cast unsigned %{{.*}} : tensor<4xi32> to tensor<4xf32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xui32>, tensor<4xui32>) -> (tensor<4xui32>, tensor<4xi1>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4xui32>, %b: tensor<4xui32>):
    %0 = "stablehlo.divide"(%a, %b) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %1 = "stablehlo.remainder"(%0, %b) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %2 = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type UNSIGNED>}> : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xi1>
    %3 = "stablehlo.maximum"(%1, %b) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %4 = "stablehlo.shift_right_logical"(%3, %b) : (tensor<4xui32>, tensor<4xui32>) -> tensor<4xui32>
    %5 = "stablehlo.convert"(%4) : (tensor<4xui32>) -> tensor<4xf32>
    "func.return"(%4, %2, %5) : (tensor<4xui32>, tensor<4xi1>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Sums of i1 are logical, and false < true.
// CHECK-LABEL: func.func @main(
// CHECK: raf.or
// CHECK: raf.and
// CHECK: raf.cast %{{.*}} : tensor<4xi1> to tensor<4xi8>
// CHECK: raf.compare lt
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xi1>, %b: tensor<4xi1>):
    %0 = "stablehlo.add"(%a, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %1 = "stablehlo.multiply"(%0, %b) : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    %2 = "stablehlo.compare"(%1, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>
    "func.return"(%2) : (tensor<4xi1>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The total order compares bits; result_accuracy is ignored.
// CHECK-LABEL: func.func @main(
// CHECK: raf.exp
// CHECK: %[[BITS:.*]] = raf.bitcast %{{.*}} : tensor<4xf32> to tensor<4xi32>
// CHECK: raf.compare lt %[[BITS]]
// CHECK: raf.xor
// CHECK: raf.compare lt %{{.*}} : tensor<4xi32>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    %0 = "stablehlo.exponential"(%a) <{result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.compare"(%0, %b) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>
    "func.return"(%1) : (tensor<4xi1>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// A complex tensor is two real ones, at the boundary one with a last dimension of 2.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Z:.*]]: tensor<4x2xf32> {raf.complex, raf.name = "arg0", raf.role = "input"}) -> (tensor<4x2xf32> {raf.complex, raf.name = "result0"})
// CHECK: %[[RE:.*]] = raf.slice %[[Z]] starts = [0, 0] limits = [4, 1]
// CHECK: raf.slice %[[Z]] starts = [0, 1] limits = [4, 2]
// CHECK-COUNT-4: raf.mul
// CHECK: raf.neg
// CHECK: raf.concat %{{.*}} axis = 1
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%z: tensor<4xcomplex<f32>>):
    %0 = "stablehlo.multiply"(%z, %z) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    %1 = "stablehlo.negate"(%0) : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%1) : (tensor<4xcomplex<f32>>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Bits of a narrower type are joined, the first in the lowest place.
// CHECK-LABEL: func.func @main(
// CHECK: raf.cast unsigned %{{.*}} : tensor<2xi32> to tensor<2xi64>
// CHECK: raf.cast unsigned %{{.*}} : tensor<2xi32> to tensor<2xi64>
// CHECK: raf.constant dense<32> : tensor<2xi64>
// CHECK: raf.shift_left
// CHECK: raf.or
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2x2xui32>) -> tensor<2xui64>, sym_name = "main"}> ({
  ^bb0(%a: tensor<2x2xui32>):
    %0 = "stablehlo.bitcast_convert"(%a) : (tensor<2x2xui32>) -> tensor<2xui64>
    "func.return"(%0) : (tensor<2xui64>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// chlo by formulas: 16-bit floats are computed in f32.
// CHECK-LABEL: func.func @main(
// CHECK: %[[X:.*]] = raf.cast %{{.*}} : tensor<4xbf16> to tensor<4xf32>
// CHECK: raf.erf
// CHECK: raf.cast %{{.*}} : tensor<4xf32> to tensor<4xbf16>
// CHECK: raf.mul
// CHECK-COUNT-9: raf.pow
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xbf16>, tensor<4xf32>) -> (tensor<4xbf16>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%a: tensor<4xbf16>, %b: tensor<4xf32>):
    %0 = "chlo.erfc"(%a) : (tensor<4xbf16>) -> tensor<4xbf16>
    %1 = "chlo.square"(%0) : (tensor<4xbf16>) -> tensor<4xbf16>
    %2 = "chlo.zeta"(%b, %b) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1, %2) : (tensor<4xbf16>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// Rounding to a format that raf has is a conversion there and back, which has a gradient; to another one it works on bits, in a function with the gradient of rounding.
// CHECK-LABEL: func.func @main(
// CHECK: raf.cast %{{.*}} : tensor<4xf32> to tensor<4xbf16>
// CHECK: raf.cast %{{.*}} : tensor<4xbf16> to tensor<4xf32>
// CHECK: raf.cast %{{.*}} : tensor<4xf32> to tensor<4xf16>
// CHECK: raf.compare lt
// CHECK: call @raf.reduce_precision.4.3.4.f32(%{{.*}}) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK: func.func private @raf.reduce_precision.4.3.4.f32(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32> attributes {raf.vjp = @raf.reduce_precision.4.3.4.f32.vjp}
// CHECK: raf.bitcast %[[X]]
// CHECK: func.func private @raf.reduce_precision.4.3.4.f32.vjp(%{{.*}}: tensor<4xf32>, %[[DY:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK: raf.bitcast %[[DY]]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "stablehlo.reduce_precision"(%a) <{exponent_bits = 8 : i32, mantissa_bits = 7 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.reduce_precision"(%0) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.reduce_precision"(%1) <{exponent_bits = 4 : i32, mantissa_bits = 3 : i32}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
