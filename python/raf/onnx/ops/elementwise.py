# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic, comparisons, logic, activations."""

from __future__ import annotations

import math

import numpy as np

from .. import data
from ..errors import Unsupported
from ..graph import ELEMENT_TYPES, Graph, Tensor, is_float
from ..registry import Call, handles

_UNARY = {
    "Neg": "neg", "Abs": "abs", "Sign": "sign", "Floor": "floor", "Ceil": "ceil", "Round": "round", "Exp": "exp", "Log": "log", "Sqrt": "sqrt",
    "Sin": "sin", "Cos": "cos", "Tanh": "tanh", "Sigmoid": "sigmoid", "Erf": "erf", "Relu": "relu"}
_BINARY = {"Add": "add", "Sub": "sub", "Mul": "mul", "Div": "div"}
_COMPARE = {"Equal": "eq", "Greater": "gt", "GreaterOrEqual": "ge", "Less": "lt", "LessOrEqual": "le"}
_LOGIC = {"And": "and", "Or": "or", "Xor": "xor", "BitwiseAnd": "and", "BitwiseOr": "or", "BitwiseXor": "xor"}


@handles(*_UNARY)
def unary(c: Call) -> Tensor:
    x = c[0]
    if c.op not in ("Neg", "Abs", "Sign", "Relu") and not is_float(x.dtype):
        raise Unsupported(f"the element type {x.dtype} is not supported")
    return c.g.unary(_UNARY[c.op], x)


@handles(*_BINARY)
def binary(c: Call) -> Tensor:
    return c.g.binary(_BINARY[c.op], c[0], c[1])


@handles(*_COMPARE)
def compare(c: Call) -> Tensor:
    return c.g.compare(_COMPARE[c.op], c[0], c[1])


@handles(*_LOGIC)
def logic(c: Call) -> Tensor:
    return c.g.binary(_LOGIC[c.op], c[0], c[1])


@handles("Not", "BitwiseNot")
def negation(c: Call) -> Tensor:
    return c.g.unary("not", c[0])


@handles("Sum", "Mean", "Max", "Min")
def variadic(c: Call) -> Tensor:
    parts = c.all()
    op = {"Sum": "add", "Mean": "add", "Max": "maximum", "Min": "minimum"}[c.op]
    y = parts[0]
    for part in parts[1:]:
        y = c.g.binary(op, y, part)
    return c.g.div(y, c.g.full_like(len(parts), y)) if c.op == "Mean" and len(parts) > 1 else y


@handles("Pow")
def power(c: Call) -> Tensor:
    g, x, e = c.g, c[0], c[1]
    exponent = e.scalar()
    if exponent is not None and broadcastable(e, x):
        value = float(exponent)
        if value == 1:
            return x
        if value == 2:
            return g.mul(x, x)
        if value == 3 and is_float(x.dtype):
            return g.mul(g.mul(x, x), x)
        if value == 0.5 and is_float(x.dtype):
            return g.unary("sqrt", x)
        if value == -0.5 and is_float(x.dtype):
            return g.unary("rsqrt", x)
        if value == -1 and is_float(x.dtype):
            return g.div(g.full_like(1, x), x)
        if not is_float(x.dtype) and value == int(value) and 0 <= value <= 8:
            y = g.full_like(1, x)
            for _ in range(int(value)):
                y = g.mul(y, x)
            return y
    if not is_float(x.dtype):
        raise Unsupported("an integer base needs a constant exponent from 0 to 8")
    return g.binary("pow", x, g.cast(e, x.dtype))


def broadcastable(small: Tensor, x: Tensor) -> bool:
    return small.rank <= x.rank and all(a in (1, b) for a, b in zip(reversed(small.shape), reversed(x.shape)))


@handles("Mod")
def modulo(c: Call) -> Tensor:
    g, a, b = c.g, c[0], c[1]
    rem = g.binary("rem", a, b)
    if int(c.attr("fmod", 0)):
        return rem
    if is_float(a.dtype):
        raise Unsupported("floating-point operands need fmod = 1")
    # The sign of the divisor: add it where the signs of remainder and divisor differ.
    zero = g.full_like(0, rem)
    b = g.broadcast(b, rem.shape)
    differs = g.binary("and", g.compare("ne", rem, zero), g.binary("xor", g.compare("lt", rem, zero), g.compare("lt", b, zero)))
    return g.select(differs, g.add(rem, b), rem)


@handles("Reciprocal")
def reciprocal(c: Call) -> Tensor:
    x = c.floating()
    return c.g.div(c.g.full_like(1, x), x)


