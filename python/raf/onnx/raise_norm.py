# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layer and RMS normalization from means, squares and roots."""

from __future__ import annotations

from collections.abc import Callable

from .graph import Graph, Tensor, is_float
from .matching import inputs, mean_of, number, pairs, peel, per_column, per_row, plus

Uses = Callable[[Tensor], int]


def _square_of(y: Tensor) -> Tensor | None:
    found = inputs(y, "mul")
    return found[0] if found and found[0] is found[1] else None


def _root(y: Tensor, axis: int) -> tuple[Tensor, float] | None:
    """If y repeats sqrt(mean(v^2) + epsilon) over the dimensions from axis on: v and epsilon."""
    value = per_row(y, axis)
    for inner in inputs(value, "sqrt") if value is not None else ():
        return _mean_square(inner, axis)
    return None


def _inverse_root(y: Tensor, axis: int) -> tuple[Tensor, float] | None:
    """The same for 1 / sqrt(mean(v^2) + epsilon)."""
    value = per_row(y, axis)
    if value is None:
        return None
    for inner in inputs(value, "rsqrt"):
        return _mean_square(inner, axis)
    found = inputs(value, "div")
    if found and number(found[0]) == 1.0:
        for inner in inputs(peel(found[1]), "sqrt"):
            return _mean_square(inner, axis)
    return None


def _mean_square(y: Tensor, axis: int) -> tuple[Tensor, float] | None:
    found = plus(peel(y))
    if found is None or not 0 <= found[1] < 1:
        return None
    mean = mean_of(found[0])
    value = _square_of(mean[0]) if mean is not None and mean[1] == axis else None
    return None if value is None else (value, found[1])


def _centered(v: Tensor, axis: int) -> Tensor | None:
    """x if v = x - mean(x)."""
    found = inputs(v, "sub")
    mean = per_row(found[1], axis) if found else None
    source = mean_of(mean) if mean is not None else None
    return found[0] if source is not None and source == (found[0], axis) else None


def raise_norm(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    """(x - mean) / sqrt(var + epsilon), or x / sqrt(mean(x^2) + epsilon)."""
    if not is_float(y.dtype) or y.rank == 0:
        return None
    found = inputs(y, "div")
    candidates = [(found[0], found[1], _root)] if found else [(a, b, _inverse_root) for a, b in pairs(y, "mul")]
    for value, other, match in candidates:
        for axis in range(y.rank - 1, 0, -1):
            root = match(other, axis)
            if root is None or root[0] is not value:
                continue
            inner, epsilon = y.shape[axis:], root[1]
            one = g.full(1, inner, y.dtype)
            x = _centered(value, axis)
            outer = (y.shape[:axis], y.dtype)
            if x is None:
                return g.node("rms_norm", [value, one], [(y.shape, y.dtype), outer], axis=axis, epsilon=epsilon)[0]
            return g.node("layer_norm", [x, one, g.full(0, inner, y.dtype)], [(y.shape, y.dtype), outer, outer], axis=axis, epsilon=epsilon)[0]
    return None


def raise_affine(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    """Scale and bias go into a normalization that has none yet."""
    for op in ("mul", "add"):
        for norm, other in pairs(y, op):
            if norm.node is None or not norm.made_by("layer_norm", "rms_norm") or uses(norm) != 1:
                continue
            axis = norm.node.attrs["axis"]
            parameter = per_column(other, axis)
            if parameter is None:
                continue
            x, *old = norm.node.args
            if op == "mul" and number(old[0]) == 1 and (len(old) == 1 or number(old[1]) == 0):
                new = [x, parameter, *old[1:]]
            elif op == "add" and len(old) == 2 and number(old[1]) == 0:
                new = [x, old[0], parameter]
            else:
                continue
            return g.node(norm.node.op, new, [(o.shape, o.dtype) for o in norm.node.outs], **norm.node.attrs)[0]
    return None


def raise_factored_norm(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    """x a + (bias - mean a) with a = scale / sqrt(var + epsilon), as TensorFlow writes layer normalization."""
    if not is_float(y.dtype):
        return None
    for product, rest in pairs(y, "add"):
        shift = inputs(rest, "sub")
        if not shift:
            continue
        for x, factor in pairs(product, "mul"):
            for mean, again in pairs(shift[1], "mul"):
                if again is not factor:
                    continue
                for inverse, scale in pairs(factor, "mul"):
                    for axis in range(y.rank - 1, 0, -1):
                        root, row = _inverse_root(inverse, axis), per_row(mean, axis)
                        gamma, beta = per_column(scale, axis), per_column(shift[0], axis)
                        if root is None or row is None or gamma is None or beta is None or _centered(root[0], axis) is not x or mean_of(row) != (x, axis):
                            continue
                        outer = (y.shape[:axis], y.dtype)
                        return g.node("layer_norm", [x, gamma, beta], [(y.shape, y.dtype), outer, outer], axis=axis, epsilon=root[1])[0]
    return None
