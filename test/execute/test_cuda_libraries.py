# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that train on the simulated GPU with cuBLASLt and cuDNN, with the losses of the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import raf
from raf import examples

pytest.importorskip("raf._core")
rng = np.random.default_rng(0)


def images(n, size):
    return rng.standard_normal((n, 1, size, size)).astype(np.float32), rng.integers(0, 10, n)


MODELS = {
    "mlp": (lambda: examples.mlp((4, 16, 3)), (rng.standard_normal((8, 4)).astype(np.float32), rng.integers(0, 3, 8)), {"cublas.matmul"}),
    "cnn": (examples.digits_cnn, images(4, 8), {"cublas.matmul", "cudnn.conv", "cudnn.conv_input_grad", "cudnn.conv_weight_grad"}),
    "lenet": (examples.lenet, images(2, 28), {"cublas.matmul", "cudnn.conv", "cudnn.conv_input_grad", "cudnn.conv_weight_grad"}),
    "gpt": (lambda: examples.gpt(1, 32, 2, 64, 64, 16), (rng.integers(0, 64, (2, 16)), rng.integers(0, 64, 32)), {"cublas.matmul"}),
}


def train(name, steps=3, **options):
    make, batch, _ = MODELS[name]
    trainer = raf.compile(raf.import_onnx(make()), loss="cross_entropy", optimizer=raf.optim.SGD(1e-2), **options)
    return trainer, [float(trainer.step(*batch)) for _ in range(steps)]


@pytest.mark.parametrize("name", MODELS)
def test_the_losses_of_the_cpu(name):
    _, here = train(name)
    made, there = train(name, target="cuda-sim", check=["bounds"])
    np.testing.assert_allclose(there, here, rtol=1e-5)
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert {name.split()[0] for name in program.manifest.raw["ops"]} >= MODELS[name][2]


def test_steps_become_graphs(monkeypatch):
    """The first runs as it is, the second is captured, all further ones replay it."""
    made, graphs = train("lenet", steps=5, target="cuda-sim", check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    counts = program.executable.device_counts
    assert (counts["captures"], counts["replays"]) == (1, 4)
    assert len(program.executable.plans) > 0
    monkeypatch.setenv("RAF_CUDA_GRAPHS", "0")
    made, plain = train("lenet", steps=5, target="cuda-sim", check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert program.executable.device_counts["captures"] == 0 and plain == graphs


def test_without_libraries_nothing_is_called():
    made, _ = train("lenet", steps=1, target="cuda-sim", libraries=(), check=["bounds"])
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    assert program.manifest.raw["library_calls"] == 0


def test_a_library_of_another_target_is_refused():
    with pytest.raises(raf.CompileError, match="unknown library 'dnnl' for the target 'cuda-sim'.*Known: cublas, cudnn"):
        train("mlp", target="cuda-sim", libraries=("dnnl",))
