// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-convert-to-linalg | FileCheck %s

// CHECK-DAG: #[[$X:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d4, d2 * 2 + d5, d3 + d6 * 2)>
// CHECK-DAG: #[[$W:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d1, d4, d5, d6)>
// CHECK-DAG: #[[$Y:.*]] = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @conv
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2x3x11x9xf32>)
// CHECK:           scf.if
// CHECK:         linalg.generic {indexing_maps = [#[[$X]], #[[$W]], #[[$Y]]],
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]} ins(%[[P]], %arg1
func.func @conv(%x: tensor<2x3x9x8xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x5x5xf32> {
  %y = raf.conv %x, %w strides = [2, 1] pad_low = [1, 0] pad_high = [1, 1] dilations = [1, 2] : (tensor<2x3x9x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x5x5xf32>
  return %y : tensor<2x4x5x5xf32>
}

// Groups are a dimension of their own.
// CHECK-LABEL: func.func @groups
// CHECK-DAG:     raf.reshape %arg0 : tensor<2x8x8x6xf32> to tensor<2x8x8x2x3xf32>
// CHECK-DAG:     raf.reshape %arg1 : tensor<4x3x1x1xf32> to tensor<2x2x3x1x1xf32>
// CHECK:         raf.reshape %{{.*}} : tensor<2x8x8x2x2xf32> to tensor<2x8x8x4xf32>
func.func @groups(%x: tensor<2x8x8x6xf32>, %w: tensor<4x3x1x1xf32>) -> tensor<2x8x8x4xf32> {
  %y = raf.conv %x, %w strides = [1, 1] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] groups = 2 layout = channels_last
      : (tensor<2x8x8x6xf32>, tensor<4x3x1x1xf32>) -> tensor<2x8x8x4xf32>
  return %y : tensor<2x8x8x4xf32>
}

// dy of 5 positions, spread by the stride to 9, under a window of 3: 9 + 2 positions with the padding.
// CHECK-LABEL: func.func @input_grad
// CHECK:         linalg.generic {{.*}} outs(%{{.*}} : tensor<1x4x11xf32>)
// CHECK:           arith.remui
// CHECK:         tensor.extract %arg1
// CHECK:         linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<1x4x11xf32>, tensor<4x3x3xf32>) outs(%{{.*}} : tensor<1x3x9xf32>)
func.func @input_grad(%dy: tensor<1x4x5xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x3x9xf32> {
  %dx = raf.conv_input_grad %dy, %w strides = [2] pad_low = [1] pad_high = [1] dilations = [1] : (tensor<1x4x5xf32>, tensor<4x3x3xf32>) -> tensor<1x3x9xf32>
  return %dx : tensor<1x3x9xf32>
}
