# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A graph of raf ops with static shapes: what the importer builds, folds and raises before it writes MLIR.

A value is a constant (`array`), an argument of @main or a result of a node. Equal nodes are made once."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from .errors import Unsupported

Shape = tuple[int, ...]
Loc = tuple[str, int]

#: The element types of the raf dialect.
ELEMENT_TYPES = {
    np.dtype(np.float64): "f64", np.dtype(np.float32): "f32", np.dtype(np.float16): "f16", np.dtype(ml_dtypes.bfloat16): "bf16",
    np.dtype(np.int64): "i64", np.dtype(np.int32): "i32", np.dtype(np.int16): "i16", np.dtype(np.int8): "i8", np.dtype(np.bool_): "i1"}
FLOATS = frozenset(d for d, name in ELEMENT_TYPES.items() if "f" in name)

#: Results with more elements than this are not computed at import.
FOLD_LIMIT = 1 << 22

#: No value of a model may have more elements than this.
ELEMENT_LIMIT = 1 << 40


def is_float(dtype: np.dtype) -> bool:
    return dtype in FLOATS


def size_of(shape: Iterable[int]) -> int:
    return math.prod(shape)


class Tensor:
    """A value of the graph."""

    __slots__ = ("shape", "dtype", "node", "index", "array", "argument")

    def __init__(self, shape: Sequence[int], dtype: Any, node: Node | None = None, index: int = 0,
                 array: np.ndarray | None = None, argument: Argument | None = None) -> None:
        self.shape: Shape = tuple(int(d) for d in shape)
        self.dtype = np.dtype(dtype)
        self.node, self.index, self.array, self.argument = node, index, array, argument

    @property
    def rank(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return math.prod(self.shape)

    def scalar(self) -> Any | None:
        """The element that a constant has everywhere, or None."""
        if self.array is None or self.array.size == 0 or (self.array.size > 1 and any(self.array.strides)):
            return None
        return self.array[(0,) * self.array.ndim]

    def made_by(self, *ops: str) -> bool:
        return self.node is not None and self.node.op in ops and self.index == 0

    def __repr__(self) -> str:
        what = "const" if self.array is not None else self.argument.name if self.argument else self.node.op if self.node else "?"
        return f"<{what} {self.dtype}{list(self.shape)}>"


class TensorList(Tensor):
    """A sequence of values: known at import only, and never written."""

    __slots__ = ("items",)

    def __init__(self, items: Sequence[Tensor]) -> None:
        super().__init__((), object)
        self.items = tuple(items)


@dataclass
class Argument:
    name: str
    role: str
    frozen: bool = False


class Node:
    """One raf op."""

    __slots__ = ("op", "args", "attrs", "outs", "loc")

    def __init__(self, op: str, args: tuple[Tensor, ...], attrs: dict[str, Any], loc: Loc) -> None:
        self.op, self.args, self.attrs, self.loc = op, args, attrs, loc
        self.outs: tuple[Tensor, ...] = ()


def compact(array: np.ndarray) -> np.ndarray:
    """A view of one element where all are equal, so that splats take no memory."""
    if array.size > 1 and array.dtype.kind != "O" and any(array.strides):
        first = array[(0,) * array.ndim]
        if array.reshape(-1)[-1] == first and bool((array == first).all()) and not (first == 0 and np.signbit(array.astype(np.float64)).any()):
            return np.broadcast_to(first, array.shape)
    return array


class Graph:
    """Builds nodes; the methods infer shapes, take numpy-style shapes and drop what changes nothing."""

    def __init__(self) -> None:
        self.arguments: list[Tensor] = []
        self.described: list[Argument] = []
        self.loc: Loc = ("", 0)
        self._known: dict[Any, tuple[Tensor, ...]] = {}
        self._scalars: dict[Any, Tensor] = {}

    # -- leaves

    def argument(self, name: str, role: str, shape: Sequence[int], dtype: Any, frozen: bool = False) -> Tensor:
        described = Argument(name, role, frozen)
        value = Tensor(shape, dtype, argument=described)
        self.arguments.append(value)
        self.described.append(described)
        return value

    def const(self, array: Any, dtype: Any = None) -> Tensor:
        array = compact(np.asarray(array, dtype))
        return Tensor(array.shape, array.dtype, array=array)

    def full(self, value: Any, shape: Sequence[int], dtype: Any) -> Tensor:
        dtype = np.dtype(dtype)
        array = np.broadcast_to(np.asarray(value).astype(dtype), tuple(shape))
        key = (array.tobytes() if array.ndim == 0 else np.asarray(value).astype(dtype).tobytes(), array.shape, dtype)
        known = self._scalars.get(key)
        if known is None:
            known = self._scalars[key] = Tensor(array.shape, dtype, array=array)
        return known

    def full_like(self, value: Any, x: Tensor) -> Tensor:
        return self.full(value, x.shape, x.dtype)

    # -- nodes

    def node(self, op: str, args: Sequence[Tensor], results: Sequence[tuple[Sequence[int], Any]], **attrs: Any) -> tuple[Tensor, ...]:
        args = tuple(args)
        key = (op, tuple(id(a) for a in args), tuple(sorted(attrs.items())), results[0][1], tuple(results[0][0]))
        known = self._known.get(key)
        if known is not None:
            return known
        made = Node(op, args, attrs, self.loc)
        made.outs = tuple(Tensor(shape, dtype, made, i) for i, (shape, dtype) in enumerate(results))
        for out in made.outs:
            if any(d < 0 for d in out.shape) or out.size > ELEMENT_LIMIT:
                raise Unsupported(f"the result of shape {list(out.shape)} is " + ("not possible" if any(d < 0 for d in out.shape) else "too large"))
        self._known[key] = made.outs
        return made.outs

    def op(self, op: str, args: Sequence[Tensor], shape: Sequence[int], dtype: Any, **attrs: Any) -> Tensor:
        return self.node(op, args, [(shape, dtype)], **attrs)[0]

    def attention(self, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, scale: float, causal: bool) -> Tensor:
        """softmax(scale q k^T + bias) v with q [b, h, t, d], k [b, g, s, d], v [b, g, s, e] and bias [1|b, 1|h, 1|t, s]."""
        args = [q, k, v, *(() if bias is None else (bias,))]
        attrs: dict[str, Any] = {"causal": True} if causal else {}
        # q, k, v, bias, and the seed and the step of a dropout.
        attrs["operandSegmentSizes"] = (1, 1, 1, int(bias is not None), 0, 0)
        wide = np.dtype(np.float32) if q.dtype.itemsize < 4 else q.dtype
        y, _ = self.node("attention", args, [((*q.shape[:3], v.shape[3]), q.dtype), (q.shape[:3], wide)], scale=float(scale), **attrs)
        return y

    # -- elementwise

    def unary(self, op: str, x: Tensor, **attrs: Any) -> Tensor:
        return self.op(op, [x], x.shape, x.dtype, **attrs)

    def binary(self, op: str, a: Tensor, b: Tensor, dtype: Any = None, **attrs: Any) -> Tensor:
        """With numpy's broadcasting."""
        if a.dtype != b.dtype:
            raise Unsupported(f"operands have the types {a.dtype} and {b.dtype}")
        shape = broadcast_shape(a.shape, b.shape)
        return self.op(op, [self.broadcast(a, shape), self.broadcast(b, shape)], shape, dtype or a.dtype, **attrs)

    def add(self, a: Tensor, b: Tensor) -> Tensor:
        return self.binary("add", a, b)

    def sub(self, a: Tensor, b: Tensor) -> Tensor:
        return self.binary("sub", a, b)

    def mul(self, a: Tensor, b: Tensor) -> Tensor:
        return self.binary("mul", a, b)

    def div(self, a: Tensor, b: Tensor) -> Tensor:
        return self.binary("div", a, b)

    def scale(self, x: Tensor, factor: float) -> Tensor:
        return x if factor == 1 else self.mul(x, self.full_like(factor, x))

    def shift(self, x: Tensor, term: float) -> Tensor:
        return x if term == 0 else self.add(x, self.full_like(term, x))

    def compare(self, kind: str, a: Tensor, b: Tensor) -> Tensor:
        return self.binary("compare", a, b, np.bool_, kind=kind)

    def select(self, pred: Tensor, a: Tensor, b: Tensor) -> Tensor:
        if a.dtype != b.dtype:
            raise Unsupported(f"choices have the types {a.dtype} and {b.dtype}")
        shape = broadcast_shape(pred.shape, a.shape, b.shape)
        return self.op("select", [self.broadcast(t, shape) for t in (pred, a, b)], shape, a.dtype)

    def cast(self, x: Tensor, dtype: Any) -> Tensor:
        dtype = np.dtype(dtype)
        if x.dtype == dtype:
            return x
        if x.array is not None and x.dtype.kind != "O":
            value = x.scalar()
            if value is not None:
                return self.full(np.asarray(value).astype(dtype), x.shape, dtype)
            if x.size <= FOLD_LIMIT:
                return self.const(x.array.astype(dtype))
        return self.op("cast", [x], x.shape, dtype)

    # -- shape

    def reshape(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        shape = tuple(int(d) for d in shape)
        if shape == x.shape:
            return x
        if size_of(shape) != x.size:
            raise Unsupported(f"{x.size} elements of shape {list(x.shape)} do not fit the shape {list(shape)}")
        if x.array is not None:
            return self.full(x.scalar(), shape, x.dtype) if x.scalar() is not None else self.const(x.array.reshape(shape))
        if x.node is not None and x.made_by("reshape"):
            return self.reshape(x.node.args[0], shape)
        return self.op("reshape", [x], shape, x.dtype)

    def broadcast(self, x: Tensor, shape: Sequence[int]) -> Tensor:
        shape = tuple(int(d) for d in shape)
        if shape == x.shape:
            return x
        if broadcast_shape(x.shape, shape) != shape:
            raise Unsupported(f"the shape {list(x.shape)} does not broadcast to {list(shape)}")
        if x.scalar() is not None:
            return self.full(x.scalar(), shape, x.dtype)
        # Leading dimensions of size 1 say nothing: without them patterns and gradients see the plain vector.
        extra = len(shape) - x.rank
        lead = next((i for i, d in enumerate(x.shape) if d != 1), x.rank)
        if lead:
            x = self.reshape(x, x.shape[lead:])
        if not extra + lead and x.shape == shape:
            return x
        return self.op("broadcast", [x], shape, x.dtype, dims=tuple(range(len(shape) - x.rank, len(shape))))

    def broadcast_dims(self, x: Tensor, shape: Sequence[int], dims: Sequence[int]) -> Tensor:
        """Dimension k of x becomes dimension dims[k]."""
        full = [1] * len(shape)
        for d, size in zip(dims, x.shape):
            full[d] = size
        if x.scalar() is not None or tuple(full) == tuple(shape):
            return self.broadcast(self.reshape(x, full), shape)
        return self.op("broadcast", [x], shape, x.dtype, dims=tuple(dims))

    def transpose(self, x: Tensor, perm: Sequence[int]) -> Tensor:
        perm = tuple(int(p) for p in perm)
        if sorted(perm) != list(range(x.rank)):
            raise Unsupported(f"perm {list(perm)} is no permutation of {x.rank} dimensions")
        shape = [x.shape[p] for p in perm]
        if perm == tuple(range(x.rank)):
            return x
        if x.array is not None:
            return self.full(x.scalar(), shape, x.dtype) if x.scalar() is not None else self.const(np.ascontiguousarray(x.array.transpose(perm)))
        if x.node is not None and x.made_by("transpose"):
            inner = x.node.attrs["permutation"]
            return self.transpose(x.node.args[0], [inner[p] for p in perm])
        moved = [p for p in perm if x.shape[p] != 1]
        if moved == sorted(moved):
            return self.reshape(x, shape)
        return self.op("transpose", [x], shape, x.dtype, permutation=perm)

    def swap_last(self, x: Tensor) -> Tensor:
        return self.transpose(x, [*range(x.rank - 2), x.rank - 1, x.rank - 2])

    def slice(self, x: Tensor, starts: Sequence[int], limits: Sequence[int], strides: Sequence[int] | None = None) -> Tensor:
        strides = tuple(strides or [1] * x.rank)
        starts, limits = tuple(starts), tuple(limits)
        shape = [max(0, -(-(b - a) // s)) for a, b, s in zip(starts, limits, strides)]
        if tuple(shape) == x.shape:
            return x
        if x.array is not None:
            return self.const(x.array[tuple(np.s_[a:b:s] for a, b, s in zip(starts, limits, strides))])
        if x.node is not None and x.made_by("concat"):
            # Inside of one part: the last step of an unrolled recurrence is that step alone.
            axis, at = x.node.attrs["axis"], 0
            for part in x.node.args:
                if at <= starts[axis] and limits[axis] <= at + part.shape[axis]:
                    inside = [v - at if d == axis else v for d, v in enumerate(starts)], [v - at if d == axis else v for d, v in enumerate(limits)]
                    return self.slice(part, *inside, strides)
                at += part.shape[axis]
        return self.op("slice", [x], shape, x.dtype, starts=starts, limits=limits, strides=strides)

    def take(self, x: Tensor, axis: int, start: int, stop: int) -> Tensor:
        """x[..., start:stop, ...] along one dimension."""
        starts, limits = [0] * x.rank, list(x.shape)
        starts[axis], limits[axis] = start, stop
        return self.slice(x, starts, limits)

    def pad(self, x: Tensor, low: Sequence[int], high: Sequence[int], value: float = 0.0, interior: Sequence[int] | None = None) -> Tensor:
        interior = tuple(interior or [0] * x.rank)
        if not any(low) and not any(high) and not any(interior):
            return x
        shape = [a + b + d + max(0, d - 1) * i for a, b, d, i in zip(low, high, x.shape, interior)]
        return self.op("pad", [x], shape, x.dtype, low=tuple(low), high=tuple(high), interior=interior, value=float(value))

    def concat(self, parts: Sequence[Tensor], axis: int) -> Tensor:
        first = parts[0]
        for p in parts:
            if p.dtype != first.dtype or p.rank != first.rank or any(a != b for d, (a, b) in enumerate(zip(p.shape, first.shape)) if d != axis):
                raise Unsupported(f"cannot join {first.dtype}{list(first.shape)} and {p.dtype}{list(p.shape)} along axis {axis}")
        parts = [p for p in parts if p.shape[axis]] or [first]
        if len(parts) == 1:
            return parts[0]
        shape = list(first.shape)
        shape[axis] = sum(p.shape[axis] for p in parts)
        if all(p.array is not None for p in parts) and size_of(shape) <= FOLD_LIMIT:
            return self.const(np.concatenate([p.array for p in parts], axis))
        return self.op("concat", parts, shape, first.dtype, axis=axis)

    def reverse(self, x: Tensor, dims: Sequence[int]) -> Tensor:
        dims = tuple(sorted(d for d in dims if x.shape[d] > 1))
        if x.array is not None and dims:
            return self.const(np.flip(x.array, dims))
        return self.op("reverse", [x], x.shape, x.dtype, dims=dims) if dims else x

    # -- reductions and products

    def reduce(self, kind: str, x: Tensor, dims: Sequence[int], keep: bool = False) -> Tensor:
        dims = tuple(sorted(dims))
        shape = [d for i, d in enumerate(x.shape) if i not in dims]
        y = self.op("reduce", [x], shape, x.dtype, kind=kind, dims=dims) if dims else x
        return self.reshape(y, [1 if i in dims else d for i, d in enumerate(x.shape)]) if keep else y

    def mean(self, x: Tensor, dims: Sequence[int], keep: bool = False) -> Tensor:
        count = size_of(x.shape[d] for d in dims)
        y = self.reduce("sum", x, dims, keep)
        return self.div(y, self.full_like(count, y))

    def matmul(self, a: Tensor, b: Tensor, transpose_lhs: bool = False, transpose_rhs: bool = False) -> Tensor:
        """Operands of one rank and the same batch dimensions."""
        if a.dtype != b.dtype:
            raise Unsupported(f"operands have the types {a.dtype} and {b.dtype}")
        (m, k), (k2, n) = a.shape[-2:], b.shape[-2:]
        m, k = (k, m) if transpose_lhs else (m, k)
        k2, n = (n, k2) if transpose_rhs else (k2, n)
        if k != k2 or a.shape[:-2] != b.shape[:-2]:
            raise Unsupported(f"cannot multiply the shapes {list(a.shape)} and {list(b.shape)}")
        attrs = {name: True for name, on in (("transpose_lhs", transpose_lhs), ("transpose_rhs", transpose_rhs)) if on}
        return self.op("matmul", [a, b], (*a.shape[:-2], m, n), a.dtype, **attrs)


def broadcast_shape(*shapes: Sequence[int]) -> Shape:
    out: list[int] = []
    for i in range(-max(map(len, shapes), default=0), 0):
        sizes = {int(s[i]) for s in shapes if len(s) >= -i} - {1}
        if len(sizes) > 1 or any(d < 0 for d in sizes):
            raise Unsupported("the shapes " + " and ".join(str(list(s)) for s in shapes) + " do not broadcast")
        out.append(sizes.pop() if sizes else 1)
    return tuple(out)
