// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @random_uniform(%s: tensor<i64>) {
  // expected-error @+1 {{'raf.random_uniform' op result #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.random_uniform %s, %s op_id = 3 : tensor<4xi32>
  return
}

// -----

func.func @random_uniform_2(%s: tensor<i64>) {
  // expected-error @+1 {{'raf.random_uniform' op needs one stride a dimension with an offset and none without, got 1 for rank 2}}
  %y = raf.random_uniform %s, %s op_id = 3 offset = %s strides = [8] : tensor<4x2xf32>
  return
}

// -----

func.func @dropout(%x: tensor<4xf32>, %s: tensor<i64>) {
  // expected-error @+1 {{'raf.dropout' op ratio must be in [0, 1), got 1.000000e+00}}
  %y = raf.dropout %x, %s, %s ratio = 1.0 op_id = 3 : tensor<4xf32>
  return
}

// -----

func.func @threefry_word(%k: tensor<4xi32>) {
  // expected-error @+1 {{'raf.threefry' op attribute 'word' failed to satisfy constraint: 64-bit signless integer attribute whose minimum value is 0 whose maximum value is 1}}
  %y = raf.threefry %k, %k, %k, %k word = 2 : tensor<4xi32>
  return
}

// -----

func.func @threefry_type(%k: tensor<4xi64>) {
  // expected-error @+1 {{'raf.threefry' op operand #0 must be statically shaped tensor of 32-bit signless integer values, but got 'tensor<4xi64>'}}
  %y = raf.threefry %k, %k, %k, %k word = 0 : tensor<4xi64>
  return
}
