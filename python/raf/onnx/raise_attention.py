# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax(scale q k^T + bias) v as one op."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from .graph import Graph, Tensor, is_float
from .matching import inputs, number, pairs, scaled

Uses = Callable[[Tensor], int]

#: Numbers at most this are "minus infinity" for a score: e^x of them is 0 beside any score that matters.
_MASKED = -1e4


@dataclass
class _Mask:
    """What is added to the scores: a tensor, nothing but the causal order, or nothing."""

    bias: Tensor | None = None
    causal: bool = False


def raise_attention(g: Graph, y: Tensor, uses: Uses) -> Tensor | None:
    node = y.node
    if node is None or y.rank not in (3, 4) or not is_float(y.dtype) or node.attrs.get("transpose_lhs"):
        return None
    weights, v = node.args
    if node.attrs.get("transpose_rhs"):
        v = g.swap_last(v)
    found = _scores(g, weights, uses)
    if found is None:
        return None
    scores, mask = found
    product, scale = scaled(scores)
    if product.node is None or not product.made_by("matmul") or product.node.attrs.get("transpose_lhs"):
        return None
    q, k = product.node.args
    # Exporters put the root of the scale on both operands.
    q, q_scale = scaled(q)
    k, k_scale = scaled(k)
    # A second transpose undoes the exporter's.
    k = k if product.node.attrs.get("transpose_rhs") else g.swap_last(k)
    if y.rank == 3:
        # [batch * heads, time, width]: one batch of as many heads.
        q, k, v = (g.reshape(x, (1, *x.shape)) for x in (q, k, v))
    bias = mask.bias
    shape = (q.shape[0], q.shape[1], q.shape[2], v.shape[3])
    if bias is not None:
        bias = g.reshape(bias, (1,) * (4 - bias.rank) + bias.shape)
        if any(a not in (1, b) for a, b in zip(bias.shape, (*shape[:3], k.shape[2]))):
            return None
        bias = g.broadcast(bias, (*bias.shape[:3], k.shape[2]))
    return g.reshape(g.attention(q, k, v, bias, scale * q_scale * k_scale, mask.causal), y.shape)


def _scores(g: Graph, weights: Tensor, uses: Uses) -> tuple[Tensor, _Mask] | None:
    """The scaled scores and the mask of a softmax over the last dimension that nothing else uses."""
    guarded = False
    found = inputs(weights, "select")
    if found and number(found[1]) == 0 and any(x is found[2] for x in inputs(found[0], "is_nan")):
        # PyTorch's guard for rows without a key; only left out where there are none.
        weights, guarded = found[2], True
        if uses(weights) != 2:
            return None
    elif uses(weights) != 1:
        return None
    if weights.node is None or not weights.made_by("softmax") or weights.node.attrs["axis"] != weights.rank - 1:
        return None
    scores = weights.node.args[0]
    if uses(scores) != 1:
        return None
    mask = _Mask()
    for a, b in pairs(scores, "add"):
        if _is_product(a):
            made = _from_bias(_narrow(b))
            if made is None or guarded and made.bias is not None and made.bias.array is None:
                return None
            return a, made
    found = inputs(scores, "select")
    if found:
        return _from_select(g, *found)
    return scores, mask


def _is_product(x: Tensor) -> bool:
    return scaled(x)[0].made_by("matmul")


def _narrow(x: Tensor) -> Tensor:
    """Without the repetition over batch and heads."""
    found = inputs(x, "broadcast")
    if not found or x.node is None:
        return x
    source, dims = found[0], x.node.attrs["dims"]
    return source if dims == tuple(range(x.rank - source.rank, x.rank)) else x


def _from_bias(bias: Tensor) -> _Mask | None:
    """A constant that is the causal order becomes the flag."""
    if bias.array is not None and bias.rank >= 2:
        values = bias.array.astype(np.float64)
        kept = values > _MASKED
        if not kept.any(-1).all():
            return None
        if not kept.all() and not values[kept].any() and _is_causal(kept):
            return _Mask(causal=True)
    return _Mask(bias=bias)


def _is_causal(kept: np.ndarray) -> bool:
    t, s = kept.shape[-2:]
    return bool(s >= t and (kept == np.tril(np.ones((t, s), dtype=np.bool_), s - t)).all())


def _from_select(g: Graph, pred: Tensor, a: Tensor, b: Tensor) -> tuple[Tensor, _Mask] | None:
    """where(mask, scores, minus infinity) with a constant mask that leaves a key to each row; a mask that is only known at run time could take all keys of a row."""
    for chosen, other, keep in ((a, b, True), (b, a, False)):
        value = number(other)
        if value is None or value > _MASKED or not _is_product(chosen):
            continue
        mask = _narrow(pred)
        if mask.array is None or mask.rank < 2:
            return None
        kept = mask.array if keep else ~mask.array
        if not kept.any(-1).all():
            return None
        if _is_causal(kept):
            return chosen, _Mask(causal=True)
        return chosen, _Mask(bias=g.const(np.where(kept, 0, value).astype(chosen.dtype)))
    return None
