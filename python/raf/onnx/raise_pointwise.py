# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""GELU, SiLU and softmax from their definitions."""

from __future__ import annotations

import math
from collections.abc import Callable

from .graph import Graph, Tensor, is_float
from .matching import inputs, near, pairs, per_row, plus, reduced, scaled

Uses = Callable[[Tensor], int]


def _factors(x: Tensor, uses: Uses, root: bool = True) -> tuple[list[Tensor], float]:
    """x as a product of values and a number; values that are used elsewhere stay whole."""
    if not root and uses(x) != 1:
        return [x], 1.0
    inner, factor = scaled(x)
    if inner is not x:
        values, more = _factors(inner, uses, False)
        return values, factor * more
    found = inputs(x, "mul")
    if not found:
        return [x], 1.0
    parts = [_factors(a, uses, False) for a in found]
    return [v for values, _ in parts for v in values], math.prod(f for _, f in parts)


def raise_product(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    if not is_float(y.dtype):
        return None
    values, factor = _factors(y, uses)
    if len(values) != 2:
        return None
    for x, other in (values, values[::-1]):
        if near(factor, 0.5):
            kind = _gelu_kind(x, other)
            if kind:
                return g.unary("gelu", x, kind=kind)
        if factor == 1.0 and any(a is x for a in inputs(other, "sigmoid")):
            return g.unary("silu", x)
    return None


def _gelu_kind(x: Tensor, other: Tensor) -> str | None:
    """other = 1 + erf(x / sqrt 2), or 1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))."""
    found = plus(other)
    if found is None or found[1] != 1.0:
        return None
    inner = found[0]
    for argument in inputs(inner, "erf"):
        value, factor = scaled(argument)
        if value is x and near(factor, math.sqrt(0.5)):
            return "erf"
    for argument in inputs(inner, "tanh"):
        values, factor = _factors(argument, lambda _: 1)
        if near(factor, math.sqrt(2 / math.pi)) and (len(values) == 1 and _cubic(values[0], x) or len(values) == 2 and _cubic_product(values, x)):
            return "tanh"
    return None


def _power(y: Tensor, x: Tensor) -> int:
    """n if y = x^n, written as products, else 0."""
    if y is x:
        return 1
    found = inputs(y, "mul")
    if not found:
        return 0
    a, b = (_power(v, x) for v in found)
    return a + b if a and b else 0


def _cubic(y: Tensor, x: Tensor) -> bool:
    """y = x + 0.044715 x^3."""
    for a, b in pairs(y, "add"):
        value, factor = scaled(b)
        if a is x and near(factor, 0.044715) and _power(value, x) == 3:
            return True
        # 0.044715 * x * x * x multiplies from the left.
        if a is x and _cube_with_factor(b, x):
            return True
    return False


def _cube_with_factor(y: Tensor, x: Tensor) -> bool:
    values, factor = _factors(y, lambda _: 1)
    return near(factor, 0.044715) and len(values) == 3 and all(v is x for v in values)


def _cubic_product(values: list[Tensor], x: Tensor) -> bool:
    """The values are x and 1 + 0.044715 x^2."""
    for a, b in (values, values[::-1]):
        found = plus(b)
        if a is x and found is not None and found[1] == 1.0:
            squares, factor = _factors(found[0], lambda _: 1)
            if near(factor, 0.044715) and len(squares) == 2 and all(v is x for v in squares):
                return True
    return False


def raise_softmax(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    """e^(x - max x) / sum of e^(x - max x) over the last dimension; without the maximum too, since softmax does not overflow where the chain does not."""
    found = inputs(y, "div")
    if not found or y.rank == 0 or not is_float(y.dtype):
        return None
    top, bottom = found
    axis = y.rank - 1
    total = per_row(bottom, axis)
    source = reduced(total, "sum") if total is not None else None
    if source is None or source != (top, axis):
        return None
    for x in inputs(top, "exp"):
        for a, b in (inputs(x, "sub"),) if inputs(x, "sub") else ():
            largest = per_row(b, axis)
            if largest is not None and reduced(largest, "max") == (a, axis):
                return g.unary("softmax", a, axis=axis)
        return g.unary("softmax", x, axis=axis)
    return None


def raise_log_softmax(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    """log(softmax(x)), which loses the small probabilities."""
    for x in inputs(y, "log"):
        if x.node is not None and x.made_by("softmax") and uses(x) == 1:
            return g.unary("log_softmax", x.node.args[0], axis=x.node.attrs["axis"])
    return None
