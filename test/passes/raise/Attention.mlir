// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-raise --canonicalize --split-input-file | FileCheck %s

// CHECK-LABEL: func @attention
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x6x8xf32>, %[[K:[a-z0-9]+]]: tensor<2x3x6x8xf32>, %[[V:[a-z0-9]+]]: tensor<2x3x6x4xf32>, %[[B:[a-z0-9]+]]: tensor<6x6xf32>
// CHECK: %[[BIAS:.+]] = raf.reshape %[[B]] : tensor<6x6xf32> to tensor<1x1x6x6xf32>
// CHECK: %[[Y:.+]], %{{.+}} = raf.attention %[[Q]], %[[K]], %[[V]] bias %[[BIAS]] scale = 2.500000e-01 :
// CHECK: return %[[Y]]
func.func @attention(%q: tensor<2x3x6x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x4xf32>, %b: tensor<6x6xf32>) -> tensor<2x3x6x4xf32> {
  %scale = raf.constant dense<4.0> : tensor<2x3x6x6xf32>
  %0 = raf.matmul %q, %k transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.div %0, %scale : tensor<2x3x6x6xf32>
  %2 = raf.broadcast %b dims = [2, 3] : tensor<6x6xf32> to tensor<2x3x6x6xf32>
  %3 = raf.add %2, %1 : tensor<2x3x6x6xf32>
  %4 = raf.softmax %3 axis = 3 : tensor<2x3x6x6xf32>
  %5 = raf.matmul %4, %v : tensor<2x3x6x6xf32>, tensor<2x3x6x4xf32> -> tensor<2x3x6x4xf32>
  return %5 : tensor<2x3x6x4xf32>
}

// -----

// What einsum makes: the transpose of the result, from keys and values transposed; the mask that tril gives.
// CHECK-LABEL: func @causal
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<5x6x8xf32>, %[[K:[a-z0-9]+]]: tensor<5x8x6xf32>, %[[V:[a-z0-9]+]]: tensor<5x4x6xf32>
// CHECK: %[[Y:.+]], %{{.+}} = raf.attention %{{.+}}, %{{.+}}, %{{.+}} scale = 5.000000e-01 causal : (tensor<5x1x6x8xf32>, tensor<5x1x6x8xf32>, tensor<5x1x6x4xf32>) -> (tensor<5x1x6x4xf32>, tensor<5x1x6xf32>)
// CHECK: %[[R:.+]] = raf.reshape %[[Y]] : tensor<5x1x6x4xf32> to tensor<5x6x4xf32>
// CHECK: raf.transpose %[[R]] permutation = [0, 2, 1]
func.func @causal(%q: tensor<5x6x8xf32>, %k: tensor<5x8x6xf32>, %v: tensor<5x4x6xf32>) -> tensor<5x4x6xf32> {
  %half = raf.constant dense<0.5> : tensor<5x6x6xf32>
  %low = raf.constant dense<-1.0e30> : tensor<5x6x6xf32>
  %yes = raf.constant dense<true> : tensor<6x6xi1>
  %no = raf.constant dense<false> : tensor<6x6xi1>
  %0 = raf.matmul %q, %k : tensor<5x6x8xf32>, tensor<5x8x6xf32> -> tensor<5x6x6xf32>
  %1 = raf.mul %0, %half : tensor<5x6x6xf32>
  %2 = raf.iota dim = 0 : tensor<6x6xi32>
  %3 = raf.iota dim = 1 : tensor<6x6xi32>
  %4 = raf.compare ge %2, %3 : tensor<6x6xi32> -> tensor<6x6xi1>
  %5 = raf.select %4, %yes, %no : tensor<6x6xi1>
  %6 = raf.broadcast %5 dims = [1, 2] : tensor<6x6xi1> to tensor<5x6x6xi1>
  %7 = raf.select %6, %1, %low : tensor<5x6x6xf32>
  %8 = raf.softmax %7 axis = 2 : tensor<5x6x6xf32>
  %9 = raf.matmul %v, %8 transpose_rhs : tensor<5x4x6xf32>, tensor<5x6x6xf32> -> tensor<5x4x6xf32>
  return %9 : tensor<5x4x6xf32>
}

