# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Generated matrix products on the simulated tensor cores: their results, and that mutants of them are caught."""

from __future__ import annotations

import ctypes
import json
import re

import cuda_sim
import ml_dtypes
import numpy as np
import pytest

core = pytest.importorskip("raf._core")
if not core.has_compiler:
    pytest.skip("raf-map-to-gpu needs the compiler; this build has only the runtime", allow_module_level=True)

DTYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f16": np.dtype(np.float16), "f32": np.dtype(np.float32)}


def launch(device, mapped, arrays, bytes_):
    """Runs the kernel `product` on the arrays and a result of so many bytes, whose address it gives."""
    block, grid = (int(re.search(rf"known_{size}_size = array<i32: (\d+)", mapped)[1]) for size in ("block", "grid"))
    shared = int(found[1]) if (found := re.search(r"dynamic_shared_memory_size %c(\d+)_i32", mapped)) else 0
    ((_, image),) = core.compile_images(mapped, json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    places, out, module = [device.upload(array.view(np.uint8)) for array in arrays], device.alloc(bytes_), device.load(image)
    if shared:
        MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
        function = device.create("cuModuleGetFunction", ctypes.c_void_p(module), b"product")
        device.call("cuFuncSetAttribute", ctypes.c_void_p(function), MAX_DYNAMIC_SHARED_SIZE_BYTES, shared)
    device.launch(module, "product", (grid,), (block,), [*places, out], shared=shared)
    return out


class Product:
    """A kernel y = act(a b + bias) + residual, or the sums alone. `a` and `b` may lie transposed; `swapped`: the result does."""

    def __init__(self, dtype, batch, rows, columns, depth, ta=False, tb=False, epilogue=False, swapped=False, tf32=False, wgmma=False):
        self.dtype, self.shapes = dtype, {"a": (batch, depth, rows) if ta else (batch, rows, depth), "b": (batch, columns, depth) if tb else (batch, depth, columns)}
        self.ta, self.tb, self.swapped, self.epilogue = ta, tb, swapped, epilogue
        self.result = (batch, columns, rows) if swapped else (batch, rows, columns)
        maps = ["(b, k, m)" if ta else "(b, m, k)", "(b, n, k)" if tb else "(b, k, n)", "(b, n, m)" if swapped else "(b, m, n)"]
        if epilogue:
            self.shapes |= {"bias": (self.result[2],), "residual": self.result}
        types = {name: "x".join(map(str, shape)) + f"x{dtype}" for name, shape in self.shapes.items()}
        types["y"], sums = "x".join(map(str, self.result)) + f"x{dtype if epilogue else 'f32'}", "x".join(map(str, self.result)) + "xf32"
        inputs = ", ".join(f"%{name}" for name in types if name != "y")

        def kind(form):
            return ", ".join(f"{form}<{types[name]}>" for name in types if name != "y")

        def widened(*names):
            return "".join(f"    %{n}w = arith.extf %{n} : {dtype} to f32\n" if dtype != "f32" else f"    %{n}w = arith.addf %{n}, %zero : f32\n" for n in names)

        factors = ("%pw", "%qw") if dtype != "f32" else ("%p", "%q")
        narrow = f"    %r = arith.truncf %t : f32 to {dtype}\n    linalg.yield %r : {dtype}" if dtype != "f32" else "    linalg.yield %t : f32"
        finish = f"""
  %y1 = linalg.generic {{indexing_maps = [#id, #last, #id, #id], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%s, %bias, %residual : tensor<{sums}>, tensor<{types.get("bias")}>, tensor<{types.get("residual")}>) outs(%y : tensor<{types["y"]}>) {{
  ^bb0(%v: f32, %p: {dtype}, %q: {dtype}, %o: {dtype}):
{widened("p", "q")}    %1 = arith.addf %v, %pw : f32
    %2 = arith.maximumf %1, %zero : f32
    %t = arith.addf %2, %qw : f32
{narrow}
  }} -> tensor<{types["y"]}>
  return %y1 : tensor<{types["y"]}>"""
        source = f"""
#id = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last = affine_map<(d0, d1, d2) -> (d2)>
func.func @main({", ".join(f"%{n}: memref<{t}>" for n, t in types.items())}) {{
  raf.launch @product ins({inputs} : {kind("memref")}) outs(%y : memref<{types["y"]}>)
  return
}}
func.func private @product({", ".join(f"%{n}: tensor<{t}>" for n, t in types.items())}) -> tensor<{types["y"]}> attributes {{raf.kernel}} {{
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<{sums}>
  %f = linalg.fill ins(%zero : f32) outs({"%e" if epilogue else "%y"} : tensor<{sums}>) -> tensor<{sums}>
  %s = linalg.generic {{indexing_maps = [{", ".join(f"affine_map<(b, m, n, k) -> {m}>" for m in maps)}], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}}
      ins(%a, %b : tensor<{types["a"]}>, tensor<{types["b"]}>) outs(%f : tensor<{sums}>) {{
  ^bb0(%p: {dtype}, %q: {dtype}, %o: f32):
{widened("p", "q") if dtype != "f32" else ""}    %1 = arith.mulf {factors[0]}, {factors[1]} : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<{sums}>{finish if epilogue else chr(10) + f"  return %s : tensor<{sums}>"}
}}
"""
        self.mapped = core.run_pipeline(source, f"builtin.module(raf-map-to-gpu{{tf32={str(tf32).lower()} wgmma={str(wgmma).lower()}}},canonicalize,cse)")

    def run(self, device, mapped=None):
        """What is expected, and what comes out."""
        mapped = mapped or self.mapped
        rng = np.random.default_rng(5)
        given = {name: rng.standard_normal(shape).astype(DTYPES[self.dtype]) for name, shape in self.shapes.items()}
        wide = {name: array.astype(np.float64) for name, array in given.items()}
        a, b = (np.swapaxes(wide[n], 1, 2) if transposed else wide[n] for n, transposed in (("a", self.ta), ("b", self.tb)))
        expected = a @ b
        expected = np.swapaxes(expected, 1, 2) if self.swapped else expected
        if self.epilogue:
            expected = np.maximum(expected + wide["bias"], 0) + wide["residual"]
        kind = DTYPES[self.dtype if self.epilogue else "f32"]
        bytes_ = int(np.prod(self.result)) * kind.itemsize
        out = launch(device, mapped, given.values(), bytes_)
        return expected, device.download(out, bytes_, np.uint8).view(kind).reshape(self.result).astype(np.float64)


#: Relative to the largest value: what sums of f32 lose, or a result of 8 or 11 bits; operands of TF32 have 11 bits.
TOLERANCE = {"bf16": 8e-3, "f16": 1e-3, "f32": 2e-6, "tf32": 2e-3}


def check(device, product, tolerance):
    expected, got = product.run(device)
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance * np.abs(expected).max())


