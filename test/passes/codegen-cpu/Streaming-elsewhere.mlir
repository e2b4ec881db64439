// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// UNSUPPORTED: x86
// RUN: raf-opt %s --raf-tile-kernels='vector-bits=128 stream-bytes=1024' | FileCheck %s

// The fence after such results is an instruction of x86.
// CHECK-LABEL: func.func private @streamed_tiles(
// CHECK-NOT:     nontemporal
// CHECK-NOT:     sfence
func.func private @streamed(%x: tensor<9x700xf32>, %y: tensor<9x700xf32>) -> tensor<9x700xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<9x700xf32>) outs(%y : tensor<9x700xf32>) {
  ^bb0(%a: f32, %b: f32):
    %e = math.exp %a : f32
    linalg.yield %e : f32
  } -> tensor<9x700xf32>
  return %0 : tensor<9x700xf32>
}
