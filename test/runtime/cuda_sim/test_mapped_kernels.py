# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that raf-map-to-gpu spreads over blocks and threads, run on the simulated GPU with every access checked, against the same kernels compiled for the CPU."""

from __future__ import annotations

import json
import re

import cuda_sim  # noqa: F401
import numpy as np
import pytest

core = pytest.importorskip("raf._core")
if not core.has_compiler:
    pytest.skip("raf-map-to-gpu needs the compiler; this build has only the runtime", allow_module_level=True)

DTYPES = {"f32": np.float32, "i64": np.int64, "i8": np.int8}
MAPS = """
#id = affine_map<(d0) -> (d0)>
#rc = affine_map<(d0, d1) -> (d0, d1)>
#cr = affine_map<(d0, d1) -> (d1, d0)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#none = affine_map<(d0, d1) -> ()>
"""


def generic(result, maps, iterators, ins, outs, arguments, body):
    """A linalg.generic of f32; `ins` and `outs` are pairs of a value and its type."""
    kinds = ", ".join(f'"{ {"p": "parallel", "r": "reduction"}[i]}"' for i in iterators)
    names, types = ", ".join(v for v, _ in ins), ", ".join(t for _, t in ins)
    inits, init_types = ", ".join(v for v, _ in outs), ", ".join(t for _, t in outs)
    inputs = f"ins({names} : {types})" if ins else ""
    count = f":{len(outs)}" if len(outs) > 1 else ""
    returned = f"({init_types})" if len(outs) > 1 else init_types
    return f"""%{result}{count} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {inputs} outs({inits} : {init_types}) {{
  ^bb0({arguments}):
    {body}
  }} -> {returned}"""


def kernel(types, results, body):
    """@main, which launches @k on its arguments, and @k. The last `results` arguments are destinations."""
    memrefs = [f"memref<{t}>" for t in types]
    tensors = [f"tensor<{t}>" for t in types]
    split = len(types) - results
    names = [f"%a{i}" for i in range(len(types))]
    ins = f"ins({', '.join(names[:split])} : {', '.join(memrefs[:split])})" if split else ""
    return f"""{MAPS}
func.func @main({", ".join(f"{n}: {t}" for n, t in zip(names, memrefs))}) {{
  raf.launch @k {ins} outs({", ".join(names[split:])} : {", ".join(memrefs[split:])})
  return
}}
func.func private @k({", ".join(f"{n}: {t}" for n, t in zip(names, tensors))}) -> ({", ".join(tensors[split:])}) attributes {{raf.kernel}} {{
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  {body}
}}
"""


def simulate(device, module, arrays):
    """The arrays after the launches of @main."""
    mapped = core.run_pipeline(module, "builtin.module(raf-map-to-gpu,canonicalize,cse)")
    start = mapped.index("gpu.module @raf_kernels")
    maps = "\n".join(line for line in mapped.splitlines() if line.startswith("#"))
    kernels = f"{maps}\nmodule attributes {{gpu.container_module}} {{\n{mapped[start : mapped.rindex('}')]}\n}}"
    ((_, image),) = core.compile_images(kernels, json.dumps({"pipeline": "builtin.module(raf-gpu-to-sim)"}))
    loaded = device.load(image)
    addresses = [device.upload(a) for a in arrays]
    constants = {name: int(value) for name, value in re.findall(r"(%\w+) = arith.constant (\d+) : index", mapped[:start])}
    launches = re.findall(r"@raf_kernels::@(\w+) blocks in \(([^)]*)\) threads in \(([^)]*)\)\s+args\(([^)]*)\)", mapped[:start])
    assert launches
    for name, blocks, threads, arguments in launches:
        grid, block = ([constants[c] for c in dims.split(", ")] for dims in (blocks, threads))
        device.launch(loaded, name, grid, block, [addresses[int(i)] for i in re.findall(r"%arg(\d+) :", arguments)])
    device.synchronize()
    return [device.download(address, a.shape, a.dtype) for address, a in zip(addresses, arrays)]


