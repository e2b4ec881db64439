# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Steps on several streams of the simulated GPU, where each stream is a thread and accesses without an order are reported."""

from __future__ import annotations

import json
import re
import subprocess
import sys
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
MODELS = {
    "mlp": (lambda: examples.mlp((16, 32, 10)), (rng.standard_normal((8, 16)).astype(np.float32), rng.integers(0, 10, 8))),
    "lenet": (lambda: examples.lenet(size=16), (rng.standard_normal((2, 1, 16, 16)).astype(np.float32), rng.integers(0, 10, 2))),
    "lstm": (lambda: examples.lstm(4, 8, 3, 3), (rng.standard_normal((2, 3, 4)).astype(np.float32), rng.integers(0, 3, 2))),
    "gpt": (lambda: examples.gpt(1, 16, 2, 32, 40, 8), (rng.integers(0, 40, (2, 8)), rng.integers(0, 40, 16))),
}


def trainer(name, target, **options):
    return raf.compile(raf.import_onnx(MODELS[name][0]()), loss="cross_entropy", optimizer="adamw", lr=1e-2, target=target, **options)


@pytest.mark.parametrize("name", MODELS)
def test_the_losses_of_one_stream(name):
    """Step by step, then as graphs, whose edges are the events."""
    batch = MODELS[name][1]
    one, several = trainer(name, "cuda-sim", check=["races"]), trainer(name, "cuda-sim", streams=4, check=["races"])
    assert [float(several.step(*batch)) for _ in range(4)] == [float(one.step(*batch)) for _ in range(4)]
    (program,) = several._programs.values()
    counts = program.executable.device_counts
    assert (counts["captures"], counts["replays"]) == (1, 3)
    assert program.manifest.raw["memory"] == next(iter(one._programs.values())).manifest.raw["memory"]


# Two chains, their sum, and a third value in memory that the first chain leaves.
PROGRAM = """func.func @main(%x: tensor<4096xf32> {raf.role = "input", raf.name = "x"}, %y: tensor<4096xf32> {raf.role = "input", raf.name = "y"})
    -> (tensor<4096xf32> {raf.name = "sum"}, tensor<4096xf32> {raf.name = "late"}) {
  %a = raf.exp %x : tensor<4096xf32>
  %b = raf.tanh %y : tensor<4096xf32>
  %c = raf.tanh %a : tensor<4096xf32>
  %d = raf.exp %b : tensor<4096xf32>
  %s = raf.add %c, %d : tensor<4096xf32>
  %e = raf.exp %s : tensor<4096xf32>
  %f = raf.tanh %e : tensor<4096xf32>
  return %s, %f : tensor<4096xf32>, tensor<4096xf32>
}"""
ASSIGNED = (
    "builtin.module(raf-decompose-ops,canonicalize,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse{enable=false}),raf-outline-kernels,raf-bufferize-host,"
    "raf-plan-memory,raf-map-to-gpu,canonicalize,cse,raf-assign-streams{streams=2})"
)
LOWERED = "raf-lower-host{device=cuda-sim},raf-gpu-to-sim"
WAIT = re.compile(r"raf\.wait = array<i64: \d+>")


def run(module):
    """The results of an assigned module, compiled without the check of its events, or the report."""
    executable = core.Executable.compile(module, json.dumps({"pipeline": f"builtin.module({LOWERED})"}))
    device = raf._device.device("cuda-sim")
    arrays = [np.linspace(0, 1, 4096, dtype=np.float32), np.linspace(1, 2, 4096, dtype=np.float32), np.empty(4096, np.float32), np.empty(4096, np.float32)]
    places = [device.alloc(array.nbytes) for array in arrays]
    for i, place in enumerate(places):
        executable.bind(i, place)
    for place, array in zip(places[:2], arrays):
        executable.upload(place, array.ctypes.data, array.nbytes)
    executable.run()
    for place, array in zip(places[2:], arrays[2:]):
        executable.download(array.ctypes.data, place, array.nbytes)
    return arrays


