// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-auto-cast --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-auto-cast="type=f16" --split-input-file | FileCheck %s --check-prefix=F16

// A dense layer with ReLU and the gradient of its weights: x, w and dy are converted, each once; the product for relu is stored in 16 bits, the gradient comes in f32 from the product.
// CHECK-LABEL: func.func @dense
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[W:.*]]: tensor<8x16xf32>, %[[DY:.*]]: tensor<4x16xf32>
// CHECK-DAG: %[[NX:.*]] = raf.cast %[[X]] : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK-DAG: %[[NW:.*]] = raf.cast %[[W]] : tensor<8x16xf32> to tensor<8x16xbf16>
// CHECK: %[[H:.*]] = raf.matmul %[[NX]], %[[NW]] : tensor<4x8xbf16>, tensor<8x16xbf16> -> tensor<4x16xbf16>
// CHECK: %[[R:.*]] = raf.relu %[[H]] : tensor<4x16xbf16>
// CHECK: %[[NDY:.*]] = raf.cast %[[DY]]
// CHECK: %[[GR:.*]] = raf.matmul %[[R]], %[[NDY]] transpose_lhs : tensor<4x16xbf16>, tensor<4x16xbf16> -> tensor<16x16xf32>
// CHECK: %[[GX:.*]] = raf.matmul %[[NX]], %[[NDY]] transpose_lhs : {{.*}} -> tensor<8x16xf32>
// CHECK-NOT: raf.cast
// CHECK: return %[[GR]], %[[GX]]
// F16-LABEL: func.func @dense
// F16: raf.matmul {{.*}} -> tensor<4x16xf16>
func.func @dense(%x: tensor<4x8xf32>, %w: tensor<8x16xf32>, %dy: tensor<4x16xf32>) -> (tensor<16x16xf32>, tensor<8x16xf32>) {
  %h = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %r = raf.relu %h : tensor<4x16xf32>
  %gr = raf.matmul %r, %dy transpose_lhs : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<16x16xf32>
  %gx = raf.matmul %x, %dy transpose_lhs : tensor<4x8xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
  return %gr, %gx : tensor<16x16xf32>, tensor<8x16xf32>
}

// -----

// What lies between a product and a sum needs no conversion when the product gives f32; softmax, sums and exponentials keep it.
// CHECK-LABEL: func.func @scores
// CHECK-COUNT-2: raf.cast {{.*}} to tensor<4x8xbf16>
// CHECK: raf.matmul {{.*}} transpose_rhs : tensor<4x8xbf16>, tensor<4x8xbf16> -> tensor<4x4xf32>
// CHECK: raf.mul {{.*}} : tensor<4x4xf32>
// CHECK: raf.softmax {{.*}} : tensor<4x4xf32>
// CHECK: raf.cast {{.*}} : tensor<4x4xf32> to tensor<4x4xbf16>
// CHECK: %[[Y:.*]] = raf.matmul {{.*}} : tensor<4x4xbf16>, tensor<4x8xbf16> -> tensor<4x8xf32>
// CHECK: raf.exp %[[Y]] : tensor<4x8xf32>
// CHECK: raf.reduce sum
// CHECK-NOT: raf.cast
func.func @scores(%q: tensor<4x8xf32>, %k: tensor<4x8xf32>) -> tensor<4xf32> {
  %s = raf.matmul %q, %k transpose_rhs : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x4xf32>
  %c = raf.constant dense<0.25> : tensor<4x4xf32>
  %scaled = raf.mul %s, %c : tensor<4x4xf32>
  %p = raf.softmax %scaled axis = 1 : tensor<4x4xf32>
  %y = raf.matmul %p, %k : tensor<4x4xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %e = raf.exp %y : tensor<4x8xf32>
  %sum = raf.reduce sum %e dims = [1] : tensor<4x8xf32> -> tensor<4xf32>
  return %sum : tensor<4xf32>
}

// -----

// The cheapest place is before a broadcast. A constant that is a number of the narrow type is converted for free, one that is not keeps its op in f32.
// CHECK-LABEL: func.func @constants
// CHECK: raf.cast %{{.*}} : tensor<64xf32> to tensor<64xbf16>
// CHECK: raf.broadcast {{.*}} to tensor<64x64xbf16>
// CHECK: %[[HALF:.*]] = raf.constant dense<5.000000e-01> : tensor<64x64xbf16>
// CHECK: raf.mul {{.*}}, %[[HALF]] : tensor<64x64xbf16>
// CHECK: %[[TENTH:.*]] = raf.constant dense<1.000000e-01> : tensor<64x64xf32>
// CHECK: raf.mul {{.*}}, %[[TENTH]] : tensor<64x64xf32>
func.func @constants(%v: tensor<64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %b = raf.broadcast %v dims = [1] : tensor<64xf32> to tensor<64x64xf32>
  %half = raf.constant dense<0.5> : tensor<64x64xf32>
  %h = raf.mul %b, %half : tensor<64x64xf32>
  %p = raf.matmul %h, %w : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %tenth = raf.constant dense<0.1> : tensor<64x64xf32>
  %q = raf.mul %p, %tenth : tensor<64x64xf32>
  return %q : tensor<64x64xf32>
}

