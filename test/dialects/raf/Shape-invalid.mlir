// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @constant() {
  // expected-error @+1 {{'raf.constant' op failed to verify that all of {value, y} have same type}}
  %y = "raf.constant"() {value = dense<1.0> : tensor<4xf32>} : () -> tensor<5xf32>
  return
}

// -----

func.func @iota() {
  // expected-error @+1 {{'raf.iota' op axis must be in [0, 1), got 1}}
  %y = raf.iota dim = 1 : tensor<4xi64>
  return
}

// -----

func.func @broadcast(%x: tensor<8xf32>) {
  // expected-error @+1 {{'raf.broadcast' op dims must have one element for each of the 1 operand dimensions, got 2}}
  %y = raf.broadcast %x dims = [0, 1] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_2(%x: tensor<8xf32>) {
  // expected-error @+1 {{'raf.broadcast' op operand dimension for result dimension 0 must have size 1 or 4, got 8}}
  %y = raf.broadcast %x dims = [0] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @broadcast_3(%x: tensor<8xf32>) {
  // expected-error @+1 {{'raf.broadcast' op dims must be increasing and in [0, 2), got [2]}}
  %y = raf.broadcast %x dims = [2] : tensor<8xf32> to tensor<4x8xf32>
  return
}

// -----

func.func @reshape(%x: tensor<8xf32>) {
  // expected-error @+1 {{'raf.reshape' op must keep the number of elements, got 8 and 9}}
  %y = raf.reshape %x : tensor<8xf32> to tensor<3x3xf32>
  return
}

// -----

func.func @transpose(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.transpose' op permutation must name each of the 2 dimensions once, got [0, 0]}}
  // expected-error @+1 {{'raf.transpose' op failed to infer returned types}}
  %y = raf.transpose %x permutation = [0, 0] : tensor<4x8xf32> -> tensor<4x4xf32>
  return
}

// -----

func.func @slice(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.slice' op starts, limits and strides must have 2 elements each, got 1, 1 and 1}}
  // expected-error @+1 {{'raf.slice' op failed to infer returned types}}
  %y = raf.slice %x starts = [0] limits = [4] strides = [1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @slice_2(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.slice' op dimension 1 of size 8 needs 0 <= start <= limit <= size and stride >= 1, got start 3, limit 9, stride 1}}
  // expected-error @+1 {{'raf.slice' op failed to infer returned types}}
  %y = raf.slice %x starts = [0, 3] limits = [4, 9] strides = [1, 1] : tensor<4x8xf32> -> tensor<4x6xf32>
  return
}

// -----

func.func @pad(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.pad' op low, high and interior must have 2 elements each, got 1, 1 and 1}}
  // expected-error @+1 {{'raf.pad' op failed to infer returned types}}
  %y = raf.pad %x low = [1] high = [1] interior = [0] value = 0.0 : tensor<4x8xf32> -> tensor<6x8xf32>
  return
}

// -----

func.func @concat(%x: tensor<4x8xf32>, %z: tensor<3x8xf32>) {
  // expected-error @+2 {{'raf.concat' op operand 1 must agree with operand 0 but for dimension 1, expected like 'tensor<4x8xf32>', got 'tensor<3x8xf32>'}}
  // expected-error @+1 {{'raf.concat' op failed to infer returned types}}
  %y = raf.concat %x, %z axis = 1 : (tensor<4x8xf32>, tensor<3x8xf32>) -> tensor<4x16xf32>
  return
}

// -----

func.func @slice_of_a_huge_stride(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.slice' op inferred type(s) 'tensor<1x8xf32>' are incompatible with return type(s) of operation 'tensor<4x8xf32>'}}
  // expected-error @+1 {{'raf.slice' op failed to infer returned types}}
  %y = raf.slice %x starts = [0, 0] limits = [4, 8] strides = [9223372036854775807, 1] : tensor<4x8xf32> -> tensor<4x8xf32>
  return
}

// -----

func.func @pad_overflows(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.pad' op dimension 0 of size 4 gets size of more than 64 bits from low 9223372036854775807, high 1, interior 0; expected interior >= 0 and a size >= 0}}
  // expected-error @+1 {{'raf.pad' op failed to infer returned types}}
  %y = raf.pad %x low = [9223372036854775807, 0] high = [1, 0] interior = [0, 0] value = 0.0 : tensor<4x8xf32> -> tensor<6x8xf32>
  return
}

// -----

func.func @pad_overflows_inside(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.pad' op dimension 1 of size 8 gets size of more than 64 bits from low 0, high 0, interior 9223372036854775807; expected interior >= 0 and a size >= 0}}
  // expected-error @+1 {{'raf.pad' op failed to infer returned types}}
  %y = raf.pad %x low = [0, 0] high = [0, 0] interior = [0, 9223372036854775807] value = 0.0 : tensor<4x8xf32> -> tensor<6x8xf32>
  return
}

// -----

func.func @concat_overflows(%x: tensor<6917529027641081856x0xf32>) {
  // expected-error @+2 {{'raf.concat' op dimension 0 gets size of more than 64 bits}}
  // expected-error @+1 {{'raf.concat' op failed to infer returned types}}
  %y = raf.concat %x, %x axis = 0 : (tensor<6917529027641081856x0xf32>, tensor<6917529027641081856x0xf32>) -> tensor<1x0xf32>
  return
}

// -----

func.func @reverse(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.reverse' op dims must be increasing and in [0, 2), got [1, 1]}}
  %y = raf.reverse %x dims = [1, 1] : tensor<4x8xf32>
  return
}

// -----

func.func @barrier(%x: tensor<4x8xf32>) {
  // expected-error @+2 {{'raf.barrier' op inferred type(s) 'tensor<4x8xf32>' are incompatible with return type(s) of operation 'tensor<8x4xf32>'}}
  // expected-error @+1 {{'raf.barrier' op failed to infer returned types}}
  %y = "raf.barrier"(%x) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
