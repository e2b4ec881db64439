# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of f32 that code generation computes by polynomials: their error in units in the last place, and their ends."""

import math

import numpy as np
from execute import harness


def evaluate(body, x):
    y = harness.Program(f'func.func @main(%x: tensor<{len(x)}xf32> {{raf.role = "input", raf.name = "x"}}) -> (tensor<{len(x)}xf32> {{raf.name = "y"}}) {{\n  {body} : tensor<{len(x)}xf32>\n  return %y : tensor<{len(x)}xf32>\n}}')
    return y({"x": x})["y"]


def units(got, exact):
    """The distance in units in the last place of the exact result."""
    return np.abs(got.astype(np.float64) - exact) / np.spacing(np.abs(exact).astype(np.float32)).astype(np.float64)


def test_exp():
    rng = np.random.default_rng(0)
    least, most = np.log(2.0**-125.49), np.log(np.finfo(np.float32).max)
    x = np.concatenate([rng.uniform(least, most, 200_000), rng.uniform(-1, 1, 100_000), rng.uniform(-1e-3, 1e-3, 10_000), rng.uniform(88.3, most, 10_000)]).astype(np.float32)
    exact = np.exp(x.astype(np.float64))
    assert units(evaluate("%y = raf.exp %x", x), exact).max() < 2
    ends = np.array([0.0, -0.0, 88.73, 1e30, np.inf, -87.1, -88.0, -1e30, -np.inf, np.nan], np.float32)
    got = evaluate("%y = raf.exp %x", ends)
    # The polynomial gives 0 in place of a number below 2^-125.5, libdevice and the C library give the number.
    got[np.abs(got) < 2.0**-125.5] = 0
    np.testing.assert_array_equal(got, np.array([1, 1, np.inf, np.inf, np.inf, 0, 0, 0, 0, np.nan], np.float32))


def test_erf():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-5, 5, 100_000), rng.uniform(-1e-3, 1e-3, 10_000), rng.uniform(3.8, 4.0, 10_000), [1e-30, -1e-30]]).astype(np.float32)
    exact = np.array([math.erf(value) for value in x.astype(np.float64)])
    got = evaluate("%y = raf.erf %x", x)
    assert units(got, exact).max() < 7 and np.abs(got).max() <= 1
    ends = np.array([0.0, 10.0, -10.0, np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(evaluate("%y = raf.erf %x", ends), np.array([0, 1, -1, 1, -1, np.nan], np.float32))


def test_tanh():
    rng = np.random.default_rng(0)
    x = np.concatenate([rng.uniform(-10, 10, 100_000), rng.uniform(-1, 1, 50_000), rng.uniform(-1e-3, 1e-3, 10_000), rng.uniform(8.9, 9.3, 10_000), [1e-30, -1e-30]]).astype(np.float32)
    got = evaluate("%y = raf.tanh %x", x)
    assert units(got, np.tanh(x.astype(np.float64))).max() < 7 and np.abs(got).max() <= 1
    ends = np.array([0.0, 10.0, -10.0, np.inf, -np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(evaluate("%y = raf.tanh %x", ends), np.array([0, 1, -1, 1, -1, np.nan], np.float32))


def test_gelu_keeps_its_digits():
    x = np.linspace(-12, 12, 100_001).astype(np.float32)
    wide = x.astype(np.float64)
    exact = wide / (1 + np.exp(-2 * 0.79788456080286535588 * (wide + 0.044715 * wide**3)))
    got = evaluate("%y = raf.gelu tanh %x", x)
    # e^u has as large an error as its exponent, and is no float beyond e^88.
    near = np.abs(x) < 6.5
    np.testing.assert_allclose(got[near], exact[near], rtol=1e-5)
    np.testing.assert_allclose(got, exact, rtol=1e-5, atol=1e-30)
    ends = np.array([0.0, 1e30, -1e30, np.inf, np.nan], np.float32)
    np.testing.assert_array_equal(evaluate("%y = raf.gelu tanh %x", ends), np.array([0, 1e30, 0, np.inf, np.nan], np.float32))


def test_extrema_keep_nan():
    for kind, least in (("max", -np.inf), ("min", np.inf)):
        for size in (1, 15, 16, 33, 1000):
            x = np.random.default_rng(size).standard_normal((3, size)).astype(np.float32)
            x[1, size // 2], x[2, -1] = np.nan, least
            program = harness.Program(f"""func.func @main(%x: tensor<3x{size}xf32> {{raf.role = "input", raf.name = "x"}}) -> (tensor<3xf32> {{raf.name = "y"}}) {{
              %y = raf.reduce {kind} %x dims = [1] : tensor<3x{size}xf32> -> tensor<3xf32>
              return %y : tensor<3xf32>
            }}""")
            np.testing.assert_array_equal(program({"x": x})["y"], (x.max if kind == "max" else x.min)(axis=1))


def test_rounding_to_bf16():
    bits = np.random.default_rng(0).integers(0, 1 << 32, 200_000, np.uint32)
    ties = (np.arange(1 << 16, dtype=np.uint32) << 16) | 0x8000
    x = np.concatenate([bits, ties, ties - 1, ties + 1]).view(np.float32)
    n = len(x)
    program = harness.Program(f"""func.func @main(%x: tensor<{n}xf32> {{raf.role = "input", raf.name = "x"}}) -> (tensor<{n}xbf16> {{raf.name = "y"}}) {{
      %y = raf.cast %x : tensor<{n}xf32> to tensor<{n}xbf16>
      return %y : tensor<{n}xbf16>
    }}""")
    with np.errstate(invalid="ignore"):
        got, expected = program({"x": x})["y"], x.astype(harness.DTYPES["bf16"])
    number = ~np.isnan(x) & ((np.abs(x) >= np.finfo(np.float32).tiny) | (x == 0))  # instructions may take the least numbers for 0
    np.testing.assert_array_equal(got.view(np.uint16)[number], expected.view(np.uint16)[number])
    assert np.isnan(got[np.isnan(x)].astype(np.float32)).all()
