# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops and branches: what they compute, forward and differentiated, against NumPy and JAX."""

import numpy as np
import pytest
from execute.harness import Program, close, type_of

LEVELS = pytest.mark.parametrize("opt_level", [0, 2])
INDICES = """%c0 = arith.constant 0 : index
%c1 = arith.constant 1 : index
%zero = raf.constant dense<0> : tensor<i64>"""


def program(arguments, body, results, passes=(), **options):
    """@main of arrays by name (those called w... are parameters), lines of IR and {result: type}."""
    inputs = ", ".join(f'%{n}: {type_of(a)} {{raf.name = "{n}", raf.role = "{"param" if n.startswith("w") else "input"}"}}' for n, a in arguments.items())
    types = ", ".join(f'{t} {{raf.name = "{n}"}}' for n, t in results.items())
    returned = f"return {', '.join(f'%{n}' for n in results)} : {', '.join(results.values())}"
    return Program(f"func.func @main({inputs}) -> ({types}) {{\n{INDICES}\n{body}\n{returned}\n}}", passes, **options)(arguments)


def real(*shape, seed=0):
    return np.random.default_rng(seed).uniform(-1.0, 1.0, shape).astype(np.float32)


COUNTER = """%n = arith.index_cast %i : index to i64
%t = tensor.from_elements %n : tensor<i64>"""


@LEVELS
@pytest.mark.parametrize("lower, upper, step", [(0, 5, 1), (0, 0, 1), (3, 12, 4), (5, 2, 1)])
def test_counted_loop(lower, upper, step, opt_level):
    body = f"""%lower = arith.constant {lower} : index
    %upper = arith.constant {upper} : index
    %step = arith.constant {step} : index
    %y = scf.for %i = %lower to %upper step %step iter_args(%c = %x) -> tensor<3xf32> {{
      {COUNTER}
      %f = raf.cast %t : tensor<i64> to tensor<f32>
      %g = raf.broadcast %f dims = [] : tensor<f32> to tensor<3xf32>
      %d = raf.mul %c, %g : tensor<3xf32>
      %e = raf.add %d, %x : tensor<3xf32>
      scf.yield %e : tensor<3xf32>
    }}"""
    x = real(3)
    expected = x
    for i in range(lower, upper, step):
        expected = expected * np.float32(i) + x
    close(program({"x": x}, body, {"y": "tensor<3xf32>"}, opt_level=opt_level)["y"], expected, 1e-5)


@LEVELS
@pytest.mark.parametrize("keyword, lower, upper, step", [("", 2, 7, 2), ("", -3, 2, 1), ("unsigned ", 0x7FFFFFFE, -0x7FFFFFFE, 1)])
def test_induction_variable_of_32_bits(keyword, lower, upper, step, opt_level):
    """Bounds without a sign count on past the largest number with one; such a loop has no gradient."""
    body = f"""%lower = arith.constant {lower} : i32
    %upper = arith.constant {upper} : i32
    %step = arith.constant {step} : i32
    %z = scf.for {keyword}%i = %lower to %upper step %step iter_args(%c = %x) -> (tensor<3xf32>) : i32 {{
      %t = tensor.from_elements %i : tensor<i32>
      %f = raf.cast %t : tensor<i32> to tensor<f32>
      %k = raf.constant dense<1.0e-9> : tensor<f32>
      %s = raf.mul %f, %k : tensor<f32>
      %g = raf.broadcast %s dims = [] : tensor<f32> to tensor<3xf32>
      %d = raf.mul %c, %w : tensor<3xf32>
      %e = raf.add %d, %g : tensor<3xf32>
      scf.yield %e : tensor<3xf32>
    }}
    %loss = raf.reduce sum %z dims = [0] : tensor<3xf32> -> tensor<f32>"""
    x, w = real(3), real(3, seed=1)
    y, dy = x, np.zeros_like(x)  # dy of w
    for i in range(lower, upper % 2**32 if keyword else upper, step):
        dy = dy * w + y
        y = y * w + np.float32(np.array(i).astype(np.int32)) * np.float32(1e-9)
    actual = program({"x": x, "w": w}, body, {"loss": "tensor<f32>"}, [] if keyword else ["raf-autodiff"], opt_level=opt_level)
    close(actual["loss"], y.sum(), 1e-4)
    if not keyword:
        close(actual["grad:w"], dy, 1e-4)


