# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that JAX does not write on the CPU, in programs by hand beside functions that compute the same."""

import jax
import jax.numpy as jnp
import numpy as np
from cases import b, c, case, f, i
from idioms import spd
from jax import lax

O = "operators"


def program(inputs: str, outputs: str, body: str, more: str = "") -> str:
    """@main of %0, %1 ... with the result %r or %r0, %r1 ..."""
    taken = ", ".join(f"%{k}: {t}" for k, t in enumerate(inputs.split("; "))) if inputs else ""
    types = outputs.split("; ")
    results = ", ".join(f"%r{k}" for k in range(len(types))) if len(types) > 1 else "%r"
    return f"module {{\nfunc.func @main({taken}) -> ({', '.join(types)}) {{\n{body}\nreturn {results} : {', '.join(types)}\n}}\n{more}\n}}"


def add(name, function, *inputs, program, diff=True):
    case(O, name, function, *inputs, diff=diff, program=program)


# ---- elementwise ----
for name, function, type_ in (("logistic", jax.nn.sigmoid, "3x4xf32"), ("logistic_f64", jax.nn.sigmoid, "7xf64")):
    given = f(3, 4) if "f32" in type_ else f(7, dtype=np.float64)
    add(name, function, given, program=program(f"tensor<{type_}>", f"tensor<{type_}>", f"%r = stablehlo.logistic %0 : tensor<{type_}>"))
for name, type_, given in (("tan", "3x4xf32", f(3, 4, lo=-1, hi=1)), ("tan_c128", "5xcomplex<f64>", c(5, dtype=np.complex128, lo=-1, hi=1))):
    add(f"chlo_{name}", jnp.tan, given, program=program(f"tensor<{type_}>", f"tensor<{type_}>", f"%r = chlo.tan %0 : tensor<{type_}> -> tensor<{type_}>"))
add("top_k_i32", lambda x: lax.top_k(x, 4), i(2, 9), program=program("tensor<2x9xi32>", "tensor<2x4xi32>; tensor<2x4xi32>", "%r0, %r1 = chlo.top_k(%0, k = 4) : tensor<2x9xi32> -> (tensor<2x4xi32>, tensor<2x4xi32>)"))
add("map", lambda x, y: jnp.sin(x) * y, f(3, 4), f(3, 4), program=program(
    "tensor<3x4xf32>; tensor<3x4xf32>", "tensor<3x4xf32>", """%r = "stablehlo.map"(%0, %1) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.sine %a : tensor<f32>
    %m = stablehlo.multiply %s, %b : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {dimensions = array<i64: 0, 1>} : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>"""))
add("map_i32", lambda x: x * x, i(5), program=program(
    "tensor<5xi32>", "tensor<5xi32>", """%r = "stablehlo.map"(%0) ({
  ^bb0(%a: tensor<i32>):
    %m = stablehlo.multiply %a, %a : tensor<i32>
    stablehlo.return %m : tensor<i32>
  }) {dimensions = array<i64: 0>} : (tensor<5xi32>) -> tensor<5xi32>"""))
for name, op in (("is_inf", jnp.isinf), ("is_pos_inf", jnp.isposinf), ("is_neg_inf", jnp.isneginf)):
    special = lambda rng: np.array([1, np.inf, -np.inf, np.nan, 0], np.float32)  # noqa: E731
    add(name, op, special, diff=False, program=program("tensor<5xf32>", "tensor<5xi1>", f"%r = chlo.{name} %0 : tensor<5xf32> -> tensor<5xi1>"))
    add(f"{name}_f64", op, f(2, 3, dtype=np.float64), diff=False, program=program("tensor<2x3xf64>", "tensor<2x3xi1>", f"%r = chlo.{name} %0 : tensor<2x3xf64> -> tensor<2x3xi1>"))
add("constant_like", lambda x: x * 2.5, f(3, 4), program=program("tensor<3x4xf32>", "tensor<3x4xf32>", """
  %k = "chlo.constant_like"(%0) {value = 2.5 : f32} : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %r = stablehlo.multiply %0, %k : tensor<3x4xf32>"""))
add("constant_like_i64", lambda x: x + 3, i(5, dtype=np.int64), program=program("tensor<5xi64>", "tensor<5xi64>", """
  %k = "chlo.constant_like"(%0) {value = 3 : i64} : (tensor<5xi64>) -> tensor<5xi64>
  %r = stablehlo.add %0, %k : tensor<5xi64>"""))
