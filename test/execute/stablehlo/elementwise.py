# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise ops, at several shapes and dtypes."""

import jax
import jax.numpy as jnp
import numpy as np
from cases import BF16, b, bits, case, f, i, value
from jax import lax

U = "unary"
# op, lowest and highest argument
for name, op, lo, hi in (
    ("abs", lax.abs, -2, 2), ("ceil", lax.ceil, -3, 3), ("cos", lax.cos, -4, 4), ("exp", lax.exp, -3, 3), ("expm1", lax.expm1, -2, 2),
    ("floor", lax.floor, -3, 3), ("log", lax.log, 0.1, 5), ("log1p", lax.log1p, -0.7, 4), ("logistic", lax.logistic, -5, 5), ("neg", lax.neg, -2, 2),
    ("round_even", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), -3, 3), ("round_away", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), -3, 3),
    ("rsqrt", lax.rsqrt, 0.2, 5), ("sign", lax.sign, -2, 2), ("sin", lax.sin, -4, 4), ("sqrt", lax.sqrt, 0.1, 5), ("tan", lax.tan, -1.2, 1.2),
    ("tanh", lax.tanh, -3, 3), ("cbrt", lax.cbrt, 0.2, 4), ("square", lax.square, -2, 2), ("integer_pow", lambda x: lax.integer_pow(x, 3), -2, 2),
    ("reciprocal", jnp.reciprocal, 0.3, 3), ("erf", lax.erf, -2.5, 2.5), ("erfc", lax.erfc, -2.5, 2.5), ("erf_inv", lax.erf_inv, -0.9, 0.9),
    ("lgamma", lax.lgamma, 0.3, 6), ("digamma", lax.digamma, 0.3, 6), ("acos", lax.acos, -0.8, 0.8), ("acosh", lax.acosh, 1.2, 4), ("asin", lax.asin, -0.8, 0.8),
    ("asinh", lax.asinh, -3, 3), ("atan", lax.atan, -3, 3), ("atanh", lax.atanh, -0.8, 0.8), ("sinh", lax.sinh, -2, 2), ("cosh", lax.cosh, -2, 2),
    ("relu", jax.nn.relu, -2, 2), ("softplus", jax.nn.softplus, -3, 3), ("silu", jax.nn.silu, -3, 3), ("elu", jax.nn.elu, -2, 2), ("log2", jnp.log2, 0.2, 4),
    ("exp2", jnp.exp2, -2, 3), ("gelu_tanh", jax.nn.gelu, -3, 3), ("gelu_erf", lambda x: jax.nn.gelu(x, approximate=False), -3, 3),
    ("leaky_relu", jax.nn.leaky_relu, -2, 2), ("log_sigmoid", jax.nn.log_sigmoid, -4, 4), ("hard_swish", jax.nn.hard_swish, -4, 4)):  # fmt: skip
    case(U, name, op, f(3, 5, lo=lo, hi=hi))
for name, op in (("exp", lax.exp), ("tanh", lax.tanh), ("logistic", lax.logistic), ("erf", lax.erf)):
    case(U, f"{name}_f64", op, f(7, dtype=np.float64))
    case(U, f"{name}_scalar", op, f())
for name, op in (("tanh", lax.tanh), ("exp", lax.exp), ("square", lax.square), ("logistic", lax.logistic)):
    case(U, f"{name}_bf16", op, f(2, 8, dtype=BF16))
    case(U, f"{name}_f16", op, f(4, 4, dtype=np.float16))
# A second precision and shape of what JAX writes as one operator.
for name, op, lo, hi in (
    ("erfc", lax.erfc, -3, 3), ("erf_inv", lax.erf_inv, -0.99, 0.99), ("lgamma", lax.lgamma, -3.7, 9), ("digamma", lax.digamma, 0.2, 9), ("acos", lax.acos, -0.9, 0.9),
    ("acosh", lax.acosh, 1.1, 9), ("asin", lax.asin, -0.9, 0.9), ("asinh", lax.asinh, -9, 9), ("atan", lax.atan, -9, 9), ("atanh", lax.atanh, -0.9, 0.9),
    ("sinh", lax.sinh, -4, 4), ("cosh", lax.cosh, -4, 4), ("tan", lax.tan, -1.3, 1.3), ("cbrt", lax.cbrt, -4, 4), ("expm1", lax.expm1, -3, 3),
    ("round_even", lambda x: lax.round(x, lax.RoundingMethod.TO_NEAREST_EVEN), -9, 9), ("round_away", lambda x: lax.round(x, lax.RoundingMethod.AWAY_FROM_ZERO), -9, 9),
    ("bessel_i1e", lax.bessel_i1e, -20, 20), ("polygamma_1", lambda x: jax.scipy.special.polygamma(1, x), 0.3, 6), ("polygamma_3", lambda x: jax.scipy.special.polygamma(3, x), 0.3, 6),
    ("zeta", lambda x: jax.scipy.special.zeta(x, 2.5), 1.2, 6)):  # fmt: skip
    case(U, f"{name}_f64_vector", op, f(11, dtype=np.float64, lo=lo, hi=hi))
