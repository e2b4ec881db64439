// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -raf-keep-casts -verify-diagnostics | FileCheck %s

// What the update gives, guarded or not, is what the copy is made of. The bias is converted nowhere, the frozen weights' copy is only read.
// CHECK-LABEL: func @main
// CHECK-SAME: %[[LR:[a-z0-9]+]]: tensor<f32> {{.*}}, %[[CW:[a-z0-9]+]]: tensor<8x4xbf16> {raf.name = "bf16:w", raf.role = "copy"}, %[[CF:[a-z0-9]+]]: tensor<4x4xbf16> {raf.name = "bf16:f", raf.role = "copy"})
// CHECK-SAME: -> (tensor<2x4xbf16> {raf.name = "y"}, tensor<8x4xf32> {raf.alias = 1 : i64, raf.name = "new:w"}, tensor<8x4xbf16> {raf.alias = 5 : i64, raf.name = "new:bf16:w"})
// CHECK-NOT: raf.cast
// CHECK: raf.matmul %{{.*}}, %[[CW]]
// CHECK: raf.matmul %{{.*}}, %[[CF]]
// CHECK: %[[NEW:.*]] = raf.sub
// CHECK: %[[COPY:.*]] = raf.cast %[[NEW]] : tensor<8x4xf32> to tensor<8x4xbf16>
// CHECK: return %{{.*}}, %[[NEW]], %[[COPY]]
func.func @main(%x: tensor<2x8xbf16> {raf.name = "x", raf.role = "input"}, %w: tensor<8x4xf32> {raf.name = "w", raf.role = "param"}, %f: tensor<4x4xf32> {raf.name = "f", raf.role = "param", raf.frozen},
                %b: tensor<4xf32> {raf.name = "b", raf.role = "param"}, %lr: tensor<f32> {raf.name = "lr", raf.role = "lr"})
    -> (tensor<2x4xbf16> {raf.name = "y"}, tensor<8x4xf32> {raf.alias = 1 : i64, raf.name = "new:w"}) {
  %0 = raf.cast %w : tensor<8x4xf32> to tensor<8x4xbf16>
  %1 = raf.matmul %x, %0 : tensor<2x8xbf16>, tensor<8x4xbf16> -> tensor<2x4xbf16>
  %2 = raf.cast %f : tensor<4x4xf32> to tensor<4x4xbf16>
  %3 = raf.matmul %1, %2 : tensor<2x4xbf16>, tensor<4x4xbf16> -> tensor<2x4xbf16>
  %4 = raf.broadcast %lr dims = [] : tensor<f32> to tensor<8x4xf32>
  %5 = raf.sub %w, %4 : tensor<8x4xf32>
  return %3, %5 : tensor<2x4xbf16>, tensor<8x4xf32>
}

// -----

// Nothing is converted, or not to 16 bits.
// CHECK-LABEL: func @main
// CHECK-SAME: (%{{[a-z0-9]+}}: tensor<8xf32> {raf.name = "w", raf.role = "param"}) -> (tensor<8xf64> {raf.name = "y"})
func.func @main(%w: tensor<8xf32> {raf.name = "w", raf.role = "param"}) -> (tensor<8xf64> {raf.name = "y"}) {
  %0 = raf.cast %w : tensor<8xf32> to tensor<8xf64>
  return %0 : tensor<8xf64>
}

// -----

// expected-error@+1 {{raf-keep-casts needs a function @main of one block}}
module {
}
