# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the pages' commands on StableHLO start from: a loss function that was exported, its parameters and data."""

import jax
import jax.numpy as jnp
import numpy as np


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x @ p["w"] + p["b"]), y[:, None], 1))


rng = np.random.default_rng(0)
p = {"w": np.zeros((4, 3), np.float32), "b": np.zeros(3, np.float32)}
x = rng.normal(size=(256, 4)).astype(np.float32)
(n,) = jax.export.symbolic_shape("n")
shapes = jax.eval_shape(lambda: p), jax.ShapeDtypeStruct((n, 4), np.float32), jax.ShapeDtypeStruct((n,), np.int32)
with open("loss.jax", "wb") as file:
    file.write(jax.export.export(jax.jit(loss))(*shapes).serialize())
np.savez("start.npz", **{f"p['{name}']": value for name, value in p.items()})
np.savez("train.npz", x=x, y=x[:, :3].argmax(1).astype(np.int32))
