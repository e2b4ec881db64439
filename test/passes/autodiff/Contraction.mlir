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

// attention: one op, given the sum of y dy over each row.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x4x6x8xf32>
// CHECK-SAME: %[[K:[a-z0-9]+]]: tensor<2x2x7x8xf32>
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<2x2x7x5xf32>
// CHECK-SAME: %[[BIAS:[a-z0-9]+]]: tensor<1x4x6x7xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x6x5xf32>
// CHECK: %[[Y:.*]], %[[LSE:.*]] = raf.attention %[[Q]], %[[K]], %[[V]] bias %[[BIAS]] scale = 5.000000e-01 causal
// CHECK: %[[MUL:.*]] = raf.mul %[[DY]], %[[Y]]
// CHECK: %[[DELTA:.*]] = raf.reduce sum %[[MUL]] dims = [3]
// CHECK: %[[DQ:.*]], %[[DK:.*]], %[[DV:.*]], %[[DBIAS:.*]] = raf.attention_grad %[[Q]], %[[K]], %[[V]], %[[DY]], %[[LSE]], %[[DELTA]] bias %[[BIAS]] scale = 5.000000e-01 causal bias_grad
// CHECK: return %[[Y]], %[[DQ]], %[[DK]], %[[DV]], %[[DBIAS]]
func.func @main(%q: tensor<2x4x6x8xf32> {raf.role = "param", raf.name = "q"}, %k: tensor<2x2x7x8xf32> {raf.role = "param", raf.name = "k"}, %v: tensor<2x2x7x5xf32> {raf.role = "param", raf.name = "v"}, %bias: tensor<1x4x6x7xf32> {raf.role = "param", raf.name = "bias"}) -> (tensor<2x4x6x5xf32> {raf.name = "y"}) {
  %y, %lse = raf.attention %q, %k, %v bias %bias scale = 0.5 causal : (tensor<2x4x6x8xf32>, tensor<2x2x7x8xf32>, tensor<2x2x7x5xf32>, tensor<1x4x6x7xf32>) -> (tensor<2x4x6x5xf32>, tensor<2x4x6xf32>)
  return %y : tensor<2x4x6x5xf32>
}

// -----

// The cotangent of a product that was summed to f32 is rounded to the type of the operands.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK: %[[CAST:.*]] = raf.cast %[[DY]] : tensor<4x3xf32> to tensor<4x3xbf16>
// CHECK-DAG: raf.matmul %[[CAST]], %{{.*}} transpose_rhs : tensor<4x3xbf16>, tensor<5x3xbf16> -> tensor<4x5xbf16>
// CHECK-DAG: raf.matmul %{{.*}}, %[[CAST]] transpose_lhs : tensor<4x5xbf16>, tensor<4x3xbf16> -> tensor<5x3xbf16>
func.func @main(%a: tensor<4x5xbf16> {raf.role = "param", raf.name = "a"}, %c: tensor<5x3xbf16> {raf.role = "param", raf.name = "c"}) -> (tensor<4x3xf32> {raf.name = "y"}) {
  %y = raf.matmul %a, %c : tensor<4x5xbf16>, tensor<5x3xbf16> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// attention: the gradient of a bias that all rows share is the sum of theirs.
// CHECK-LABEL: func.func @main(
// CHECK: %[[ROWS:.*]] = raf.broadcast %{{.*}} dims = [0, 1, 2, 3] : tensor<2x1x1x7xf32> to tensor<2x1x6x7xf32>
// CHECK: %{{.*}}, %{{.*}}, %{{.*}}, %[[DBIAS:.*]] = raf.attention_grad {{.*}} bias %[[ROWS]] scale = 5.000000e-01 bias_grad
// CHECK: %[[SUM:.*]] = raf.reduce sum %[[DBIAS]] dims = [2] : tensor<2x1x6x7xf32> -> tensor<2x1x7xf32>
// CHECK: raf.reshape %[[SUM]] : tensor<2x1x7xf32> to tensor<2x1x1x7xf32>
func.func @main(%q: tensor<2x4x6x8xf32>, %k: tensor<2x4x7x8xf32>, %bias: tensor<2x1x1x7xf32> {raf.role = "param", raf.name = "bias"}) -> (tensor<2x4x6x8xf32> {raf.name = "y"}) {
  %y, %lse = raf.attention %q, %k, %k bias %bias scale = 0.5 : (tensor<2x4x6x8xf32>, tensor<2x4x7x8xf32>, tensor<2x4x7x8xf32>, tensor<2x1x1x7xf32>) -> (tensor<2x4x6x8xf32>, tensor<2x4x6xf32>)
  return %y : tensor<2x4x6x8xf32>
}
