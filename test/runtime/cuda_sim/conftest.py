# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

FOLDER = Path(__file__).parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent)]

import cuda_sim  # noqa: E402


def skip(reason: str):
    warnings.warn(reason, stacklevel=2)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def simulator(tmp_path_factory):
    """A copy of the library: a program that fails there leaves the one of other tests alone, whose contexts live as long as the
    process."""
    if cuda_sim.find_library() is None:
        skip("the simulated GPU was not found beside the runtime library: set RAF_RUNTIME_LIBRARY or install the package raf")
    copy = tmp_path_factory.mktemp("simulator") / "libcuda.so.1"
    shutil.copy(cuda_sim.find_library(), copy)
    return cuda_sim.load_library(copy)


@pytest.fixture
def device(simulator):
    device = cuda_sim.Device(simulator)
    yield device
    device.close()


@pytest.fixture(scope="session")
def image(tmp_path_factory):
    """The object of kernels.c."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        skip("no C compiler in PATH: the kernels of these tests are written in C")
    target = tmp_path_factory.mktemp("cuda_sim") / "kernels.o"
    include = FOLDER.parents[2] / "runtime" / "cuda_sim"
    subprocess.run([compiler, "-std=c11", "-O1", "-fPIC", "-c", "-Wall", "-Werror", f"-I{include}", str(FOLDER / "kernels.c"), "-o", str(target)], check=True)
    return target.read_bytes()


@pytest.fixture
def kernels(device, image):
    return device.load(image)
