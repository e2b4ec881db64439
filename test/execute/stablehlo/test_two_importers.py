# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One model written in JAX and exported to ONNX trains alike through both importers."""

import numpy as np
import pytest
import raf
from raf.examples.digits import digits_mlp

jax = pytest.importorskip("jax")
jnp, lax = jax.numpy, jax.lax


def mlp(p, x):
    hidden = jax.nn.relu(x @ p["w1"].T + p["b1"])
    return hidden @ p["w2"].T + p["b2"]


def cnn(p, x):
    """Without the batch norms of the example: their running statistics are state, which JAX programs keep themselves."""
    for k in ("1", "2"):
        x = lax.conv_general_dilated(x, p["conv" + k], (1, 1), "SAME", dimension_numbers=("NCHW", "OIHW", "NCHW"))
        x = jax.nn.relu(x + p["bias" + k][:, None, None])
    x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), "VALID")
    return x.reshape(x.shape[0], -1) @ p["w"].T + p["b"]


def cnn_in_onnx(seed=0):
    from raf.examples.builder import Builder

    b = Builder("cnn", seed)
    x = b.input("image", ["batch", 1, 8, 8])
    x = b("Relu", b.conv(x, "conv1", 1, 6, 3, pad=1))
    x = b("Relu", b.conv(x, "conv2", 6, 8, 3, pad=1))
    x = b("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    b.output(b.linear(b("Flatten", x, axis=1), "fc", 8 * 16, 10), ["batch", 10])
    return b.model()


def losses(model, loss, optimizer, batches):
    trainer = raf.compile(model, loss=loss, optimizer=optimizer)
    return [float(trainer.step(x, y)) for x, y in batches]


@pytest.mark.parametrize("optimizer", [raf.optim.SGD(0.05, momentum=0.9), raf.optim.AdamW(1e-3)], ids=["sgd", "adamw"])
@pytest.mark.parametrize("exported, function, names, shape", [
    (digits_mlp(), mlp, ("w1", "b1", "w2", "b2"), (64,)), (cnn_in_onnx(), cnn, ("conv1", "bias1", "conv2", "bias2", "w", "b"), (1, 8, 8))], ids=["mlp", "cnn"])
def test_losses_agree(exported, function, names, shape, optimizer):
    rng = np.random.default_rng(3)
    batches = [(rng.random((16, *shape), np.float32), rng.integers(0, 10, 16)) for _ in range(5)]
    onnx_model = raf.import_onnx(exported)
    p = dict(zip(names, onnx_model.params.values()))
    assert len(p) == len(onnx_model.params)

    def loss(p, x, y):
        return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(function(p, x)), y[:, None], 1))

    jax_model = raf.from_jax(loss, p, *batches[0])
    np.testing.assert_allclose(losses(jax_model, "output", optimizer, batches), losses(onnx_model, "cross_entropy", optimizer, batches), rtol=1e-5)
