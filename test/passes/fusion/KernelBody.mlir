// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-fuse | FileCheck %s

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>

// A cheap value that two ops read is computed in each of them: nothing of its size is stored. A start value that both share is one for each.
// CHECK-LABEL: func.func @cheap
// CHECK: raf.kernel ins(%arg0 : tensor<64x64xf32>) outs({{.*}} : tensor<64xf32>, tensor<64xf32>)
// CHECK-NOT: tensor.empty() : tensor<64x64xf32>
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.addf
// CHECK: linalg.fill
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.maximumf
// CHECK: raf.yield
func.func @cheap(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %v = tensor.empty() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.mulf %a, %a : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %sum, %max : tensor<64xf32>, tensor<64xf32>
}

// An exponential is computed once, into a temporary of the kernel.
// CHECK-LABEL: func.func @costly
// CHECK: raf.kernel ins(%arg0 : tensor<64x64xf32>)
// CHECK: %[[T:.*]] = tensor.empty() : tensor<64x64xf32>
// CHECK: %[[E:.*]] = linalg.generic {{.*}} outs(%[[T]] : tensor<64x64xf32>)
// CHECK-COUNT-1: math.exp
// CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<64x64xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[E]] : tensor<64x64xf32>)
// CHECK-NOT: math.exp
// CHECK: return
func.func @costly(%x: tensor<64x64xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %e = tensor.empty() : tensor<64x64xf32>
  %v = tensor.empty() : tensor<64xf32>
  %zero = arith.constant 0.0 : f32
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = math.exp %a : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%v : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  %max = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%s : tensor<64x64xf32>) outs(%f : tensor<64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %r = arith.maximumf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<64xf32>
  return %sum, %max : tensor<64xf32>, tensor<64xf32>
}

// A kernel's function holds ready-made ops.
// CHECK-LABEL: func.func private @kernel
// CHECK-NOT: raf.kernel {{ins|outs}}
func.func private @kernel(%x: tensor<4xf32>, %o: tensor<4xf32>) -> tensor<4xf32> attributes {raf.kernel} {
  %0 = linalg.exp ins(%x : tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
