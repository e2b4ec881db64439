# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import os
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

# On a machine that others use too, OpenMP's long waits in a loop make a test of microseconds one of milliseconds. Read once,
# when the runtime is loaded.
os.environ.setdefault("GOMP_SPINCOUNT", "1000")

import raf_rt  # noqa: E402


@pytest.fixture(scope="session")
def lib():
    path = raf_rt.find_library()
    if path is None:
        reason = "the runtime library was not found: set RAF_RUNTIME_LIBRARY or install the package raf"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    return raf_rt.load(path)


@pytest.fixture
def rt(lib):
    before = lib.raf_rt_get_num_threads()
    runtime = raf_rt.Runtime(lib)
    yield runtime
    runtime.close()
    lib.raf_rt_set_num_threads(before)


@pytest.fixture(params=[1, 2])
def threads(request, rt):
    """Runs the test with one and with two threads. Plans of little work use one thread anyway: a test of threads needs a case
    of some 600,000 operations among its shapes."""
    rt.check(rt.lib.raf_rt_set_num_threads(request.param), context=False)
    return request.param


@pytest.fixture
def dnnl(rt):
    """Skips where the runtime was built without oneDNN."""
    tiny = np.zeros((1, 1), np.float32)
    reason = rt.supported(raf_rt.REORDER, raf_rt.reorder(tiny, tiny))
    if reason and "without oneDNN" in reason:
        pytest.skip(reason)
    return rt


@pytest.fixture
def rng():
    return np.random.default_rng(7)
