// RUN: raf-opt %s --pass-pipeline="builtin.module(raf-decompose-ops,canonicalize,cse,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels)" --split-input-file | FileCheck %s

// The mean over the rows' losses is a further stage of the kernel of the rows.
// CHECK-LABEL: func.func @cross_entropy
// CHECK-COUNT-1: raf.launch
// CHECK-NOT: raf.launch
// CHECK: func.func private @kernel_0
// CHECK: raf.stage = 1
func.func @cross_entropy(%x: tensor<1024x1000xf32>, %l: tensor<1024xi64>) -> tensor<f32> {
  %loss, %lse = raf.cross_entropy %x, %l ignore_index = -100 label_smoothing = 0.0 : tensor<1024x1000xf32>, tensor<1024xi64> -> tensor<f32>, tensor<1024xf32>
  return %loss : tensor<f32>
}

// -----

// CHECK-LABEL: func.func @layer_norm
// CHECK-COUNT-1: raf.launch
// CHECK-NOT: raf.launch
func.func @layer_norm(%x: tensor<1024x512xf32>, %s: tensor<512xf32>, %b: tensor<512xf32>) -> tensor<1024x512xf32> {
  %y, %mean, %rstd = raf.layer_norm %x, %s, %b axis = 1 epsilon = 1.0e-5 : (tensor<1024x512xf32>, tensor<512xf32>, tensor<512xf32>) -> (tensor<1024x512xf32>, tensor<1024xf32>, tensor<1024xf32>)
  return %y : tensor<1024x512xf32>
}

// -----

// A sum of everything is shared out by rows first.
// CHECK-LABEL: func.func @full_sum
// CHECK-COUNT-1: raf.launch
// CHECK: func.func private @kernel_0
// CHECK: iterator_types = ["parallel", "reduction"]
// CHECK: iterator_types = ["reduction"]
func.func @full_sum(%x: tensor<1024x512xf32>) -> tensor<f32> {
  %y = raf.reduce sum %x dims = [0, 1] : tensor<1024x512xf32> -> tensor<f32>
  return %y : tensor<f32>
}