for name, op, lo, hi in (("bessel_i1e", lax.bessel_i1e, -20, 20), ("i0e", lax.bessel_i0e, -20, 20), ("polygamma_2", lambda x: jax.scipy.special.polygamma(2, x), 0.5, 6),
                         ("zeta", lambda x: jax.scipy.special.zeta(x, 1.5), 1.5, 6)):
    case(U, name, op, f(3, 5, lo=lo, hi=hi))
case(U, "bessel_i1e_bf16", lax.bessel_i1e, f(6, dtype=BF16, lo=-9, hi=9), diff=False)
case(U, "clz_ui8", lax.clz, bits(6, dtype=np.uint8))
case(U, "abs_i32", lax.abs, i(6))
case(U, "neg_i64", lax.neg, i(6, dtype=np.int64))
case(U, "not_i1", lax.bitwise_not, b(9))
case(U, "not_ui32", lax.bitwise_not, bits(5))
case(U, "popcnt_ui32", lax.population_count, bits(6))
case(U, "popcnt_i64", lax.population_count, i(6, dtype=np.int64))
case(U, "clz_i32", lax.clz, i(6, lo=0, hi=1000))
case(U, "is_finite", lax.is_finite, value(1.0, np.inf, -np.inf, np.nan, 0.0))
case(U, "sign_i32", lax.sign, i(7))
case(U, "sign_zero", lax.sign, value(0.0, -0.0, 1.5, -1.5), diff=False)

B = "binary"
for name, op, lo, hi in (
    ("add", lax.add, -2, 2), ("sub", lax.sub, -2, 2), ("mul", lax.mul, -2, 2), ("div", lax.div, 0.3, 3), ("max", lax.max, -2, 2), ("min", lax.min, -2, 2),
    ("pow", lax.pow, 0.3, 2), ("atan2", lax.atan2, 0.2, 2), ("rem", lax.rem, 0.5, 4), ("nextafter", lax.nextafter, 0.5, 2), ("logaddexp", jnp.logaddexp, -2, 2),
    ("hypot", jnp.hypot, 0.3, 2)):  # fmt: skip
    case(B, name, op, f(4, 3, lo=lo, hi=hi), f(4, 3, lo=lo, hi=hi), diff=name not in ("nextafter",))
for name, op in (("add", lax.add), ("sub", lax.sub), ("mul", lax.mul), ("max", lax.max), ("min", lax.min), ("div", lax.div), ("rem", lax.rem)):
    case(B, f"{name}_i32", op, i(8), i(8, lo=1))
    case(B, f"{name}_ui32", op, bits(6), i(6, dtype=np.uint32, lo=1, hi=90))