@handles("Where")
def where(c: Call) -> Tensor:
    return c.g.select(c[0], c[1], c[2])


@handles("Cast", "CastLike")
def cast(c: Call) -> Tensor:
    dtype = c[1].dtype if c.op == "CastLike" else data.DTYPES.get(int(c.attr("to")))
    if dtype not in ELEMENT_TYPES:
        raise Unsupported(f"a cast to {dtype or data.type_name(int(c.attr('to')))} is not supported")
    x = c[0]
    return c.g.cast(x, dtype)


@handles("Clip")
def clip(c: Call) -> Tensor:
    g, x = c.g, c[0]
    low, high = c.get(1), c.get(2)
    if c.opset < 11:
        low, high = (None if c.attr(n, None) is None else g.full(c.attr(n), (), x.dtype) for n in ("min", "max"))
    for name, bound in (("min", low), ("max", high)):
        if bound is not None and bound.size != 1:
            raise Unsupported(f"{name} must be one number, got the shape {list(bound.shape)}")
    # Bounds that change nothing are what exporters write for "none".
    if low is not None and not _trivial(low, -1):
        low = g.reshape(low, ())
        x = g.unary("relu", x) if low.scalar() == 0 and not np.signbit(float(low.scalar() or 0)) else g.binary("maximum", x, low)
    if high is not None and not _trivial(high, 1):
        x = g.binary("minimum", x, g.reshape(high, ()))
    return x


def _trivial(bound: Tensor, sign: int) -> bool:
    value = bound.scalar()
    return value is not None and is_float(bound.dtype) and float(value) * sign == math.inf


@handles("IsNaN")
def is_nan(c: Call) -> Tensor:
    x = c.floating()
    return c.g.op("is_nan", [x], x.shape, np.bool_)


