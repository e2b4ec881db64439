# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that move elements: reshapes, slices, joins, padding, resizing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import Unsupported
from ..fold import reshape_target, slice_index
from ..graph import FOLD_LIMIT, Graph, Tensor, broadcast_shape, size_of
from ..registry import Call, handles, normalize_axes, normalize_axis
from .resize import TABLE_LIMIT, interpolation, nearest_indices, repeat


@handles("Shape")
def shape_op(c: Call) -> Tensor:
    x = c.inputs[0]
    if x is None:
        raise Unsupported("input 0 is missing")
    start, end = (int(c.attr(n, d)) for n, d in (("start", 0), ("end", x.rank)))
    return c.g.const(np.array(x.shape[slice(start, end)], dtype=np.int64))


@handles("Size")
def size_op(c: Call) -> Tensor:
    x = c.inputs[0]
    if x is None:
        raise Unsupported("input 0 is missing")
    return c.g.const(np.array(x.size, dtype=np.int64))


@handles("Reshape")
def reshape(c: Call) -> Tensor:
    target = c.ints(1, "shape")
    if target is None:
        raise Unsupported("the target shape is missing")
    return c.g.reshape(c[0], reshape_target(c[0].shape, target, bool(c.attr("allowzero", 0))))


@handles("Flatten")
def flatten(c: Call) -> Tensor:
    x, axis = c[0], int(c.attr("axis", 1))
    if not -x.rank <= axis <= x.rank:
        raise Unsupported(f"axis {axis} is outside [-{x.rank}, {x.rank}]")
    axis = axis + x.rank if axis < 0 else axis
    return c.g.reshape(x, (size_of(x.shape[:axis]), size_of(x.shape[axis:])))


@handles("Squeeze")
def squeeze(c: Call) -> Tensor:
    x, axes = c[0], c.ints(1, "axes")
    chosen = [i for i, d in enumerate(x.shape) if d == 1] if axes is None else normalize_axes(axes, x.rank)
    if any(x.shape[a] != 1 for a in chosen):
        raise Unsupported(f"axes {axes} of the shape {list(x.shape)} are not all of size 1")
    return c.g.reshape(x, [d for i, d in enumerate(x.shape) if i not in chosen])


@handles("Unsqueeze")
def unsqueeze(c: Call) -> Tensor:
    x, axes = c[0], c.ints(1, "axes")
    if axes is None:
        raise Unsupported("axes are missing")
    chosen = normalize_axes(axes, x.rank + len(axes))
    sizes = iter(x.shape)
    return c.g.reshape(x, [1 if i in chosen else next(sizes) for i in range(x.rank + len(axes))])


@handles("Transpose")
def transpose(c: Call) -> Tensor:
    x = c[0]
    return c.g.transpose(x, c.attr("perm", list(range(x.rank))[::-1]))


@handles("Expand")
def expand(c: Call) -> Tensor:
    x, target = c[0], c.ints(1) or []
    return c.g.broadcast(x, broadcast_shape(x.shape, target))


@handles("Tile")
def tile(c: Call) -> Tensor:
    g, x, repeats = c.g, c[0], c.ints(1) or []
    if len(repeats) != x.rank or any(r < 0 for r in repeats):
        raise Unsupported(f"repeats {repeats} do not fit the rank {x.rank}")
    wide = [d for pair in zip(repeats, x.shape) for d in pair]
    y = g.broadcast(g.reshape(x, [d for size in x.shape for d in (1, size)]), wide)
    return g.reshape(y, [r * d for r, d in zip(repeats, x.shape)])


@handles("Concat")
def concat(c: Call) -> Tensor:
    parts = c.all()
    return c.g.concat(parts, normalize_axis(int(c.attr("axis", 1 if c.opset < 4 else None)), parts[0].rank))


