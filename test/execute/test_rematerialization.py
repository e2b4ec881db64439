# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A step within a budget of bytes: the budget holds, results are monotone in it, and what is computed again is equal but for rounding."""

import functools
import random
import re

import numpy as np
import pytest
import raf
import raf.examples
from execute import models
from execute.harness import TARGET, core
from raf import _engine

CLASSES = ("params", "states", "buffers", "inputs", "outputs", "scalars", "constants", "arena_bytes")


@functools.cache
def kernels(name, amp=None, libraries="dnnl"):
    """The training step of a small model as kernels and library calls, scheduled, before values are computed again."""
    made = raf.compile(raf.import_onnx(models.proto(name)), loss="cross_entropy", optimizer="adamw", amp=amp, lazy=True)
    shapes = {spec.name: array.shape for spec, array in zip(made.model.inputs, models.batch(name)[:-1])}
    pipeline = _engine.training_pipeline(made.loss, made.optimizer, 0, "i64", list(made.model.params), amp=made._options.amp)
    clean = "canonicalize,cse"
    dispatch = f"raf-dispatch{{libraries={libraries}}},{clean}," if libraries else ""
    passes = f"inline,symbol-dce,{clean},raf-simplify,raf-constant-fold,{clean},raf-layout,{clean},raf-outline-regions,{clean},{dispatch}raf-decompose-ops,{clean}"
    passes += f",raf-convert-to-linalg,{clean},func.func(raf-fuse),raf-outline-kernels,canonicalize,raf-inplace{{reuse=false}},raf-schedule"
    return core.run_pipeline(core.run_pipeline(made.model.specialize(shapes).asm, pipeline), f"builtin.module({passes})")


def plan(name, budget, **options):
    """The memory of the step within the budget, in numbers; `held` is everything."""
    text = core.run_pipeline(
        kernels(name, **options), f"builtin.module(raf-rematerialize{{budget={budget}}},raf-inplace{{donate=false}},raf-bufferize-host,raf-specialize-kernels,raf-plan-memory)"
    )
    memory = {k: int(v) for k, v in re.findall(r"(\w+) = (\d+) : i64", re.search(r"raf\.memory = \{(.*?)\}", text)[1])}
    return {**memory, "held": sum(memory[c] for c in CLASSES)}


def least(name, **options):
    with pytest.raises(raf.CompileError, match="cannot be met: the least in which this step can run is") as caught:
        plan(name, 1, **options)
    return int(re.search(r"a budget of at least (\d+)", str(caught.value))[1])


def check_budgets(name, count, seed=0, **options):
    most, lowest = plan(name, 0, **options)["held"], least(name, **options)
    assert lowest < most
    rng = random.Random(seed)
    budgets = sorted({lowest, most, *(rng.randint(lowest, most) for _ in range(count))})
    plans = [plan(name, budget, **options) for budget in budgets]
    for budget, made in zip(budgets, plans):
        assert made["held"] <= budget
    assert [p["held"] for p in plans] == sorted(p["held"] for p in plans)
    assert [p["recompute_ns"] for p in plans] == sorted((p["recompute_ns"] for p in plans), reverse=True)
    assert plans[-1]["recomputed"] == 0
    with pytest.raises(raf.CompileError, match=f"a budget of at least {lowest}"):
        plan(name, lowest - 1, **options)


@pytest.mark.parametrize("name", ["gpt", "digits_cnn"])
def test_budgets(name):
    check_budgets(name, 5)


def test_budgets_with_mixed_precision():
    check_budgets("gpt", 3, amp="bf16")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["digits_cnn", "resnet18", "mobilenet", "bert", "gpt", "lstm"])
def test_many_budgets(name):
    # The small resnet is at its fullest in the workspace of one convolution of oneDNN, which nothing makes smaller.
    check_budgets(name, 40, seed=1, libraries="" if name == "resnet18" else "dnnl")


