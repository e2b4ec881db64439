# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels of the gpu dialect through raf-gpu-to-sim: their results, and that mutants of them are caught."""

from __future__ import annotations

import json
import re

import cuda_sim
import numpy as np
import pytest

core = pytest.importorskip("raf._core")
if not core.has_compiler:
    pytest.skip("raf-gpu-to-sim needs the compiler; this build has only the runtime", allow_module_level=True)


def compile_image(body: str, check: str | None = None) -> bytes:
    options = f"{{check={check}}}" if check else ""
    ((kind, image),) = core.compile_images(f"gpu.module @kernels {{\n{body}\n}}", json.dumps({"pipeline": f"builtin.module(raf-gpu-to-sim{options})"}))
    assert kind == "sim"
    return image


ROW_SUM = """
gpu.func @row_sum(%x: memref<3x100xf32>, %y: memref<3xf32>) workgroup(%w: memref<64xf32, #gpu.address_space<workgroup>>) kernel attributes {known_block_size = array<i32: 64, 1, 1>} {
  %row = gpu.block_id x
  %tid = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %n = arith.constant 100 : index
  %zero = arith.constant 0.0 : f32
  %partial = scf.for %i = %tid to %n step %c64 iter_args(%sum = %zero) -> f32 {
    %v = memref.load %x[%row, %i] : memref<3x100xf32>
    %next = arith.addf %sum, %v : f32
    scf.yield %next : f32
  }
  memref.store %partial, %w[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
  gpu.barrier
  scf.while (%step = %c32) : (index) -> index {
    %go = arith.cmpi ugt, %step, %c0 : index
    scf.condition(%go) %step : index
  } do {
  ^bb0(%step: index):
    %mine = arith.cmpi ult, %tid, %step : index
    scf.if %mine {
      %other = arith.addi %tid, %step : index
      %a = memref.load %w[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
      %b = memref.load %w[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      %s = arith.addf %a, %b : f32
      memref.store %s, %w[%tid] : memref<64xf32, #gpu.address_space<workgroup>>
    }
    gpu.barrier
    %half = arith.divui %step, %c2 : index
    scf.yield %half : index
  }
  %first = arith.cmpi eq, %tid, %c0 : index
  scf.if %first {
    %s = memref.load %w[%c0] : memref<64xf32, #gpu.address_space<workgroup>>
    memref.store %s, %y[%row] : memref<3xf32>
  }
  gpu.return
}
"""


def row_sum(device, text, rows=3):
    module = device.load(compile_image(text))
    x = np.arange(300, dtype=np.float32).reshape(3, 100)
    a, b = device.upload(x), device.alloc(12)
    device.launch(module, "row_sum", (rows,), (64,), [a, b])
    return x.sum(1), device.download(b, 3)


def test_shared_memory_and_barriers(device):
    expected, got = row_sum(device, ROW_SUM)
    assert (expected == got).all()


def mutant(device, pattern: str, replacement: str, report: str, count=1, rows=3):
    text, changes = re.subn(pattern, replacement, ROW_SUM, count=count)
    assert changes
    with pytest.raises(cuda_sim.DriverError):
        row_sum(device, text, rows)
    assert re.search(report, device.report), device.report


def test_mutant_bound(device):
    mutant(device, r"arith.constant 100 : index", "arith.constant 101 : index", r"out of bounds: kernel 'row_sum', memref.load at module:\d+:\d+, block .*: index 100 of a dimension of size 100")


def test_mutant_barrier(device):
    mutant(device, r"    gpu.barrier\n", "", r"race: kernel 'row_sum', memref.* of shared memory; the .* has no barrier between it and this one")


def test_mutant_divergent_barrier(device):
    mutant(
        device,
        r"    \}\n    gpu.barrier\n",
        "      gpu.barrier\n    }\n",
        r"divergent barrier: kernel 'row_sum', gpu.barrier at module:\d+:\d+, block .*: waits for thread",
    )


def test_mutant_grid(device):
    mutant(device, r"row_sum", "row_sum", r"out of bounds: .*index 3 of a dimension of size 3", rows=4)