@LEVELS
def test_carried_values_trade_places(opt_level):
    body = """%c7 = arith.constant 7 : index
    %one = raf.constant dense<1.0> : tensor<3xf32>
    %a, %b, %c = scf.for %i = %c0 to %c7 step %c1 iter_args(%p = %x, %q = %y, %r = %one) -> (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) {
      scf.yield %q, %r, %p : tensor<3xf32>, tensor<3xf32>, tensor<3xf32>
    }"""
    x, y = real(3), real(3, seed=1)
    values = [x, y, np.ones(3, np.float32)]
    for _ in range(7):
        values = [values[1], values[2], values[0]]
    actual = program({"x": x, "y": y}, body, dict.fromkeys("abc", "tensor<3xf32>"), opt_level=opt_level)
    for name, expected in zip("abc", values):
        np.testing.assert_array_equal(actual[name], expected)


@LEVELS
def test_one_value_carried_twice(opt_level):
    body = """%c3 = arith.constant 3 : index
    %a, %b = scf.for %i = %c0 to %c3 step %c1 iter_args(%p = %x, %q = %x) -> (tensor<3xf32>, tensor<3xf32>) {
      %u = raf.add %p, %x : tensor<3xf32>
      %v = raf.mul %q, %u : tensor<3xf32>
      scf.yield %u, %v : tensor<3xf32>, tensor<3xf32>
    }"""
    x = real(3)
    p, q = x, x
    for _ in range(3):
        p, q = p + x, q * (p + x)
    actual = program({"x": x}, body, dict.fromkeys("ab", "tensor<3xf32>"), opt_level=opt_level)
    close(actual["a"], p, 1e-6)
    close(actual["b"], q, 1e-6)


WHILE = """%limit = raf.constant dense<100.0> : tensor<f32>
    %flag0 = raf.constant dense<false> : tensor<2xi1>
    %y, %n, %flag = scf.while (%c = %x, %k = %zero, %m = %flag0) : (tensor<2xf32>, tensor<i64>, tensor<2xi1>) -> (tensor<2xf32>, tensor<i64>, tensor<2xi1>) {
      %s = raf.reduce sum %c dims = [0] : tensor<2xf32> -> tensor<f32>
      %p = raf.compare lt %s, %limit : tensor<f32> -> tensor<i1>
      %q = tensor.extract %p[] : tensor<i1>
      scf.condition(%q) %c, %k, %m : tensor<2xf32>, tensor<i64>, tensor<2xi1>
    } do {
    ^bb0(%c: tensor<2xf32>, %k: tensor<i64>, %m: tensor<2xi1>):
      %d = raf.add %c, %c : tensor<2xf32>
      %one = raf.constant dense<1> : tensor<i64>
      %l = raf.add %k, %one : tensor<i64>
      %o = raf.not %m : tensor<2xi1>
      scf.yield %d, %l, %o : tensor<2xf32>, tensor<i64>, tensor<2xi1>
    }"""


@LEVELS
@pytest.mark.parametrize("start, trips", [([1.0, 2.0], 6), ([80.0, 90.0], 0)])
def test_while(start, trips, opt_level):
    x = np.array(start, np.float32)
    actual = program({"x": x}, WHILE, {"y": "tensor<2xf32>", "n": "tensor<i64>", "flag": "tensor<2xi1>"}, opt_level=opt_level)
    np.testing.assert_array_equal(actual["y"], x * 2.0**trips)
    assert actual["n"] == trips
    np.testing.assert_array_equal(actual["flag"], [trips % 2 == 1] * 2)


BRANCHES = """%q = tensor.extract %p[] : tensor<i1>
    %y, %z = scf.if %q -> (tensor<3xf32>, tensor<3xf32>) {
      %a = raf.mul %w, %x : tensor<3xf32>
      scf.yield %a, %x : tensor<3xf32>, tensor<3xf32>
    } else {
      %two = raf.constant dense<2.0> : tensor<3xf32>
      %a = raf.sin %w : tensor<3xf32>
      scf.yield %a, %two : tensor<3xf32>, tensor<3xf32>
    }"""


@LEVELS
@pytest.mark.parametrize("chosen", [False, True])
def test_if(chosen, opt_level):
    x, w = real(3), real(3, seed=1)
    actual = program({"p": np.array(chosen), "x": x, "w": w}, BRANCHES, dict.fromkeys("yz", "tensor<3xf32>"), opt_level=opt_level)
    close(actual["y"], w * x if chosen else np.sin(w), 1e-6)
    np.testing.assert_array_equal(actual["z"], x if chosen else np.full(3, 2.0))


@LEVELS
@pytest.mark.parametrize("index", [-1, 0, 1, 2, 9])
def test_switch(index, opt_level):
    body = """%k = tensor.extract %n[] : tensor<i32>
    %j = arith.index_cast %k : i32 to index
    %y = scf.index_switch %j -> tensor<3xf32>
    case 0 { %a = raf.add %x, %x : tensor<3xf32>
      scf.yield %a : tensor<3xf32> }
    case 1 { %a = raf.mul %x, %x : tensor<3xf32>
      scf.yield %a : tensor<3xf32> }
    default { scf.yield %x : tensor<3xf32> }"""
    x = real(3)
    actual = program({"n": np.array(index, np.int32), "x": x}, body, {"y": "tensor<3xf32>"}, opt_level=opt_level)
    close(actual["y"], x + x if index == 0 else x * x if index == 1 else x, 1e-6)