@pytest.mark.parametrize("ta, tb", [(False, False), (False, True), (True, False), (True, True)], ids=["nn", "nt", "tn", "tt"])
@pytest.mark.parametrize(
    "dtype, batch, rows, columns, depth",
    [
        ("bf16", 1, 64, 64, 96),  # whole tiles
        ("bf16", 1, 72, 40, 24),  # chunks of 16 bytes, with ends of everything
        ("f16", 1, 68, 36, 44),  # 8 bytes
        ("bf16", 1, 66, 34, 50),  # 4 bytes
        ("f16", 1, 65, 33, 49),  # single elements
        ("f16", 2, 33, 31, 32),  # nothing lies behind the last one
        ("bf16", 1, 40, 33, 136),  # one operand copied, one through registers
        ("bf16", 3, 17, 130, 16),
    ],
)
def test_sums(device, dtype, batch, rows, columns, depth, ta, tb):
    product = Product(dtype, batch, rows, columns, depth, ta, tb)
    assert product.mapped.count("nvgpu.mma.sync") >= 2
    check(device, product, TOLERANCE["f32"])


@pytest.mark.parametrize("dtype, rows, columns, depth", [("bf16", 72, 40, 32), ("bf16", 33, 35, 37), ("f16", 64, 96, 16), ("f32", 40, 33, 20)])
@pytest.mark.parametrize("swapped", [False, True], ids=["", "swapped"])
def test_epilogues(device, dtype, rows, columns, depth, swapped):
    check(device, Product(dtype, 2, rows, columns, depth, tb=True, epilogue=True, swapped=swapped), TOLERANCE[dtype])