add("chlo_constant", lambda x: x + np.float32([1, 2, 3]), f(3), program=program("tensor<3xf32>", "tensor<3xf32>", """
  %k = chlo.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %r = stablehlo.add %0, %k : tensor<3xf32>"""))
add("chlo_constant_ui8", lambda x: x + np.uint8(200), i(4, dtype=np.uint8, lo=0, hi=99), program=program("tensor<4xui8>", "tensor<4xui8>", """
  %k = chlo.constant dense<200> : tensor<4xui8>
  %r = stablehlo.add %0, %k : tensor<4xui8>"""))
add("conj", jnp.conj, c(2, 3), program=program("tensor<2x3xcomplex<f32>>", "tensor<2x3xcomplex<f32>>", "%r = chlo.conj %0 : tensor<2x3xcomplex<f32>> -> tensor<2x3xcomplex<f32>>"))
add("conj_scalar_c128", jnp.conj, c(dtype=np.complex128), program=program("tensor<complex<f64>>", "tensor<complex<f64>>", "%r = chlo.conj %0 : tensor<complex<f64>> -> tensor<complex<f64>>"))

# ---- broadcasts ----
for name, op in (("add", lax.add), ("subtract", lax.sub), ("multiply", lax.mul), ("divide", lax.div), ("maximum", lax.max), ("minimum", lax.min), ("atan2", lax.atan2),
                 ("power", lax.pow), ("remainder", lax.rem), ("next_after", lax.nextafter)):
    broadcast = lambda x, y, op=op: op(*jnp.broadcast_arrays(x, y))  # noqa: E731
    add(f"broadcast_{name}", broadcast, f(2, 3, lo=0.5, hi=1.4), f(3, lo=1.5, hi=2.5), diff=name != "next_after", program=program(
        "tensor<2x3xf32>; tensor<3xf32>", "tensor<2x3xf32>", f"%r = chlo.broadcast_{name} %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>"))
    add(f"broadcast_{name}_ones_f64", broadcast, f(1, 3, dtype=np.float64, lo=0.5, hi=1.4), f(2, 1, dtype=np.float64, lo=1.5, hi=2.5), diff=name != "next_after", program=program(
        "tensor<1x3xf64>; tensor<2x1xf64>", "tensor<2x3xf64>", f"%r = chlo.broadcast_{name} %0, %1 : (tensor<1x3xf64>, tensor<2x1xf64>) -> tensor<2x3xf64>"))
for name, op in (("and", lax.bitwise_and), ("or", lax.bitwise_or), ("xor", lax.bitwise_xor), ("shift_left", lax.shift_left),
                 ("shift_right_arithmetic", lax.shift_right_arithmetic), ("shift_right_logical", lax.shift_right_logical)):
    broadcast = lambda x, y, op=op: op(*jnp.broadcast_arrays(x, y))  # noqa: E731
    add(f"broadcast_{name}", broadcast, i(4, 2), i(lo=1, hi=7), program=program(
        "tensor<4x2xi32>; tensor<i32>", "tensor<4x2xi32>", f"%r = chlo.broadcast_{name} %0, %1 : (tensor<4x2xi32>, tensor<i32>) -> tensor<4x2xi32>"))
    add(f"broadcast_{name}_ui8", broadcast, i(3, dtype=np.uint8, lo=0), i(2, 3, dtype=np.uint8, lo=1, hi=6), program=program(
        "tensor<3xui8>; tensor<2x3xui8>", "tensor<2x3xui8>", f"%r = chlo.broadcast_{name} %0, %1 : (tensor<3xui8>, tensor<2x3xui8>) -> tensor<2x3xui8>"))
add("broadcast_dimensions", lambda x, y: x * y[:, None], f(2, 3), f(2), program=program("tensor<2x3xf32>; tensor<2xf32>", "tensor<2x3xf32>", """
  %r = chlo.broadcast_multiply %0, %1 {broadcast_dimensions = array<i64: 0>} : (tensor<2x3xf32>, tensor<2xf32>) -> tensor<2x3xf32>"""))
