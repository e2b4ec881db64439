# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention as a program on tiles, on the simulated tensor cores: its result, and that mutants of it are caught."""

from __future__ import annotations

import json
import re

import cuda_sim
import numpy as np
import pytest

core = pytest.importorskip("raf._core")
if not core.has_compiler:
    pytest.skip("raf-map-to-gpu needs the compiler; this build has only the runtime", allow_module_level=True)

PASSES = (
    "raf-tile-attention,canonicalize,cse,raf-decompose-ops,canonicalize,cse,raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse),raf-outline-kernels,canonicalize,raf-inplace,"
    "raf-bufferize-host,raf-plan-memory,raf-map-to-gpu,canonicalize,cse"
)
ROWS, KEYS, WIDTH, SCALE = 70, 40, 24, 0.25


@pytest.fixture(scope="module")
def mapped():
    operands = f"tensor<1x1x{ROWS}x{WIDTH}xf16>, tensor<1x1x{KEYS}x{WIDTH}xf16>, tensor<1x1x{KEYS}x{WIDTH}xf16>"
    q, k, v = operands.split(", ")
    results = f"{q}, tensor<1x1x{ROWS}xf32>"
    source = f"""
func.func @main(%q: {q} {{raf.name = "q", raf.role = "input"}}, %k: {k} {{raf.name = "k", raf.role = "input"}}, %v: {v} {{raf.name = "v", raf.role = "input"}})
    -> ({q} {{raf.name = "y"}}, tensor<1x1x{ROWS}xf32> {{raf.name = "lse"}}) {{
  %y, %lse = raf.attention %q, %k, %v scale = {SCALE} : ({operands}) -> ({results})
  return %y, %lse : {results}
}}"""
    return core.run_pipeline(source, f"builtin.module({PASSES})")


def run(device, mapped):
    """What is expected, and what comes out."""
    name = re.search(r"gpu.func @(\w+)", mapped)[1]
    block, grid = (int(re.search(rf"known_{size}_size = array<i32: (\d+)", mapped)[1]) for size in ("block", "grid"))
    ((_, image),) = core.compile_images(mapped, json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    rng = np.random.default_rng(3)
    q, k, v = (rng.standard_normal(shape).astype(np.float16) for shape in ((ROWS, WIDTH), (KEYS, WIDTH), (KEYS, WIDTH)))
    scores = SCALE * q.astype(np.float64) @ k.astype(np.float64).T
    weights = np.exp(scores - scores.max(1, keepdims=True))
    expected = weights / weights.sum(1, keepdims=True) @ v.astype(np.float64)
    y, lse = device.alloc(q.nbytes), device.alloc(4 * ROWS)
    shared = int(re.search(r"dynamic_shared_memory_size %c(\d+)_i32", mapped)[1])
    device.launch(device.load(image), name, (grid,), (block,), [*map(device.upload, (q, k, v)), y, lse], shared)
    return expected, device.download(y, q.nbytes, np.uint8).view(np.float16).reshape(q.shape).astype(np.float64)


def test_result(device, mapped):
    assert "nvgpu.mma.sync" in mapped
    expected, got = run(device, mapped)
    np.testing.assert_allclose(got, expected, rtol=2e-3, atol=2e-3)


@pytest.mark.parametrize(
    "pattern, replacement, report",
    [
        (r" *gpu.barrier[^\n]*\n", "", r"(race|uninitialized read): kernel"),
        (r"(wait.group 0[^\n]*\n) *gpu.barrier[^\n]*\n", r"\1", r"(race|uninitialized read): kernel"),
        (r" *nvvm.cp.async.wait.group 0[^\n]*\n", "", r"uninitialized read: kernel '\w+', nvgpu.ldmatrix"),
        (r"arith.subi %c1, (%\w+)", r"arith.addi %c0, \1", r"(race|uninitialized read): kernel"),
        (r" *vector.store %cst[^\n]*vector<8xf16>[^\n]*\n", "", r"uninitialized read: kernel '\w+', nvgpu.ldmatrix"),
    ],
    ids=["no barrier", "no barrier in the loop", "no wait", "one place for all iterations", "no zeros behind the last columns"],
)
def test_mutants(device, mapped, pattern, replacement, report):
    mutant, changes = re.subn(pattern, replacement, mapped, count=1)
    assert changes
    with pytest.raises(cuda_sim.DriverError):
        run(device, mutant)
    assert re.search(report, device.report), device.report


def test_mutant_of_a_transposition(device, mapped):
    """What no check sees is a wrong result."""
    assert "transpose = true" in mapped
    expected, got = run(device, mapped.replace("transpose = true", "transpose = false"))
    assert np.abs(got - expected).max() > 0.1
