# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Complex numpy arrays as arguments, parameters and results, with JAX's conventions for gradients."""

import numpy as np
import pytest
import raf
from raf.testing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy

RNG = np.random.default_rng(0)


def c64(*shape):
    return (RNG.normal(size=shape) + 1j * RNG.normal(size=shape)).astype(np.complex64)


X, W = c64(5, 3), c64(3, 4)


def energy(p, x):
    return jnp.sum(jnp.abs(jnp.tanh(x @ p["w"] * (0.3 + 0.1j)) + p["b"]) ** 2)


P = {"w": W, "b": c64(4)}


def close(mine, theirs):
    for a, e in zip(jax.tree.leaves(mine), jax.tree.leaves(theirs), strict=True):
        assert np.asarray(a).dtype == np.asarray(e).dtype
        assert_close(np.asarray(a), np.asarray(e))


def test_arguments_and_results():
    def f(p, x, k):
        y = x @ p["w"] + p["b"]
        return {"y": y, "size": jnp.abs(y), "first": y[0, 0] * k}

    model = raf.from_jax(f, P, X, np.complex64(2j))
    assert model.params["p['w']"].dtype == np.complex64
    assert [str(i) for i in model.inputs] == ["x: complex64[5, 3]", "k: complex64[]"]
    predict = raf.compile(model)
    close(predict(X, np.complex64(2j)), f(P, X, np.complex64(2j)))
    close(predict(np.asfortranarray(X), 1 + 1j), f(P, X, np.complex64(1 + 1j)))
    with pytest.raises(raf.RuntimeError, match=r"input 'x': expected complex64\[5, 3\], got float32\[5, 3\]"):
        predict(X.real, np.complex64(2j))


def test_double_precision():
    x = X.astype(np.complex128)
    with jax.enable_x64():
        model = raf.from_jax(jnp.exp, x, trainable=())
        expected = np.asarray(jnp.exp(x))
    found = raf.compile(model)(x)
    assert found.dtype == np.complex128
    assert_close(found, expected)


def test_a_program():
    text = """func.func @main(%x: tensor<2xcomplex<f32>> loc("x"), %p: tensor<2xcomplex<f32>> loc("p")) -> tensor<2xcomplex<f32>> {
      %0 = stablehlo.multiply %x, %p : tensor<2xcomplex<f32>>
      return %0 : tensor<2xcomplex<f32>>
    }"""
    x, p = c64(2), c64(2)
    model = raf.import_stablehlo(text, params={"p": p})
    close(raf.compile(model)(x), x * p)


def test_gradients_are_those_of_jax():
    model = raf.from_jax(energy, P, X)
    close(raf.value_and_grad(model)(P, X), jax.value_and_grad(energy)(P, X))
    close(raf.grad(model, "x")(P, X), jax.grad(energy, 1)(P, X))


def test_products_with_the_jacobian_are_those_of_jax():
    def f(x, r):
        return jnp.exp(x * (1 + 2j)) * r[:, None], jnp.real(x).sum(0) * r[0]

    x, r = X, RNG.normal(size=5).astype(np.float32)
    model = raf.from_jax(f, x, r, trainable=())
    cotangent = (c64(5, 3), RNG.normal(size=3).astype(np.float32))
    value, pull = jax.vjp(f, x, r)
    close(raf.vjp(model, (0, 1))(x, r, cotangent=cotangent), (value, pull(cotangent)))
    tangents = (c64(5, 3), RNG.normal(size=5).astype(np.float32))
    close(raf.jvp(model, (0, 1))(x, r, tangent=tangents), jax.jvp(f, (x, r), tangents))


def test_second_derivatives_are_those_of_jax():
    tangent = {"w": c64(3, 4), "b": c64(4)}
    model = raf.from_jax(energy, P, X)
    _, mine = raf.jvp(raf.grad(model))(P, X, tangent=tangent)
    _, theirs = jax.jvp(lambda p: jax.grad(energy)(p, X), (P,), (tangent,))
    close(mine, theirs)


def test_a_gradient_is_of_a_real_number():
    with pytest.raises(raf.CompileError, match="is complex"):
        raf.grad(raf.from_jax(lambda x: jnp.sum(x), X, trainable=()), output=0)(X)


@pytest.mark.parametrize("optimizer", [raf.optim.SGD(0.05), raf.optim.Adam(0.05)], ids=["sgd", "adam"])
def test_training(optimizer, tmp_path):
    model = raf.from_jax(energy, P, X)
    trainer = raf.compile(model, loss="output", optimizer=optimizer)
    losses = [float(trainer.step(X)) for _ in range(20)]
    assert losses[-1] < 0.5 * losses[0]
    assert trainer.params["p['w']"].dtype == np.complex64
    file = tmp_path / "c.safetensors"
    trainer.save(file)
    other = raf.compile(model, loss="output", optimizer=optimizer)
    other.load(file)
    assert other.step(X) == trainer.step(X)
    close(other.params_tree, trainer.params_tree)


def test_gradient_descent_follows_the_conjugate():
    model = raf.from_jax(energy, P, X)
    trainer = raf.compile(model, loss="output", optimizer=raf.optim.SGD(0.05))
    p = P
    for _ in range(3):
        trainer.step(X)
        p = jax.tree.map(lambda a, g: a - 0.05 * jnp.conj(g), p, jax.grad(energy)(p, X))
    close(trainer.params_tree, p)
