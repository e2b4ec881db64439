# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What only a device's kernels have, on the simulated one and against numpy: reductions in parts, scatters and scans by result, transpositions by tiles."""

import json

import numpy as np
import pytest
from execute import harness

core = pytest.importorskip("raf._core")
if not json.loads(core.cuda_info("cuda-sim"))["devices"]:
    pytest.skip("the simulated GPU is not there: it is built with the runtime", allow_module_level=True)


def program(text, operands, results):
    """A program of one line a result, %y0 ...; operands are %a, %b ..."""
    types = {f"y{i}": harness.type_of(result) for i, result in enumerate(results)} | {name: harness.type_of(a) for name, a in zip("abcdef", operands)}
    arguments = ", ".join(f'%{name}: {types[name]} {{raf.role = "input", raf.name = "{name}"}}' for name, _ in zip("abcdef", operands))
    outputs = ", ".join(f'{types[f"y{i}"]} {{raf.name = "y{i}"}}' for i in range(len(results)))
    names = ", ".join(f"%y{i}" for i in range(len(results)))
    asm = f"""func.func @main({arguments}) -> ({outputs}) {{
      {text.format(**types)}
      return {names} : {", ".join(types[f"y{i}"] for i in range(len(results)))}
    }}"""
    made = harness.Program(asm, target="cuda-sim", check=["bounds", "memory", "races"])
    given = dict(zip("abcdef", operands))
    got, again = made(given), made(given)
    for name in got:
        np.testing.assert_array_equal(got[name], again[name])  # bit for bit
    return [got[f"y{i}"] for i in range(len(results))]


@pytest.mark.parametrize("shape, dims", [((1_000_003,), [0]), ((1021, 1031), [0, 1]), ((4099, 96), [0]), ((3, 150_001), [1]), ((16, 5, 4999), [0, 2])])
def test_reductions_of_few_results(shape, dims):
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    expected = [x.astype(np.float64).sum(tuple(dims)).astype(np.float32), x.max(tuple(dims))]
    got = program(
        f"%y0 = raf.reduce sum %a dims = {dims} : {{a}} -> {{y0}}\n%y1 = raf.reduce max %a dims = {dims} : {{a}} -> {{y1}}", [x], expected
    )
    np.testing.assert_allclose(got[0], expected[0], rtol=1e-5, atol=2e-3)
    np.testing.assert_array_equal(got[1], expected[1])


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_what_is_summed_is_computed_in_the_parts(dtype):
    rng = np.random.default_rng(1)
    x, y = (rng.standard_normal((6007, 64)).astype(harness.DTYPES[dtype]) for _ in range(2))
    expected = (x.astype(np.float64) * y.astype(np.float64)).sum(0)
    (got,) = program("%p = raf.mul %a, %b : {a}\n%y0 = raf.reduce sum %p dims = [0] : {a} -> {y0}", [x, y], [expected.astype(x.dtype)])
    np.testing.assert_allclose(got.astype(np.float64), expected, rtol=1e-2 if dtype == "bf16" else 1e-4, atol=1.0 if dtype == "bf16" else 2e-3)


def test_the_place_of_an_extremum():
    x = np.random.default_rng(2).standard_normal(300_007).astype(np.float32)
    (got,) = program("%y0 = raf.arg_reduce max %a axis = 0 : {a} -> {y0}", [x], [np.array(x.argmax())])
    assert got == x.argmax()


def scattered(x, indices, updates, combine):
    y = x.astype(np.float64)
    for i, row in zip(indices.reshape(-1), updates.reshape(-1, *updates.shape[indices.ndim :]).astype(np.float64)):
        if 0 <= i < len(y):
            y[i] = combine(y[i], row)
    return y.astype(x.dtype)


@pytest.mark.parametrize("indices", [(257,), (3, 5), (1,)], ids=str)
def test_scatters(indices):
    rng = np.random.default_rng(3)
    places = rng.integers(-2, 43, indices)
    x, updates = rng.standard_normal((40, 12)).astype(np.float32), rng.standard_normal((*indices, 12)).astype(np.float32)
    for text, combine in (
        ("scatter_add %a, %b, %c axis = 0", np.add),
        ("scatter set %a, %b, %c axis = 0", lambda old, new: new),
        ("scatter max %a, %b, %c axis = 0", np.maximum),
        ("scatter mul %a, %b, %c axis = 0", np.multiply),
    ):
        expected = scattered(x, places, updates, combine)
        (got,) = program(f"%y0 = raf.{text} : {{a}}, {{b}}, {{c}}", [x, places, updates], [expected])
        np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-6, err_msg=text)


