// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// matmul: transposed operands get transposed gradients by flags alone.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x4x5xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x5x3xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x3xf32>
// CHECK-DAG: %[[MATMUL:.*]] = raf.matmul %[[A]], %[[C]]
// CHECK-DAG: %[[MATMUL2:.*]] = raf.matmul %[[DY]], %[[C]] transpose_rhs
// CHECK-DAG: %[[MATMUL3:.*]] = raf.matmul %[[A]], %[[DY]] transpose_lhs
// CHECK: return %[[MATMUL]], %[[MATMUL2]], %[[MATMUL3]]
func.func @main(%a: tensor<2x4x5xf32> {raf.role = "param", raf.name = "a"}, %c: tensor<2x5x3xf32> {raf.role = "param", raf.name = "c"}) -> (tensor<2x4x3xf32> {raf.name = "y"}) {
  %y = raf.matmul %a, %c : tensor<2x4x5xf32>, tensor<2x5x3xf32> -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// -----

// matmul_transpose_rhs
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x4x5xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x3x5xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x3xf32>
// CHECK-DAG: %[[MATMUL:.*]] = raf.matmul %[[A]], %[[C]] transpose_rhs
// CHECK-DAG: %[[MATMUL2:.*]] = raf.matmul %[[DY]], %[[C]]
// CHECK-DAG: %[[MATMUL3:.*]] = raf.matmul %[[DY]], %[[A]] transpose_lhs
// CHECK: return %[[MATMUL]], %[[MATMUL2]], %[[MATMUL3]]
func.func @main(%a: tensor<2x4x5xf32> {raf.role = "param", raf.name = "a"}, %c: tensor<2x3x5xf32> {raf.role = "param", raf.name = "c"}) -> (tensor<2x4x3xf32> {raf.name = "y"}) {
  %y = raf.matmul %a, %c transpose_rhs : tensor<2x4x5xf32>, tensor<2x3x5xf32> -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// -----

// matmul_transpose_lhs
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x5x4xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x5x3xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x3xf32>
// CHECK-DAG: %[[MATMUL:.*]] = raf.matmul %[[A]], %[[C]] transpose_lhs
// CHECK-DAG: %[[MATMUL2:.*]] = raf.matmul %[[C]], %[[DY]] transpose_rhs
// CHECK-DAG: %[[MATMUL3:.*]] = raf.matmul %[[A]], %[[DY]]
// CHECK: return %[[MATMUL]], %[[MATMUL2]], %[[MATMUL3]]
func.func @main(%a: tensor<2x5x4xf32> {raf.role = "param", raf.name = "a"}, %c: tensor<2x5x3xf32> {raf.role = "param", raf.name = "c"}) -> (tensor<2x4x3xf32> {raf.name = "y"}) {
  %y = raf.matmul %a, %c transpose_lhs : tensor<2x5x4xf32>, tensor<2x5x3xf32> -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// -----

// matmul_transpose_lhs_transpose_rhs
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<2x5x4xf32>
// CHECK-SAME: %[[C:[a-z0-9]+]]: tensor<2x3x5xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x3xf32>
// CHECK-DAG: %[[MATMUL:.*]] = raf.matmul %[[A]], %[[C]] transpose_lhs transpose_rhs
// CHECK-DAG: %[[MATMUL2:.*]] = raf.matmul %[[C]], %[[DY]] transpose_lhs transpose_rhs
// CHECK-DAG: %[[MATMUL3:.*]] = raf.matmul %[[DY]], %[[A]] transpose_lhs transpose_rhs
// CHECK: return %[[MATMUL]], %[[MATMUL2]], %[[MATMUL3]]
func.func @main(%a: tensor<2x5x4xf32> {raf.role = "param", raf.name = "a"}, %c: tensor<2x3x5xf32> {raf.role = "param", raf.name = "c"}) -> (tensor<2x4x3xf32> {raf.name = "y"}) {
  %y = raf.matmul %a, %c transpose_lhs transpose_rhs : tensor<2x5x4xf32>, tensor<2x3x5xf32> -> tensor<2x4x3xf32>
  return %y : tensor<2x4x3xf32>
}

// -----

// attention: the probabilities are computed again; the heads of a group are rows of one matrix.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x4x6x8xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<2x2x7x8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<2x2x7x5xf32>
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<1x4x6x7xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x6x5xf32>
// CHECK-DAG: %[[ATTENTION:.*]] = raf.attention %[[Q]], %[[K]], %[[V]] bias %[[BIAS]] scale = 5.000000e-01 causal
// CHECK-DAG: %[[RESHAPE:.*]] = raf.reshape %[[Q]] : {{.*}} to tensor<2x2x12x8xf32>
// CHECK-DAG: %[[RESHAPE2:.*]] = raf.reshape %[[DY]] : {{.*}} to tensor<2x2x12x5xf32>
// CHECK-DAG: %[[MATMUL:.*]] = raf.matmul %[[RESHAPE]], %[[K]] transpose_rhs
// CHECK-DAG: %[[RESHAPE3:.*]] = raf.reshape %[[MATMUL]] : {{.*}} to tensor<2x4x6x7xf32>
// CHECK-DAG: %[[C:.*]] = raf.constant dense<5.000000e-01> : tensor<2x4x6x7xf32>
// CHECK-DAG: %[[MUL:.*]] = raf.mul %[[RESHAPE3]], %[[C]]
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[BIAS]] dims = [0, 1, 2, 3] : {{.*}} to tensor<2x4x6x7xf32>
// CHECK-DAG: %[[ADD:.*]] = raf.add %[[MUL]], %[[B]]
// CHECK-DAG: %[[IOTA:.*]] = raf.iota dim = 0
// CHECK-DAG: %[[C2:.*]] = raf.constant dense<1> : tensor<6x7xi64>
// CHECK-DAG: %[[ADD2:.*]] = raf.add %[[IOTA]], %[[C2]]
// CHECK-DAG: %[[IOTA2:.*]] = raf.iota dim = 1
// CHECK-DAG: %[[COMPARE:.*]] = raf.compare le %[[IOTA2]], %[[ADD2]]
// CHECK-DAG: %[[B2:.*]] = raf.broadcast %[[COMPARE]] dims = [2, 3] : {{.*}} to tensor<2x4x6x7xi1>
// CHECK-DAG: %[[C3:.*]] = raf.constant dense<0xFF800000> : tensor<2x4x6x7xf32>
// CHECK-DAG: %[[SELECT:.*]] = raf.select %[[B2]], %[[ADD]], %[[C3]]
// CHECK-DAG: %[[SOFTMAX:.*]] = raf.softmax %[[SELECT]] axis = 3
// CHECK-DAG: %[[RESHAPE4:.*]] = raf.reshape %[[SOFTMAX]] : {{.*}} to tensor<2x2x12x7xf32>
// CHECK-DAG: %[[MATMUL2:.*]] = raf.matmul %[[RESHAPE4]], %[[RESHAPE2]] transpose_lhs
// CHECK-DAG: %[[MATMUL3:.*]] = raf.matmul %[[RESHAPE2]], %[[V]] transpose_rhs
// CHECK-DAG: %[[RESHAPE5:.*]] = raf.reshape %[[MATMUL3]] : {{.*}} to tensor<2x4x6x7xf32>
// CHECK-DAG: %[[MUL2:.*]] = raf.mul %[[DY]], %[[ATTENTION]]
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[MUL2]] dims = [3]
// CHECK-DAG: %[[B3:.*]] = raf.broadcast %[[REDUCE]] dims = [0, 1, 2] : {{.*}} to tensor<2x4x6x7xf32>
// CHECK-DAG: %[[SUB:.*]] = raf.sub %[[RESHAPE5]], %[[B3]]
// CHECK-DAG: %[[MUL3:.*]] = raf.mul %[[SOFTMAX]], %[[SUB]]
// CHECK-DAG: %[[REDUCE2:.*]] = raf.reduce sum %[[MUL3]] dims = [0]
// CHECK-DAG: %[[RESHAPE6:.*]] = raf.reshape %[[REDUCE2]] : {{.*}} to tensor<1x4x6x7xf32>
// CHECK-DAG: %[[MUL4:.*]] = raf.mul %[[MUL3]], %[[C]]
// CHECK-DAG: %[[RESHAPE7:.*]] = raf.reshape %[[MUL4]] : {{.*}} to tensor<2x2x12x7xf32>
// CHECK-DAG: %[[MATMUL4:.*]] = raf.matmul %[[RESHAPE7]], %[[K]]
// CHECK-DAG: %[[RESHAPE8:.*]] = raf.reshape %[[MATMUL4]] : {{.*}} to tensor<2x4x6x8xf32>
// CHECK-DAG: %[[MATMUL5:.*]] = raf.matmul %[[RESHAPE7]], %[[RESHAPE]] transpose_lhs
// CHECK: return %[[ATTENTION]], %[[RESHAPE8]], %[[MATMUL5]], %[[MATMUL2]], %[[RESHAPE6]]
func.func @main(%q: tensor<2x4x6x8xf32> {raf.role = "param", raf.name = "q"}, %k: tensor<2x2x7x8xf32> {raf.role = "param", raf.name = "k"}, %v: tensor<2x2x7x5xf32> {raf.role = "param", raf.name = "v"}, %bias: tensor<1x4x6x7xf32> {raf.role = "param", raf.name = "bias"}) -> (tensor<2x4x6x5xf32> {raf.name = "y"}) {
  %y = raf.attention %q, %k, %v bias %bias scale = 0.5 causal : (tensor<2x4x6x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x5xf32>, tensor<1x4x6x7xf32>) -> tensor<2x4x6x5xf32>
  return %y : tensor<2x4x6x5xf32>
}
