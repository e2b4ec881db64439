# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The differentiable ops of the raf dialect, one row or more each: IR, operands and the same function in JAX.

In a row's text, {a}, {b} ... are the types of the operands %a, %b ... and {y} is the type of the result %y; they follow from the arrays. {w} is the element type of sums,
f32 where the operands have 16 bits. Integer arrays are not differentiated. `smooth=False` is for points where finite differences mean nothing (ties and kinks)."""

import hashlib
import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax


@dataclass(frozen=True)
class Case:
    op: str
    text: str
    operands: tuple[np.ndarray, ...]
    reference: Callable[..., Any] | None
    label: str = ""
    smooth: bool = True
    shape: tuple[int, ...] | None = None  # of the result, where there is no reference
    large: bool = False  # takes minutes on the simulated device; a smaller row is for that

    def __str__(self) -> str:
        shapes = "_".join("x".join(map(str, a.shape)) or "scalar" for a in self.operands)
        return "-".join(part for part in (self.op, self.label, shapes) if part)


CASES: list[Case] = []
SHAPES = [(4, 8), (3, 7, 5), (1,), ()]
_rng = np.random.default_rng(7)


def real(*shape: int, low: float = -2.0, high: float = 2.0) -> np.ndarray:
    return np.asarray(_rng.uniform(low, high, shape))


def index(*shape: int, size: int, dtype: Any = np.int64) -> np.ndarray:
    return np.asarray(_rng.integers(0, size, shape), dtype)


def row(op: str, text: str, operands: Sequence[np.ndarray], reference: Callable[..., Any] | None, **options: Any) -> None:
    CASES.append(Case(op, text, tuple(operands), reference, **options))


# ===-- elementwise -----------------------------------------------------------------------------------------------===


def unary(op: str, reference: Callable[..., Any], low: float = -2.0, high: float = 2.0, at: Sequence[float] | None = None, text: str = "") -> None:
    """At ordinary and odd shapes, and at the points `at` where the dialect has a convention."""
    text = text or f"%y = raf.{op} %a : {{a}}"
    for shape in SHAPES:
        row(op, text, [real(*shape, low=low, high=high)], reference)
    if at is not None:
        row(op, text, [np.array(at, np.float64)], reference, label="edges", smooth=False)


unary("neg", jnp.negative)
# JAX takes 1 at 0; the dialect takes 0, as PyTorch does.
unary("abs", lambda a: a * lax.stop_gradient(jnp.sign(a)), at=[0.0, -1.0, 1.0])
unary("sign", jnp.sign)
unary("floor", jnp.floor)
unary("ceil", jnp.ceil)
unary("round", jnp.round)
unary("exp", jnp.exp, at=[-700.0, 0.0, 700.0])
unary("expm1", jnp.expm1, at=[1e-12, 0.0, 30.0])
unary("log", jnp.log, 0.25, 4.0)
unary("log1p", jnp.log1p, -0.5, 4.0, at=[1e-12, 0.0])
unary("sqrt", jnp.sqrt, 0.25, 4.0, at=[0.0])
unary("rsqrt", lax.rsqrt, 0.25, 4.0)
unary("sin", jnp.sin)
unary("cos", jnp.cos)
unary("tanh", jnp.tanh, at=[-40.0, 0.0, 40.0])
unary("cbrt", jnp.cbrt, low=0.3)
unary("cbrt", jnp.cbrt, low=-2.0, high=-0.3)
unary("sigmoid", jax.nn.sigmoid, at=[-40.0, 0.0, 40.0])
unary("erf", lax.erf)
unary("relu", jax.nn.relu, at=[0.0, -1.0, 1.0])
unary("silu", jax.nn.silu, at=[-40.0, 0.0, 40.0])
unary("gelu", lambda a: jax.nn.gelu(a, approximate=False), text="%y = raf.gelu erf %a : {a}", at=[-40.0, 0.0, 40.0])
unary("gelu", lambda a: jax.nn.gelu(a, approximate=True), text="%y = raf.gelu tanh %a : {a}", at=[-40.0, 0.0, 40.0])


def binary(op: str, reference: Callable[..., Any], low: float = -2.0, high: float = 2.0, at: tuple[Sequence[float], Sequence[float]] | None = None) -> None:
    text = f"%y = raf.{op} %a, %b : {{a}}"
    for shape in SHAPES:
        row(op, text, [real(*shape, low=low, high=high), real(*shape, low=low, high=high)], reference)
    if at is not None:
        row(op, text, [np.array(values, np.float64) for values in at], reference, label="edges", smooth=False)


binary("add", jnp.add)
binary("sub", jnp.subtract)
binary("mul", jnp.multiply)
binary("div", jnp.divide, 0.5, 2.0)
binary("rem", lax.rem, 0.3, 5.0, at=([-5.0, 5.0, -7.5], [3.0, -3.0, -2.0]))
binary("atan2", jnp.arctan2, -2.0, 2.0)
binary("pow", lambda a, b: a**b, 0.5, 2.0, at=([0.0, 0.0, 2.0, 3.0], [2.0, 1.0, 0.0, -1.0]))
binary("maximum", jnp.maximum, at=([1.0, 2.0, -1.0], [1.0, 1.0, 3.0]))
binary("minimum", jnp.minimum, at=([1.0, 2.0, -1.0], [1.0, 1.0, 3.0]))
row("mul", "%y = raf.mul %a, %a : {a}", [real(4, 8)], jnp.square, label="square")
for exponent in (0.0, 0.5, 1.0, 2.0, 3.0, -1.5):
    row("pow", f"%c = raf.constant dense<{exponent}> : {{a}}\n  %y = raf.pow %a, %c : {{a}}", [real(4, 8, low=0.5)], lambda a, e=exponent: a**e, label=f"by{exponent}")
row("select", "%y = raf.select %a, %b, %c : {b}", [index(4, 8, size=2, dtype=np.bool_), real(4, 8), real(4, 8)], jnp.where)
row("cast", "%f = raf.cast %a : {a} to tensor<4x8xf32>\n  %y = raf.cast %f : tensor<4x8xf32> to {a}", [np.float64(np.float32(real(4, 8)))], lambda a: a.astype(jnp.float32).astype(jnp.float64), smooth=False)

# ===-- shape -----------------------------------------------------------------------------------------------------===

row("broadcast", "%y = raf.broadcast %a dims = [1] : {a} to {y}", [real(8)], lambda a: jnp.broadcast_to(a, (4, 8)))
row("broadcast", "%y = raf.broadcast %a dims = [1, 3] : {a} to {y}", [real(5, 1)], lambda a: jnp.broadcast_to(a[None, :, None], (2, 5, 3, 7)), label="unit")
row("broadcast", "%y = raf.broadcast %a dims = [] : {a} to {y}", [real()], lambda a: jnp.broadcast_to(a, (3, 5)), label="scalar")
row("reshape", "%y = raf.reshape %a : {a} to {y}", [real(3, 8)], lambda a: a.reshape(2, 3, 4))
row("transpose", "%y = raf.transpose %a permutation = [1, 2, 0] : {a} -> {y}", [real(3, 5, 7)], lambda a: a.transpose(1, 2, 0))
row("slice", "%y = raf.slice %a starts = [1, 2] limits = [4, 8] strides = [1, 1] : {a} -> {y}", [real(4, 9)], lambda a: a[1:4, 2:8])
row("slice", "%y = raf.slice %a starts = [0, 1] limits = [7, 9] strides = [3, 2] : {a} -> {y}", [real(7, 10)], lambda a: a[::3, 1:9:2], label="strided")
for label, low, high, interior in (("edges", (1, 0), (2, 3), (0, 0)), ("interior", (0, 1), (1, 0), (2, 1)), ("crop", (1, -2), (-1, -1), (0, 0)), ("crop_interior", (-1, 0), (1, -3), (1, 2))):
    row("pad", f"%y = raf.pad %a low = {list(low)} high = {list(high)} interior = {list(interior)} value = 0.5 : {{a}} -> {{y}}", [real(4, 7)],
        lambda a, c=tuple(zip(low, high, interior)): lax.pad(a, 0.5, c), label=label)
row("concat", "%y = raf.concat %a, %b, %c axis = 1 : ({a}, {b}, {c}) -> {y}", [real(4, 8), real(4, 1), real(4, 3)], lambda *xs: jnp.concatenate(xs, 1))
row("reverse", "%y = raf.reverse %a dims = [0, 2] : {a}", [real(3, 5, 7)], lambda a: a[::-1, :, ::-1])

# ===-- reductions ------------------------------------------------------------------------------------------------===

for kind, function in (("sum", jnp.sum), ("prod", jnp.prod), ("max", jnp.max), ("min", jnp.min)):
    for shape, dims in (((4, 8), (1,)), ((3, 7, 5), (0, 2)), ((2, 3, 5), (0, 1, 2)), ((5, 1), (1,)), ((1,), (0,))):
        row("reduce", f"%y = raf.reduce {kind} %a dims = {list(dims)} : {{a}} -> {{y}}", [real(*shape, low=0.5)], lambda a, f=function, d=dims: f(a, d), label=kind)
row("reduce", "%y = raf.reduce prod %a dims = [1] : {a} -> {y}", [np.array([[0.0, 2.0, 3.0], [0.0, 0.0, 5.0], [1.0, 2.0, 3.0]])], lambda a: a.prod(1), label="zeros")
row("reduce", "%y = raf.reduce max %a dims = [1] : {a} -> {y}", [np.array([[3.0, 2.0, 3.0], [1.0, 1.0, 1.0]])], lambda a: a.max(1), label="ties", smooth=False)
row("reduce", "%y = raf.reduce min %a dims = [1] : {a} -> {y}", [np.array([[3.0, 2.0, 2.0], [1.0, 1.0, 1.0]])], lambda a: a.min(1), label="ties", smooth=False)
row("cumsum", "%y = raf.cumsum %a axis = 1 : {a}", [real(4, 7)], lambda a: jnp.cumsum(a, 1))
row("cumsum", "%y = raf.cumsum %a axis = 0 exclusive : {a}", [real(5, 3)], lambda a: jnp.cumsum(a, 0) - a, label="exclusive")
row("cumsum", "%y = raf.cumsum %a axis = 1 exclusive reverse : {a}", [real(3, 5, 2)], lambda a: lax.cumsum(a, 1, reverse=True) - a, label="reverse")

# ===-- products --------------------------------------------------------------------------------------------------===

for batch, m, k, n in (((), 4, 8, 6), ((2, 3), 5, 7, 3), ((), 1, 3, 1)):
    for ta in (False, True):
        for tb in (False, True):
            flags = " transpose_lhs" * ta + " transpose_rhs" * tb
            row("matmul", f"%y = raf.matmul %a, %b{flags} : {{a}}, {{b}} -> {{y}}", [real(*batch, *((k, m) if ta else (m, k))), real(*batch, *((n, k) if tb else (k, n)))],
                lambda a, b, ta=ta, tb=tb: (a.mT if ta else a) @ (b.mT if tb else b), label=("t" if ta else "n") + ("t" if tb else "n"))


def attention(q: Any, k: Any, v: Any, bias: Any = None, scale: float = 0.5, causal: bool = False) -> Any:
    k, v = (jnp.repeat(x, q.shape[1] // k.shape[1], 1) for x in (k, v))
    scores = scale * q @ k.mT
    if bias is not None:
        scores = scores + bias
    t, s = scores.shape[-2:]
    if causal:
        scores = jnp.where(jnp.arange(s) <= jnp.arange(t)[:, None] + (s - t), scores, -jnp.inf)
    return jax.nn.softmax(scores, -1) @ v


def attention_row(sizes: tuple[int, ...], flags: str = "", bias: tuple[int, ...] | None = None, label: str = "", dropout: float = 0.0, scale: float = 0.5, large: bool = False) -> None:
    """sizes are b, h, g, t, s, d, e, and bias has the first two or three of its own. With dropout there is no counterpart in JAX."""
    b, h, g, t, s, d, e = sizes
    operands = [real(b, h, t, d), real(b, g, s, d), real(b, g, s, e), *([real(*(*bias, t)[:3], s)] if bias else [])]
    names, types = ("%a, %b, %c bias %d", "{a}, {b}, {c}, {d}") if bias else ("%a, %b, %c", "{a}, {b}, {c}")
    constants = ""
    if dropout:
        constants = "%seed = raf.constant dense<5> : tensor<i64>\n  %step = raf.constant dense<3> : tensor<i64>\n  "
        names, types = f"{names} dropout(%seed, %step) ratio = {dropout} op_id = 7", types + ", tensor<i64>, tensor<i64>"
    reference = None if dropout else lambda *x: attention(*x, scale=scale, causal="causal" in flags)
    lse = f"tensor<{b}x{h}x{t}x{{w}}>"
    row("attention", f"{constants}%y, %s = raf.attention {names} scale = {scale} {flags} : ({types}) -> ({{y}}, {lse})", operands, reference, label=label, shape=(b, h, t, e), large=large)
    if label or dropout:
        return

    def logsumexp(q: Any, k: Any, v: Any) -> Any:
        return jax.nn.logsumexp(scale * q @ k.mT, -1)

    row("attention", f"%u, %s = raf.attention {names} scale = {scale} : ({types}) -> ({{a}}, {lse})\n  %y = raf.cast %s : {lse} to {{y}}", operands, logsumexp, label="lse")


def attention_grad(q: Any, k: Any, v: Any, dy: Any, lse: Any, delta: Any) -> Any:
    p = jnp.exp(0.5 * q @ k.mT - lse[..., None])
    return 0.5 * (p * (dy @ v.mT - delta[..., None])) @ k


attention_row((2, 2, 2, 4, 6, 8, 8))
attention_row((1, 4, 2, 5, 7, 3, 2), "causal", label="causal_grouped", scale=0.25)
attention_row((2, 2, 1, 3, 5, 4, 4), bias=(1, 2), label="bias")
attention_row((2, 2, 2, 3, 5, 4, 4), "causal", bias=(2, 1), label="bias_of_batch")
attention_row((2, 2, 1, 3, 5, 4, 4), bias=(2, 1, 1), label="bias_of_keys")
attention_row((2, 2, 1, 5, 5, 4, 3), "causal", bias=(1, 1), label="dropout", dropout=0.3)


def tiled_attention_rows(few: int, some: int, many: int, large: bool) -> None:
    prefix = "large_" * large
    attention_row((4, 2, 1, few, few, 2, 3), "causal", bias=(4, 1), label=f"{prefix}tiles_of_batches", large=large)
    attention_row((2, 2, 2, some, some + 10, 2, 2), bias=(1, 2), label=f"{prefix}tiles_in_blocks", large=large)
    attention_row((2, 4, 2, many, many, 2, 2), "causal", bias=(1, 4), label=f"{prefix}tiles_of_heads", large=large)
    attention_row((2, 2, 2, some, some + 10, 2, 2), "causal", bias=(1, 2, 1), label=f"{prefix}tiles_with_bias_of_keys", large=large)
    attention_row((4, 2, 1, few, few, 2, 2), "causal", label=f"{prefix}dropout_tiles", dropout=0.3, large=large)


# Several tiles on the CPU: in f64 two batches a tile, one batch in blocks of rows, some heads of a batch. And on a device, whose tiles are of at most 64 rows.
tiled_attention_rows(150, 300, 700, large=True)
tiled_attention_rows(70, 100, 135, large=False)
_rows = "tensor<2x2x4x{w}>"
row("attention_grad",
    f"%l = raf.cast %e : {{e}} to {_rows}\n  %m = raf.cast %f : {{f}} to {_rows}\n"
    f"  %y, %k, %v = raf.attention_grad %a, %b, %c, %d, %l, %m scale = 0.5 : ({{a}}, {{b}}, {{c}}, {{d}}, {_rows}, {_rows}) -> ({{a}}, {{b}}, {{c}})",
    [real(2, 2, 4, 3), real(2, 2, 5, 3), real(2, 2, 5, 3), real(2, 2, 4, 3), real(2, 2, 4, low=2.0, high=4.0), real(2, 2, 4)], attention_grad)

# ===-- convolutions and pools ------------------------------------------------------------------------------------===

CONVS: dict[str, dict[str, Any]] = {
    "plain": {"x": (2, 3, 8, 8), "w": (4, 3, 3, 3), "strides": (1, 1), "low": (1, 1), "high": (1, 1), "dilations": (1, 1)},
    "odd": {"x": (1, 4, 7, 9), "w": (6, 2, 3, 2), "strides": (2, 3), "low": (1, 0), "high": (0, 2), "dilations": (1, 2), "groups": 2},
    "depthwise": {"x": (2, 3, 5, 5), "w": (3, 1, 3, 3), "strides": (2, 2), "low": (1, 1), "high": (1, 1), "dilations": (1, 1), "groups": 3},
    "crop": {"x": (1, 2, 7, 7), "w": (2, 2, 1, 1), "strides": (2, 2), "low": (-1, 0), "high": (0, -1), "dilations": (1, 1)},
    "line": {"x": (2, 2, 11), "w": (3, 2, 4), "strides": (2,), "low": (2,), "high": (1,), "dilations": (2,)},
    "volume": {"x": (1, 2, 3, 4, 5), "w": (2, 2, 2, 2, 3), "strides": (1, 1, 2), "low": (0, 1, 1), "high": (1, 0, 1), "dilations": (1, 1, 1)},
    "last": {"x": (2, 6, 5, 3), "w": (4, 3, 3, 2), "strides": (1, 2), "low": (1, 0), "high": (1, 1), "dilations": (1, 1), "layout": "channels_last"},
}


def conv(x: Any, w: Any, strides: Any, low: Any, high: Any, dilations: Any, groups: int = 1, layout: str = "channels_first") -> Any:
    first = layout == "channels_first"
    spatial = "DHW"[-len(strides):]
    x_dims, w_dims = ("NC" + spatial if first else "N" + spatial + "C"), "OI" + spatial
    return lax.conv_general_dilated(x, w, strides, list(zip(low, high)), rhs_dilation=dilations, feature_group_count=groups, dimension_numbers=(x_dims, w_dims, x_dims))


for label, c in CONVS.items():
    attributes = (f"strides = {list(c['strides'])} pad_low = {list(c['low'])} pad_high = {list(c['high'])} dilations = {list(c['dilations'])} "
                  f"groups = {c.get('groups', 1)} layout = {c.get('layout', 'channels_first')} : ({{a}}, {{b}}) -> {{y}}")
    x, w = real(*c["x"]), real(*c["w"])
    call = {k: v for k, v in c.items() if k not in ("x", "w")}
    y_shape = jax.eval_shape(lambda x, w, o=call: conv(x, w, **o), x, w).shape
    row("conv", "%y = raf.conv %a, %b " + attributes, [x, w], lambda x, w, o=call: conv(x, w, **o), label=label)
    row("conv_input_grad", "%y = raf.conv_input_grad %a, %b " + attributes, [real(*y_shape), w],
        lambda dy, w, o=call, x=x: jax.vjp(lambda x: conv(x, w, **o), x)[1](dy)[0], label=label)
    row("conv_weight_grad", "%y = raf.conv_weight_grad %a, %b " + attributes, [x, real(*y_shape)],
        lambda x, dy, o=call, w=w: jax.vjp(lambda w: conv(x, w, **o), w)[1](dy)[0], label=label)

POOLS: dict[str, dict[str, Any]] = {
    "plain": {"x": (2, 3, 8, 8), "kernel": (2, 2), "strides": (2, 2), "low": (0, 0), "high": (0, 0), "dilations": (1, 1)},
    "overlap": {"x": (1, 2, 7, 9), "kernel": (3, 2), "strides": (2, 1), "low": (1, 0), "high": (1, 1), "dilations": (1, 2)},
    "line": {"x": (2, 3, 11), "kernel": (4,), "strides": (3,), "low": (1,), "high": (2,), "dilations": (1,)},
    "last": {"x": (2, 6, 5, 3), "kernel": (3, 3), "strides": (1, 2), "low": (1, 1), "high": (1, 1), "dilations": (1, 1), "layout": "channels_last"},
}


def pool(x: Any, start: float, function: Any, kernel: Any, strides: Any, low: Any, high: Any, dilations: Any, layout: str = "channels_first") -> Any:
    def full(values: Any, other: Any) -> Any:
        return (other, *values, other) if layout == "channels_last" else (other, other, *values)

    return lax.reduce_window(x, start, function, full(kernel, 1), full(strides, 1), full(list(zip(low, high)), (0, 0)), window_dilation=full(dilations, 1))


def taps(x: Any, padding: float, kernel: Any, strides: Any, low: Any, high: Any, dilations: Any) -> Any:
    """The elements under each tap of the window, channels first: [taps, n, c, spatial...]. By slices: JAX cannot differentiate the reduction of dilated windows."""
    x = jnp.pad(x, [(0, 0), (0, 0), *zip(low, high)], constant_values=padding)
    sizes = [(d - (k - 1) * g - 1) // s + 1 for d, k, g, s in zip(x.shape[2:], kernel, dilations, strides)]
    return jnp.stack([x[(slice(None), slice(None), *(slice(a * g, a * g + (n - 1) * s + 1, s) for a, g, n, s in zip(at, dilations, sizes, strides)))]
                      for at in itertools.product(*map(range, kernel))])


def largest(x: Any, layout: str = "channels_first", **window: Any) -> Any:
    """Where several are equal the first is taken, so that it alone has a gradient: max would divide it among them."""
    last = layout == "channels_last"
    values = taps(jnp.moveaxis(x, -1, 1) if last else x, -jnp.inf, **window)
    y = jnp.take_along_axis(values, values.argmax(0)[None], 0)[0]
    return jnp.moveaxis(y, 1, -1) if last else y


def place_of_largest(x: Any, layout: str = "channels_first", **window: Any) -> np.ndarray:
    """Row-major positions of the maxima in the plane of x."""
    last = layout == "channels_last"
    x = jnp.moveaxis(x, -1, 1) if last else x
    plane = np.broadcast_to(np.arange(np.prod(x.shape[2:]), dtype=np.int32).reshape(x.shape[2:]), x.shape)
    winner = taps(x, -jnp.inf, **window).argmax(0)
    y = jnp.take_along_axis(taps(plane, -1, **window), winner[None], 0)[0]
    return np.asarray(jnp.moveaxis(y, 1, -1) if last else y, np.int32)


def average(x: Any, include: bool, **o: Any) -> Any:
    if include:
        return pool(x, 0.0, lax.add, **o) / np.prod(o["kernel"])
    return pool(x, 0.0, lax.add, **o) / pool(jnp.ones_like(x), 0.0, lax.add, **o)


def scatter(dy: Any, places: Any, x_shape: Any, last: bool) -> Any:
    """dy added at `places`, row-major positions in the plane of x."""
    def move(a: Any) -> Any:
        a = jnp.moveaxis(a, -1, 1) if last else a
        return a.reshape(a.shape[0] * a.shape[1], -1)

    planes = x_shape[0] * (x_shape[-1] if last else x_shape[1])
    spatial = x_shape[1:-1] if last else x_shape[2:]
    flat = jnp.zeros((planes, int(np.prod(spatial))), dy.dtype).at[jnp.arange(planes)[:, None], move(places)].add(move(dy))
    y = flat.reshape(x_shape[0], -1, *spatial)
    return jnp.moveaxis(y, 1, -1) if last else y


for label, c in POOLS.items():
    call = {k: v for k, v in c.items() if k != "x"}
    attributes = (f"kernel = {list(c['kernel'])} strides = {list(c['strides'])} pad_low = {list(c['low'])} pad_high = {list(c['high'])} dilations = {list(c['dilations'])} "
                  f"layout = {c.get('layout', 'channels_first')}")
    x, last = real(*c["x"]), c.get("layout") == "channels_last"
    y_shape = jax.eval_shape(lambda x, o=call: pool(x, 0.0, lax.add, **o), x).shape
    integers = "tensor<" + "x".join(map(str, y_shape)) + "xi32>"
    row("max_pool", f"%y, %i = raf.max_pool %a {attributes} : ({{a}}) -> ({{y}}, {integers})", [x], lambda x, o=call: largest(x, **o), label=label)
    row("max_pool_grad", f"%y = raf.max_pool_grad %a, %b {attributes} : ({{a}}, {{b}}) -> ({{y}})", [real(*y_shape), place_of_largest(x, **call)],
        lambda dy, i, s=c["x"], last=last: scatter(dy, i, s, last), label=label)
    for include in (False, True):
        flag = "count_include_pad " if include else ""
        row("avg_pool", f"%y = raf.avg_pool %a {flag}{attributes} : ({{a}}) -> ({{y}})", [x], lambda x, o=call, i=include: average(x, i, **o), label=label + "_all" * include)
        row("avg_pool_grad", f"%y = raf.avg_pool_grad %a {flag}{attributes} : ({{a}}) -> ({{y}})", [real(*y_shape)],
            lambda dy, o=call, i=include, x=x: jax.vjp(lambda x: average(x, i, **o), x)[1](dy)[0], label=label + "_all" * include)

_ties: dict[str, Any] = {"kernel": (3, 2), "strides": (2, 1), "low": (1, 0), "high": (1, 1), "dilations": (1, 1)}
row("max_pool", "%y, %i = raf.max_pool %a kernel = [3, 2] strides = [2, 1] pad_low = [1, 0] pad_high = [1, 1] dilations = [1, 1] layout = channels_first : ({a}) -> ({y}, tensor<2x2x4x9xi32>)",
    [np.random.default_rng(8).integers(0, 3, (2, 2, 7, 9)).astype(np.float64)], lambda x: largest(x, **_ties), label="ties", smooth=False)

# ===-- normalization ---------------------------------------------------------------------------------------------===

for shape, axis in (((4, 8), 1), ((3, 5, 2), 1), ((1,), 0)):
    row("softmax", f"%y = raf.softmax %a axis = {axis} : {{a}}", [real(*shape)], lambda a, n=axis: jax.nn.softmax(a, n))
    row("log_softmax", f"%y = raf.log_softmax %a axis = {axis} : {{a}}", [real(*shape)], lambda a, n=axis: jax.nn.log_softmax(a, n))


def statistics(x: Any, axes: tuple[int, ...], epsilon: float = 1e-3) -> tuple[Any, Any, Any]:
    mean, var = x.mean(axes, keepdims=True), x.var(axes, keepdims=True)
    return mean, var, lax.rsqrt(var + epsilon)


def layer_norm(x: Any, scale: Any, bias: Any, axis: int) -> Any:
    mean, _, rstd = statistics(x, tuple(range(axis, x.ndim)))
    return (x - mean) * rstd * scale + bias


def rms_norm(x: Any, scale: Any, axis: int) -> tuple[Any, Any]:
    axes = tuple(range(axis, x.ndim))
    rstd = lax.rsqrt((x * x).mean(axes, keepdims=True) + 1e-3)
    return x * rstd * scale, rstd.squeeze(axes)


for shape, axis in (((4, 8), 1), ((3, 5, 7), 2), ((2, 3, 5), 1), ((3, 5), 0)):
    inner, outer = shape[axis:], "tensor<" + "".join(f"{d}x" for d in shape[:axis]) + "f64>"
    row("layer_norm", f"%y, %m, %r = raf.layer_norm %a, %b, %c axis = {axis} epsilon = 1.0e-3 : ({{a}}, {{b}}, {{c}}) -> ({{a}}, {outer}, {outer})",
        [real(*shape), real(*inner), real(*inner)], lambda x, s, b, n=axis: layer_norm(x, s, b, n))
    row("rms_norm", f"%y, %r = raf.rms_norm %a, %b axis = {axis} epsilon = 1.0e-3 : ({{a}}, {{b}}) -> ({{a}}, {outer})", [real(*shape), real(*inner)],
        lambda x, s, n=axis: rms_norm(x, s, n)[0])
row("layer_norm", "%z, %m, %r = raf.layer_norm %a, %b, %b axis = 1 epsilon = 1.0e-3 : ({a}, {b}, {b}) -> ({a}, {y}, {y})\n  %y = raf.mul %m, %r : {y}", [real(3, 5), real(5)],
    lambda x, s: jnp.multiply(*(v.squeeze(1) for v in statistics(x, (1,))[::2])), label="statistics")
row("rms_norm", "%z, %y = raf.rms_norm %a, %b axis = 1 epsilon = 1.0e-3 : ({a}, {b}) -> ({a}, {y})", [real(3, 5), real(5)], lambda x, s: rms_norm(x, s, 1)[1], label="statistics")


def batch_norm(x: Any, scale: Any, bias: Any, running_mean: Any, running_var: Any, axis: int = 1) -> tuple[Any, ...]:
    axes = tuple(d for d in range(x.ndim) if d != axis)
    wide = [-1 if d == axis else 1 for d in range(x.ndim)]
    mean, var, rstd = (v.squeeze(axes) for v in statistics(x, axes))
    y = (x - mean.reshape(wide)) * (rstd * scale).reshape(wide) + bias.reshape(wide)
    return y, 0.75 * running_mean + 0.25 * mean, 0.75 * running_var + 0.25 * var, mean, rstd


def batch_norm_grad(dy: Any, x: Any, scale: Any, mean: Any, rstd: Any) -> tuple[Any, ...]:
    axes = tuple(d for d in range(x.ndim) if d != 1)
    wide = [-1 if d == 1 else 1 for d in range(x.ndim)]
    normal = (x - mean.reshape(wide)) * rstd.reshape(wide)
    dbias, dscale, count = dy.sum(axes), (dy * normal).sum(axes), x.size / x.shape[1]
    return (scale * rstd).reshape(wide) * (dy - dbias.reshape(wide) / count - normal * dscale.reshape(wide) / count), dscale, dbias


for shape in ((4, 8), (2, 3, 5), (3, 2, 4, 5)):
    channels = [real(shape[1], low=0.5) for _ in range(4)]
    results = "{a}, {b}, {b}, {b}, {b}"
    row("batch_norm", f"%y, %n, %v, %m, %r = raf.batch_norm %a, %b, %c, %d, %e axis = 1 epsilon = 1.0e-3 momentum = 0.75 : ({{a}}, {{b}}, {{c}}, {{d}}, {{e}}) -> ({results})",
        [real(*shape), *channels], lambda *xs: batch_norm(*xs)[0])
    row("batch_norm_grad", "%y, %s, %t = raf.batch_norm_grad %a, %b, %c, %d, %e axis = 1 : ({a}, {b}, {c}, {d}, {e}) -> ({a}, {c}, {c})",
        [real(*shape), real(*shape), *channels[:3]], lambda *xs: batch_norm_grad(*xs)[0])
row("batch_norm", f"%z, %n, %v, %m, %r = raf.batch_norm %a, %b, %c, %d, %e axis = 1 epsilon = 1.0e-3 momentum = 0.75 : ({{a}}, {{b}}, {{c}}, {{d}}, {{e}}) -> ({results})\n"
    "  %0 = raf.mul %n, %v : {b}\n  %1 = raf.mul %m, %r : {b}\n  %y = raf.add %0, %1 : {b}", [real(4, 3), *(real(3, low=0.5) for _ in range(4))],
    lambda *xs: (lambda r: r[1] * r[2] + r[3] * r[4])(batch_norm(*xs)), label="statistics")
row("batch_norm", f"%z, %n, %v, %m, %r = raf.batch_norm %a, %b, %c, %d, %e axis = 2 epsilon = 1.0e-3 momentum = 0.75 : ({{a}}, {{b}}, {{c}}, {{d}}, {{e}}) -> ({results})\n"
    "  %y = raf.mul %z, %z : {a}", [real(4, 3, 5), *(real(5, low=0.5) for _ in range(4))], lambda *xs: batch_norm(*xs, axis=2)[0] ** 2, label="last")
row("batch_norm_grad", "%z, %s, %t = raf.batch_norm_grad %a, %b, %c, %d, %e axis = 1 : ({a}, {b}, {c}, {d}, {e}) -> ({a}, {c}, {c})\n  %y = raf.mul %s, %t : {c}",
    [real(4, 3), real(4, 3), *(real(3, low=0.5) for _ in range(3))], lambda *xs: (lambda r: r[1] * r[2])(batch_norm_grad(*xs)), label="parameters")

# ===-- indexing --------------------------------------------------------------------------------------------------===

OUTSIDE = np.array([[0, 3, -1], [3, 9, 1]])
for label, i in (("", index(2, 3, size=4)), ("i32", index(2, 3, size=4, dtype=np.int32)), ("outside", OUTSIDE)):
    row("gather", "%y = raf.gather %a, %b axis = 0 : {a}, {b} -> {y}", [real(4, 8), i], lambda x, i: jnp.take(x, i, 0, mode="clip"), label=label)
    row("gather", "%y = raf.gather %a, %b axis = 1 : {a}, {b} -> {y}", [real(3, 4, 5), i], lambda x, i: jnp.take(x, i, 1, mode="clip"), label=label + "_inner")
    row("scatter_add", "%y = raf.scatter_add %a, %b, %c axis = 0 : {a}, {b}, {c}", [real(4, 8), i, real(2, 3, 8)],
        lambda x, i, u: x.at[jnp.where((i < 0) | (i >= 4), 99, i)].add(u, mode="drop"), label=label)


def drop_outside(i: Any, size: int) -> Any:
    return jnp.where((i < 0) | (i >= size), 99, i)


# Each index once, then twice and outside: JAX gives no gradient for a product at an index that comes twice, so that is left to finite differences.
for label, i in (("", np.array([[2, 0, 3]])), ("outside", np.array([[2, -1, 1], [7, 0, 3]]))):
    row("scatter", "%y = raf.scatter set %a, %b, %c axis = 0 : {a}, {b}, {c}", [real(4, 3), i, real(*i.shape, 3)],
        lambda x, i, u: x.at[drop_outside(i, 4)].set(u, mode="drop"), label="set" + label)
    row("scatter", "%y = raf.scatter mul %a, %b, %c axis = 1 : {a}, {b}, {c}", [real(2, 4), i, real(2, *i.shape)],
        lambda x, i, u: x.at[:, drop_outside(i, 4)].mul(u, mode="drop", unique_indices=True), label="mul" + label)
    for kind in ("max", "min"):
        row("scatter", f"%y = raf.scatter {kind} %a, %b, %c axis = 0 : {{a}}, {{b}}, {{c}}", [real(4, 3), i, real(*i.shape, 3)],
            lambda x, i, u, k=kind: getattr(x.at[drop_outside(i, 4)], k)(u, mode="drop"), label=kind + label)
TWICE = np.array([[1, 1, 2, 1]])
for kind in ("set", "mul", "max", "min"):
    row("scatter", f"%y = raf.scatter {kind} %a, %b, %c axis = 0 : {{a}}, {{b}}, {{c}}", [real(4, 3), TWICE, real(1, 4, 3)], None, label=kind + "twice", shape=(4, 3))
row("scatter", "%y = raf.scatter mul %a, %b, %c axis = 0 : {a}, {b}, {c}", [real(3), np.array([0, 1, 1]), np.array([0.0, 0.0, 3.0])], None, label="mulzeros", shape=(3,))

for i, j in ((1, 2), (-4, 99)):
    starts = [np.array(i), np.array(j)]
    row("dynamic_slice", "%y = raf.dynamic_slice %a[%b, %c] : {a}, {b} -> {y}", [real(4, 8), *starts], lambda x, i, j: lax.dynamic_slice(x, (i, j), (2, 5)), label=f"at{i}_{j}")
    row("dynamic_update_slice", "%y = raf.dynamic_update_slice %a, %b[%c, %d] : {a}, {b}, {c}", [real(4, 8), real(2, 5), *starts],
        lambda x, u, i, j: lax.dynamic_update_slice(x, u, (i, j)), label=f"at{i}_{j}")
row("barrier", "%z, %y = raf.barrier %b, %a : {b}, {a}", [real(4, 8), real(3)], lambda a, b: a)


def add_along_axis(x: Any, i: Any, u: Any) -> Any:
    i = jnp.where((i < 0) | (i >= x.shape[1]), 99, i)
    return x.at[jnp.arange(x.shape[0])[:, None], i].add(u, mode="drop")


for label, i in (("", index(4, 3, size=8)), ("outside", np.array([[0, 9, -2], [7, 7, 0], [8, -1, 3], [1, 1, 1]]))):
    row("take_along_axis", "%y = raf.take_along_axis %a, %b axis = 1 : {a}, {b} -> {y}", [real(4, 8), i],
        lambda x, i: jnp.take_along_axis(x, jnp.clip(i, 0, 7), 1), label=label)
    row("add_along_axis", "%y = raf.add_along_axis %a, %b, %c axis = 1 : {a}, {b}, {c}", [real(4, 8), i, real(4, 3)], add_along_axis, label=label)

# ===-- random numbers, losses, optimizers ------------------------------------------------------------------------===

# The mask has no counterpart in JAX: finite differences alone.
row("dropout", "%y = raf.dropout %a, %b, %c ratio = 0.3 op_id = 3 : {a}", [real(5, 7), np.array(11), np.array(2)], None, shape=(5, 7))


def cross_entropy(x: Any, labels: Any, smoothing: float = 0.0) -> tuple[Any, Any]:
    lse = jax.nn.logsumexp(x, 1)
    counts = labels != -1
    picked = jnp.take_along_axis(x, jnp.where(counts, labels, 0)[:, None], 1)[:, 0]
    rows = lse - (1 - smoothing) * picked - smoothing * x.mean(1)
    return jnp.where(counts, rows, 0).sum() / counts.sum(), lse


def cross_entropy_grad(dloss: Any, x: Any, labels: Any, lse: Any, smoothing: float) -> Any:
    counts = labels != -1
    one_hot = jax.nn.one_hot(labels, x.shape[1], dtype=x.dtype)
    rows = jnp.exp(x - lse[:, None]) - (1 - smoothing) * one_hot - smoothing / x.shape[1]
    return dloss / counts.sum() * jnp.where(counts[:, None], rows, 0)


for n, c, smoothing in ((4, 8, 0.0), (5, 3, 0.2), (1, 1, 0.0)):
    labels = index(n, size=c)
    if n > 1:
        labels[1] = -1
    attributes = f"ignore_index = -1 label_smoothing = {smoothing}"
    row("cross_entropy", f"%y, %s = raf.cross_entropy %a, %b {attributes} : {{a}}, {{b}} -> {{y}}, tensor<{n}xf64>", [real(n, c), labels],
        lambda x, i, s=smoothing: cross_entropy(x, i, s)[0])
    row("cross_entropy", f"%s, %y = raf.cross_entropy %a, %b {attributes} : {{a}}, {{b}} -> tensor<f64>, {{y}}", [real(n, c), labels],
        lambda x, i: cross_entropy(x, i)[1], label="lse")
    row("cross_entropy_grad", f"%y = raf.cross_entropy_grad %a, %b, %c, %d {attributes} : {{a}}, {{b}}, {{c}}, {{d}} -> {{b}}", [real(), real(n, c), labels, real(n)],
        lambda d, x, i, lse, s=smoothing: cross_entropy_grad(d, x, i, lse, s))


def linear_row(n: int, d: int, c: int, transposed: bool, bias: bool, smoothing: float, label: str = "", large: bool = False) -> None:
    labels = index(n, size=c)
    labels[1] = -1
    operands = [real(n, d), real(*((c, d) if transposed else (d, c))), labels, *([real(c)] if bias else [])]
    names, types = ("%a, %b, %c bias %d", "{a}, {b}, {c}, {d}") if bias else ("%a, %b, %c", "{a}, {b}, {c}")
    attributes = f"{'transpose_w ' * transposed}ignore_index = -1 label_smoothing = {smoothing}"

    def logits(x: Any, w: Any, v: Any = 0.0) -> Any:
        return x @ (w.mT if transposed else w) + v

    scalar, rows = "tensor<{w}>", f"tensor<{n}x{{w}}>"
    row("linear_cross_entropy", f"%l, %s = raf.linear_cross_entropy {names} {attributes} : ({types}) -> ({scalar}, {rows})\n  %y = raf.cast %l : {scalar} to {{y}}", operands,
        lambda x, w, i, *v: cross_entropy(logits(x, w, *v), i, smoothing)[0], label=label, large=large)
    if label:
        return
    row("linear_cross_entropy", f"%l, %s = raf.linear_cross_entropy {names} {attributes} : ({types}) -> ({scalar}, {rows})\n  %y = raf.cast %s : {rows} to {{y}}", operands,
        lambda x, w, i, *v: cross_entropy(logits(x, w, *v), i, smoothing)[1], label="lse")
    row("linear_cross_entropy_grad",
        f"%e = raf.cast %d : {{d}} to {scalar}\n  %l, %s, %y, %v = raf.linear_cross_entropy_grad %e, %a, %b, %c {attributes} : ({scalar}, {{a}}, {{b}}, {{c}}) -> "
        f"({scalar}, {rows}, {{a}}, {{b}})",
        [*operands[:3], real()], lambda x, w, i, d: jax.grad(lambda x: d * cross_entropy(logits(x, w), i, smoothing)[0])(x))


linear_row(6, 4, 5, False, False, 0.0)
linear_row(5, 3, 4, True, True, 0.1, label="tied")
# Several blocks: 1000 rows of 3000 classes in f64 make three of 349 at most.
linear_row(1000, 2, 3000, True, True, 0.1, label="large_blocks", large=True)
linear_row(700, 3, 2500, False, False, 0.0, label="large_blocks_plain", large=True)
linear_row(100, 2, 300, True, True, 0.1, label="blocks")
linear_row(70, 3, 250, False, False, 0.0, label="blocks_plain")


def sgd(p: Any, g: Any, lr: Any, v: Any) -> Any:
    g = g + 0.1 * p
    v = 0.9 * v + g
    return p - lr * (g + 0.9 * v)


def adam(p: Any, g: Any, m: Any, v: Any, lr: Any, step: Any) -> Any:
    m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
    return p * (1 - 0.1 * lr) - lr * (m / (1 - 0.9**step)) / (jnp.sqrt(v / (1 - 0.99**step)) + 1e-8)


row("sgd_update", "%y, %v = raf.sgd_update %a, %b, %c, %d momentum = 0.9 weight_decay = 0.1 nesterov : ({a}, {b}, {c}, {d}) -> ({a}, {a})",
    [real(3, 5), real(3, 5), real(low=0.5), real(3, 5)], sgd)
row("adam_update", "%y, %m, %v = raf.adam_update %a, %b, %c, %d, %e, %f beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.1 decoupled : "
    "({a}, {b}, {c}, {d}, {e}, {f}) -> ({a}, {a}, {a})", [real(3, 5), real(3, 5), real(3, 5), real(3, 5, low=0.5), real(low=0.5), np.array(3)], adam)


def digest() -> str:
    """Of all rows."""
    found = hashlib.sha256()
    for case in CASES:
        found.update(f"{case} {case.text}".encode())
        for array in case.operands:
            found.update(array.tobytes())
    return found.hexdigest()
