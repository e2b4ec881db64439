# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows and columns that no stack holds: what a kernel keeps of a tile is bounded."""

import numpy as np
import pytest
from execute import harness


def program(shape, result, body):
    matrix, mask, kind = (f"tensor<{'x'.join(map(str, s))}x{t}>" for s, t in ((shape, "f32"), (shape, "i1"), (result, "f32")))
    text = f"""func.func @main(%x: {matrix} {{raf.role = "input", raf.name = "x"}}, %mask: {mask} {{raf.role = "input", raf.name = "mask"}}) -> ({kind} {{raf.name = "y"}}) {{
      {body}
      return %y : {kind}
    }}"""
    return harness.Program(text.replace("MATRIX", matrix).replace("MASK", mask).replace("RESULT", kind))


@pytest.mark.parametrize("rows", [1, 16])
def test_masked_maximum(rows):
    shape = (rows, 3_000_001)
    made = np.random.default_rng(0)
    x, mask = made.standard_normal(shape, np.float32), made.integers(0, 2, shape).astype(bool)
    run = program(shape, (rows,), """%low = raf.constant dense<0xFF800000> : MATRIX
      %s = raf.select %mask, %x, %low : MATRIX
      %y = raf.reduce max %s dims = [1] : MATRIX -> RESULT""")
    np.testing.assert_array_equal(run({"x": x, "mask": mask})["y"], np.where(mask, x, -np.inf).max(1))


def test_softmax_of_long_columns():
    shape = (60_001, 128)  # exponentials of 64 columns take 15 MB
    x = np.random.default_rng(0).standard_normal(shape, np.float32)
    run = program(shape, shape, "%y = raf.softmax %x axis = 0 : MATRIX")
    expected = np.exp(x - x.max(0))
    np.testing.assert_allclose(run({"x": x, "mask": np.ones(shape, bool)})["y"], expected / expected.sum(0), rtol=2e-5)