for name, op, low in (("zeta", jax.scipy.special.zeta, 1.5), ("polygamma", None, 1.0)):
    for type_, dtype in (("f32", np.float32), ("f64", np.float64)):
        function = (lambda n, x: lax.polygamma(n, jnp.broadcast_to(x, (2, 3)))) if op is None else (lambda s, q, op=op: op(s, jnp.broadcast_to(q, (2, 3))))
        first = (lambda rng, dtype=dtype: rng.integers(1, 4, (2, 3)).astype(dtype)) if op is None else f(2, 3, dtype=dtype, lo=1.5, hi=4)
        add(f"broadcast_{name}_{type_}", function, first, f(3, dtype=dtype, lo=0.5, hi=3), diff=False, program=program(
            f"tensor<2x3x{type_}>; tensor<3x{type_}>", f"tensor<2x3x{type_}>", f"%r = chlo.broadcast_{name} %0, %1 : (tensor<2x3x{type_}>, tensor<3x{type_}>) -> tensor<2x3x{type_}>"))
add("broadcast_compare", lambda x, y: x < y, f(2, 3), f(), program=program("tensor<2x3xf32>; tensor<f32>", "tensor<2x3xi1>", """
  %r = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction LT>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xi1>"""))
add("broadcast_compare_ui32", lambda x, y: x >= y[None], i(2, 3, dtype=np.uint32, lo=0), i(3, dtype=np.uint32, lo=0), program=program("tensor<2x3xui32>; tensor<3xui32>", "tensor<2x3xi1>", """
  %r = chlo.broadcast_compare %0, %1 {comparison_direction = #chlo<comparison_direction GE>} : (tensor<2x3xui32>, tensor<3xui32>) -> tensor<2x3xi1>"""))
add("broadcast_select", lambda p, x, y: jnp.where(p, x, y), b(3), f(2, 3), f(1, 3), program=program("tensor<3xi1>; tensor<2x3xf32>; tensor<1x3xf32>", "tensor<2x3xf32>", """
  %r = chlo.broadcast_select %0, %1, %2 : (tensor<3xi1>, tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>"""))
add("broadcast_select_scalar", lambda p, x, y: jnp.where(p, x, y), b(), i(2), i(), program=program("tensor<i1>; tensor<2xi32>; tensor<i32>", "tensor<2xi32>", """
  %r = chlo.broadcast_select %0, %1, %2 : (tensor<i1>, tensor<2xi32>, tensor<i32>) -> tensor<2xi32>"""))
add("broadcast_complex", lambda x, y: lax.complex(x, jnp.broadcast_to(y, (2, 3))), f(2, 3), f(3), program=program("tensor<2x3xf32>; tensor<3xf32>", "tensor<2x3xcomplex<f32>>", """
  %r = chlo.broadcast_complex %0, %1 : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>"""))
add("broadcast_complex_f64", lambda x, y: lax.complex(x, jnp.broadcast_to(y, (4,))), f(4, dtype=np.float64), f(dtype=np.float64), program=program(
    "tensor<4xf64>; tensor<f64>", "tensor<4xcomplex<f64>>", "%r = chlo.broadcast_complex %0, %1 : (tensor<4xf64>, tensor<f64>) -> tensor<4xcomplex<f64>>"))

# ---- shapes as operands ----
add("dynamic_broadcast_in_dim", lambda x: jnp.broadcast_to(x[:, None], (3, 4)), f(3), program=program("tensor<3xf32>", "tensor<3x4xf32>", """
  %s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %r = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0] : (tensor<3xf32>, tensor<2xi64>) -> tensor<3x4xf32>"""))
add("dynamic_broadcast_in_dim_i8", lambda x: jnp.broadcast_to(x, (2, 3)), i(1, 3, dtype=np.int8), program=program("tensor<1x3xi8>", "tensor<2x3xi8>", """
  %s = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %r = stablehlo.dynamic_broadcast_in_dim %0, %s, dims = [0, 1] : (tensor<1x3xi8>, tensor<2xi32>) -> tensor<2x3xi8>"""))
add("dynamic_reshape", lambda x: x.reshape(4, 3), f(2, 6), program=program("tensor<2x6xf32>", "tensor<4x3xf32>", """
  %s = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
  %r = stablehlo.dynamic_reshape %0, %s : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<4x3xf32>"""))
add("dynamic_reshape_complex", lambda x: x.reshape(-1), c(2, 3), program=program("tensor<2x3xcomplex<f32>>", "tensor<6xcomplex<f32>>", """
  %s = stablehlo.constant dense<6> : tensor<1xi32>
  %r = stablehlo.dynamic_reshape %0, %s : (tensor<2x3xcomplex<f32>>, tensor<1xi32>) -> tensor<6xcomplex<f32>>"""))