// -----

// Any other mask, of numbers next to which the scores vanish, is a bias.
// CHECK-LABEL: func @masked
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x6x8xf32>, %[[M:[a-z0-9]+]]: tensor<2x3x6x6xi1>
// CHECK: %[[B:.+]] = raf.select %[[M]], %{{.+}}, %{{.+}} : tensor<2x3x6x6xf32>
// CHECK: raf.attention %[[Q]], %[[Q]], %[[Q]] bias %[[B]] scale = 1.000000e+00 :
func.func @masked(%q: tensor<2x3x6x8xf32>, %m: tensor<2x3x6x6xi1>) -> tensor<2x3x6x8xf32> {
  %low = raf.constant dense<-1.0e30> : tensor<2x3x6x6xf32>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.select %m, %0, %low : tensor<2x3x6x6xf32>
  %2 = raf.softmax %1 axis = 3 : tensor<2x3x6x6xf32>
  %3 = raf.matmul %2, %q : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x8xf32>
  return %3 : tensor<2x3x6x8xf32>
}

// -----

// One of keys stays a row for each sequence.
// CHECK-LABEL: func @masked_keys
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x6x8xf32>, %[[M:[a-z0-9]+]]: tensor<2x6xi1>
// CHECK: %[[R:.+]] = raf.reshape %[[M]] : tensor<2x6xi1> to tensor<2x1x1x6xi1>
// CHECK: %[[B:.+]] = raf.select %[[R]], %{{.+}}, %{{.+}} : tensor<2x1x1x6xf32>
// CHECK: raf.attention %[[Q]], %[[Q]], %[[Q]] bias %[[B]] scale = 1.000000e+00 :
func.func @masked_keys(%q: tensor<2x3x6x8xf32>, %m: tensor<2x6xi1>) -> tensor<2x3x6x8xf32> {
  %low = raf.constant dense<-1.0e30> : tensor<2x3x6x6xf32>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %mask = raf.broadcast %m dims = [0, 3] : tensor<2x6xi1> to tensor<2x3x6x6xi1>
  %1 = raf.select %mask, %0, %low : tensor<2x3x6x6xf32>
  %2 = raf.softmax %1 axis = 3 : tensor<2x3x6x6xf32>
  %3 = raf.matmul %2, %q : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x8xf32>
  return %3 : tensor<2x3x6x8xf32>
}

// -----

