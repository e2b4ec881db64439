// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// add
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[A]], %[[B]]
// CHECK: return %[[ADD]], %[[DY]], %[[DY]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.add %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// sub
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[A]], %[[B]]
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[DY]]
// CHECK: return %[[SUB]], %[[DY]], %[[NEG]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.sub %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// mul
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[A]], %[[B]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[B]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[A]]
// CHECK: return %[[MUL]], %[[MUL2]], %[[MUL3]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.mul %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// div
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[A]], %[[B]]
// CHECK-DAG: %[[DIV2:.*]] = raf.div %[[DY]], %[[B]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DIV2]], %[[DIV]]
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[MUL]]
// CHECK: return %[[DIV]], %[[DIV2]], %[[NEG]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.div %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// rem: the quotient is constant between jumps.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[REM:.*]] = raf.rem %[[A]], %[[B]]
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[A]], %[[REM]]
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[SUB]], %[[B]]
// CHECK-DAG: %[[ROUND:.*]] = raf.round %[[DIV]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[ROUND]]
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[MUL]]
// CHECK: return %[[REM]], %[[DY]], %[[NEG]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.rem %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// pow: 0 where b is 0, and with respect to b where a is 0.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[POW:.*]] = raf.pow %[[A]], %[[B]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare eq %[[B]], %[[C]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[B]], %[[C2]]
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[C2]], %[[SUB]]
// CHECK-DAG: %[[POW2:.*]] = raf.pow %[[A]], %[[SELECT]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[B]], %[[POW2]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[MUL]]
// CHECK-DAG: %[[COMPARE2:.*]] = raf.compare eq %[[A]], %[[C]]
// CHECK-DAG: %[[SELECT2:.*]] = raf.select %[[COMPARE2]], %[[C2]], %[[A]]
// CHECK-DAG: %[[LOG:.*]] = raf.log %[[SELECT2]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[POW]], %[[LOG]]
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[DY]], %[[MUL3]]
// CHECK: return %[[POW]], %[[MUL2]], %[[MUL4]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.pow %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// maximum: half of the gradient to each side at a tie.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[MAXIMUM:.*]] = raf.maximum %[[A]], %[[B]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[C2]]
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare eq %[[A]], %[[B]]
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[MUL]], %[[C]]
// CHECK-DAG: %[[COMPARE2:.*]] = raf.compare gt %[[A]], %[[B]]
// CHECK-DAG: %[[SELECT2:.*]] = raf.select %[[COMPARE2]], %[[DY]], %[[SELECT]]
// CHECK-DAG: %[[COMPARE3:.*]] = raf.compare gt %[[B]], %[[A]]
// CHECK-DAG: %[[SELECT3:.*]] = raf.select %[[COMPARE3]], %[[DY]], %[[SELECT]]
// CHECK: return %[[MAXIMUM]], %[[SELECT2]], %[[SELECT3]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.maximum %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// minimum
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[MINIMUM:.*]] = raf.minimum %[[A]], %[[B]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[C2]]
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare eq %[[A]], %[[B]]
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[MUL]], %[[C]]
// CHECK-DAG: %[[COMPARE2:.*]] = raf.compare lt %[[A]], %[[B]]
// CHECK-DAG: %[[SELECT2:.*]] = raf.select %[[COMPARE2]], %[[DY]], %[[SELECT]]
// CHECK-DAG: %[[COMPARE3:.*]] = raf.compare lt %[[B]], %[[A]]
// CHECK-DAG: %[[SELECT3:.*]] = raf.select %[[COMPARE3]], %[[DY]], %[[SELECT]]
// CHECK: return %[[MINIMUM]], %[[SELECT2]], %[[SELECT3]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.minimum %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// square: one product, not two.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[A]], %[[A]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<2.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[A]], %[[C]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MUL2]]
// CHECK: return %[[MUL]], %[[MUL3]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.mul %a, %a : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// pow_constant
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[C:.*]] = raf.constant dense<3.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[POW:.*]] = raf.pow %[[A]], %[[C]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[A]], %[[A]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[MUL]], %[[C]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MUL2]]
// CHECK: return %[[POW]], %[[MUL3]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %c = raf.constant dense<3.0> : tensor<4x8xf32>
  %y = raf.pow %a, %c : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// select
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<4x8xi1>
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[M]], %[[A]], %[[B]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SELECT2:.*]] = raf.select %[[M]], %[[DY]], %[[C]]
// CHECK-DAG: %[[SELECT3:.*]] = raf.select %[[M]], %[[C]], %[[DY]]
// CHECK: return %[[SELECT]], %[[SELECT2]], %[[SELECT3]]
func.func @main(%m: tensor<4x8xi1> {raf.role = "input", raf.name = "m"}, %a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.select %m, %a, %b : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
