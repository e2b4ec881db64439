# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""stablehlo.rng, which has no state in the program: numbers from the seed and the step of the model. Needs no JAX."""

import numpy as np
import pytest
import raf

PROGRAM = """
"builtin.module"() ({{
  "func.func"() <{{function_type = (tensor<{e}>, tensor<{e}>) -> {type}, sym_name = "main"}}> ({{
  ^bb0(%low: tensor<{e}>, %high: tensor<{e}>):
    %shape = "stablehlo.constant"() <{{value = dense<{shape}> : tensor<{rank}xi64>}}> : () -> tensor<{rank}xi64>
    %x = "stablehlo.rng"(%low, %high, %shape) <{{rng_distribution = #stablehlo<rng_distribution {distribution}>}}> : (tensor<{e}>, tensor<{e}>, tensor<{rank}xi64>) -> {type}
    "func.return"(%x) : ({type}) -> ()
  }}) : () -> ()
}}) : () -> ()
"""


def draw(distribution, low, high, shape, element, dtype):
    type_ = f"tensor<{'x'.join(map(str, shape))}x{element}>"
    model = raf.import_stablehlo(PROGRAM.format(e=element, type=type_, shape=list(shape), rank=len(shape), distribution=distribution))
    return raf.compile(model, cache=False)(np.asarray(low, dtype), np.asarray(high, dtype))


@pytest.mark.parametrize("element, dtype", [("f32", np.float32), ("f64", np.float64), ("f16", np.float16)])
def test_uniform_floats(element, dtype):
    x = draw("UNIFORM", -1.5, 2.5, (200, 100), element, dtype).astype(np.float64)
    assert x.min() >= -1.5 and x.max() < 2.5
    assert abs(x.mean() - 0.5) < 0.03 and abs(x.std() - 4 / np.sqrt(12)) < 0.03
    assert np.unique(x).size > (900 if element == "f16" else 19000)


@pytest.mark.parametrize("element, dtype, low, high", [("i32", np.int32, -3, 4), ("ui8", np.uint8, 100, 250), ("i64", np.int64, -(2**40), 2**40)])
def test_uniform_integers(element, dtype, low, high):
    x = draw("UNIFORM", low, high, (20000,), element, dtype).astype(np.float64)
    assert x.min() >= low and x.max() < high
    assert abs(x.mean() - (low + high - 1) / 2) < 0.03 * (high - low)
    if high - low < 200:
        assert np.unique(x).size == high - low


@pytest.mark.parametrize("element, dtype", [("f32", np.float32), ("f64", np.float64)])
def test_normal(element, dtype):
    x = draw("NORMAL", 3.0, 2.0, (20000,), element, dtype).astype(np.float64)
    assert np.isfinite(x).all()
    z = (x - 3) / 2
    assert abs(z.mean()) < 0.03 and abs(z.std() - 1) < 0.03 and abs((z**3).mean()) < 0.1 and abs((z**4).mean() - 3) < 0.3


def test_normal_integers_are_refused():
    with pytest.raises(raf.ImportError, match="stablehlo.rng: normal numbers that are not floating-point"):
        draw("NORMAL", 0, 1, (4,), "i32", np.int32)


LOOP = """
"builtin.module"() ({
  "func.func"() <{function_type = (tensor<f32>) -> (tensor<600x4xf32>, tensor<4xf32>, tensor<4xf32>), sym_name = "main"}> ({
  ^bb0(%one: tensor<f32>):
    %shape = "stablehlo.constant"() <{value = dense<4> : tensor<1xi64>}> : () -> tensor<1xi64>
    %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
    %i0 = "stablehlo.constant"() <{value = dense<0> : tensor<i32>}> : () -> tensor<i32>
    %all = "stablehlo.constant"() <{value = dense<0.0> : tensor<600x4xf32>}> : () -> tensor<600x4xf32>
    %l:2 = "stablehlo.while"(%i0, %all) ({
    ^bb0(%i: tensor<i32>, %rows: tensor<600x4xf32>):
      %n = "stablehlo.constant"() <{value = dense<600> : tensor<i32>}> : () -> tensor<i32>
      %c = "stablehlo.compare"(%i, %n) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<i32>, tensor<i32>) -> tensor<i1>
      "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
    ^bb0(%i: tensor<i32>, %rows: tensor<600x4xf32>):
      %x = "stablehlo.rng"(%zero, %one, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
      %row = "stablehlo.reshape"(%x) : (tensor<4xf32>) -> tensor<1x4xf32>
      %next = "stablehlo.dynamic_update_slice"(%rows, %row, %i, %i0) : (tensor<600x4xf32>, tensor<1x4xf32>, tensor<i32>, tensor<i32>) -> tensor<600x4xf32>
      %k = "stablehlo.constant"() <{value = dense<1> : tensor<i32>}> : () -> tensor<i32>
      %j = "stablehlo.add"(%i, %k) : (tensor<i32>, tensor<i32>) -> tensor<i32>
      "stablehlo.return"(%j, %next) : (tensor<i32>, tensor<600x4xf32>) -> ()
    }) : (tensor<i32>, tensor<600x4xf32>) -> (tensor<i32>, tensor<600x4xf32>)
    %y = "stablehlo.rng"(%zero, %one, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %z = "stablehlo.rng"(%zero, %one, %shape) <{rng_distribution = #stablehlo<rng_distribution UNIFORM>}> : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    "func.return"(%l#1, %y, %z) : (tensor<600x4xf32>, tensor<4xf32>, tensor<4xf32>) -> ()
  }) : () -> ()
}) : () -> ()
"""


def test_every_operator_and_every_iteration_has_numbers_of_its_own():
    rows, y, z = raf.compile(raf.import_stablehlo(LOOP), cache=False)(np.float32(1))
    assert np.unique(np.concatenate([rows.ravel(), y, z])).size > 2400


def test_numbers_are_those_of_the_seed_and_the_step():
    jax = pytest.importorskip("jax")
    lax, jnp = jax.lax, jax.numpy

    def loss(p, x):
        return jnp.sum(p * lax.rng_uniform(np.float32(0), np.float32(1), (3,))) + 0 * jnp.sum(x)

    p, x = np.ones(3, np.float32), np.zeros(2, np.float32)
    model = raf.from_jax(loss, p, x)

    def losses(seed):
        trainer = raf.compile(model, loss="output", optimizer=raf.optim.SGD(0.0), seed=seed)
        return [float(trainer.step(x)) for _ in range(3)]

    first = losses(1)
    assert len(set(first)) == 3 and losses(1) == first and losses(2) != first
    value, gradient = raf.value_and_grad(model)(p, x)
    np.testing.assert_allclose(gradient.sum(), value, rtol=1e-6)
