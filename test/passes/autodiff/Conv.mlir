// RUN: raf-opt %s --split-input-file --raf-autodiff=of=y --cse | FileCheck %s

// conv
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<6x2x3x3xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x6x4x5xf32>
// CHECK-DAG: %[[CONV:.*]] = raf.conv %[[X]], %[[W]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV_INPUT_GRAD:.*]] = raf.conv_input_grad %[[DY]], %[[W]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV_WEIGHT_GRAD:.*]] = raf.conv_weight_grad %[[X]], %[[DY]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK: return %[[CONV]], %[[CONV_INPUT_GRAD]], %[[CONV_WEIGHT_GRAD]]
func.func @main(%x: tensor<2x4x8x8xf32> {raf.role = "param", raf.name = "x"}, %w: tensor<6x2x3x3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<2x6x4x5xf32> {raf.name = "y"}) {
  %y = raf.conv %x, %w strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2 : (tensor<2x4x8x8xf32>, tensor<6x2x3x3xf32>) -> tensor<2x6x4x5xf32>
  return %y : tensor<2x6x4x5xf32>
}

// -----

// conv_input_grad
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x6x4x5xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<6x2x3x3xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-DAG: %[[CONV_INPUT_GRAD:.*]] = raf.conv_input_grad %[[X]], %[[W]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV:.*]] = raf.conv %[[DY]], %[[W]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV_WEIGHT_GRAD:.*]] = raf.conv_weight_grad %[[DY]], %[[X]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK: return %[[CONV_INPUT_GRAD]], %[[CONV]], %[[CONV_WEIGHT_GRAD]]
func.func @main(%x: tensor<2x6x4x5xf32> {raf.role = "param", raf.name = "x"}, %w: tensor<6x2x3x3xf32> {raf.role = "param", raf.name = "w"}) -> (tensor<2x4x8x8xf32> {raf.name = "y"}) {
  %y = raf.conv_input_grad %x, %w strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2 : (tensor<2x6x4x5xf32>, tensor<6x2x3x3xf32>) -> tensor<2x4x8x8xf32>
  return %y : tensor<2x4x8x8xf32>
}

// -----

// conv_weight_grad
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<2x4x8x8xf32>
// CHECK-SAME: %[[D:[a-z0-9]+]]: tensor<2x6x4x5xf32>
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<6x2x3x3xf32>
// CHECK-DAG: %[[CONV_WEIGHT_GRAD:.*]] = raf.conv_weight_grad %[[X]], %[[D]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV_INPUT_GRAD:.*]] = raf.conv_input_grad %[[D]], %[[DY]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK-DAG: %[[CONV:.*]] = raf.conv %[[X]], %[[DY]] strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2
// CHECK: return %[[CONV_WEIGHT_GRAD]], %[[CONV_INPUT_GRAD]], %[[CONV]]
func.func @main(%x: tensor<2x4x8x8xf32> {raf.role = "param", raf.name = "x"}, %d: tensor<2x6x4x5xf32> {raf.role = "param", raf.name = "d"}) -> (tensor<6x2x3x3xf32> {raf.name = "y"}) {
  %y = raf.conv_weight_grad %x, %d strides = [2, 1] pad_low = [1, 0] pad_high = [0, 1] dilations = [1, 2] groups = 2 : (tensor<2x4x8x8xf32>, tensor<2x6x4x5xf32>) -> tensor<6x2x3x3xf32>
  return %y : tensor<6x2x3x3xf32>
}

// -----

// The cotangent of a convolution that was summed to f32 is rounded to the type of the operands.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[DY:[a-z0-9]+]]: tensor<2x6x6x6xf32>
// CHECK: %[[CAST:.*]] = raf.cast %[[DY]] : tensor<2x6x6x6xf32> to tensor<2x6x6x6xbf16>
// CHECK-DAG: raf.conv_input_grad %[[CAST]]
// CHECK-DAG: raf.conv_weight_grad %{{.*}}, %[[CAST]]
func.func @main(%x: tensor<2x4x8x8xbf16> {raf.role = "param", raf.name = "x"}, %w: tensor<6x4x3x3xbf16> {raf.role = "param", raf.name = "w"}) -> (tensor<2x6x6x6xf32> {raf.name = "y"}) {
  %y = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] : (tensor<2x4x8x8xbf16>, tensor<6x4x3x3xbf16>) -> tensor<2x6x6x6xf32>
  return %y : tensor<2x6x6x6xf32>
}
