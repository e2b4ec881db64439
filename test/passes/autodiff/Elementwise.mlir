// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// neg
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[X]]
// CHECK-DAG: %[[NEG2:.*]] = raf.neg %[[DY]]
// CHECK: return %[[NEG]], %[[NEG2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.neg %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// abs
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ABS:.*]] = raf.abs %[[X]]
// CHECK-DAG: %[[SIGN:.*]] = raf.sign %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[SIGN]]
// CHECK: return %[[ABS]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.abs %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// sign: constant almost everywhere.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SIGN:.*]] = raf.sign %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK: return %[[SIGN]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.sign %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// floor
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[FLOOR:.*]] = raf.floor %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK: return %[[FLOOR]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.floor %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// ceil
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[CEIL:.*]] = raf.ceil %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK: return %[[CEIL]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.ceil %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// round
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ROUND:.*]] = raf.round %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK: return %[[ROUND]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.round %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// exp
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[EXP:.*]] = raf.exp %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[EXP]]
// CHECK: return %[[EXP]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.exp %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// expm1
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[EXPM1:.*]] = raf.expm1 %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[EXPM1]], %[[C]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[ADD]]
// CHECK: return %[[EXPM1]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.expm1 %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// log
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[LOG:.*]] = raf.log %[[X]]
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[DY]], %[[X]]
// CHECK: return %[[LOG]], %[[DIV]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.log %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// log1p
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[LOG1P:.*]] = raf.log1p %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[X]], %[[C]]
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[DY]], %[[ADD]]
// CHECK: return %[[LOG1P]], %[[DIV]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.log1p %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// sqrt: by the result.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SQRT:.*]] = raf.sqrt %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[C]]
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[MUL]], %[[SQRT]]
// CHECK: return %[[SQRT]], %[[DIV]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.sqrt %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// rsqrt
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[RSQRT:.*]] = raf.rsqrt %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[RSQRT]], %[[RSQRT]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[MUL]], %[[RSQRT]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<-5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[C]]
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL3]], %[[MUL2]]
// CHECK: return %[[RSQRT]], %[[MUL4]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.rsqrt %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// sin
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SIN:.*]] = raf.sin %[[X]]
// CHECK-DAG: %[[COS:.*]] = raf.cos %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[COS]]
// CHECK: return %[[SIN]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.sin %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// cos
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[COS:.*]] = raf.cos %[[X]]
// CHECK-DAG: %[[SIN:.*]] = raf.sin %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[SIN]]
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[MUL]]
// CHECK: return %[[COS]], %[[NEG]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.cos %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// tanh: by the result.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[TANH:.*]] = raf.tanh %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[TANH]], %[[TANH]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[C]], %[[MUL]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[SUB]]
// CHECK: return %[[TANH]], %[[MUL2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.tanh %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// sigmoid
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SIGMOID:.*]] = raf.sigmoid %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[C]], %[[SIGMOID]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[SIGMOID]], %[[SUB]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[MUL]]
// CHECK: return %[[SIGMOID]], %[[MUL2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.sigmoid %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// erf
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[ERF:.*]] = raf.erf %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[X]], %[[X]]
// CHECK-DAG: %[[NEG:.*]] = raf.neg %[[MUL]]
// CHECK-DAG: %[[EXP:.*]] = raf.exp %[[NEG]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.12837923> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[EXP]], %[[C]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MUL2]]
// CHECK: return %[[ERF]], %[[MUL3]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.erf %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// relu: by the result, in a form that fuses.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[RELU:.*]] = raf.relu %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare gt %[[RELU]], %[[C]]
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[DY]], %[[C]]
// CHECK: return %[[RELU]], %[[SELECT]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.relu %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// silu
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SILU:.*]] = raf.silu %[[X]]
// CHECK-DAG: %[[SIGMOID:.*]] = raf.sigmoid %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[C]], %[[SIGMOID]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[X]], %[[SUB]]
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[MUL]], %[[C]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[SIGMOID]], %[[ADD]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MUL2]]
// CHECK: return %[[SILU]], %[[MUL3]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.silu %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// gelu_erf
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[GELU:.*]] = raf.gelu erf %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.707106769> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[X]], %[[C]]
// CHECK-DAG: %[[ERF:.*]] = raf.erf %[[MUL]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[ERF]], %[[C2]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[ADD]], %[[C3]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[X]], %[[X]]
// CHECK-DAG: %[[C4:.*]] = raf.constant dense<-5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL3]], %[[C4]]
// CHECK-DAG: %[[EXP:.*]] = raf.exp %[[MUL4]]
// CHECK-DAG: %[[C5:.*]] = raf.constant dense<0.398942292> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[EXP]], %[[C5]]
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[X]], %[[MUL5]]
// CHECK-DAG: %[[ADD2:.*]] = raf.add %[[MUL2]], %[[MUL6]]
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[DY]], %[[ADD2]]
// CHECK: return %[[GELU]], %[[MUL7]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.gelu erf %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// gelu_tanh
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[GELU:.*]] = raf.gelu tanh %[[X]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[X]], %[[X]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<4.471500e-02> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[MUL]], %[[C]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<1.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[MUL2]], %[[C2]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[X]], %[[ADD]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0.797884583> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL3]], %[[C3]]
// CHECK-DAG: %[[TANH:.*]] = raf.tanh %[[MUL4]]
// CHECK-DAG: %[[C4:.*]] = raf.constant dense<1.341450e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[MUL]], %[[C4]]
// CHECK-DAG: %[[ADD2:.*]] = raf.add %[[MUL5]], %[[C2]]
// CHECK-DAG: %[[C5:.*]] = raf.constant dense<0.398942292> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[ADD2]], %[[C5]]
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[TANH]], %[[TANH]]
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[C2]], %[[MUL7]]
// CHECK-DAG: %[[MUL8:.*]] = raf.mul %[[X]], %[[SUB]]
// CHECK-DAG: %[[MUL9:.*]] = raf.mul %[[MUL8]], %[[MUL6]]
// CHECK-DAG: %[[ADD3:.*]] = raf.add %[[TANH]], %[[C2]]
// CHECK-DAG: %[[C6:.*]] = raf.constant dense<5.000000e-01> : tensor<4x8xf32>
// CHECK-DAG: %[[MUL10:.*]] = raf.mul %[[ADD3]], %[[C6]]
// CHECK-DAG: %[[ADD4:.*]] = raf.add %[[MUL10]], %[[MUL9]]
// CHECK-DAG: %[[MUL11:.*]] = raf.mul %[[DY]], %[[ADD4]]
// CHECK: return %[[GELU]], %[[MUL11]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.gelu tanh %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// cast
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xbf16>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[CAST:.*]] = raf.cast %[[X]] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[CAST2:.*]] = raf.cast %[[DY]] : {{.*}} to tensor<4x8xbf16>
// CHECK: return %[[CAST]], %[[CAST2]]
func.func @main(%x: tensor<4x8xbf16> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.cast %x : tensor<4x8xbf16> to tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