@handles("IsInf")
def is_inf(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    parts = [g.compare("eq", x, g.full_like(value, x)) for name, value in (("detect_positive", math.inf), ("detect_negative", -math.inf)) if int(c.attr(name, 1))]
    if not parts:
        return g.full(False, x.shape, np.bool_)
    return parts[0] if len(parts) == 1 else g.binary("or", parts[0], parts[1])


# -- activations; recurrent ops use these functions too


def leaky_relu(g: Graph, x: Tensor, alpha: float) -> Tensor:
    return g.select(g.compare("ge", x, g.full_like(0, x)), x, g.scale(x, alpha))


def elu(g: Graph, x: Tensor, alpha: float) -> Tensor:
    # expm1 sees min(x, 0), so that the side that is not chosen stays finite in the gradient.
    negative = g.unary("expm1", g.binary("minimum", x, g.full_like(0, x)))
    return g.select(g.compare("gt", x, g.full_like(0, x)), x, g.scale(negative, alpha))


def hard_sigmoid(g: Graph, x: Tensor, alpha: float, beta: float) -> Tensor:
    y = g.unary("relu", g.shift(g.scale(x, alpha), beta))
    return g.binary("minimum", y, g.full_like(1, y))


def softplus(g: Graph, x: Tensor) -> Tensor:
    # log(1 + e^x) = relu(x) + log1p(e^-|x|): no overflow.
    return g.add(g.unary("relu", x), g.unary("log1p", g.unary("exp", g.unary("neg", g.unary("abs", x)))))


@handles("LeakyRelu")
def leaky_relu_op(c: Call) -> Tensor:
    return leaky_relu(c.g, c.floating(), float(c.attr("alpha", 0.01)))


@handles("PRelu")
def prelu(c: Call) -> Tensor:
    g, x, slope = c.g, c[0], c[1]
    return g.select(g.compare("ge", x, g.full_like(0, x)), x, g.mul(g.broadcast(slope, x.shape), x))


@handles("ThresholdedRelu")
def thresholded_relu(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    return g.select(g.compare("gt", x, g.full_like(float(c.attr("alpha", 1.0)), x)), x, g.full_like(0, x))


@handles("Elu")
def elu_op(c: Call) -> Tensor:
    return elu(c.g, c.floating(), float(c.attr("alpha", 1.0)))


@handles("Selu")
def selu(c: Call) -> Tensor:
    x = c.floating()
    return c.g.scale(elu(c.g, x, float(c.attr("alpha", 1.67326319217681884765625))), float(c.attr("gamma", 1.05070102214813232421875)))


@handles("Celu")
def celu(c: Call) -> Tensor:
    g, x, alpha = c.g, c.floating(), float(c.attr("alpha", 1.0))
    negative = g.unary("expm1", g.scale(g.binary("minimum", x, g.full_like(0, x)), 1 / alpha))
    return g.select(g.compare("gt", x, g.full_like(0, x)), x, g.scale(negative, alpha))


@handles("Softplus")
def softplus_op(c: Call) -> Tensor:
    return softplus(c.g, c.floating())


@handles("Softsign")
def softsign(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    return g.div(x, g.shift(g.unary("abs", x), 1))


@handles("HardSigmoid")
def hard_sigmoid_op(c: Call) -> Tensor:
    return hard_sigmoid(c.g, c.floating(), float(c.attr("alpha", 0.2)), float(c.attr("beta", 0.5)))


@handles("HardSwish")
def hard_swish(c: Call) -> Tensor:
    x = c.floating()
    return c.g.mul(x, hard_sigmoid(c.g, x, 1 / 6, 0.5))


@handles("Mish")
def mish(c: Call) -> Tensor:
    x = c.floating()
    return c.g.mul(x, c.g.unary("tanh", softplus(c.g, x)))


@handles("Swish")
def swish(c: Call) -> Tensor:
    g, x, alpha = c.g, c.floating(), float(c.attr("alpha", 1.0))
    return g.unary("silu", x) if alpha == 1 else g.mul(x, g.unary("sigmoid", g.scale(x, alpha)))


@handles("QuickGelu", domain="com.microsoft")
def quick_gelu(c: Call) -> Tensor:
    g, x, alpha = c.g, c.floating(), float(c.attr("alpha", 1.702))
    return g.mul(x, g.unary("sigmoid", g.scale(x, alpha)))


@handles("Gelu")
@handles("Gelu", domain="com.microsoft")
def gelu(c: Call) -> Tensor:
    return c.g.unary("gelu", c.floating(), kind="tanh" if c.text("approximate", "none") == "tanh" else "erf")


@handles("FastGelu", "BiasGelu", domain="com.microsoft")
def bias_gelu(c: Call) -> Tensor:
    x, bias = c.floating(), c.get(1)
    return c.g.unary("gelu", x if bias is None else c.g.add(x, bias), kind="tanh" if c.op == "FastGelu" else "erf")


@handles("Shrink")
def shrink(c: Call) -> Tensor:
    g, x, lambd, bias = c.g, c.floating(), float(c.attr("lambd", 0.5)), float(c.attr("bias", 0.0))
    low = g.select(g.compare("lt", x, g.full_like(-lambd, x)), g.shift(x, bias), g.full_like(0, x))
    return g.select(g.compare("gt", x, g.full_like(lambd, x)), g.shift(x, -bias), low)


@handles("Tan", "Sinh", "Cosh", "Atanh", "Asinh", "Acosh")
def from_exponentials(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    if c.op == "Tan":
        return g.div(g.unary("sin", x), g.unary("cos", x))
    if c.op in ("Sinh", "Cosh"):
        up, down = g.unary("exp", x), g.unary("exp", g.unary("neg", x))
        return g.scale(g.sub(up, down) if c.op == "Sinh" else g.add(up, down), 0.5)
    if c.op == "Atanh":
        return g.scale(g.sub(g.unary("log1p", x), g.unary("log1p", g.unary("neg", x))), 0.5)
    if c.op == "Acosh":
        return g.unary("log", g.add(x, g.unary("sqrt", g.shift(g.mul(x, x), -1))))
    magnitude = g.unary("abs", x)
    return g.mul(g.unary("sign", x), g.unary("log", g.add(magnitude, g.unary("sqrt", g.shift(g.mul(x, x), 1)))))


@handles("Identity")
def identity(c: Call) -> Tensor:
    value = c.inputs[0]
    if value is None:
        raise Unsupported("input 0 is missing")
    return value


@handles("Dropout")
def dropout(c: Call) -> Tensor:
    """The training form, whatever the file says about its mode."""
    x = c.floating()
    if c.uses(1):
        raise Unsupported("the mask output is not supported")
    ratio = float(c.number(1, "ratio", 0.5) if c.opset >= 12 else c.attr("ratio", 0.5))
    if not 0 <= ratio < 1:
        raise Unsupported(f"ratio must be in [0, 1), got {ratio}")
    if ratio == 0:
        return x
    seed, step, number = c.run.randomness()
    return c.g.op("dropout", [x, seed, step], x.shape, x.dtype, ratio=ratio, op_id=number)