def test_mutant_store_of_every_thread(device):
    mutant(device, r"cmpi eq, %tid, %c0", "cmpi uge, %tid, %c0", r"race: kernel 'row_sum', memref.store.* the store by thread \(\d+, 0, 0\) of the block")


def test_mutant_missing_store(device):
    mutant(device, r"  memref.store %partial.*\n", "", r"uninitialized read: kernel 'row_sum', memref.load at module:\d+:\d+")


@pytest.mark.parametrize("dtype", ["f32", "f64", "f16", "bf16", "i8", "i32", "i64"])
@pytest.mark.parametrize("check", [None, "none"])
def test_types(device, dtype, check):
    import ml_dtypes

    kind = {"bf16": ml_dtypes.bfloat16}.get(dtype) or np.dtype({"f": "float", "i": "int"}[dtype[0]] + dtype[1:])
    add = "arith.addi" if dtype.startswith("i") else "arith.addf"
    module = device.load(
        compile_image(
            f"""
gpu.func @add(%x: memref<7x5x{dtype}>, %y: memref<7x5x{dtype}>, %s: {"i32" if dtype[0] == "i" else "f32"}) kernel {{
  %i = gpu.thread_id y
  %j = gpu.thread_id x
  %v = memref.load %x[%i, %j] : memref<7x5x{dtype}>
  %r = {add} %v, %v : {dtype}
  memref.store %r, %y[%i, %j] : memref<7x5x{dtype}>
  gpu.return
}}""",
            check,
        )
    )
    x = (np.arange(35).reshape(7, 5) - 10).astype(kind)
    a, b = device.upload(x.view(np.uint8)), device.alloc(x.nbytes)
    device.launch(module, "add", (1,), (5, 7), [a, b, np.int32(0)])
    assert (device.download(b, x.nbytes, np.uint8).view(kind).reshape(7, 5) == x + x).all()


def test_vectors_and_alignment(device):
    text = """
gpu.func @copy(%x: memref<64xf32>, %y: memref<64xf32>) kernel {
  %c4 = arith.constant 4 : index
  %tid = gpu.thread_id x
  %i = arith.muli %tid, %c4 : index
  %v = vector.load %x[%i] {alignment = 16} : memref<64xf32>, vector<4xf32>
  vector.store %v, %y[%i] {alignment = 16} : memref<64xf32>, vector<4xf32>
  gpu.return
}"""
    image = compile_image(text)
    module = device.load(image)
    x = np.arange(64, dtype=np.float32)
    a, b = device.upload(x), device.alloc(272)
    device.record_launches(True)
    device.launch(module, "copy", (1,), (16,), [a, b])
    assert (device.download(b, 64) == x).all()
    (launch,) = device.launches()
    assert (launch.loaded, launch.stored, launch.distinct_loaded, launch.distinct_stored) == (256,) * 4
    device.launch(module, "copy", (1,), (16,), [a, b + 4])
    with pytest.raises(cuda_sim.DriverError):
        device.synchronize()
    assert "misaligned: kernel 'copy', vector.store at module:" in device.report
    assert "not a multiple of 16" in device.report


def test_vector_beyond_the_end(device):
    module = device.load(
        compile_image("""
gpu.func @k(%x: memref<30xf32>) kernel {
  %c28 = arith.constant 28 : index
  %v = vector.load %x[%c28] : memref<30xf32>, vector<4xf32>
  vector.store %v, %x[%c28] : memref<30xf32>, vector<4xf32>
  gpu.return
}""")
    )
    device.launch(module, "k", (1,), (1,), [device.upload(np.zeros(30, np.float32))])
    with pytest.raises(cuda_sim.DriverError):
        device.synchronize()
    assert "index 31 of a dimension of size 30" in device.report