def test_large_tiles(device):
    """128 x 128 results a block, once there are blocks enough."""
    product = Product("bf16", 128, 65, 66, 40)
    assert "known_block_size = array<i32: 256, 1, 1>" in product.mapped
    check(device, product, TOLERANCE["f32"])


@pytest.mark.parametrize("ta, tb", [(False, False), (True, True)], ids=["nn", "tt"])
@pytest.mark.parametrize("rows, columns, depth", [(64, 64, 32), (41, 33, 19)])
def test_tf32(device, rows, columns, depth, ta, tb):
    product = Product("f32", 1, rows, columns, depth, ta, tb, tf32=True)
    assert "tf32Enabled" in product.mapped and "nvgpu" not in Product("f32", 1, rows, columns, depth, ta, tb).mapped
    check(device, product, TOLERANCE["tf32"])


@pytest.mark.parametrize(
    "pattern, replacement, report",
    [
        (r" *nvvm.cp.async.wait.group [^\n]*\n", "", r"uninitialized read: kernel 'product', nvgpu.ldmatrix"),
        (r"wait.group 1", "wait.group 2", r"uninitialized read: kernel 'product', nvgpu.ldmatrix"),
        (r" *gpu.barrier[^\n]*\n", "", r"(race|uninitialized read): kernel 'product'"),
        (r" *nvvm.bar.warp.sync [^\n]*\n", "", r"(race|uninitialized read): kernel 'product'"),
    ],
    ids=["no wait", "too short a wait", "no barrier", "no barrier of the warp"],
)
def test_mutants(device, pattern, replacement, report):
    product = Product("bf16", 1, 64, 64, 160, epilogue=True)
    mutant, changes = re.subn(pattern, replacement, product.mapped, count=1)
    assert changes
    with pytest.raises(cuda_sim.DriverError):
        product.run(device, mutant)
    assert re.search(report, device.report), device.report


# ---- instructions of warpgroups ----


@pytest.mark.parametrize(
    "dtype, batch, rows, columns, depth, ta, tb",
    [("bf16", 1, 64, 64, 96, ta, tb) for ta in (False, True) for tb in (False, True)]  # whole tiles
    + [("f16", 2, 72, 40, 24, ta, tb) for ta in (False, True) for tb in (False, True)]  # ends of everything
    + [("f16", 1, 65, 33, 77, ta, tb) for ta in (False, True) for tb in (False, True)]  # single elements, through registers
    + [
        ("bf16", 1, 40, 33, 200, False, False),  # one operand copied, one through registers
        ("bf16", 1, 65, 33, 328, False, True),  # any number of rows where they lie along the depth; more steps than slots
        ("bf16", 1, 72, 40, 49, True, False),  # any depth where neither does
        ("f16", 3, 17, 136, 16, False, False),
        ("f16", 1, 68, 36, 44, False, True),  # copies of 8 bytes
        ("bf16", 1, 66, 34, 50, True, False),  # of 4
        ("bf16", 1, 33, 50, 70, False, False),  # of 4 and 16
    ],
)
def test_warpgroups(device, dtype, batch, rows, columns, depth, ta, tb):
    product = Product(dtype, batch, rows, columns, depth, ta, tb, wgmma=True)
    assert product.mapped.count("nvvm.wgmma.mma_async") == 4 and "mma.sync" not in product.mapped
    check(device, product, TOLERANCE["f32"])


