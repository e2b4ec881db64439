# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients and Jacobian products of models from ONNX, against JAX."""

import numpy as np
import onnx
import onnx.parser
import pytest
import raf
from raf.testing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy

SHAPES = {"w1": (4, 16), "b1": (16,), "w2": (16, 3), "b2": (3,)}


@pytest.fixture(scope="module")
def model():
    made = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
        net (float[batch, 4] x) => (float[batch, 3] scores, int64[batch] best) <float[4, 16] w1, float[16] b1, float[16, 3] w2, float[3] b2>
        { h = Gemm (x, w1, b1) r = Tanh (h) scores = Gemm (r, w2, b2) best = ArgMax <axis = 1, keepdims = 0> (scores) }""")
    rng = np.random.default_rng(0)
    for name, shape in SHAPES.items():
        made.graph.initializer.append(onnx.numpy_helper.from_array(rng.normal(size=shape).astype(np.float32), name))
    return raf.import_onnx(made)


def scores(p, x):
    return jnp.tanh(x @ p["w1"] + p["b1"]) @ p["w2"] + p["b2"]


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores(p, x)), y[:, None], 1))


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(1)
    return rng.normal(size=(5, 4)).astype(np.float32), np.array([0, 1, 2, 1, 0]), rng.normal(size=(5, 4)).astype(np.float32), rng.normal(size=(5, 3)).astype(np.float32)


def test_a_pattern_gives_a_dict(model, data):
    x, y, _, _ = data
    found = raf.grad(model, "w?", loss="cross_entropy")(x, y)
    expected = jax.grad(loss)(model.params, x, y)
    assert sorted(found) == ["w1", "w2"]
    for name, gradient in found.items():
        assert_close(gradient, np.asarray(expected[name]), what=name)


def test_a_sequence_gives_a_tuple_and_the_value_comes_first(model, data):
    x, y, _, _ = data
    value, (by_input, by_bias) = raf.value_and_grad(model, ("x", "b1"), loss="cross_entropy")(x, y)
    assert_close(value, np.asarray(loss(model.params, x, y)))
    assert_close(by_input, np.asarray(jax.grad(loss, 1)(model.params, x, y)))
    assert_close(by_bias, np.asarray(jax.grad(loss)(model.params, x, y)["b1"]))


def test_jacobian_products(model, data):
    x, _, tangent, cotangent = data
    forward = lambda v: scores(model.params, v)  # noqa: E731
    (value, best), pulled = raf.vjp(model)(x, cotangent=(cotangent, np.zeros(5, np.int64)))
    expected, pull = jax.vjp(forward, x)
    assert_close(value, np.asarray(expected))
    np.testing.assert_array_equal(best, np.argmax(expected, 1))
    assert_close(pulled, np.asarray(pull(cotangent)[0]))
    (value, _), (pushed, _) = raf.jvp(model)(x, tangent=tangent)
    assert_close(pushed, np.asarray(jax.jvp(forward, (x,), (tangent,))[1]))


def test_a_hessian_vector_product_is_a_jvp_of_a_gradient(model, data):
    x, y, tangent, _ = data
    gradient, product = raf.jvp(raf.grad(model, "x", loss="cross_entropy"), "x")(x, y, tangent=tangent)
    expected = jax.jvp(lambda v: jax.grad(loss, 1)(model.params, v, y), (x,), (tangent,))
    assert_close(gradient, np.asarray(expected[0]))
    assert_close(product, np.asarray(expected[1]))
    assert_close(raf.vjp(raf.grad(model, "x", loss="cross_entropy"), "x")(x, y, cotangent=tangent)[1], np.asarray(expected[1]))


@pytest.mark.parametrize("libraries", [None, ()], ids=["libraries", "codegen"])
def test_on_a_device(model, data, libraries):
    x, y, tangent, _ = data
    there = {"target": "cuda-sim", "libraries": libraries}
    for count in (5, 3, 5):
        given = x[:count], y[:count]
        (value, gradients), (expected, wanted) = (raf.value_and_grad(model, ("x", "w1"), loss="cross_entropy", **options)(*given) for options in (there, {}))
        assert_close(value, expected)
        for gradient, other in zip(gradients, wanted):
            assert_close(gradient, other)
    product, other = (raf.jvp(raf.grad(model, "x", loss="cross_entropy", **options), "x")(x, y, tangent=tangent)[1] for options in (there, {}))
    assert_close(product, other)


def test_each_shape_is_compiled(model, data):
    x, y, _, _ = data
    gradient = raf.grad(model, "w1", loss="cross_entropy")
    for count in (2, 5, 2):
        assert_close(gradient(x[:count], y[:count]), np.asarray(jax.grad(loss)(model.params, x[:count], y[:count])["w1"]))


@pytest.mark.parametrize(("call", "said"), [
    (lambda m, x, y: raf.grad(m)(x), "'scores' of net is tensor<5x3xf32>. Choose another by output="),
    (lambda m, x, y: raf.grad(m, 3), "there is no argument 3; net takes x"),
    (lambda m, x, y: raf.grad(m, "w3"), "no argument matches 'w3'. Known: b1, b2, w1, w2, x."),
    (lambda m, x, y: raf.grad(m, ()), "wrt: nothing is chosen"),
    (lambda m, x, y: raf.grad(m, loss="cross_entropy", level=2), "unknown option 'level'"),
    (lambda m, x, y: raf.grad(m, target="cuda-sym"), "unknown target 'cuda-sym'; did you mean 'cuda-sim'"),
    (lambda m, x, y: raf.grad(m, target="cuda-sim", libraries=["dnnl"]), "unknown library 'dnnl' for the target 'cuda-sim'"),
    (lambda m, x, y: raf.grad(m, output=7), "has no result 7"),
    (lambda m, x, y: raf.grad(m, "target", loss="cross_entropy"), "target (int64) cannot be differentiated"),
    (lambda m, x, y: raf.vjp(m)(x), "missing arguments: cotangent"),
    (lambda m, x, y: raf.vjp(m)(x, y, y), "3 arguments were given"),
    (lambda m, x, y: raf.vjp(m)(y, z=x), "unknown argument 'z'"),
    (lambda m, x, y: raf.grad(m, loss="cross_entropy")(y, y), "input 'x': expected float32[batch, 4], got int64[5]"),
    (lambda m, x, y: raf.grad(m, loss="cross_entropy")(x, y[:2]), "target"),
    (lambda m, x, y: raf.grad(3), "expected a model"),
])  # fmt: skip
def test_messages(model, data, call, said):
    with pytest.raises(raf.Error) as error:
        call(model, data[0], data[1])
    assert said in str(error.value)