add("dynamic_iota", lambda x: x + np.arange(4, dtype=np.float32), f(3, 4), program=program("tensor<3x4xf32>", "tensor<3x4xf32>", """
  %s = stablehlo.constant dense<[3, 4]> : tensor<2xi64>
  %n = stablehlo.dynamic_iota %s, dim = 1 : (tensor<2xi64>) -> tensor<3x4xf32>
  %r = stablehlo.add %0, %n : tensor<3x4xf32>"""))
add("dynamic_iota_i32", lambda x: x * np.arange(5, dtype=np.int32), i(5), program=program("tensor<5xi32>", "tensor<5xi32>", """
  %s = stablehlo.constant dense<5> : tensor<1xi32>
  %n = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi32>) -> tensor<5xi32>
  %r = stablehlo.multiply %0, %n : tensor<5xi32>"""))
add("dynamic_pad", lambda x, v: lax.pad(x, v, ((1, -1, 0), (0, 2, 1))), f(3, 4), f(), program=program("tensor<3x4xf32>; tensor<f32>", "tensor<3x9xf32>", """
  %l = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %h = stablehlo.constant dense<[-1, 2]> : tensor<2xi64>
  %i = stablehlo.constant dense<[0, 1]> : tensor<2xi64>
  %r = stablehlo.dynamic_pad %0, %1, %l, %h, %i : (tensor<3x4xf32>, tensor<f32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<3x9xf32>"""))
add("dynamic_pad_i16", lambda x: lax.pad(x, np.int16(7), ((2, 0, 0),)), i(3, dtype=np.int16), program=program("tensor<3xi16>", "tensor<5xi16>", """
  %v = stablehlo.constant dense<7> : tensor<i16>
  %l = stablehlo.constant dense<2> : tensor<1xi32>
  %z = stablehlo.constant dense<0> : tensor<1xi32>
  %r = stablehlo.dynamic_pad %0, %v, %l, %z, %z : (tensor<3xi16>, tensor<i16>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<5xi16>"""))
add("real_dynamic_slice", lambda x: x[1:3, 0:6:2], f(4, 6), program=program("tensor<4x6xf32>", "tensor<2x3xf32>", """
  %s = stablehlo.constant dense<[1, 0]> : tensor<2xi64>
  %l = stablehlo.constant dense<[3, 6]> : tensor<2xi64>
  %t = stablehlo.constant dense<[1, 2]> : tensor<2xi64>
  %r = stablehlo.real_dynamic_slice %0, %s, %l, %t : (tensor<4x6xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<2x3xf32>"""))
add("real_dynamic_slice_i1", lambda x: x[2:5], b(7), program=program("tensor<7xi1>", "tensor<3xi1>", """
  %s = stablehlo.constant dense<2> : tensor<1xi32>
  %l = stablehlo.constant dense<5> : tensor<1xi32>
  %t = stablehlo.constant dense<1> : tensor<1xi32>
  %r = stablehlo.real_dynamic_slice %0, %s, %l, %t : (tensor<7xi1>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi1>"""))
for name, type_, given in (("dynamic_gather", "f32", f(5, 3)), ("dynamic_gather_i64", "i64", i(5, 3, dtype=np.int64))):
    add(name, lambda x, k: x[k], given, i(4, 1, lo=0, hi=5), program=program(f"tensor<5x3x{type_}>; tensor<4x1xi32>", f"tensor<4x1x3x{type_}>", f"""
  %s = stablehlo.constant dense<[1, 3]> : tensor<2xi32>
  %g = "stablehlo.dynamic_gather"(%0, %1, %s) {{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}} :
    (tensor<5x3x{type_}>, tensor<4x1xi32>, tensor<2xi32>) -> tensor<4x3x{type_}>
  %r = stablehlo.reshape %g : (tensor<4x3x{type_}>) -> tensor<4x1x3x{type_}>"""))
