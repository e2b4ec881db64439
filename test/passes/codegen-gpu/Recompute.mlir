// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse | FileCheck %s

// A row of 50000 elements does not fit into shared memory: its exponentials are computed again, also where the result overwrites what they are computed from.
// CHECK-LABEL: gpu.func @softmax(
// CHECK-NOT: memref<50000xf32, #gpu.address_space<workgroup>>
// CHECK: arith.maximumf
// CHECK: math.exp
// CHECK: gpu.barrier
// CHECK: math.exp
// CHECK: arith.divf
// CHECK: vector.store
func.func @main(%x: memref<8x50000xf32>) {
  raf.launch @softmax outs(%x : memref<8x50000xf32>)
  return
}
#rc = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func private @softmax(%x: tensor<8x50000xf32>) -> tensor<8x50000xf32> attributes {raf.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<8xf32>
  %rows = tensor.empty() : tensor<8x50000xf32>
  %f = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x50000xf32>) outs(%f : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %e = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x50000xf32>, tensor<8xf32>) outs(%rows : tensor<8x50000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.subf %a, %b : f32
    %2 = math.exp %1 : f32
    linalg.yield %2 : f32
  } -> tensor<8x50000xf32>
  %g = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]} ins(%e : tensor<8x50000xf32>) outs(%g : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.addf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]} ins(%e, %s : tensor<8x50000xf32>, tensor<8xf32>) outs(%rows : tensor<8x50000xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %1 = arith.divf %a, %b : f32
    linalg.yield %1 : f32
  } -> tensor<8x50000xf32>
  return %d : tensor<8x50000xf32>
}
