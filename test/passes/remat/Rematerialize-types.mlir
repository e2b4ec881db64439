// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize="slack=4 launch-ns=0 flops-per-ns=1 bytes-per-ns=1000000" --split-input-file | FileCheck %s
// RUN: raf-opt %s --raf-rematerialize="slack=4 launch-ns=0 flops-per-ns=1000000 bytes-per-ns=1" --split-input-file | FileCheck %s --check-prefix=BYTES
// RUN: raf-opt %s --raf-rematerialize="slack=4 launch-ns=7 flops-per-ns=1000000 bytes-per-ns=1000000" --split-input-file | FileCheck %s --check-prefix=LAUNCH

// Modelled times: arithmetic on f32, 2 * 64^3.
// CHECK: step_ns = 524288 : i64
// BYTES: step_ns = 49152 : i64
// LAUNCH: step_ns = 7 : i64
func.func @main(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %y = dnnl.matmul ins(%a, %b : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// bf16: half the arithmetic, and half the bytes.
// CHECK: step_ns = 262144 : i64
// BYTES: step_ns = 24576 : i64
// LAUNCH: step_ns = 7 : i64
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %e = tensor.empty() : tensor<64x64xbf16>
  %y = dnnl.matmul ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %y : tensor<64x64xbf16>
}

// -----

// A generated product of bf16, summed in f32: as the library's.
// CHECK: step_ns = 262144 : i64
// BYTES: step_ns = 32768 : i64
// LAUNCH: step_ns = 7 : i64
func.func private @product(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>, %d: tensor<64x64xf32>) -> tensor<64x64xf32> attributes {raf.kernel} {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%d : tensor<64x64xf32>) {
  ^bb0(%u: bf16, %v: bf16, %s: f32):
    %p = arith.extf %u : bf16 to f32
    %q = arith.extf %v : bf16 to f32
    %m = arith.mulf %p, %q : f32
    %t = arith.addf %s, %m : f32
    linalg.yield %t : f32
  } -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func @main(%a: tensor<64x64xbf16>, %b: tensor<64x64xbf16>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  %y = raf.launch @product ins(%a, %b : tensor<64x64xbf16>, tensor<64x64xbf16>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}

// -----

// What is computed element by element is computed in f32: a function counts for 16 multiplications, a division for 8, conversions for none.
// CHECK: step_ns = 102400 : i64
// BYTES: step_ns = 16384 : i64
// LAUNCH: step_ns = 7 : i64
func.func private @pointwise(%a: tensor<64x64xbf16>, %d: tensor<64x64xbf16>) -> tensor<64x64xbf16> attributes {raf.kernel} {
  %y = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]} ins(%a : tensor<64x64xbf16>) outs(%d : tensor<64x64xbf16>) {
  ^bb0(%u: bf16, %s: bf16):
    %p = arith.extf %u : bf16 to f32
    %m = math.exp %p : f32
    %n = arith.addf %m, %p : f32
    %q = arith.divf %m, %n : f32
    %t = arith.truncf %q : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<64x64xbf16>
  return %y : tensor<64x64xbf16>
}
func.func @main(%a: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %e = tensor.empty() : tensor<64x64xbf16>
  %y = raf.launch @pointwise ins(%a : tensor<64x64xbf16>) outs(%e : tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %y : tensor<64x64xbf16>
}