for name, padding, dtype, type_ in (("dynamic_conv", ((1, 2), (0, 1)), np.float32, "f32"), ("dynamic_conv_f64", ((-1, 1), (2, 0)), np.float64, "f64")):
    height, width = 5 + sum(padding[0]) - 2, 5 + sum(padding[1]) - 1
    add(name, lambda x, w, p=padding: lax.conv_general_dilated(x, w, (1, 1), p, dimension_numbers=("NHWC", "HWIO", "NHWC")), f(1, 5, 5, 2, dtype=dtype), f(3, 2, 2, 3, dtype=dtype),
        program=program(f"tensor<1x5x5x2x{type_}>; tensor<3x2x2x3x{type_}>", f"tensor<1x{height}x{width}x3x{type_}>", f"""
  %p = stablehlo.constant dense<{[list(p) for p in padding]}> : tensor<2x2xi64>
  %r = "stablehlo.dynamic_conv"(%0, %1, %p) {{dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = 1 : i64}} :
    (tensor<1x5x5x2x{type_}>, tensor<3x2x2x3x{type_}>, tensor<2x2xi64>) -> tensor<1x{height}x{width}x3x{type_}>"""))
add("get_dimension_size", lambda x: x * 4, f(3, 4), program=program("tensor<3x4xf32>", "tensor<3x4xf32>", """
  %n = stablehlo.get_dimension_size %0, dim = 1 : (tensor<3x4xf32>) -> tensor<i32>
  %k = stablehlo.convert %n : (tensor<i32>) -> tensor<f32>
  %w = stablehlo.broadcast_in_dim %k, dims = [] : (tensor<f32>) -> tensor<3x4xf32>
  %r = stablehlo.multiply %0, %w : tensor<3x4xf32>"""))
add("get_dimension_size_ui8", lambda x: np.int32(5), i(5, dtype=np.uint8, lo=0), program=program(
    "tensor<5xui8>", "tensor<i32>", "%r = stablehlo.get_dimension_size %0, dim = 0 : (tensor<5xui8>) -> tensor<i32>"))
for name, type_, given in (("set_dimension_size", "f32", f(3, 4)), ("set_dimension_size_i32", "i32", i(3, 4))):
    add(name, lambda x: x + x, given, program=program(f"tensor<3x4x{type_}>", f"tensor<3x4x{type_}>", f"""
  %n = stablehlo.constant dense<4> : tensor<i32>
  %s = stablehlo.set_dimension_size %0, %n, dim = 1 : (tensor<3x4x{type_}>, tensor<i32>) -> tensor<3x4x{type_}>
  %r = stablehlo.add %s, %0 : tensor<3x4x{type_}>"""))

# ---- linear algebra and products ----
for name, lower, inputs, type_ in (("cholesky", True, spd(4), "4x4xf32"), ("cholesky_upper", False, lambda rng: np.stack([spd(3)(rng), spd(3)(rng)]), "2x3x3xf32")):
    triangle = (lambda a: jnp.linalg.cholesky(a)) if lower else (lambda a: jnp.linalg.cholesky(a, upper=True))
    keep = ("GE", "tril") if lower else ("LE", "triu")
    rank = type_.count("x")
    shape = type_.removesuffix("xf32")
    # The other triangle is not defined.
    add(name, triangle, inputs, program=program(f"tensor<{type_}>", f"tensor<{type_}>", f"""
  %t = stablehlo.transpose %0, dims = [{', '.join(map(str, [*range(rank - 2), rank - 1, rank - 2]))}] : (tensor<{type_}>) -> tensor<{type_}>
  %u = stablehlo.add %0, %t : tensor<{type_}>
  %h = stablehlo.constant dense<0.5> : tensor<{type_}>
  %y = stablehlo.multiply %u, %h : tensor<{type_}>
  %c = stablehlo.cholesky %y, lower = {str(lower).lower()} : tensor<{type_}>
  %i = stablehlo.iota dim = {rank - 2} : tensor<{shape}xi32>
  %j = stablehlo.iota dim = {rank - 1} : tensor<{shape}xi32>
  %m = stablehlo.compare {keep[0]}, %i, %j : (tensor<{shape}xi32>, tensor<{shape}xi32>) -> tensor<{shape}xi1>
  %z = stablehlo.constant dense<0.0> : tensor<{type_}>
  %r = stablehlo.select %m, %c, %z : tensor<{shape}xi1>, tensor<{type_}>"""))
for name, type_, dtype, transposed in (("triangular_solve", "f32", np.float32, "TRANSPOSE"), ("triangular_solve_f64", "f64", np.float64, "NO_TRANSPOSE"),
                                       ("triangular_solve_adjoint", "complex<f32>", np.complex64, "ADJOINT")):
    make = c if dtype == np.complex64 else f
    add(name, lambda a, y, t=transposed: lax.linalg.triangular_solve(a, y, left_side=True, lower=True, transpose_a=t != "NO_TRANSPOSE", conjugate_a=t == "ADJOINT"),
        make(3, 3, dtype=dtype, lo=1, hi=2), make(3, 2, dtype=dtype), program=program(f"tensor<3x3x{type_}>; tensor<3x2x{type_}>", f"tensor<3x2x{type_}>", f"""
  %r = "stablehlo.triangular_solve"(%0, %1) <{{left_side = true, lower = true, transpose_a = #stablehlo<transpose {transposed}>, unit_diagonal = false}}> :
    (tensor<3x3x{type_}>, tensor<3x2x{type_}>) -> tensor<3x2x{type_}>"""))
