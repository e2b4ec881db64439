# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import shutil
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import raf_cuda  # noqa: E402

@pytest.fixture(scope="session")
def fake_folder(tmp_path_factory):
    """A folder with the driver of fake_driver.cpp."""
    folder = tmp_path_factory.mktemp("fake")
    raf_cuda.build(folder / "libcuda.so.1", Path(__file__).with_name("fake_driver.cpp"), options=("-shared", "-fPIC"))
    return folder


@pytest.fixture(autouse=True)
def no_cache(monkeypatch):
    """What libraries choose is not kept from one test to another."""
    monkeypatch.setenv("RAF_CACHE_DIR", "0")


@pytest.fixture
def cuda_lib(lib):
    return raf_cuda.declare(lib)


@pytest.fixture
def fake(cuda_lib, fake_folder, monkeypatch):
    """A context on the driver of fake_driver.cpp, which writes down what it is asked for."""
    monkeypatch.setenv("RAF_CUDA_PATH", str(fake_folder))
    device = raf_cuda.Device(cuda_lib, "cuda", fake_folder / "libcuda.so.1")
    device.calls()
    yield device
    device.close()


@pytest.fixture(scope="session")
def sim_folder(lib, tmp_path_factory):
    """A copy of the simulated GPU's libraries: a program that fails there leaves the one of other tests alone, whose contexts
    live as long as the process."""
    found = raf_cuda.info(raf_cuda.declare(lib), "cuda-sim")["driver"]
    if found is None:
        return None
    folder = tmp_path_factory.mktemp("cuda_sim")
    for library in Path(found["file"]).parent.glob("lib*.so.*"):
        shutil.copy(library, folder)
    return folder


@pytest.fixture
def sim(cuda_lib, sim_folder, monkeypatch):
    """A context on the simulated GPU."""
    if sim_folder is None:
        reason = "the simulated GPU was not found beside the runtime library: set RAF_RUNTIME_LIBRARY or install the package raf"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    monkeypatch.setenv("RAF_CUDA_SIM_PATH", str(sim_folder))
    device = raf_cuda.Device(cuda_lib, "cuda-sim")
    yield device
    device.close()


@pytest.fixture(scope="session")
def kernels_image(tmp_path_factory):
    """The object of test/runtime/cuda_sim/kernels.c."""
    compiler = shutil.which("cc")
    if compiler is None:
        reason = "no C compiler in PATH: the kernels of these tests are written in C"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    source = raf_cuda.ROOT / "test" / "runtime" / "cuda_sim" / "kernels.c"
    target = tmp_path_factory.mktemp("kernels") / "kernels.o"
    include = raf_cuda.ROOT / "runtime" / "cuda_sim"
    subprocess.run([compiler, "-std=c11", "-O1", "-fPIC", "-c", f"-I{include}", str(source), "-o", str(target)], check=True)
    return target.read_bytes()
