// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// sum
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[X]] dims = [1]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[DY]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK: return %[[REDUCE]], %[[B]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.reduce sum %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// max: equal extrema share the gradient.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce max %[[X]] dims = [1]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[REDUCE]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare eq %[[X]], %[[B]]
// CHECK-DAG: %[[CAST:.*]] = raf.cast %[[COMPARE]] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce sum %[[CAST]] dims = [1]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[DY]], %[[REDUCE2]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[DIV]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[B2]], %[[C]]
// CHECK: return %[[REDUCE]], %[[SELECT]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.reduce max %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// min
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce min %[[X]] dims = [1]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[REDUCE]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare eq %[[X]], %[[B]]
// CHECK-DAG: %[[CAST:.*]] = raf.cast %[[COMPARE]] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce sum %[[CAST]] dims = [1]
// CHECK-DAG: %[[C:.*]] = raf.constant dense<0.000000e+00> : tensor<4x8xf32>
// CHECK-DAG: %[[DIV:.*]] = raf.div %[[DY]], %[[REDUCE2]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[DIV]] dims = [0] : {{.*}} to tensor<4x8xf32>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[COMPARE]], %[[B2]], %[[C]]
// CHECK: return %[[REDUCE]], %[[SELECT]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.reduce min %x dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// prod: running products from both sides, dimension after dimension: exact where elements are 0.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x3x2xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4xf32>
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce prod %[[X]] dims = [1, 2]
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce prod %[[X]] dims = [2]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[DY]] dims = [0] : {{.*}} to tensor<4x3xf32>
// CHECK-DAG: %[[PAD:.*]] = raf.pad %[[REDUCE2]] low = [0, -1] high = [0, 1] interior = [0, 0] value = 1.000000e+00
// CHECK-DAG: %[[PAD2:.*]] = raf.pad %[[PAD]] low = [0, -1] high = [0, 1] interior = [0, 0] value = 1.000000e+00
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[PAD]], %[[PAD2]]
// CHECK-DAG: %[[PAD3:.*]] = raf.pad %[[REDUCE2]] low = [0, 1] high = [0, -1] interior = [0, 0] value = 1.000000e+00
// CHECK-DAG: %[[PAD4:.*]] = raf.pad %[[PAD3]] low = [0, 1] high = [0, -1] interior = [0, 0] value = 1.000000e+00
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[PAD3]], %[[PAD4]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[MUL2]], %[[MUL]]
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[B]], %[[MUL3]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[MUL4]] dims = [0, 1] : {{.*}} to tensor<4x3x2xf32>
// CHECK-DAG: %[[PAD5:.*]] = raf.pad %[[X]] low = [0, 0, -1] high = [0, 0, 1] interior = [0, 0, 0] value = 1.000000e+00
// CHECK-DAG: %[[PAD6:.*]] = raf.pad %[[X]] low = [0, 0, 1] high = [0, 0, -1] interior = [0, 0, 0] value = 1.000000e+00
// CHECK-DAG: %[[MUL5:.*]] = raf.mul %[[PAD6]], %[[PAD5]]
// CHECK-DAG: %[[MUL6:.*]] = raf.mul %[[B2]], %[[MUL5]]
// CHECK: return %[[REDUCE]], %[[MUL6]]
func.func @main(%x: tensor<4x3x2xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4xf32> {raf.name = "y"}) {
  %y = raf.reduce prod %x dims = [1, 2] : tensor<4x3x2xf32> -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// cumsum
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[CUMSUM:.*]] = raf.cumsum %[[X]] axis = 1 exclusive
// CHECK-DAG: %[[CUMSUM2:.*]] = raf.cumsum %[[DY]] axis = 1 exclusive reverse
// CHECK: return %[[CUMSUM]], %[[CUMSUM2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.cumsum %x axis = 1 exclusive : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// cumsum_reverse
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[CUMSUM:.*]] = raf.cumsum %[[X]] axis = 0 reverse
// CHECK-DAG: %[[CUMSUM2:.*]] = raf.cumsum %[[DY]] axis = 0
// CHECK: return %[[CUMSUM]], %[[CUMSUM2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.cumsum %x axis = 0 reverse : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
