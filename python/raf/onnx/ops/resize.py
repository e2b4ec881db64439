# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Resizing along one dimension: index tables for the nearest element, a constant matrix for linear interpolation."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor, size_of


#: Elements of an index table or an interpolation matrix at most.
TABLE_LIMIT = 1 << 27


def _positions(size: int, out: int, factor: float, transform: str) -> np.ndarray:
    i = np.arange(out, dtype=np.float64)
    if transform == "half_pixel" or transform == "pytorch_half_pixel" and out > 1:
        return (i + 0.5) / factor - 0.5
    if transform == "pytorch_half_pixel":
        return i * 0
    if transform == "asymmetric":
        return i / factor
    if transform == "align_corners":
        return i * (size - 1) / (out - 1) if out > 1 else i * 0
    if transform == "half_pixel_symmetric":
        adjust = out / (factor * size)
        return size / 2 * (1 - adjust) + (i + 0.5) / factor - 0.5
    raise Unsupported(f"coordinate_transformation_mode {transform!r} is not supported")


def nearest_indices(size: int, out: int, factor: float, transform: str, rounding: str) -> np.ndarray:
    at = _positions(size, out, factor, transform)
    rules: dict[str, Callable[[np.ndarray], np.ndarray]] = {"floor": np.floor, "ceil": np.ceil, "round_prefer_floor": lambda v: np.ceil(v - 0.5), "round_prefer_ceil": lambda v: np.floor(v + 0.5)}
    if rounding not in rules:
        raise Unsupported(f"nearest_mode {rounding!r} is not supported")
    return np.asarray(np.clip(rules[rounding](at), 0, max(0, size - 1)), dtype=np.int64)


def repeat(g: Graph, x: Tensor, d: int, times: int) -> Tensor:
    """Each element `times` times along a dimension."""
    wide = [*x.shape[:d + 1], times, *x.shape[d + 1:]]
    y = g.broadcast_dims(x, wide, [i for i in range(len(wide)) if i != d + 1])
    return g.reshape(y, [s * times if i == d else s for i, s in enumerate(x.shape)])


def interpolation(g: Graph, x: Tensor, d: int, out: int, factor: float, transform: str) -> Tensor:
    size = x.shape[d]
    at = np.clip(_positions(size, out, factor, transform), 0, size - 1)
    low = np.minimum(np.floor(at).astype(np.int64), size - 1)
    high = np.minimum(low + 1, size - 1)
    matrix = np.zeros((out, size))
    np.add.at(matrix, (np.arange(out), low), 1 - (at - low))
    np.add.at(matrix, (np.arange(out), high), at - low)
    # x as [before, size, after]; the matrix multiplies from the side that needs no transpose.
    before, after = size_of(x.shape[:d]), size_of(x.shape[d + 1:])
    shape = [out if i == d else s for i, s in enumerate(x.shape)]
    weights = g.const(matrix.astype(x.dtype))
    if after == 1:
        return g.reshape(g.matmul(g.reshape(x, (before, size)), weights, transpose_rhs=True), shape)
    y = g.matmul(g.broadcast(weights, (before, out, size)), g.reshape(x, (before, size, after)))
    return g.reshape(y, shape)
