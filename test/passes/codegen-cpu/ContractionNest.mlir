// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --split-input-file --raf-tile-kernels="vector-bits=256 l1-bytes=32768 l2-bytes=524288 threads=1" --canonicalize --cse | FileCheck %s
// RUN: raf-opt %s --split-input-file --raf-tile-kernels=vector-bits=512 --canonicalize --cse --raf-lower-kernels | FileCheck %s --check-prefix=LLVM
// LLVM-NOT: unrealized_conversion_cast

// Whole blocks: rows of b are copied as they are, a row by row, and nothing is masked.
// CHECK-LABEL: func.func private @even_tiles
// CHECK: %[[B:.*]] = vector.load %arg3
// CHECK: vector.store %[[B]], %[[PB:.*]][
// CHECK: %[[A:.*]] = memref.load %arg2
// CHECK: memref.store %[[A]], %[[PA:.*]][
// The fill is where the sums start.
// CHECK: scf.for {{.*}} iter_args(%{{.*}} = %cst
// CHECK-NOT: maskedstore
// CHECK: return
func.func private @even(%a: tensor<12x32xf32>, %b: tensor<32x48xf32>, %y: tensor<12x48xf32>) -> tensor<12x48xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %start = linalg.fill ins(%zero : f32) outs(%y : tensor<12x48xf32>) -> tensor<12x48xf32>
  %0 = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x48xf32>) outs(%start : tensor<12x48xf32>) -> tensor<12x48xf32>
  return %0 : tensor<12x48xf32>
}

// -----

// Odd sizes: blocks at the edge are stored under a mask, rows past the end not at all. What y held is read, under the same mask.
// CHECK-LABEL: func.func private @odd_tiles
// CHECK: vector.maskedload %arg3
// CHECK: scf.if
// CHECK: vector.load %arg4
// CHECK: else
// CHECK: vector.maskedload %arg4
// CHECK: vector.fma
// CHECK: vector.store {{.*}}, %arg4
// CHECK: else
// CHECK: scf.if
// CHECK: vector.maskedstore %arg4
func.func private @odd(%a: tensor<13x31xf32>, %b: tensor<31x47xf32>, %y: tensor<13x47xf32>) -> tensor<13x47xf32> attributes {raf.kernel} {
  %0 = linalg.matmul ins(%a, %b : tensor<13x31xf32>, tensor<31x47xf32>) outs(%y : tensor<13x47xf32>) -> tensor<13x47xf32>
  return %0 : tensor<13x47xf32>
}

// -----

// Blocks of 6 x 16; the last columns are one vector, and are summed as one.
// CHECK-LABEL: func.func private @narrower_tiles
// CHECK-COUNT-12: vector.fma
// CHECK-NOT: mask
// CHECK: iter_args
// CHECK-COUNT-6: vector.fma
// CHECK-NOT: vector.fma
// CHECK-NOT: mask
// CHECK: return
func.func private @narrower(%a: tensor<12x32xf32>, %b: tensor<32x40xf32>, %y: tensor<12x40xf32>) -> tensor<12x40xf32> attributes {raf.kernel} {
  %0 = linalg.matmul ins(%a, %b : tensor<12x32xf32>, tensor<32x40xf32>) outs(%y : tensor<12x40xf32>) -> tensor<12x40xf32>
  return %0 : tensor<12x40xf32>
}

// -----

// b transposed: squares of 8 x 8 are transposed in registers, three exchanges of each pair of rows. 16-bit numbers are widened as they are packed.
#a = affine_map<(m, n, k) -> (m, k)>
#bt = affine_map<(m, n, k) -> (n, k)>
#y = affine_map<(m, n, k) -> (m, n)>
// CHECK-LABEL: func.func private @transposed_tiles
// CHECK: arith.extf {{.*}} : vector<8xbf16> to vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK: arith.extf {{.*}} : bf16 to f32
// CHECK: vector.fma
func.func private @transposed(%a: tensor<16x32xbf16>, %b: tensor<32x32xbf16>, %y: tensor<16x32xf32>) -> tensor<16x32xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#a, #bt, #y], iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<16x32xbf16>, tensor<32x32xbf16>) outs(%y : tensor<16x32xf32>) {
  ^bb0(%p: bf16, %q: bf16, %r: f32):
    %u = arith.extf %p : bf16 to f32
    %v = arith.extf %q : bf16 to f32
    %s = arith.mulf %u, %v : f32
    %t = arith.addf %r, %s : f32
    linalg.yield %t : f32
  } -> tensor<16x32xf32>
  return %0 : tensor<16x32xf32>
}
