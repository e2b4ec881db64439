// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-tile-kernels --split-input-file --verify-diagnostics

#all = affine_map<(d0) -> (d0)>
#one = affine_map<(d0) -> ()>

// Nothing of a total is parallel: what it is made of lies whole in the one tile.
// expected-error @+1 {{keeps 8000000 bytes of a tile on the stack, which may take 5242880}}
func.func private @keeps_too_much(%x: tensor<2000000xf32>, %o: tensor<f32>) -> tensor<f32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<2000000xf32>
  %0 = linalg.exp ins(%x : tensor<2000000xf32>) outs(%e : tensor<2000000xf32>) -> tensor<2000000xf32>
  %1 = linalg.generic {indexing_maps = [#all, #one], iterator_types = ["reduction"]} ins(%0 : tensor<2000000xf32>) outs(%o : tensor<f32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<f32>
  return %1 : tensor<f32>
}

// -----

func.func private @reads_nothing(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error @+1 {{operand #1 must be an argument of the kernel or computed by a linalg op of it; from another stage it must be a result of the kernel}}
  %0 = linalg.add ins(%x, %e : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @reads_a_constant_tensor(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %c = arith.constant dense<[1.0, 2.0, 3.0, 4.0]> : tensor<4xf32>
  // expected-error @+1 {{operand #1 must be an argument of the kernel}}
  %0 = linalg.add ins(%x, %c : tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

func.func private @reads_the_temporary_of_another_stage(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %e = tensor.empty() : tensor<4xf32>
  %0 = linalg.exp {raf.stage = 0 : i64} ins(%x : tensor<4xf32>) outs(%e : tensor<4xf32>) -> tensor<4xf32>
  // expected-error @+1 {{operand #0 must be an argument of the kernel}}
  %1 = linalg.exp {raf.stage = 1 : i64} ins(%0 : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
