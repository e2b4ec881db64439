// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of 8 input channels and 8 output channels may be nobody's first choice.
// RUN: raf-opt %s -raf-store-layouts="layouts=1:4608x576x192x64:8x8:1x0" -canonicalize | FileCheck %s
// RUN: raf-opt %s -raf-store-layouts="layouts=0:4608x576x192x64:8x8:1x0" -canonicalize | FileCheck %s --check-prefix=OTHER
// RUN: raf-opt %s -raf-store-layouts="layouts=1:4608x576x192x64:48:0" -remarks-filter-missed=raf-store-layouts 2>&1 | FileCheck %s --check-prefix=OTHERWISE
// RUN: not raf-opt %s -raf-store-layouts="layouts=1:4608x576x192x64:8x8" 2>&1 | FileCheck %s --check-prefix=TEXT
// RUN: not raf-opt %s -raf-store-layouts="layouts=2:4608x576x192x64:8x8:1x0" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not raf-opt %s -raf-store-layouts="layouts=1:4608x576x64:8x8:1x0" 2>&1 | FileCheck %s --check-prefix=SIZES

// TEXT: error: raf-store-layouts: layouts: expected NUMBER:STRIDES:BLOCKS:OF, got '1:4608x576x192x64:8x8'
// NONE: error: raf-store-layouts: layouts: '2:4608x576x192x64:8x8:1x0' is for none of the 2 parameters
// SIZES: error: raf-store-layouts: layouts: '1:4608x576x64:8x8:1x0': blocked layout must have a stride for each dimension

// As it is given; what is not named lies plainly.
// CHECK-LABEL: func @main
// CHECK-SAME: tensor<64x64x3x3xf32> {raf.name = "v", raf.role = "param"}
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<36864xf32> {raf.name = "w", raf.role = "param", raf.stored = {blocks = array<i64: 8, 8>, of = array<i64: 1, 0>, order = array<i64: 0, 2, 4, 5, 3, 1>, shape = array<i64: 64, 64, 3, 3>, split = array<i64: 8, 8, 8, 8, 3, 3>, strides = array<i64: 4608, 576, 192, 64>}}
// CHECK: dnnl.conv ins(%{{.*}}, %[[W]] : tensor<2x64x14x14xf32>, tensor<36864xf32>) {{.*}}w_layout = #{{.*}}
// OTHER-LABEL: func @main
// OTHER-SAME: tensor<36864xf32> {raf.name = "v", raf.role = "param", raf.stored = {blocks = array<i64: 8, 8>
// OTHER-SAME: tensor<64x64x3x3xf32> {raf.name = "w", raf.role = "param"}
// OTHERWISE: remark: [Missed] StoredOtherwise | Category:raf-store-layouts | Function=main | Reason="the library's blocks do not divide its sizes", Remark="does not lie as it is given"
// OTHERWISE: func @main
func.func @main(%x: tensor<2x64x14x14xf32> {raf.name = "x", raf.role = "input"}, %v: tensor<64x64x3x3xf32> {raf.name = "v", raf.role = "param"}, %w: tensor<64x64x3x3xf32> {raf.name = "w", raf.role = "param"})
    -> tensor<2x64x14x14xf32> {
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %y = dnnl.conv ins(%x, %v : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %z = dnnl.conv ins(%y, %w : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  return %z : tensor<2x64x14x14xf32>
}