add("dot", lambda x, y: x @ y, f(3, 4), f(4, 2), program=program(
    "tensor<3x4xf32>; tensor<4x2xf32>", "tensor<3x2xf32>", "%r = stablehlo.dot %0, %1 : (tensor<3x4xf32>, tensor<4x2xf32>) -> tensor<3x2xf32>"))
add("dot_vectors_i32", lambda x, y: x @ y, i(5), i(5), program=program(
    "tensor<5xi32>; tensor<5xi32>", "tensor<i32>", "%r = stablehlo.dot %0, %1 : (tensor<5xi32>, tensor<5xi32>) -> tensor<i32>"))


def ragged(lhs_ragged, group, contracting, batch=((), ())):
    return lax.RaggedDotDimensionNumbers(dot_dimension_numbers=(contracting, batch), lhs_ragged_dimensions=lhs_ragged, rhs_group_dimensions=group)


def ragged_program(x, y, sizes, out, type_, fields):
    return program(f"tensor<{x}x{type_}>; tensor<{y}x{type_}>; tensor<{sizes}xi32>", f"tensor<{out}x{type_}>", f"""
  %r = "chlo.ragged_dot"(%0, %1, %2) <{{precision_config = [#chlo<precision DEFAULT>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<{fields}>}}> :
    (tensor<{x}x{type_}>, tensor<{y}x{type_}>, tensor<{sizes}xi32>) -> tensor<{out}x{type_}>""")


SIZES = lambda rng: np.array([2, 1, 3], np.int32)  # noqa: E731
add("ragged_dot", lambda x, y, g: lax.ragged_dot(x, y, g), f(6, 4), f(3, 4, 5), SIZES, program=ragged_program(
    "6x4", "3x4x5", "3", "6x5", "f32", "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]"))
add("ragged_dot_batch_f64", lambda x, y, g: lax.ragged_dot_general(x, y, g, ragged([1], [0], ((2,), (2,)), ((0,), (1,)))), f(2, 6, 4, dtype=np.float64), f(3, 2, 4, 5, dtype=np.float64),
    lambda rng: np.array([[2, 1, 3], [0, 5, 1]], np.int32), program=ragged_program(
    "2x6x4", "3x2x4x5", "2x3", "2x6x5", "f64",
    "lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]"))
add("ragged_dot_contracting", lambda x, y, g: lax.ragged_dot_general(x, y, g, ragged([1], [], ((1,), (0,)))), f(4, 6), f(6, 5), SIZES, diff=False, program=ragged_program(
    "4x6", "6x5", "3", "3x4x5", "f32", "lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]"))
add("ragged_dot_batches", lambda x, y, g: lax.ragged_dot_general(x, y, g, ragged([0], [], ((2,), (1,)), ((0,), (0,)))), f(6, 2, 4), f(6, 4, 3), SIZES, diff=False, program=ragged_program(
    "6x2x4", "6x4x3", "3", "6x2x3", "f32",
    "lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]"))


# ---- normalization ----
def statistics(x, axes):
    return jnp.mean(x, axes), jnp.mean((x - jnp.mean(x, axes, keepdims=True)) ** 2, axes)


def normalized(x, scale, offset, mean, var):
    return (x - mean) / jnp.sqrt(var + 1e-3) * scale + offset


def normalized_training(x, scale, offset):
    mean, var = statistics(x, tuple(range(x.ndim - 1)))
    return normalized(x, scale, offset, mean, var), mean, var


