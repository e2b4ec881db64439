// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s "-raf-dispatch=libraries=cublas tf32=true least-product=1000" | FileCheck %s
// RUN: raf-opt %s "-raf-dispatch=libraries=cublas tf32=true least-product=1000" -remarks-filter-missed=raf-dispatch -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK-LABEL: func @rounded
// CHECK: cublas.matmul {{.*}}tf32
// CHECK: cublas.matmul
// CHECK-NOT: tf32
// CHECK: return
func.func @rounded(%x: tensor<32x64xf32>, %w: tensor<64x64xf32>, %h: tensor<32x64xbf16>, %v: tensor<64x64xbf16>) -> (tensor<32x64xf32>, tensor<32x64xbf16>) {
  %0 = raf.matmul %x, %w : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %1 = raf.matmul %h, %v : tensor<32x64xbf16>, tensor<64x64xbf16> -> tensor<32x64xbf16>
  return %0, %1 : tensor<32x64xf32>, tensor<32x64xbf16>
}

// REMARK: Function=cublas | Reason="512 multiplications are fewer than the 1000 that are worth a launch"
// CHECK-LABEL: func @tiny
// CHECK: raf.matmul
func.func @tiny(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = raf.matmul %x, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
