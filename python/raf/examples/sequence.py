# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Transformers and recurrent nets, written out the way that PyTorch's exporter writes them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import onnx

    from .builder import Builder


def _heads(b: Builder, x: str, heads: int, width: int, keys: bool = False) -> str:
    """[batch, time, heads * width] to [batch, heads, time, width], or [.., width, time] for keys."""
    split = b("Reshape", x, b.const([0, 0, heads, width]))
    return str(b("Transpose", split, perm=[0, 2, 3, 1] if keys else [0, 2, 1, 3]))


def _attention(b: Builder, q: str, k: str, v: str, heads: int, width: int, mask: str | None) -> str:
    scores = b("MatMul", _heads(b, q, heads, width), _heads(b, k, heads, width, keys=True))
    scores = b("Div", scores, b.const(math.sqrt(width), np.float32))
    if mask is not None:
        scores = b("Add", scores, mask)
    mixed = b("MatMul", b("Softmax", scores, axis=-1), _heads(b, v, heads, width))
    return str(b("Reshape", b("Transpose", mixed, perm=[0, 2, 1, 3]), b.const([0, 0, heads * width])))


def _gelu(b: Builder, x: str) -> str:
    """GELU in the pieces that opsets before 20 need."""
    inner = b("Add", b("Erf", b("Div", x, b.const(math.sqrt(2), np.float32))), b.const(1.0, np.float32))
    return str(b("Mul", b("Mul", x, inner), b.const(0.5, np.float32)))


def _causal_mask(b: Builder, time: int) -> str:
    return b.const(np.triu(np.full((time, time), -3.4e38), 1).reshape(1, 1, time, time), np.float32)


def block(b: Builder, x: str, name: str, heads: int, width: int, hidden: int, mask: str | None) -> str:
    """A transformer's block with pre-normalization."""
    qkv = b.linear(b.layer_norm(x, f"{name}.norm1", width), f"{name}.qkv", width, 3 * width, rank=3)
    q, k, v = b("Split", qkv, b.const([width] * 3), outputs=3, axis=-1)
    x = b("Add", x, b.linear(_attention(b, q, k, v, heads, width // heads, mask), f"{name}.proj", width, width, rank=3))
    y = _gelu(b, b.linear(b.layer_norm(x, f"{name}.norm2", width), f"{name}.fc1", width, hidden, rank=3))
    return str(b("Add", x, b.linear(y, f"{name}.fc2", hidden, width, rank=3)))


def gpt(layers: int = 4, width: int = 512, heads: int = 8, hidden: int = 2048, vocabulary: int = 8192, time: int = 128, seed: int = 0, flat: bool = True) -> onnx.ModelProto:
    """A decoder with pre-normalization; the scores are [batch * time, vocabulary], or with `flat` off [batch, time, vocabulary]."""
    from .builder import Builder

    b = Builder("gpt", seed)
    tokens = b.input("tokens", ["batch", time], "i64")
    x = b("Gather", b.normal("embed.weight", (vocabulary, width), 1.0), tokens)
    x = b("Add", x, b.normal("position.weight", (time, width), 0.02))
    mask = _causal_mask(b, time)
    for i in range(layers):
        x = block(b, x, f"blocks.{i}", heads, width, hidden, mask)
    scores = b.linear(b.layer_norm(x, "norm", width), "head", width, vocabulary, bias=False, rank=3)
    if flat:
        b.output(b("Reshape", scores, b.const([-1, vocabulary])), ["rows", vocabulary])
    else:
        b.output(scores, ["batch", time, vocabulary])
    return b.model()


def bert(layers: int = 1, width: int = 64, heads: int = 4, hidden: int = 128, vocabulary: int = 100, time: int = 16, classes: int = 3, seed: int = 0) -> onnx.ModelProto:
    """An encoder with post-normalization over tokens and a padding mask (1 keeps), and a classifier on the first token."""
    from .builder import Builder

    b = Builder("bert", seed)
    tokens, keep = b.input("input_ids", ["batch", time], "i64"), b.input("attention_mask", ["batch", time], "i64")
    x = b("Gather", b.normal("embeddings.word.weight", (vocabulary, width), 0.02), tokens)
    position = b("Gather", b.normal("embeddings.position.weight", (time, width), 0.02), b.const(np.arange(time).reshape(1, time)))
    x = b.layer_norm(b("Add", x, position), "embeddings.norm", width)
    mask = b("Cast", b("Unsqueeze", keep, b.const([1, 2])), to=1)
    mask = b("Mul", b("Sub", b.const(1.0, np.float32), mask), b.const(-1e9, np.float32))
    for i in range(layers):
        name = f"layer.{i}"
        q, k, v = (b.linear(x, f"{name}.{part}", width, width, rank=3) for part in ("query", "key", "value"))
        y = b.linear(_attention(b, q, k, v, heads, width // heads, mask), f"{name}.output", width, width, rank=3)
        x = b.layer_norm(b("Add", y, x), f"{name}.norm1", width)
        y = b.linear(_gelu(b, b.linear(x, f"{name}.fc1", width, hidden, rank=3)), f"{name}.fc2", hidden, width, rank=3)
        x = b.layer_norm(b("Add", y, x), f"{name}.norm2", width)
    first = b("Gather", x, b.const(0), axis=1)
    pooled = b("Tanh", b.linear(first, "pooler", width, width))
    b.output(b.linear(pooled, "classifier", width, classes), ["batch", classes])
    return b.model()


def _recurrent(op: str, gates: int, inputs: int, hidden: int, time: int, classes: int, bidirectional: bool, seed: int) -> onnx.ModelProto:
    from .builder import Builder

    b = Builder(op.lower(), seed)
    directions, bound = 2 if bidirectional else 1, 1 / math.sqrt(hidden)
    x = b("Transpose", b.input("x", ["batch", time, inputs]), perm=[1, 0, 2])
    w = b.uniform("rnn.weight_ih", (directions, gates * hidden, inputs), bound)
    r = b.uniform("rnn.weight_hh", (directions, gates * hidden, hidden), bound)
    bias = b.uniform("rnn.bias", (directions, 2 * gates * hidden), bound)
    more: dict[str, Any] = {"linear_before_reset": 1} if op == "GRU" else {}
    y = b(op, x, w, r, bias, hidden_size=hidden, direction="bidirectional" if bidirectional else "forward", **more)
    y = b("Reshape", b("Transpose", y, perm=[0, 2, 1, 3]), b.const([0, 0, -1]))
    last = b("Gather", y, b.const(-1), axis=0)
    b.output(b.linear(last, "head", directions * hidden, classes), ["batch", classes])
    return b.model()


def lstm(inputs: int = 128, hidden: int = 256, time: int = 32, classes: int = 10, bidirectional: bool = False, seed: int = 0) -> onnx.ModelProto:
    """An LSTM over [batch, time, inputs] and a dense layer on its last output."""
    return _recurrent("LSTM", 4, inputs, hidden, time, classes, bidirectional, seed)


def gru(inputs: int = 32, hidden: int = 64, time: int = 16, classes: int = 10, bidirectional: bool = False, seed: int = 0) -> onnx.ModelProto:
    """A GRU over [batch, time, inputs] and a dense layer on its last output."""
    return _recurrent("GRU", 3, inputs, hidden, time, classes, bidirectional, seed)


def rnn(inputs: int = 32, hidden: int = 64, time: int = 16, classes: int = 10, bidirectional: bool = False, seed: int = 0) -> onnx.ModelProto:
    """An Elman network over [batch, time, inputs] and a dense layer on its last output."""
    return _recurrent("RNN", 1, inputs, hidden, time, classes, bidirectional, seed)
