// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: raf-opt %s -split-input-file -verify-diagnostics

func.func @neg(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.neg' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.neg %x : tensor<4xi1>
  return
}

// -----

func.func @abs(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.abs' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.abs %x : tensor<4xi1>
  return
}

// -----

func.func @sign(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.sign' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.sign %x : tensor<4xi1>
  return
}

// -----

func.func @relu(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.relu' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.relu %x : tensor<4xi1>
  return
}

// -----

func.func @floor(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.floor' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.floor %x : tensor<4xi32>
  return
}

// -----

func.func @ceil(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.ceil' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.ceil %x : tensor<4xi32>
  return
}

// -----

func.func @round(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.round' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.round %x : tensor<4xi32>
  return
}

// -----

func.func @exp(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.exp' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.exp %x : tensor<4xi32>
  return
}

// -----

func.func @expm1(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.expm1' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.expm1 %x : tensor<4xi32>
  return
}

// -----

func.func @log(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.log' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.log %x : tensor<4xi32>
  return
}

// -----

func.func @log1p(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.log1p' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.log1p %x : tensor<4xi32>
  return
}

// -----

func.func @sqrt(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.sqrt' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.sqrt %x : tensor<4xi32>
  return
}

// -----

func.func @rsqrt(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.rsqrt' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.rsqrt %x : tensor<4xi32>
  return
}

// -----

func.func @sin(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.sin' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.sin %x : tensor<4xi32>
  return
}

// -----

func.func @cos(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.cos' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.cos %x : tensor<4xi32>
  return
}

// -----

func.func @cbrt(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.cbrt' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.cbrt %x : tensor<4xi32>
  return
}

// -----

func.func @tanh(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.tanh' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.tanh %x : tensor<4xi32>
  return
}

// -----

func.func @sigmoid(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.sigmoid' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.sigmoid %x : tensor<4xi32>
  return
}

// -----

func.func @erf(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.erf' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.erf %x : tensor<4xi32>
  return
}

// -----

func.func @silu(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.silu' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.silu %x : tensor<4xi32>
  return
}

// -----

func.func @gelu(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.gelu' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.gelu erf %x : tensor<4xi32>
  return
}

// -----

func.func @is_nan(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.is_nan' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.is_nan %x : tensor<4xi32> -> tensor<4xi1>
  return
}

// -----

func.func @not(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.not' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.not %x : tensor<4xf32>
  return
}

// -----

func.func @popcount(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.popcount' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.popcount %x : tensor<4xi1>
  return
}

// -----

func.func @count_leading_zeros(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.count_leading_zeros' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.count_leading_zeros %x : tensor<4xi1>
  return
}

// -----

func.func @add(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.add' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.add %x, %x : tensor<4xi1>
  return
}

// -----

func.func @sub(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.sub' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.sub %x, %x : tensor<4xi1>
  return
}

// -----

func.func @mul(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.mul' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.mul %x, %x : tensor<4xi1>
  return
}

// -----

func.func @div(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.div' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.div %x, %x : tensor<4xi1>
  return
}

// -----

func.func @rem(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.rem' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.rem %x, %x : tensor<4xi1>
  return
}

// -----

func.func @maximum(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.maximum' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.maximum %x, %x : tensor<4xi1>
  return
}

// -----

func.func @minimum(%x: tensor<4xi1>) {
  // expected-error @+1 {{'raf.minimum' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type or 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xi1>'}}
  %y = raf.minimum %x, %x : tensor<4xi1>
  return
}

// -----

func.func @pow(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.pow' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.pow %x, %x : tensor<4xi32>
  return
}

// -----

func.func @atan2(%x: tensor<4xi32>) {
  // expected-error @+1 {{'raf.atan2' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<4xi32>'}}
  %y = raf.atan2 %x, %x : tensor<4xi32>
  return
}

// -----

func.func @and(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.and' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.and %x, %x : tensor<4xf32>
  return
}

// -----

func.func @or(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.or' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.or %x, %x : tensor<4xf32>
  return
}

// -----

func.func @xor(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.xor' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer or 1-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.xor %x, %x : tensor<4xf32>
  return
}

// -----

func.func @div_unsigned(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.div_unsigned' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.div_unsigned %x, %x : tensor<4xf32>
  return
}

// -----

func.func @rem_unsigned(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.rem_unsigned' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.rem_unsigned %x, %x : tensor<4xf32>
  return
}

// -----

func.func @shift_left(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.shift_left' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.shift_left %x, %x : tensor<4xf32>
  return
}

// -----

func.func @shift_right_logical(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.shift_right_logical' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.shift_right_logical %x, %x : tensor<4xf32>
  return
}

// -----

func.func @shift_right_arithmetic(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.shift_right_arithmetic' op operand #0 must be statically shaped tensor of 64-bit signless integer or 32-bit signless integer or 16-bit signless integer or 8-bit signless integer values, but got 'tensor<4xf32>'}}
  %y = raf.shift_right_arithmetic %x, %x : tensor<4xf32>
  return
}

// -----

// No broadcasting.
func.func @add_2(%x: tensor<4xf32>, %s: tensor<1xf32>) {
  // expected-error @+1 {{'raf.add' op all non-scalar operands/results must have the same shape and base type}}
  %y = "raf.add"(%x, %s) : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xf32>
  return
}

// -----

// Shapes are static.
func.func @exp_2(%x: tensor<?xf32>) {
  // expected-error @+1 {{'raf.exp' op operand #0 must be statically shaped tensor of 64-bit float or 32-bit float or 16-bit float or bfloat16 type values, but got 'tensor<?xf32>'}}
  %y = raf.exp %x : tensor<?xf32>
  return
}

// -----

func.func @cast(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.cast' op all non-scalar operands/results must have the same shape and base type}}
  %y = "raf.cast"(%x) : (tensor<4xf32>) -> tensor<5xi32>
  return
}

// -----

func.func @bitcast(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.bitcast' op needs element types of the same width, got 32 and 64 bits}}
  %y = raf.bitcast %x : tensor<4xf32> to tensor<4xi64>
  return
}

// -----

func.func @compare(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.compare' op of kind ult needs integers, got 'tensor<4xf32>'}}
  %y = raf.compare ult %x, %x : tensor<4xf32> -> tensor<4xi1>
  return
}

// -----

func.func @compare_2(%x: tensor<4xf32>) {
  // expected-error @+1 {{'raf.compare' op attribute 'kind' failed to satisfy constraint: comparison}}
  %y = "raf.compare"(%x, %x) {kind = 0 : i32} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi8>
  return
}

// -----

func.func @select(%p: tensor<4xi1>, %x: tensor<4xf32>, %z: tensor<4xi32>) {
  // expected-error @+1 {{'raf.select' op failed to verify that all of {on_true, on_false, y} have same type}}
  %y = "raf.select"(%p, %x, %z) : (tensor<4xi1>, tensor<4xf32>, tensor<4xi32>) -> tensor<4xf32>
  return
}

// -----

func.func @stop_gradient(%x: tensor<4x8xf32>) {
  // expected-error @+1 {{'raf.stop_gradient' op all non-scalar operands/results must have the same shape and base type}}
  %y = "raf.stop_gradient"(%x) : (tensor<4x8xf32>) -> tensor<8x4xf32>
  return
}
