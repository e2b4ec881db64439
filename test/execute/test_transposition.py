# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels whose inputs lie across their results, against numpy: any shape, order of dimensions and element type, alone and with other inputs."""

import numpy as np
import pytest
from execute import harness
from hypothesis import given, settings
from hypothesis import strategies as st


def check(dtype, shape, permutation):
    rng = np.random.default_rng(sum(shape))
    x = rng.integers(-100, 100, shape).astype(harness.DTYPES[dtype])
    z = rng.integers(-100, 100, [shape[p] for p in permutation]).astype(harness.DTYPES[dtype])
    types = [harness.type_of(x), harness.type_of(z)]
    program = harness.Program(f"""
    func.func @main(%x: {types[0]} {{raf.role = "input", raf.name = "x"}}, %z: {types[1]} {{raf.role = "input", raf.name = "z"}})
        -> ({types[1]} {{raf.name = "moved"}}, {types[1]} {{raf.name = "sum"}}) {{
      %0 = raf.transpose %x permutation = {list(permutation)} : {types[0]} -> {types[1]}
      %1 = raf.transpose %x permutation = {list(permutation)} : {types[0]} -> {types[1]}
      %2 = raf.add %1, %z : {types[1]}
      return %0, %2 : {types[1]}, {types[1]}
    }}""")
    got, moved = program({"x": x, "z": z}), np.transpose(x, permutation)
    np.testing.assert_array_equal(got["moved"], moved)
    np.testing.assert_array_equal(got["sum"].astype(np.float64), (moved + z).astype(np.float64))


@pytest.mark.parametrize("dtype", ["f32", "f64", "bf16", "i32", "i64"])
@pytest.mark.parametrize("shape", [(64, 64), (16, 17), (129, 143), (200, 16)])
def test_matrices(dtype, shape):
    check(dtype, shape, (1, 0))


@settings(max_examples=12, deadline=None)
@given(st.data())
def test_any_order(data):
    sizes = data.draw(st.lists(st.sampled_from([1, 2, 5, 15, 16, 31, 64, 67, 80]), min_size=2, max_size=4).filter(lambda s: np.prod(s) < 400_000))
    check("f32", tuple(sizes), tuple(data.draw(st.permutations(range(len(sizes))))))
