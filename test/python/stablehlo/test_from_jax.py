# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""JAX functions as models: pytrees, names, what is trained, donation, and derivatives."""

import functools
import os

import numpy as np
import pytest
import raf
from raf.testing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy

RNG = np.random.default_rng(0)


def normal(*shape):
    return RNG.normal(size=shape).astype(np.float32)


P = {"layers": [{"w": normal(4, 8), "b": normal(8)}, {"w": normal(8, 3), "b": normal(3)}]}
X, Y = normal(6, 4), np.array([0, 1, 2, 0, 1, 2], np.int32)


def scores(p, x):
    first, second = p["layers"]
    return jnp.tanh(x @ first["w"] + first["b"]) @ second["w"] + second["b"]


def loss(p, x, y):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(scores(p, x)), y[:, None], 1))


def assert_trees_close(actual, expected):
    assert jax.tree_util.tree_structure(actual) == jax.tree_util.tree_structure(expected)
    for (path, a), (_, e) in zip(*(jax.tree_util.tree_flatten_with_path(t)[0] for t in (actual, expected))):
        assert_close(np.asarray(a), np.asarray(e), what=jax.tree_util.keystr(path))


def test_names_are_paths():
    model = raf.from_jax(loss, P, X, Y)
    assert list(model.params) == ["p['layers'][0]['b']", "p['layers'][0]['w']", "p['layers'][1]['b']", "p['layers'][1]['w']"]
    assert [str(i) for i in model.inputs] == ["x: float32[6, 4]", "y: int32[6]"]
    assert [o.name for o in model.outputs] == ["result"]
    assert raf.from_jax(lambda *args: args[0] + args[1], X, X).inputs[0].name == "args[1]"


def sgd(p, lr, count):
    step = jax.jit(jax.value_and_grad(loss))
    losses = []
    for _ in range(count):
        value, gradient = step(p, X, Y)
        losses.append(value)
        p = jax.tree.map(lambda a, g: a - lr * g, p, gradient)
    return losses, p


def test_a_loss_function_trains_as_jax_does():
    trainer = raf.compile(raf.from_jax(loss, P, X, Y), loss="output", optimizer=raf.optim.SGD(0.5))
    found = [trainer.step(X, Y) for _ in range(5)]
    expected, p = sgd(P, 0.5, 5)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert_trees_close(trainer.params_tree, p)
    assert np.shares_memory(trainer.params_tree["layers"][0]["w"], trainer.params["p['layers'][0]['w']"])


def test_a_function_of_predictions_takes_a_loss():
    model = raf.from_jax(scores, P, X)
    trainer = raf.compile(model, loss="cross_entropy", optimizer=raf.optim.SGD(0.5))
    np.testing.assert_allclose([trainer.step(X, Y.astype(np.int64)) for _ in range(5)], sgd(P, 0.5, 5)[0], rtol=1e-5)
    assert_close(raf.compile(model)(X), np.asarray(scores(P, X)))


def test_arguments_may_be_jax_arrays_lists_of_numbers_and_64_bit():
    model = raf.from_jax(lambda s, x: x * s["scale"], {"scale": 2.0}, jnp.asarray(X), trainable=())
    predictor = raf.compile(model)
    for given in (X, jnp.asarray(X), X.astype(np.float64)):
        assert_close(predictor({"scale": 3}, given), 3 * X)
    with pytest.raises(raf.RuntimeError, match="expected the structure"):
        predictor({"size": 3}, X)
    with pytest.raises(raf.RuntimeError, match="expected float32"):
        predictor({"scale": 3}, X > 0)


