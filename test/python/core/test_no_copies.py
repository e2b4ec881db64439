# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of the example models update everything in place, in an arena close to the least that is possible."""

import json

import numpy as np
import pytest
from python.core.steps import core

import raf
from raf import examples

CASES = {
    "mlp": (examples.digits_mlp, lambda rng: rng.random((32, 64), np.float32)),
    "cnn": (examples.digits_cnn, lambda rng: rng.random((32, 1, 8, 8), np.float32)),
    "resnet": (lambda: examples.resnet18(size=32, classes=10, width=8), lambda rng: rng.random((32, 3, 32, 32), np.float32)),
}
OPTIMIZERS = {
    "sgd": lambda: raf.optim.SGD(lr=0.1),
    "momentum": lambda: raf.optim.SGD(lr=0.1, momentum=0.9),
    "adamw": lambda: raf.optim.AdamW(lr=1e-3),
}


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
@pytest.mark.parametrize("name", CASES)
def test_steps_copy_nothing(name, optimizer, monkeypatch):
    manifests = []

    class Spy:
        deserialize = core.Executable.deserialize

        @staticmethod
        def compile(module, options):
            executable = compile_(module, options)
            manifests.append(json.loads(executable.manifest))
            return executable

    compile_ = core.Executable.compile
    monkeypatch.setattr(core, "Executable", Spy)
    make, batch = CASES[name]
    trainer = raf.compile(raf.import_onnx(make()), loss="cross_entropy", optimizer=OPTIMIZERS[optimizer](), cache=False)
    assert np.isfinite(trainer.step(batch(np.random.default_rng(0)), np.arange(32) % 10))
    (manifest,) = manifests
    assert "copy" not in manifest["ops"]
    memory = manifest["memory"]
    assert memory["lower_bound"] <= memory["arena_bytes"] <= 1.05 * memory["lower_bound"]
