// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -raf-dispatch=libraries=cublas | FileCheck %s
// RUN: raf-opt %s -raf-dispatch=libraries=cublas -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: raf-opt %s -raf-dispatch | FileCheck %s --check-prefix=DEFAULT

// Without being asked for it is not used.
// DEFAULT-NOT: cublas.

// The relu is left to code generation: the library's loses NaN. The sum is long enough to be made in two parts.
// CHECK-LABEL: func @layer
// CHECK-SAME: (%[[X:.*]]: tensor<32x128xf32>, %[[W:.*]]: tensor<128x128xf32>, %[[B:.*]]: tensor<128xf32>)
// CHECK-DAG: %[[E:.*]] = tensor.empty() : tensor<32x128xf32>
// CHECK-DAG: %[[S:.*]] = tensor.empty() : tensor<32768xi8>
// CHECK: %[[Y:.*]]:2 = cublas.matmul ins(%[[X]], %[[W]] : tensor<32x128xf32>, tensor<128x128xf32>) bias(%[[B]] : tensor<128xf32>) outs(%[[E]] : tensor<32x128xf32>) workspace(%[[S]] : tensor<32768xi8>)
// CHECK-SAME: {rhs_view = #cublas.view<[128, 128], strides = [1, 128]>}
// CHECK-NEXT: raf.relu %[[Y]]#0
func.func @layer(%x: tensor<32x128xf32>, %w: tensor<128x128xf32>, %b: tensor<128xf32>) -> tensor<32x128xf32> {
  %0 = raf.matmul %x, %w transpose_rhs : tensor<32x128xf32>, tensor<128x128xf32> -> tensor<32x128xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<128xf32> to tensor<32x128xf32>
  %2 = raf.add %0, %1 : tensor<32x128xf32>
  %3 = raf.relu %2 : tensor<32x128xf32>
  return %3 : tensor<32x128xf32>
}

