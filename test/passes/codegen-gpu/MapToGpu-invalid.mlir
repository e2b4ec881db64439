// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu -split-input-file -verify-diagnostics

// expected-error @below {{'func.func' op is a kernel and must have a destination for each of its 2 results, got 1 arguments}}
func.func private @few(%x: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  return %x, %x : tensor<4xf32>, tensor<4xf32>
}

// -----

func.func private @outside(memref<4xf32>) attributes {raf.kernel}
func.func @main(%x: memref<4xf32>) {
  // expected-error @below {{'raf.launch' op must launch a kernel on tensors with a body, got @outside}}
  raf.launch @outside outs(%x : memref<4xf32>)
  return
}
func.func private @other(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  return %y : tensor<4xf32>
}

// -----

// Sums of rows that do not fit into shared memory, and that no thread can compute again.
#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#sum = affine_map<(d0, d1, d2) -> (d0, d1)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
#cr = affine_map<(d0, d1) -> (d0, 99999 - d1)>
// expected-error @below {{'func.func' op is a kernel and must not keep more for a block than its shared memory holds, expected at most 49152 bytes, got 400000}}
func.func private @large(%x: tensor<2x100000x3xf32>, %y: tensor<2x100000xf32>) -> tensor<2x100000xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x100000xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x100000xf32>) -> tensor<2x100000xf32>
  %s = linalg.generic {indexing_maps = [#map, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x : tensor<2x100000x3xf32>) outs(%f : tensor<2x100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %a, %o : f32
    linalg.yield %0 : f32
  } -> tensor<2x100000xf32>
  %r = linalg.generic {indexing_maps = [#cr, #rc], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<2x100000xf32>) outs(%y : tensor<2x100000xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<2x100000xf32>
  return %r : tensor<2x100000xf32>
}
