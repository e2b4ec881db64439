# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what ../test_nnx_module.py trains: a transformer of flax.nnx as its loss function and as JAX's train step, in StableHLO, with parameters, data and JAX's losses.

    pip install flax && python test/execute/stablehlo/nnx/generate.py
"""

import gzip
import pathlib

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

HERE = pathlib.Path(__file__).parent
STEPS, RATE = 5, 0.5


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
        self.embed, self.block, self.head = nnx.Embed(11, 16, rngs=rngs), Block(16, rngs), nnx.Linear(16, 11, rngs=rngs)

    def __call__(self, tokens):
        return self.head(self.block(self.embed(tokens)))


graph, params, rest = nnx.split(Transformer(nnx.Rngs(0)), nnx.Param, ...)
leaves, structure = jax.tree.flatten(params)


def loss(leaves, tokens, y):
    logits = nnx.merge(graph, jax.tree.unflatten(structure, leaves), rest, copy=True)(tokens)
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), y[..., None], -1))


def step(leaves, tokens, y):
    value, g = jax.value_and_grad(loss)(leaves, tokens, y)
    return value, [p - RATE * d for p, d in zip(leaves, g)]


def write(name, function, *args):
    text = jax.jit(function, keep_unused=True).lower(*args).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
    (HERE / f"{name}.mlir.gz").write_bytes(gzip.compress(text.encode(), mtime=0))


rng = np.random.default_rng(0)
batch = rng.integers(0, 11, (4, 6)).astype(np.int32), rng.integers(0, 11, (4, 6)).astype(np.int32)
write("loss", loss, leaves, *batch)
write("step", step, leaves, *batch)
losses, p = [], leaves
for _ in range(STEPS):
    value, p = jax.jit(step)(p, *batch)
    losses.append(float(value))
np.savez_compressed(HERE / "values.npz", tokens=batch[0], y=batch[1], losses=np.array(losses, np.float32), **{f"arg{i}": np.asarray(a) for i, a in enumerate(leaves)})