def check(device, types, results, body, reference, seed=0):
    rng = np.random.default_rng(seed)
    arrays = []
    for text in types:
        *dims, element = text.split("x")
        shape = tuple(int(d) for d in dims)
        values = rng.standard_normal(shape) if element == "f32" else rng.integers(0, 2, shape)
        arrays.append(np.ascontiguousarray(values, DTYPES[element]))
    expected = reference(*[a.copy() for a in arrays])
    got = simulate(device, kernel(types, results, body), arrays)[len(types) - results :]
    for want, have in zip(expected, got, strict=True):
        np.testing.assert_allclose(have, want, rtol=2e-5, atol=2e-5)


@pytest.mark.parametrize("size", [1, 7, 64, 1000, 4096])
def test_elementwise(device, size):
    body = generic("0", "#id, #id, #id", "p", [("%a0", f"tensor<{size}xf32>"), ("%a1", f"tensor<{size}xi8>")], [("%a2", f"tensor<{size}xf32>")], "%x: f32, %m: i8, %o: f32",
                   "%t = math.tanh %x : f32\n%b = arith.trunci %m : i8 to i1\n%s = arith.select %b, %t, %o : f32\nlinalg.yield %s : f32")
    body += f"\nreturn %0 : tensor<{size}xf32>"
    check(device, [f"{size}xf32", f"{size}xi8", f"{size}xf32"], 1, body, lambda x, m, o: [np.where(m != 0, np.tanh(x), o)])


@pytest.mark.parametrize("shape", [(3, 5), (64, 256), (33, 20)])
def test_broadcast_and_transpose(device, shape):
    n, m = shape
    body = generic("0", "#cr, #c, #r, #rc", "pp", [("%a0", f"tensor<{m}x{n}xf32>"), ("%a1", f"tensor<{m}xf32>"), ("%a2", f"tensor<{n}xf32>")], [("%a3", f"tensor<{n}x{m}xf32>")],
                   "%x: f32, %b: f32, %c: f32, %o: f32", "%s = arith.addf %x, %b : f32\n%p = arith.mulf %s, %c : f32\nlinalg.yield %p : f32")
    body += f"\nreturn %0 : tensor<{n}x{m}xf32>"
    check(device, [f"{m}x{n}xf32", f"{m}xf32", f"{n}xf32", f"{n}x{m}xf32"], 1, body, lambda x, b, c, _: [(x.T + b) * c[:, None]])


SUMS = {"rows": ("#r", "pr", 1), "columns": ("#c", "rp", 0), "all": ("#none", "rr", None)}


@pytest.mark.parametrize("shape", [(1, 1), (3, 5), (5, 100), (64, 16), (300, 3), (2, 3000)])
@pytest.mark.parametrize("kind", SUMS)
def test_sums(device, kind, shape):
    n, m = shape
    target, iterators, axis = SUMS[kind]
    kept = {"rows": f"{n}xf32", "columns": f"{m}xf32", "all": "f32"}[kind]
    out = f"tensor<{kept}>"
    body = f"%f = linalg.fill ins(%zero : f32) outs(%a1 : {out}) -> {out}\n"
    body += generic("0", f"#rc, {target}", iterators, [("%a0", f"tensor<{n}x{m}xf32>")], [("%f", out)], "%x: f32, %o: f32", "%s = arith.addf %o, %x : f32\nlinalg.yield %s : f32")
    body += f"\nreturn %0 : {out}"
    check(device, [f"{n}x{m}xf32", kept], 1, body, lambda x, _: [x.sum(axis)])


