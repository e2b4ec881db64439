# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries in and out of a device, and inputs that are uploaded while a step runs: on the simulated GPU."""

from __future__ import annotations

import ctypes
import gc
import re
import subprocess
import sys
import weakref
from pathlib import Path

import numpy as np
import pytest

import raf
from raf import examples

core = pytest.importorskip("raf._core")
sys.path[:0] = [str(Path(__file__).parents[1] / "runtime"), str(Path(__file__).parents[1] / "runtime" / "cuda_sim")]

import cuda_sim  # noqa: E402

if cuda_sim.find_library() is None:
    pytest.skip("the simulated GPU is not there: it is built with the runtime", allow_module_level=True)

rng = np.random.default_rng(0)
X, Y = rng.standard_normal((64, 4)).astype(np.float32), rng.integers(0, 3, 64)


def trainer(target="cuda-sim", **options):
    return raf.compile(raf.import_onnx(examples.mlp((4, 16, 3))), loss="cross_entropy", optimizer=raf.optim.AdamW(1e-2), target=target, **options)


def program_of(trained):
    (program,) = trained._programs.values()
    return program


class Foreign:
    """An array of another library in the memory of the simulated GPU."""

    def __init__(self, array, stream=None, offset=0, **changes):
        self.device = raf._device.device("cuda-sim")
        self.where = self.device.alloc(array.nbytes + offset) + offset
        self.device.upload(self.where, array.ctypes.data, array.nbytes)
        self.device.synchronize()
        self.__cuda_array_interface__ = {"shape": array.shape, "typestr": array.dtype.str, "data": (self.where, False), "version": 3, "strides": None, "stream": stream, **changes}


class WithDLPack:
    """The same by DLPack."""

    def __init__(self, array, code, device=(2, 0)):
        self.foreign, self.array, self.code, self.device, self.streams = Foreign(array), array, code, device, []

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, stream=None):
        self.streams.append(stream)
        return core.dlpack(self.foreign.where, list(self.array.shape), self.code, 8 * self.array.itemsize, self.device, self)


# ---- inputs ahead of their step ----


