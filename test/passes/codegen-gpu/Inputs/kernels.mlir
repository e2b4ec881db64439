// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that tests of PTX compile: elementwise, sums, a transpose, a conversion, a softmax.
#id = affine_map<(d0) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
#cr = affine_map<(d0, d1) -> (d1, d0)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>

func.func @main(%a: memref<64x256xf32>, %b: memref<256xf32>, %m: memref<64x256xi8>, %y: memref<64x256xf32>, %v: memref<1000xf32>, %w: memref<f32>, %o: memref<256x64xf32>, %h: memref<64x256xbf16>, %s: memref<64x16xf32>, %t: memref<64x16xf32>) {
  raf.launch @bias ins(%b, %m : memref<256xf32>, memref<64x256xi8>) outs(%a : memref<64x256xf32>)
  raf.launch @odd ins(%v : memref<1000xf32>) outs(%v : memref<1000xf32>)
  raf.launch @columns ins(%a : memref<64x256xf32>) outs(%b : memref<256xf32>)
  raf.launch @all ins(%a : memref<64x256xf32>) outs(%w : memref<f32>)
  raf.launch @transpose ins(%a : memref<64x256xf32>) outs(%o : memref<256x64xf32>)
  raf.launch @half ins(%a : memref<64x256xf32>) outs(%h : memref<64x256xbf16>)
  raf.launch @softmax ins(%s : memref<64x16xf32>) outs(%t : memref<64x16xf32>)
  return
}

func.func private @bias(%b: tensor<256xf32>, %m: tensor<64x256xi8>, %x: tensor<64x256xf32>) -> tensor<64x256xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#rc, #c, #rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%x, %b, %m : tensor<64x256xf32>, tensor<256xf32>, tensor<64x256xi8>) outs(%x : tensor<64x256xf32>) {
  ^bb0(%p: f32, %q: f32, %k: i8, %o: f32):
    %1 = arith.addf %p, %q : f32
    %2 = arith.trunci %k : i8 to i1
    %3 = arith.select %2, %1, %p : f32
    linalg.yield %3 : f32
  } -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}

func.func private @odd(%x: tensor<1000xf32>, %y: tensor<1000xf32>) -> tensor<1000xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]} ins(%x : tensor<1000xf32>) outs(%y : tensor<1000xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = math.tanh %p : f32
    linalg.yield %1 : f32
  } -> tensor<1000xf32>
  return %0 : tensor<1000xf32>
}

func.func private @columns(%x: tensor<64x256xf32>, %y: tensor<256xf32>) -> tensor<256xf32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<256xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<256xf32>) -> tensor<256xf32>
  %0 = linalg.generic {indexing_maps = [#rc, #c], iterator_types = ["reduction", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<256xf32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.addf %o, %p : f32
    linalg.yield %1 : f32
  } -> tensor<256xf32>
  return %0 : tensor<256xf32>
}

func.func private @all(%x: tensor<64x256xf32>, %y: tensor<f32>) -> tensor<f32> attributes {raf.kernel} {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<f32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<f32>) -> tensor<f32>
  %0 = linalg.generic {indexing_maps = [#rc, #none], iterator_types = ["reduction", "reduction"]} ins(%x : tensor<64x256xf32>) outs(%f : tensor<f32>) {
  ^bb0(%p: f32, %o: f32):
    %1 = arith.addf %o, %p : f32
    linalg.yield %1 : f32
  } -> tensor<f32>
  return %0 : tensor<f32>
}

func.func private @transpose(%x: tensor<64x256xf32>, %y: tensor<256x64xf32>) -> tensor<256x64xf32> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#cr, #rc], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%y : tensor<256x64xf32>) {
  ^bb0(%p: f32, %o: f32):
    linalg.yield %p : f32
  } -> tensor<256x64xf32>
  return %0 : tensor<256x64xf32>
}

func.func private @half(%x: tensor<64x256xf32>, %y: tensor<64x256xbf16>) -> tensor<64x256xbf16> attributes {raf.kernel} {
  %0 = linalg.generic {indexing_maps = [#rc, #rc], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x256xf32>) outs(%y : tensor<64x256xbf16>) {
  ^bb0(%p: f32, %o: bf16):
    %1 = arith.truncf %p : f32 to bf16
    linalg.yield %1 : bf16
  } -> tensor<64x256xbf16>
  return %0 : tensor<64x256xbf16>
}

func.func private @softmax(%x: tensor<64x16xf32>, %y: tensor<64x16xf32>) -> tensor<64x16xf32> attributes {raf.kernel} {
  %cst = arith.constant 0xFF800000 : f32
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<64x16xf32>
  %f = linalg.fill ins(%cst : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<64x16xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<64xf32>
  %g = linalg.fill ins(%z : f32) outs(%e : tensor<64xf32>) -> tensor<64xf32>
  %ex:2 = linalg.generic {indexing_maps = [#rc, #r, #rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<64x16xf32>, tensor<64xf32>) outs(%e2, %g : tensor<64x16xf32>, tensor<64xf32>) {
  ^bb0(%a: f32, %mm: f32, %o: f32, %oo: f32):
    %1 = arith.subf %a, %mm : f32
    %2 = math.exp %1 : f32
    %3 = arith.addf %2, %oo : f32
    linalg.yield %2, %3 : f32, f32
  } -> (tensor<64x16xf32>, tensor<64xf32>)
  %d = linalg.generic {indexing_maps = [#rc, #r, #rc], iterator_types = ["parallel", "parallel"]} ins(%ex#0, %ex#1 : tensor<64x16xf32>, tensor<64xf32>) outs(%y : tensor<64x16xf32>) {
  ^bb0(%a: f32, %mm: f32, %o: f32):
    %1 = arith.divf %a, %mm : f32
    linalg.yield %1 : f32
  } -> tensor<64x16xf32>
  return %d : tensor<64x16xf32>
}
