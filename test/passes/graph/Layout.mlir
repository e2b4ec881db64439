// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-layout -canonicalize -cse -split-input-file | FileCheck %s

// Between convolutions nothing is transposed; weights keep their order.
// CHECK-LABEL: func @net
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x3x8x8xf32>
// CHECK: %[[T:.*]] = raf.transpose %[[X]] permutation = [0, 2, 3, 1]
// CHECK: %[[C:.*]] = raf.conv %[[T]], %{{.*}} layout = channels_last : (tensor<2x8x8x3xf32>, tensor<4x3x3x3xf32>) -> tensor<2x8x8x4xf32>
// CHECK: raf.broadcast %{{.*}} dims = [3] : tensor<4xf32> to tensor<2x8x8x4xf32>
// CHECK: raf.add
// CHECK: raf.batch_norm {{.*}} axis = 3
// CHECK: raf.relu
// CHECK: raf.max_pool {{.*}} layout = channels_last
// CHECK: raf.conv {{.*}} layout = channels_last
// CHECK: raf.reduce sum %{{.*}} dims = [1, 2] : tensor<2x4x4x4xf32> -> tensor<2x4xf32>
// CHECK-NOT: raf.transpose
// CHECK: return
func.func @net(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>, %v: tensor<4x4x3x3xf32>) -> tensor<2x4xf32> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<4xf32> to tensor<2x4x8x8xf32>
  %2 = raf.add %0, %1 : tensor<2x4x8x8xf32>
  %3, %nm, %nv, %mean, %rstd = raf.batch_norm %2, %b, %b, %b, %b axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %4 = raf.relu %3 : tensor<2x4x8x8xf32>
  %5, %i = raf.max_pool %4 kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xf32>) -> (tensor<2x4x4x4xf32>, tensor<2x4x4x4xi32>)
  %6 = raf.conv %5, %v strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x4x4xf32>, tensor<4x4x3x3xf32>) -> tensor<2x4x4x4xf32>
  %7 = raf.reduce sum %6 dims = [2, 3] : tensor<2x4x4x4xf32> -> tensor<2x4xf32>
  return %7 : tensor<2x4xf32>
}

// -----

// Backward, from the features' gradient to that of the weights.
// CHECK-LABEL: func @backward
// CHECK: %[[X:.*]] = raf.transpose %{{.*}} permutation = [0, 2, 3, 1]
// CHECK-NOT: raf.transpose
// CHECK: raf.conv_input_grad {{.*}} layout = channels_last
// CHECK-NOT: raf.transpose
// CHECK: raf.conv_weight_grad %[[X]], {{.*}} layout = channels_last : {{.*}} -> tensor<4x3x3x3xf32>
// CHECK-NOT: raf.transpose
// CHECK: return
func.func @backward(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %v: tensor<4x4x3x3xf32>, %g: tensor<2x4xf32>) -> tensor<4x3x3x3xf32> {
  %zero = raf.constant dense<0.0> : tensor<2x4x8x8xf32>
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = raf.relu %0 : tensor<2x4x8x8xf32>
  %2 = raf.broadcast %g dims = [0, 1] : tensor<2x4xf32> to tensor<2x4x8x8xf32>
  %3 = raf.conv_input_grad %2, %v strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  %4 = raf.compare gt %1, %zero : tensor<2x4x8x8xf32> -> tensor<2x4x8x8xi1>
  %5 = raf.select %4, %3, %zero : tensor<2x4x8x8xf32>
  %6 = raf.conv_weight_grad %x, %5 strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<2x4x8x8xf32>) -> tensor<4x3x3x3xf32>
  return %6 : tensor<4x3x3x3xf32>
}

// -----

// A mask depends on the order of the elements, and a flatten on that of the features.
// CHECK-LABEL: func @borders
// CHECK: raf.conv {{.*}} layout = channels_last
// CHECK: %[[F:.*]] = raf.transpose %{{.*}} permutation = [0, 3, 1, 2]
// CHECK: raf.dropout %[[F]]
// CHECK: raf.reshape
func.func @borders(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %seed: tensor<i64>, %step: tensor<i64>) -> tensor<2x256xf32> {
  %0 = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %1 = raf.dropout %0, %seed, %step ratio = 0.5 op_id = 1 : tensor<2x4x8x8xf32>
  %2 = raf.reshape %1 : tensor<2x4x8x8xf32> to tensor<2x256xf32>
  return %2 : tensor<2x256xf32>
}

// -----

// Without a convolution nothing is touched.
// CHECK-LABEL: func @heads
// CHECK: raf.transpose %{{.*}} permutation = [0, 3, 1, 2]
// CHECK-NEXT: raf.exp %{{.*}} : tensor<2x5x3x4xf32>
func.func @heads(%x: tensor<2x3x4x5xf32>) -> tensor<2x5x3x4xf32> {
  %0 = raf.transpose %x permutation = [0, 3, 1, 2] : tensor<2x3x4x5xf32> -> tensor<2x5x3x4xf32>
  %1 = raf.exp %0 : tensor<2x5x3x4xf32>
  return %1 : tensor<2x5x3x4xf32>
}

// -----

// With one spatial dimension both permutations are the same: what was turned to channels_last is not taken for something else.
// CHECK-LABEL: func @line
// CHECK: %[[X:.*]] = raf.transpose %{{.*}} permutation = [0, 2, 1] : tensor<2x4x8xf32> -> tensor<2x8x4xf32>
// CHECK: %[[Y:.*]] = raf.conv %[[X]], {{.*}} layout = channels_last
// CHECK: %[[Z:.*]] = raf.add %[[X]], %[[Y]] : tensor<2x8x4xf32>
// CHECK: %[[F:.*]] = raf.transpose %[[Z]] permutation = [0, 2, 1] : tensor<2x8x4xf32> -> tensor<2x4x8xf32>
// CHECK: return %[[F]]
func.func @line(%x: tensor<2x4x8xf32>, %w: tensor<4x4x3xf32>) -> tensor<2x4x8xf32> {
  %y = raf.conv %x, %w strides = [1] pad_low = [1] pad_high = [1] dilations = [1] : (tensor<2x4x8xf32>, tensor<4x4x3xf32>) -> tensor<2x4x8xf32>
  %z = raf.add %x, %y : tensor<2x4x8xf32>
  return %z : tensor<2x4x8xf32>
}

// -----

// An operand that is no tensor.
// CHECK-LABEL: func @scalar_operand
// CHECK: raf.launch @kernel ins(%{{.*}} : f32)
func.func private @kernel(%s: f32, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  return %o : tensor<4xf32>
}
func.func @scalar_operand(%s: f32, %o: tensor<4xf32>) -> tensor<4xf32> {
  %r = raf.launch @kernel ins(%s : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
