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


IN_PLACE = """
#row = affine_map<(d0, d1) -> (d0)>
#box = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%y: memref<3x64xf32>, %z: memref<192x64xf32>) {
  raf.launch @in_place outs(%y, %z : memref<3x64xf32>, memref<192x64xf32>)
  return
}
func.func private @in_place(%y: tensor<3x64xf32>, %z: tensor<192x64xf32>) -> (tensor<3x64xf32>, tensor<192x64xf32>) attributes {raf.kernel} {
  %one = arith.constant 1.0 : f32
  %0:2 = scf.forall (%i) in (3) shared_outs(%a = %y, %b = %z) -> (tensor<3x64xf32>, tensor<192x64xf32>) {
    %old = tensor.extract_slice %a[%i, 0] [1, 64] [1, 1] : tensor<3x64xf32> to tensor<64xf32>
    %e = tensor.empty() : tensor<64xf32>
    %more = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%old : tensor<64xf32>) outs(%e : tensor<64xf32>) {
    ^bb0(%v: f32, %o: f32):
      %1 = arith.addf %v, %one : f32
      linalg.yield %1 : f32
    } -> tensor<64xf32>
    %f = tensor.empty() : tensor<64x64xf32>
    %rows = linalg.generic {indexing_maps = [#row, #box], iterator_types = ["parallel", "parallel"]} ins(%old : tensor<64xf32>) outs(%f : tensor<64x64xf32>) {
    ^bb0(%v: f32, %o: f32):
      linalg.yield %v : f32
    } -> tensor<64x64xf32>
    %at = affine.apply affine_map<(d0) -> (d0 * 64)>(%i)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %more into %a[%i, 0] [1, 64] [1, 1] : tensor<64xf32> into tensor<3x64xf32>
      tensor.parallel_insert_slice %rows into %b[%at, 0] [64, 64] [1, 1] : tensor<64x64xf32> into tensor<192x64xf32>
    }
  }
  return %0#0, %0#1 : tensor<3x64xf32>, tensor<192x64xf32>
}"""


def test_a_destination_that_is_read_before_it_is_written(device):
    """All threads of a row have the number that was there; one of them overwrites it, when all have read it."""
    program = core.run_pipeline(IN_PLACE, "builtin.module(raf-map-to-gpu,canonicalize,cse)")
    assert program.count("gpu.barrier") == 1
    ((_, image),) = core.compile_images(program, json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    old = np.arange(192, dtype=np.float32)
    y, z = device.upload(old), device.alloc(192 * 64 * 4)
    device.launch(device.load(image), "in_place", (3,), (128,), [y, z])
    np.testing.assert_array_equal(device.download(y, old.nbytes, np.uint8).view(np.float32), old + 1)
    np.testing.assert_array_equal(device.download(z, 192 * 64 * 4, np.uint8).view(np.float32).reshape(192, 64), np.broadcast_to(old[:, None], (192, 64)))
