# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reductions over the rows of a matrix, whose pieces are added several rows at a time: any number of rows and columns, NaN, and the same bits however the columns are shared."""

import numpy as np
import pytest
from execute import harness

BODIES = {
    "sum": ("%y = raf.reduce sum %a dims = [0] : MATRIX -> ROW", lambda a, b: a.sum(0, dtype=np.float64)),
    "max": ("%y = raf.reduce max %a dims = [0] : MATRIX -> ROW", lambda a, b: a.max(0, initial=-np.inf)),
    "sum of products": ("%0 = raf.mul %a, %b : MATRIX\n  %y = raf.reduce sum %0 dims = [0] : MATRIX -> ROW", lambda a, b: (a * b.astype(np.float64)).sum(0)),
    "sum of a difference": ("%0 = raf.sub %a, %b : MATRIX\n  %1 = raf.mul %0, %a : MATRIX\n  %2 = raf.sub %1, %b : MATRIX\n  %y = raf.reduce sum %2 dims = [0] : MATRIX -> ROW", lambda a, b: ((a - b.astype(np.float64)) * a - b).sum(0)),
    "sum of many operations": (
        "%0 = raf.sub %a, %b : MATRIX\n  %1 = raf.mul %0, %0 : MATRIX\n  %2 = raf.add %1, %b : MATRIX\n  %3 = raf.mul %2, %a : MATRIX\n  %4 = raf.exp %b : MATRIX\n"
        "  %5 = raf.sub %3, %4 : MATRIX\n  %6 = raf.mul %5, %a : MATRIX\n  %y = raf.reduce sum %6 dims = [0] : MATRIX -> ROW",
        lambda a, b: ((((a - b.astype(np.float64)) ** 2 + b) * a - np.exp(b.astype(np.float64))) * a).sum(0),
    ),
}


def program(body, rows, columns, **options):
    text = f"""func.func @main(%a: MATRIX {{raf.role = "input", raf.name = "a"}}, %b: MATRIX {{raf.role = "input", raf.name = "b"}}) -> (ROW {{raf.name = "y"}}) {{
  {body}
  return %y : ROW
}}"""
    return harness.Program(text.replace("MATRIX", f"tensor<{rows}x{columns}xf32>").replace("ROW", f"tensor<{columns}xf32>"), **options)


def matrices(rows, columns):
    return dict(zip("ab", np.random.default_rng(rows).standard_normal((2, rows, columns), np.float32)))


# Rows: fewer than are added at a time, as many, with each kind of rest. Columns: one, less than a vector, more than a tile, and a last tile that is shorter.
@pytest.mark.parametrize("shape", [(0, 100), (1, 100), (2, 1), (7, 129), (8, 515), (9, 64), (100, 15), (517, 203), (1031, 1), (1024, 512)], ids=str)
@pytest.mark.parametrize("name", BODIES)
def test_values(name, shape):
    body, expected = BODIES[name]
    given = matrices(*shape)
    harness.close(program(body, *shape)(given)["y"], expected(**given), 2e-5)


@pytest.mark.parametrize("name", ["sum", "max"])
@pytest.mark.parametrize("row", [0, 7, 8, 1022, 1023, 1028])
def test_nan_of_any_row(name, row):
    given = matrices(1029, 203)
    given["a"][row, 5] = given["a"][row, 202] = np.nan
    result = program(BODIES[name][0], 1029, 203)(given)["y"]
    assert np.flatnonzero(np.isnan(result)).tolist() == [5, 202]


@pytest.mark.cpu_only("threads that share a kernel")
@pytest.mark.parametrize("shape", [(1003, 515), (4507, 1009)], ids=str)  # in the caches, and from memory
@pytest.mark.parametrize("name", BODIES)
def test_same_bits_with_any_number_of_threads(name, shape):
    """On one thread, which has whole rows, they are added one by one."""
    given = matrices(*shape)
    results = [program(BODIES[name][0], *shape, num_threads=threads)(given)["y"].tobytes() for threads in (1, 2, 3)]
    assert len(set(results)) == 1