@pytest.mark.parametrize("dtype, rows, columns, depth, swapped", [("bf16", 72, 40, 32, True), ("f16", 33, 35, 40, False), ("f32", 40, 33, 20, False)])
def test_epilogues_of_warpgroups(device, dtype, rows, columns, depth, swapped):
    product = Product(dtype, 2, rows, columns, depth, tb=True, epilogue=True, swapped=swapped, tf32=True, wgmma=True)
    assert "nvvm.wgmma.mma_async" in product.mapped
    check(device, product, TOLERANCE["tf32" if dtype == "f32" else dtype])


def test_large_tiles_of_warpgroups(device):
    """128 x 128 results a block, of which a warpgroup has 64 x 128."""
    product = Product("bf16", 128, 65, 72, 40, wgmma=True)
    assert "known_block_size = array<i32: 256, 1, 1>" in product.mapped and "n = 128" in product.mapped
    check(device, product, TOLERANCE["f32"])


@pytest.mark.parametrize("ta, tb", [(False, False), (True, True), (True, False)], ids=["nn", "tt", "tn"])
def test_tf32_of_warpgroups(device, ta, tb):
    """Operands that do not lie along the depth are turned on their way into shared memory."""
    product = Product("f32", 1, 41, 33, 70, ta, tb, tf32=True, wgmma=True)
    assert "nvvm.wgmma.mma_async" in product.mapped
    check(device, product, TOLERANCE["tf32"])


def test_convolution_of_warpgroups(device):
    """Channels last: the window moves along with the rows of the product, and its depth is three loops."""
    source = """
func.func @main(%x: memref<2x10x9x16xbf16>, %w: memref<40x3x3x16xbf16>, %y: memref<2x8x7x40xf32>) {
  raf.launch @product ins(%x, %w : memref<2x10x9x16xbf16>, memref<40x3x3x16xbf16>) outs(%y : memref<2x8x7x40xf32>)
  return
}
func.func private @product(%x: tensor<2x10x9x16xbf16>, %w: tensor<40x3x3x16xbf16>, %y: tensor<2x8x7x40xf32>) -> tensor<2x8x7x40xf32> attributes {raf.kernel} {
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%y : tensor<2x8x7x40xf32>) -> tensor<2x8x7x40xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, r, s, c) -> (n, h + r, w + s, c)>, affine_map<(n, h, w, f, r, s, c) -> (f, r, s, c)>,
                                        affine_map<(n, h, w, f, r, s, c) -> (n, h, w, f)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x10x9x16xbf16>, tensor<40x3x3x16xbf16>) outs(%f : tensor<2x8x7x40xf32>) {
  ^bb0(%p: bf16, %q: bf16, %o: f32):
    %pw = arith.extf %p : bf16 to f32
    %qw = arith.extf %q : bf16 to f32
    %1 = arith.mulf %pw, %qw : f32
    %2 = arith.addf %o, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x8x7x40xf32>
  return %s : tensor<2x8x7x40xf32>
}
"""
    mapped = core.run_pipeline(source, "builtin.module(raf-map-to-gpu{wgmma=true},canonicalize,cse)")
    assert "nvvm.wgmma.mma_async" in mapped
    rng = np.random.default_rng(1)
    x, w = (rng.standard_normal(shape).astype(DTYPES["bf16"]) for shape in ((2, 10, 9, 16), (40, 3, 3, 16)))
    windows = np.lib.stride_tricks.sliding_window_view(x.astype(np.float64), (3, 3), axis=(1, 2))
    expected = np.einsum("nhwcrs,frsc->nhwf", windows, w.astype(np.float64))
    got = device.download(launch(device, mapped, (x, w), expected.size * 4), expected.size, np.float32).reshape(expected.shape)
    np.testing.assert_allclose(got, expected, rtol=0, atol=2e-6 * np.abs(expected).max())


