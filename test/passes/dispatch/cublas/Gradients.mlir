// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -raf-autodiff -canonicalize -cse -raf-simplify -canonicalize -cse "-raf-dispatch=libraries=cublas" | FileCheck %s
// RUN: raf-opt %s -split-input-file -raf-autodiff -canonicalize -cse -raf-simplify -canonicalize -cse "-raf-dispatch=libraries=cublas library-relu=true" | FileCheck %s --check-prefix=RELU

// What gelu's gradient needs is kept by the forward product, and the gradient is computed by the product that makes dy, with the gradient of the bias. The gradient of the second bias
// goes with that of the second weight.
// CHECK-LABEL: func @main
// CHECK: %[[H:.*]]:2 = cublas.matmul ins(%arg0, %arg1 : {{.*}}) bias(%arg2 : tensor<128xf32>) outs(%{{.*}} : tensor<32x128xf32>) keep(%{{.*}} : tensor<16384xi8>) activation = gelu_tanh
// CHECK: cublas.matmul ins(%[[H]]#0,
// CHECK-DAG: %[[DZ:.*]]:3 = cublas.matmul ins(%{{.*}}, %arg3 : {{.*}}) kept(%[[H]]#1 : tensor<16384xi8>) outs(%{{.*}} : tensor<32x128xf32>) bias_grad(%{{.*}} : tensor<128xf32>) workspace({{.*}}) activation = gelu_tanh bias_gradient = of_result
// CHECK-DAG: %[[DW:.*]]:3 = cublas.matmul ins(%{{.*}}, %[[H]]#0 : {{.*}}) outs(%{{.*}} : tensor<10x128xf32>) bias_grad(%{{.*}} : tensor<10xf32>) workspace({{.*}}) bias_gradient = of_lhs
// CHECK-NOT: raf.tanh
// CHECK-NOT: raf.reduce
// CHECK: return %{{.*}}, %{{[0-9]+}}, %[[DZ]]#1, %[[DW]]#0, %[[DW]]#1
func.func @main(%x: tensor<32x64xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<128x64xf32> {raf.role = "param", raf.name = "w"}, %b: tensor<128xf32> {raf.role = "param", raf.name = "b"},
                %v: tensor<10x128xf32> {raf.role = "param", raf.name = "v"}, %c: tensor<10xf32> {raf.role = "param", raf.name = "c"}, %t: tensor<32x10xf32> {raf.role = "target", raf.name = "t"})
    -> (tensor<f32> {raf.name = "loss"}) {
  %0 = raf.matmul %x, %w transpose_rhs : tensor<32x64xf32>, tensor<128x64xf32> -> tensor<32x128xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<128xf32> to tensor<32x128xf32>
  %2 = raf.add %0, %1 : tensor<32x128xf32>
  %3 = raf.gelu tanh %2 : tensor<32x128xf32>
  %4 = raf.matmul %3, %v transpose_rhs : tensor<32x128xf32>, tensor<10x128xf32> -> tensor<32x10xf32>
  %5 = raf.broadcast %c dims = [1] : tensor<10xf32> to tensor<32x10xf32>
  %6 = raf.add %4, %5 : tensor<32x10xf32>
  %7 = raf.mul %6, %t : tensor<32x10xf32>
  %8 = raf.tanh %7 : tensor<32x10xf32>
  %9 = raf.reduce max %8 dims = [0, 1] : tensor<32x10xf32> -> tensor<f32>
  return %9 : tensor<f32>
}

// -----

