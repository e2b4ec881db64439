// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --pass-pipeline='builtin.module(func.func(raf-fuse))' | FileCheck %s

// Each update wants to know whether the loss is finite. The kernel of the small one, which waits for its gradient, does not make that known: the large one can run before it.
#id = affine_map<(d0, d1) -> (d0, d1)>
#one = affine_map<(d0) -> (d0)>
// CHECK-LABEL: @awaited
// CHECK: raf.kernel ins(%{{.*}} : tensor<f32>) outs(%{{.*}} : tensor<i8>)
// CHECK: raf.kernel ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<i8>, tensor<8xf32>, tensor<8xf32>)
// CHECK: raf.kernel ins(%{{.*}}, %{{.*}}, %{{.*}} : tensor<i8>, tensor<512x512xf32>, tensor<512x512xf32>)
// CHECK-NOT: raf.kernel
func.func @awaited(%loss: tensor<f32>, %a: tensor<8xf32>, %da: tensor<8xf32>, %b: tensor<512x512xf32>, %db: tensor<512x512xf32>) -> (tensor<8xf32>, tensor<512x512xf32>) {
  %zero = arith.constant 0 : i8
  %inf = arith.constant 0x7F800000 : f32
  %flag = tensor.empty() : tensor<i8>
  %small = tensor.empty() : tensor<8xf32>
  %large = tensor.empty() : tensor<512x512xf32>
  %finite = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%loss : tensor<f32>) outs(%flag : tensor<i8>) {
  ^bb0(%in: f32, %out: i8):
    %m = math.absf %in : f32
    %c = arith.cmpf olt, %m, %inf : f32
    %r = arith.extui %c : i1 to i8
    linalg.yield %r : i8
  } -> tensor<i8>
  %new_a = linalg.generic {indexing_maps = [affine_map<(d0) -> ()>, #one, #one, #one], iterator_types = ["parallel"]} ins(%finite, %a, %da : tensor<i8>, tensor<8xf32>, tensor<8xf32>) outs(%small : tensor<8xf32>) {
  ^bb0(%c: i8, %p: f32, %d: f32, %out: f32):
    %next = arith.subf %p, %d : f32
    %is = arith.cmpi ne, %c, %zero : i8
    %r = arith.select %is, %next, %p : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %new_b = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> ()>, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%finite, %b, %db : tensor<i8>, tensor<512x512xf32>, tensor<512x512xf32>) outs(%large : tensor<512x512xf32>) {
  ^bb0(%c: i8, %p: f32, %d: f32, %out: f32):
    %next = arith.subf %p, %d : f32
    %is = arith.cmpi ne, %c, %zero : i8
    %r = arith.select %is, %next, %p : f32
    linalg.yield %r : f32
  } -> tensor<512x512xf32>
  return %new_a, %new_b : tensor<8xf32>, tensor<512x512xf32>
}
