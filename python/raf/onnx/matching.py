# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the raising rules ask about values."""

from __future__ import annotations

import math
from collections.abc import Iterator

from .graph import Tensor, is_float, size_of


def number(x: Tensor) -> float | None:
    """The number that a floating-point constant is everywhere."""
    value = x.scalar() if is_float(x.dtype) else None
    return None if value is None else float(value)


def near(value: float | None, wanted: float) -> bool:
    return value is not None and math.isclose(value, wanted, rel_tol=1e-4 if wanted else 0.0, abs_tol=1e-12)


def inputs(x: Tensor, op: str) -> tuple[Tensor, ...]:
    """The operands if the value is made by the op, else nothing."""
    return x.node.args if x.node is not None and x.made_by(op) else ()


def pairs(x: Tensor, op: str) -> Iterator[tuple[Tensor, Tensor]]:
    """The operands of a commutative op in both orders."""
    found = inputs(x, op)
    if len(found) == 2:
        yield found[0], found[1]
        yield found[1], found[0]


def peel(x: Tensor) -> Tensor:
    """Without reshapes."""
    while x.node is not None and x.made_by("reshape"):
        x = x.node.args[0]
    return x


def scaled(x: Tensor) -> tuple[Tensor, float]:
    """x = factor * value, for factors that are constants."""
    factor = 1.0
    while True:
        for a, b in pairs(x, "mul"):
            value = number(b)
            if value is not None and math.isfinite(value):
                x, factor = a, factor * value
                break
        else:
            found = inputs(x, "div")
            value = number(found[1]) if found else None
            if value is None or value == 0 or not math.isfinite(value):
                return x, factor
            x, factor = found[0], factor / value


def plus(x: Tensor) -> tuple[Tensor, float] | None:
    """x = value + constant."""
    for a, b in pairs(x, "add"):
        value = number(b)
        if value is not None:
            return a, value
    return None


def per_row(x: Tensor, axis: int) -> Tensor | None:
    """If x repeats one number over the dimensions from axis on: those numbers (in some shape that keeps their order)."""
    found = inputs(x, "broadcast")
    if not found or x.node is None:
        return None
    source = found[0]
    kept = (*x.shape[:axis], *[1] * (x.rank - axis))
    if source.shape != kept[x.rank - source.rank:] or source.size != size_of(x.shape[:axis]):
        return None
    return peel(source) if x.node.attrs["dims"] == tuple(range(x.rank - source.rank, x.rank)) else None


def per_column(x: Tensor, axis: int) -> Tensor | None:
    """If x repeats a tensor of the dimensions from axis on over the others: that tensor."""
    found = inputs(x, "broadcast")
    if found and x.node is not None and found[0].shape == x.shape[axis:] and x.node.attrs["dims"] == tuple(range(axis, x.rank)):
        return found[0]
    return None


def reduced(x: Tensor, kind: str) -> tuple[Tensor, int] | None:
    """If x reduces the last dimensions of a value: the value and the first of these dimensions."""
    x = peel(x)
    if x.node is None or not x.made_by("reduce") or x.node.attrs["kind"] != kind:
        return None
    source, dims = x.node.args[0], x.node.attrs["dims"]
    return (source, dims[0]) if dims == tuple(range(dims[0], source.rank)) else None


def mean_of(x: Tensor) -> tuple[Tensor, int] | None:
    """If x is the mean over the last dimensions of a value: the value and the first of these dimensions."""
    total, factor = scaled(peel(x))
    found = reduced(total, "sum")
    if found is None or not near(factor * size_of(found[0].shape[found[1]:]), 1.0):
        return None
    return found
