# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fails on a device is said with the node of the model that it was for, also by a program from a file. Each fault has a process of its own: the device is lost after it."""

import os
import re
import subprocess
import sys

import pytest
import raf
from raf import examples

pytest.importorskip("raf._core")

PROGRAM = """
import json, struct
import numpy as np
import raf
from raf._arrays import address
from raf._core import Executable
from raf._device import device

# A kernel, a library call and another kernel.
NET = '''
func.func @main(%x: tensor<64x32xf32> {raf.name = "x", raf.role = "input"}, %w: tensor<32x16xf32> {raf.name = "w", raf.role = "input"}) -> (tensor<16xf32> {raf.name = "y"}) {
  %t = raf.tanh %x : tensor<64x32xf32> loc("/act/Tanh")
  %m = raf.matmul %t, %w : tensor<64x32xf32>, tensor<32x16xf32> -> tensor<64x16xf32> loc("/fc/MatMul")
  %y = raf.reduce sum %m dims = [0] : tensor<64x16xf32> -> tensor<16xf32> loc("/pool/ReduceSum")
  return %y : tensor<16xf32>
}
'''
SIZES = (4 * 64 * 32, 4 * 32 * 16, 4 * 16)

def replace(data, old, new):
    assert old in data
    return data.replace(old, new)

def many_threads(data):  # more than a block can have
    return replace(data, struct.pack("<6i", 2, 1, 1, 256, 1, 1), struct.pack("<6i", 2, 1, 1, 4096, 1, 1))

def longer_rows(data):  # of the first operand of the product
    return replace(data, struct.pack("<2q", 64, 32), struct.pack("<2q", 64, 33))

def run(less=(0, 0, 0), steps=1, change=bytes, freed=None):
    # On buffers that are `less` bytes short.
    built = Executable.compile(NET, json.dumps({"pipeline": "raf-cuda", "chip": "sim", "libraries": ["cublas"]}))
    executable = Executable.load(built.manifest, [change(o) for o in built.objects], built.images)
    there = device("cuda-sim")
    places = [there.alloc(size - short) for size, short in zip(SIZES, less)]
    zeros = np.zeros(max(SIZES), np.uint8)
    for i, (place, size, short) in enumerate(zip(places, SIZES, less)):
        executable.bind(i, place)
        executable.upload(place, address(zeros), size - short)
    for step in range(steps):
        if step == freed:
            there.free(places[0])
        executable.run()
        executable.download(address(zeros), places[2], SIZES[2] - less[2])
"""


def fault(script, **environment):
    """The message with which a process of this script ends."""
    done = subprocess.run([sys.executable, "-c", script], env={**os.environ, **environment}, capture_output=True, text=True)
    last = done.stderr.strip().rpartition("\n")[2]
    assert done.returncode == 1 and last.startswith("raf.errors."), done.stdout + done.stderr
    return last


@pytest.mark.parametrize(
    "call, message",
    [
        ("run(less=(64, 0, 0))", r"out of allocation: kernel 'kernel_0'.*; this is kernel_0 for /act/Tanh$"),
        ("run(less=(0, 0, 32))", r"out of allocation: kernel 'kernel_1\w*'.*; this is kernel_1\w* for /pool/ReduceSum$"),
        ("run(steps=5, freed=4)", r"use after free: kernel 'kernel_0'.*; this is kernel_0 for /act/Tanh$"),
        ("run(change=many_threads)", r"launching the kernel kernel_0 failed: .*; this is kernel_0 for /act/Tanh$"),
        ("run(change=longer_rows)", r"; this is cublas.matmul for /fc/MatMul$"),
    ],
    ids=["first kernel", "last kernel", "replay of a graph", "launch", "library call"],
)
def test_errors_name_the_node(call, message):
    found = fault(PROGRAM + call)
    assert re.search(message, found) and "RAF_CUDA_BLOCKING" not in found, found


def test_what_a_library_enqueued_fails_later():
    found = fault(PROGRAM + "run(less=(0, 64, 0))")
    assert re.search(r"cublasLtMatmul.*; run with RAF_CUDA_BLOCKING=1 to learn which op it was$", found), found
    found = fault(PROGRAM + "run(less=(0, 64, 0))", RAF_CUDA_BLOCKING="1")
    assert re.search(r"cublasLtMatmul.*; this is cublas.matmul for /fc/MatMul$", found), found


def test_a_training_step_from_a_file(tmp_path):
    trainer = raf.compile(raf.import_onnx(examples.mlp((4, 16, 3))), loss="cross_entropy", optimizer="adamw", target="cuda-sim")
    trainer.save_executable(tmp_path / "step.rafx", {"x": (32, 4)})
    found = fault(
        f"""
import numpy as np, raf
from raf._device import device
from raf._device_arrays import DeviceArray
step = raf.load_executable({str(tmp_path / "step.rafx")!r})
labels = device("cuda-sim").alloc(8 * 31)  # one is missing
step.step(np.zeros((32, 4), np.float32), DeviceArray("cuda-sim", device("cuda-sim"), labels, (32,), np.dtype(np.int64), None, device("cuda-sim").stream))
"""
    )
    assert re.search(r"kernel '(\w+)'.*; this is \1 for loss", found), found
