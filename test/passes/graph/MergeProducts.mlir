// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-merge-products --canonicalize --cse --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-merge-products="launch-ns=1000000" --cse --split-input-file | FileCheck %s --check-prefix=SLOW
// RUN: raf-opt %s --raf-merge-products --remarks-filter=raf-merge-products --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The weights of a recurrence are joined once for all its steps, and those are few rows: the launches count.
// CHECK-LABEL: @recurrence
// CHECK: %[[W:.*]] = raf.concat %arg1, %arg2 axis = 0
// CHECK: %[[Y:.*]] = raf.matmul %arg0, %[[W]] transpose_rhs : tensor<4x32xf32>, tensor<64x32xf32> -> tensor<4x64xf32>
// CHECK: raf.slice %[[Y]] starts = [0, 0] limits = [4, 32]
// CHECK: raf.slice %[[Y]] starts = [0, 32] limits = [4, 64]
// CHECK: %[[Z:.*]] = raf.matmul %{{.*}}, %[[W]] transpose_rhs
// CHECK-NOT: raf.matmul
// REMARK: [Passed] Merged | Category:raf-merge-products | {{.*}}Remark="2 products that share an operand are one"
func.func @recurrence(%h: tensor<4x32xf32>, %a: tensor<32x32xf32>, %b: tensor<32x32xf32>) -> tensor<4x32xf32> {
  %0 = raf.matmul %h, %a transpose_rhs : tensor<4x32xf32>, tensor<32x32xf32> -> tensor<4x32xf32>
  %1 = raf.matmul %h, %b transpose_rhs : tensor<4x32xf32>, tensor<32x32xf32> -> tensor<4x32xf32>
  %2 = raf.mul %0, %1 : tensor<4x32xf32>
  %3 = raf.matmul %2, %a transpose_rhs : tensor<4x32xf32>, tensor<32x32xf32> -> tensor<4x32xf32>
  %4 = raf.matmul %2, %b transpose_rhs : tensor<4x32xf32>, tensor<32x32xf32> -> tensor<4x32xf32>
  %5 = raf.mul %3, %4 : tensor<4x32xf32>
  return %5 : tensor<4x32xf32>
}

// -----