@pytest.mark.parametrize("shape", [(1, 4), (5, 7), (6, 40), (64, 16), (2, 3000), (3, 20000)])
def test_softmax_in_place(device, shape):
    n, m = shape
    row, all_rows = f"tensor<{n}xf32>", f"tensor<{n}x{m}xf32>"
    body = f"""%e = tensor.empty() : {row}
  %t = tensor.empty() : {all_rows}
  %f = linalg.fill ins(%low : f32) outs(%e : {row}) -> {row}
  """
    body += generic("most", "#rc, #r", "pr", [("%a0", all_rows)], [("%f", row)], "%x: f32, %o: f32", "%s = arith.maximumf %x, %o : f32\nlinalg.yield %s : f32")
    body += "\n" + generic("powers", "#rc, #r, #rc", "pp", [("%a0", all_rows), ("%most", row)], [("%t", all_rows)], "%x: f32, %m0: f32, %o: f32",
                           "%s = arith.subf %x, %m0 : f32\n%p = math.exp %s : f32\nlinalg.yield %p : f32")
    body += f"\n%g = linalg.fill ins(%zero : f32) outs(%e : {row}) -> {row}\n"
    body += generic("sums", "#rc, #r", "pr", [("%powers", all_rows)], [("%g", row)], "%x: f32, %o: f32", "%s = arith.addf %x, %o : f32\nlinalg.yield %s : f32")
    body += "\n" + generic("d", "#rc, #r, #rc", "pp", [("%powers", all_rows), ("%sums", row)], [("%t", all_rows)], "%x: f32, %m0: f32, %o: f32",
                           "%s = arith.divf %x, %m0 : f32\nlinalg.yield %s : f32")
    body += f"\nreturn %d : {all_rows}"

    def softmax(x):
        powers = np.exp(x - x.max(1, keepdims=True))
        return [powers / powers.sum(1, keepdims=True)]

    check(device, [f"{n}x{m}xf32"], 1, body, softmax)


@pytest.mark.parametrize("shape", [(5, 12), (3, 100), (70, 33)])
def test_rows_in_place(device, shape):
    """The last op reads what it overwrites; threads past the last row must not."""
    n, m = shape
    row, rows = f"tensor<{n}xf32>", f"tensor<{n}x{m}xf32>"
    body = f"%e = tensor.empty() : {row}\n%f = linalg.fill ins(%zero : f32) outs(%e : {row}) -> {row}\n"
    body += generic("sums", "#rc, #r", "pr", [("%a0", rows)], [("%f", row)], "%x: f32, %o: f32", "%s = arith.addf %o, %x : f32\nlinalg.yield %s : f32")
    body += "\n" + generic("0", "#r, #rc", "pp", [("%sums", row)], [("%a0", rows)], "%s: f32, %o: f32", "%d = arith.subf %o, %s : f32\nlinalg.yield %d : f32")
    check(device, [f"{n}x{m}xf32"], 1, body + f"\nreturn %0 : {rows}", lambda x: [x - x.sum(1, keepdims=True)])


@pytest.mark.parametrize("sizes", [(3, 4, 5), (33, 40, 65), (64, 128, 32), (130, 70, 20)])
def test_product(device, sizes):
    m, n, k = sizes
    body = f"%f = linalg.fill ins(%zero : f32) outs(%a2 : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>\n"
    body += f"%0 = linalg.matmul ins(%a0, %a1 : tensor<{m}x{k}xf32>, tensor<{k}x{n}xf32>) outs(%f : tensor<{m}x{n}xf32>) -> tensor<{m}x{n}xf32>\nreturn %0 : tensor<{m}x{n}xf32>"
    check(device, [f"{m}x{k}xf32", f"{k}x{n}xf32", f"{m}x{n}xf32"], 1, body, lambda a, b, _: [a @ b])


@pytest.mark.parametrize("sizes", [(40, 36, 70), (64, 64, 16)])
def test_product_of_transposed(device, sizes):
    m, n, k = sizes
    maps = "affine_map<(i, j, k) -> (k, i)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>"
    out = f"tensor<{m}x{n}xf32>"
    body = f"%f = linalg.fill ins(%zero : f32) outs(%a2 : {out}) -> {out}\n"
    body += generic("0", maps, "ppr", [("%a0", f"tensor<{k}x{m}xf32>"), ("%a1", f"tensor<{n}x{k}xf32>")], [("%f", out)], "%x: f32, %y: f32, %o: f32",
                    "%p = arith.mulf %x, %y : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32")
    check(device, [f"{k}x{m}xf32", f"{n}x{k}xf32", f"{m}x{n}xf32"], 1, body + f"\nreturn %0 : {out}", lambda a, b, _: [a.T @ b.T])


