// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @type(%x: tensor<8xf32>, %y: tensor<8xbf16>) {
  // expected-error@+1 {{'nccl.all_reduce' op the destination must have element type 'f32', got 'bf16'}}
  %0 = nccl.all_reduce sum ins(%x : tensor<8xf32>) outs(%y : tensor<8xbf16>) ranks = 2 -> tensor<8xbf16>
  return
}

// -----

func.func @gather(%x: tensor<2x4xf32>, %y: tensor<2x16xf32>) {
  // expected-error@+1 {{'nccl.all_gather' op the destination must have shape [8, 4], got [2, 16]}}
  %0 = nccl.all_gather ins(%x : tensor<2x4xf32>) outs(%y : tensor<2x16xf32>) ranks = 4 -> tensor<2x16xf32>
  return
}

// -----

func.func @gather_scalars(%x: tensor<f32>, %y: tensor<4xf32>) {
  // expected-error@+1 {{'nccl.all_gather' op must have a first dimension}}
  %0 = nccl.all_gather ins(%x : tensor<f32>) outs(%y : tensor<4xf32>) ranks = 4 -> tensor<4xf32>
  return
}

// -----

func.func @scatter(%x: tensor<8x4xf32>, %y: tensor<2x4xf32>) {
  // expected-error@+1 {{'nccl.reduce_scatter' op must have a first dimension that the 3 ranks divide, got [8, 4]}}
  %0 = nccl.reduce_scatter sum ins(%x : tensor<8x4xf32>) outs(%y : tensor<2x4xf32>) ranks = 3 -> tensor<2x4xf32>
  return
}

// -----

func.func @root(%x: tensor<8xf32>, %y: tensor<8xf32>) {
  // expected-error@+1 {{'nccl.broadcast' op root must be less than the 2 ranks, got 2}}
  %0 = nccl.broadcast ins(%x : tensor<8xf32>) outs(%y : tensor<8xf32>) root = 2 ranks = 2 -> tensor<8xf32>
  return
}

// -----

func.func @peer(%x: tensor<8xf32>) {
  // expected-error@+1 {{'nccl.send' op peer must be less than the 2 ranks, got 7}}
  nccl.send ins(%x : tensor<8xf32>) peer = 7 ranks = 2
  return
}

// -----

func.func @receive(%x: tensor<8xf32>) {
  // expected-error@+1 {{'nccl.receive' op peer must be less than the 2 ranks, got 2}}
  %0 = nccl.receive outs(%x : tensor<8xf32>) peer = 2 ranks = 2 -> tensor<8xf32>
  return
}

// -----

func.func @all_to_all(%x: tensor<f32>) {
  // expected-error@+1 {{'nccl.all_to_all' op must have a first dimension that the 2 ranks divide, got []}}
  %0 = nccl.all_to_all ins(%x : tensor<f32>) outs(%x : tensor<f32>) ranks = 2 -> tensor<f32>
  return
}

// -----

func.func @element_without_a_number(%x: tensor<8xi64>) {
  // expected-error@+1 {{'nccl.all_reduce' op operand #0 must be static tensor or memref of f32, f64, bf16, f16, i32 or i8, but got 'tensor<8xi64>'}}
  %0 = nccl.all_reduce sum ins(%x : tensor<8xi64>) outs(%x : tensor<8xi64>) ranks = 2 -> tensor<8xi64>
  return
}
