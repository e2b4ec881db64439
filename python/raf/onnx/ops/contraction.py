# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products: Gemm, MatMul, Einsum, Attention."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ..errors import Unsupported
from ..graph import Graph, Tensor, broadcast_shape, size_of
from ..registry import Call, handles


def flatten_rows(g: Graph, x: Tensor) -> Tensor:
    return g.reshape(x, (size_of(x.shape[:-1]), x.shape[-1]))


def matmul(g: Graph, a: Tensor, b: Tensor) -> Tensor:
    """numpy's matmul. A matrix on the right makes it one 2-D product over all rows on the left."""
    if a.rank == 0 or b.rank == 0:
        raise Unsupported("a scalar operand is not supported")
    if a.rank == 1:
        y = matmul(g, g.reshape(a, (1, a.shape[0])), b)
        return g.reshape(y, (*y.shape[:-2], y.shape[-1]) if b.rank > 1 else ())
    if b.rank == 1:
        y = matmul(g, a, g.reshape(b, (b.shape[0], 1)))
        return g.reshape(y, y.shape[:-1])
    if b.rank > 2 and size_of(b.shape[:-2]) == 1 and b.rank <= a.rank:
        b = g.reshape(b, b.shape[-2:])
    if b.rank == 2:
        if a.rank == 2:
            return g.matmul(a, b)
        y = g.matmul(flatten_rows(g, a), b)
        return g.reshape(y, (*a.shape[:-1], b.shape[-1]))
    batch = broadcast_shape(a.shape[:-2], b.shape[:-2])
    return g.matmul(g.broadcast(a, (*batch, *a.shape[-2:])), g.broadcast(b, (*batch, *b.shape[-2:])))


@handles("MatMul")
def matmul_op(c: Call) -> Tensor:
    return matmul(c.g, c[0], c[1])


@handles("Gemm")
def gemm(c: Call) -> Tensor:
    g, a, b, bias = c.g, c[0], c[1], c.get(2)
    if a.rank != 2 or b.rank != 2:
        raise Unsupported(f"operands must be matrices, got the shapes {list(a.shape)} and {list(b.shape)}")
    y = g.matmul(a, b, bool(c.attr("transA", 0)), bool(c.attr("transB", 0)))
    y = g.scale(y, float(c.attr("alpha", 1.0)))
    if bias is not None and float(c.attr("beta", 1.0)) != 0:
        y = g.add(y, g.broadcast(g.scale(bias, float(c.attr("beta", 1.0))), y.shape))
    return y


@handles("FusedMatMul", domain="com.microsoft")
def fused_matmul(c: Call) -> Tensor:
    a, b = c[0], c[1]
    if int(c.attr("transBatchA", 0)) or int(c.attr("transBatchB", 0)):
        raise Unsupported("transBatchA and transBatchB are not supported")
    a = c.g.swap_last(a) if int(c.attr("transA", 0)) and a.rank > 1 else a
    b = c.g.swap_last(b) if int(c.attr("transB", 0)) and b.rank > 1 else b
    return c.g.scale(matmul(c.g, a, b), float(c.attr("alpha", 1.0)))


# -- Einsum


def _parse(equation: str, operands: Sequence[Tensor]) -> tuple[list[str], str]:
    """The terms with "..." written out as upper-case letters that the equation does not use."""
    equation = equation.replace(" ", "")
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(operands):
        raise Unsupported(f"the equation {equation!r} has {len(terms)} operands, the node {len(operands)}")
    spare = [letter for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ" if letter not in equation]
    ranks = [x.rank - len(t.replace("...", "")) for t, x in zip(terms, operands) if "..." in t]
    letters = "".join(spare[:max(ranks, default=0)])
    if len(letters) < max(ranks, default=0):
        raise Unsupported(f"the equation {equation!r} has too many dimensions")

    def expand(term: str, rank: int) -> str:
        if "..." not in term:
            return term
        count = rank - len(term.replace("...", ""))
        return term.replace("...", letters[len(letters) - count:] if count > 0 else "")

    expanded = [expand(t, x.rank) for t, x in zip(terms, operands)]
    if arrow:
        out = right.replace("...", letters)
    else:
        joined = "".join(expanded)
        out = letters + "".join(sorted(ch for ch in set(joined) if joined.count(ch) == 1 and ch not in letters))
    for term, x in zip(expanded, operands):
        if len(set(term)) != len(term):
            raise Unsupported(f"the repeated index in {term!r} is not supported")
        if len(term) != x.rank or not term.isalpha() and term:
            raise Unsupported(f"the equation {equation!r} does not fit an operand of rank {x.rank}")
    if len(set(out)) != len(out) or not set(out) <= set("".join(expanded)):
        raise Unsupported(f"the equation {equation!r} has an output that is not supported")
    return expanded, out


def _reduce_alone(g: Graph, x: Tensor, term: str, needed: str) -> tuple[Tensor, str]:
    """Sums the indices that nothing else needs."""
    alone = [i for i, ch in enumerate(term) if ch not in needed]
    return (g.reduce("sum", x, alone), "".join(ch for ch in term if ch in needed)) if alone else (x, term)


def _contract(g: Graph, a: Tensor, ta: str, b: Tensor, tb: str, keep: str) -> tuple[Tensor, str]:
    """One product of two operands; indices that are not in `keep` are summed."""
    a, ta = _reduce_alone(g, a, ta, tb + keep)
    b, tb = _reduce_alone(g, b, tb, ta + keep)
    sizes: dict[str, int] = {}
    for x, t in ((a, ta), (b, tb)):
        for ch, d in zip(t, x.shape):
            if sizes.get(ch, 1) != 1 and d not in (1, sizes[ch]):
                raise Unsupported(f"index {ch!r} has the sizes {sizes[ch]} and {d}")
            sizes[ch] = max(sizes.get(ch, 1), d) if d != 0 else 0
    a = g.broadcast(a, [sizes[ch] for ch in ta])
    b = g.broadcast(b, [sizes[ch] for ch in tb])
    batch = [ch for ch in ta if ch in tb and ch in keep]
    summed = [ch for ch in ta if ch in tb and ch not in keep]
    left = [ch for ch in ta if ch not in tb]
    right = [ch for ch in tb if ch not in ta]

    def arrange(x: Tensor, t: str, first: list[str], second: list[str]) -> Tensor:
        order = [*batch, *first, *second]
        x = g.transpose(x, [t.index(ch) for ch in order])
        return g.reshape(x, (*(sizes[ch] for ch in batch), math.prod(sizes[ch] for ch in first), math.prod(sizes[ch] for ch in second)))

    y = g.matmul(arrange(a, ta, left, summed), arrange(b, tb, summed, right))
    out = "".join([*batch, *left, *right])
    return g.reshape(y, [sizes[ch] for ch in out]), out


@handles("Einsum")
def einsum(c: Call) -> Tensor:
    g, operands = c.g, c.all()
    terms, out = _parse(c.text("equation", ""), operands)
    pairs = list(zip(operands, terms))
    x, t = pairs[0]
    for k, (other, term) in enumerate(pairs[1:], 1):
        later = set(out).union(*(later_term for _, later_term in pairs[k + 1:]))
        x, t = _contract(g, x, t, other, term, "".join(later))
    dropped = [i for i, ch in enumerate(t) if ch not in out]
    if dropped:
        x, t = g.reduce("sum", x, dropped), "".join(ch for ch in t if ch in out)
    return g.transpose(x, [t.index(ch) for ch in out])
