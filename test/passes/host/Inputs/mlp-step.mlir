// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A training step of two layers, mean squared error and SGD, as raf-outline-kernels leaves it. w2 is updated before its last use, on purpose.

#id2 = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
#sc = affine_map<(i, j) -> ()>
#a = affine_map<(m, n, k) -> (m, k)>
#b = affine_map<(m, n, k) -> (k, n)>
#at = affine_map<(m, n, k) -> (k, m)>
#bt = affine_map<(m, n, k) -> (n, k)>
#c = affine_map<(m, n, k) -> (m, n)>


func.func private @matmul_xw1(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x3xf32>, tensor<3x5xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func private @matmul_hw2(%a: tensor<4x5xf32>, %b: tensor<5x2xf32>, %c: tensor<4x2xf32>) -> tensor<4x2xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<4x2xf32>) -> tensor<4x2xf32>
  %r = linalg.generic {indexing_maps = [#a, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x5xf32>, tensor<5x2xf32>) outs(%f : tensor<4x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x2xf32>
  return %r : tensor<4x2xf32>
}

func.func private @matmul_htd(%a: tensor<4x5xf32>, %b: tensor<4x2xf32>, %c: tensor<5x2xf32>) -> tensor<5x2xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<5x2xf32>) -> tensor<5x2xf32>
  %r = linalg.generic {indexing_maps = [#at, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x5xf32>, tensor<4x2xf32>) outs(%f : tensor<5x2xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

func.func private @matmul_dw2t(%a: tensor<4x2xf32>, %b: tensor<5x2xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#a, #bt, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x2xf32>, tensor<5x2xf32>) outs(%f : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

func.func private @matmul_xtd(%a: tensor<4x3xf32>, %b: tensor<4x5xf32>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.generic {indexing_maps = [#at, #b, #c], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x3xf32>, tensor<4x5xf32>) outs(%f : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %p = arith.mulf %x, %y : f32
    %s = arith.addf %z, %p : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func private @bias_relu(%a: tensor<4x5xf32>, %b: tensor<5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#id2, #row, #id2], iterator_types = ["parallel", "parallel"]} ins(%a, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func private @loss(%y: tensor<4x2xf32>, %t: tensor<4x2xf32>, %l: tensor<f32>, %d: tensor<4x2xf32>) -> (tensor<f32>, tensor<4x2xf32>) attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %n = arith.constant 0.125 : f32
  %n2 = arith.constant 0.25 : f32
  %f = linalg.fill ins(%zero : f32) outs(%l : tensor<f32>) -> tensor<f32>
  %r = linalg.generic {indexing_maps = [#id2, #id2, #sc], iterator_types = ["reduction", "reduction"]} ins(%y, %t : tensor<4x2xf32>, tensor<4x2xf32>) outs(%f : tensor<f32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %e = arith.subf %a, %b : f32
    %e2 = arith.mulf %e, %e : f32
    %e3 = arith.mulf %e2, %n : f32
    %s = arith.addf %acc, %e3 : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  %g = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%y, %t : tensor<4x2xf32>, tensor<4x2xf32>) outs(%d : tensor<4x2xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %e = arith.subf %a, %b : f32
    %e2 = arith.mulf %e, %n2 : f32
    linalg.yield %e2 : f32
  } -> tensor<4x2xf32>
  return %r, %g : tensor<f32>, tensor<4x2xf32>
}
func.func private @relu_grad(%g: tensor<4x5xf32>, %h: tensor<4x5xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %r = linalg.generic {indexing_maps = [#id2, #id2, #id2], iterator_types = ["parallel", "parallel"]} ins(%g, %h : tensor<4x5xf32>, tensor<4x5xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%x: f32, %y: f32, %z: f32):
    %c = arith.cmpf ogt, %y, %zero : f32
    %s = arith.select %c, %x, %zero : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
func.func private @sum_rows(%g: tensor<4x5xf32>, %o: tensor<5xf32>) -> tensor<5xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%o : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#id2, #row], iterator_types = ["reduction", "parallel"]} ins(%g : tensor<4x5xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%x: f32, %z: f32):
    %s = arith.addf %x, %z : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func private @sgd_w1(%w: tensor<3x5xf32>, %g: tensor<3x5xf32>, %lr: tensor<f32>, %o: tensor<3x5xf32>) -> tensor<3x5xf32> attributes {raf.kernel} {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w, %g, %lr : tensor<3x5xf32>, tensor<3x5xf32>, tensor<f32>) outs(%o : tensor<3x5xf32>) {
  ^bb0(%x: f32, %y: f32, %l: f32, %z: f32):
    %d = arith.mulf %y, %l : f32
    %s = arith.subf %x, %d : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func private @sgd_b1(%w: tensor<5xf32>, %g: tensor<5xf32>, %lr: tensor<f32>, %o: tensor<5xf32>) -> tensor<5xf32> attributes {raf.kernel} {
  %r = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%w, %g, %lr : tensor<5xf32>, tensor<5xf32>, tensor<f32>) outs(%o : tensor<5xf32>) {
  ^bb0(%x: f32, %y: f32, %l: f32, %z: f32):
    %d = arith.mulf %y, %l : f32
    %s = arith.subf %x, %d : f32
    linalg.yield %s : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

func.func private @sgd_w2(%w: tensor<5x2xf32>, %g: tensor<5x2xf32>, %lr: tensor<f32>, %o: tensor<5x2xf32>) -> tensor<5x2xf32> attributes {raf.kernel} {
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> ()>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%w, %g, %lr : tensor<5x2xf32>, tensor<5x2xf32>, tensor<f32>) outs(%o : tensor<5x2xf32>) {
  ^bb0(%x: f32, %y: f32, %l: f32, %z: f32):
    %d = arith.mulf %y, %l : f32
    %s = arith.subf %x, %d : f32
    linalg.yield %s : f32
  } -> tensor<5x2xf32>
  return %r : tensor<5x2xf32>
}

func.func @main(%x: tensor<4x3xf32> {raf.role = "input", raf.name = "x"}, %w1: tensor<3x5xf32> {raf.role = "param", raf.name = "w1"},
    %b1: tensor<5xf32> {raf.role = "param", raf.name = "b1"}, %w2: tensor<5x2xf32> {raf.role = "param", raf.name = "w2"},
    %t: tensor<4x2xf32> {raf.role = "target", raf.name = "target"}, %lr: tensor<f32> {raf.role = "lr", raf.name = "lr"})
    -> (tensor<f32> {raf.name = "loss"}, tensor<3x5xf32> {raf.name = "new:w1", raf.alias = 1 : i64}, tensor<5xf32> {raf.name = "new:b1", raf.alias = 2 : i64},
        tensor<5x2xf32> {raf.name = "new:w2", raf.alias = 3 : i64}) {
  %ebh = tensor.empty() : tensor<4x5xf32>
  %ebo = tensor.empty() : tensor<4x2xf32>
  %ew1 = tensor.empty() : tensor<3x5xf32>
  %ew2 = tensor.empty() : tensor<5x2xf32>
  %eb1 = tensor.empty() : tensor<5xf32>
  %e0 = tensor.empty() : tensor<f32>
  %z = raf.launch @matmul_xw1 ins(%x, %w1 : tensor<4x3xf32>, tensor<3x5xf32>) outs(%ebh : tensor<4x5xf32>) -> tensor<4x5xf32>
  %h = raf.launch @bias_relu ins(%z, %b1 : tensor<4x5xf32>, tensor<5xf32>) outs(%ebh : tensor<4x5xf32>) may_alias = [0, 0] -> tensor<4x5xf32>
  %y = raf.launch @matmul_hw2 ins(%h, %w2 : tensor<4x5xf32>, tensor<5x2xf32>) outs(%ebo : tensor<4x2xf32>) -> tensor<4x2xf32>
  %loss, %dy = raf.launch @loss ins(%y, %t : tensor<4x2xf32>, tensor<4x2xf32>) outs(%e0, %ebo : tensor<f32>, tensor<4x2xf32>) may_alias = [0, 1] -> tensor<f32>, tensor<4x2xf32>
  %gw2 = raf.launch @matmul_htd ins(%h, %dy : tensor<4x5xf32>, tensor<4x2xf32>) outs(%ew2 : tensor<5x2xf32>) -> tensor<5x2xf32>
  %nw2 = raf.launch @sgd_w2 ins(%w2, %gw2, %lr : tensor<5x2xf32>, tensor<5x2xf32>, tensor<f32>) outs(%ew2 : tensor<5x2xf32>) may_alias = [0, 0, 1, 0] -> tensor<5x2xf32>
  %dh = raf.launch @matmul_dw2t ins(%dy, %w2 : tensor<4x2xf32>, tensor<5x2xf32>) outs(%ebh : tensor<4x5xf32>) -> tensor<4x5xf32>
  %dz = raf.launch @relu_grad ins(%dh, %h : tensor<4x5xf32>, tensor<4x5xf32>) outs(%ebh : tensor<4x5xf32>) may_alias = [0, 0, 1, 0] -> tensor<4x5xf32>
  %gb1 = raf.launch @sum_rows ins(%dz : tensor<4x5xf32>) outs(%eb1 : tensor<5xf32>) -> tensor<5xf32>
  %gw1 = raf.launch @matmul_xtd ins(%x, %dz : tensor<4x3xf32>, tensor<4x5xf32>) outs(%ew1 : tensor<3x5xf32>) -> tensor<3x5xf32>
  %nb1 = raf.launch @sgd_b1 ins(%b1, %gb1, %lr : tensor<5xf32>, tensor<5xf32>, tensor<f32>) outs(%eb1 : tensor<5xf32>) may_alias = [0, 0, 1, 0] -> tensor<5xf32>
  %nw1 = raf.launch @sgd_w1 ins(%w1, %gw1, %lr : tensor<3x5xf32>, tensor<3x5xf32>, tensor<f32>) outs(%ew1 : tensor<3x5xf32>) may_alias = [0, 0, 1, 0] -> tensor<3x5xf32>
  return %loss, %nw1, %nb1, %nw2 : tensor<f32>, tensor<3x5xf32>, tensor<5xf32>, tensor<5x2xf32>
}
