# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scatters and scans that are long enough for several threads: each element is combined in the order of one thread, with any number of them."""

import numpy as np
import pytest
from execute import harness

ROWS, COLUMNS, UPDATES = 500, 333, 400
KINDS = {
    "scatter_add": ("%y = raf.scatter_add %x, %i, %u axis = 0 : TABLE, INDICES, UPDATES", np.add.at),
    "scatter max": ("%y = raf.scatter max %x, %i, %u axis = 0 : TABLE, INDICES, UPDATES", np.maximum.at),
}


def program(body):
    text = """func.func @main(%x: TABLE {raf.role = "input", raf.name = "x"}, %i: INDICES {raf.role = "input", raf.name = "i"},
                              %u: UPDATES {raf.role = "input", raf.name = "u"}) -> (TABLE {raf.name = "y"}) {
      BODY
      return %y : TABLE
    }""".replace("BODY", body)
    types = {"TABLE": f"tensor<{ROWS}x{COLUMNS}xf32>", "INDICES": f"tensor<{UPDATES}xi64>", "UPDATES": f"tensor<{UPDATES}x{COLUMNS}xf32>"}
    for name, written in types.items():
        text = text.replace(name, written)
    return harness.Program(text)


def arrays():
    made = np.random.default_rng(0)
    # Some rows are hit often, some indices are outside.
    indices = np.concatenate([made.integers(0, 7, UPDATES // 2), made.integers(-ROWS, 2 * ROWS, UPDATES - UPDATES // 2)])
    return {"x": made.standard_normal((ROWS, COLUMNS), np.float32), "i": indices, "u": made.standard_normal((UPDATES, COLUMNS), np.float32)}


def with_threads(count, run, given):
    before = harness.core.get_num_threads()
    harness.core.set_num_threads(count)
    try:
        return run(given)["y"]
    finally:
        harness.core.set_num_threads(before)


@pytest.mark.cpu_only("threads that share a kernel")
@pytest.mark.parametrize("count", [1, 2, 3, 7])
@pytest.mark.parametrize("kind", KINDS)
def test_scatter(kind, count):
    body, combine = KINDS[kind]
    given = arrays()
    expected, inside = given["x"].copy(), (given["i"] >= 0) & (given["i"] < ROWS)
    combine(expected, given["i"][inside], given["u"][inside])
    np.testing.assert_array_equal(with_threads(count, program(body), given), expected)


@pytest.mark.cpu_only("threads that share a kernel")
@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("count", [1, 2, 3, 7])
def test_cumsum(count, axis):
    given = arrays()
    result = with_threads(count, program(f"%y = raf.cumsum %x axis = {axis} : TABLE"), given)
    np.testing.assert_array_equal(result, np.cumsum(given["x"], axis))
