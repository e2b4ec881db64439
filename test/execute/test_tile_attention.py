# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as programs on tiles, on the simulated GPU with every check of its kernels: results, gradients and masks of the CPU's, one launch forward and two backward."""

import ctypes
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest
from execute import harness
from execute.harness import close, core

import raf
from raf import examples

sys.path[:0] = [str(Path(__file__).parents[1] / "runtime"), str(Path(__file__).parents[1] / "runtime" / "cuda_sim")]

import cuda_sim  # noqa: E402

if harness.TARGET != "cpu":
    pytest.skip("compares the simulated GPU with the CPU, whatever the target of other tests", allow_module_level=True)

NAMES = ("q", "k", "v", "bias")
#: Products of a model with one layer, forward and backward.
CALLS_OF_GPT = 15
SIM = {"pipeline": "raf-cuda", "chip": "sim"}


class Simulated(harness.Program):
    """Kernels on the simulated GPU, wherever other programs run."""

    def __init__(self, asm, passes=(), **options):
        super().__init__(asm, passes, **SIM, **options)

    _run_here = harness.Program._run_on_device


def module(sizes, element="f32", flags="", dropout=0.0, bias=None, learned=True, swapped=False):
    """@main and its arguments, the same whatever ran before. The sum of what attention gives, times numbers; operands in the order in which models have heads if `swapped`. The first two or three sizes of a bias are given."""
    rng = np.random.default_rng(5)
    b, h, g, t, s, d, e = sizes
    shapes = {"q": (b, h, t, d), "k": (b, g, s, d), "v": (b, g, s, e), "w": (b, h, t, e)}
    if bias:
        shapes["bias"] = (*(*bias, t)[:3], s)
    tensor = lambda shape, of=element: f"tensor<{''.join(f'{n}x' for n in shape)}{of}>"  # noqa: E731
    turned = lambda shape: (shape[0], shape[2], shape[1], shape[3])  # noqa: E731
    wide = "f32" if element in ("bf16", "f16") else element
    held = {name: turned(shape) if swapped and name != "bias" else shape for name, shape in shapes.items()}
    arguments = [f'%{name}0: {tensor(shape)} {{raf.name = "{name}", raf.role = "{"input" if name == "w" or name == "bias" and not learned else "param"}"}}' for name, shape in held.items()]
    arguments += [f'%{name}: tensor<i64> {{raf.name = "{name}", raf.role = "{name}"}}' for name in ("seed", "step")]
    lines = [
        f"%{name} = raf.transpose %{name}0 permutation = [0, 2, 1, 3] : {tensor(held[name])} -> {tensor(shape)}" if held[name] != shapes[name] else f"%{name} = raf.reshape %{name}0 : {tensor(shape)} to {tensor(shape)}"
        for name, shape in shapes.items()
    ]
    names = [name for name in NAMES if name in shapes]
    drop = f"dropout(%seed, %step) ratio = {dropout} op_id = 3" if dropout else ""
    types = ", ".join([tensor(shapes[name]) for name in names] + ["tensor<i64>"] * 2 * bool(dropout))
    y, row = tensor((b, h, t, e)), tensor((b, h, t), wide)
    return f"""func.func @main({", ".join(arguments)}) -> (tensor<{wide}> {{raf.name = "loss"}}, {row} {{raf.name = "lse"}}) {{
  {"  ".join(line + chr(10) for line in lines)}
  %y, %lse = raf.attention %q, %k, %v {"bias %bias" if bias else ""} {drop} scale = 0.4 {flags} : ({types}) -> ({y}, {row})
  %weighted = raf.mul %y, %w : {y}
  %wide = raf.cast %weighted : {y} to {tensor((b, h, t, e), wide)}
  %loss = raf.reduce sum %wide dims = [0, 1, 2, 3] : {tensor((b, h, t, e), wide)} -> tensor<{wide}>
  return %loss, %lse : tensor<{wide}>, {row}
}}""", {name: rng.standard_normal(shape).astype(harness.DTYPES[element]) for name, shape in held.items()} | {"seed": np.array(7), "step": np.array(3)}


