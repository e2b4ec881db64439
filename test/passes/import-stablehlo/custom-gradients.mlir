// RUN: raf-opt %s --split-input-file --allow-unregistered-dialect --import-stablehlo | FileCheck %s

// A function that names its gradient is one function of the model, whoever calls it; its gradient is another, which may call it. Calls inside are read in place.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:.*]]: tensor<4xf32>
// CHECK-NEXT: %[[B:.*]] = call @clip(%[[A]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[C:.*]] = call @clip(%[[B]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[S:.*]] = raf.stop_gradient %[[C]]
// CHECK-NEXT: return %[[S]]
// CHECK: func.func private @clip(%[[X:.*]]: tensor<4xf32>) -> tensor<4xf32> attributes {raf.vjp = @clip_vjp}
// CHECK-NEXT: %[[Y:.*]] = raf.mul %[[X]], %[[X]]
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func private @clip_vjp(%[[X:.*]]: tensor<4xf32>, %[[DY:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[Y:.*]] = call @clip(%[[X]])
// CHECK-NEXT: %[[DX:.*]] = raf.mul %[[Y]], %[[DY]]
// CHECK-NEXT: return %[[DX]]
// CHECK-NOT: func.func
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "func.call"(%a) <{callee = @clip}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "func.call"(%0) <{callee = @clip}> : (tensor<4xf32>) -> tensor<4xf32>
    %2 = "stablehlo.custom_call"(%1) <{call_target_name = "raf.stop_gradient"}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%2) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "clip", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "func.call"(%a) <{callee = @square}> : (tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) {raf.vjp = @clip_vjp} : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "square", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>):
    %0 = "stablehlo.multiply"(%a, %a) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%0) : (tensor<4xf32>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>, sym_name = "clip_vjp", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xf32>, %dy: tensor<4xf32>):
    %0 = "func.call"(%a) <{callee = @clip}> : (tensor<4xf32>) -> tensor<4xf32>
    %1 = "stablehlo.multiply"(%0, %dy) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    "func.return"(%1) : (tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()

// -----

// The rule is of real numbers: a function of complex ones is differentiated as it is written.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: call
// CHECK-NOT: func.func
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, sym_name = "main"}> ({
  ^bb0(%a: tensor<4xcomplex<f32>>):
    %0 = "func.call"(%a) <{callee = @f}> : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
  }) : () -> ()
  "func.func"() <{function_type = (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>, sym_name = "f", sym_visibility = "private"}> ({
  ^bb0(%a: tensor<4xcomplex<f32>>):
    %0 = "stablehlo.multiply"(%a, %a) : (tensor<4xcomplex<f32>>, tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
    "func.return"(%0) : (tensor<4xcomplex<f32>>) -> ()
  }) {raf.vjp = @f_vjp} : () -> ()
}) : () -> ()