# y[i] = h after i + 1 steps of an inner loop of two steps each, with a branch in it.
NESTED = f"""%c2 = arith.constant 2 : index
    %c4 = arith.constant 4 : index
    %ys = raf.constant dense<0.0> : tensor<4x3xf32>
    %h, %y = scf.for %i = %c0 to %c4 step %c1 iter_args(%h0 = %x, %y0 = %ys) -> (tensor<3xf32>, tensor<4x3xf32>) {{
      {COUNTER}
      %g = scf.for %j = %c0 to %c2 step %c1 iter_args(%g0 = %h0) -> (tensor<3xf32>) {{
        %row = raf.dynamic_slice %w[%t, %zero] : tensor<4x3xf32>, tensor<i64> -> tensor<1x3xf32>
        %v = raf.reshape %row : tensor<1x3xf32> to tensor<3xf32>
        %u = raf.mul %g0, %v : tensor<3xf32>
        %s = raf.sin %u : tensor<3xf32>
        %total = raf.reduce sum %s dims = [0] : tensor<3xf32> -> tensor<f32>
        %none = raf.constant dense<0.0> : tensor<f32>
        %p = raf.compare gt %total, %none : tensor<f32> -> tensor<i1>
        %q = tensor.extract %p[] : tensor<i1>
        %r = scf.if %q -> (tensor<3xf32>) {{
          %e = raf.exp %s : tensor<3xf32>
          scf.yield %e : tensor<3xf32>
        }} else {{
          %e = raf.sub %s, %g0 : tensor<3xf32>
          scf.yield %e : tensor<3xf32>
        }}
        scf.yield %r : tensor<3xf32>
      }}
      %line = raf.reshape %g : tensor<3xf32> to tensor<1x3xf32>
      %y1 = raf.dynamic_update_slice %y0, %line[%t, %zero] : tensor<4x3xf32>, tensor<1x3xf32>, tensor<i64>
      scf.yield %g, %y1 : tensor<3xf32>, tensor<4x3xf32>
    }}
    %sq = raf.mul %y, %y : tensor<4x3xf32>
    %loss = raf.reduce sum %sq dims = [0, 1] : tensor<4x3xf32> -> tensor<f32>"""


def nested(jnp, lax, x, w):
    def inner(g, v):
        s = jnp.sin(g * v)
        return jnp.where(s.sum() > 0, jnp.exp(s), s - g)

    h, rows = x, []
    for v in w:
        h = inner(inner(h, v), v)
        rows.append(h)
    return (jnp.stack(rows) ** 2).sum()


@LEVELS
def test_nested_loop_and_its_gradient(opt_level):
    jax = pytest.importorskip("jax")
    x, w = real(3), real(4, 3, seed=1)
    loss, grad = jax.value_and_grad(lambda w: nested(jax.numpy, jax.lax, x, w))(w)
    actual = program({"x": x, "w": w}, NESTED, {"loss": "tensor<f32>"}, ["raf-autodiff"], opt_level=opt_level)
    close(actual["loss"], loss, 1e-5)
    close(actual["grad:w"], grad, 1e-4)


@LEVELS
@pytest.mark.parametrize("chosen", [False, True])
def test_gradient_of_if(chosen, opt_level):
    body = BRANCHES + "\n%s = raf.mul %y, %z : tensor<3xf32>\n%loss = raf.reduce sum %s dims = [0] : tensor<3xf32> -> tensor<f32>"
    x, w = real(3), real(3, seed=1)
    actual = program({"p": np.array(chosen), "x": x, "w": w}, body, {"loss": "tensor<f32>"}, ["raf-autodiff"], opt_level=opt_level)
    close(actual["grad:w"], x * x if chosen else 2 * np.cos(w), 1e-5)


RECURRENCE = f"""%c5 = arith.constant 5 : index
    %h = scf.for %i = %c0 to %c5 step %c1 iter_args(%h0 = %x) -> (tensor<3xf32>) {{
      %m = raf.mul %h0, %w : tensor<3xf32>
      %a = raf.sin %m : tensor<3xf32>
      scf.yield %a : tensor<3xf32>
    }}
    %loss = raf.reduce sum %h dims = [0] : tensor<3xf32> -> tensor<f32>"""


