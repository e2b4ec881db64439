# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses and their gradients, attached to an output in f64, against JAX."""

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402

from execute.harness import Program, close, type_of  # noqa: E402

rng = np.random.default_rng(1)


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    """Here alone: other modules of a run compare in the precision that JAX has by default."""
    with jax.enable_x64(True):
        yield


def cross_entropy(axis=1, smoothing=0.0, ignored=-100):
    def loss(x, labels):
        x = jnp.moveaxis(x, axis, -1)
        counts = labels != ignored
        log = jax.nn.log_softmax(x, -1)
        picked = jnp.take_along_axis(log, jnp.where(counts, labels, 0)[..., None], -1)[..., 0]
        rows = -(1 - smoothing) * picked - smoothing * log.mean(-1)
        return jnp.where(counts, rows, 0).sum() / counts.sum()

    return loss


def dense_cross_entropy(axis=1, smoothing=0.0):
    def loss(x, target):
        target = target * (1 - smoothing) + smoothing / x.shape[axis]
        return -(target * jax.nn.log_softmax(x, axis)).sum(axis).mean()

    return loss


def huber(delta):
    def loss(x, target):
        d = jnp.abs(x - target)
        return jnp.where(d <= delta, d * d / 2, delta * (d - delta / 2)).mean()

    return loss


def bce_with_logits(x, target):
    return (jax.nn.softplus(x) - x * target).mean()


def labels(*shape, size, ignored=None, dtype=np.int64):
    values = rng.integers(0, size, shape)
    if ignored is not None:
        values.flat[::3] = ignored
    return np.asarray(values, dtype)


def real(*shape):
    return rng.uniform(-3, 3, shape)


def share(*shape):
    return rng.uniform(0, 1, shape)


def distribution(*shape, axis=1):
    values = rng.uniform(0.1, 1, shape)
    return values / values.sum(axis, keepdims=True)


CASES = [
    ("loss=cross_entropy", real(4, 8), labels(4, size=8), cross_entropy()),
    ("loss=cross_entropy", real(1, 1), labels(1, size=1), cross_entropy()),
    ("loss=cross_entropy label-smoothing=0.25 ignore-index=-1", real(7, 5), labels(7, size=5, ignored=-1), cross_entropy(smoothing=0.25, ignored=-1)),
    ("loss=cross_entropy ignore-index=2 target-type=i32", real(7, 5), labels(7, size=5, ignored=2, dtype=np.int32), cross_entropy(ignored=2)),
    ("loss=cross_entropy", real(2, 5, 3, 4), labels(2, 3, 4, size=5), cross_entropy()),
    ("loss=cross_entropy class-axis=-1", real(2, 3, 5), labels(2, 3, size=5), cross_entropy(axis=-1)),
    ("loss=cross_entropy dense-target=true", real(4, 8), distribution(4, 8), dense_cross_entropy()),
    ("loss=cross_entropy dense-target=true label-smoothing=0.5 class-axis=2", real(2, 3, 5), distribution(2, 3, 5, axis=2), dense_cross_entropy(axis=2, smoothing=0.5)),
    ("loss=mse", real(3, 5), real(3, 5), lambda x, t: ((x - t) ** 2).mean()),
    ("loss=mse", real(), real(), lambda x, t: (x - t) ** 2),
    ("loss=l1", real(3, 5), real(3, 5), lambda x, t: jnp.abs(x - t).mean()),
    ("loss=huber delta=0.75", real(3, 5), real(3, 5), huber(0.75)),
    ("loss=bce_with_logits", real(3, 5), share(3, 5), bce_with_logits),
    # Where both halves of the stable form have a kink, and where e^x would overflow.
    ("loss=bce_with_logits", np.array([0.0, 800.0, -800.0]), np.array([0.25, 0.5, 0.5]), bce_with_logits),
]


@pytest.mark.parametrize(("options", "x", "target", "reference"), CASES, ids=[f"{o}-{type_of(x)}" for o, x, *_ in CASES])
def test_loss(options, x, target, reference):
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}) -> ({type_of(x)} {{raf.name = "y"}}) {{
      return %x : {type_of(x)}
    }}"""
    program = Program(asm, [f"raf-attach-loss{{{options}}}", "raf-autodiff{wrt=x}"])
    results = program({"x": x, "target": target})
    value, gradient = jax.value_and_grad(reference)(x, target)
    close(results["loss"], value, 1e-12)
    close(results["grad:x"], gradient, 1e-11)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_loss_of_16_bit_outputs_is_f32(dtype):
    import ml_dtypes

    x = np.asarray(real(4, 300), ml_dtypes.bfloat16 if dtype == "bfloat16" else dtype)
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}) -> ({type_of(x)} {{raf.name = "y"}}) {{
      return %x : {type_of(x)}
    }}"""
    program = Program(asm, ["raf-attach-loss{loss=mse target-type=f32}", "raf-autodiff{wrt=x}"])
    target = real(4, 300).astype(np.float32)
    results = program({"x": x, "target": target})
    assert results["loss"].dtype == np.float32 and results["grad:x"].dtype == x.dtype
    close(results["loss"], ((x.astype(np.float64) - target) ** 2).mean(), 1e-5)


def test_every_row_ignored_is_nan():
    """The mean over no row, as in PyTorch."""
    x, target = real(3, 4), np.full(3, -100)
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}) -> ({type_of(x)} {{raf.name = "y"}}) {{
      return %x : {type_of(x)}
    }}"""
    assert np.isnan(Program(asm, ["raf-attach-loss{loss=cross_entropy}"])({"x": x, "target": target})["loss"])