// gelu of the tanh form is the library's, that of erf is not.
// CHECK-LABEL: func @gelus
// CHECK: cublas.matmul {{.*}} activation = gelu_tanh
// CHECK: cublas.matmul
// CHECK-NOT: activation
// CHECK: raf.gelu
func.func @gelus(%x: tensor<8x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<8x16xbf16> {
  %0 = raf.matmul %x, %w : tensor<8x16xbf16>, tensor<16x16xbf16> -> tensor<8x16xbf16>
  %1 = raf.gelu tanh %0 : tensor<8x16xbf16>
  %2 = raf.matmul %1, %w : tensor<8x16xbf16>, tensor<16x16xbf16> -> tensor<8x16xbf16>
  %3 = raf.gelu erf %2 : tensor<8x16xbf16>
  return %3 : tensor<8x16xbf16>
}

// The second product adds to what the first left.
// CHECK-LABEL: func @accumulate
// CHECK: %[[A:.*]] = cublas.matmul
// CHECK: cublas.matmul {{.*}} outs(%[[A]] : tensor<8x16xf32>) {{.*}}{accumulate}
// CHECK-NEXT: raf.tanh
func.func @accumulate(%x: tensor<8x4xf32>, %h: tensor<8x16xf32>, %w: tensor<4x16xf32>, %u: tensor<16x16xf32>) -> tensor<8x16xf32> {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.matmul %h, %u : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  %3 = raf.tanh %2 : tensor<8x16xf32>
  return %3 : tensor<8x16xf32>
}

// A factor is the library's; added numbers are not.
// CHECK-LABEL: func @scale
// CHECK: cublas.matmul {{.*}}{alpha = 1.250000e-01 : f64}
// CHECK: raf.add
func.func @scale(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>) -> tensor<8x16xf32> {
  %eighth = raf.constant dense<0.125> : tensor<f32>
  %eighths = raf.broadcast %eighth dims = [] : tensor<f32> to tensor<8x16xf32>
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.mul %0, %eighths : tensor<8x16xf32>
  %2 = raf.add %1, %eighths : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// Heads split from [B, T, H, D] are two batch dimensions whose strides cannot be one: the transposes stay. One sequence alone has one.
// CHECK-LABEL: func @heads
// CHECK: %[[T:.*]] = raf.transpose
// CHECK: cublas.matmul ins(%[[T]],
// CHECK-LABEL: func @one_sequence
// CHECK-NOT: raf.transpose
// CHECK: cublas.matmul ins(%{{.*}}, %{{.*}} : tensor<1x8x3x4xf32>, tensor<1x3x4x8xf32>) {{.*}}lhs_view = #cublas.view<[1, 3, 8, 4], strides = [12, 4, 12, 1]>
func.func @heads(%q: tensor<2x8x3x4xf32>, %k: tensor<2x3x4x8xf32>) -> tensor<2x3x8x8xf32> {
  %0 = raf.transpose %q permutation = [0, 2, 1, 3] : tensor<2x8x3x4xf32> -> tensor<2x3x8x4xf32>
  %1 = raf.matmul %0, %k : tensor<2x3x8x4xf32>, tensor<2x3x4x8xf32> -> tensor<2x3x8x8xf32>
  return %1 : tensor<2x3x8x8xf32>
}
func.func @one_sequence(%q: tensor<1x8x3x4xf32>, %k: tensor<1x3x4x8xf32>) -> tensor<1x3x8x8xf32> {
  %0 = raf.transpose %q permutation = [0, 2, 1, 3] : tensor<1x8x3x4xf32> -> tensor<1x3x8x4xf32>
  %1 = raf.matmul %0, %k : tensor<1x3x8x4xf32>, tensor<1x3x4x8xf32> -> tensor<1x3x8x8xf32>
  return %1 : tensor<1x3x8x8xf32>
}

// f64 is multiplied, but nothing is added to it.
// CHECK-LABEL: func @f64
// CHECK: cublas.matmul
// CHECK-NOT: bias
// CHECK: raf.add
func.func @f64(%x: tensor<4x8xf64>, %w: tensor<8x8xf64>, %b: tensor<8xf64>) -> tensor<4x8xf64> {
  %0 = raf.matmul %x, %w : tensor<4x8xf64>, tensor<8x8xf64> -> tensor<4x8xf64>
  %1 = raf.broadcast %b dims = [1] : tensor<8xf64> to tensor<4x8xf64>
  %2 = raf.add %0, %1 : tensor<4x8xf64>
  return %2 : tensor<4x8xf64>
}

// REMARK: remark: [Missed] raf.matmul | Category:raf-dispatch | Function=cublas | Reason="a tensor is empty: tensor<0x8xf32>"
// CHECK-LABEL: func @empty
// CHECK: raf.matmul
func.func @empty(%x: tensor<0x8xf32>, %w: tensor<8x8xf32>) -> tensor<0x8xf32> {
  %0 = raf.matmul %x, %w : tensor<0x8xf32>, tensor<8x8xf32> -> tensor<0x8xf32>
  return %0 : tensor<0x8xf32>
}

// No view has a dimension of 0.
// CHECK-LABEL: func @sum_of_none
// CHECK: raf.matmul
func.func @sum_of_none(%x: tensor<0x3xf32>, %w: tensor<0x2xf32>) -> tensor<3x2xf32> {
  %0 = raf.matmul %x, %w transpose_lhs : tensor<0x3xf32>, tensor<0x2xf32> -> tensor<3x2xf32>
  return %0 : tensor<3x2xf32>
}

// REMARK: remark: [Missed] raf.matmul | Category:raf-dispatch | Function=cublas | Reason="cuBLASLt has no products of element type i32"
// CHECK-LABEL: func @integers
// CHECK: raf.matmul
func.func @integers(%x: tensor<4x8xi32>, %w: tensor<8x8xi32>) -> tensor<4x8xi32> {
  %0 = raf.matmul %x, %w : tensor<4x8xi32>, tensor<8x8xi32> -> tensor<4x8xi32>
  return %0 : tensor<4x8xi32>
}

// A residual that others read too is added from where it is; one that nobody else needs is added to in place.
// CHECK-LABEL: func @residual
// CHECK: cublas.matmul {{.*}} bias(%arg2 : tensor<16xf32>) addend(%arg3 : tensor<8x16xf32>) outs(
// CHECK-NOT: accumulate
// CHECK-NOT: raf.add
func.func @residual(%x: tensor<8x4xf32>, %w: tensor<4x16xf32>, %b: tensor<16xf32>, %r: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<16xf32> to tensor<8x16xf32>
  %2 = raf.add %0, %1 : tensor<8x16xf32>
  %3 = raf.add %r, %2 : tensor<8x16xf32>
  return %3, %r : tensor<8x16xf32>, tensor<8x16xf32>
}