def test_what_is_trained():
    assert set(raf.from_jax(scores, P, X, trainable=()).params) == set()
    assert raf.from_jax(scores, P, X, trainable=[0]).frozen == set()
    chosen = raf.from_jax(scores, P, X, trainable="p['layers'][1]*")
    assert len(chosen.params) == 4 and chosen.frozen == {"p['layers'][0]['b']", "p['layers'][0]['w']"}
    assert raf.from_jax(scores, P, X, frozen="*['b']").frozen == {"p['layers'][0]['b']", "p['layers'][1]['b']"}
    assert raf.from_jax(lambda x, p: scores(p, x), X, P, trainable="p").params.keys() == raf.from_jax(scores, P, X).params.keys()
    assert not raf.from_jax(lambda n, x: x * n, np.int32(3), X).params
    shapes = jax.eval_shape(lambda: P)
    assert not raf.from_jax(scores, shapes, X).params
    trainer = raf.compile(chosen, loss="cross_entropy", optimizer="adam")
    before = {n: a.copy() for n, a in trainer.params.items()}
    trainer.step(X, Y)
    assert {n for n, a in trainer.params.items() if (a != before[n]).any()} == {"p['layers'][1]['b']", "p['layers'][1]['w']"}


def test_weight_decay_spares_by_path():
    optimizer = raf.optim.AdamW(0.1, weight_decay=0.5, no_decay="*['b']")
    trainer = raf.compile(raf.from_jax(lambda p, x: jnp.sum(x) + 0 * sum(map(jnp.sum, jax.tree.leaves(p))), P, X), loss="output", optimizer=optimizer)
    trainer.step(X)
    np.testing.assert_array_equal(trainer.params["p['layers'][0]['b']"], P["layers"][0]["b"])
    assert (np.abs(trainer.params["p['layers'][0]['w']"]) < np.abs(P["layers"][0]["w"])).all()


def test_buffers():
    def norm(p, stats, x):
        mean = x.mean(0)
        return jnp.sum(((x - mean) * p) ** 2), {"mean": 0.9 * stats["mean"] + 0.1 * mean}

    model = raf.from_jax(norm, np.ones(4, np.float32), {"mean": np.zeros(4, np.float32)}, X, buffers="stats")
    assert list(model.buffers) == ["stats['mean']"]
    trainer = raf.compile(model, loss="output", optimizer="sgd")
    trainer.step(X)
    trainer.step(X)
    assert_close(trainer.buffers["stats['mean']"], np.float32(0.19) * X.mean(0))


def test_a_jitted_train_step_runs_as_it_is_and_keeps_its_donation():
    def step(p, x, y):
        value, gradient = jax.value_and_grad(loss)(p, x, y)
        return jax.tree.map(lambda a, g: a - 0.5 * g, p, gradient), value

    model = raf.from_jax(jax.jit(step, donate_argnums=0), P, X, Y)
    assert not model.params
    compiled = raf.compile(model)
    p, found = P, []
    kept = jax.tree.map(np.copy, P)
    addresses = []
    for _ in range(4):
        p, value = compiled(p, X, Y)
        found.append(value)
        addresses.append(p["layers"][0]["w"].ctypes.data)
    expected, trained = sgd(P, 0.5, 4)
    np.testing.assert_allclose(found, expected, rtol=1e-5)
    assert_trees_close(p, trained)
    assert_trees_close(P, kept)  # the caller's own arrays are copied first
    if os.environ["RAF_TEST_TARGET"] == "cpu":  # devices have memory of their own, and results are copied out of it
        assert len(set(addresses)) == 1  # and then it is one memory


def test_objects_that_are_no_arrays_are_constants():
    model = raf.from_jax(lambda x, how: x * 2 if how == "twice" else x, X, "twice", trainable=())
    np.testing.assert_array_equal(raf.compile(model)(X), X * 2)
    np.testing.assert_array_equal(raf.compile(raf.from_jax(functools.partial(lambda s, x: x * s, 3), X, trainable=()))(X), X * 3)


def test_unused_arguments_stay():
    model = raf.from_jax(lambda p, x: p["used"] * x, {"used": np.float32(2), "unused": np.float32(3)}, X)
    assert len(model.params) == 2
    assert_close(raf.compile(model)(X), 2 * X)


