// RUN: raf-opt %s --raf-tile-kernels | FileCheck %s

// A generic without tensor inputs is a fill only if it computes nothing: this one reads at computed positions, has two readers and is returned.
// CHECK-LABEL: func.func private @padded(
#id = affine_map<(d0, d1) -> (d0, d1)>
func.func private @padded(%x: tensor<32x1xf32>, %y: tensor<32x16xf32>, %z: tensor<32x16xf32>) -> (tensor<32x16xf32>, tensor<32x16xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1 : index
  %e = tensor.empty() : tensor<32x16xf32>
  %p = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%y : tensor<32x16xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %inside = arith.cmpi ult, %j, %one : index
    %v = scf.if %inside -> f32 {
      %t = tensor.extract %x[%i, %j] : tensor<32x1xf32>
      scf.yield %t : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %v : f32
  } -> tensor<32x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<32x16xf32>) outs(%e : tensor<32x16xf32>) {
  ^bb0(%a: f32, %o: f32):
    %r = arith.mulf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<32x16xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %q : tensor<32x16xf32>, tensor<32x16xf32>) outs(%z : tensor<32x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<32x16xf32>
  return %p, %s : tensor<32x16xf32>, tensor<32x16xf32>
}
