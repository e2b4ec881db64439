// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The layouts are those of the machine that compiles, so they are not looked at closely.
// RUN: raf-opt %s -split-input-file -raf-store-layouts -canonicalize | FileCheck %s
// RUN: raf-opt %s -split-input-file -raf-store-layouts --remarks-filter=raf-store-layouts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// A second look finds nothing.
// RUN: raf-opt %s -split-input-file -raf-store-layouts -canonicalize -o %t && raf-opt %t -split-input-file -raf-store-layouts -canonicalize | diff %t -

// A step with clipping and a guard: the parameter, its velocity and its gradient.
// CHECK-LABEL: func @main
// CHECK-SAME: tensor<2x64x14x14xf32>
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<36864xf32> {raf.name = "w", raf.role = "param", raf.stored = {blocks = array<i64: {{[0-9, ]+}}>, of = array<i64: {{[0-9, ]+}}>, order = array<i64: {{[0-9, ]+}}>, shape = array<i64: 64, 64, 3, 3>, split = array<i64: {{[0-9, ]+}}>, strides = array<i64: {{[0-9, ]+}}>}}
// CHECK-SAME: %[[V:[a-z0-9]+]]: tensor<36864xf32> {raf.name = "velocity:w", raf.role = "state", raf.stored = {{{.*}}shape = array<i64: 64, 64, 3, 3>
// CHECK-SAME: -> (tensor<2x64x14x14xf32>, tensor<36864xf32> {raf.alias = 1 : i64}, tensor<36864xf32> {raf.alias = 2 : i64})
// CHECK: dnnl.conv ins(%{{.*}}, %[[W]] : tensor<2x64x14x14xf32>, tensor<36864xf32>) {{.*}}w_layout = #[[L:.*]]}
// CHECK: dnnl.conv_input_grad ins(%{{.*}}, %[[W]] : tensor<2x64x14x14xf32>, tensor<36864xf32>) {{.*}}w_layout = #[[L]]}
// CHECK: %[[G:[0-9a-z]+]]{{.*}} = dnnl.conv_weight_grad ins({{.*}}) outs(%{{.*}} : tensor<36864xf32>) {{.*}}w_layout = #[[L]]}
// CHECK: %[[SQUARE:.*]] = raf.mul %[[G]]{{.*}}, %[[G]]{{.*}} : tensor<36864xf32>
// CHECK: raf.reduce sum %[[SQUARE]] dims = [0] : tensor<36864xf32> -> tensor<f32>
// CHECK: raf.broadcast %{{.*}} dims = [] : tensor<f32> to tensor<36864xf32>
// CHECK: raf.sgd_update %[[W]]
// CHECK: raf.broadcast %{{.*}} dims = [] : tensor<i1> to tensor<36864xi1>
// CHECK-COUNT-2: raf.select
// REMARK: Category:raf-store-layouts{{.*}}lies in the library's blocks between steps
// REMARK: Category:raf-store-layouts{{.*}}lies in the library's blocks between steps
func.func @main(%x: tensor<2x64x14x14xf32> {raf.name = "x", raf.role = "input"}, %w: tensor<64x64x3x3xf32> {raf.name = "w", raf.role = "param"},
                %v: tensor<64x64x3x3xf32> {raf.name = "velocity:w", raf.role = "state"}, %lr: tensor<f32> {raf.name = "lr", raf.role = "lr"})
    -> (tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32> {raf.alias = 1 : i64}, tensor<64x64x3x3xf32> {raf.alias = 2 : i64}) {
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %y = dnnl.conv ins(%x, %w : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %dx = dnnl.conv_input_grad ins(%y, %w : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %ew = tensor.empty() : tensor<64x64x3x3xf32>
  %g = dnnl.conv_weight_grad ins(%x, %y : tensor<2x64x14x14xf32>, tensor<2x64x14x14xf32>) outs(%ew : tensor<64x64x3x3xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<64x64x3x3xf32>
  %square = raf.mul %g, %g : tensor<64x64x3x3xf32>
  %sum = raf.reduce sum %square dims = [0, 1, 2, 3] : tensor<64x64x3x3xf32> -> tensor<f32>
  %wide = raf.broadcast %sum dims = [] : tensor<f32> to tensor<64x64x3x3xf32>
  %clipped = raf.div %g, %wide : tensor<64x64x3x3xf32>
  %u:2 = raf.sgd_update %w, %clipped, %lr, %v momentum = 0.9 weight_decay = 0.1 : (tensor<64x64x3x3xf32>, tensor<64x64x3x3xf32>, tensor<f32>, tensor<64x64x3x3xf32>) -> (tensor<64x64x3x3xf32>, tensor<64x64x3x3xf32>)
  %good = raf.is_nan %lr : tensor<f32> -> tensor<i1>
  %flags = raf.broadcast %good dims = [] : tensor<i1> to tensor<64x64x3x3xi1>
  %nw = raf.select %flags, %u#0, %w : tensor<64x64x3x3xf32>
  %nv = raf.select %flags, %u#1, %v : tensor<64x64x3x3xf32>
  return %dx, %nw, %nv : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>, tensor<64x64x3x3xf32>
}

// -----

// A program that only reads: nothing is reordered. What is computed from the parameter element by element lies as it does, in its own type; constants are of one number.
// CHECK-LABEL: func @main
// CHECK-SAME: %[[W:[a-z0-9]+]]: tensor<36864xbf16> {raf.name = "w", raf.role = "param", raf.stored
// CHECK: %[[C:.*]] = raf.constant dense<2.000000e+00> : tensor<36864xf32>
// CHECK: %[[F:.*]] = raf.cast %[[W]] : tensor<36864xbf16> to tensor<36864xf32>
// CHECK: %[[M:.*]] = raf.mul %[[F]], %[[C]] : tensor<36864xf32>
// CHECK: dnnl.conv ins(%{{.*}}, %[[M]] : tensor<2x64x14x14xf32>, tensor<36864xf32>)
// CHECK: raf.add %{{.*}}, %{{.*}} : tensor<64x64x3x3xf32>
func.func @main(%x: tensor<2x64x14x14xf32> {raf.name = "x", raf.role = "input"}, %w: tensor<64x64x3x3xbf16> {raf.name = "w", raf.role = "param"},
                %other: tensor<64x64x3x3xf32> {raf.name = "other", raf.role = "param"}) -> (tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) {
  %two = raf.constant dense<2.0> : tensor<64x64x3x3xf32>
  %f = raf.cast %w : tensor<64x64x3x3xbf16> to tensor<64x64x3x3xf32>
  %m = raf.mul %f, %two : tensor<64x64x3x3xf32>
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %y = dnnl.conv ins(%x, %m : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %a = raf.add %other, %two : tensor<64x64x3x3xf32>
  return %y, %a : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>
}

// -----

// Read in another way: by rows, as a matrix, or returned where no argument is overwritten.
// CHECK-LABEL: func @main
// CHECK-NOT: raf.stored
// REMARK: Reason="it is read by raf.reduce", Remark="lies plainly between steps"
// REMARK: Reason="it is read by raf.reshape", Remark="lies plainly between steps"
// REMARK: Reason="it is a result that overwrites no argument", Remark="lies plainly between steps"
func.func @main(%x: tensor<2x64x14x14xf32> {raf.name = "x", raf.role = "input"}, %a: tensor<64x64x3x3xf32> {raf.name = "a", raf.role = "param"}, %b: tensor<64x64x3x3xf32> {raf.name = "b", raf.role = "param"},
                %c: tensor<64x64x3x3xf32> {raf.name = "c", raf.role = "param"}) -> (tensor<2x64x14x14xf32>, tensor<64xf32>, tensor<64x576xf32>, tensor<64x64x3x3xf32>) {
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %0 = dnnl.conv ins(%x, %a : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %1 = dnnl.conv ins(%0, %b : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %2 = dnnl.conv ins(%1, %c : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %rows = raf.reduce sum %a dims = [1, 2, 3] : tensor<64x64x3x3xf32> -> tensor<64xf32>
  %matrix = raf.reshape %b : tensor<64x64x3x3xf32> to tensor<64x576xf32>
  %neg = raf.neg %c : tensor<64x64x3x3xf32>
  return %2, %rows, %matrix, %neg : tensor<2x64x14x14xf32>, tensor<64xf32>, tensor<64x576xf32>, tensor<64x64x3x3xf32>
}

// -----

// Blocks that the library would fill with zeros, groups, and a parameter that is computed with one of another array.
// CHECK-LABEL: func @main
// CHECK-NOT: raf.stored
// REMARK: Reason="the library{{.*}}", Remark="lies plainly between steps"
// REMARK: Reason="it is read by dnnl.conv", Remark="lies plainly between steps"
// REMARK: Reason="it is computed with an argument that is neither a parameter nor a state", Remark="lies plainly between steps"
func.func @main(%x: tensor<2x21x14x14xf32> {raf.name = "x", raf.role = "input"}, %a: tensor<21x21x3x3xf32> {raf.name = "a", raf.role = "param"}, %z: tensor<2x64x14x14xf32> {raf.name = "z", raf.role = "input"},
                %b: tensor<64x32x3x3xf32> {raf.name = "b", raf.role = "param"}, %c: tensor<64x64x3x3xf32> {raf.name = "c", raf.role = "param"}, %mask: tensor<64x64x3x3xf32> {raf.name = "mask", raf.role = "buffer"})
    -> (tensor<2x21x14x14xf32>, tensor<2x64x14x14xf32>) {
  %e = tensor.empty() : tensor<2x21x14x14xf32>
  %0 = dnnl.conv ins(%x, %a : tensor<2x21x14x14xf32>, tensor<21x21x3x3xf32>) outs(%e : tensor<2x21x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x21x14x14xf32>
  %f = tensor.empty() : tensor<2x64x14x14xf32>
  %1 = dnnl.conv ins(%z, %b : tensor<2x64x14x14xf32>, tensor<64x32x3x3xf32>) outs(%f : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] groups = 2 -> tensor<2x64x14x14xf32>
  %masked = raf.mul %c, %mask : tensor<64x64x3x3xf32>
  %2 = dnnl.conv ins(%1, %masked : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%f : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  return %0, %2 : tensor<2x21x14x14xf32>, tensor<2x64x14x14xf32>
}

// -----

// A state that something else overwrites, and its parameter with it.
// CHECK-LABEL: func @main
// CHECK-NOT: raf.stored
// REMARK: Reason="it is overwritten by what does not lie so", Remark="lies plainly between steps"
func.func @main(%x: tensor<2x64x14x14xf32> {raf.name = "x", raf.role = "input"}, %w: tensor<64x64x3x3xf32> {raf.name = "w", raf.role = "param"}, %v: tensor<64x64x3x3xf32> {raf.name = "v", raf.role = "state"},
                %new: tensor<64x576xf32> {raf.name = "new", raf.role = "input"}) -> (tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32> {raf.alias = 1 : i64}, tensor<64x64x3x3xf32> {raf.alias = 2 : i64}) {
  %e = tensor.empty() : tensor<2x64x14x14xf32>
  %y = dnnl.conv ins(%x, %w : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>) outs(%e : tensor<2x64x14x14xf32>) strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] -> tensor<2x64x14x14xf32>
  %nw = raf.add %w, %v : tensor<64x64x3x3xf32>
  %nv = raf.reshape %new : tensor<64x576xf32> to tensor<64x64x3x3xf32>
  return %y, %nw, %nv : tensor<2x64x14x14xf32>, tensor<64x64x3x3xf32>, tensor<64x64x3x3xf32>
}
