# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Results that are too large for the caches, which are written past them: rows of any length, at any address, in every kind of loop."""

import numpy as np
import pytest
from execute import harness

pytestmark = pytest.mark.cpu_only("stores past the CPU's caches")
ROWS, COLUMNS = 4507, 1009  # of f32: more than eight second caches of 2 MiB


def module(arguments, body, shape):
    described = ", ".join(f'%{name}: {kind} {{raf.role = "input", raf.name = "{name}"}}' for name, kind in arguments.items())
    kind = f"tensor<{shape[0]}x{shape[1]}xf32>"
    return f'func.func @main({described}) -> ({kind} {{raf.name = "y"}}) {{\n  {body}\n  return %y : {kind}\n}}'.replace("MATRIX", f"tensor<{ROWS}x{COLUMNS}xf32>").replace("RESULT", kind)


CASES = {
    "pointwise": ("%y = raf.mul %x, %x : MATRIX", lambda x: x * x),
    "concatenation": ("%y = raf.concat %x, %x axis = 1 : (MATRIX, MATRIX) -> RESULT", lambda x: np.concatenate([x, x], 1)),
    "rows": ("%y = raf.softmax %x axis = 1 : MATRIX", lambda x: np.exp(x - x.max(1, keepdims=True)) / np.exp(x - x.max(1, keepdims=True)).sum(1, keepdims=True)),
    "transposed and straight": ("%0 = raf.transpose %x permutation = [1, 0] : MATRIX -> RESULT\n  %1 = raf.reshape %x : MATRIX to RESULT\n  %y = raf.add %0, %1 : RESULT", lambda x: x.T + x.reshape(x.T.shape)),
    "two transposed": ("%0 = raf.add %x, %x : MATRIX\n  %1 = raf.transpose %0 permutation = [1, 0] : MATRIX -> RESULT\n  %2 = raf.transpose %x permutation = [1, 0] : MATRIX -> RESULT\n  %y = raf.add %1, %2 : RESULT", lambda x: (x + x + x).T),
    "transposed": ("%y = raf.transpose %x permutation = [1, 0] : MATRIX -> RESULT", lambda x: x.T),
}


@pytest.fixture(scope="module")
def matrix():
    return np.random.default_rng(0).standard_normal((ROWS, COLUMNS), np.float32)


@pytest.mark.parametrize("name", CASES)
def test_values(name, matrix):
    body, expected = CASES[name]
    expected = expected(matrix)
    program = harness.Program(module({"x": "MATRIX"}, body, expected.shape))
    np.testing.assert_allclose(program({"x": matrix})["y"], expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["pointwise", "concatenation", "transposed", "transposed and straight", "two transposed"])
def test_addresses(name, matrix):
    body, expected = CASES[name]
    expected = expected(matrix)
    program = harness.Program(module({"x": "MATRIX"}, body, expected.shape))
    for offset in (0, 4, 60):
        memory = np.full(expected.nbytes + 192, 7, np.uint8)
        start = -memory.ctypes.data % 64 + 64 + offset
        program._run_here([matrix, memory[start:]])
        np.testing.assert_array_equal(memory[start : start + expected.nbytes].view(np.float32).reshape(expected.shape), expected)
        assert (memory[:start] == 7).all() and (memory[start + expected.nbytes :] == 7).all()


def test_transposition_of_16_bits():
    x = np.random.default_rng(0).integers(0, 0x7F80, (2 * ROWS, COLUMNS), np.uint16).view(harness.DTYPES["bf16"])
    of, to = (f"tensor<{a}x{b}xbf16>" for a, b in (x.shape, x.T.shape))
    program = harness.Program(f"""func.func @main(%x: {of} {{raf.role = "input", raf.name = "x"}}) -> ({to} {{raf.name = "y"}}) {{
      %y = raf.transpose %x permutation = [1, 0] : {of} -> {to}
      return %y : {to}
    }}""")
    np.testing.assert_array_equal(program({"x": x})["y"].view(np.uint16), x.T.view(np.uint16))


def test_dropout_of_what_is_transposed(matrix):
    of, to = (f"tensor<{a}x{b}xf32>" for a, b in (matrix.shape, matrix.T.shape))
    program = harness.Program(f"""func.func @main(%x: {of} {{raf.role = "input", raf.name = "x"}}, %s: tensor<i64> {{raf.role = "input", raf.name = "s"}}, %t: tensor<i64> {{raf.role = "input", raf.name = "t"}})
        -> ({to} {{raf.name = "y"}}, {to} {{raf.name = "z"}}) {{
      %0 = raf.transpose %x permutation = [1, 0] : {of} -> {to}
      %y = raf.dropout %0, %s, %t ratio = 0.25 op_id = 3 : {to}
      %z = raf.random_uniform %s, %t op_id = 3 : {to}
      return %y, %z : {to}, {to}
    }}""")
    y = program({"x": matrix, "s": np.int64(5), "t": np.int64(2)})
    np.testing.assert_allclose(y["y"], np.where(y["y"] != 0, matrix.T / np.float32(0.75), 0), rtol=1e-6)
    assert abs((y["y"] != 0).mean() - 0.75) < 1e-2
    kept = y["z"] >= 0.25 if ((y["z"] >= 0.25) == (y["y"] != 0)).mean() > 0.5 else y["z"] < 0.75
    assert (kept == (y["y"] != 0)).mean() > 0.999


def test_draws_are_those_of_small_results(matrix):
    draw = "%y = raf.random_uniform %s, %t op_id = 3 : RESULT"
    seeds = {"s": "tensor<i64>", "t": "tensor<i64>"}
    given = {"s": np.int64(5), "t": np.int64(2)}
    large, small = (harness.Program(module(seeds, draw, shape))(given)["y"] for shape in ((ROWS, COLUMNS), (8, COLUMNS)))
    np.testing.assert_array_equal(large[:8], small)
    assert large.min() >= 0 and large.max() < 1 and abs(large.mean() - 0.5) < 1e-3
