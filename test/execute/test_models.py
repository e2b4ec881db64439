# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models: ten steps of training against JAX in f64, and the optimized step against the one in which nothing is optimized."""

import functools
import importlib.util
import pathlib

import numpy as np
import pytest

import raf
from raf import examples, optim

pytest.importorskip("raf._core")
jax = pytest.importorskip("jax")


def _oracle():
    spec = importlib.util.spec_from_file_location("raf_test_onnx_in_jax", pathlib.Path(__file__).with_name("onnx_in_jax.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


oracle = _oracle()
ROWS = 4

MODELS = {
    "mlp": lambda: examples.mlp(),
    "lenet": lambda: examples.lenet(),
    "resnet18": lambda: examples.resnet18(size=64, classes=10),
    "bert": lambda: examples.bert(),
    "lstm": lambda: examples.lstm(),
}
OPTIMIZERS = {
    "sgd": lambda lr: optim.SGD(lr, momentum=0.9, weight_decay=1e-3),
    # With a larger epsilon than usual: gradients that are nothing but rounding (the bias of attention keys) must not become steps.
    "adamw": lambda lr: optim.AdamW(lr, epsilon=1e-5, weight_decay=0.05),
}
LEARNING_RATES = {"sgd": 0.02, "adamw": 1e-3}


def learning_rate(optimizer, name):
    """Batch norm over 16 values a channel, and 17 ReLUs, make every two f32 runs of the ResNet drift apart at ordinary rates, JAX's own from f64 too."""
    return LEARNING_RATES[optimizer] * (0.004 if name == "resnet18" else 1.0)


@functools.lru_cache(maxsize=1)
def model(name):
    return MODELS[name]()


def batch(proto, seed):
    rng = np.random.default_rng(seed)
    arrays = {}
    for value in proto.graph.input:
        shape = [d.dim_value or ROWS for d in value.type.tensor_type.shape.dim]
        if value.type.tensor_type.elem_type == 1:
            arrays[value.name] = rng.standard_normal(shape).astype(np.float32)
        else:
            arrays[value.name] = rng.integers(0, 2 if "mask" in value.name else 50, shape)
            if "mask" in value.name:
                arrays[value.name][:, 0] = 1
    classes = proto.graph.output[0].type.tensor_type.shape.dim[-1].dim_value
    return arrays, rng.integers(0, classes, ROWS)


@functools.lru_cache(maxsize=1)
def gradients(name):
    """(params, buffers, inputs, labels) -> ((loss, new buffers), gradients), compiled."""
    proto = model(name)

    def loss(params, buffers, inputs, labels):
        scores, updated = oracle.forward(proto, params, buffers, inputs)
        return -jax.nn.log_softmax(scores)[np.arange(ROWS), labels].mean(), updated

    return jax.jit(jax.value_and_grad(loss, has_aux=True))


class Sgd:
    def __init__(self, lr):
        self.lr, self.v = lr, {}

    def __call__(self, name, p, g, t):
        self.v[name] = 0.9 * self.v.get(name, 0.0) + g + 1e-3 * p
        return p - self.lr * self.v[name]


class AdamW:
    def __init__(self, lr):
        self.lr, self.m, self.v = lr, {}, {}

    def __call__(self, name, p, g, t):
        self.m[name] = 0.9 * self.m.get(name, 0.0) + 0.1 * g
        self.v[name] = 0.999 * self.v.get(name, 0.0) + 0.001 * g * g
        step = self.m[name] / (1 - 0.9**t) / (np.sqrt(self.v[name] / (1 - 0.999**t)) + 1e-5)
        return p * (1 - self.lr * 0.05) - self.lr * step


REFERENCES = {"sgd": Sgd, "adamw": AdamW}


def distance(found, expected):
    """The relative distance of an array, in the norm; arrays that started as zeros are measured on the scale of the others."""
    floor = 0.05 * np.sqrt(expected.size)
    return float(np.linalg.norm(np.asarray(found, np.float64) - expected) / max(np.linalg.norm(expected), floor))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_ten_steps_agree_with_jax(name, optimizer):
    proto, lr = model(name), learning_rate(optimizer, name)
    trainer = raf.compile(raf.import_onnx(proto), loss="cross_entropy", optimizer=OPTIMIZERS[optimizer](lr))
    update = REFERENCES[optimizer](lr)
    with jax.enable_x64(True):
        params = {n: p.astype(np.float64) for n, p in trainer.params.items()}
        buffers = {n: b.astype(np.float64) for n, b in trainer.buffers.items()}
        for t in range(1, 11):
            inputs, labels = batch(proto, seed=t % 3)
            exact = {n: a.astype(np.float64) if a.dtype == np.float32 else a for n, a in inputs.items()}
            (loss, updated), grads = gradients(name)(params, buffers, exact, labels)
            assert float(trainer.step({**inputs, "target": labels})) == pytest.approx(float(loss), rel=1e-4, abs=1e-6), f"loss of step {t}"
            params = {n: update(n, p, np.asarray(grads[n]), t) for n, p in params.items()}
            buffers = {n: np.asarray(b) for n, b in updated.items()}
    off = {n: d for n, p in params.items() if (d := distance(trainer.params[n], p)) > 1e-4}
    off.update({n: d for n, b in buffers.items() if (d := distance(trainer.buffers[n], b)) > 1e-4})
    assert not off


@pytest.mark.parametrize("name", MODELS)
def test_optimizing_changes_nothing(name):
    """The pipeline without fusion, libraries and buffers in place is the reference of the others."""
    proto = examples.resnet18(size=64, classes=10, width=16) if name == "resnet18" else model(name)
    results = []
    for options in ({"opt_level": 0, "libraries": ()}, {"libraries": ()}, {}):
        trainer = raf.compile(raf.import_onnx(proto), loss="cross_entropy", optimizer=optim.SGD(learning_rate("sgd", name), momentum=0.9), **options)
        losses = []
        for t in range(3):
            inputs, labels = batch(proto, seed=t)
            losses.append(float(trainer.step({**inputs, "target": labels})))
        results.append((losses, {**trainer.params, **trainer.buffers}))
    for losses, arrays in results[1:]:
        np.testing.assert_allclose(losses, results[0][0], rtol=1e-5)
        off = {n: d for n, a in results[0][1].items() if (d := distance(arrays[n], a.astype(np.float64))) > 1e-5}
        assert not off
