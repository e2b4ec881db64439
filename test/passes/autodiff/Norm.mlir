// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// softmax
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[SOFTMAX:.*]] = raf.softmax %[[X]] axis = 1
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[SOFTMAX]]
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[MUL]] dims = [1]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[REDUCE]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[DY]], %[[B]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[SUB]], %[[SOFTMAX]]
// CHECK: return %[[SOFTMAX]], %[[MUL2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.softmax %x axis = 1 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// log_softmax
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[LOG_SOFTMAX:.*]] = raf.log_softmax %[[X]] axis = 1
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[DY]] dims = [1]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[REDUCE]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[EXP:.*]] = raf.exp %[[LOG_SOFTMAX]]
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[EXP]], %[[B]]
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[DY]], %[[MUL]]
// CHECK: return %[[LOG_SOFTMAX]], %[[SUB]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.log_softmax %x axis = 1 : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// layer_norm: from the saved statistics.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[Y:.*]], %[[MEAN:.*]], %[[RSTD:.*]] = raf.layer_norm %[[X]], %[[S]], %[[B]] axis = 1 epsilon = 1.000000e-05
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[MEAN]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[X]], %[[B2]]
// CHECK-DAG: %[[B3:.*]] = raf.broadcast %[[RSTD]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[SUB]], %[[B3]]
// CHECK-DAG: %[[B4:.*]] = raf.broadcast %[[S]] dims = [1] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[B4]]
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[MUL2]] dims = [1]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[REDUCE]], %[[C]]
// CHECK-DAG: %[[B5:.*]] = raf.broadcast %[[MUL3]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL2]], %[[MUL]]
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce sum %[[MUL4]] dims = [1]
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[REDUCE2]], %[[C]]
// CHECK-DAG: %[[B6:.*]] = raf.broadcast %[[MUL5]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[MUL]], %[[B6]]
// CHECK-DAG: %[[SUB2:.*]] = raf.sub %[[MUL2]], %[[B5]]
// CHECK-DAG: %[[SUB3:.*]] = raf.sub %[[SUB2]], %[[MUL6]]
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[B3]], %[[SUB3]]
// CHECK-DAG: %[[MUL8:.*]] = raf.mul %[[DY]], %[[MUL]]
// CHECK-DAG: %[[REDUCE3:.*]] = raf.reduce sum %[[MUL8]] dims = [0]
// CHECK-DAG: %[[REDUCE4:.*]] = raf.reduce sum %[[DY]] dims = [0]
// CHECK: return %[[Y]], %[[MUL7]], %[[REDUCE3]], %[[REDUCE4]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %s: tensor<8xf32> {raf.role = "param", raf.name = "s"}, %b: tensor<8xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y, %m, %r = raf.layer_norm %x, %s, %b axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  return %y : tensor<4x8xf32>
}

// -----

// layer_norm_statistics
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.000000e+00> : tensor<8xf32>
// CHECK-DAG: %[[Y:.*]], %[[MEAN:.*]], %[[RSTD:.*]] = raf.layer_norm %[[X]], %[[C]], %[[C]] axis = 1 epsilon = 1.000000e-05
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[MEAN]], %[[RSTD]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[RSTD]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MEAN]]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[MEAN]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[X]], %[[B]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL2]], %[[C2]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[MUL4]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[RSTD]], %[[RSTD]]
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[MUL5]], %[[RSTD]]
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[MUL3]], %[[MUL6]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<-1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[MUL8:.*]] = raf.mul %[[MUL7]], %[[C3]]
// CHECK-DAG: %[[B3:.*]] = raf.broadcast %[[MUL8]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL9:.*]] = raf.mul %[[SUB]], %[[B3]]
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[B2]], %[[MUL9]]
// CHECK: return %[[MUL]], %[[ADD]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %c = raf.constant dense<1.0> : tensor<8xf32>
  %z, %m, %r = raf.layer_norm %x, %c, %c axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %y = raf.mul %m, %r : tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// rms_norm
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[Y:.*]], %[[RSTD:.*]] = raf.rms_norm %[[X]], %[[S]] axis = 1 epsilon = 1.000000e-05
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[RSTD]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[X]], %[[B]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[S]] dims = [1] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[B2]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[MUL2]], %[[MUL]]
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[MUL3]] dims = [1]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[REDUCE]], %[[C]]
// CHECK-DAG: %[[B3:.*]] = raf.broadcast %[[MUL4]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[MUL]], %[[B3]]
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[MUL2]], %[[MUL5]]
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[B]], %[[SUB]]
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[DY]], %[[MUL]]
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce sum %[[MUL7]] dims = [0]
// CHECK: return %[[Y]], %[[MUL6]], %[[REDUCE2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %s: tensor<8xf32> {raf.role = "param", raf.name = "s"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y, %r = raf.rms_norm %x, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return %y : tensor<4x8xf32>
}

