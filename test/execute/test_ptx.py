# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every kernel of small models' steps, and of every op, becomes PTX that ptxas assembles, and none needs local memory: its values fit into registers.

Two chips take seconds a model: RAF_TEST_SLOW=1 pytest test/execute/test_ptx.py tries all of them, and all ops."""

import itertools
import json
import os
import re
import shutil
import subprocess
import zipfile

import pytest
import raf
from execute import models
from execute.harness import core

if shutil.which("ptxas") is None:
    pytest.skip("ptxas is not in PATH", allow_module_level=True)

CHIPS = ("sm_80", "sm_90a", "sm_100", "sm_120")
#: Together they have every kind of kernel; the others are slow.
#: On sm_90 without its own instructions a convolution would keep one number too many.
QUICK = [("digits_cnn", "sm_90", "bf16"), ("digits_mlp", "sm_80", None), ("lenet", "sm_100", None), ("lstm", "sm_120", None), ("gpt", "sm_90a", "bf16")]
SLOW = os.environ.get("RAF_TEST_SLOW") == "1"


def local_memory(text, chip, folder):
    """What ptxas says of the functions that need any: bytes of the stack frame, of spilled stores and loads."""
    (folder / "kernels.ptx").write_bytes(text.rstrip(b"\0"))
    report = subprocess.run(["ptxas", "-v", f"-arch={chip}", folder / "kernels.ptx", "-o", os.devnull], capture_output=True, text=True, check=False)
    assert report.returncode == 0, report.stdout + report.stderr
    said = report.stdout + report.stderr
    # Where registers of wgmma are used out of order, ptxas makes the kernel wait for each instruction.
    assert "(C75" not in said, said
    used = re.findall(r"Function properties for (\S+)\s+(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads", said)
    assert len(used) >= text.count(b".entry ")  # and functions of libdevice that are called
    return {name: numbers for name, *numbers in map(tuple, used) if set(numbers) != {"0"}}


@pytest.mark.parametrize("name, chip, amp", [QUICK[0], *itertools.product(models.SMALL, CHIPS, (None, "bf16"))] if SLOW else QUICK)
def test_kernels_assemble_without_local_memory(name, chip, amp, tmp_path):
    made = raf.compile(raf.import_onnx(models.proto(name)), loss="cross_entropy", optimizer="adamw", libraries=(), lazy=True, amp=amp, target=f"cuda:{chip}")
    made.save_executable(tmp_path / "step.rafx", {spec.name: array.shape for spec, array in zip(made.model.inputs, models.batch(name)[:-1])})
    with zipfile.ZipFile(tmp_path / "step.rafx") as file:
        texts = [file.read(entry) for entry in file.namelist() if entry.endswith("ptx")]
    assert texts
    # Products of 16 bits use tensor cores, where they are not as narrow as those of most of these models.
    instruction = b"wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16" if chip == "sm_90a" else b"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32"
    assert amp is None or name not in ("digits_cnn", "gpt") or instruction in b"".join(texts)
    for text in texts:
        assert local_memory(text, chip, tmp_path) == {}


#: Launches with matrix instructions in a step in bf16. Of gpt: the forward product and two gradients of each of five matrices, and attention with its two kernels of gradients. A product by
#: the three classes of bert has too few columns.
ON_TENSOR_CORES = {"gpt": ({"layers": 1, "width": 64, "heads": 2, "hidden": 128, "vocabulary": 64, "time": 32}, (2, 32), 18), "bert": ({}, (4, 16), 19)}


@pytest.mark.parametrize("name", ON_TENSOR_CORES)
def test_products_of_a_step_use_tensor_cores(name, tmp_path):
    sizes, shape, launches = ON_TENSOR_CORES[name]
    made = raf.compile(raf.import_onnx(raf.examples.MODELS[name](**sizes)), loss="cross_entropy", optimizer="adamw", libraries=(), lazy=True, amp="bf16", target="cuda:sm_80")
    made.save_executable(tmp_path / "step.rafx", {spec.name: shape for spec in made.model.inputs})
    with zipfile.ZipFile(tmp_path / "step.rafx") as file:
        ops = json.loads(file.read("manifest.json"))["program"]["ops"]
        text = b"".join(file.read(entry) for entry in file.namelist() if entry.endswith("ptx")).decode()
    kernels = {kernel.split("(")[0]: kernel for kernel in text.split(".visible .entry ")[1:]}
    assert sum("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32" in kernels.get(op, "") for op in ops) == launches


#: Ops whose functions in libdevice reduce large arguments in local memory.
REDUCES_ARGUMENTS = {"sin", "cos"}
#: The kinds of kernels that models have not; the others are slow.
QUICK_OPS = {"cumsum": "sm_100", "take_along_axis": "sm_80", "cos": "sm_80"}


def all_ops():
    """A line of names, not the rows: those need JAX in double precision."""
    from raf._mlir.dialects import _raf_ops_gen as ops

    from execute.test_ops import COLLECTIVE, INTERNAL

    return sorted({c.OPERATION_NAME.removeprefix("raf.") for c in vars(ops).values() if hasattr(c, "OPERATION_NAME")} - COLLECTIVE - INTERNAL)


@pytest.mark.parametrize("op, chip", [(op, chip) for op in all_ops() for chip in CHIPS] if SLOW else QUICK_OPS.items())
def test_ops_assemble_without_local_memory(op, chip, tmp_path):
    jax = pytest.importorskip("jax")
    with jax.enable_x64(True):
        from execute import test_ops

        asm, _ = test_ops.build(test_ops.rows(op))
    _, _, images = core.compile_parts(asm, json.dumps({"pipeline": "raf-cuda", "chip": chip, "opt_level": 2, "libraries": []}))
    for about, text in images:
        assert about.startswith("ptx")
        spilled = local_memory(text, chip, tmp_path)
        if op in REDUCES_ARGUMENTS:
            spilled = {kernel: used for kernel, used in spilled.items() if used[1:] != ["0", "0"]}
        assert spilled == {}
