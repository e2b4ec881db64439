# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a step promises besides its values: the same bits again, with any number of threads, and after a checkpoint; no allocation; the memory that was
planned; and a second compilation that is none."""

import contextlib

import numpy as np
import pytest
import raf
import raf._engine
from execute import models
from execute.harness import TARGET, core
from raf._device import device

STEPS = 4
NAMES = ["digits_mlp", "digits_cnn", "bert", "gru"]


@contextlib.contextmanager
def threads(count):
    before = core.get_num_threads()
    core.set_num_threads(count)
    try:
        yield
    finally:
        core.set_num_threads(before)


def assert_same_bits(actual, expected):
    assert set(actual) == set(expected)
    different = [n for n, a in expected.items() if a.tobytes() != actual[n].tobytes()]
    assert not different, f"other bits in {', '.join(different)}"


def dropout_model():
    """A net with dropout, whose seed and step number are arguments."""
    from raf.examples.builder import Builder

    b = Builder("dropout")
    x = b("Relu", b.linear(b.input("x", ["batch", 16]), "fc1", 16, 64))
    x = b("Dropout", x, b.const(0.5, np.float32), b.const(True, np.bool_))
    b.output(b.linear(x, "fc2", 64, 10), ["batch", 10])
    return b.model()


@pytest.mark.parametrize("libraries", [(), ("dnnl",)], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("name", NAMES)
def test_same_bits_again(name, libraries):
    ends = []
    for _ in range(2):
        made = models.trainer(name, libraries=libraries)
        losses = models.run(made, STEPS, name)
        ends.append(models.state(made) | {"losses": losses})
    assert_same_bits(*ends)


@pytest.mark.cpu_only("threads that share a kernel")
@pytest.mark.parametrize("name", [*NAMES, "lenet", "gpt"])
def test_same_bits_with_any_number_of_threads(name):
    """Of generated code, which adds up in one order however the work is shared. oneDNN's kernels promise this for one number of threads only."""
    ends = []
    for count in (1, 2, 3):
        with threads(count):
            made = models.trainer(name, libraries=())
            losses = models.run(made, STEPS, name)
            ends.append(models.state(made) | {"losses": losses})
    for other in ends[1:]:
        assert_same_bits(other, ends[0])


@pytest.mark.parametrize("optimizer", ["sgd", "adamw"])
@pytest.mark.parametrize("name", NAMES)
def test_interrupted_run(name, optimizer, tmp_path):
    whole = models.trainer(name, optimizer)
    losses = models.run(whole, STEPS, name)
    first = models.trainer(name, optimizer)
    begin = models.run(first, 2, name)
    first.save(tmp_path / "here.safetensors")
    second = models.trainer(name, optimizer)
    second.load(tmp_path / "here.safetensors")
    end = models.run(second, STEPS - 2, name, seed=2)
    assert_same_bits(models.state(second) | {"losses": np.concatenate([begin, end])}, models.state(whole) | {"losses": losses})
    assert second.steps_done == STEPS


def test_interrupted_run_with_dropout(tmp_path):
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((8, 16)).astype(np.float32), rng.integers(0, 10, 8)

    def trainer(seed):
        return raf.compile(raf.import_onnx(dropout_model()), loss="cross_entropy", optimizer="adam", seed=seed, cache=False)

    whole, other, first, second = trainer(3), trainer(4), trainer(3), trainer(0)
    losses = [float(whole.step(x, y)) for _ in range(STEPS)]
    assert len(set(losses)) == STEPS
    assert float(other.step(x, y)) != losses[0], "the seed changes nothing"
    assert [float(first.step(x, y)) for _ in range(2)] == losses[:2]
    first.save(tmp_path / "here.safetensors")
    second.load(tmp_path / "here.safetensors")
    assert [float(second.step(x, y)) for _ in range(2)] == losses[2:]
    assert_same_bits(models.state(second), models.state(whole))


def held(executable):
    """The number of allocations and the bytes, of the process or of the device for the executable and for what is bound to it."""
    found = [core.memory()] if TARGET == "cpu" else [device("cuda-sim").memory, executable.device_memory]
    return [(memory["allocations"], memory["current_bytes"]) for memory in found]


@pytest.mark.parametrize("libraries", [(), ("dnnl",)], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("name", ["digits_mlp", "digits_cnn", "bert"])
def test_steps_allocate_nothing_and_move_nothing(name, libraries):
    made = models.trainer(name, libraries=libraries)
    arrays = models.batch(name)
    made.step(*arrays)
    where = {n: a.ctypes.data for n, a in {**made.params, **made.buffers}.items()}
    arena = models.executable(made).arena_address
    before = held(models.executable(made))
    for _ in range(3):
        made.step(*arrays)
    assert held(models.executable(made)) == before
    assert {n: a.ctypes.data for n, a in {**made.params, **made.buffers}.items()} == where
    assert models.executable(made).arena_address == arena


@pytest.mark.parametrize("name", models.SMALL)
def test_planned_bytes_are_the_measured_ones(name):
    made = models.trainer(name)
    stored = models.executable(made).serialize()
    before = core.memory()["current_bytes"]
    again = core.Executable.deserialize(stored)
    taken = core.memory()["current_bytes"] - before if TARGET == "cpu" else again.device_memory["current_bytes"]
    arena = made.memory["arena_bytes"]
    assert again.arena_bytes == arena
    assert arena <= taken, "the arena is not all of what is held"
    assert made.memory["lower_bound"] <= arena <= 1.1 * made.memory["lower_bound"] + 4096


def test_second_compilation_compiles_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    compiled = []
    real = core.Executable

    class Counting:
        deserialize = real.deserialize

        @staticmethod
        def compile(module, options):
            compiled.append(options)
            return real.compile(module, options)

    class Core:
        Executable = Counting

        @staticmethod
        def run_pipeline(module, pipeline):
            compiled.append(pipeline)
            return core.run_pipeline(module, pipeline)

    monkeypatch.setattr(raf._engine, "_core", lambda: Core)

    def build(**options):
        made = raf.compile(raf.import_onnx(models.proto("bert")), loss="cross_entropy", optimizer=raf.optim.Adam(1e-3), lazy=True, **options)
        made.step(*models.batch("bert"))
        return models.state(made)

    first = build()
    assert len(compiled) == 2
    assert_same_bits(build(), first)
    assert len(compiled) == 2, "compiled again"
    # The learning rate is an argument of the program, the level is not.
    build(lr=0.5)
    assert len(compiled) == 2, "compiled again for a learning rate"
    build(opt_level=1)
    assert len(compiled) == 4