FAULTS = {
    "no fence of registers": (r" *nvvm.wgmma.fence.aligned[^\n]*\n", "", r"wgmma: kernel 'product', nvvm.wgmma.mma_async.*: its registers were used since the last wgmma.fence"),
    "no fence of memory": (r" *nvvm.fence.proxy[^\n]*\n", "", r"wgmma: kernel 'product', nvvm.wgmma.mma_async.* without fence.proxy.async"),
    "no wait in the loop": (r" *nvvm.wgmma.wait.group[^\n]*\n", "", r"race: .*, which a wgmma.mma_async under way reads"),
    "too short a wait": (r"wgmma.wait.group.sync.aligned 0", "wgmma.wait.group.sync.aligned 1", r"race: .*, which a wgmma.mma_async under way reads"),
    "no wait before the sums": (r"(?s)(wgmma.wait.group.*?\n.*?) *nvvm.wgmma.wait.group[^\n]*\n", r"\1", r"registers of a wgmma.mma_async under way are used before wgmma.wait_group"),
    "no commit": (r" *nvvm.wgmma.commit.group[^\n]*\n", "", r"race: .*, which a wgmma.mma_async under way reads"),
    "no wait for copies": (r" *nvvm.cp.async.wait.group [^\n]*\n", "", r"uninitialized read: kernel 'product', nvvm.wgmma.mma_async"),
    "no barrier": (r" *gpu.barrier[^\n]*\n", "", r"(race|uninitialized read): kernel 'product'"),
    "descriptors that differ": (r"(arith.divui %thread_id_x, %c)128\b", r"\g<1>64", r"descriptors differ within the warp|out of allocation"),
}


@pytest.mark.parametrize("pattern, replacement, report", FAULTS.values(), ids=FAULTS)
def test_mutants_of_warpgroups(device, pattern, replacement, report):
    product = Product("bf16", 1, 64, 64, 328, epilogue=True, wgmma=True)
    mutant, changes = re.subn(pattern, replacement, product.mapped, count=1)
    assert changes
    with pytest.raises(cuda_sim.DriverError):
        product.run(device, mutant)
    assert re.search(report, device.report), device.report


def test_matrices_begin_with_the_pattern(device):
    """Shared memory need not: without the step to its next multiple, chunks are not where the swizzle has them."""
    product = Product("bf16", 1, 64, 64, 96, wgmma=True)
    mutant, changes = re.subn(r"arith.andi (%\w+), %c1023\b", r"arith.andi \1, %c0", product.mapped, count=1)
    assert changes
    expected, got = product.run(device, mutant)
    assert not np.allclose(got, expected, rtol=0.1, atol=0.1)


def descriptor(stride, swizzle):
    """The upper half."""
    return swizzle << 62 | stride // 16 << 32


@pytest.mark.parametrize("stride, swizzle", [(2048, 1), (512, 1), (1024, 0), (1024, 2)], ids=["stride of 16 rows", "stride of 4 rows", "no swizzle", "swizzle of 64 bytes"])
def test_wrong_descriptors(device, stride, swizzle):
    """They are reported where they lead to what nobody has written, or the result is wrong."""
    product = Product("bf16", 1, 64, 64, 320, tb=True, wgmma=True)
    right, wrong = descriptor(1024, 1), descriptor(stride, swizzle)
    assert str(right) in product.mapped
    mutant = product.mapped.replace(str(right), str(wrong - (1 << 64) if wrong >> 63 else wrong))
    try:
        expected, got = product.run(device, mutant)
    except cuda_sim.DriverError:
        assert re.search(r"(uninitialized read|out of allocation|wgmma|race): kernel 'product', nvvm.wgmma.mma_async", device.report), device.report
    else:
        assert not np.allclose(got, expected, rtol=0.1, atol=0.1)
