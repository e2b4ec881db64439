// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// REQUIRES: ptxas
// RUN: raf-opt %s --raf-map-to-gpu="wgmma=true tf32=true" --canonicalize --cse --raf-gpu-to-ptx=chip=sm_90a | %python %S/Inputs/assemble.py sm_90a | FileCheck %s

// Tiles of 128 x 128, ways of filling shared memory: no local memory, nothing that ptxas has to guard, and registers enough for two blocks of 256 threads on a multiprocessor.
// CHECK-COUNT-6: Used {{[0-9][0-9]|1[01][0-9]|12[0-8]}} registers
// CHECK: 6 functions for sm_90a

func.func @main(%a_nn: memref<1536x1000xbf16>, %b_nn: memref<1000x2048xbf16>, %c_nn: memref<1536x2048xf32>, %a_tt: memref<1000x1536xf16>, %b_tt: memref<2048x1000xf16>, %c_tt: memref<1536x2048xf32>, %a_nt: memref<1536x1000xf32>, %b_nt: memref<2048x1000xf32>, %c_nt: memref<1536x2048xf32>, %a_pairs: memref<999x1534xbf16>, %b_pairs: memref<999x2046xbf16>, %c_pairs: memref<1534x2046xf32>, %a_turned: memref<999x1535xf32>, %b_turned: memref<999x2047xf32>, %c_turned: memref<1535x2047xf32>, %a_odd: memref<999x1535xbf16>, %b_odd: memref<999x2047xbf16>, %c_odd: memref<1535x2047xf32>) {
  raf.launch @nn ins(%a_nn, %b_nn : memref<1536x1000xbf16>, memref<1000x2048xbf16>) outs(%c_nn : memref<1536x2048xf32>)
  raf.launch @tt ins(%a_tt, %b_tt : memref<1000x1536xf16>, memref<2048x1000xf16>) outs(%c_tt : memref<1536x2048xf32>)
  raf.launch @nt ins(%a_nt, %b_nt : memref<1536x1000xf32>, memref<2048x1000xf32>) outs(%c_nt : memref<1536x2048xf32>)
  raf.launch @pairs ins(%a_pairs, %b_pairs : memref<999x1534xbf16>, memref<999x2046xbf16>) outs(%c_pairs : memref<1534x2046xf32>)
  raf.launch @turned ins(%a_turned, %b_turned : memref<999x1535xf32>, memref<999x2047xf32>) outs(%c_turned : memref<1535x2047xf32>)
  raf.launch @odd ins(%a_odd, %b_odd : memref<999x1535xbf16>, memref<999x2047xbf16>) outs(%c_odd : memref<1535x2047xf32>)
  return
}
func.func private @nn(%a: tensor<1536x1000xbf16>, %b: tensor<1000x2048xbf16>, %c: tensor<1536x2048xf32>) -> tensor<1536x2048xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<1536x1000xbf16>, tensor<1000x2048xbf16>) outs(%f : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  return %0 : tensor<1536x2048xf32>
}
func.func private @tt(%a: tensor<1000x1536xf16>, %b: tensor<2048x1000xf16>, %c: tensor<1536x2048xf32>) -> tensor<1536x2048xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<1000x1536xf16>, tensor<2048x1000xf16>) outs(%f : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  return %0 : tensor<1536x2048xf32>
}
func.func private @nt(%a: tensor<1536x1000xf32>, %b: tensor<2048x1000xf32>, %c: tensor<1536x2048xf32>) -> tensor<1536x2048xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<1536x1000xf32>, tensor<2048x1000xf32>) outs(%f : tensor<1536x2048xf32>) -> tensor<1536x2048xf32>
  return %0 : tensor<1536x2048xf32>
}
func.func private @pairs(%a: tensor<999x1534xbf16>, %b: tensor<999x2046xbf16>, %c: tensor<1534x2046xf32>) -> tensor<1534x2046xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1534x2046xf32>) -> tensor<1534x2046xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<999x1534xbf16>, tensor<999x2046xbf16>) outs(%f : tensor<1534x2046xf32>) -> tensor<1534x2046xf32>
  return %0 : tensor<1534x2046xf32>
}
func.func private @turned(%a: tensor<999x1535xf32>, %b: tensor<999x2047xf32>, %c: tensor<1535x2047xf32>) -> tensor<1535x2047xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1535x2047xf32>) -> tensor<1535x2047xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<999x1535xf32>, tensor<999x2047xf32>) outs(%f : tensor<1535x2047xf32>) -> tensor<1535x2047xf32>
  return %0 : tensor<1535x2047xf32>
}
func.func private @odd(%a: tensor<999x1535xbf16>, %b: tensor<999x2047xbf16>, %c: tensor<1535x2047xf32>) -> tensor<1535x2047xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<1535x2047xf32>) -> tensor<1535x2047xf32>
  %0 = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%a, %b : tensor<999x1535xbf16>, tensor<999x2047xbf16>) outs(%f : tensor<1535x2047xf32>) -> tensor<1535x2047xf32>
  return %0 : tensor<1535x2047xf32>
}
