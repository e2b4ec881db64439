# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A transformer of flax.nnx: its operators are recognized, and training it gives JAX's losses."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
nnx = pytest.importorskip("flax.nnx", reason="flax is not installed: pip install flax to train its modules against JAX")
import jax.numpy as jnp  # noqa: E402
import raf  # noqa: E402
from raf._mlir import ir  # noqa: E402


class Block(nnx.Module):
    def __init__(self, features, rngs):
        self.norm1, self.norm2 = nnx.LayerNorm(features, rngs=rngs), nnx.RMSNorm(features, rngs=rngs)
        self.attention = nnx.MultiHeadAttention(4, features, decode=False, rngs=rngs)
        self.up, self.down = nnx.Linear(features, 2 * features, rngs=rngs), nnx.Linear(2 * features, features, rngs=rngs)
        self.dropout = nnx.Dropout(0.1, rngs=rngs)

    def __call__(self, x):
        x = x + self.attention(self.norm1(x), mask=nnx.make_causal_mask(x[..., 0]))
        return x + self.dropout(self.down(nnx.gelu(self.up(self.norm2(x)), approximate=False)))


class Transformer(nnx.Module):
    def __init__(self, rngs):
        self.embed = nnx.Embed(11, 16, rngs=rngs)
        self.block = Block(16, rngs)
        self.head = nnx.Linear(16, 11, rngs=rngs)

    def __call__(self, tokens):
        return self.head(self.block(self.embed(tokens)))


def cross_entropy(logits, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[..., None], -1))


def jax_losses(loss, params, batch, steps, lr):
    step = jax.jit(lambda p: jax.value_and_grad(loss)(p, *batch))
    losses = []
    for _ in range(steps):
        value, gradient = step(params)
        params = jax.tree.map(lambda p, g: p - lr * g, params, gradient)
        losses.append(float(value))
    return losses


def test_transformer():
    graph, params, rest = nnx.split(Transformer(nnx.Rngs(0)), nnx.Param, ...)

    def loss(params, tokens, y):
        # A copy, since dropout counts its uses.
        return cross_entropy(nnx.merge(graph, params, rest, copy=True)(tokens), y)

    rng = np.random.default_rng(0)
    batch = rng.integers(0, 11, (4, 6)).astype(np.int32), rng.integers(0, 11, (4, 6)).astype(np.int32)
    model = raf.from_jax(loss, params, *batch)
    with ir.Context():
        text = str(ir.Module.parse(model.specialize().asm))
    for op in ("raf.gather", "raf.layer_norm", "raf.attention", "raf.rms_norm", "raf.gelu", "raf.threefry", "raf.cross_entropy"):
        assert op in text, op
    trainer = raf.compile(model, loss="output", optimizer=raf.optim.SGD(0.5))
    actual = [float(trainer.step(*batch)) for _ in range(5)]
    np.testing.assert_allclose(actual, jax_losses(loss, params, batch, 5, 0.5), rtol=1e-4)