// Large weights that are used once cost more to join than launches do, on this machine.
// CHECK-LABEL: @large
// CHECK-NOT: raf.concat
// SLOW-LABEL: @large
// SLOW: %[[W:.*]] = raf.concat %arg1, %arg2, %arg3 axis = 1
// SLOW: raf.matmul %arg0, %[[W]] : tensor<64x512xf32>, tensor<512x1536xf32>
// REMARK: [Missed] NotMerged | {{.*}}Reason="{{[0-9]+}} ns apart, {{[0-9]+}} ns together", Remark="3 products that share an operand stay apart"
func.func @large(%x: tensor<64x512xf32>, %a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> (tensor<64x512xf32>, tensor<64x512xf32>, tensor<64x512xf32>) {
  %0 = raf.matmul %x, %a : tensor<64x512xf32>, tensor<512x512xf32> -> tensor<64x512xf32>
  %1 = raf.matmul %x, %b : tensor<64x512xf32>, tensor<512x512xf32> -> tensor<64x512xf32>
  %2 = raf.matmul %x, %c : tensor<64x512xf32>, tensor<512x512xf32> -> tensor<64x512xf32>
  return %0, %1, %2 : tensor<64x512xf32>, tensor<64x512xf32>, tensor<64x512xf32>
}

// -----

// Rows of computed operands are written side by side and the results are views of rows: nothing is copied.
// CHECK-LABEL: @rows
// CHECK: %[[A:.*]] = raf.concat %{{.*}}, %{{.*}} axis = 0
// CHECK: raf.matmul %[[A]], %arg2 : tensor<128x64xf32>, tensor<64x64xf32> -> tensor<128x64xf32>
// CHECK-NOT: raf.matmul
func.func @rows(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
  %a = raf.exp %x : tensor<64x64xf32>
  %b = raf.exp %y : tensor<64x64xf32>
  %0 = raf.matmul %a, %w : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  %1 = raf.matmul %b, %w : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// -----

// Products that are summed, with what else is added: their operands are computed below each other.
// CHECK-LABEL: @sum
// CHECK: %[[A:.*]] = raf.concat %{{.*}}, %{{.*}} axis = 0
// CHECK: %[[B:.*]] = raf.concat %{{.*}}, %{{.*}} axis = 0
// CHECK: %[[S:.*]] = raf.matmul %[[A]], %[[B]] transpose_lhs : tensor<16x4xf32>, tensor<16x16xf32> -> tensor<4x16xf32>
// CHECK: raf.add %[[S]], %arg4
// CHECK-NOT: raf.add
func.func @sum(%p: tensor<8x4xf32>, %q: tensor<8x4xf32>, %a: tensor<8x16xf32>, %b: tensor<8x16xf32>, %l: tensor<4x16xf32>) -> tensor<4x16xf32> {
  %p1 = raf.exp %p : tensor<8x4xf32>
  %q1 = raf.exp %q : tensor<8x4xf32>
  %a1 = raf.exp %a : tensor<8x16xf32>
  %b1 = raf.exp %b : tensor<8x16xf32>
  %0 = raf.matmul %p1, %a1 transpose_lhs : tensor<8x4xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %1 = raf.matmul %q1, %b1 transpose_lhs : tensor<8x4xf32>, tensor<8x16xf32> -> tensor<4x16xf32>
  %2 = raf.add %0, %l : tensor<4x16xf32>
  %3 = raf.add %2, %1 : tensor<4x16xf32>
  return %3 : tensor<4x16xf32>
}

// -----

// The second one needs the first one; another form; another type; a result that is read before the other's operand is there; batches.
// CHECK-LABEL: @apart
// CHECK-NOT: raf.concat
// SLOW-LABEL: @apart
// SLOW-NOT: raf.concat
func.func @apart(%x: tensor<8x8xf32>, %b: tensor<2x8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>) {
  %0 = raf.matmul %x, %x : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %1 = raf.matmul %x, %0 : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %2 = raf.matmul %x, %1 transpose_rhs : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %3 = raf.matmul %b, %b : tensor<2x8x8xf32>, tensor<2x8x8xf32> -> tensor<2x8x8xf32>
  %4 = raf.matmul %b, %3 : tensor<2x8x8xf32>, tensor<2x8x8xf32> -> tensor<2x8x8xf32>
  return %1, %2, %3, %4 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>
}

// -----

// Gradients of weights, whose operands come one after the other, when nobody reads them before all are there.
// CHECK-LABEL: @gradients
// SLOW-LABEL: @gradients
// CHECK: %[[D:.*]] = raf.concat %{{.*}}, %{{.*}}, %{{.*}} axis = 1
// CHECK: raf.matmul %arg0, %[[D]] transpose_lhs : tensor<64x4xf32>, tensor<64x12xf32> -> tensor<4x12xf32>
// CHECK-NOT: raf.matmul
func.func @gradients(%x: tensor<64x4xf32>, %d: tensor<64x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = raf.matmul %x, %d transpose_lhs : tensor<64x4xf32>, tensor<64x4xf32> -> tensor<4x4xf32>
  %e = raf.tanh %d : tensor<64x4xf32>
  %1 = raf.matmul %x, %e transpose_lhs : tensor<64x4xf32>, tensor<64x4xf32> -> tensor<4x4xf32>
  %f = raf.tanh %e : tensor<64x4xf32>
  %2 = raf.matmul %x, %f transpose_lhs : tensor<64x4xf32>, tensor<64x4xf32> -> tensor<4x4xf32>
  return %0, %1, %2 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

// -----

// A sum that adds another one, which is read elsewhere too: both are merged.
// CHECK-LABEL: @chained
// CHECK: %[[S:.*]] = raf.matmul %{{.*}}, %{{.*}} transpose_lhs : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK: %[[T:.*]] = raf.matmul %{{.*}}, %{{.*}} transpose_lhs : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
// CHECK-NEXT: %[[R:.*]] = raf.add %[[T]], %[[S]]
// CHECK-NEXT: return %[[S]], %[[R]]
func.func @chained(%p: tensor<8x16xf32>, %q: tensor<8x16xf32>, %r: tensor<8x16xf32>, %s: tensor<8x16xf32>, %a: tensor<8x16xf32>, %b: tensor<8x16xf32>, %c: tensor<8x16xf32>, %d: tensor<8x16xf32>) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %p1 = raf.exp %p : tensor<8x16xf32>
  %q1 = raf.exp %q : tensor<8x16xf32>
  %r1 = raf.exp %r : tensor<8x16xf32>
  %s1 = raf.exp %s : tensor<8x16xf32>
  %a1 = raf.exp %a : tensor<8x16xf32>
  %b1 = raf.exp %b : tensor<8x16xf32>
  %c1 = raf.exp %c : tensor<8x16xf32>
  %d1 = raf.exp %d : tensor<8x16xf32>
  %0 = raf.matmul %p1, %a1 transpose_lhs : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %1 = raf.matmul %q1, %b1 transpose_lhs : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %2 = raf.add %0, %1 : tensor<16x16xf32>
  %3 = raf.matmul %r1, %c1 transpose_lhs : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %4 = raf.matmul %s1, %d1 transpose_lhs : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<16x16xf32>
  %5 = raf.add %2, %3 : tensor<16x16xf32>
  %6 = raf.add %5, %4 : tensor<16x16xf32>
  return %2, %6 : tensor<16x16xf32>, tensor<16x16xf32>
}

// -----

// What was summed is gone: the product that shares an operand with a part of the sum stays alone.
// CHECK-LABEL: @sibling_of_summed
// CHECK: %[[P:.*]] = raf.exp %arg0
// CHECK: %[[E:.*]] = raf.exp %arg8
// CHECK-NOT: raf.concat
// CHECK: raf.matmul %[[P]], %[[E]] transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
// CHECK: raf.matmul %{{.*}}, %{{.*}} transpose_rhs : tensor<4x32xf32>, tensor<16x32xf32> -> tensor<4x16xf32>
// CHECK-NOT: raf.matmul
func.func @sibling_of_summed(%p: tensor<4x8xf32>, %q: tensor<4x8xf32>, %r: tensor<4x8xf32>, %s: tensor<4x8xf32>, %a: tensor<16x8xf32>, %b: tensor<16x8xf32>, %c: tensor<16x8xf32>, %d: tensor<16x8xf32>, %e: tensor<16x8xf32>) -> (tensor<4x16xf32>, tensor<4x16xf32>) {
  %p1 = raf.exp %p : tensor<4x8xf32>
  %q1 = raf.exp %q : tensor<4x8xf32>
  %r1 = raf.exp %r : tensor<4x8xf32>
  %s1 = raf.exp %s : tensor<4x8xf32>
  %a1 = raf.exp %a : tensor<16x8xf32>
  %b1 = raf.exp %b : tensor<16x8xf32>
  %c1 = raf.exp %c : tensor<16x8xf32>
  %d1 = raf.exp %d : tensor<16x8xf32>
  %e1 = raf.exp %e : tensor<16x8xf32>
  %live = raf.matmul %p1, %e1 transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %0 = raf.matmul %p1, %a1 transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %1 = raf.matmul %q1, %b1 transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %2 = raf.matmul %r1, %c1 transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %3 = raf.matmul %s1, %d1 transpose_rhs : tensor<4x8xf32>, tensor<16x8xf32> -> tensor<4x16xf32>
  %4 = raf.add %0, %1 : tensor<4x16xf32>
  %5 = raf.add %4, %2 : tensor<4x16xf32>
  %6 = raf.add %5, %3 : tensor<4x16xf32>
  return %live, %6 : tensor<4x16xf32>, tensor<4x16xf32>
}

// -----

// The products by %x become one where the second one stands, so that the first one's result, which one of the products by %w needs, comes after what needs the other of them.
// CHECK-LABEL: @moved
// SLOW-LABEL: @moved
// CHECK: %[[A:.*]] = raf.matmul %{{.*}}, %arg1
// CHECK: %[[H:.*]] = raf.tanh %[[A]]
// CHECK: %[[W:.*]] = raf.concat %{{.*}}, %[[H]] axis = 0
// CHECK: %[[P:.*]] = raf.matmul %arg0, %[[W]] transpose_rhs
// CHECK: %[[F:.*]] = raf.slice %[[P]] starts = [0, 0]
// CHECK: raf.matmul %[[F]], %arg1
func.func @moved(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>, %v: tensor<8x8xf32>, %s: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %w1 = raf.tanh %v : tensor<8x8xf32>
  %u = raf.tanh %s : tensor<8x8xf32>
  %p1 = raf.matmul %x, %w1 transpose_rhs : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %a1 = raf.matmul %u, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %h = raf.tanh %a1 : tensor<8x8xf32>
  %p2 = raf.matmul %x, %h transpose_rhs : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %a2 = raf.matmul %p1, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %r = raf.add %a2, %p2 : tensor<8x8xf32>
  return %r : tensor<8x8xf32>
}
