# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions with a given gradient: of JAX functions and of models."""

import numpy as np
import pytest
import raf

jax = pytest.importorskip("jax")
jnp = jax.numpy

X, Y = np.array([0.3, -1.4, 2.2], np.float32), np.array([1.0, 2.0, -1.0], np.float32)


def test_of_jax_functions():
    clip = raf.custom_gradient(lambda x: x, lambda x, dy: jnp.clip(dy, -1, 1))

    @raf.custom_gradient(vjp=lambda x, n, y, dy: (dy * y, None, dy * 3))
    def product(x, n, y):
        return x * n * y

    def f(x):
        return jnp.sum(clip(x) * 5 + product(x, 2, jnp.sin(x)))

    value, gradient = raf.value_and_grad(raf.from_jax(f, X))(X)
    np.testing.assert_allclose(value, np.sum(X * 5 + X * 2 * np.sin(X)), rtol=1e-5)
    np.testing.assert_allclose(gradient, 1 + np.sin(X) + 3 * np.cos(X), rtol=1e-5)
    np.testing.assert_allclose(jax.grad(f)(X), gradient, rtol=1e-5)


@pytest.fixture(scope="module")
def rounded():
    """x + n, rounded, times y, with the gradient of x + n (straight through) and three times that with respect to y."""
    function = raf.from_jax(lambda x, n, y: (jnp.round(x + n) * y, n), X, 1, Y, trainable=())
    vjp = raf.from_jax(lambda x, n, y, dy: (dy * y, 3 * dy), X, 1, Y, Y, trainable=())
    return raf.custom_gradient(function, vjp)


def test_of_models(rounded):
    product, n = rounded(X, 1, Y)
    np.testing.assert_allclose(product, np.round(X + 1) * Y)
    assert n == 1
    dy = np.array([1.0, 2.0, 3.0], np.float32)
    (product, _), (dx, dz) = raf.vjp(rounded, (0, 2))(X, 1, Y, cotangent=(dy, 1))
    np.testing.assert_allclose(product, np.round(X + 1) * Y)
    np.testing.assert_allclose(dx, dy * Y)
    np.testing.assert_allclose(dz, 3 * dy)


def test_of_functions_of_functions():
    """The gradient of a model, with a gradient of its own."""
    slope = raf.grad(raf.from_jax(lambda x: jnp.sum(x ** 3), X, trainable=()))
    made = raf.custom_gradient(slope, raf.from_jax(lambda x, dy: dy * 7, X, X, trainable=()))
    value, gradient = raf.vjp(made)(X, cotangent=Y)
    np.testing.assert_allclose(value, 3 * X ** 2, rtol=1e-6)
    np.testing.assert_allclose(gradient, 7 * Y)


@pytest.mark.parametrize(("make", "message"), [
    (lambda m: raf.custom_gradient(m), "needs vjp"),
    (lambda m: raf.custom_gradient(m, lambda x, dy: dy), "expected two JAX functions, or two models"),
    (lambda m: raf.custom_gradient(3, 4), "got int and int"),
    (lambda m: raf.custom_gradient(m, m), "the arguments of .* must be those that stand for x: float32, result: float32; they are x: float32"),
    (lambda m: raf.grad(raf.from_jax(lambda x: jnp.sum(raf.custom_gradient(lambda x, y: x, lambda x, y, dy: dy)(x, x)), X)), "must return 2 cotangents"),
])
def test_refused(make, message):
    model = raf.from_jax(lambda x: jnp.sum(x), X, trainable=())
    with pytest.raises(raf.Error, match=message):
        make(model)


def test_shapes_of_the_gradient_are_checked():
    model = raf.from_jax(lambda x: jnp.sum(x), X, trainable=())
    wrong = raf.from_jax(lambda x, dy: jnp.sum(x) * dy, X, np.float32(1), trainable=())
    with pytest.raises(raf.CompileError, match="expected .*the cotangents of the floating-point arguments"):
        raf.grad(raf.custom_gradient(model, wrong))(X)