case(B, "mul_bf16", lax.mul, f(3, 4, dtype=BF16), f(3, 4, dtype=BF16))
case(B, "add_f16", lax.add, f(9, dtype=np.float16), f(9, dtype=np.float16))
case(B, "div_f64", lax.div, f(9, dtype=np.float64), f(9, dtype=np.float64, lo=1))
case(B, "pow_scalar", lax.pow, f(lo=0.5), f())
case(B, "div_negative_i32", lax.div, i(9, lo=-20, hi=20), value(-3, 3, -1, 2, -2, 5, 7, -7, 1, dtype=np.int32))
case(B, "rem_negative_i32", lax.rem, i(9, lo=-20, hi=20), value(-3, 3, -1, 2, -2, 5, 7, -7, 1, dtype=np.int32))
case(B, "floor_mod", lambda x, y: x % y, f(9, lo=-4, hi=4), f(9, lo=1, hi=3))
case(B, "floor_div_i32", lambda x, y: x // y, i(9, lo=-20, hi=20), i(9, lo=1, hi=6))
for name, op in (("and", lax.bitwise_and), ("or", lax.bitwise_or), ("xor", lax.bitwise_xor)):
    case(B, f"{name}_i1", op, b(8), b(8))
    case(B, f"{name}_ui32", op, bits(5), bits(5))
    case(B, f"{name}_i64", op, i(5, dtype=np.int64), i(5, dtype=np.int64))
for name, op in (("shl", lax.shift_left), ("shr_logical", lax.shift_right_logical), ("shr_arithmetic", lax.shift_right_arithmetic)):
    case(B, f"{name}_i32", op, i(6, lo=-1000, hi=1000), value(0, 1, 5, 31, 32, 40, dtype=np.int32))
    case(B, f"{name}_ui32", op, bits(6), value(0, 1, 5, 31, 32, 40, dtype=np.uint32))
case(B, "add_i1", lax.max, b(8), b(8))
for dtype in (np.int32, np.uint32, np.int16, np.int64, np.uint64):
    case(B, f"mulhi_{np.dtype(dtype).name}", lax.mulhi, bits(9, dtype=dtype), bits(9, dtype=dtype))
case(B, "atan2_f64", lax.atan2, f(9, dtype=np.float64), f(9, dtype=np.float64))
case(B, "max_nan", lax.max, value(np.nan, 1.0, np.nan, 2.0), value(1.0, np.nan, np.nan, 3.0), diff=False)

C = "compare_select"
for name in ("eq", "ne", "lt", "le", "gt", "ge"):
    op = getattr(lax, name)
    case(C, f"{name}_f32", op, value(1.0, 2.0, np.nan, 0.0, -0.0, np.inf), value(2.0, 2.0, np.nan, -0.0, 0.0, np.inf))
    case(C, f"{name}_i32", op, i(9, hi=0), i(9, hi=0))
    case(C, f"{name}_ui32", op, bits(6), bits(6))
case(C, "lt_i1", lax.lt, b(6), b(6))
case(C, "eq_i64", lax.eq, i(3, 4, dtype=np.int64, lo=0, hi=3), i(3, 4, dtype=np.int64, lo=0, hi=3))
case(C, "lt_bf16", lax.lt, f(9, dtype=BF16), f(9, dtype=BF16))
case(C, "total_order", lambda x, y: lax.lt_to_p.bind(x, y), value(np.nan, -0.0, 0.0, -np.inf, 1.0), value(1.0, 0.0, -0.0, np.nan, 2.0))
case(C, "select", lambda p, x, y: jnp.where(p, x, y), b(3, 4), f(3, 4), f(3, 4))
case(C, "select_scalar_predicate", lambda p, x, y: lax.select(p, x, y), b(), f(3, 4), f(3, 4))
case(C, "select_constant", lambda x: jnp.where(x > 0.5, x, 0.0), f(4, 5))
case(C, "select_n", lambda k, x, y, z: lax.select_n(k, x, y, z), i(7, lo=0, hi=3), f(7), f(7), f(7))
case(C, "clamp", lambda lo, x, hi: lax.clamp(lo, x, hi), f(3, 4, lo=-1, hi=-0.5), f(3, 4), f(3, 4, lo=0.5, hi=1))
case(C, "clamp_scalar", lambda x: lax.clamp(-0.5, x, 1.0), f(3, 4))
case(C, "clip_i32", lambda x: jnp.clip(x, -3, 4), i(9))
case(C, "is_nan", jnp.isnan, value(np.nan, 1.0, np.inf, -np.inf, 0.0))
case(C, "is_inf", jnp.isinf, value(np.nan, 1.0, np.inf, -np.inf, 0.0))
case(C, "nan_to_num", jnp.nan_to_num, value(np.nan, 1.0, np.inf, -np.inf, 0.0), diff=False)

V = "convert"
NAMES = {np.float32: "f32", np.float64: "f64", BF16: "bf16", np.float16: "f16", np.int32: "i32", np.int64: "i64", np.uint32: "ui32", np.uint8: "ui8", np.int8: "i8", np.bool_: "i1"}
for source, target in (
    (np.float32, BF16), (np.float32, np.float16), (np.float32, np.float64), (BF16, np.float32), (np.float16, np.float32), (np.float64, np.float32), (np.float16, BF16)):  # fmt: skip
    case(V, f"{NAMES[source]}_to_{NAMES[target]}", lambda x, t=target: lax.convert_element_type(x, t), f(3, 6, dtype=source))
for source, target in (
    (np.int32, np.float32), (np.int64, np.float32), (np.int32, np.int64), (np.int64, np.int32), (np.int8, np.int32), (np.int32, np.int8), (np.int32, np.bool_),
    (np.int32, np.float64), (np.int32, np.uint32), (np.int32, np.uint8)):  # fmt: skip
    case(V, f"{NAMES[source]}_to_{NAMES[target]}", lambda x, t=target: lax.convert_element_type(x, t), i(8, dtype=source))
case(V, "ui32_to_f32", lambda x: lax.convert_element_type(x, np.float32), bits(8))
case(V, "ui8_to_f32", lambda x: lax.convert_element_type(x, np.float32), bits(8, dtype=np.uint8))
case(V, "i1_to_f32", lambda x: lax.convert_element_type(x, np.float32), b(8))
case(V, "i1_to_i32", lambda x: lax.convert_element_type(x, np.int32), b(8))
case(V, "f32_to_i32", lambda x: lax.convert_element_type(x, np.int32), value(1.5, -1.5, 0.0, 7.99, -7.99, 3e9, -3e9, np.nan), diff=False)
case(V, "f32_to_i1", lambda x: lax.convert_element_type(x, np.bool_), value(1.5, 0.0, -0.0, np.nan), diff=False)
case(V, "bitcast_f32_i32", lambda x: lax.bitcast_convert_type(x, np.int32), f(6), diff=False)
case(V, "bitcast_ui32_f32", lambda x: lax.bitcast_convert_type(x >> 9 | np.uint32(0x3F800000), np.float32) - 1.0, bits(6), diff=False)
case(V, "bitcast_f32_bytes", lambda x: lax.bitcast_convert_type(x, np.uint8), f(3), diff=False)
case(V, "bitcast_bytes_f32", lambda x: lax.bitcast_convert_type(x, np.float32) * 0, bits(3, 4, dtype=np.uint8), diff=False)
case(V, "reduce_precision", lambda x: lax.reduce_precision(x, 5, 10), f(9))
case(V, "reduce_precision_f64", lambda x: lax.reduce_precision(x, 8, 23), f(2, 5, dtype=np.float64))
