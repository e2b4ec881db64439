# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of JAX functions that say something of their own derivatives equal JAX's."""

from functools import partial

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import raf  # noqa: E402


def clip_gradient(bound):
    @jax.custom_vjp
    def clip(x):
        return x

    clip.defvjp(lambda x: (x, None), lambda _, dy: (jnp.clip(dy, -bound, bound),))
    return clip


@jax.custom_vjp
def scaled(x, n, y):
    return x * n * y["a"], y["b"] + x


# Not the derivative, so that it shows which one was used.
scaled.defvjp(lambda x, n, y: (scaled(x, n, y), (x, y)), lambda r, d: (d[0] * 5 + r[0], None, {"a": d[1] * r[1]["b"], "b": d[0]}))


@partial(jax.custom_vjp, nondiff_argnums=(0,))
def applied(f, x):
    return f(x)


applied.defvjp(lambda f, x: (f(x), x), lambda f, x, dy: (dy * f(x),))


@jax.custom_jvp
def bent(x):
    return jnp.exp(x)


@bent.defjvp
def _(primals, tangents):
    y = bent(primals[0])
    return y, 2 * y * tangents[0]


def straight_through(x):
    return x + jax.lax.stop_gradient(jnp.round(x) - x)


def scan(x):
    def body(carry, w):
        carry = bent(carry * w) * 0.1 + clip_gradient(0.05)(carry)
        return carry, jax.nn.relu(carry)

    return jnp.sum(jax.lax.scan(body, x, jnp.linspace(0.1, 0.9, 6))[1])


def cond(x):
    return jnp.sum(jax.lax.cond(x[0] > 0, lambda v: bent(v), lambda v: jax.lax.stop_gradient(v) * v, x))


CASES = {
    "stop_gradient": lambda x: jnp.sum(x * jax.lax.stop_gradient(x)),
    "stop_gradient_of_tree": lambda x: jnp.sum(jax.lax.stop_gradient({"a": x, "n": 3})["a"] * x ** 2),
    "straight_through": lambda x: jnp.sum(jnp.sin(straight_through(3 * x))),
    "target_network": lambda x: jnp.mean((jnp.tanh(x) - jax.lax.stop_gradient(0.9 * jnp.tanh(x) + 1)) ** 2),
    "relu": lambda x: jnp.sum(jax.nn.relu(x) * x),
    "relu6": lambda x: jnp.sum(jax.nn.relu6(4 * x) * x),
    "silu": lambda x: jnp.sum(jax.nn.silu(x) ** 2),
    "softplus": lambda x: jnp.sum(jax.nn.softplus(x) * x),
    "logsumexp": lambda x: jax.nn.logsumexp(x) * x[0],
    "softmax": lambda x: jnp.sum(jax.nn.softmax(x) * jnp.arange(6.0)),
    "log_softmax": lambda x: jnp.sum(jax.nn.log_softmax(x) * jnp.arange(6.0)),
    "logaddexp": lambda x: jnp.sum(jnp.logaddexp(x, x[::-1] * 2)),
    "clip_gradient": lambda x: jnp.sum(clip_gradient(0.5)(x) ** 2) + jnp.sum(clip_gradient(1.0)(x) ** 2),
    "custom_vjp": lambda x: sum(jnp.sum(v) for v in scaled(x, 3, {"a": jnp.cos(x), "b": x * x})),
    "nondiff_argnums": lambda x: jnp.sum(applied(jnp.sin, x) + applied(lambda v: v * 2, x)),
    "closure": lambda x: jnp.sum(applied(lambda v: v * jnp.arange(6.0), x)),
    "custom_jvp": lambda x: jnp.sum(bent(x) * x),
    "jit_vmap": lambda x: jnp.sum(jax.jit(jax.vmap(lambda v: bent(v) + clip_gradient(0.2)(v) ** 2))(x)),
    "remat": lambda x: jnp.sum(jax.checkpoint(lambda v: bent(jnp.sin(v)))(x)),
    "reduce_precision": lambda x: jnp.sum(jax.lax.reduce_precision(x * 1.3, 8, 5) ** 2),
    "scan": scan,
    "cond": cond,
}
X = np.array([-1.5, 0.0, 0.5, 1.2, -0.3, 2.0], np.float32)


@pytest.mark.parametrize("name", CASES)
def test_gradient(name):
    f = CASES[name]
    value, gradient = raf.value_and_grad(raf.from_jax(f, X))(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(gradient, jax.grad(f)(X), rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["stop_gradient", "straight_through", "relu", "logsumexp", "custom_vjp", "custom_jvp"])
def test_second_order(name):
    f = CASES[name]
    tangent = np.linspace(-1, 1, 6, dtype=np.float32)
    model = raf.from_jax(f, X)
    # The rule of custom_vjp has no jvp in JAX: both sides differentiate the gradient in reverse.
    actual = raf.vjp(raf.grad(model))(X, cotangent=tangent)[1]
    expected = jax.vjp(jax.grad(f), X)[1](tangent)[0]
    np.testing.assert_allclose(actual, expected, rtol=2e-5, atol=1e-6)


def test_jvp():
    model = raf.from_jax(CASES["custom_jvp"], X)
    actual = raf.jvp(model)(X, tangent=np.ones_like(X))
    expected = jax.jvp(CASES["custom_jvp"], (X,), (np.ones_like(X),))
    np.testing.assert_allclose(actual, expected, rtol=1e-5)


def test_trained():
    """A step that RAF makes follows the rules too."""

    def loss(p, x):
        return jnp.sum(clip_gradient(0.01)(p["w"] * x) ** 2)

    p = {"w": np.ones(6, np.float32)}
    trainer = raf.compile(raf.from_jax(loss, p, X), loss="output", optimizer=raf.optim.SGD(0.5))
    trainer.step(X)
    np.testing.assert_allclose(trainer.params_tree["w"], p["w"] - 0.5 * jax.grad(loss)(p, X)["w"], rtol=1e-5)


def test_open_shapes():
    """For each shape the function is traced again, rules and all."""

    def loss(x):
        return jnp.sum(clip_gradient(0.5)(x) ** 2) + jnp.sum(jax.nn.relu(x))

    (n,) = jax.export.symbolic_shape("n")
    gradient = raf.grad(raf.from_jax(loss, jax.ShapeDtypeStruct((n,), np.float32)))
    for size in (3, 6):
        np.testing.assert_allclose(gradient(X[:size]), jax.grad(loss)(X[:size]), rtol=1e-6)


def test_functions_are_shared():
    """Uses of a function with one rule are calls of one function; another rule makes another one."""
    same, other = clip_gradient(0.5), clip_gradient(1.0)
    asm = raf.from_jax(lambda x: jnp.sum(same(x) + same(x * 2) + other(x)), X).specialize().asm
    from raf._mlir import ir

    with ir.Context():
        text = str(ir.Module.parse(asm))
    assert text.count("raf.vjp") == 2
    assert text.count("call @clip(") == 2


def test_relu_is_an_operator():
    from raf._mlir import ir

    asm = raf.from_jax(lambda x: jnp.sum(jax.nn.relu(x)), X).specialize().asm
    with ir.Context():
        text = str(ir.Module.parse(asm))
    assert "raf.relu" in text and "call" not in text


def test_complex_functions_follow_from_what_they_compute():
    def f(x):
        return jnp.abs(jnp.sinc(x + 1j * x)).sum()

    x = np.array([0.3, 0.7], np.float32)
    np.testing.assert_allclose(raf.grad(raf.from_jax(f, x))(x), jax.grad(f)(x), rtol=1e-4)
