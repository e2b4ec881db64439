// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-map-to-gpu -split-input-file -verify-diagnostics

// expected-error @below {{'func.func' op is a program on tiles and must have one loop over at most 2^31 - 1 blocks}}
func.func private @plane(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i, %j) in (4, 4) shared_outs(%out = %y) -> (tensor<4x4xf32>) {
    %a = tensor.extract_slice %x[%i, %j] [1, 1] [1, 1] : tensor<4x4xf32> to tensor<1x1xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %a into %out[%i, %j] [1, 1] [1, 1] : tensor<1x1xf32> into tensor<4x4xf32>
    }
  }
  return %0 : tensor<4x4xf32>
}

// -----

func.func private @columns(%x: tensor<4x4xf32>, %y: tensor<4x4xf32>) -> tensor<4x4xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> to tensor<4x4xf32>
  %e = tensor.empty() : tensor<4x4xf32>
  // expected-error @below {{'linalg.generic' op is in a program on tiles and must read rows as rows and columns as columns}}
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<4x4xf32>) outs(%e : tensor<4x4xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<4x4xf32>
  %0 = tensor.insert_slice %t into %y[0, 0] [4, 4] [1, 1] : tensor<4x4xf32> into tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// -----

func.func private @reversed(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %a = tensor.extract_slice %x[0] [4] [1] : tensor<4xf32> to tensor<4xf32>
  // expected-error @below {{'raf.reverse' op is in a program on tiles and cannot be shared by threads}}
  %r = raf.reverse %a dims = [0] : tensor<4xf32>
  %0 = tensor.insert_slice %r into %y[0] [4] [1] : tensor<4xf32> into tensor<4xf32>
  return %0 : tensor<4xf32>
}