@pytest.mark.parametrize("dtype, kind", [("f32", np.float32), ("f64", np.float64), ("i32", np.int32), ("f16", np.float16)])
def test_shuffles_of_all_sizes(device, dtype, kind):
    module = device.load(
        compile_image(f"""
gpu.func @k(%x: memref<32x{dtype}>) kernel {{
  %tid = gpu.thread_id x
  %three = arith.constant 3 : i32
  %width = arith.constant 32 : i32
  %v = memref.load %x[%tid] : memref<32x{dtype}>
  %r, %valid = gpu.shuffle down %v, %three, %width : {dtype}
  scf.if %valid {{
    memref.store %r, %x[%tid] : memref<32x{dtype}>
  }}
  gpu.return
}}""")
    )
    x = np.arange(32).astype(kind)
    a = device.upload(x)
    device.launch(module, "k", (1,), (32,), [a])
    assert (device.download(a, 32, kind) == np.concatenate([x[3:], x[29:]])).all()


def test_reductions_of_warps(device):
    module = device.load(
        compile_image("""
gpu.func @k(%x: memref<96xf32>, %warps: memref<96xf32>) kernel {
  %tid = gpu.thread_id x
  %v = memref.load %x[%tid] : memref<96xf32>
  %w = gpu.subgroup_reduce maximumf %v : (f32) -> f32
  memref.store %w, %warps[%tid] : memref<96xf32>
  gpu.return
}""")
    )
    x = np.random.default_rng(0).integers(0, 100, 96).astype(np.float32)
    a, w = device.upload(x), device.alloc(384)
    device.launch(module, "k", (1,), (96,), [a, w])
    assert (device.download(w, (3, 32)) == x.reshape(3, 32).max(1, keepdims=True)).all()


def test_atomics_views_maths_and_private_memory(device):
    module = device.load(
        compile_image("""
gpu.func @k(%x: memref<4x8xf32>, %sum: memref<1xf32>) private(%p: memref<2xf32, #gpu.address_space<private>>) kernel {
  %tid = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %flat = memref.collapse_shape %x [[0, 1]] : memref<4x8xf32> into memref<32xf32>
  %v = memref.load %flat[%tid] : memref<32xf32>
  %e = math.exp %v : f32
  %t = math.tanh %e : f32
  memref.store %t, %p[%c0] : memref<2xf32, #gpu.address_space<private>>
  %r = memref.load %p[%c0] : memref<2xf32, #gpu.address_space<private>>
  memref.store %r, %flat[%tid] : memref<32xf32>
  %old = memref.atomic_rmw addf %v, %sum[%c0] : (f32, memref<1xf32>) -> f32
  gpu.return
}""")
    )
    x = np.linspace(-4, 4, 32, dtype=np.float32)
    a, s = device.upload(x), device.upload(np.zeros(1, np.float32))
    device.launch(module, "k", (1,), (32,), [a, s])
    np.testing.assert_allclose(device.download(a, 32), np.tanh(np.exp(x)), rtol=1e-6)
    np.testing.assert_allclose(device.download(s, 1), x.sum(), atol=1e-5)


TENSOR_CORE = """
gpu.func @mm(%a: memref<16x16xf16>, %b: memref<16x8xf16>, %c: memref<16x8xf32>) workgroup(%s: memref<16x16xf16, #gpu.address_space<workgroup>>)
    kernel attributes {known_block_size = array<i32: 32, 1, 1>} {
  %lane = gpu.thread_id x
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %row = arith.divui %lane, %c2 : index
  %odd = arith.remui %lane, %c2 : index
  %column = arith.muli %odd, %c8 : index
  %copy = nvgpu.device_async_copy %a[%row, %column], %s[%row, %column], 8 : memref<16x16xf16> to memref<16x16xf16, #gpu.address_space<workgroup>>
  %group = nvgpu.device_async_create_group %copy
  nvgpu.device_async_wait %group
  gpu.barrier
  %r = arith.remui %lane, %c16 : index
  %half = arith.divui %lane, %c16 : index
  %q = arith.muli %half, %c8 : index
  %fa = nvgpu.ldmatrix %s[%r, %q] {numTiles = 4 : i32, transpose = false} : memref<16x16xf16, #gpu.address_space<workgroup>> -> vector<4x2xf16>
  %g = arith.divui %lane, %c4 : index
  %t = arith.remui %lane, %c4 : index
  %k0 = arith.muli %t, %c2 : index
  %k1 = arith.addi %k0, %c1 : index
  %k8 = arith.addi %k0, %c8 : index
  %k9 = arith.addi %k1, %c8 : index
  %b0 = memref.load %b[%k0, %g] : memref<16x8xf16>
  %b1 = memref.load %b[%k1, %g] : memref<16x8xf16>
  %b8 = memref.load %b[%k8, %g] : memref<16x8xf16>
  %b9 = memref.load %b[%k9, %g] : memref<16x8xf16>
  %fb = vector.from_elements %b0, %b1, %b8, %b9 : vector<2x2xf16>
  %zero = arith.constant dense<0.0> : vector<2x2xf32>
  %fc = nvgpu.mma.sync (%fa, %fb, %zero) {mmaShape = [16, 8, 16]} : (vector<4x2xf16>, vector<2x2xf16>, vector<2x2xf32>) -> vector<2x2xf32>
  %g8 = arith.addi %g, %c8 : index
  %low = vector.extract %fc[0] : vector<2xf32> from vector<2x2xf32>
  %high = vector.extract %fc[1] : vector<2xf32> from vector<2x2xf32>
  vector.store %low, %c[%g, %k0] : memref<16x8xf32>, vector<2xf32>
  vector.store %high, %c[%g8, %k0] : memref<16x8xf32>, vector<2xf32>
  gpu.return
}
"""


