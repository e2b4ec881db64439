# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions, index of the extremum, running sums."""

from __future__ import annotations

import math

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor, is_float
from ..registry import Call, handles, normalize_axes, normalize_axis

_KINDS = {"ReduceSum": "sum", "ReduceMean": "sum", "ReduceMax": "max", "ReduceMin": "min", "ReduceProd": "prod"}


@handles("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceSumSquare")
def reduce(c: Call) -> Tensor:
    g, x = c.g, c[0]
    axes = c.ints(1, "axes")
    if not axes and int(c.attr("noop_with_empty_axes", 0)):
        dims: list[int] = []
    else:
        dims = normalize_axes(axes, x.rank) if axes else list(range(x.rank))
    return reduce_dims(g, c.op, x, dims, bool(c.attr("keepdims", 1)))


def reduce_dims(g: Graph, op: str, x: Tensor, dims: list[int], keep: bool) -> Tensor:
    if op in ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean") and not is_float(x.dtype):
        raise Unsupported(f"the element type {x.dtype} is not supported")
    if x.dtype == np.bool_:
        return g.cast(g.reduce(_KINDS.get(op, "sum"), g.cast(x, np.int32), dims, keep), np.bool_)
    if op == "ReduceMean":
        return g.mean(x, dims, keep)
    if op in _KINDS:
        return g.reduce(_KINDS[op], x, dims, keep)
    if op == "ReduceL1":
        return g.reduce("sum", g.unary("abs", x), dims, keep)
    if op == "ReduceSumSquare":
        return g.reduce("sum", g.mul(x, x), dims, keep)
    if op == "ReduceL2":
        return g.unary("sqrt", g.reduce("sum", g.mul(x, x), dims, keep))
    if op == "ReduceLogSum":
        return g.unary("log", g.reduce("sum", x, dims, keep))
    return log_sum_exp(g, x, dims, keep)


def log_sum_exp(g: Graph, x: Tensor, dims: list[int], keep: bool) -> Tensor:
    top = g.reduce("max", x, dims, True)
    # An infinite maximum would give inf - inf.
    top = g.select(g.compare("lt", g.unary("abs", top), g.full_like(math.inf, top)), top, g.full_like(0, top))
    y = g.add(g.unary("log", g.reduce("sum", g.unary("exp", g.sub(x, top)), dims, True)), top)
    return y if keep else g.reshape(y, [d for i, d in enumerate(x.shape) if i not in dims])


@handles("ArgMax", "ArgMin")
def arg_reduce(c: Call) -> Tensor:
    g, x = c.g, c[0]
    axis = c.axis(x.rank, 0)
    if not x.shape[axis]:
        raise Unsupported("the dimension is empty")
    shape = [d for i, d in enumerate(x.shape) if i != axis]
    last = bool(c.attr("select_last_index", 0))
    source = g.reverse(x, [axis]) if last else x
    y = g.op("arg_reduce", [source], shape, np.int64, kind="max" if c.op == "ArgMax" else "min", axis=axis)
    if last:
        y = g.sub(g.full_like(x.shape[axis] - 1, y), y)
    return g.reshape(y, [1 if i == axis else d for i, d in enumerate(x.shape)]) if int(c.attr("keepdims", 1)) else y


@handles("CumSum")
def cumsum(c: Call) -> Tensor:
    x, axis = c[0], c.ints(1)
    if not axis or len(axis) != 1:
        raise Unsupported("the axis must be one number")
    flags = {name: True for name in ("exclusive", "reverse") if int(c.attr(name, 0))}
    return c.g.op("cumsum", [x], x.shape, x.dtype, axis=normalize_axis(axis[0], x.rank), **flags)
