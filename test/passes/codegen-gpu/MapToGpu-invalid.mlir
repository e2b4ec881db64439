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

// -----

// What a product and a transposition read of an earlier stage lies nowhere.
func.func private @product_of_stage(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) attrs = {raf.stage = 0} {
  ^bb0(%v: f32, %o: f32):
    %1 = math.exp %v : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<64x64xf32>) -> tensor<64x64xf32>
  // expected-error @below {{from another stage it must be a result of the kernel}}
  %p = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) attrs = {raf.stage = 1} {
  ^bb0(%l: f32, %r: f32, %s: f32):
    %1 = arith.mulf %l, %r : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %p : tensor<64x64xf32>
}

// -----

func.func private @transposition_of_stage(%x: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<64x64xf32>
  %a = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) attrs = {raf.stage = 0} {
  ^bb0(%v: f32, %o: f32):
    %1 = math.exp %v : f32
    linalg.yield %1 : f32
  } -> tensor<64x64xf32>
  // expected-error @below {{from another stage it must be a result of the kernel}}
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) attrs = {raf.stage = 1} {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %t : tensor<64x64xf32>
}