for name, shape, features, type_, dtype in (("", (2, 3, 3, 4), 4, "f32", np.float32), ("_f64", (6, 3), 3, "f64", np.float64)):
    x, v = f"tensor<{'x'.join(map(str, shape))}x{type_}>", f"tensor<{features}x{type_}>"
    options = f"{{epsilon = 1.0e-3 : f32, feature_index = {len(shape) - 1} : i64}}"
    given = [f(*shape, dtype=dtype), f(features, dtype=dtype), f(features, dtype=dtype), f(features, dtype=dtype), f(features, dtype=dtype, lo=0.5, hi=2)]
    add(f"batch_norm_inference{name}", normalized, *given, program=program("; ".join([x, v, v, v, v]), x, f"""
  %r = "stablehlo.batch_norm_inference"(%0, %1, %2, %3, %4) {options} : ({x}, {v}, {v}, {v}, {v}) -> {x}"""))
    add(f"batch_norm_training{name}", normalized_training, *given[:3], program=program("; ".join([x, v, v]), "; ".join([x, v, v]), f"""
  %r0, %r1, %r2 = "stablehlo.batch_norm_training"(%0, %1, %2) {options} : ({x}, {v}, {v}) -> ({x}, {v}, {v})"""))

    add(f"batch_norm_grad{name}", lambda x, scale, dy: jax.vjp(lambda x, s, o: normalized_training(x, s, o)[0], x, scale, jnp.zeros_like(scale))[1](dy), given[0], given[1], f(*shape, dtype=dtype), diff=False, program=program("; ".join([x, v, x]), "; ".join([x, v, v]), f"""
  %zero = stablehlo.constant dense<0.0> : {v}
  %y, %m, %var = "stablehlo.batch_norm_training"(%0, %1, %zero) {options} : ({x}, {v}, {v}) -> ({x}, {v}, {v})
  %r0, %r1, %r2 = "stablehlo.batch_norm_grad"(%0, %1, %m, %var, %2) {options} : ({x}, {v}, {v}, {v}, {x}) -> ({x}, {v}, {v})"""))

# ---- control ----
add("if", lambda p, x: lax.cond(p, jnp.sin, lambda v: v * v, x), b(), f(4), program=program("tensor<i1>; tensor<4xf32>", "tensor<4xf32>", """
  %r = "stablehlo.if"(%0) ({
    %s = stablehlo.sine %1 : tensor<4xf32>
    stablehlo.return %s : tensor<4xf32>
  }, {
    %m = stablehlo.multiply %1, %1 : tensor<4xf32>
    stablehlo.return %m : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>"""))
add("if_two_results", lambda p, x: lax.cond(p, lambda v: (v, v + 1), lambda v: (v * 2, v), x), b(), i(2, 3), program=program("tensor<i1>; tensor<2x3xi32>", "tensor<2x3xi32>; tensor<2x3xi32>", """
  %r0, %r1 = "stablehlo.if"(%0) ({
    %c = stablehlo.constant dense<1> : tensor<2x3xi32>
    %s = stablehlo.add %1, %c : tensor<2x3xi32>
    stablehlo.return %1, %s : tensor<2x3xi32>, tensor<2x3xi32>
  }, {
    %m = stablehlo.add %1, %1 : tensor<2x3xi32>
    stablehlo.return %m, %1 : tensor<2x3xi32>, tensor<2x3xi32>
  }) : (tensor<i1>) -> (tensor<2x3xi32>, tensor<2x3xi32>)"""))
add("tuple", lambda x, y: x * y, f(3), f(3), program=program("tensor<3xf32>; tensor<3xf32>", "tensor<3xf32>", """
  %t = stablehlo.tuple %0, %1 : tuple<tensor<3xf32>, tensor<3xf32>>
  %c = func.call @keep(%t) : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tuple<tensor<3xf32>, tensor<3xf32>>
  %a = stablehlo.get_tuple_element %c[0] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  %b = stablehlo.get_tuple_element %c[1] : (tuple<tensor<3xf32>, tensor<3xf32>>) -> tensor<3xf32>
  %r = stablehlo.multiply %a, %b : tensor<3xf32>""", """func.func private @keep(%t: tuple<tensor<3xf32>, tensor<3xf32>>) -> tuple<tensor<3xf32>, tensor<3xf32>> {
  return %t : tuple<tensor<3xf32>, tensor<3xf32>>
}"""))
add("nested_tuple", lambda x, y: y + 1, f(2), i(2, 2), program=program("tensor<2xf32>; tensor<2x2xi32>", "tensor<2x2xi32>", """
  %i = stablehlo.tuple %1 : tuple<tensor<2x2xi32>>
  %t = stablehlo.tuple %0, %i : tuple<tensor<2xf32>, tuple<tensor<2x2xi32>>>
  %k = stablehlo.get_tuple_element %t[1] : (tuple<tensor<2xf32>, tuple<tensor<2x2xi32>>>) -> tuple<tensor<2x2xi32>>
  %e = stablehlo.get_tuple_element %k[0] : (tuple<tensor<2x2xi32>>) -> tensor<2x2xi32>
  %c = stablehlo.constant dense<1> : tensor<2x2xi32>
  %r = stablehlo.add %e, %c : tensor<2x2xi32>"""))