// -----

// rms_norm_statistics
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[Y:.*]], %[[RSTD:.*]] = raf.rms_norm %[[X]], %[[S]] axis = 1 epsilon = 1.000000e-05
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[RSTD]], %[[RSTD]]
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[MUL]], %[[RSTD]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[MUL2]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<-1.250000e-01> : tensor<4xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL3]], %[[C]]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[MUL4]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[X]], %[[B]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: return %[[RSTD]], %[[MUL5]], %[[C2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %s: tensor<8xf32> {raf.role = "param", raf.name = "s"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %z, %y = raf.rms_norm %x, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>)
  return %y : tensor<4xf32>
}

// -----

// batch_norm
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[Y:.*]], %[[NEW_RUNNING_MEAN:.*]], %[[NEW_RUNNING_VAR:.*]], %[[MEAN:.*]], %[[RSTD:.*]] = raf.batch_norm %[[X]], %[[S]], %[[B]], %[[M]], %[[V]] axis = 1 epsilon = 1.000000e-05 momentum = 7.500000e-01
// CHECK-DAG: %[[DX:.*]], %[[DSCALE:.*]], %[[DBIAS:.*]] = raf.batch_norm_grad %[[DY]], %[[X]], %[[S]], %[[MEAN]], %[[RSTD]] axis = 1
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: return %[[Y]], %[[DX]], %[[DSCALE]], %[[DBIAS]], %[[C]], %[[C]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %s: tensor<8xf32> {raf.role = "param", raf.name = "s"}, %b: tensor<8xf32> {raf.role = "param", raf.name = "b"}, %m: tensor<8xf32> {raf.role = "param", raf.name = "m"}, %v: tensor<8xf32> {raf.role = "param", raf.name = "v"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y, %rm, %rv, %mean, %r = raf.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 momentum = 0.75 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  return %y : tensor<4x8xf32>
}

// -----

// batch_norm_statistics: running statistics and rstd are results like any other.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[M:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<8xf32>
// CHECK-DAG: %[[Y:.*]], %[[NEW_RUNNING_MEAN:.*]], %[[NEW_RUNNING_VAR:.*]], %[[MEAN:.*]], %[[RSTD:.*]] = raf.batch_norm %[[X]], %[[S]], %[[B]], %[[M]], %[[V]] axis = 1 epsilon = 1.000000e-05 momentum = 7.500000e-01
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[NEW_RUNNING_MEAN]], %[[NEW_RUNNING_VAR]]
// CHECK-DAG: %[[ADD2:.*]] = raf.add %[[ADD]], %[[RSTD]]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<7.500000e-01> : tensor<8xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[DY]], %[[C]]
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<2.500000e-01> : tensor<8xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[C2]]
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<1.250000e-01> : tensor<8xf32>
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[DY]], %[[C3]]
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[RSTD]], %[[RSTD]]
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[MUL4]], %[[RSTD]]
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[DY]], %[[MUL5]]
// CHECK-DAG: %[[C4:.*]] = raf.constant dense<-2.500000e-01> : tensor<8xf32>
// CHECK-DAG: %[[MUL7:.*]] = raf.mul %[[MUL6]], %[[C4]]
// CHECK-DAG: %[[ADD3:.*]] = raf.add %[[MUL3]], %[[MUL7]]
// CHECK-DAG: %[[MUL8:.*]] = raf.mul %[[MUL2]], %[[C2]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[MUL8]] dims = [1] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[B3:.*]] = raf.broadcast %[[ADD3]] dims = [1] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[B4:.*]] = raf.broadcast %[[MEAN]] dims = [1] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[X]], %[[B4]]
// CHECK-DAG: %[[MUL9:.*]] = raf.mul %[[SUB]], %[[B3]]
// CHECK-DAG: %[[ADD4:.*]] = raf.add %[[B2]], %[[MUL9]]
// CHECK-DAG: %[[C5:.*]] = raf.constant dense<0.000000e+00> : tensor<8xf32>
// CHECK: return %[[ADD2]], %[[ADD4]], %[[C5]], %[[C5]], %[[MUL]], %[[MUL]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}, %s: tensor<8xf32> {raf.role = "param", raf.name = "s"}, %b: tensor<8xf32> {raf.role = "param", raf.name = "b"}, %m: tensor<8xf32> {raf.role = "param", raf.name = "m"}, %v: tensor<8xf32> {raf.role = "param", raf.name = "v"}) -> (tensor<8xf32> {raf.name = "y"}) {
  %z, %rm, %rv, %mean, %r = raf.batch_norm %x, %s, %b, %m, %v axis = 1 epsilon = 1.0e-5 momentum = 0.75 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
  %y0 = raf.add %rm, %rv : tensor<8xf32>
  %y = raf.add %y0, %r : tensor<8xf32>
  return %y : tensor<8xf32>
}