def test_typed_keys():
    key = jax.random.key(3)
    model = raf.from_jax(lambda k, x: x + jax.random.uniform(k, x.shape), key, X)
    assert_close(raf.compile(model)(key, X), np.asarray(X + jax.random.uniform(key, X.shape)))


def test_functions_that_reductions_call():
    combine = jax.jit(lambda a, b: jnp.maximum(a, b))

    def f(x):
        return jax.lax.cumlogsumexp(x, 1), jax.lax.reduce(x, np.float32(-9), combine, (1,)), jax.lax.reduce(x, np.float32(-9), jnp.logaddexp, (0,))

    assert_trees_close(raf.compile(raf.from_jax(f, X, trainable=()))(X), f(X))


def test_sizes_that_are_left_open():
    (n,) = jax.export.symbolic_shape("n")
    model = raf.from_jax(scores, P, jax.ShapeDtypeStruct((n, 4), np.float32))
    assert model.dims == ("n",)
    predictor = raf.compile(model)
    for count in (2, 5):
        assert_close(predictor(X[:count]), np.asarray(scores(P, X[:count])))


def test_gradients_take_and_give_pytrees():
    model = raf.from_jax(loss, P, X, Y)
    assert_trees_close(raf.grad(model)(P, X, Y), jax.grad(loss)(P, X, Y))
    value, (by_params, by_input) = raf.value_and_grad(model, (0, "x"))(P, X, Y)
    assert_close(value, np.asarray(loss(P, X, Y)))
    assert_trees_close((by_params, by_input), jax.grad(loss, (0, 1))(P, X, Y))
    assert_trees_close(raf.grad(model, "*['w']")(P, X, Y), {n: g for n, g in zip(
        ("p['layers'][0]['w']", "p['layers'][1]['w']"), (layer["w"] for layer in jax.grad(loss)(P, X, Y)["layers"]))})
    with pytest.raises(raf.CompileError, match=r"y \(int32\) cannot be differentiated"):
        raf.grad(model, 2)


def test_products_take_and_give_pytrees():
    model = raf.from_jax(scores, P, X)
    cotangent, tangent = normal(6, 3), jax.tree.map(lambda a: normal(*a.shape), P)
    value, pull = jax.vjp(lambda p: scores(p, X), P)
    assert_trees_close(raf.vjp(model)(P, X, cotangent=cotangent), (value, pull(cotangent)[0]))
    assert_trees_close(raf.jvp(model)(P, X, tangent=tangent), jax.jvp(lambda p: scores(p, X), (P,), (tangent,)))


def test_a_hessian_vector_product():
    tangent = jax.tree.map(lambda a: normal(*a.shape), P)
    found = raf.jvp(raf.grad(raf.from_jax(loss, P, X, Y)))(P, X, Y, tangent=tangent)
    assert_trees_close(found, jax.jvp(lambda p: jax.grad(loss)(p, X, Y), (P,), (tangent,)))


def test_the_result_beside_the_loss():
    model = raf.from_jax(lambda p, x, y: (loss(p, x, y), {"scores": scores(p, x)}), P, X, Y)
    (value, more), gradient = raf.value_and_grad(model)(P, X, Y)
    assert_close(value, np.asarray(loss(P, X, Y)))
    assert_close(more["scores"], np.asarray(scores(P, X)))
    assert_trees_close(gradient, jax.grad(loss)(P, X, Y))


@pytest.mark.parametrize(("call", "said"), [
    (lambda: raf.from_jax(3), "takes a function, got int"),
    (lambda: raf.from_jax(loss, P, X, Y, trainable=5), "there is no argument 5; the function has 3 with arrays: p, x, y"),
    (lambda: raf.from_jax(loss, P, X, Y, trainable="q"), "trainable: no argument matches 'q'"),
    (lambda: raf.from_jax(loss, P, X, Y, frozen="q"), "frozen: no parameter matches 'q'"),
    (lambda: raf.from_jax(loss, P, X, Y, buffers=1), "must return a tuple"),
    (lambda: raf.from_jax(lambda p, s: (p, s["m"]), X, {"m": X}, buffers=1), "the new value of 's' has the structure"),
    (lambda: raf.from_jax(scores, jax.eval_shape(lambda: P), X, trainable=0), "need values, not just shapes"),
    (lambda: raf.from_jax(lambda p: p["x"], {"x": X, "f": print}), "mixes arrays with other objects"),
])  # fmt: skip
def test_messages(call, said):
    with pytest.raises(raf.ImportError) as error:
        call()
    assert said in str(error.value)