@handles("Split")
def split(c: Call) -> Sequence[Tensor]:
    x = c[0]
    axis, count = c.axis(x.rank, 0), c.outputs
    sizes = c.ints(1, "split")
    if sizes is None:
        part = -(-x.shape[axis] // count)
        sizes = [min(part, max(0, x.shape[axis] - i * part)) for i in range(count)]
    if len(sizes) != count or sum(sizes) != x.shape[axis] or any(s < 0 for s in sizes):
        raise Unsupported(f"parts {sizes} for {count} outputs do not fit a dimension of size {x.shape[axis]}")
    ends = np.cumsum([0, *sizes]).tolist()
    return [c.g.take(x, axis, a, b) for a, b in zip(ends, ends[1:])]


@handles("Slice")
def slice_op(c: Call) -> Tensor:
    g, x = c.g, c[0]
    starts, ends = c.ints(1, "starts"), c.ints(2, "ends")
    if starts is None or ends is None:
        raise Unsupported("starts or ends are missing")
    index = slice_index(x.shape, starts, ends, c.ints(3, "axes"), c.ints(4))
    backwards = [d for d, i in enumerate(index) if i.step < 0]
    x = g.reverse(x, backwards)
    bounds = []
    for size, i in zip(x.shape, index):
        step = min(abs(i.step), max(size, 1))  # a longer one takes the first element too, but may be any number of 64 bits
        if i.step < 0:
            stop = -1 if i.stop is None else i.stop
            bounds.append((size - 1 - i.start, size - 1 - stop, step))
        else:
            bounds.append((i.start, i.stop, step))
    return g.slice(x, *(list(part) for part in zip(*bounds))) if bounds else x


@handles("Pad")
def pad(c: Call) -> Tensor:
    g, x, mode = c.g, c[0], c.text("mode", "constant")
    pads = c.ints(1, "pads")
    axes = c.ints(3)
    chosen = list(range(x.rank)) if axes is None else [normalize_axis(a, x.rank) for a in axes]
    if pads is None or len(pads) != 2 * len(chosen):
        raise Unsupported(f"pads {pads} do not fit {len(chosen)} dimensions")
    low, high = [0] * x.rank, [0] * x.rank
    for i, d in enumerate(chosen):
        low[d], high[d] = pads[i], pads[len(chosen) + i]
    if any(d + a + b < 0 for d, a, b in zip(x.shape, low, high)):
        raise Unsupported(f"pads {pads} crop more than the shape {list(x.shape)} has")
    if mode == "constant":
        return g.pad(x, low, high, float(c.number(2, "value", 0.0)))
    crop_low, crop_high = ([min(0, v) for v in side] for side in (low, high))
    x = g.pad(x, crop_low, crop_high)
    for d in range(x.rank):
        x = _extend(g, x, d, max(0, low[d]), max(0, high[d]), mode)
    return x


def _extend(g: Graph, x: Tensor, d: int, low: int, high: int, mode: str) -> Tensor:
    if not low and not high:
        return x
    size = x.shape[d]
    if mode == "reflect" and max(low, high) < size:
        parts = [g.reverse(g.take(x, d, 1, low + 1), [d]), x, g.reverse(g.take(x, d, size - 1 - high, size - 1), [d])]
    elif mode == "edge" and size:
        parts = [g.broadcast(g.take(x, d, at, at + 1), [n if i == d else s for i, s in enumerate(x.shape)]) for at, n in ((0, low), (size - 1, high))]
        parts.insert(1, x)
    elif mode == "wrap" and max(low, high) <= size:
        parts = [g.take(x, d, size - low, size), x, g.take(x, d, 0, high)]
    else:
        raise Unsupported(f"mode {mode!r} with pads {low} and {high} of a dimension of size {size} is not supported")
    return g.concat(parts, d)


@handles("DepthToSpace")
def depth_to_space(c: Call) -> Tensor:
    g, x, b = c.g, c[0], int(c.attr("blocksize"))
    if x.rank != 4 or b < 1 or x.shape[1] % (b * b):
        raise Unsupported(f"blocksize {b} does not fit the shape {list(x.shape)}")
    n, ch, h, w = x.shape
    ch //= b * b
    if c.text("mode", "DCR") == "DCR":
        y = g.transpose(g.reshape(x, (n, b, b, ch, h, w)), (0, 3, 4, 1, 5, 2))
    else:
        y = g.transpose(g.reshape(x, (n, ch, b, b, h, w)), (0, 1, 4, 2, 5, 3))
    return g.reshape(y, (n, ch, h * b, w * b))


@handles("SpaceToDepth")
def space_to_depth(c: Call) -> Tensor:
    g, x, b = c.g, c[0], int(c.attr("blocksize"))
    if x.rank != 4 or b < 1 or x.shape[2] % b or x.shape[3] % b:
        raise Unsupported(f"blocksize {b} does not fit the shape {list(x.shape)}")
    n, ch, h, w = x.shape
    y = g.transpose(g.reshape(x, (n, ch, h // b, b, w // b, b)), (0, 3, 5, 1, 2, 4))
    return g.reshape(y, (n, ch * b * b, h // b, w // b))


@handles("Trilu")
def trilu(c: Call) -> Tensor:
    g, x, k = c.g, c[0], int(c.number(1, None, 0))
    if x.rank < 2:
        raise Unsupported(f"the rank must be at least 2, got {x.rank}")
    make = np.triu if int(c.attr("upper", 1)) else np.tril
    mask = g.const(make(np.ones(x.shape[-2:], dtype=np.bool_), k))
    return g.select(mask, x, g.full_like(0, x))


@handles("ConstantOfShape", "Range", "EyeLike")
def needs_constants(c: Call) -> Tensor:
    for i in range(len(c.inputs)):
        if c.op != "EyeLike":
            c.constant(i)
    if c.op == "EyeLike" and c[0].rank == 2 and c[0].size <= FOLD_LIMIT:
        dtype = c[0].dtype if c.attr("dtype", None) is None else _dtype(int(c.attr("dtype")))
        return c.g.const(np.eye(c[0].shape[0], c[0].shape[1], k=int(c.attr("k", 0)), dtype=dtype))
    raise Unsupported("the arguments are not valid, or the result is too large")


def _dtype(number: int) -> np.dtype:
    from .. import data

    if number not in data.DTYPES:
        raise Unsupported(f"the element type {data.type_name(number)} is not supported")
    return data.DTYPES[number]


@handles("Resize", "Upsample")
def resize(c: Call) -> Tensor:
    """Nearest and linear interpolation, one dimension at a time."""
    g, x = c.g, c[0]
    scales_at, sizes_at = (1, None) if c.op == "Upsample" or c.opset < 11 else (2, 3)
    scales = c.constant(scales_at)
    if scales is None and c.attr("scales", None) is not None:
        scales = np.asarray(c.attr("scales"), dtype=np.float32)
    sizes = c.ints(sizes_at) if sizes_at is not None else None
    axes = c.attr("axes", None) or list(range(x.rank))
    mode, transform = c.text("mode", "nearest"), c.text("coordinate_transformation_mode", "half_pixel" if c.opset >= 11 and c.op == "Resize" else "asymmetric")
    if int(c.attr("antialias", 0)) or c.text("keep_aspect_ratio_policy", "stretch") != "stretch":
        raise Unsupported("antialias and keep_aspect_ratio_policy are not supported")
    rounding = c.text("nearest_mode", "round_prefer_floor" if c.op == "Resize" and c.opset >= 11 else "floor")
    values = None if scales is None or not scales.size else scales.reshape(-1).tolist()
    if (values is None) == (not sizes) or len(values or sizes or []) != len(axes):
        raise Unsupported("exactly one of scales and sizes must be given, one number a dimension")
    for k, axis in enumerate(axes):
        d = normalize_axis(int(axis), x.rank)
        size = x.shape[d]
        out = int(np.floor(size * values[k])) if values is not None else int((sizes or [])[k])
        factor = values[k] if values is not None else out / max(size, 1)
        if factor == 1 and out == size:
            continue
        if out * (1 if mode == "nearest" else size) > TABLE_LIMIT:
            raise Unsupported(f"dimension {d} of size {size} is resized to {out}, which is too large")
        if mode == "nearest":
            indices = nearest_indices(size, out, factor, transform, rounding)
            x = repeat(g, x, d, out // size) if size and out % size == 0 and indices.tolist() == (np.arange(out) // (out // size)).tolist() else \
                g.op("gather", [x, g.const(indices)], [out if i == d else s for i, s in enumerate(x.shape)], x.dtype, axis=d)
        elif mode in ("linear", "bilinear"):
            x = interpolation(g, x, d, out, factor, transform)
        else:
            raise Unsupported(f"mode {mode!r} is not supported")
    return x