// Dimensions of size 1 among the rows, as jax.nn.dot_product_attention has them for groups of one head.
// CHECK-LABEL: func @unit_dimensions
// CHECK: raf.attention %arg0, %arg0, %arg1 scale = 5.000000e-01 : (tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>)
// CHECK-NOT: raf.softmax
func.func @unit_dimensions(%q: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x6x8xf32> {
  %half = raf.constant dense<0.5> : tensor<2x3x6x1x6xf32>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.reshape %0 : tensor<2x3x6x6xf32> to tensor<2x3x6x1x6xf32>
  %2 = raf.mul %1, %half : tensor<2x3x6x1x6xf32>
  %3 = raf.reshape %2 : tensor<2x3x6x1x6xf32> to tensor<1x2x3x6x6xf32>
  %4 = raf.softmax %3 axis = 4 : tensor<1x2x3x6x6xf32>
  %5 = raf.transpose %4 permutation = [1, 2, 4, 0, 3] : tensor<1x2x3x6x6xf32> -> tensor<2x3x6x1x6xf32>
  %6 = raf.reshape %5 : tensor<2x3x6x1x6xf32> to tensor<2x3x6x6xf32>
  %7 = raf.matmul %6, %v transpose_lhs : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x8xf32>
  return %7 : tensor<2x3x6x8xf32>
}

// -----

// A mask that still lets something through, a mask of infinities, the softmax along the queries, the weights transposed, and weights that something else uses.
// CHECK-LABEL: func @others
// CHECK-NOT: raf.attention
func.func @others(%q: tensor<5x6x8xf32>, %k: tensor<5x8x6xf32>, %v: tensor<5x6x6xf32>)
    -> (tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>) {
  %none = raf.constant dense<0xFF800000> : tensor<5x6x6xf32>
  %soft = raf.constant dense<-2.0> : tensor<5x6x6xf32>
  %0 = raf.matmul %q, %k : tensor<5x6x8xf32>, tensor<5x8x6xf32> -> tensor<5x6x6xf32>
  %1 = raf.iota dim = 1 : tensor<5x6x6xi32>
  %2 = raf.iota dim = 2 : tensor<5x6x6xi32>
  %3 = raf.compare le %1, %2 : tensor<5x6x6xi32> -> tensor<5x6x6xi1>
  %4 = raf.select %3, %0, %none : tensor<5x6x6xf32>
  %5 = raf.softmax %4 axis = 2 : tensor<5x6x6xf32>
  %6 = raf.matmul %5, %v : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %7 = raf.compare ge %1, %2 : tensor<5x6x6xi32> -> tensor<5x6x6xi1>
  %8 = raf.select %7, %0, %soft : tensor<5x6x6xf32>
  %9 = raf.softmax %8 axis = 2 : tensor<5x6x6xf32>
  %10 = raf.matmul %9, %v : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %11 = raf.softmax %0 axis = 1 : tensor<5x6x6xf32>
  %12 = raf.matmul %11, %v : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %13 = raf.softmax %0 axis = 2 : tensor<5x6x6xf32>
  %14 = raf.matmul %13, %v transpose_lhs : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %15 = raf.exp %0 : tensor<5x6x6xf32>
  %16 = raf.softmax %15 axis = 2 : tensor<5x6x6xf32>
  %17 = raf.matmul %16, %v : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %18 = raf.softmax %0 axis = 2 : tensor<5x6x6xf32>
  %19 = raf.matmul %18, %18 : tensor<5x6x6xf32>, tensor<5x6x6xf32> -> tensor<5x6x6xf32>
  %20 = raf.add %17, %19 : tensor<5x6x6xf32>
  return %6, %10, %12, %14, %20 : tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>, tensor<5x6x6xf32>
}

// -----

// One term lies in this shape already: moving the softmax before the reshape of the other would go on for ever.
// CHECK-LABEL: func @softmax_of_two_shapes
// CHECK: %[[R:.+]] = raf.reshape
// CHECK: %[[S:.+]] = raf.add %arg0, %[[R]]
// CHECK: raf.softmax %[[S]] axis = 2 : tensor<2x3x4xf32>
func.func @softmax_of_two_shapes(%x: tensor<2x3x4xf32>, %y: tensor<6x4xf32>) -> tensor<2x3x4xf32> {
  %0 = raf.reshape %y : tensor<6x4xf32> to tensor<2x3x4xf32>
  %1 = raf.add %x, %0 : tensor<2x3x4xf32>
  %2 = raf.softmax %1 axis = 2 : tensor<2x3x4xf32>
  return %2 : tensor<2x3x4xf32>
}

// -----

// Four heads of which two share a key, as jax.nn.dot_product_attention writes them: their rows are those of one head, and a mask or bias for the heads makes them heads.
// CHECK-LABEL: func @groups
// CHECK-SAME: %[[Q:[a-z0-9]+]]: tensor<2x3x5x2x8xf32>, %[[K:[a-z0-9]+]]: tensor<2x3x6x8xf32>, %[[V:[a-z0-9]+]]: tensor<2x3x6x8xf32>
// CHECK: raf.attention %{{.+}}, %[[K]], %[[V]] scale = 5.000000e-01 : (tensor<2x3x10x8xf32>, tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32>)
// CHECK-NOT: raf.softmax
func.func @groups(%q: tensor<2x3x5x2x8xf32>, %k: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xf32>) -> tensor<2x3x8x2x5xf32> {
  %half = raf.constant dense<0.5> : tensor<2x3x5x2x6xf32>
  %0 = raf.reshape %q : tensor<2x3x5x2x8xf32> to tensor<2x3x10x8xf32>
  %1 = raf.matmul %0, %k transpose_rhs : tensor<2x3x10x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x10x6xf32>
  %2 = raf.reshape %1 : tensor<2x3x10x6xf32> to tensor<2x3x5x2x6xf32>
  %3 = raf.mul %2, %half : tensor<2x3x5x2x6xf32>
  %4 = raf.transpose %3 permutation = [3, 0, 1, 2, 4] : tensor<2x3x5x2x6xf32> -> tensor<2x2x3x5x6xf32>
  %5 = raf.softmax %4 axis = 4 : tensor<2x2x3x5x6xf32>
  %6 = raf.transpose %5 permutation = [1, 2, 4, 0, 3] : tensor<2x2x3x5x6xf32> -> tensor<2x3x6x2x5xf32>
  %7 = raf.reshape %6 : tensor<2x3x6x2x5xf32> to tensor<2x3x6x10xf32>
  %8 = raf.matmul %v, %7 transpose_lhs : tensor<2x3x6x8xf32>, tensor<2x3x6x10xf32> -> tensor<2x3x8x10xf32>
  %9 = raf.reshape %8 : tensor<2x3x8x10xf32> to tensor<2x3x8x2x5xf32>
  return %9 : tensor<2x3x8x2x5xf32>
}

// -----

// CHECK-LABEL: func @groups_causal
// CHECK: raf.attention %{{.+}}, %{{.+}}, %{{.+}} scale = 5.000000e-01 causal : (tensor<2x6x5x8xf32>, tensor<2x3x5x8xf32>, tensor<2x3x5x8xf32>)
func.func @groups_causal(%q: tensor<2x3x5x2x8xf32>, %k: tensor<2x3x5x8xf32>, %v: tensor<2x3x5x8xf32>) -> tensor<2x3x8x2x5xf32> {
  %half = raf.constant dense<0.5> : tensor<2x3x5x2x5xf32>
  %low = raf.constant dense<-1.0e30> : tensor<2x2x3x5x5xf32>
  %0 = raf.reshape %q : tensor<2x3x5x2x8xf32> to tensor<2x3x10x8xf32>
  %1 = raf.matmul %0, %k transpose_rhs : tensor<2x3x10x8xf32>, tensor<2x3x5x8xf32> -> tensor<2x3x10x5xf32>
  %2 = raf.reshape %1 : tensor<2x3x10x5xf32> to tensor<2x3x5x2x5xf32>
  %3 = raf.mul %2, %half : tensor<2x3x5x2x5xf32>
  %4 = raf.transpose %3 permutation = [3, 0, 1, 2, 4] : tensor<2x3x5x2x5xf32> -> tensor<2x2x3x5x5xf32>
  %row = raf.iota dim = 0 : tensor<5x5xi32>
  %column = raf.iota dim = 1 : tensor<5x5xi32>
  %seen = raf.compare ge %row, %column : tensor<5x5xi32> -> tensor<5x5xi1>
  %mask = raf.broadcast %seen dims = [3, 4] : tensor<5x5xi1> to tensor<2x2x3x5x5xi1>
  %masked = raf.select %mask, %4, %low : tensor<2x2x3x5x5xf32>
  %5 = raf.softmax %masked axis = 4 : tensor<2x2x3x5x5xf32>
  %6 = raf.transpose %5 permutation = [1, 2, 4, 0, 3] : tensor<2x2x3x5x5xf32> -> tensor<2x3x5x2x5xf32>
  %7 = raf.reshape %6 : tensor<2x3x5x2x5xf32> to tensor<2x3x5x10xf32>
  %8 = raf.matmul %v, %7 transpose_lhs : tensor<2x3x5x8xf32>, tensor<2x3x5x10xf32> -> tensor<2x3x8x10xf32>
  %9 = raf.reshape %8 : tensor<2x3x8x10xf32> to tensor<2x3x8x2x5xf32>
  return %9 : tensor<2x3x8x2x5xf32>
}

// -----

// The columns of the weights are in another order than the values: no attention. A bias that is a product itself, in another order, does not move to and fro.
// CHECK-LABEL: func @columns_in_another_order
// CHECK-NOT: raf.attention
func.func @columns_in_another_order(%q: tensor<2x6x8xf32>, %p: tensor<6x2x8xf32>, %k: tensor<2x6x8xf32>, %v: tensor<2x6x8xf32>) -> tensor<2x6x8xf32> {
  %0 = raf.matmul %q, %k transpose_rhs : tensor<2x6x8xf32>, tensor<2x6x8xf32> -> tensor<2x6x6xf32>
  %1 = raf.transpose %p permutation = [1, 0, 2] : tensor<6x2x8xf32> -> tensor<2x6x8xf32>
  %2 = raf.matmul %1, %k transpose_rhs : tensor<2x6x8xf32>, tensor<2x6x8xf32> -> tensor<2x6x6xf32>
  %3 = raf.transpose %2 permutation = [1, 0, 2] : tensor<2x6x6xf32> -> tensor<6x2x6xf32>
  %4 = raf.transpose %0 permutation = [1, 0, 2] : tensor<2x6x6xf32> -> tensor<6x2x6xf32>
  %5 = raf.add %3, %4 : tensor<6x2x6xf32>
  %6 = raf.softmax %5 axis = 2 : tensor<6x2x6xf32>
  %7 = raf.reshape %6 : tensor<6x2x6xf32> to tensor<6x2x2x3xf32>
  %8 = raf.transpose %7 permutation = [1, 0, 3, 2] : tensor<6x2x2x3xf32> -> tensor<2x6x3x2xf32>
  %9 = raf.reshape %8 : tensor<2x6x3x2xf32> to tensor<2x6x6xf32>
  %10 = raf.matmul %9, %v : tensor<2x6x6xf32>, tensor<2x6x8xf32> -> tensor<2x6x8xf32>
  return %10 : tensor<2x6x8xf32>
}

// -----

// A mask of numbers, as flax.linen.make_causal_mask makes it.
// CHECK-LABEL: func @causal_as_numbers
// CHECK: raf.attention %{{.+}} scale = 1.000000e+00 causal :
func.func @causal_as_numbers(%q: tensor<2x3x6x8xf32>) -> tensor<2x3x6x8xf32> {
  %low = raf.constant dense<-1.0e30> : tensor<2x3x6x6xf32>
  %zero = raf.constant dense<0.0> : tensor<2x6x6xf32>
  %place = raf.iota dim = 0 : tensor<6xi32>
  %row = raf.broadcast %place dims = [1] : tensor<6xi32> to tensor<2x6x6xi32>
  %column = raf.broadcast %place dims = [2] : tensor<6xi32> to tensor<2x6x6xi32>
  %seen = raf.compare ge %row, %column : tensor<2x6x6xi32> -> tensor<2x6x6xi1>
  %number = raf.cast %seen : tensor<2x6x6xi1> to tensor<2x6x6xf32>
  %flag = raf.compare ne %number, %zero : tensor<2x6x6xf32> -> tensor<2x6x6xi1>
  %mask = raf.broadcast %flag dims = [0, 2, 3] : tensor<2x6x6xi1> to tensor<2x3x6x6xi1>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.select %mask, %0, %low : tensor<2x3x6x6xf32>
  %2 = raf.softmax %1 axis = 3 : tensor<2x3x6x6xf32>
  %3 = raf.matmul %2, %q : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x8xf32>
  return %3 : tensor<2x3x6x8xf32>
}

// -----

// Rows before their own place are seen, not those after: no causal mask, but a mask.
// CHECK-LABEL: func @anticausal
// CHECK: raf.attention %{{.+}} bias %{{.+}} scale = 1.000000e+00 : {{.*}}tensor<1x1x6x6xf32>
func.func @anticausal(%q: tensor<2x3x6x8xf32>) -> tensor<2x3x6x8xf32> {
  %low = raf.constant dense<-1.0e30> : tensor<2x3x6x6xf32>
  %row = raf.iota dim = 0 : tensor<6x6xi32>
  %column = raf.iota dim = 1 : tensor<6x6xi32>
  %seen = raf.compare le %row, %column : tensor<6x6xi32> -> tensor<6x6xi1>
  %mask = raf.broadcast %seen dims = [2, 3] : tensor<6x6xi1> to tensor<2x3x6x6xi1>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.select %mask, %0, %low : tensor<2x3x6x6xf32>
  %2 = raf.softmax %1 axis = 3 : tensor<2x3x6x6xf32>
  %3 = raf.matmul %2, %q : tensor<2x3x6x6xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x8xf32>
  return %3 : tensor<2x3x6x8xf32>
}

// -----

// Scores and softmax in f32, as JAX computes them for 16-bit floats.
// CHECK-LABEL: func @narrow
// CHECK: raf.attention %arg0, %arg0, %arg0 scale = 1.000000e+00 : (tensor<2x3x6x8xbf16>
func.func @narrow(%q: tensor<2x3x6x8xbf16>) -> tensor<2x3x6x8xbf16> {
  %wide = raf.cast %q : tensor<2x3x6x8xbf16> to tensor<2x3x6x8xf32>
  %0 = raf.matmul %wide, %wide transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.softmax %0 axis = 3 : tensor<2x3x6x6xf32>
  %2 = raf.cast %1 : tensor<2x3x6x6xf32> to tensor<2x3x6x6xbf16>
  %3 = raf.matmul %2, %q : tensor<2x3x6x6xbf16>, tensor<2x3x6x8xbf16> -> tensor<2x3x6x8xbf16>
  return %3 : tensor<2x3x6x8xbf16>
}

// -----

// Queries that were never 16-bit floats.
// CHECK-LABEL: func @narrow_weights_alone
// CHECK-NOT: raf.attention
func.func @narrow_weights_alone(%q: tensor<2x3x6x8xf32>, %v: tensor<2x3x6x8xbf16>) -> tensor<2x3x6x8xbf16> {
  %0 = raf.matmul %q, %q transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.softmax %0 axis = 3 : tensor<2x3x6x6xf32>
  %2 = raf.cast %1 : tensor<2x3x6x6xf32> to tensor<2x3x6x6xbf16>
  %3 = raf.matmul %2, %v : tensor<2x3x6x6xbf16>, tensor<2x3x6x8xbf16> -> tensor<2x3x6x8xbf16>
  return %3 : tensor<2x3x6x8xbf16>
}

// -----

// A bias that looks like one of heads that share a key: the causal mask is of the rows as they are.
// CHECK-LABEL: func @causal_with_bias_of_parts
// CHECK: %[[B:.+]] = raf.reshape %arg1
// CHECK: raf.attention %arg0, %arg0, %arg0 bias %[[B]] scale = 1.000000e+00 causal
func.func @causal_with_bias_of_parts(%q: tensor<1x2x6x4xf32>, %parts: tensor<2x2x3x6xf32>) -> tensor<1x2x6x4xf32> {
  %low = raf.constant dense<-1.0e30> : tensor<1x2x6x6xf32>
  %row = raf.iota dim = 0 : tensor<6x6xi32>
  %column = raf.iota dim = 1 : tensor<6x6xi32>
  %seen = raf.compare ge %row, %column : tensor<6x6xi32> -> tensor<6x6xi1>
  %mask = raf.broadcast %seen dims = [2, 3] : tensor<6x6xi1> to tensor<1x2x6x6xi1>
  %bias = raf.reshape %parts : tensor<2x2x3x6xf32> to tensor<1x2x6x6xf32>
  %0 = raf.matmul %q, %q transpose_rhs : tensor<1x2x6x4xf32>, tensor<1x2x6x4xf32> -> tensor<1x2x6x6xf32>
  %1 = raf.add %0, %bias : tensor<1x2x6x6xf32>
  %2 = raf.select %mask, %1, %low : tensor<1x2x6x6xf32>
  %3 = raf.softmax %2 axis = 3 : tensor<1x2x6x6xf32>
  %4 = raf.matmul %3, %q : tensor<1x2x6x6xf32>, tensor<1x2x6x4xf32> -> tensor<1x2x6x4xf32>
  return %4 : tensor<1x2x6x4xf32>
}

// -----

// The lowest f32 is infinite as bf16: the lowest bf16 keeps a row without keys uniform.
// CHECK-LABEL: func @narrow_with_mask
// CHECK: raf.constant dense<-3.389530e+38> : tensor<2x3x6x6xbf16>
// CHECK: raf.attention
func.func @narrow_with_mask(%q: tensor<2x3x6x8xbf16>, %mask: tensor<2x3x6x6xi1>) -> tensor<2x3x6x8xbf16> {
  %low = raf.constant dense<-3.40282347E+38> : tensor<2x3x6x6xf32>
  %wide = raf.cast %q : tensor<2x3x6x8xbf16> to tensor<2x3x6x8xf32>
  %0 = raf.matmul %wide, %wide transpose_rhs : tensor<2x3x6x8xf32>, tensor<2x3x6x8xf32> -> tensor<2x3x6x6xf32>
  %1 = raf.select %mask, %0, %low : tensor<2x3x6x6xf32>
  %2 = raf.softmax %1 axis = 3 : tensor<2x3x6x6xf32>
  %3 = raf.cast %2 : tensor<2x3x6x6xf32> to tensor<2x3x6x6xbf16>
  %4 = raf.matmul %3, %q : tensor<2x3x6x6xbf16>, tensor<2x3x6x8xbf16> -> tensor<2x3x6x8xbf16>
  return %4 : tensor<2x3x6x8xbf16>
}

// -----

// A long chain of sums between the product and the softmax stays in its shape.
// CHECK-LABEL: func @softmax_of_a_long_chain
// CHECK: raf.softmax %{{.+}} axis = 3 : tensor<2x2x6x6xf32>
func.func @softmax_of_a_long_chain(%q: tensor<4x6x8xf32>, %b: tensor<2x2x6x6xf32>) -> tensor<2x2x6x6xf32> {
  %m = raf.matmul %q, %q transpose_rhs : tensor<4x6x8xf32>, tensor<4x6x8xf32> -> tensor<4x6x6xf32>
  %x0 = raf.reshape %m : tensor<4x6x6xf32> to tensor<2x2x6x6xf32>
  %x1 = raf.add %x0, %b : tensor<2x2x6x6xf32>
  %x2 = raf.add %x1, %b : tensor<2x2x6x6xf32>
  %x3 = raf.add %x2, %b : tensor<2x2x6x6xf32>
  %x4 = raf.add %x3, %b : tensor<2x2x6x6xf32>
  %x5 = raf.add %x4, %b : tensor<2x2x6x6xf32>
  %x6 = raf.add %x5, %b : tensor<2x2x6x6xf32>
  %x7 = raf.add %x6, %b : tensor<2x2x6x6xf32>
  %x8 = raf.add %x7, %b : tensor<2x2x6x6xf32>
  %x9 = raf.add %x8, %b : tensor<2x2x6x6xf32>
  %y = raf.softmax %x9 axis = 3 : tensor<2x2x6x6xf32>
  return %y : tensor<2x2x6x6xf32>
}