def test_second_derivative_of_loop():
    """The pass on its own output: the product of the Hessian with a vector."""
    jax = pytest.importorskip("jax")
    x, w, v = real(3), real(3, seed=1), real(3, seed=2)

    def loss(w):
        h = x
        for _ in range(5):
            h = jax.numpy.sin(h * w)
        return h.sum()

    given = {"x": x, "w": w, "cotangent:grad:w": v}
    inputs = ", ".join(f'%{n}: tensor<3xf32> {{raf.name = "{n}", raf.role = "{"param" if n == "w" else "input"}"}}' for n in "xw")
    asm = f'func.func @main({inputs}) -> (tensor<f32> {{raf.name = "loss"}}) {{\n{INDICES}\n{RECURRENCE}\nreturn %loss : tensor<f32>\n}}'
    actual = Program(asm, ["raf-autodiff", "raf-autodiff{of=grad:w wrt=w}"])(given)
    close(actual["grad:w"], jax.grad(loss)(w), 1e-5)
    close(actual["grad:grad:w:w"], jax.grad(lambda w: jax.grad(loss)(w) @ v)(w), 1e-4)


def test_loop_is_updated_in_place():
    """A loop that writes one row an iteration copies no other row: its body sees nothing of the stack but that row."""
    from raf import _core as core

    asm = f"""func.func @main(%x: tensor<3xf32> {{raf.name = "x", raf.role = "input"}}) -> (tensor<64x3xf32> {{raf.name = "y"}}) {{
    {INDICES}
    %c64 = arith.constant 64 : index
    %ys = raf.constant dense<0.0> : tensor<64x3xf32>
    %y = scf.for %i = %c0 to %c64 step %c1 iter_args(%y0 = %ys) -> (tensor<64x3xf32>) {{
      {COUNTER}
      %line = raf.reshape %x : tensor<3xf32> to tensor<1x3xf32>
      %y1 = raf.dynamic_update_slice %y0, %line[%t, %zero] : tensor<64x3xf32>, tensor<1x3xf32>, tensor<i64>
      scf.yield %y1 : tensor<64x3xf32>
    }}
    return %y : tensor<64x3xf32>
    }}"""
    passes = "raf-outline-regions,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,raf-inplace,raf-bufferize-host"
    text = core.run_pipeline(asm, f"builtin.module({passes})")
    body = text[text.index("@region_0_body("):]
    assert "memref<1x3xf32>" in body and "memref<64x3xf32>" not in body.split("func.func private @kernel")[0]


@LEVELS
@pytest.mark.parametrize("bound, limit", [(9, 5), (6, 100)], ids=["the value ends it", "the counter ends it"])
def test_gradient_of_a_loop_that_ends_by_itself(bound, limit, opt_level):
    """y <- 1.5 y + w while the sum of y is below a limit and a counter below a bound: the iterations that were taken are differentiated."""
    body = f"""%start = raf.constant dense<0> : tensor<i32>
    %one = raf.constant dense<1> : tensor<i32>
    %end = raf.constant dense<{bound}> : tensor<i32>
    %limit = raf.constant dense<{limit}.0> : tensor<f32>
    %factor = raf.constant dense<1.5> : tensor<3xf32>
    %k, %z = scf.while (%i = %start, %a = %w) : (tensor<i32>, tensor<3xf32>) -> (tensor<i32>, tensor<3xf32>) {{
      %s = raf.reduce sum %a dims = [0] : tensor<3xf32> -> tensor<f32>
      %0 = raf.compare lt %s, %limit : tensor<f32> -> tensor<i1>
      %1 = raf.compare lt %i, %end : tensor<i32> -> tensor<i1>
      %p = raf.and %0, %1 : tensor<i1>
      %q = tensor.extract %p[] : tensor<i1>
      scf.condition(%q) %i, %a : tensor<i32>, tensor<3xf32>
    }} do {{
    ^bb0(%i: tensor<i32>, %a: tensor<3xf32>):
      %b = raf.mul %a, %factor : tensor<3xf32>
      %c = raf.mul %a, %w : tensor<3xf32>
      %d = raf.add %b, %c : tensor<3xf32>
      %j = raf.add %i, %one : tensor<i32>
      scf.yield %j, %d : tensor<i32>, tensor<3xf32>
    }}
    %sq = raf.mul %z, %z : tensor<3xf32>
    %loss = raf.reduce sum %sq dims = [0] : tensor<3xf32> -> tensor<f32>"""
    w = np.array([0.3, 0.1, 0.2], np.float32)
    y, dy, taken = w.astype(np.float64), np.ones(3), 0
    while y.sum() < limit and taken < bound:
        y, dy, taken = y * (1.5 + w), dy * (1.5 + w) + y, taken + 1
    assert 0 < taken <= bound
    actual = program({"w": w}, body, {"loss": "tensor<f32>"}, ["raf-autodiff"], opt_level=opt_level)
    close(actual["loss"], (y * y).sum(), 1e-5)
    close(actual["grad:w"], 2 * y * dy, 1e-5)
