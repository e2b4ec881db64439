# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dropout of JAX: the bits are JAX's, and its masks are computed again in the backward pass instead of kept, whether RAF or JAX differentiates."""

import functools
import json

import numpy as np
import pytest
import raf

jax = pytest.importorskip("jax")
jnp = jax.numpy

ROWS, WIDTH, LAYERS, RATE = 32, 64, 3, 0.25
RNG = np.random.default_rng(0)
P = [RNG.normal(size=(WIDTH, WIDTH)).astype(np.float32) / 8 for _ in range(LAYERS)]
X, KEY = RNG.normal(size=(ROWS, WIDTH)).astype(np.float32), np.asarray(jax.random.PRNGKey(3))


def loss(p, x, key, drops=True):
    for number, w in enumerate(p):
        x = jnp.tanh(x @ w)
        if drops:
            x = jnp.where(jax.random.bernoulli(jax.random.fold_in(key, number), 1 - RATE, x.shape), x / (1 - RATE), 0)
    return jnp.mean(x**2)


def step(p, x, key, drops=True):
    """A train step as JAX differentiates it."""
    value, g = jax.value_and_grad(functools.partial(loss, drops=drops))(p, x, key)
    return jax.tree.map(lambda a, b: a - 0.1 * b, p, g), value


def activations(made_by, drops):
    """The planned bytes of what a step keeps between its kernels, and its losses."""
    if made_by == "RAF":
        trainer = raf.compile(raf.from_jax(functools.partial(loss, drops=drops), P, X, KEY), loss="output", optimizer=raf.optim.SGD(0.1))
        return [float(trainer.step(X, KEY)) for _ in range(5)], trainer.memory["activations"]
    model = raf.from_jax(functools.partial(step, drops=drops), P, X, KEY, trainable=())
    compiled = raf.compile(model)
    p, losses = P, []
    for _ in range(5):
        p, value = compiled(p, X, KEY)
        losses.append(float(value))
    program = raf._core.Executable.compile(model.specialize().asm, "{}")
    return losses, json.loads(program.manifest)["memory"]["activations"]


@pytest.mark.parametrize("made_by", ["RAF", "JAX"])
def test_masks_are_not_kept(made_by):
    losses, kept = activations(made_by, True)
    _, without = activations(made_by, False)
    # Whole activations (what goes into dropout, for tanh, and what comes out of it, for the product) and keys of a few bytes. A mask has ROWS * WIDTH bytes, of
    # which LAYERS make no whole activation.
    assert 0 <= (kept - without) % (4 * ROWS * WIDTH) < ROWS * WIDTH / 2
    p, expected = P, []
    for _ in range(5):
        p, value = jax.jit(step)(p, X, KEY)
        expected.append(float(value))
    np.testing.assert_allclose(losses, expected, rtol=1e-5)


def test_the_bits_are_those_of_jax():
    def masks(key):
        return [jax.random.bernoulli(jax.random.fold_in(key, i), 1 - RATE, (7, 33)) for i in range(2)] + [jax.random.bits(key, (5, 3))]

    for actual, expected in zip(raf.compile(raf.from_jax(masks, KEY, trainable=()))(KEY), masks(KEY)):
        np.testing.assert_array_equal(actual, expected)
