# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pooling."""

from __future__ import annotations

import math

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor
from ..registry import Call, handles
from .window import Window, window


def _prepare(c: Call, x: Tensor) -> tuple[Window, list[int], bool]:
    """The window with the padding on the right extended to where ceil_mode ends, the output sizes, and whether it was extended."""
    w = window(c, x.shape[2:], c.attr("kernel_shape"))
    sizes = w.outputs(x.shape[2:], bool(c.attr("ceil_mode", 0)))
    extended = False
    for d, count in enumerate(sizes):
        needed = (count - 1) * w.strides[d] + w.extent(d) - x.shape[2 + d] - w.low[d]
        extended |= needed > w.high[d]
        w.high[d] = max(w.high[d], needed)
        if max(w.low[d], w.high[d]) >= w.extent(d):
            raise Unsupported(f"pads {w.low[d]} and {w.high[d]} reach past a window of {w.extent(d)}")
    return w, sizes, extended


@handles("MaxPool")
def max_pool(c: Call) -> Tensor:
    x = c.floating()
    if c.uses(1):
        raise Unsupported("the indices output is not supported")
    w, sizes, _ = _prepare(c, x)
    shape = (*x.shape[:2], *sizes)
    return c.g.node("max_pool", [x], [(shape, x.dtype), (shape, np.int32)], kernel=tuple(w.kernel), **w.attributes())[0]


@handles("AveragePool")
def average_pool(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    w, sizes, extended = _prepare(c, x)
    include = bool(c.attr("count_include_pad", 0)) and any(w.low + w.high)
    flags = {"count_include_pad": True} if include else {}
    y = g.op("avg_pool", [x], (*x.shape[:2], *sizes), x.dtype, kernel=tuple(w.kernel), **w.attributes(), **flags)
    if include and extended:
        # Elements past the file's own padding do not count.
        y = g.mul(y, g.broadcast(g.const(_counts(c, w, x, sizes).astype(x.dtype)), y.shape))
    return y


def _counts(c: Call, w: Window, x: Tensor, sizes: list[int]) -> np.ndarray:
    """Elements of the window over elements that count, by position."""
    high = [int(v) for v in (c.attr("pads", None) or [0] * 2 * len(sizes))[len(sizes):]]
    factor = np.ones(())
    for d, count in enumerate(sizes):
        limit = x.shape[2 + d] + w.low[d] + high[d]
        inside = [sum(p * w.strides[d] + k * w.dilations[d] < limit for k in range(w.kernel[d])) for p in range(count)]
        factor = np.multiply.outer(factor, w.kernel[d] / np.maximum(inside, 1))
    return factor


def _spatial(c: Call) -> tuple[Tensor, list[int]]:
    x = c.floating()
    if x.rank < 3:
        raise Unsupported(f"the rank must be at least 3, got {x.rank}")
    return x, list(range(2, x.rank))


@handles("GlobalAveragePool")
def global_average_pool(c: Call) -> Tensor:
    x, dims = _spatial(c)
    return c.g.mean(x, dims, True)


@handles("GlobalMaxPool")
def global_max_pool(c: Call) -> Tensor:
    x, dims = _spatial(c)
    return c.g.reduce("max", x, dims, True)


@handles("LpPool", "GlobalLpPool")
def lp_pool(c: Call) -> Tensor:
    g, p = c.g, int(c.attr("p", 2))
    x, dims = _spatial(c)
    if p not in (1, 2):
        raise Unsupported(f"p = {p} is not supported, only 1 and 2")
    powered = g.mul(x, x) if p == 2 else g.unary("abs", x)
    if c.op == "GlobalLpPool":
        y = g.reduce("sum", powered, dims, True)
    else:
        w, sizes, _ = _prepare(c, x)
        y = g.op("avg_pool", [powered], (*x.shape[:2], *sizes), x.dtype, kernel=tuple(w.kernel), **w.attributes(), count_include_pad=True)
        y = g.scale(y, math.prod(w.kernel))
    return g.unary("sqrt", y) if p == 2 else y


def channel_sum(g: Graph, x: Tensor, size: int) -> Tensor:
    """The sum over `size` neighbouring channels around each one."""
    low = (size - 1) // 2
    flat = g.reshape(x, (x.shape[0], 1, x.shape[1], math.prod(x.shape[2:])))
    y = g.op("avg_pool", [flat], flat.shape, x.dtype, kernel=(size, 1), strides=(1, 1), pad_low=(low, 0), pad_high=(size - 1 - low, 0), dilations=(1, 1), count_include_pad=True)
    return g.reshape(g.scale(y, size), x.shape)
