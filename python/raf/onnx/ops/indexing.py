# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gather and scatter. Negative indices are resolved here, since the dialect has none."""

from __future__ import annotations

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor, size_of
from ..registry import Call, handles, normalize_axis


def resolve(g: Graph, indices: Tensor, size: int) -> Tensor:
    """Indices in [0, size): negative ones count from the end."""
    if indices.dtype.kind not in "iu":
        raise Unsupported(f"indices must be integers, got {indices.dtype}")
    if indices.array is not None:
        flat = indices.array.astype(np.int64)
        if flat.size and not (-size <= flat.min() and flat.max() < size):
            raise Unsupported(f"an index is outside [-{size}, {size})")
        return g.const(np.where(flat < 0, flat + size, flat))
    if indices.dtype not in (np.dtype(np.int64), np.dtype(np.int32)):
        indices = g.cast(indices, np.int64)
    return g.select(g.compare("lt", indices, g.full_like(0, indices)), g.shift(indices, size), indices)


def gather(g: Graph, x: Tensor, indices: Tensor, axis: int) -> Tensor:
    """Constant indices in arithmetic progression are a slice."""
    size = x.shape[axis]
    indices = resolve(g, indices, size)
    shape = (*x.shape[:axis], *indices.shape, *x.shape[axis + 1:])
    if indices.array is not None and indices.size:
        flat = indices.array.reshape(-1)
        step = int(flat[1] - flat[0]) if flat.size > 1 else 1
        if step > 0 and (flat == flat[0] + step * np.arange(flat.size)).all():
            starts, limits, strides = [0] * x.rank, list(x.shape), [1] * x.rank
            starts[axis], limits[axis], strides[axis] = int(flat[0]), int(flat[-1]) + 1, step
            return g.reshape(g.slice(x, starts, limits, strides), shape)
    if not size and size_of(shape):
        raise Unsupported("the dimension is empty")
    return g.op("gather", [x, indices], shape, x.dtype, axis=axis)


@handles("Gather")
def gather_op(c: Call) -> Tensor:
    x = c[0]
    indices = c.inputs[1]
    if indices is None:
        raise Unsupported("input 1 is missing")
    return gather(c.g, x, indices, c.axis(x.rank, 0))


@handles("GatherElements")
def gather_elements(c: Call) -> Tensor:
    g, x, indices = c.g, c[0], c[1]
    axis = c.axis(x.rank, 0)
    if indices.rank != x.rank or any(a > b for d, (a, b) in enumerate(zip(indices.shape, x.shape)) if d != axis):
        raise Unsupported(f"indices {list(indices.shape)} do not fit the shape {list(x.shape)}")
    x = g.slice(x, [0] * x.rank, [d if i == axis else n for i, (d, n) in enumerate(zip(x.shape, indices.shape))])
    return g.op("take_along_axis", [x, resolve(g, indices, x.shape[axis])], indices.shape, x.dtype, axis=axis)


def _linear(g: Graph, indices: Tensor, sizes: tuple[int, ...]) -> Tensor:
    """Row-major positions in dimensions of the given sizes from index tuples in the last dimension."""
    total: Tensor | None = None
    for k, size in enumerate(sizes):
        part = g.take(indices, indices.rank - 1, k, k + 1)
        part = g.scale(resolve(g, g.reshape(part, part.shape[:-1]), size), size_of(sizes[k + 1:]))
        total = part if total is None else g.add(total, part)
    if total is None:
        raise Unsupported("index tuples are empty")
    return total


@handles("GatherND")
def gather_nd(c: Call) -> Tensor:
    g, x, indices, batch = c.g, c[0], c[1], int(c.attr("batch_dims", 0))
    depth = indices.shape[-1] if indices.rank else 0
    if not 0 <= batch < indices.rank or depth < 1 or batch + depth > x.rank or indices.shape[:batch] != x.shape[:batch]:
        raise Unsupported(f"indices {list(indices.shape)} with batch_dims {batch} do not fit the shape {list(x.shape)}")
    sizes, rest = x.shape[batch:batch + depth], x.shape[batch + depth:]
    position = _linear(g, indices, sizes)
    count = size_of(x.shape[:batch])
    if batch:
        offset = np.arange(count, dtype=position.dtype).reshape(*x.shape[:batch], *[1] * (position.rank - batch)) * size_of(sizes)
        position = g.add(position, g.const(offset))
    return g.op("gather", [g.reshape(x, (count * size_of(sizes), *rest)), position], (*position.shape, *rest), x.dtype, axis=0)