def test_errors_point_to_the_source_line():
    def f(x):
        return jax.pure_callback(np.sin, jax.ShapeDtypeStruct(x.shape, x.dtype), x)  # this line

    with pytest.raises(raf.ImportError) as error:
        raf.from_jax(f, X)
    line = next(i for i, text in enumerate(open(__file__), 1) if "# this line" in text)
    assert f"{__file__}:{line}:" in str(error.value)
    assert "jax_function.py" not in str(error.value)  # no frames of RAF's own


def test_the_same_model_from_onnx_and_from_jax():
    onnx = pytest.importorskip("onnx")
    names = ("p['layers'][0]['w']", "p['layers'][0]['b']", "p['layers'][1]['w']", "p['layers'][1]['b']")
    proto = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]> net (float[6, 4] x) => (float[6, 3] scores)
        <float[4, 8] w1, float[8] b1, float[8, 3] w2, float[3] b2> { h = Gemm (x, w1, b1) r = Tanh (h) scores = Gemm (r, w2, b2) }""")
    model = raf.from_jax(scores, P, X)
    for name, own in zip(("w1", "b1", "w2", "b2"), names):
        proto.graph.initializer.append(onnx.numpy_helper.from_array(model.params[own], name))
    losses = []
    for made in (model, raf.import_onnx(proto)):
        trainer = raf.compile(made, loss="cross_entropy", optimizer=raf.optim.Adam(0.05))
        losses.append([float(trainer.step(X, Y.astype(np.int64))) for _ in range(10)])
    np.testing.assert_allclose(*losses, rtol=1e-5)


def test_gradient_of_a_while_loop_with_a_bound():
    """JAX cannot differentiate one in reverse; RAF can when a counter is among the conditions. Against the iterations that are taken, written out."""
    def loss(x):
        def more(state):
            return (state[0] < 10) & (jnp.sum(state[1]) < 6.0)

        return jnp.sum(jax.lax.while_loop(more, lambda s: (s[0] + 1, s[1] * (1.2 + jnp.sin(x))), (0, x))[1] ** 2)

    def written_out(x, taken):
        y = x
        for _ in range(taken):
            y = y * (1.2 + jnp.sin(x))
        return jnp.sum(y ** 2)

    x = np.array([0.2, 0.5, 0.3], np.float32)
    y, taken = x, 0
    while taken < 10 and y.sum() < 6.0:
        y, taken = y * (1.2 + np.sin(x)), taken + 1
    assert 1 < taken < 10
    value, gradient = raf.value_and_grad(raf.from_jax(loss, x))(x)
    np.testing.assert_allclose(value, written_out(x, taken), rtol=1e-5)
    np.testing.assert_allclose(gradient, jax.grad(written_out)(x, taken), rtol=1e-5)


def test_the_only_input_by_name():
    model = raf.from_jax(lambda p, x: jnp.mean((x @ p["w"]) ** 2), {"w": np.ones((4, 3), np.float32)}, X)
    trainer = raf.compile(model, loss="output", optimizer="sgd", lr=0.1)
    before = trainer.step({"x": X})
    assert len(trainer.fit({"x": X}, epochs=1, batch_size=len(X))) == 1 and trainer.step(X) < before
    predictor = raf.compile(raf.from_jax(lambda tree: tree["x"] + 1, {"x": X}, trainable=()))
    assert_close(predictor({"x": X}), X + 1)  # here the dict is the argument
    assert_close(predictor(tree={"x": X}), X + 1)
