# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Five steps of whole networks: the losses are JAX's to 1e-4, whether RAF differentiates the loss function or runs JAX's own train step."""

import importlib.util
import pathlib

import numpy as np
import pytest
import raf
from raf.testing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy
_spec = importlib.util.spec_from_file_location("raf_test_networks", pathlib.Path(__file__).with_name("networks.py"))
networks = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(networks)

RTOL = {"transformer_in_bfloat16": 1e-2}


def adam_step(loss):
    """A train step with Adam and clipping by the global norm, as JAX differentiates it."""

    def step(p, state, rate, *batch):
        value, g = jax.value_and_grad(loss)(p, *batch)
        norm = jnp.sqrt(sum(jnp.sum(a * a) for a in jax.tree.leaves(g)))
        g = jax.tree.map(lambda a: a * jnp.minimum(1.0, 1.0 / norm), g)
        m = jax.tree.map(lambda a, b: 0.9 * a + 0.1 * b, state["m"], g)
        v = jax.tree.map(lambda a, b: 0.99 * a + 0.01 * b * b, state["v"], g)
        count = state["count"] + 1
        p = jax.tree.map(lambda a, b, c: a - rate * (b / (1 - 0.9**count)) / (jnp.sqrt(c / (1 - 0.99**count)) + 1e-8), p, m, v)
        return p, {"m": m, "v": v, "count": count}, value

    return step


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_the_train_step_of_jax(name):
    loss, p, batches = networks.NETWORKS[name]()
    zeros = jax.tree.map(np.zeros_like, p)
    state, rate = {"m": zeros, "v": zeros, "count": np.float32(0)}, np.float32(1e-2)
    step = jax.jit(adam_step(loss), donate_argnums=(0, 1))
    compiled = raf.compile(raf.from_jax(step, p, state, rate, *batches[0]))
    mine, theirs = [], []
    for start, run in ((mine, compiled), (theirs, jax.jit(adam_step(loss)))):
        q, s = p, state
        for batch in batches:
            q, s, value = run(q, s, rate, *batch)
            start.append(float(value))
    np.testing.assert_allclose(mine, theirs, rtol=RTOL.get(name, 1e-4))


@pytest.mark.parametrize("name", networks.NETWORKS)
def test_the_loss_function(name):
    loss, p, batches = networks.NETWORKS[name]()
    trainer = raf.compile(raf.from_jax(loss, p, *batches[0]), loss="output", optimizer=raf.optim.SGD(0.1))
    mine = [float(trainer.step(*batch)) for batch in batches]
    gradient, theirs = jax.jit(jax.value_and_grad(loss)), []
    for batch in batches:
        value, g = gradient(p, *batch)
        theirs.append(float(value))
        p = jax.tree.map(lambda a, b: a - 0.1 * b, p, g)
    assert len(set(theirs)) == len(theirs)
    np.testing.assert_allclose(mine, theirs, rtol=RTOL.get(name, 1e-4))


@pytest.mark.parametrize("name", ["scan_rnn", "cnn"])
def test_derivatives_of_all_kinds(name):
    loss, p, (batch, *_) = networks.NETWORKS[name]()
    rng = np.random.default_rng(0)
    tangent = jax.tree.map(lambda a: rng.normal(size=a.shape).astype(np.float32), p)
    model, own = raf.from_jax(loss, p, *batch), lambda q: loss(q, *batch)
    pairs = [
        (raf.grad(model)(p, *batch), jax.jit(jax.grad(own))(p)),
        (raf.jvp(model)(p, *batch, tangent=tangent), jax.jit(lambda q, t: jax.jvp(own, (q,), (t,)))(p, tangent)),
        (raf.jvp(raf.grad(model))(p, *batch, tangent=tangent), jax.jit(lambda q, t: jax.jvp(jax.grad(own), (q,), (t,)))(p, tangent)),
    ]
    for mine, theirs in pairs:
        for a, e in zip(jax.tree.leaves(mine), jax.tree.leaves(theirs), strict=True):
            assert_close(np.asarray(a), np.asarray(e))


def test_a_flax_module():
    nnx = pytest.importorskip("flax.nnx", reason="flax is not installed: pip install flax")

    class Net(nnx.Module):
        def __init__(self, rngs):
            self.conv = nnx.Conv(2, 8, (3, 3), rngs=rngs)
            self.norm = nnx.BatchNorm(8, use_running_average=False, rngs=rngs)
            self.dense = nnx.Linear(8, 5, rngs=rngs)

        def __call__(self, x):
            return self.dense(jax.nn.relu(self.norm(self.conv(x))).mean((1, 2)))

    graph, params, rest = nnx.split(Net(nnx.Rngs(0)), nnx.Param, ...)

    def loss(p, rest, x, y):
        net = nnx.merge(graph, p, rest, copy=True)
        value = networks.cross_entropy(net(x), y)
        return value, nnx.split(net, nnx.Param, ...)[2]

    batches = networks.images(np.random.default_rng(5), 4, 6, 2, 5)
    trainer = raf.compile(raf.from_jax(loss, params, rest, *batches[0], buffers="rest"), loss="output", optimizer=raf.optim.SGD(0.1))
    mine = [float(trainer.step(*batch)) for batch in batches]
    theirs = []
    for batch in batches:
        (value, rest), g = jax.value_and_grad(loss, has_aux=True)(params, rest, *batch)
        theirs.append(float(value))
        params = jax.tree.map(lambda a, b: a - 0.1 * b, params, g)
    np.testing.assert_allclose(mine, theirs, rtol=1e-4)
    assert trainer.buffers
    for name, value in zip(trainer.buffers, jax.tree.leaves(rest), strict=True):
        assert_close(trainer.buffers[name], np.asarray(value), what=name)
