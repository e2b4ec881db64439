# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Normalizations and softmax."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..errors import Unsupported
from ..graph import Graph, Tensor, size_of
from ..registry import Call, handles
from .pool import channel_sum


@handles("Softmax", "LogSoftmax")
def softmax(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    op = "softmax" if c.op == "Softmax" else "log_softmax"
    axis = c.axis(x.rank, -1 if c.opset >= 13 else 1)
    if c.opset >= 13 or axis == x.rank - 1:
        return g.unary(op, x, axis=axis)
    # Before opset 13 the dimensions from axis on count as one.
    flat = g.reshape(x, (size_of(x.shape[:axis]), size_of(x.shape[axis:])))
    return g.reshape(g.unary(op, flat, axis=1), x.shape)


@handles("BatchNormalization")
def batch_norm(c: Call) -> Sequence[Tensor]:
    """The training form, whatever the file says about its mode; the new running statistics go to their buffers."""
    g, x = c.g, c.floating()
    if x.rank < 2 or int(c.attr("spatial", 1)) != 1:
        raise Unsupported("a rank below 2 or spatial = 0 is not supported")
    scale, bias = (g.cast(c[i], x.dtype) for i in (1, 2))
    stored = [c[3], c[4]]
    running = [g.cast(c.run.buffers.get(id(t), t), x.dtype) for t in stored]
    features, epsilon = (x.shape[1],), float(c.attr("epsilon", 1e-5))
    if any(t.shape != features for t in (scale, bias, *running)):
        raise Unsupported(f"scale, bias, mean and variance must have the shape {list(features)}")
    y, new_mean, new_var, mean, rstd = g.node(
        "batch_norm", [x, scale, bias, *running], [(x.shape, x.dtype)] + [(features, x.dtype)] * 4,
        axis=1, epsilon=epsilon, momentum=float(c.attr("momentum", 0.9)))
    updates = [g.cast(new, t.dtype) for new, t in zip((new_mean, new_var), stored)]
    for t, new in zip(stored, updates):
        if t.argument is not None and t.argument.role == "buffer":
            c.run.buffers[id(t)] = new
    # Before opset 14 two more outputs are the batch's own statistics.
    var = g.shift(g.div(g.full_like(1, rstd), g.mul(rstd, rstd)), -epsilon)
    return [y, *updates, mean, var][:c.outputs]


def affine(g: Graph, x: Tensor, scale: Tensor | None, bias: Tensor | None) -> Tensor:
    """By channel."""
    if scale is not None:
        x = g.mul(x, g.broadcast_dims(g.cast(scale, x.dtype), x.shape, [1]))
    return x if bias is None else g.add(x, g.broadcast_dims(g.cast(bias, x.dtype), x.shape, [1]))


def standardize(g: Graph, x: Tensor, axis: int, epsilon: float) -> Tensor:
    """Layer normalization without scale and bias."""
    inner = x.shape[axis:]
    return layer_norm(g, x, g.full(1, inner, x.dtype), g.full(0, inner, x.dtype), axis, epsilon)[0]


def layer_norm(g: Graph, x: Tensor, scale: Tensor, bias: Tensor, axis: int, epsilon: float) -> tuple[Tensor, ...]:
    outer = x.shape[:axis]
    return g.node("layer_norm", [x, scale, bias], [(x.shape, x.dtype), (outer, x.dtype), (outer, x.dtype)], axis=axis, epsilon=epsilon)


def _parameter(g: Graph, value: Tensor | None, default: float, x: Tensor, axis: int) -> Tensor:
    """A scale or bias in the shape and type of the normalized dimensions."""
    inner = x.shape[axis:]
    if value is None:
        return g.full(default, inner, x.dtype)
    value = g.cast(value, x.dtype)
    while value.rank > len(inner) and value.shape[0] == 1:
        value = g.reshape(value, value.shape[1:])
    return g.broadcast(value, inner)


@handles("LayerNormalization")
def layer_norm_op(c: Call) -> Sequence[Tensor]:
    g, x = c.g, c.floating()
    axis = c.axis(x.rank, -1)
    y, mean, rstd = layer_norm(g, x, _parameter(g, c[1], 1, x, axis), _parameter(g, c.get(2), 0, x, axis), axis, float(c.attr("epsilon", 1e-5)))
    kept = [*x.shape[:axis], *[1] * (x.rank - axis)]
    return [y, *(g.reshape(t, kept) for t in (mean, rstd))][:c.outputs]


def rms_norm(g: Graph, x: Tensor, scale: Tensor | None, axis: int, epsilon: float) -> tuple[Tensor, ...]:
    return g.node("rms_norm", [x, _parameter(g, scale, 1, x, axis)], [(x.shape, x.dtype), (x.shape[:axis], x.dtype)], axis=axis, epsilon=epsilon)


@handles("RMSNormalization", "SimplifiedLayerNormalization")
@handles("SimplifiedLayerNormalization", "RMSNormalization", domain="com.microsoft")
def rms_norm_op(c: Call) -> Sequence[Tensor]:
    g, x = c.g, c.floating()
    axis = c.axis(x.rank, -1)
    y, rstd = rms_norm(g, x, c.get(1), axis, float(c.attr("epsilon", 1e-5)))
    return [y, g.reshape(rstd, [*x.shape[:axis], *[1] * (x.rank - axis)])][:c.outputs]


@handles("SkipLayerNormalization", "SkipSimplifiedLayerNormalization", domain="com.microsoft")
def skip_layer_norm(c: Call) -> Sequence[Tensor | None]:
    g, simple = c.g, c.op == "SkipSimplifiedLayerNormalization"
    total = g.add(c.floating(), c[1])
    bias = c.get(3 if simple else 4)
    if bias is not None:
        total = g.add(total, g.broadcast(bias, total.shape))
    axis, epsilon = total.rank - 1, float(c.attr("epsilon", 1e-12))
    if simple:
        y = rms_norm(g, total, c[2], axis, epsilon)[0]
    else:
        y = layer_norm(g, total, _parameter(g, c[2], 1, total, axis), _parameter(g, c.get(3), 0, total, axis), axis, epsilon)[0]
    return [y, None, None, total][:c.outputs]


@handles("InstanceNormalization")
def instance_norm(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    flat = g.reshape(x, (*x.shape[:2], size_of(x.shape[2:])))
    return affine(g, g.reshape(standardize(g, flat, 2, float(c.attr("epsilon", 1e-5))), x.shape), c[1], c[2])


@handles("GroupNormalization")
def group_norm(c: Call) -> Tensor:
    g, x, groups = c.g, c.floating(), int(c.attr("num_groups"))
    if groups < 1 or x.rank < 2 or x.shape[1] % groups:
        raise Unsupported(f"{groups} groups do not fit the shape {list(x.shape)}")
    flat = g.reshape(x, (x.shape[0], groups, size_of(x.shape[1:]) // groups))
    y = standardize(g, flat, 2, float(c.attr("epsilon", 1e-5)))
    return affine(g, g.reshape(y, x.shape), c[1], c[2])


@handles("LpNormalization")
def lp_norm(c: Call) -> Tensor:
    g, x, p = c.g, c.floating(), int(c.attr("p", 2))
    axis = [c.axis(x.rank, -1)]
    if p not in (1, 2):
        raise Unsupported(f"p = {p} is not supported, only 1 and 2")
    norm = g.unary("sqrt", g.reduce("sum", g.mul(x, x), axis, True)) if p == 2 else g.reduce("sum", g.unary("abs", x), axis, True)
    return g.div(x, g.broadcast(norm, x.shape))


@handles("LRN")
def local_response_norm(c: Call) -> Tensor:
    g, x, size = c.g, c.floating(), int(c.attr("size"))
    if size < 1 or x.rank < 3:
        raise Unsupported(f"size {size} does not fit the shape {list(x.shape)}")
    base = g.shift(g.scale(channel_sum(g, g.mul(x, x), size), float(c.attr("alpha", 1e-4)) / size), float(c.attr("bias", 1.0)))
    return g.div(x, g.binary("pow", base, g.full_like(float(c.attr("beta", 0.75)), base)))


@handles("SoftmaxCrossEntropyLoss")
def softmax_cross_entropy(c: Call) -> Sequence[Tensor]:
    g, logits, labels = c.g, c.floating(), c[1]
    if c.get(2) is not None or c.text("reduction", "mean") != "mean":
        raise Unsupported("weights and reductions other than mean are not supported")
    rest = list(range(2, logits.rank))
    x = g.transpose(logits, [0, *rest, 1])
    flat = g.reshape(x, (size_of(x.shape[:-1]), x.shape[-1]))
    if labels.dtype not in (np.dtype(np.int64), np.dtype(np.int32)) or labels.size != flat.shape[0]:
        raise Unsupported(f"labels {labels.dtype}{list(labels.shape)} do not fit the scores {list(logits.shape)}")
    ignore = int(c.attr("ignore_index", -(1 << 62)))
    loss, _ = g.node("cross_entropy", [flat, g.reshape(labels, (labels.size,))], [((), flat.dtype), (flat.shape[:1], flat.dtype)], ignore_index=ignore, label_smoothing=0.0)
    return [loss, g.unary("log_softmax", logits, axis=1)][:c.outputs]


@handles("Hardmax")
def hardmax(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    if c.opset < 13:
        raise Unsupported("opsets below 13 are not supported")
    axis = c.axis(x.rank, -1)
    best = g.op("arg_reduce", [x], [d for i, d in enumerate(x.shape) if i != axis], np.int64, kind="max", axis=axis)
    best = g.broadcast_dims(best, x.shape, [i for i in range(x.rank) if i != axis])
    return g.cast(g.compare("eq", g.op("iota", [], x.shape, np.int64, dim=axis), best), x.dtype)