def _write(g: Graph, op: str, x: Tensor, indices: Tensor, updates: Tensor, axis: int, reduction: str) -> Tensor:
    """Adds the updates, or puts them where constant indices name no place twice."""
    if x.dtype != updates.dtype:
        raise Unsupported(f"updates {updates.dtype} do not have the type {x.dtype}")
    if reduction == "add":
        return g.op(op, [x, indices, updates], x.shape, x.dtype, axis=axis)
    if reduction != "none":
        raise Unsupported(f"reduction {reduction!r} is not supported")
    if indices.array is None:
        raise Unsupported("without reduction = 'add' the indices must be constants")
    count = np.zeros(x.shape if op == "add_along_axis" else (x.shape[axis],), dtype=np.int64)
    place = np.indices(indices.shape)
    if op == "add_along_axis":
        place[axis] = indices.array
        np.add.at(count, tuple(place), 1)
    else:
        np.add.at(count, indices.array, 1)
        count = np.broadcast_to(count.reshape([-1 if i == axis else 1 for i in range(x.rank)]), x.shape)
    if count.size and count.max() > 1:
        raise Unsupported("without reduction = 'add' no place may be written twice")
    written = g.op(op, [g.full_like(0, x), indices, updates], x.shape, x.dtype, axis=axis)
    return g.select(g.const(count > 0), written, x)


@handles("ScatterElements", "Scatter")
def scatter_elements(c: Call) -> Tensor:
    g, x, indices, updates = c.g, c[0], c[1], c[2]
    axis = c.axis(x.rank, 0)
    if indices.shape != updates.shape or indices.rank != x.rank or any(a > b for i, (a, b) in enumerate(zip(indices.shape, x.shape)) if i != axis):
        raise Unsupported(f"indices {list(indices.shape)} and updates {list(updates.shape)} do not fit the shape {list(x.shape)}")
    if any(a != b for i, (a, b) in enumerate(zip(indices.shape, x.shape)) if i != axis):
        raise Unsupported(f"indices {list(indices.shape)} that cover only a part of the shape {list(x.shape)} are not supported")
    return _write(g, "add_along_axis", x, resolve(g, indices, x.shape[axis]), updates, axis, c.text("reduction", "none"))


@handles("ScatterND")
def scatter_nd(c: Call) -> Tensor:
    g, x, indices, updates = c.g, c[0], c[1], c[2]
    depth = indices.shape[-1] if indices.rank else 0
    if depth < 1 or depth > x.rank or updates.shape != (*indices.shape[:-1], *x.shape[depth:]):
        raise Unsupported(f"indices {list(indices.shape)} and updates {list(updates.shape)} do not fit the shape {list(x.shape)}")
    sizes, rest = x.shape[:depth], x.shape[depth:]
    position = _linear(g, indices, sizes)
    count = position.size
    y = _write(g, "scatter_add", g.reshape(x, (size_of(sizes), *rest)), g.reshape(position, (count,)), g.reshape(updates, (count, *rest)), 0, c.text("reduction", "none"))
    return g.reshape(y, x.shape)


@handles("OneHot")
def one_hot(c: Call) -> Tensor:
    g, indices = c.g, c[0]
    depth, values = int(c.number(1)), c.inputs[2]
    axis = normalize_axis(int(c.attr("axis", -1)), indices.rank + 1)
    if values is None or values.shape != (2,) or depth < 1:
        raise Unsupported("depth must be at least 1 and values must hold two numbers")
    # An index outside [-depth, depth) selects nothing.
    indices = g.cast(indices, np.int64)
    indices = g.select(g.compare("lt", indices, g.full_like(0, indices)), g.shift(indices, depth), indices)
    shape = [*indices.shape[:axis], depth, *indices.shape[axis:]]
    wide = g.broadcast_dims(indices, shape, [i for i in range(len(shape)) if i != axis])
    hit = g.compare("eq", g.op("iota", [], shape, np.int64, dim=axis), wide)
    off, on = (g.reshape(g.take(values, 0, i, i + 1), ()) for i in (0, 1))
    return g.select(hit, on, off)