@pytest.mark.parametrize("name", ["gpt", "bert", "digits_cnn"])
def test_same_numbers(name):
    options = {"threads": 2, "seed": 3}
    free = models.trainer(name, "adamw", memory_budget=None, **options)
    (program,) = (p for (training, *_), p in free._programs.items() if training)
    held = sum(program.manifest.raw["memory"][c] for c in CLASSES)
    with pytest.raises(raf.CompileError, match="a budget of at least") as caught:
        models.trainer(name, "adamw", memory_budget=1, **options)
    low = int(re.search(r"a budget of at least (\d+)", str(caught.value))[1])
    tight = models.trainer(name, "adamw", memory_budget=(low + held) // 2, **options)
    (program,) = (p for (training, *_), p in tight._programs.items() if training)
    raw = program.manifest.raw["memory"]
    assert raw["recomputed"] > 0 and raw["budget"] == (low + held) // 2
    assert sum(raw[c] for c in CLASSES) <= raw["budget"] < held
    assert program.executable.arena_bytes == raw["arena_bytes"]
    # A kernel that runs again may do so in place where it did not before, or the other way round: code of its own, with roundings of its own.
    np.testing.assert_allclose(models.run(free, 3, name), models.run(tight, 3, name), rtol=2e-6)
    state = models.state(tight)
    for key, array in models.state(free).items():
        np.testing.assert_allclose(array, state[key], rtol=1e-4, atol=2e-6, err_msg=key)


@pytest.mark.parametrize("amp", [None, "bf16"])
def test_automatic(amp):
    """A step that is large beside a process takes less memory where that is nearly free, and computes the same; a small one stays as it is."""
    model = raf.import_onnx(raf.examples.MODELS["gpt"](layers=3, width=128, heads=4, hidden=512, vocabulary=64, time=64))
    rng = np.random.default_rng(0)
    batch = rng.integers(0, 64, (32, 64)), rng.integers(0, 64, 32 * 64)
    losses, memory = {}, {}
    for budget in ("auto", None):
        trainer = raf.compile(model, loss="cross_entropy", optimizer="adamw", memory_budget=budget, lazy=True, threads=2, seed=1, amp=amp)
        if TARGET == "cpu":
            losses[budget] = [float(trainer.step(*batch)) for _ in range(3)]
        else:  # this size takes minutes there; test_same_numbers runs small ones
            trainer.program({"tokens": batch[0].shape})
        memory[budget] = trainer.memory
    if losses:
        np.testing.assert_allclose(losses["auto"], losses[None], rtol=2e-6 if amp is None else 2e-3)
    assert memory["auto"]["arena_bytes"] < 0.95 * memory[None]["arena_bytes"]
    assert 0 < memory["auto"]["recompute_ns"] <= _engine.SLACK_PERCENT / 100 * memory["auto"]["step_ns"]
    assert "recomputed" not in memory[None]
    assert models.trainer("gpt", "adamw").memory["recomputed"] == 0


def test_options():
    model = raf.import_onnx(models.proto("digits_mlp"))
    train = functools.partial(raf.compile, model, loss="cross_entropy", optimizer="sgd", lazy=True)
    for bad in (0, -1, 1.5, True, "2 parsecs", "much", "1e400GiB", "9" * 400):
        with pytest.raises(raf.CompileError, match="memory_budget must be a positive number of bytes"):
            train(memory_budget=bad)
    assert train(memory_budget="1.5MiB")._options.memory_budget == 3 << 19
    assert train(memory_budget="2 GB")._options.memory_budget == 2 * 10**9
    assert train()._options == train(memory_budget="auto")._options != train(memory_budget=None)._options == train(memory_budget="none")._options
    with pytest.raises(raf.CompileError, match="opt_level 1 or 2"):
        train(memory_budget=10**9, opt_level=0)
    with pytest.raises(raf.CompileError, match="for training"):
        raf.compile(model, memory_budget=10**9)
