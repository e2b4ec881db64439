// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize=slack=10 | FileCheck %s

// The gradient's factor is made only by the run whose results the gradient reads, and the activation by that and the first one. The bytes that the first run does not write count, and what is said of its
// cost is less by a product and a sum an element.
// CHECK: raf.rematerialization = {recompute_ns = {{[0-9]+}} : i64, recomputed = 1 : i64
// CHECK-LABEL: func.func @main
// CHECK: raf.launch @activation_0 ins({{.*}}) may_alias = [0, 0] {raf.bytes = 83222528 : i64, raf.flops = 91611392 : i64} -> tensor<64x65536xf32>
// CHECK: raf.launch @next
// CHECK: raf.launch @activation ins
// CHECK: raf.launch @last
// CHECK: func.func private @activation(
// CHECK: func.func private @activation_0(%{{.*}}: tensor<64x65536xf32>, %{{.*}}: tensor<64x65536xf32>) -> tensor<64x65536xf32>
// CHECK-NOT: arith.addf
// CHECK: math.tanh
// CHECK-NOT: arith.addf
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<64x65536xf32>, %y: tensor<8xf32>) -> (tensor<8xf32>, tensor<64x65536xf32> {raf.alias = 0 : i64}) {
  %e0 = tensor.empty() : tensor<64x65536xf32>
  %e1 = tensor.empty() : tensor<64x65536xf32>
  %e2 = tensor.empty() : tensor<64xf32>
  %e3 = tensor.empty() : tensor<8xf32>
  %e4 = tensor.empty() : tensor<512x65536xf32>
  %e5 = tensor.empty() : tensor<8xf32>
  %e6 = tensor.empty() : tensor<8xf32>
  %a:3 = raf.launch @activation ins(%x : tensor<64x65536xf32>) outs(%e0, %e1, %e2 : tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>) may_alias = [0, 0, 0, 1] {raf.flops = 100000000 : i64, raf.bytes = 100000000 : i64} -> tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>
  %b = raf.launch @next ins(%a#0 : tensor<64x65536xf32>) outs(%e3 : tensor<8xf32>) {raf.time_ns = 90000000 : i64} -> tensor<8xf32>
  %g = raf.launch @grow ins(%b : tensor<8xf32>) outs(%e4 : tensor<512x65536xf32>) {raf.time_ns = 0 : i64} -> tensor<512x65536xf32>
  %c = raf.launch @shrink ins(%g : tensor<512x65536xf32>) outs(%e5 : tensor<8xf32>) {raf.time_ns = 90000000 : i64} -> tensor<8xf32>
  %d = raf.launch @last ins(%c, %a#0, %a#1, %a#2 : tensor<8xf32>, tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>) outs(%e6 : tensor<8xf32>) {raf.time_ns = 10 : i64} -> tensor<8xf32>
  %n = raf.launch @update ins(%d : tensor<8xf32>) outs(%x : tensor<64x65536xf32>) {raf.time_ns = 10 : i64} -> tensor<64x65536xf32>
  return %d, %n : tensor<8xf32>, tensor<64x65536xf32>
}
func.func private @activation(%x: tensor<64x65536xf32>, %o0: tensor<64x65536xf32>, %o1: tensor<64x65536xf32>, %o2: tensor<64xf32>) -> (tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x65536xf32>
  %r = tensor.empty() : tensor<64xf32>
  %y:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x65536xf32>) outs(%e, %e : tensor<64x65536xf32>, tensor<64x65536xf32>) {
  ^bb0(%in: f32, %out0: f32, %out1: f32):
    %t = math.tanh %in : f32
    %d = arith.mulf %t, %t : f32
    linalg.yield %t, %d : f32, f32
  } -> (tensor<64x65536xf32>, tensor<64x65536xf32>)
  %f = linalg.fill ins(%zero : f32) outs(%r : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x65536xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %add = arith.addf %in, %out : f32
    linalg.yield %add : f32
  } -> tensor<64xf32>
  return %y#0, %y#1, %s : tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>
}
func.func private @next(tensor<64x65536xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @grow(tensor<8xf32>, tensor<512x65536xf32>) -> tensor<512x65536xf32> attributes {raf.kernel}
func.func private @shrink(tensor<512x65536xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @last(tensor<8xf32>, tensor<64x65536xf32>, tensor<64x65536xf32>, tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @update(tensor<8xf32>, tensor<64x65536xf32>) -> tensor<64x65536xf32> attributes {raf.kernel}
