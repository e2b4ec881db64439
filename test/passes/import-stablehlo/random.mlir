// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// Threefry: both words of each counter; the state counts what was used.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<2xi64> {raf.element = ui64
// CHECK: %[[X:.*]] = raf.threefry %[[K0:.*]], %[[K1:.*]], %[[C0:.*]], %[[C1:.*]] word = 0 : tensor<2xi32>
// CHECK: %[[Y:.*]] = raf.threefry %[[K0]], %[[K1]], %[[C0]], %[[C1]] word = 1 : tensor<2xi32>
// CHECK: raf.concat %{{.*}} axis = 1 : (tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x2xi32>
// CHECK: raf.constant dense<2> : tensor<i64>
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>), sym_name = "main"}> ({
  ^bb0(%s: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<4xui32>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<4xui32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// CHECK-LABEL: func.func @main(
// CHECK-COUNT-20: raf.mul
// CHECK: raf.concat %{{.*}} axis = 1 : (tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>, tensor<2x1xi32>) -> tensor<2x4xi32>
// CHECK: raf.slice %{{.*}} limits = [6]
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xui32>), sym_name = "main"}> ({
  ^bb0(%s: tensor<3xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm PHILOX>}> : (tensor<3xui64>) -> (tensor<3xui64>, tensor<2x3xui32>)
    "func.return"(%0#0, %0#1) : (tensor<3xui64>, tensor<2x3xui32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// JAX's key has two words: the counter of 128 bits is the second, and above it the key.
// CHECK-LABEL: func.func @main(
// CHECK: %[[KEY:.*]] = raf.slice %[[S:.*]] starts = [0] limits = [1]
// CHECK: %[[HIGH:.*]] = raf.reshape %[[KEY]]
// CHECK: raf.broadcast %[[HIGH]] dims = [] : tensor<i64> to tensor<1xi64>
// CHECK: raf.compare ult
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui8>), sym_name = "main"}> ({
  ^bb0(%s: tensor<2xui64>):
    %0:2 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm DEFAULT>}> : (tensor<2xui64>) -> (tensor<2xui64>, tensor<3xui8>)
    "func.return"(%0#0, %0#1) : (tensor<2xui64>, tensor<3xui8>) -> ()
  }) : () -> ()
}) : () -> ()
