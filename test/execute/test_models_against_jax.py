# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ten steps of SGD and of AdamW on whole models are those of JAX, to 1e-4: the losses, and all parameters, running statistics and optimizer states."""

import numpy as np
import pytest
import raf
import raf.examples
from execute import models
from onnx import numpy_helper

jax = pytest.importorskip("jax", reason="whole models are compared with JAX, which is not installed")

from execute import jax_models  # noqa: E402

STEPS, RTOL = 10, 1e-4
CASES = {
    "mlp": ({"sizes": (64, 128, 10)}, jax_models.mlp, 32, 1.0),
    "lenet": ({}, jax_models.lenet, 8, 1.0),
    "resnet18": ({"size": 64, "width": 16, "classes": 10}, jax_models.resnet18, 16, 0.002),
    "bert": ({}, jax_models.bert, 8, 1.0),
    "lstm": ({"inputs": 12, "hidden": 16, "time": 6}, jax_models.lstm, 8, 1.0),
}


def batches(model, size):
    """Inputs and labels of each step."""
    rng = np.random.default_rng(3)
    result = []
    for _ in range(STEPS):
        inputs = []
        for spec in model.inputs:
            shape = [size if isinstance(d, str) else d for d in spec.dims]
            if spec.name == "attention_mask":
                inputs.append((np.arange(shape[1]) < rng.integers(1, shape[1] + 1, (size, 1))).astype(np.int64))
            else:
                inputs.append(rng.integers(0, 100, shape) if spec.dtype == np.int64 else rng.standard_normal(shape).astype(np.float32))
        result.append((inputs, rng.integers(0, 3, size)))
    return result


def check(name, optimizer, arguments, reference, size, short):
    proto = raf.examples.MODELS[name](**arguments)
    model = raf.import_onnx(proto)
    weights = {i.name: numpy_helper.to_array(i) for i in proto.graph.initializer}
    data = batches(model, size)
    made = models.OPTIMIZERS[optimizer]()
    lr = made.lr(0) * short
    made.lr = lr
    losses, expected, states = jax_models.train(reference, weights, model.params, optimizer, lr, data)

    trainer = raf.compile(model, loss="cross_entropy", optimizer=made, cache=False)
    np.testing.assert_allclose([trainer.step(*inputs, labels) for inputs, labels in data], losses, rtol=RTOL)
    tensors = models.state(trainer)
    assert {n for n in tensors if n.startswith("state:")} == {f"state:{n}" for n in states}
    wrong = []
    for tensor, actual in tensors.items():
        kind, _, own = tensor.partition(":")
        value = np.asarray(states[own] if kind == "state" else expected[own])
        off = np.linalg.norm(actual - value)
        # A value near 0 before a late ReLU changes gradients by a few percent (see models.DEEP): there the sums of gradients are compared loosely, the
        # parameters that they move are not.
        loose = name in models.DEEP and (kind == "state" or own.endswith(".bias"))
        if not off <= (0.1 if loose else RTOL) * max(np.linalg.norm(value), 1e-3):
            wrong.append(f"{tensor}: {off:.3g} off, norm {np.linalg.norm(value):.3g}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
@pytest.mark.parametrize("name", CASES)
def test_ten_steps(name, optimizer):
    check(name, optimizer, *CASES[name])


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
def test_resnet18_of_full_width(optimizer):
    check("resnet18", optimizer, {"size": 64, "classes": 10}, jax_models.resnet18, 16, 0.002)