def tensor_core(device, text):
    module = device.load(compile_image(text))
    rng = np.random.default_rng(1)
    x, y = rng.standard_normal((16, 16)).astype(np.float16), rng.standard_normal((16, 8)).astype(np.float16)
    a, b, c = device.upload(x), device.upload(y), device.alloc(512)
    device.launch(module, "mm", (1,), (32,), [a, b, c])
    return x.astype(np.float32) @ y.astype(np.float32), device.download(c, (16, 8))


def test_tensor_cores_and_asynchronous_copies(device):
    expected, got = tensor_core(device, TENSOR_CORE)
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-5)


@pytest.mark.parametrize(
    "line, report",
    [
        ("  nvgpu.device_async_wait %group\n", r"uninitialized read: kernel 'mm', nvgpu.ldmatrix at module"),
        ("  gpu.barrier\n", r"(race|uninitialized read): kernel 'mm', nvgpu.ldmatrix at module"),
    ],
)
def test_mutants_of_tensor_cores(device, line, report):
    assert line in TENSOR_CORE
    with pytest.raises(cuda_sim.DriverError):
        tensor_core(device, TENSOR_CORE.replace(line, ""))
    assert re.search(report, device.report), device.report


def test_rows_past_the_end_leave_others_alone(device):
    """Five rows, eight in a block: the threads of the last three must not read what the fifth row's threads overwrite."""
    source = """
#rc = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
func.func @main(%x: memref<5x100xf32>) {
  raf.launch @shift outs(%x : memref<5x100xf32>)
  return
}
func.func private @shift(%x: tensor<5x100xf32>) -> tensor<5x100xf32> attributes {raf.kernel} {
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%low : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %m = linalg.generic {indexing_maps = [#rc, #r], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<5x100xf32>) outs(%f : tensor<5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.maximumf %a, %o : f32
    linalg.yield %1 : f32
  } -> tensor<5xf32>
  %y = linalg.generic {indexing_maps = [#r, #rc], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<5xf32>) outs(%x : tensor<5x100xf32>) {
  ^bb0(%a: f32, %o: f32):
    %1 = arith.subf %o, %a : f32
    linalg.yield %1 : f32
  } -> tensor<5x100xf32>
  return %y : tensor<5x100xf32>
}
"""
    mapped = core.run_pipeline(source, "builtin.module(raf-map-to-gpu)")
    block, grid = (int(re.search(rf"known_{size}_size = array<i32: (\d+)", mapped)[1]) for size in ("block", "grid"))
    ((_, image),) = core.compile_images(mapped, json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    x = np.random.default_rng(2).standard_normal((5, 100)).astype(np.float32)
    a = device.upload(x)
    device.launch(device.load(image), "shift", (grid,), (block,), [a])
    assert (device.download(a, (5, 100)) == x - x.max(1, keepdims=True)).all()