def test_events_and_their_results():
    module = core.run_pipeline(PROGRAM, ASSIGNED.removesuffix(")") + ",raf-check-streams)")
    assert "raf.stream = 1" in module and len(WAIT.findall(module)) == 1
    x, y, total, late = run(module)
    np.testing.assert_allclose(total, np.tanh(np.exp(x)) + np.exp(np.tanh(y)), rtol=1e-5)
    np.testing.assert_allclose(late, np.tanh(np.exp(total)), rtol=1e-5)


def random_program(seed, ops=40):
    """Unary and binary ops on any values so far; the ends of all chains are results."""
    generator = np.random.default_rng(seed)
    lines, unused = [], {"%x"}
    values = ["%x"]
    for i in range(ops):
        a, b = generator.choice(values[-8:], 2)
        lines.append(f"%v{i} = raf.{generator.choice(['exp', 'tanh'])} {a} : tensor<256xf32>" if generator.random() < 0.6 else f"%v{i} = raf.add {a}, {b} : tensor<256xf32>")
        unused -= {a, b} if "add" in lines[-1] else {a}
        values.append(f"%v{i}")
        unused.add(f"%v{i}")
    ends = sorted(unused - {"%x"})
    types = ", ".join("tensor<256xf32>" for _ in ends)
    results = ", ".join(f'tensor<256xf32> {{raf.name = "r{i}"}}' for i in range(len(ends)))
    body = "\n  ".join(lines)
    return f"""func.func @main(%x: tensor<256xf32> {{raf.role = "input", raf.name = "x"}}) -> ({results}) {{
  {body}
  return {", ".join(ends)} : {types}
}}"""


@pytest.mark.parametrize("seed", range(5))
def test_no_wait_can_be_left_out(seed):
    module = core.run_pipeline(random_program(seed), ASSIGNED.replace("streams=2", "streams=4"))
    check = "builtin.module(raf-check-streams)"
    core.run_pipeline(module, check)
    found = 0
    for wait in re.finditer(r"raf\.wait = array<i64: ([\d, ]+)>", module):
        events = wait[1].split(", ")
        for gone in range(len(events)):
            left = events[:gone] + events[gone + 1 :]
            fewer = "raf.wait = array<i64" + (": " + ", ".join(left) if left else "") + ">"
            with pytest.raises(raf.CompileError, match="no event orders the two"):
                core.run_pipeline(module[: wait.start()] + fewer + module[wait.end() :], check)
            found += 1
    assert found >= 5


FAULT = """
import sys
sys.path[:0] = {path!r}
import test_streams as t
import raf
module = t.core.run_pipeline(t.PROGRAM, t.ASSIGNED)
module = t.WAIT.sub("raf.gone = 0 : i64", module)
try:
    t.core.run_pipeline(module, "builtin.module(raf-check-streams)")
except raf.CompileError as error:
    print("refused:", error)
try:
    t.run(module)
except raf.RuntimeError as error:
    print("reported:", error)
"""


def test_without_a_wait_the_check_refuses_it_and_the_simulator_reports_it():
    # In a process of its own: a device that failed stays so.
    done = subprocess.run([sys.executable, "-c", FAULT.format(path=[str(Path(__file__).parent)])], capture_output=True, text=True)
    out = done.stdout
    assert done.returncode == 0, done.stderr
    assert re.search(r"refused: .*on stream \d (reads|writes) bytes that an op on stream \d writes, and no event orders the two: bytes \d+ to \d+ of the arena", out)
    # Whichever of the two runs first.
    assert re.search(r"reported: .*(is not ordered before this launch: is the wait for an event missing|uninitialized read: kernel 'kernel_\d+')", out)


def test_options():
    model = raf.import_onnx(MODELS["mlp"][0]())
    with pytest.raises(raf.CompileError, match="streams must be an integer from 1 to 64, got 0"):
        raf.compile(model, target="cuda-sim", streams=0)
    with pytest.raises(raf.CompileError, match="streams=2 is for targets with a device"):
        raf.compile(model, streams=2)