def test_the_next_batch_is_uploaded_while_a_step_runs():
    here, there = trainer("cpu"), trainer()
    losses = [t.fit((X, Y), epochs=3, batch_size=16, progress=False).column("loss") for t in (here, there)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    counts = program_of(there).executable.device_counts
    # Two inputs, all batches but the first of each epoch; each of the two places becomes a graph.
    assert (counts["prefetches"], counts["captures"]) == (2 * 3 * 3, 2)
    assert program_of(here).while_running is None


def test_batches_of_an_iterable_are_not_taken_ahead():
    """It may use the memory of a batch again."""
    here, there = trainer("cpu"), trainer()

    class Batches:
        def __iter__(self):
            x = np.empty((16, 4), np.float32)
            for i in range(0, 64, 16):
                x[...] = X[i : i + 16]
                yield x, Y[i : i + 16].copy()

    losses = [t.fit(Batches(), epochs=2, progress=False).column("loss") for t in (here, there)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert program_of(there).executable.device_counts["prefetches"] == 0


def test_going_on_from_the_middle_of_an_epoch(tmp_path):
    """A batch that was taken ahead is not lost: the checkpoint says where the loader was before it."""
    whole = trainer()
    whole.fit((X, Y), epochs=2, batch_size=16, progress=False)

    class Stop(raf.callbacks.Callback):
        def on_step_end(self, trained, logs):
            trained.stop_training = logs["step"] == 2

    first = trainer()
    first.fit((X, Y), epochs=2, batch_size=16, progress=False, checkpoint=tmp_path, callbacks=[Stop()])
    second = trainer()
    second.fit((X, Y), epochs=2, batch_size=16, progress=False, checkpoint=tmp_path, resume=True)
    assert second.steps_done == 8
    for name, array in whole.params.items():
        np.testing.assert_array_equal(second.params[name], array, err_msg=name)


def test_an_odd_last_batch_is_left_to_its_step():
    here, there = trainer("cpu"), trainer()
    losses = [t.fit((X[:40], Y[:40]), epochs=2, batch_size=16, progress=False).column("loss") for t in (here, there)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    programs = list(there._programs.values())
    assert len(programs) == 2 and all(p.executable.device_counts["captures"] >= 1 for p in programs), "each shape has its own graphs"


# ---- in ----


@pytest.mark.parametrize("make", [Foreign, lambda array: WithDLPack(array, 2 if array.dtype.kind == "f" else 0)], ids=["interface", "dlpack"])
def test_arrays_of_the_device_are_read_where_they_are(make):
    here, there = trainer("cpu"), trainer()
    x, y = make(X), make(Y)
    for _ in range(3):
        np.testing.assert_allclose(there.step(x, y), here.step(X, Y), rtol=1e-5)
    places = [getattr(a, "foreign", a).where for a in (x, y)]
    program = program_of(there)
    assert [program._bound[slot.index] for slot in program.inputs] == places
    if isinstance(x, WithDLPack):
        assert set(x.streams) == {raf._device.device("cuda-sim").stream}
    np.testing.assert_allclose(there.step(X, Y), here.step(X, Y), rtol=1e-5)
    assert program._bound[program.inputs[0].index] != places[0]
    np.testing.assert_allclose(there.predict(x), here.predict(X), rtol=1e-4, atol=1e-6)


def test_an_address_that_kernels_cannot_use_is_copied_on_the_device():
    here, there = trainer("cpu"), trainer()
    np.testing.assert_allclose(there.step(Foreign(X, offset=4), Foreign(Y, offset=8)), here.step(X, Y), rtol=1e-5)


STREAM = """
import ctypes, sys
sys.path[:0] = {path!r}
import test_device_arrays as t
lib = t.cuda_sim.load_library()
stream = ctypes.c_void_p()
there = t.trainer()
x = t.Foreign(t.X)
lib.cuStreamCreate(ctypes.byref(stream), 1)
lib.cuMemsetD8Async(ctypes.c_uint64(x.where), ctypes.c_ubyte(0), ctypes.c_size_t(t.X.nbytes), stream)
x.__cuda_array_interface__["stream"] = stream.value if {says} else None
loss = float(there.step(x, t.Y))
print("loss", loss)
"""


@pytest.mark.parametrize("says", [True, False])
def test_a_step_waits_for_the_stream_of_the_array(says):
    done = subprocess.run([sys.executable, "-c", STREAM.format(path=[str(Path(__file__).parent)], says=says)], capture_output=True, text=True)
    if says:
        assert float(done.stdout.split()[1]) == pytest.approx(float(trainer("cpu").step(0 * X, Y)), rel=1e-5), done.stderr
    else:
        assert "is not ordered before this launch: is the wait for an event missing?" in done.stderr or "race: " in done.stderr


@pytest.mark.parametrize(
    "make, message",
    [
        (lambda: Foreign(X.astype(np.float64)), r"input 'x': expected float32\[batch, 4\], got float64\[64, 4\]"),
        (lambda: Foreign(X, strides=(4, 256)), r"input 'x': expected a C-contiguous array, got strides \(4, 256\) for the shape \(64, 4\) \(\(16, 4\) is contiguous\)"),
        (lambda: Foreign(X, data=(X.ctypes.data, False)), r"input 'x': expected memory of device 0 of cuda-sim, got the address 0x[0-9a-f]+, which is in the memory of none"),
        (lambda: Foreign(X, shape=(65, 4)), r"input 'x': 1040 bytes are needed from the address 0x[0-9a-f]+ on, but its allocation ends after 1024"),
        (lambda: Foreign(X, typestr="<c8"), r"input 'x': the type '<c8' of its __cuda_array_interface__ is not one that programs have"),
        (lambda: Foreign(X, stream=0), r"input 'x': stream 0 in a __cuda_array_interface__ is ambiguous"),
        (lambda: Foreign(X, mask=1), r"input 'x': an array with a mask"),
        (lambda: Foreign(X, strides=16), r"input 'x': the __cuda_array_interface__ of the Foreign cannot be read: 'int' object is not iterable"),
        (lambda: Foreign(X, strides=(4,)), r"input 'x': the __cuda_array_interface__ of the Foreign cannot be read: the shape \(64, 4\) and the strides \(4,\) are not those"),
        (lambda: Foreign(X, shape=(-64, 4)), r"input 'x': the __cuda_array_interface__ of the Foreign cannot be read: the shape \(-64, 4\)"),
        (lambda: Foreign(X, stream="s"), r"input 'x': the __cuda_array_interface__ of the Foreign cannot be read: invalid literal for int"),
        (lambda: Foreign(X, data=("here", False)), r"input 'x': the __cuda_array_interface__ of the Foreign cannot be read: invalid literal for int"),
        (lambda: WithDLPack(X, 5), r"input 'x': the type \?32 of DLPack is not one that programs have"),
        (lambda: WithDLPack(X, 2, device=(10, 0)), r"input 'x': expected a tensor in CPU memory, got one on ROCm 0"),
    ],
)
def test_what_does_not_fit_is_named(make, message):
    with pytest.raises(raf.RuntimeError, match=message):
        trainer().step(make(), Y)


def test_the_cpu_takes_no_arrays_of_a_device():
    with pytest.raises(raf.RuntimeError, match="expected a numpy array or an object with DLPack, got Foreign"):
        trainer("cpu").step(Foreign(X), Y)
    with pytest.raises(raf.RuntimeError, match="expected a tensor in CPU memory, got one on CUDA 0; copy it to the CPU first"):
        trainer("cpu").step(WithDLPack(X, 2), Y)


# ---- out ----


def test_predictions_stay_on_the_device():
    predictor = raf.compile(raf.import_onnx(examples.mlp((4, 16, 3))), target="cuda-sim")
    (scores,) = predictor.on_device(X).values()
    assert scores.shape == (64, 3) and scores.stream
    np.testing.assert_array_equal(np.asarray(scores), predictor(X))
    # Libraries of GPUs would take its addresses for those of a device.
    with pytest.raises(BufferError, match=r"DLPack has no name for the memory of cuda-sim; numpy.asarray\(array\) is a copy on the host"):
        scores.__dlpack_device__()
    with pytest.raises(AttributeError, match="the memory of cuda-sim is not a CUDA device's; numpy.asarray"):
        scores.__cuda_array_interface__
    with pytest.raises(raf.RuntimeError, match="on_device is for targets with a device"):
        raf.compile(raf.import_onnx(examples.mlp((4, 16, 3)))).on_device(X)


def test_parameters_where_they_are():
    """What another library writes there is what the next step and the host see."""
    here, there = trainer("cpu"), trainer()
    there.step(X, Y), here.step(X, Y)
    weight = there.on_device()["fc1.weight"]
    library = cuda_sim.load_library()
    library.cuMemsetD8Async(ctypes.c_uint64(weight.address), ctypes.c_ubyte(0), ctypes.c_size_t(weight.nbytes), ctypes.c_void_p(1))
    raf._device.device("cuda-sim").wait_for(1)
    raf._device.device("cuda-sim").synchronize()
    assert not there.params["fc1.weight"].any() and there.params["fc2.weight"].any()
    here.params["fc1.weight"][...] = 0
    np.testing.assert_allclose(there.step(X, Y), here.step(X, Y), rtol=1e-5)
    np.testing.assert_array_equal(np.asarray(there.on_device()["fc1.weight"]), there.params["fc1.weight"])
    with pytest.raises(raf.RuntimeError, match="on_device is for targets with a device"):
        here.on_device()


def test_capsules_of_dlpack():
    """In the memory of the host, where numpy can look."""

    class Owner:
        def __init__(self, array):
            self.array = array

        def __dlpack_device__(self):
            return 1, 0

        def __dlpack__(self, **_):
            return core.dlpack(self.array.ctypes.data, list(self.array.shape), 2, 32, (1, 0), self)

    owner = Owner(X.copy())
    gone, taken = weakref.ref(owner), np.from_dlpack(owner)
    del owner
    np.testing.assert_array_equal(taken, X)
    assert gone() is not None
    del taken
    gc.collect()
    assert gone() is None


def test_what_a_cuda_device_gives():
    """Types and device of the two protocols, without a device."""
    array = raf.DeviceArray("cuda", None, 4096, (2, 3), np.dtype(np.float16), None)
    assert array.__dlpack_device__() == (2, 0) and type(array.__dlpack__()).__name__ == "PyCapsule"
    assert array.__cuda_array_interface__ == {"shape": (2, 3), "typestr": "<f2", "data": (4096, False), "strides": None, "version": 3}
    bf16 = raf.DeviceArray("cuda", None, 4096, (2, 3), raf._arrays.DTYPES["bf16"], None)
    assert not hasattr(bf16, "__cuda_array_interface__") and type(bf16.__dlpack__()).__name__ == "PyCapsule"
    assert type(array.__dlpack__(copy=False, dl_device=(2, 0), max_version=(1, 0))).__name__ == "PyCapsule"
    with pytest.raises(BufferError, match="not a copy; numpy.asarray"):
        array.__dlpack__(copy=True)
    with pytest.raises(BufferError, match=r"expected DLPack's device \(2, 0\), where the array is, got \(1, 0\)"):
        array.__dlpack__(dl_device=(1, 0))


def test_streams_of_dlpack():
    """No stream is the legacy default stream, -1 none at all."""
    calls = []

    class Device:
        def wait_for(self, stream):
            calls.append(("wait_for", stream))

        def let_wait(self, stream):
            calls.append(("let_wait", stream))

    array = raf.DeviceArray("cuda", Device(), 4096, (2,), np.dtype(np.float32), None, 77)
    array.__dlpack__(), array.__dlpack__(stream=5), array.__dlpack__(stream=-1)
    assert calls == [("wait_for", 77), ("let_wait", 1), ("wait_for", 77), ("let_wait", 5)]


# ---- in place and in order ----


def test_a_result_that_is_given_back_is_not_overwritten_while_it_is_read():
    """Each row of a square needs all rows of what it is the square of."""
    onnx = pytest.importorskip("onnx")
    floats = [onnx.helper.make_tensor_value_info(name, onnx.TensorProto.FLOAT, (16, 16)) for name in ("x", "h")]
    graph = onnx.helper.make_graph([onnx.helper.make_node("MatMul", ["x", "x"], ["h"])], "square", floats[:1], floats[1:])
    predictor = raf.compile(raf.import_onnx(onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", 17)])), target="cuda-sim")
    x = (rng.standard_normal((16, 16)) / 4).astype(np.float32)
    given, expected = {"h": x}, x
    for _ in range(3):
        given = predictor.on_device(x=given["h"])
        expected = expected @ expected
        np.testing.assert_allclose(np.asarray(given["h"]), expected, rtol=1e-4, atol=1e-6)
    (program,) = predictor._programs.values()
    assert program._bound[program.inputs[0].index] == program._buffers[program.inputs[0].index]


def test_donated_inputs_of_a_device():
    """Overwritten is the program's own copy, and results can be given back, each for the other input too."""
    jax = pytest.importorskip("jax")
    a, b = (rng.standard_normal((8, 8)).astype(np.float32) / 4 for _ in range(2))

    def function(x, y):
        return x @ y, y + 1

    predictor = raf.compile(raf.from_jax(jax.jit(function, donate_argnums=(0, 1)), a, b, trainable=()), target="cuda-sim")
    given = Foreign(a)
    for found in (predictor.on_device(given, b).values(), predictor.run(given, b).values(), predictor.on_device(given, Foreign(b)).values()):
        for got, expected in zip(found, (a @ b, b + 1)):
            np.testing.assert_allclose(np.asarray(got), expected, rtol=1e-5, atol=1e-6)
    kept = np.empty_like(a)
    given.device.download(kept.ctypes.data, given.where, kept.nbytes)
    np.testing.assert_array_equal(kept, a)
    x, y = a, b
    first, second = predictor.on_device(x, y).values()
    for turn in range(4):
        x, y = x @ y, y + 1
        if turn % 2:
            x, y = y, x
            first, second = second, first
        np.testing.assert_allclose(np.asarray(first), x, rtol=1e-4, atol=1e-5)
        first, second = predictor.on_device(first, second).values()
    first, second = predictor.on_device(a, first).values()  # the second input's contents are where the first is uploaded
    np.testing.assert_allclose(np.asarray(second), x @ y + 1, rtol=1e-4, atol=1e-5)


def test_results_are_overwritten_after_what_the_stream_does_with_them():
    device, lib, stream = raf._device.device("cuda-sim"), cuda_sim.load_library(), ctypes.c_void_p()
    assert lib.cuStreamCreate(ctypes.byref(stream), 1) == cuda_sim.SUCCESS
    predictor = raf.compile(raf.import_onnx(examples.mlp((4, 16, 3))), target="cuda-sim")
    xs = [X + i for i in range(6)]
    expected = [predictor(x).copy() for x in xs]
    places = []
    for x in xs:
        (scores,) = predictor.on_device(x, stream=stream.value).values()
        places.append(device.alloc(scores.nbytes))
        lib.cuMemcpyDtoDAsync_v2(ctypes.c_uint64(places[-1]), ctypes.c_uint64(scores.address), ctypes.c_size_t(scores.nbytes), stream)
    lib.cuStreamSynchronize(stream)
    for place, x, right in zip(places, xs, expected):
        found = np.empty_like(right)
        device.download(found.ctypes.data, place, found.nbytes)
        np.testing.assert_array_equal(found, right)
        device.free(place)
    (program,) = predictor._programs.values()
    order = []

    class Watched:
        """The executable with a note of what is called."""

        def __getattr__(self, name):
            called = getattr(executable, name)
            return (lambda *args: (order.append((name, *args)), called(*args))[1]) if callable(called) else called

    executable, program.executable = program.executable, Watched()
    predictor.on_device(X, stream=stream.value)
    shared = device.stream
    assert order[0] == ("wait_for", stream.value) and order[-3:] == [("run",), ("let_wait", stream.value), ("let_wait", shared)]
    order.clear()
    predictor(X)
    assert order[0] == ("wait_for", 1), "whichever stream reads them"
    program.executable = executable
    lib.cuStreamDestroy_v2(stream)


def test_parameters_are_written_after_the_run_that_reads_them():
    predictor = raf.compile(raf.import_onnx(examples.mlp((4, 64, 3))), target="cuda-sim")
    large = np.concatenate([X] * 16)
    for value in (0.5, 0.25, 0.125):
        (before,) = predictor.on_device(large).values()
        predictor.weights.params["fc1.weight"][...] = value
        (after,) = predictor.on_device(X).values()  # another program, with a stream of its own
        model = raf.import_onnx(examples.mlp((4, 64, 3)))
        here = raf.compile(model.with_values(predictor.weights.params, model.buffers))
        np.testing.assert_allclose(np.asarray(after), here(X), rtol=1e-4, atol=1e-5)
    del before


def poke(array, value=0):
    """As another library writes: on a stream of its own, until it has finished."""
    lib = cuda_sim.load_library()
    lib.cuMemsetD8Async(ctypes.c_uint64(array.address), ctypes.c_ubyte(value), ctypes.c_size_t(array.nbytes), ctypes.c_void_p(1))
    raf._device.device("cuda-sim").wait_for(1)
    raf._device.device("cuda-sim").synchronize()


def test_reading_parameters_on_the_host_loses_nothing_that_is_written_on_the_device():
    here, there = trainer("cpu"), trainer()
    there.step(X, Y), here.step(X, Y)
    arrays = there.on_device()
    assert there.params["fc1.bias"].any() and not there.non_finite()  # the host has looked
    poke(arrays["fc1.bias"])
    host = there.params["fc2.bias"]
    assert not there.params["fc1.bias"].any(), "and sees it when it looks again"
    host[...] = 2
    poke(arrays["fc1.weight"])  # the host changed another one
    for name, value in (("fc1.bias", 0), ("fc1.weight", 0), ("fc2.bias", 2)):
        here.params[name][...] = value
    for _ in range(2):
        np.testing.assert_allclose(there.step(X, Y), here.step(X, Y), rtol=1e-5)
    for name, array in here.params.items():
        np.testing.assert_allclose(there.params[name], array, rtol=1e-4, atol=1e-6, err_msg=name)


@pytest.mark.parametrize("error", [KeyboardInterrupt, TimeoutError])
@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("fetched", [False, True])
def test_what_handlers_of_signals_raise_while_a_step_is_waited_for(fetched, times, error, monkeypatch):
    """Before or after the last result is there: the step counts once, and its results are there."""
    here, there = trainer("cpu"), trainer()
    here.step(X, Y), there.step(X, Y)
    program, left = program_of(there), [error] * times
    fetch, runs = type(program)._fetch, program.runs

    def interrupted(self):
        if fetched or not left:
            fetch(self)
        if left:
            raise left.pop()

    monkeypatch.setattr(type(program), "_fetch", interrupted)
    with pytest.raises(error):
        there.step(X, Y)
    assert program.runs == runs + 1 and there.steps_done == 2 and not left
    np.testing.assert_allclose(program.results[0], here.step(X, Y), rtol=1e-5)


@pytest.mark.parametrize("where", ["beside", "waiting"])
def test_what_fails_beside_a_step_leaves_its_result(where, monkeypatch):
    here, there = trainer("cpu"), trainer()
    here.step(X, Y), there.step(X, Y)
    program, fetch = program_of(there), type(program_of(there))._fetch

    def fail(*program):
        monkeypatch.undo()
        raise KeyboardInterrupt

    if where == "beside":
        there.while_running = fail
    else:
        monkeypatch.setattr(type(program), "_fetch", fail)
    with pytest.raises(KeyboardInterrupt):
        there.step(X, Y)
    there.while_running = None
    np.testing.assert_allclose(program.results[0], here.step(X, Y), rtol=1e-5)
    assert program.while_running is None and type(program)._fetch is fetch and there.steps_done == here.steps_done == 2
    np.testing.assert_allclose(there.step(X, Y), here.step(X, Y), rtol=1e-5)
    for name, array in here.params.items():
        np.testing.assert_allclose(there.params[name], array, rtol=1e-4, atol=1e-6, err_msg=name)


def test_the_loader_stands_where_training_ended():
    class Stop(raf.callbacks.Callback):
        def on_step_end(self, trained, logs):
            trained.stop_training = logs["step"] == 2

    states = []
    for target in ("cpu", "cuda-sim"):
        loader = raf.data.ArrayLoader((X, Y), 16, shuffle=True, seed=3)
        trainer(target).fit(loader, epochs=2, progress=False, callbacks=[Stop()])
        states.append(loader.state_dict())
    assert states[0] == states[1] and states[1]["position"] == 2


# ---- no room ----


def test_no_room_for_the_next_batch_is_found_out_once(monkeypatch):
    here, there = trainer("cpu"), trainer()
    here.step(X[:16], Y[:16]), there.step(X[:16], Y[:16])
    program, tried = program_of(there), []
    before, real = len(program._frees), program._new_place

    def new_place(nbytes):
        tried.append(nbytes)
        if len(tried) == 2:
            raise raf.RuntimeError("cuda-sim: out of memory on RAF simulated GPU")
        return real(nbytes)

    monkeypatch.setattr(program, "_new_place", new_place)
    losses = [t.fit((X, Y), epochs=2, batch_size=16, progress=False).column("loss") for t in (here, there)]
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-5)
    assert len(tried) == 2 and len(program._frees) == before, "the place that was found is free again"
    assert program.executable.device_counts["prefetches"] == 0


SMALL = """
import os, re, sys
os.environ["RAF_SIM_MEMORY"] = sys.argv[1]
import numpy as np, raf
from raf import examples
def trainer(budget):
    return raf.compile(raf.import_onnx(examples.mlp((16, 64, 64, 64, 64, 64, 4))), loss="cross_entropy", optimizer=raf.optim.SGD(1e-2), target="cuda-sim", check=["none"], memory_budget=budget, cache=False)
batch = np.zeros((256, 16), np.float32), np.zeros(256, np.int64)
try:
    trainer(None).step(*batch)
except raf.RuntimeError as error:
    print(error)
    if found := re.search(r"memory_budget=(\\d+)", str(error)):
        print("loss", trainer(int(found[1])).step(*batch))
"""


@pytest.mark.parametrize("size, fits", [(470_000, True), (280_000, False)])
def test_out_of_memory_says_the_plan_and_the_budget_that_fits(size, fits):
    done = subprocess.run([sys.executable, "-c", SMALL, str(size)], capture_output=True, text=True)
    assert "cuda-sim: out of memory on RAF simulated GPU: " in done.stdout and f" of {size} are free" in done.stdout, done.stdout + done.stderr
    assert re.search(r"The step's plan holds \d+ bytes: params \d+, .*activations \d+", done.stdout)
    assert ("\nloss 1." in done.stdout) == fits
    if not fits:
        assert re.search(r"There is room for \d+ bytes, and no budget makes it fit: .*least", done.stdout), done.stdout
