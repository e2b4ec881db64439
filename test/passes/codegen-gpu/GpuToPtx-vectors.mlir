// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu --canonicalize --cse --raf-gpu-to-ptx=chip=sm_90 | sed "s/.0A/\n/g" | FileCheck %s

// Kernels that move memory touch it by 16 bytes, and by nothing less where the sizes allow: f32, f64 and 16-bit floats, several tensors in one launch, both sides of a transposition, rows
// and columns that are summed.
// CHECK-LABEL: .entry updates(
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK-NOT: st.global.{{b|f|u}}
// CHECK: ld.global.v2.b64
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK: st.global.v2.b64
// CHECK-LABEL: .entry tiles(
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK: ld.global.v4.b32
// CHECK: bar.sync
// CHECK-NOT: st.global.{{b|f|u}}
// CHECK: st.global.v4.b32
// CHECK-LABEL: .entry columns(
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK: ld.global.v4.b32
// CHECK-NOT: st.global.{{b|f|u}}
// CHECK: st.global.v4.b32
// CHECK-LABEL: .entry rows(
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK: ld.global.v4.b32
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK-LABEL: .entry half(
// CHECK-NOT: ld.global.{{b|f|u}}
// CHECK: ld.global.v4.b32
// CHECK-NOT: st.global.{{b|f|u}}
// CHECK: st.global.v4.b32
#id = affine_map<(d0) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%a: memref<4096xf64>, %b: memref<4096xf64>, %c: memref<1024xf64>, %d: memref<1024xf64>, %x: memref<64x256xf32>, %t: memref<256x64xf32>, %w: memref<64x16384xf32>, %s: memref<16384xf32>,
                %h: memref<2048xbf16>, %g: memref<2048xbf16>, %r: memref<64xf32>) {
  raf.launch @updates ins(%a, %c : memref<4096xf64>, memref<1024xf64>) outs(%b, %d : memref<4096xf64>, memref<1024xf64>)
  raf.launch @tiles ins(%x : memref<64x256xf32>) outs(%t : memref<256x64xf32>)
  raf.launch @columns ins(%w : memref<64x16384xf32>) outs(%s : memref<16384xf32>)
  raf.launch @rows ins(%x : memref<64x256xf32>) outs(%r : memref<64xf32>)
  raf.launch @half ins(%h : memref<2048xbf16>) outs(%g : memref<2048xbf16>)
  return
}
func.func private @updates(%a: memref<4096xf64>, %c: memref<1024xf64>, %b: memref<4096xf64>, %d: memref<1024xf64>) attributes {raf.kernel} {
  raf.launch @large ins(%a : memref<4096xf64>) outs(%b : memref<4096xf64>)
  raf.launch @small ins(%c : memref<1024xf64>) outs(%d : memref<1024xf64>)
  return
}
func.func private @large(%x: tensor<4096xf64>, %y: tensor<4096xf64>) -> tensor<4096xf64> attributes {raf.kernel} {
  %0 = linalg.abs ins(%x : tensor<4096xf64>) outs(%y : tensor<4096xf64>) -> tensor<4096xf64>
  return %0 : tensor<4096xf64>
}
func.func private @small(%x: tensor<1024xf64>, %y: tensor<1024xf64>) -> tensor<1024xf64> attributes {raf.kernel} {
  %0 = linalg.negf ins(%x : tensor<1024xf64>) outs(%y : tensor<1024xf64>) -> tensor<1024xf64>
  return %0 : tensor<1024xf64>
}
func.func private @tiles(%x: tensor<64x256xf32>, %y: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #rc], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%y : tensor<256x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}
func.func private @columns(%x: tensor<64x16384xf32>, %y: tensor<16384xf32>) -> tensor<16384xf32> attributes {raf.kernel} {
  %s = linalg.generic {indexing_maps = [#rc, affine_map<(d0, d1) -> (d1)>], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x16384xf32>) outs(%y : tensor<16384xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<16384xf32>
  return %s : tensor<16384xf32>
}
func.func private @rows(%x: tensor<64x256xf32>, %y: tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#rc, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %0 = arith.addf %o, %a : f32
    linalg.yield %0 : f32
  } -> tensor<64xf32>
  return %s : tensor<64xf32>
}
func.func private @half(%x: tensor<2048xbf16>, %y: tensor<2048xbf16>) -> tensor<2048xbf16> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<2048xbf16>) outs(%y : tensor<2048xbf16>) {
  ^bb0(%p: bf16, %o: bf16):
    %1 = arith.extf %p : bf16 to f32
    %2 = arith.mulf %1, %1 : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<2048xbf16>
  return %0 : tensor<2048xbf16>
}
