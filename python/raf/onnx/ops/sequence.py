# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sequences of tensors, which exporters write for lists of Python; all of their structure is known at import."""

from __future__ import annotations

from ..errors import Unsupported
from ..graph import Graph, Tensor, TensorList
from ..registry import Call, handles, normalize_axis


def _items(c: Call) -> list[Tensor]:
    value = c.inputs[0]
    if not isinstance(value, TensorList):
        raise Unsupported("input 0 must be a sequence")
    return list(value.items)


def _position(c: Call, index: int, size: int) -> int:
    at = int(c.number(index))
    if not -size <= at < size:
        raise Unsupported(f"position {at} is outside of a sequence of {size}")
    return at % size


@handles("SequenceConstruct", "SequenceEmpty")
def construct(c: Call) -> Tensor:
    return TensorList(c.all())


@handles("SequenceAt")
def at(c: Call) -> Tensor:
    items = _items(c)
    return items[_position(c, 1, len(items))]


@handles("SequenceLength")
def length(c: Call) -> Tensor:
    return c.g.full(len(_items(c)), (), "int64")


@handles("SequenceInsert")
def insert(c: Call) -> Tensor:
    items = _items(c)
    place = len(items) if len(c.inputs) < 3 or c.inputs[2] is None else int(c.number(2))
    if not -len(items) <= place <= len(items):
        raise Unsupported(f"position {place} is outside of a sequence of {len(items)}")
    items.insert(place, c[1])
    return TensorList(items)


@handles("SequenceErase")
def erase(c: Call) -> Tensor:
    items = _items(c)
    del items[_position(c, 1, len(items)) if len(c.inputs) > 1 else -1]
    return TensorList(items)


@handles("SplitToSequence")
def split(c: Call) -> Tensor:
    g, x = c.g, c[0]
    axis, size = c.axis(x.rank, 0), x.shape[c.axis(x.rank, 0)]
    sizes = c.ints(1)
    single = sizes is None
    if sizes is None:
        sizes = [1] * size
    elif c.constant(1) is not None and not c.inputs[1].shape:  # type: ignore[union-attr]
        if sizes[0] < 1:
            raise Unsupported(f"parts of {sizes[0]} are not possible")
        sizes = [min(sizes[0], size - at) for at in range(0, size, sizes[0])]
    if sum(sizes) != size or any(s < 0 for s in sizes):
        raise Unsupported(f"parts {sizes} do not fit a dimension of size {size}")
    parts, start = [], 0
    for s in sizes:
        parts.append(g.take(x, axis, start, start + s))
        start += s
    if single and not int(c.attr("keepdims", 1)):
        parts = [_drop(g, p, axis) for p in parts]
    return TensorList(parts)


def _drop(g: Graph, x: Tensor, axis: int) -> Tensor:
    return g.reshape(x, [d for i, d in enumerate(x.shape) if i != axis])


@handles("ConcatFromSequence")
def concat(c: Call) -> Tensor:
    g, items = c.g, _items(c)
    if not items:
        raise Unsupported("the sequence is empty")
    new = bool(c.attr("new_axis", 0))
    axis = normalize_axis(int(c.attr("axis")), items[0].rank + new)
    return g.concat([g.reshape(x, (*x.shape[:axis], 1, *x.shape[axis:])) for x in items] if new else items, axis)
