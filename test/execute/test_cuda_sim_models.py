# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models on the simulated GPU, with every check of its kernels: the losses of the CPU, and no more traffic than fusion leaves.

ResNet-18 takes half a minute, and so do all models without graphs and on several streams: RAF_TEST_SLOW=1 pytest test/execute/test_cuda_sim_models.py"""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import numpy as np
import pytest

import raf
from raf import examples

sys.path[:0] = [str(Path(__file__).parents[1] / "runtime"), str(Path(__file__).parents[1] / "runtime" / "cuda_sim")]

import cuda_sim  # noqa: E402

if cuda_sim.find_library() is None:
    pytest.skip("the simulated GPU is not there: it is built with the runtime", allow_module_level=True)


def images(rng, batch, channels, size, classes):
    return rng.standard_normal((batch, channels, size, size)).astype(np.float32), rng.integers(0, classes, batch)


MODELS = {
    "mlp": (lambda: examples.mlp((16, 32, 10)), lambda rng: (rng.standard_normal((8, 16)).astype(np.float32), rng.integers(0, 10, 8))),
    "lenet": (lambda: examples.lenet(size=16), lambda rng: images(rng, 2, 1, 16, 10)),
    "lstm": (lambda: examples.lstm(4, 8, 5, 3), lambda rng: (rng.standard_normal((2, 5, 4)).astype(np.float32), rng.integers(0, 3, 2))),
    "bert": (lambda: examples.bert(1, 16, 2, 32, 50, 8, 3), lambda rng: (rng.integers(0, 50, (2, 8)), np.ones((2, 8), np.int64), rng.integers(0, 3, 2))),
    "gpt": (lambda: examples.gpt(1, 16, 2, 32, 40, 8), lambda rng: (rng.integers(0, 40, (2, 8)), rng.integers(0, 40, 16))),
    "resnet18": (lambda: examples.resnet18(size=32, classes=4, width=4), lambda rng: images(rng, 4, 3, 32, 4)),
}


def trainer(model, target, **options):
    return raf.compile(raf.import_onnx(model()), loss="cross_entropy", optimizer="adamw", lr=1e-3, target=target, **options)


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "resnet18" else name for name in MODELS])
def test_the_losses_of_the_cpu(name):
    model, data = MODELS[name]
    batch = data(np.random.default_rng(0))
    here, there = trainer(model, "cpu"), trainer(model, "cuda-sim")
    for _ in range(10):
        np.testing.assert_allclose(there.step(*batch), here.step(*batch), rtol=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_graphs_and_streams_change_nothing(name, monkeypatch):
    model, data = MODELS[name]
    batch = data(np.random.default_rng(0))
    losses = {}
    for graphs in ("1", "0"):
        monkeypatch.setenv("RAF_CUDA_GRAPHS", graphs)
        for streams in (1, 4):
            there = trainer(model, "cuda-sim", streams=streams)
            losses[graphs, streams] = [float(there.step(*batch)) for _ in range(10)]
            (program,) = there._programs.values()
            assert program.executable.device_counts["captures"] == int(graphs)
    assert len(set(map(tuple, losses.values()))) == 1, losses


def launches_of(there, *batch):
    library = cuda_sim.load_library()
    library.raf_sim_launches.restype = ctypes.c_int64
    library.raf_sim_record_launches(1)
    there.step(*batch)
    library.raf_sim_record_launches(0)
    count = library.raf_sim_launches(None, ctypes.c_int64(0))
    launches = (cuda_sim.Launch * count)()
    library.raf_sim_launches(launches, ctypes.c_int64(count))
    assert count
    # What each has to move, and what it moves when only a block finds again what it has loaded.
    return [(launch.kernel.decode(), launch.distinct_loaded + launch.distinct_stored, launch.block_loaded + launch.stored) for launch in launches]


#: Kernels of a step without clipping by the norm of all gradients, and with it.
KERNELS = {"mlp": (5, 5), "gpt": (20, 22)}


@pytest.mark.parametrize("name", KERNELS)
def test_the_updates_of_all_parameters_are_one_launch(name):
    model, data = MODELS[name]
    options = {"loss": "cross_entropy", "optimizer": raf.optim.AdamW(1e-3, weight_decay=0.1, clip_norm=0.5), "target": "cuda-sim"}
    together, apart = raf.compile(raf.import_onnx(model()), **options), raf.compile(raf.import_onnx(model()), skip=["raf-merge-launches"], **options)
    unclipped = raf.compile(raf.import_onnx(model()), **{**options, "optimizer": raf.optim.AdamW(1e-3, weight_decay=0.1)})
    batch = data(np.random.default_rng(0))
    for _ in range(3):
        assert together.step(*batch) == apart.step(*batch)
    for tensor, array in apart.params.items():
        np.testing.assert_array_equal(together.params[tensor], array, err_msg=tensor)
    few, many = ([kernel for kernel, *_ in launches_of(each, *batch)] for each in (together, apart))
    # A small parameter may be updated by the kernel that makes its gradient, or the norm of all.
    assert sum(kernel.startswith("launches") for kernel in few) >= 1 and len(many) - len(few) >= len(apart.params) // 2, (few, many)
    unclipped.step(*batch)
    assert (len(launches_of(unclipped, *batch)), len(few)) == KERNELS[name]


#: Large enough that a kernel has several blocks. Each word is there once: of words that are there again other blocks read the row again, which no order of theirs can help.
LARGER = {
    "mlp": (lambda: examples.mlp((64, 256, 10)), lambda rng: (rng.standard_normal((64, 64)).astype(np.float32), rng.integers(0, 10, 64))),
    "digits_cnn": (lambda: examples.MODELS["digits_cnn"](), lambda rng: images(rng, 8, 1, 8, 10)),
    "gpt": (lambda: examples.gpt(1, 64, 4, 256, 100, 32), lambda rng: (np.arange(64).reshape(2, 32), rng.integers(0, 100, 64))),
    "bert": (lambda: examples.bert(1, 64, 4, 128, 100, 16, 3), lambda rng: (np.arange(64).reshape(4, 16), np.ones((4, 16), np.int64), rng.integers(0, 3, 4))),
    "lstm": (lambda: examples.lstm(8, 16, 6, 4), lambda rng: (rng.standard_normal((4, 6, 8)).astype(np.float32), rng.integers(0, 4, 4))),
    "vit": (lambda: examples.MODELS["vit"](1, 32, 2, 64, 16, 4, 4), lambda rng: images(rng, 4, 3, 16, 4)),
    "resnet18": (lambda: examples.resnet18(size=32, classes=4, width=8), lambda rng: images(rng, 4, 3, 32, 4)),
}


@pytest.mark.parametrize("name", [pytest.param(name, marks=pytest.mark.slow) if name == "resnet18" else name for name in LARGER])
def test_kernels_move_what_fusion_leaves(name):
    model, data = LARGER[name]
    batch, there = data(np.random.default_rng(0)), trainer(model, "cuda-sim")
    there.step(*batch)
    launches = launches_of(there, *batch)
    over = [f"{kernel}: {moved} bytes, {needed} needed" for kernel, needed, moved in launches if moved > 1.1 * needed]
    assert not over
    assert sum(moved for _, _, moved in launches) <= 1.02 * sum(needed for _, needed, _ in launches)
