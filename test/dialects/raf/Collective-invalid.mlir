// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @device_id() {
  // expected-error @+1 {{'raf.device_id' op result #0 must be 0D tensor of 64-bit signless integer or 32-bit signless integer values, but got 'tensor<1xi32>'}}
  %y = raf.device_id : tensor<1xi32>
  return
}

// -----

func.func @all_reduce(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_reduce' op groups must name at least one device, got []}}
  %y = raf.all_reduce sum %x groups = [] : tensor<4xf32>
  return
}

// -----

func.func @all_reduce_uneven(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_reduce' op groups must have equal sizes, got 2 and 1 devices}}
  %y = raf.all_reduce sum %x groups = [[0, 1], [2]] : tensor<4xf32>
  return
}

// -----

func.func @all_reduce_twice(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_reduce' op groups must have no device in common, got 1 twice}}
  %y = raf.all_reduce sum %x groups = [[0, 1], [1, 2]] : tensor<4xf32>
  return
}

// -----

func.func @all_reduce_negative(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_reduce' op devices must be numbers in [0, 1048576), got -1}}
  %y = raf.all_reduce sum %x groups = [[0, -1]] : tensor<4xf32>
  return
}

// -----

module attributes {raf.num_devices = 2 : i64} {
  func.func @all_reduce_of_more(%x: tensor<4xf32>) {
    // expected-error @+1 {{'raf.all_reduce' op devices must be less than the module's raf.num_devices of 2, got 2}}
    %y = raf.all_reduce sum %x groups = [[0, 2]] : tensor<4xf32>
    return
  }
}

// -----

func.func @all_gather(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_gather' op result must have type 'tensor<8xf32>', got 'tensor<12xf32>'}}
  %y = raf.all_gather %x dim = 0 groups = [[0, 1]] : tensor<4xf32> -> tensor<12xf32>
  return
}

// -----

func.func @all_gather_dim(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_gather' op dim must be in [0, 1), got 1}}
  %y = raf.all_gather %x dim = 1 groups = [[0, 1]] : tensor<4xf32> -> tensor<8xf32>
  return
}

// -----

func.func @reduce_scatter(%x: tensor<5xf32>) {
  // expected-error @+1 {{'raf.reduce_scatter' op dimension 0 of size 5 must be a multiple of the 2 devices of a group}}
  %y = raf.reduce_scatter sum %x dim = 0 groups = [[0, 1]] : tensor<5xf32> -> tensor<2xf32>
  return
}

// -----

func.func @all_to_all(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'raf.all_to_all' op result must have type 'tensor<2x6xf32>', got 'tensor<4x3xf32>'}}
  %y = raf.all_to_all %x split_dim = 0 concat_dim = 1 groups = [[0, 1]] : tensor<4x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @all_to_all_dim(%x: tensor<4x3xf32>) {
  // expected-error @+1 {{'raf.all_to_all' op split_dim must be in [0, 2), got 2}}
  %y = raf.all_to_all %x split_dim = 2 concat_dim = 1 groups = [[0, 1]] : tensor<4x3xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @collective_permute(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.collective_permute' op a device must be a source at most once and a target at most once, got 0 -> 2 besides another}}
  %y = raf.collective_permute %x pairs = [[0, 1], [0, 2]] : tensor<4xf32>
  return
}

// -----

func.func @collective_permute_pair(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.collective_permute' op pairs must be of a source and a target, got 3 devices}}
  %y = raf.collective_permute %x pairs = [[0, 1, 2]] : tensor<4xf32>
  return
}

// -----

func.func @collective_broadcast(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.collective_broadcast' op groups must have no device in common, got 0 twice}}
  %y = raf.collective_broadcast %x groups = [[0], [0]] : tensor<4xf32>
  return
}

// -----

// expected-error @+1 {{'builtin.module' op raf.num_devices must be a positive i64 of a module, got 0 : i64}}
module attributes {raf.num_devices = 0 : i64} {}

// -----

func.func @beyond(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.all_reduce' op devices must be numbers in [0, 1048576), got 4611686018427387904}}
  %y = raf.all_reduce prod %x groups = [[0, 4611686018427387904]] : tensor<4xf32>
  return
}