CASES = {
    # b, h, g, t, s, d, e
    "ragged": ((1, 2, 2, 37, 41, 12, 20), {}),
    "causal_grouped": ((2, 4, 2, 70, 70, 8, 8), {"flags": "causal"}),
    "more_keys": ((1, 2, 1, 33, 50, 5, 3), {"flags": "causal", "dropout": 0.25}),
    "rows_without_keys": ((1, 1, 1, 9, 5, 4, 4), {"flags": "causal"}),
    "bias": ((2, 2, 1, 20, 35, 6, 6), {"bias": (1, 2)}),
    "bias_of_batch": ((2, 2, 2, 35, 35, 4, 4), {"bias": (2, 1), "flags": "causal", "dropout": 0.5}),
    "bias_of_keys": ((2, 2, 1, 70, 45, 6, 6), {"bias": (2, 1, 1), "flags": "causal"}),
    "mask_of_keys": ((2, 2, 2, 70, 45, 4, 4), {"bias": (2, 1, 1), "learned": False}),
    "swapped": ((2, 2, 2, 34, 34, 16, 16), {"flags": "causal", "swapped": True}),
    "single": ((1, 1, 1, 1, 1, 1, 1), {}),
    "wide_heads": ((1, 1, 1, 18, 17, 136, 72), {"flags": "causal"}),
    "f64": ((1, 2, 1, 19, 21, 6, 6), {"element": "f64"}),
    "bf16": ((1, 2, 1, 33, 33, 16, 24), {"element": "bf16", "flags": "causal"}),
    "f16": ((1, 1, 1, 17, 40, 10, 10), {"element": "f16"}),
}
#: Tiles of which tensor cores multiply; the second number of each is of grouped heads.
ON_TENSOR_CORES = {
    "heads of 64": ((1, 2, 1, 70, 83, 64, 64), "bf16", {"flags": "causal", "dropout": 0.25}),
    "heads of 80": ((1, 2, 2, 64, 96, 80, 80), "f16", {"swapped": True}),
    "heads of 128": ((1, 1, 1, 66, 66, 128, 128), "bf16", {"flags": "causal"}),
    "heads of 256": ((1, 1, 1, 33, 34, 256, 256), "f16", {"flags": "causal"}),  # two warps share the rows of a tile
    "bias": ((1, 2, 1, 65, 49, 64, 32), "f16", {"bias": (1, 2), "dropout": 0.1}),
    "keys of no whole instructions": ((1, 1, 1, 33, 20, 16, 16), "f16", {"bias": (1, 1)}),
    "few keys of no whole instructions": ((1, 2, 1, 20, 18, 16, 16), "bf16", {"bias": (1, 2), "flags": "causal"}),
    "mask of keys": ((2, 2, 1, 70, 50, 64, 64), "bf16", {"bias": (2, 1, 1), "learned": False, "dropout": 0.1}),
    "bias of odd keys": ((2, 1, 1, 35, 45, 16, 16), "f16", {"bias": (1, 1, 1)}),
    "bias of heads of 256": ((1, 1, 1, 33, 34, 256, 256), "f16", {"bias": (1, 1)}),
    "heads of no whole instructions": ((2, 1, 1, 67, 33, 72, 40), "bf16", {"flags": "causal"}),
    "rows of no whole instructions": ((1, 1, 1, 19, 21, 24, 17), "bf16", {}),
    "tf32": ((1, 2, 1, 70, 70, 64, 40), "f32", {"flags": "causal"}),
}
TOLERANCE = {"f64": 1e-12, "f32": 2e-5, "bf16": 3e-2, "f16": 4e-3, "tf32": 4e-3}


@pytest.mark.parametrize("name", CASES)
def test_results_and_gradients_of_the_cpu(name):
    sizes, options = CASES[name]
    asm, given = module(sizes, **options)
    passes = ["raf-autodiff"]
    expected, actual = harness.Program(asm, passes)(given), Simulated(asm, passes)(given)
    assert set(actual) == set(expected) and len(actual) == 5 + ("bias" in options and options.get("learned", True))
    for result, value in expected.items():
        close(actual[result].astype(np.float64), value.astype(np.float64), TOLERANCE[options.get("element", "f32")], result)


@pytest.mark.parametrize("name", ON_TENSOR_CORES)
def test_tensor_cores_against_f64(name):
    sizes, element, options = ON_TENSOR_CORES[name]
    asm, given = module(sizes, element, **options)
    wide, _ = module(sizes, "f64", **options)
    passes = ["raf-autodiff"]
    expected = harness.Program(wide, passes)({name: array if array.dtype.kind == "i" else array.astype(np.float64) for name, array in given.items()})
    actual = Simulated(asm, passes, **({"tf32": True} if name == "tf32" else {}))(given)
    assert set(actual) == set(expected)
    for result, value in expected.items():
        close(actual[result].astype(np.float64), value, TOLERANCE["tf32" if name == "tf32" else element], result)


def test_repeated_bit_for_bit():
    asm, given = module((1, 4, 2, 70, 70, 8, 8), flags="causal", dropout=0.1)
    program = Simulated(asm, ["raf-autodiff"])
    first, second = program(given), program(given)
    for result, value in first.items():
        np.testing.assert_array_equal(second[result], value, err_msg=result)


def test_no_matrix_of_scores():
    """Forward and backward of long texts take what their results do, and three launches for attention."""
    time, width = 2048, 16
    asm, _ = module((1, 2, 1, time, time, width, width), flags="causal", dropout=0.1)
    manifest = Simulated(asm, ["raf-autodiff"]).manifest
    assert manifest["memory"]["arena_bytes"] < 8 * 2 * time * width * 4 < time * time
    assert len(manifest["kernels"]) <= 8