// -----

// A convolution net stays in 16 bits through its normalization; parameters and statistics are f32.
// CHECK-LABEL: func.func @conv
// CHECK: raf.conv {{.*}} -> tensor<2x4x8x8xbf16>
// CHECK: raf.batch_norm {{.*}} : (tensor<2x4x8x8xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xbf16>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
// CHECK: raf.relu {{.*}} : tensor<2x4x8x8xbf16>
// CHECK: raf.conv {{.*}} -> tensor<2x4x8x8xf32>
// CHECK-NOT: raf.cast
func.func @conv(%x: tensor<2x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %u: tensor<4x4x3x3xf32>, %s: tensor<4xf32>, %m: tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) {
  %c = raf.conv %x, %w strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x3x8x8xf32>, tensor<4x3x3x3xf32>) -> tensor<2x4x8x8xf32>
  %y, %rm, %rv, %mean, %rstd = raf.batch_norm %c, %s, %s, %m, %m axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> (tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>)
  %r = raf.relu %y : tensor<2x4x8x8xf32>
  %z = raf.conv %r, %u strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] : (tensor<2x4x8x8xf32>, tensor<4x4x3x3xf32>) -> tensor<2x4x8x8xf32>
  return %z, %rm, %rv : tensor<2x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// A parameter that a loop reads is converted once, before it; what the loop carries stays f32.
// CHECK-LABEL: func.func @loop
// CHECK: %[[NW:.*]] = raf.cast %{{.*}} : tensor<8x8xf32> to tensor<8x8xbf16>
// CHECK: scf.for {{.*}} -> (tensor<4x8xf32>)
// CHECK: raf.cast %{{.*}} : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK: raf.matmul %{{.*}}, %[[NW]] : tensor<4x8xbf16>, tensor<8x8xbf16> -> tensor<4x8xf32>
// CHECK-NOT: raf.cast
func.func @loop(%h: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %y = scf.for %i = %c0 to %c5 step %c1 iter_args(%s = %h) -> tensor<4x8xf32> {
    %p = raf.matmul %s, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
    scf.yield %p : tensor<4x8xf32>
  }
  return %y : tensor<4x8xf32>
}

// -----

// What is no f32 is left alone: f64, integers, and what the program converts itself.
// CHECK-LABEL: func.func @others
// CHECK: raf.matmul {{.*}} : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
// CHECK: raf.matmul {{.*}} : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
// CHECK: raf.cast {{.*}} : tensor<4x4xf32> to tensor<4x4xf16>
// CHECK-NEXT: return
func.func @others(%d: tensor<4x4xf64>, %i: tensor<4x4xi32>, %x: tensor<4x4xf32>) -> (tensor<4x4xf64>, tensor<4x4xi32>, tensor<4x4xf16>) {
  %0 = raf.matmul %d, %d : tensor<4x4xf64>, tensor<4x4xf64> -> tensor<4x4xf64>
  %1 = raf.matmul %i, %i : tensor<4x4xi32>, tensor<4x4xi32> -> tensor<4x4xi32>
  %2 = raf.cast %x : tensor<4x4xf32> to tensor<4x4xf16>
  return %0, %1, %2 : tensor<4x4xf64>, tensor<4x4xi32>, tensor<4x4xf16>
}

// -----

// The gradient of a normalization is computed in f32: what reads its statistics.
// CHECK-LABEL: func.func @norm_gradient
// CHECK: raf.layer_norm {{.*}} : (tensor<4x8xbf16>, tensor<8xf32>, tensor<8xf32>)
// CHECK: raf.sub {{.*}} : tensor<4x8xf32>
// CHECK: raf.mul {{.*}} : tensor<4x8xf32>
func.func @norm_gradient(%x: tensor<4x8xf32>, %w: tensor<8x8xf32>, %s: tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %h = raf.matmul %x, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %y, %mean, %rstd = raf.layer_norm %h, %s, %s axis = 1 epsilon = 1.0e-5 : (tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32>) -> (tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32>)
  %m = raf.broadcast %mean dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %c = raf.sub %h, %m : tensor<4x8xf32>
  %r = raf.broadcast %rstd dims = [0] : tensor<4xf32> to tensor<4x8xf32>
  %n = raf.mul %c, %r : tensor<4x8xf32>
  %a = raf.matmul %n, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %b = raf.matmul %y, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  return %a, %b : tensor<4x8xf32>, tensor<4x8xf32>
}