def test_an_embedding_with_frequent_words():
    rng = np.random.default_rng(4)
    words, updates = np.minimum(rng.geometric(0.2, (8, 64)), 99), rng.standard_normal((8, 64, 33)).astype(np.float32)
    expected = scattered(np.zeros((100, 33), np.float32), words, updates, np.add)
    (got,) = program("%z = raf.constant dense<0.0> : {y0}\n%y0 = raf.scatter_add %z, %a, %b axis = 0 : {y0}, {a}, {b}", [words, updates], [expected])
    np.testing.assert_allclose(got, expected, rtol=1e-4, atol=1e-5)


def test_elements_added_along_an_axis():
    rng = np.random.default_rng(5)
    x, places = rng.standard_normal((7, 20)).astype(np.float32), rng.integers(-1, 22, (7, 5))
    updates, expected = rng.standard_normal((7, 5)).astype(np.float32), x.astype(np.float64)
    for row, column in np.ndindex(*places.shape):
        if 0 <= places[row, column] < 20:
            expected[row, places[row, column]] += updates[row, column]
    (got,) = program("%y0 = raf.add_along_axis %a, %b, %c axis = 1 : {a}, {b}, {c}", [x, places, updates], [expected.astype(np.float32)])
    np.testing.assert_allclose(got, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("shape, axis", [((5000,), 0), ((3, 65), 1), ((129, 4), 0), ((2, 300, 3), 1)])
def test_scans(shape, axis):
    x = np.random.default_rng(6).standard_normal(shape).astype(np.float32)
    wide = x.astype(np.float64)
    forward, backward = np.cumsum(wide, axis), np.flip(np.cumsum(np.flip(wide, axis), axis), axis)
    expected = [a.astype(np.float32) for a in (forward, forward - wide, backward, backward - wide)]
    text = "\n".join(f"%y{i} = raf.cumsum %a axis = {axis} {words} : {{a}}" for i, words in enumerate(["", "exclusive", "reverse", "exclusive reverse"]))
    for got, right in zip(program(text, [x], expected), expected):
        np.testing.assert_allclose(got, right, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "i32"])
@pytest.mark.parametrize("shape, order", [((64, 96), (1, 0)), ((33, 129), (1, 0)), ((3, 50, 2, 17), (0, 2, 1, 3)), ((2, 40, 36), (0, 2, 1)), ((20, 3, 44), (2, 1, 0))])
def test_transpositions(shape, order, dtype):
    x = np.random.default_rng(7).integers(-99, 99, shape).astype(harness.DTYPES[dtype])
    moved = np.transpose(x, order)
    z = np.random.default_rng(8).integers(-99, 99, moved.shape).astype(x.dtype)
    expected = (moved.astype(np.float64) + z.astype(np.float64)).astype(x.dtype)
    (got,) = program(f"%t = raf.transpose %a permutation = {list(order)} : {{a}} -> {{y0}}\n%y0 = raf.add %t, %b : {{y0}}", [x, z], [expected])
    np.testing.assert_array_equal(got, expected)


def test_what_a_kernel_overwrites_is_read_before():
    """Rows in which a kernel works in place, and a sum over the batch of what it computes for them: of 64 KB, which a block computes anew as it cannot keep them."""
    rng = np.random.default_rng(9)
    a, b = rng.standard_normal((1024, 4)).astype(np.float32), rng.uniform(-0.1, 0.1, (4, 512)).astype(np.float32)
    x = (a.astype(np.float64) @ b).reshape(32, 32, 512)
    p = np.exp(x) * x.sum(2, keepdims=True)
    expected = [p.sum(0).astype(np.float32), ((x - p).reshape(1024, 512) @ b.T).astype(np.float32)]
    text = """%z = raf.matmul %a, %b : {a}, {b} -> tensor<1024x512xf32>
      %x = raf.reshape %z : tensor<1024x512xf32> to tensor<32x32x512xf32>
      %s = raf.reduce sum %x dims = [2] : tensor<32x32x512xf32> -> tensor<32x32xf32>
      %w = raf.broadcast %s dims = [0, 1] : tensor<32x32xf32> to tensor<32x32x512xf32>
      %e = raf.exp %x : tensor<32x32x512xf32>
      %p = raf.mul %e, %w : tensor<32x32x512xf32>
      %q = raf.sub %x, %p : tensor<32x32x512xf32>
      %y0 = raf.reduce sum %p dims = [0] : tensor<32x32x512xf32> -> {y0}
      %f = raf.reshape %q : tensor<32x32x512xf32> to tensor<1024x512xf32>
      %t = raf.transpose %b permutation = [1, 0] : {b} -> tensor<512x4xf32>
      %y1 = raf.matmul %f, %t : tensor<1024x512xf32>, tensor<512x4xf32> -> {y1}"""
    for got, right in zip(program(text, [a, b], expected), expected):
        np.testing.assert_allclose(got, right, rtol=1e-4, atol=1e-4)