def test_kernels_move_no_matrix_of_scores():
    """What the launches of a forward and a backward pass load and store is in proportion to the operands, each read once by the blocks of the other side."""
    time, width = 160, 8
    asm, given = module((1, 1, 1, time, time, width, width))
    program, library = Simulated(asm, ["raf-autodiff"], check=["bounds"]), cuda_sim.load_library()
    library.raf_sim_launches.restype = ctypes.c_int64
    library.raf_sim_record_launches(1)
    program(given)
    library.raf_sim_record_launches(0)
    launches = (cuda_sim.Launch * library.raf_sim_launches(None, ctypes.c_int64(0)))()
    library.raf_sim_launches(launches, ctypes.c_int64(len(launches)))
    operand, scores = time * width * 4, time * time * 4
    assert launches and max(launch.distinct_loaded + launch.distinct_stored for launch in launches) < 7 * operand < scores
    assert max(launch.stored for launch in launches) <= 2 * operand


def test_products_of_a_layer_do_not_depend_on_the_length(tmp_path):
    """No library multiplies blocks of scores, and only sums may be split otherwise."""
    calls, launches = set(), []
    for time in (100, 300):
        made = raf.compile(raf.import_onnx(examples.gpt(1, 16, 2, 32, 40, time)), loss="cross_entropy", optimizer="adamw", target="cuda:sm_80", lazy=True)
        made.save_executable(tmp_path / "step.rafx", {made.model.inputs[0].name: (1, time)})
        with zipfile.ZipFile(tmp_path / "step.rafx") as file:
            manifest = json.loads(file.read("manifest.json"))["program"]
        calls.add(manifest["library_calls"])
        launches.append(len(manifest["ops"]))
    assert calls == {CALLS_OF_GPT} and abs(launches[0] - launches[1]) <= 2


#: Each chip and each size once; RAF_TEST_SLOW=1 has all of them.
ASSEMBLED = [("f32", 64, "sm_80"), ("f32", 72, "sm_120"), ("bf16", 64, "sm_120"), ("f16", 128, "sm_80"), ("bf16", 128, "sm_90a"), ("bf16", 64, "sm_100")]
if os.environ.get("RAF_TEST_SLOW") == "1":
    ASSEMBLED += [(element, width, chip) for element in ("bf16", "f16", "tf32") for width in (64, 80, 128, 256) for chip in ("sm_80", "sm_90a", "sm_100", "sm_120")]
    ASSEMBLED = [case for case in ASSEMBLED if case[:2] != ("tf32", 256)]  # of which tiles are too small
ASSEMBLED = [(*case, 256) for case in ASSEMBLED]
# Of rows of no whole blocks of random numbers, each element draws its own; with a bias.
ASSEMBLED += [("bf16", 128, chip, 250) for chip in ("sm_80", "sm_90a", "sm_100", "sm_120")] + [("bf16", 80, "sm_120", 250)]


@pytest.mark.skipif(shutil.which("ptxas") is None, reason="ptxas is not in PATH")
@pytest.mark.parametrize("element, width, chip, keys", ASSEMBLED)
def test_kernels_assemble_without_local_memory(element, width, chip, keys, tmp_path):
    """Forward, dq, and dk with dv: all products are of tensor cores, or none is."""
    bias = (1, 1) if keys == 250 else None
    asm, _ = module((1, 4, 2, keys, keys, width, width), element.replace("tf32", "f32"), flags="causal", dropout=0.1, bias=bias)
    options = {"pipeline": "raf-cuda", "chip": chip, "libraries": [], "tf32": element == "tf32"}
    _, _, images = core.compile_parts(core.run_pipeline(asm, "builtin.module(raf-autodiff)"), json.dumps(options))
    ((_, text),) = images
    text = text.rstrip(b"\0")
    kernels = [kernel for kernel in text.split(b".visible .entry ")[1:] if b"ex2.approx" in kernel]
    assert len(kernels) == (4 if bias else 3)
    instruction = {"tf32": b"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32"}.get(element, f"mma.sync.aligned.m16n8k16.row.col.f32.{element}.{element}.f32".encode())
    for kernel in kernels:
        assert (instruction in kernel and b"ldmatrix" in kernel and b"cp.async" in kernel) == (element != "f32")
        # Of the products of f32, each thread multiplies what vectors of shared memory have brought.
        assert element != "f32" or b"ld.shared.v4" in kernel
    (tmp_path / "kernels.ptx").write_bytes(text)
    report = subprocess.run(["ptxas", "-v", f"-arch={chip}", tmp_path / "kernels.ptx", "-o", os.devnull], capture_output=True, text=True, check=True)
    used = re.findall(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", report.stdout + report.stderr)
    assert used and {number for kernel in used for number in kernel} == {"0"}
