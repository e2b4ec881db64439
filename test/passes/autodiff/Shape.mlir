// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// broadcast
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<8x1xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8x3xf32>
// CHECK-DAG: %[[B:.*]] = raf.broadcast %[[X]] dims = [1, 2] : {{.*}} to tensor<4x8x3xf32>
// CHECK-DAG: %[[REDUCE:.*]] = raf.reduce sum %[[DY]] dims = [0, 2]
// CHECK-DAG: %[[RESHAPE:.*]] = raf.reshape %[[REDUCE]] : {{.*}} to tensor<8x1xf32>
// CHECK: return %[[B]], %[[RESHAPE]]
func.func @main(%x: tensor<8x1xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8x3xf32> {raf.name = "y"}) {
  %y = raf.broadcast %x dims = [1, 2] : tensor<8x1xf32> to tensor<4x8x3xf32>
  return %y : tensor<4x8x3xf32>
}

// -----

// reshape
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<32xf32>
// CHECK-DAG: %[[RESHAPE:.*]] = raf.reshape %[[X]] : {{.*}} to tensor<32xf32>
// CHECK-DAG: %[[RESHAPE2:.*]] = raf.reshape %[[DY]] : {{.*}} to tensor<4x8xf32>
// CHECK: return %[[RESHAPE]], %[[RESHAPE2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<32xf32> {raf.name = "y"}) {
  %y = raf.reshape %x : tensor<4x8xf32> to tensor<32xf32>
  return %y : tensor<32xf32>
}

// -----

// transpose
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x4xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<3x4x2xf32>
// CHECK-DAG: %[[TRANSPOSE:.*]] = raf.transpose %[[X]] permutation = [1, 2, 0]
// CHECK-DAG: %[[TRANSPOSE2:.*]] = raf.transpose %[[DY]] permutation = [2, 0, 1]
// CHECK: return %[[TRANSPOSE]], %[[TRANSPOSE2]]
func.func @main(%x: tensor<2x3x4xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<3x4x2xf32> {raf.name = "y"}) {
  %y = raf.transpose %x permutation = [1, 2, 0] : tensor<2x3x4xf32> -> tensor<3x4x2xf32>
  return %y : tensor<3x4x2xf32>
}

// -----

// slice
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x9xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x3xf32>
// CHECK-DAG: %[[SLICE:.*]] = raf.slice %[[X]] starts = [0, 2] limits = [4, 8] strides = [1, 2]
// CHECK-DAG: %[[PAD:.*]] = raf.pad %[[DY]] low = [0, 2] high = [0, 2] interior = [0, 1] value = 0.000000e+00
// CHECK: return %[[SLICE]], %[[PAD]]
func.func @main(%x: tensor<4x9xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x3xf32> {raf.name = "y"}) {
  %y = raf.slice %x starts = [0, 2] limits = [4, 8] strides = [1, 2] : tensor<4x9xf32> -> tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}

// -----

// pad
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<6x15xf32>
// CHECK-DAG: %[[PAD:.*]] = raf.pad %[[X]] low = [1, 0] high = [1, 0] interior = [0, 1] value = 5.000000e+00
// CHECK-DAG: %[[SLICE:.*]] = raf.slice %[[DY]] starts = [1, 0] limits = [5, 15] strides = [1, 2]
// CHECK: return %[[PAD]], %[[SLICE]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<6x15xf32> {raf.name = "y"}) {
  %y = raf.pad %x low = [1, 0] high = [1, 0] interior = [0, 1] value = 5.0 : tensor<4x8xf32> -> tensor<6x15xf32>
  return %y : tensor<6x15xf32>
}

// -----

// crop: what was cropped comes back as 0.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x6xf32>
// CHECK-DAG: %[[PAD:.*]] = raf.pad %[[X]] low = [1, -1] high = [-1, -1] interior = [0, 0] value = 0.000000e+00
// CHECK-DAG: %[[PAD2:.*]] = raf.pad %[[DY]] low = [0, 1] high = [1, 1] interior = [0, 0] value = 0.000000e+00
// CHECK-DAG: %[[SLICE:.*]] = raf.slice %[[PAD2]] starts = [1, 0] limits = [5, 8] strides = [1, 1]
// CHECK: return %[[PAD]], %[[SLICE]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x6xf32> {raf.name = "y"}) {
  %y = raf.pad %x low = [1, -1] high = [-1, -1] interior = [0, 0] value = 0.0 : tensor<4x8xf32> -> tensor<4x6xf32>
  return %y : tensor<4x6xf32>
}

// -----

// concat
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[B:[a-z0-9]+]]: tensor<4x2xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x10xf32>
// CHECK-DAG: %[[CONCAT:.*]] = raf.concat %[[A]], %[[B]] axis = 1
// CHECK-DAG: %[[SLICE:.*]] = raf.slice %[[DY]] starts = [0, 0] limits = [4, 8] strides = [1, 1]
// CHECK-DAG: %[[SLICE2:.*]] = raf.slice %[[DY]] starts = [0, 8] limits = [4, 10] strides = [1, 1]
// CHECK: return %[[CONCAT]], %[[SLICE]], %[[SLICE2]]
func.func @main(%a: tensor<4x8xf32> {raf.role = "param", raf.name = "a"}, %b: tensor<4x2xf32> {raf.role = "param", raf.name = "b"}) -> (tensor<4x10xf32> {raf.name = "y"}) {
  %y = raf.concat %a, %b axis = 1 : (tensor<4x8xf32>, tensor<4x2xf32>) -> tensor<4x10xf32>
  return %y : tensor<4x10xf32>
}

// -----

// reverse
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<4x8xf32>
// CHECK-DAG: %[[REVERSE:.*]] = raf.reverse %[[X]] dims = [1]
// CHECK-DAG: %[[REVERSE2:.*]] = raf.reverse %[[DY]] dims = [1]
// CHECK: return %[[REVERSE]], %[[REVERSE2]]
func.func @main(%x: tensor<4x8xf32> {raf.role = "param", raf.name = "x"}) -> (tensor<4x8xf32> {raf.name = "y"}) {
  %y = raf.reverse %x dims = [1] : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