add("composite_nested", lambda x: jnp.cos(x) + 1, f(2, 2), program=program("tensor<2x2xf32>", "tensor<2x2xf32>", """
  %r = stablehlo.composite "test.shifted_cosine" %0 {decomposition = @outer} : (tensor<2x2xf32>) -> tensor<2x2xf32>""", """func.func private @outer(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.composite "test.cosine" %x {decomposition = @inner} : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %o = stablehlo.constant dense<1.0> : tensor<2x2xf32>
  %s = stablehlo.add %c, %o : tensor<2x2xf32>
  return %s : tensor<2x2xf32>
}
func.func private @inner(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %c = stablehlo.cosine %x : tensor<2x2xf32>
  return %c : tensor<2x2xf32>
}"""))


def scan(x, first, reverse):
    last, seen = lax.scan(lambda s, v: (s * 0.5 + v, jnp.tanh(s)), first, x, reverse=reverse)
    return seen, last


for name, length, reverse in (("scan", 4, False), ("scan_reverse", 3, True), ("scan_long", 200, False), ("scan_long_reverse", 150, True)):
    add(name, lambda x, s, reverse=reverse: (lambda seen, last: (seen.T, last))(*scan(x.T, s, reverse)), f(2, length), f(2), program=program(
        f"tensor<2x{length}xf32>; tensor<2xf32>", f"tensor<2x{length}xf32>; tensor<2xf32>", f"""
  %r0, %r1 = "chlo.scan"(%0, %1) <{{dimension = 1 : i64, is_reverse = {str(reverse).lower()}, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 1, 1>}}> ({{
  ^bb0(%v: tensor<2xf32>, %s: tensor<2xf32>):
    %h = stablehlo.constant dense<0.5> : tensor<2xf32>
    %m = stablehlo.multiply %s, %h : tensor<2xf32>
    %n = stablehlo.add %m, %v : tensor<2xf32>
    %t = stablehlo.tanh %s : tensor<2xf32>
    stablehlo.return %t, %n : tensor<2xf32>, tensor<2xf32>
  }}) : (tensor<2x{length}xf32>, tensor<2xf32>) -> (tensor<2x{length}xf32>, tensor<2xf32>)"""))

# ---- collectives of one device ----
SUM = "({\n^bb0(%a: tensor<ELEMENT>, %b: tensor<ELEMENT>):\n%s = stablehlo.add %a, %b : tensor<ELEMENT>\nstablehlo.return %s : tensor<ELEMENT>\n})"
for type_, given in (("f32", f(2, 4)), ("i32", i(2, 4))):
    x = f"tensor<2x4x{type_}>"
    same = lambda x: x  # noqa: E731
    groups = "replica_groups = dense<0> : tensor<1x1xi64>"
    body = SUM.replace("ELEMENT", type_)
    for name, text in (
        ("all_reduce", f'"stablehlo.all_reduce"(%0) {body} {{{groups}}}'),
        ("reduce_scatter", f'"stablehlo.reduce_scatter"(%0) {body} {{{groups}, scatter_dimension = 1 : i64}}'),
        ("all_gather", f'"stablehlo.all_gather"(%0) {{{groups}, all_gather_dim = 0 : i64}}'),
        ("all_to_all", f'"stablehlo.all_to_all"(%0) {{{groups}, split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 1 : i64}}'),
        ("collective_broadcast", f'"stablehlo.collective_broadcast"(%0) {{{groups}}}'),
        ("collective_permute", '"stablehlo.collective_permute"(%0) {source_target_pairs = dense<0> : tensor<1x2xi64>}')):  # fmt: skip
        add(f"{name}_{type_}", same, given, program=program(x, x, f"%r = {text} : ({x}) -> {x}"))
    for name in ("partition_id", "replica_id"):
        add(f"{name}_{type_}", lambda x: (-x, np.uint32(0)), given, program=program(x, f"{x}; tensor<ui32>", f"%r1 = stablehlo.{name} : tensor<ui32>\n%r0 = stablehlo.negate %0 : {x}"))