// Sequences: rows that a reshape merges. In bf16 the formula is computed in f32, and rounded once.
// CHECK-LABEL: func @main
// CHECK: %[[H:.*]]:2 = cublas.matmul {{.*}} bias({{.*}}) outs(%{{.*}} : tensor<2x16x128xbf16>) keep(%{{.*}} : tensor<8192xi8>) {{.*}}activation = gelu_tanh {{.*}}dst_view = #cublas.view<[32, 128], strides = [128, 1]>
// CHECK: cublas.matmul {{.*}} kept(%[[H]]#1 : tensor<8192xi8>) {{.*}}activation = gelu_tanh
func.func @main(%x: tensor<2x16x64xbf16> {raf.role = "input", raf.name = "x"}, %w: tensor<64x128xbf16> {raf.role = "param", raf.name = "w"}, %b: tensor<128xbf16> {raf.role = "param", raf.name = "b"},
                     %v: tensor<128x64xbf16> {raf.role = "param", raf.name = "v"}, %t: tensor<32x64xbf16> {raf.role = "target", raf.name = "t"}) -> (tensor<bf16> {raf.name = "loss"}) {
  %0 = raf.reshape %x : tensor<2x16x64xbf16> to tensor<32x64xbf16>
  %1 = raf.matmul %0, %w : tensor<32x64xbf16>, tensor<64x128xbf16> -> tensor<32x128xbf16>
  %2 = raf.reshape %1 : tensor<32x128xbf16> to tensor<2x16x128xbf16>
  %3 = raf.broadcast %b dims = [2] : tensor<128xbf16> to tensor<2x16x128xbf16>
  %4 = raf.add %2, %3 : tensor<2x16x128xbf16>
  %5 = raf.gelu tanh %4 : tensor<2x16x128xbf16>
  %6 = raf.reshape %5 : tensor<2x16x128xbf16> to tensor<32x128xbf16>
  %7 = raf.matmul %6, %v : tensor<32x128xbf16>, tensor<128x64xbf16> -> tensor<32x64xbf16>
  %8 = raf.mul %7, %t : tensor<32x64xbf16>
  %9 = raf.reduce sum %8 dims = [0, 1] : tensor<32x64xbf16> -> tensor<bf16>
  return %9 : tensor<bf16>
}

// -----

// Relu only where NaN may become 0.
// CHECK-LABEL: func @main
// CHECK-NOT: activation
// RELU-LABEL: func @main
// RELU: %[[H:.*]]:2 = cublas.matmul {{.*}} keep(%{{.*}} : tensor<512xi8>) {{.*}}activation = relu
// RELU: cublas.matmul {{.*}} kept(%[[H]]#1 : tensor<512xi8>) {{.*}} bias_grad(%{{.*}} : tensor<128xf32>) {{.*}}activation = relu bias_gradient = of_result
// RELU-NOT: raf.select
func.func @main(%x: tensor<32x64xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<64x128xf32> {raf.role = "param", raf.name = "w"}, %b: tensor<128xf32> {raf.role = "param", raf.name = "b"},
                %v: tensor<128x10xf32> {raf.role = "param", raf.name = "v"}, %t: tensor<32x10xf32> {raf.role = "target", raf.name = "t"}) -> (tensor<f32> {raf.name = "loss"}) {
  %0 = raf.matmul %x, %w : tensor<32x64xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  %1 = raf.broadcast %b dims = [1] : tensor<128xf32> to tensor<32x128xf32>
  %2 = raf.add %0, %1 : tensor<32x128xf32>
  %3 = raf.relu %2 : tensor<32x128xf32>
  %4 = raf.matmul %3, %v : tensor<32x128xf32>, tensor<128x10xf32> -> tensor<32x10xf32>
  %5 = raf.mul %4, %t : tensor<32x10xf32>
  %6 = raf.reduce sum %5 dims = [0, 1] : tensor<32x10xf32> -> tensor<f32>
  return %6 : tensor<f32>
}

// -----

// Another reader of gelu's argument: it is stored, and the formulas stay.
// CHECK-LABEL: func @main
// CHECK-NOT: activation
// CHECK: raf.gelu
// CHECK: raf.tanh
func.func @main(%x: tensor<32x64xf32> {raf.role = "input", raf.name = "x"}, %w: tensor<64x128xf32> {raf.role = "param", raf.name = "w"}, %v: tensor<128x10xf32> {raf.role = "param", raf.name = "v"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<32x128xf32>) {
  %0 = raf.matmul %x, %w : tensor<32x64xf32>, tensor<64x128xf32> -> tensor<32x128xf32>
  %1 = raf.gelu tanh %0 : tensor<32x128xf32>
  %2 = raf.matmul %1, %v : tensor<32x128xf32>, tensor<128x10xf32> -> tensor<32x10xf32>
  %3 = raf.reduce sum %2 dims = [0, 1] : tensor<32x10xf32> -> tensor<f32>
  return %3, %0 : tensor<f32>, tensor<32x128xf32>
}
