// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s --raf-rematerialize=budget=1200 --split-input-file --verify-diagnostics
// RUN: not raf-opt %s --raf-rematerialize=budget=-1 2>&1 | FileCheck %s

// CHECK: error: raf-rematerialize: expected a budget of bytes, or a slack of 0 to 100 percent, a launch-ns of at least 0 and speeds of at least 1; got budget=-1

func.func private @wide(tensor<8xf32>, tensor<64xf32>) -> tensor<64xf32> attributes {raf.kernel}
func.func private @next(tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @grow(tensor<8xf32>, tensor<256xf32>) -> tensor<256xf32> attributes {raf.kernel}
func.func private @shrink(tensor<256xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}
func.func private @last(tensor<8xf32>, tensor<64xf32>, tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel}

// The wide value cannot be made again: what it was made from has been overwritten.
// expected-error @below {{a memory budget of 1200 bytes (0.0 MiB) cannot be met: the least in which this step can run is 1408 bytes (0.0 MiB), of which 64 bytes (0.0 MiB) are its arguments, results and constants. Give a budget of at least 1408, or a smaller batch}}
func.func @main(%w: tensor<8xf32>) -> (tensor<8xf32> {raf.alias = 0 : i64}, tensor<8xf32>) {
  %e0 = tensor.empty() : tensor<64xf32>
  %e2 = tensor.empty() : tensor<256xf32>
  %e3 = tensor.empty() : tensor<8xf32>
  %e4 = tensor.empty() : tensor<8xf32>
  %e5 = tensor.empty() : tensor<8xf32>
  %a = raf.launch @wide ins(%w : tensor<8xf32>) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %new = raf.launch @next ins(%a : tensor<64xf32>) outs(%w : tensor<8xf32>) -> tensor<8xf32>
  %b = raf.launch @next ins(%a : tensor<64xf32>) outs(%e5 : tensor<8xf32>) -> tensor<8xf32>
  %g = raf.launch @grow ins(%b : tensor<8xf32>) outs(%e2 : tensor<256xf32>) -> tensor<256xf32>
  %c = raf.launch @shrink ins(%g : tensor<256xf32>) outs(%e3 : tensor<8xf32>) -> tensor<8xf32>
  %d = raf.launch @last ins(%c, %a : tensor<8xf32>, tensor<64xf32>) outs(%e4 : tensor<8xf32>) -> tensor<8xf32>
  return %new, %d : tensor<8xf32>, tensor<8xf32>
}
