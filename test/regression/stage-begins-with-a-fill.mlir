// RUN: raf-opt %s --raf-tile-kernels | FileCheck %s

// The fill that begins the second stage stays in it when named ops become generic.
// CHECK: raf.parallel_for @mean_tiles tiles
// CHECK: raf.parallel_for @mean_tiles1 tiles
#id = affine_map<(d0) -> (d0)>
#all = affine_map<(d0) -> ()>
func.func private @mean(%x: tensor<256xf32>, %y: tensor<256xf32>, %z: tensor<f32>) -> (tensor<256xf32>, tensor<f32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %e = linalg.exp {raf.stage = 0 : i64} ins(%x : tensor<256xf32>) outs(%y : tensor<256xf32>) -> tensor<256xf32>
  %f = linalg.fill {raf.stage = 1 : i64} ins(%zero : f32) outs(%z : tensor<f32>) -> tensor<f32>
  %s = linalg.generic {indexing_maps = [#id, #all], iterator_types = ["reduction"]} ins(%e : tensor<256xf32>) outs(%f : tensor<f32>) attrs = {raf.stage = 1 : i64} {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<f32>
  return %e, %s : tensor<256xf32>, tensor<f32>
}
