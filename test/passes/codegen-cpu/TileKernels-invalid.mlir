// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --split-input-file --verify-diagnostics
// RUN: not raf-opt %s --raf-tile-kernels=vector-bits=16 2>&1 | FileCheck %s --check-prefix=BITS
// RUN: not raf-opt %s --raf-tile-kernels=bf16-dot=fast 2>&1 | FileCheck %s --check-prefix=DOT

// RUN: not raf-opt %s --raf-tile-kernels=blocks=broad 2>&1 | FileCheck %s --check-prefix=BLOCKS

// BLOCKS: raf-tile-kernels: blocks must be one of narrow, wide, deep, got 'broad'
// BITS: raf-tile-kernels: vector-bits must be 0, 128, 256 or 512, got 16
// DOT: raf-tile-kernels: bf16-dot must be auto, native, emulated or none, got fast

// expected-error @+1 {{is a kernel and must have a destination for each of its 2 results, got 1 arguments}}
func.func private @no_destination(%o: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) attributes {raf.kernel} {
  return %o, %o : tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @+1 {{is a kernel and result 0 must have the type of its destination, expected 'tensor<5xf32>', got 'tensor<4xf32>'}}
func.func private @other_type(%x: tensor<4xf32>, %o: tensor<5xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @dynamic(%x: tensor<?xf32>, %o: tensor<?xf32>) -> tensor<?xf32> attributes {raf.kernel} {
  // expected-error @+1 {{is in a kernel and must have static shapes, got 'tensor<?xf32>'}}
  %0 = linalg.exp ins(%x : tensor<?xf32>) outs(%o : tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func private @on_buffers(%x: memref<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  // expected-error @+1 {{is in a kernel on tensors and must work on tensors}}
  linalg.exp ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return %o : tensor<4xf32>
}

// -----

// expected-error @+1 {{is a kernel and must have one block, got 3}}
func.func private @blocks(%c: i1, %x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  cf.cond_br %c, ^a, ^b
^a:
  return %x : tensor<4xf32>
^b:
  return %o : tensor<4xf32>
}

// -----

func.func private @unknown_blocks(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>, %y: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  // expected-error @+1 {{'linalg.generic' op raf.blocks: blocks must be one of narrow, wide, deep, got ''}}
  %0 = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%y : tensor<64x64xf32>) attrs = {raf.blocks = 4 : i64} {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %1 = arith.mulf %p, %q : f32
    %2 = arith.addf %s, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