// -----

// A value that another block reads is converted where it is made.
// CHECK-LABEL: func.func @blocks
// CHECK: raf.exp
// CHECK-NEXT: raf.cast
// CHECK-NEXT: cf.br
func.func @blocks(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = raf.exp %x : tensor<4x4xf32>
  cf.br ^next
^next:
  %y = raf.matmul %e, %e : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// The terms of a sum of products, such as the delta of attention's gradient, are f32 although both factors are there in 16 bits. A product that others read too stays in 16 bits.
// CHECK-LABEL: func.func @sums_of_products
// CHECK: %[[Y:.*]], %[[LSE:.*]] = raf.attention {{.*}} -> (tensor<1x2x4x8xbf16>, tensor<1x2x4xf32>)
// CHECK-DAG: %[[WIDEY:.*]] = raf.cast %[[Y]] : tensor<1x2x4x8xbf16> to tensor<1x2x4x8xf32>
// CHECK-DAG: %[[WIDE:.*]] = raf.cast %[[DY:.*]] : tensor<1x2x4x8xbf16> to tensor<1x2x4x8xf32>
// CHECK: %[[TERMS:.*]] = raf.mul %[[WIDE]], %[[WIDEY]] : tensor<1x2x4x8xf32>
// CHECK: raf.reduce sum %[[TERMS]] dims = [3] : tensor<1x2x4x8xf32> -> tensor<1x2x4xf32>
// CHECK: raf.attention_grad {{.*}}, %[[DY]], %[[LSE]]
// CHECK: raf.mul {{.*}} : tensor<1x2x4x8xbf16>
func.func @sums_of_products(%q: tensor<1x2x4x8xf32>, %k: tensor<1x2x4x8xf32>, %v: tensor<1x2x4x8xf32>, %g: tensor<1x2x4x8xf32>, %w: tensor<1x2x8x8xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4x8xf32>) {
  %y, %lse = raf.attention %q, %k, %v scale = 1.0 : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4xf32>)
  %p = raf.matmul %g, %w : tensor<1x2x4x8xf32>, tensor<1x2x8x8xf32> -> tensor<1x2x4x8xf32>
  %dy = raf.relu %p : tensor<1x2x4x8xf32>
  %terms = raf.mul %dy, %y : tensor<1x2x4x8xf32>
  %delta = raf.reduce sum %terms dims = [3] : tensor<1x2x4x8xf32> -> tensor<1x2x4xf32>
  %dq, %dk, %dv = raf.attention_grad %q, %k, %v, %dy, %lse, %delta scale = 1.0 : (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) -> (tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>)
  %both = raf.mul %dy, %y : tensor<1x2x4x8xf32>
  %sum = raf.reduce sum %both dims = [3] : tensor<1x2x4x8xf32> -> tensor<1x2x4xf32>
  %more = raf.matmul %both, %w : tensor<1x2x4x8xf32>, tensor<1x2x8x8xf32> -> tensor<1x2x4x8xf32>
  return %dq, %dk, %dv, %sum, %more : tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4x8xf32>, tensor<1x2x4xf32>, tensor<1x2x4x8xf32>
}

// -----

// A sum takes what is stored for other readers as it is: the gradient behind an activation stays in 16 bits for the products, and is widened for the sum that is the bias' gradient.
// CHECK-LABEL: func.func @sum_beside_product
// CHECK: %[[DY:.*]] = raf.matmul {{.*}} -> tensor<4x8xbf16>
// CHECK: %[[NARROW:.*]] = raf.cast %{{.*}} : tensor<4x8xf32> to tensor<4x8xbf16>
// CHECK: %[[DX:.*]] = raf.mul %[[DY]], %[[NARROW]] : tensor<4x8xbf16>
// CHECK: raf.cast %[[DX]] : tensor<4x8xbf16> to tensor<4x8xf32>
// CHECK: raf.matmul %[[DX]]
func.func @sum_beside_product(%dy: tensor<4x16xf32>, %w: tensor<8x16xf32>, %h: tensor<4x8xf32>, %v: tensor<8x16xf32>) -> (tensor<8xf32>, tensor<4x16xf32>) {
  %p = raf.matmul %dy, %w transpose_rhs : tensor<4x16xf32>, tensor<8x16xf32> -> tensor<4x8xf32>
  %d = raf.exp %h : tensor<4x8xf32>
  %dx = raf.mul %p, %d : tensor<4x8xf32>
  %bias = raf.reduce sum %dx dims = [0] : tensor<4x8xf32> -> tensor<8xf32>
  %next = raf.matmul %dx, %v : tensor<4x8xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  return %bias, %next : tensor<8xf32>, tensor<4x16xf32>
}
