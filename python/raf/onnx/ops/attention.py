# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as one op: the standard's (opset 23) and ONNX Runtime's MultiHeadAttention."""

from __future__ import annotations

import math

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor
from ..registry import Call, handles


def attention(g: Graph, q: Tensor, k: Tensor, v: Tensor, bias: Tensor | None, scale: float, causal: bool) -> Tensor:
    """q is [b, h, t, d], k [b, g, s, d], v [b, g, s, e], bias broadcasts to [b, h, t, s]."""
    if any(x.rank != 4 for x in (q, k, v)) or q.dtype != k.dtype or q.dtype != v.dtype:
        raise Unsupported("query, key and value must have rank 4 and one element type")
    b, h, t, d = q.shape
    if k.shape[0] != b or v.shape[:3] != k.shape[:3] or k.shape[3] != d or not k.shape[1] or h % k.shape[1]:
        raise Unsupported(f"query {list(q.shape)}, key {list(k.shape)} and value {list(v.shape)} do not fit")
    return g.attention(q, k, v, None if bias is None else score_bias(g, bias, (b, h, t, k.shape[2])), scale, causal)


def score_bias(g: Graph, bias: Tensor, shape: tuple[int, int, int, int]) -> Tensor:
    """A term of the scores as [1|b, 1|h, 1|t, s]."""
    full = (1,) * (4 - bias.rank) + bias.shape
    if bias.rank > 4 or any(a not in (1, n) for a, n in zip(full, shape)):
        raise Unsupported(f"the mask {list(bias.shape)} does not fit the scores {list(shape)}")
    return g.broadcast(g.reshape(bias, full), (*full[:3], shape[3]))


def mask_bias(g: Graph, mask: Tensor, dtype: np.dtype) -> Tensor:
    """0 where a truth mask keeps, the lowest number elsewhere (not infinity: a row without a key would become NaN)."""
    if mask.dtype != np.bool_:
        return g.cast(mask, dtype)
    lowest = -3.0e38 if dtype != np.float16 else -6.0e4
    return g.select(mask, g.full(0, (), dtype), g.full(lowest, (), dtype))


def _split(g: Graph, x: Tensor, heads: int) -> Tensor:
    if heads < 1 or x.shape[2] % heads:
        raise Unsupported(f"{heads} heads do not divide {x.shape[2]}")
    return g.transpose(g.reshape(x, (*x.shape[:2], heads, x.shape[2] // heads)), (0, 2, 1, 3))


def _join(g: Graph, x: Tensor) -> Tensor:
    b, h, t, d = x.shape
    return g.reshape(g.transpose(x, (0, 2, 1, 3)), (b, t, h * d))


@handles("Attention")
def attention_op(c: Call) -> Tensor:
    g, q, k, v = c.g, c.floating(0), c.floating(1), c.floating(2)
    if any(c.get(i) is not None for i in range(4, len(c.inputs))) or any(c.uses(i) for i in range(1, c.outputs)):
        raise Unsupported("past and present keys, and the scores as an output, are not supported")
    if float(c.attr("softcap", 0.0)) != 0:
        raise Unsupported("softcap is not supported")
    packed = q.rank == 3
    if packed:
        q = _split(g, q, int(c.attr("q_num_heads")))
        k, v = (_split(g, x, int(c.attr("kv_num_heads"))) for x in (k, v))
    mask = c.get(3)
    scale = float(c.attr("scale", 0.0)) or 1 / math.sqrt(q.shape[-1])
    causal = bool(c.attr("is_causal", 0))
    if causal and q.shape[2] != k.shape[2]:
        # The standard aligns the first query with the first key, raf.attention the last with the last.
        raise Unsupported("is_causal with different numbers of queries and keys is not supported")
    y = attention(g, q, k, v, None if mask is None else mask_bias(g, mask, q.dtype), scale, causal)
    return _join(g, y) if packed else y


@handles("MultiHeadAttention", domain="com.microsoft")
def multi_head_attention(c: Call) -> Tensor:
    g, heads = c.g, int(c.attr("num_heads"))
    q, k, v, bias = c.floating(0), c[1], c[2], c.get(3)
    if any(c.get(i) is not None for i in (4, *range(6, len(c.inputs)))) or any(c.uses(i) for i in range(1, c.outputs)) or any(x.rank != 3 for x in (q, k, v)):
        raise Unsupported("packed inputs, padding masks, and past or present keys are not supported")
    if bias is not None:
        ends = np.cumsum([0, q.shape[2], k.shape[2], v.shape[2]]).tolist()
        q, k, v = (g.add(x, g.broadcast(g.take(bias, 0, a, b), x.shape)) for x, a, b in zip((q, k, v), ends, ends[1:]))
    q, k, v = (_split(g, x, heads) for x in (q, k, v))
    scale = float(c.attr("scale", 0.0)) or 1 / math.sqrt(q.shape[-1])
    extra = c.get(5)
    return _join(g, attention(g, q, k, v, None if extra is None else extra, scale, bool(c.attr("unidirectional", 0))))