def test_batched_product(device):
    body = "%f = linalg.fill ins(%zero : f32) outs(%a2 : tensor<3x33x64xf32>) -> tensor<3x33x64xf32>\n"
    body += "%0 = linalg.batch_matmul ins(%a0, %a1 : tensor<3x33x20xf32>, tensor<3x20x64xf32>) outs(%f : tensor<3x33x64xf32>) -> tensor<3x33x64xf32>\nreturn %0 : tensor<3x33x64xf32>"
    check(device, ["3x33x20xf32", "3x20x64xf32", "3x33x64xf32"], 1, body, lambda a, b, _: [a @ b])


def test_convolution(device):
    """As a product of 32 filters with all windows."""
    x, w, y = "tensor<2x4x8x9xf32>", "tensor<32x4x3x3xf32>", "tensor<2x32x6x7xf32>"
    maps = ("affine_map<(n, o, h, w, c, i, j) -> (n, c, h + i, w + j)>, affine_map<(n, o, h, w, c, i, j) -> (o, c, i, j)>, affine_map<(n, o, h, w, c, i, j) -> (n, o, h, w)>")
    body = f"%f = linalg.fill ins(%zero : f32) outs(%a2 : {y}) -> {y}\n"
    body += generic("0", maps, "pppprrr", [("%a0", x), ("%a1", w)], [("%f", y)], "%x: f32, %y: f32, %o: f32",
                    "%p = arith.mulf %x, %y : f32\n%s = arith.addf %o, %p : f32\nlinalg.yield %s : f32")

    def convolution(x, w, _):
        windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), axis=(2, 3))
        return [np.einsum("nchwij,ocij->nohw", windows, w)]

    check(device, [t[7:-1] for t in (x, w, y)], 1, body + f"\nreturn %0 : {y}", convolution)


def test_sums_stay_the_same(device):
    """The order of a sum depends on the shape alone."""
    body = "%f = linalg.fill ins(%zero : f32) outs(%a1 : tensor<f32>) -> tensor<f32>\n"
    body += generic("0", "#rc, #none", "rr", [("%a0", "tensor<50x77xf32>")], [("%f", "tensor<f32>")], "%x: f32, %o: f32", "%s = arith.addf %o, %x : f32\nlinalg.yield %s : f32")
    text = kernel(["50x77xf32", "f32"], 1, body + "\nreturn %0 : tensor<f32>")
    arrays = [np.random.default_rng(1).standard_normal((50, 77)).astype(np.float32), np.zeros((), np.float32)]
    first, again = (simulate(device, text, arrays)[1] for _ in range(2))
    assert first.tobytes() == again.tobytes()


def test_tiles_of_one_number(device):
    """All threads of a block read it, and one writes the result."""
    module = """
func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) {
  raf.launch @numbers ins(%x : memref<8xf32>) outs(%y : memref<8xf32>)
  return
}
func.func private @numbers(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> attributes {raf.kernel} {
  %0 = scf.forall (%i) in (8) shared_outs(%out = %y) -> (tensor<8xf32>) {
    %a = tensor.extract_slice %x[%i] [1] [1] : tensor<8xf32> to tensor<f32>
    %v = tensor.extract %a[] : tensor<f32>
    %n = arith.negf %v : f32
    %r = tensor.from_elements %n : tensor<f32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %r into %out[%i] [1] [1] : tensor<f32> into tensor<8xf32>
    }
  }
  return %0 : tensor<8xf32>
}
"""
    x = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(simulate(device, module, [x, np.zeros_like(x)])[1], -x)
