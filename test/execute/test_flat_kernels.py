# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointwise kernels run over their operands as they lie in memory: shapes of any rank and length, in whole or in part, and random numbers that the shape does not change."""

import math

import numpy as np
from execute import harness
from hypothesis import example, given, settings
from hypothesis import strategies as st

SIZES = st.sampled_from([1, 2, 3, 7, 16, 65, 130])


@settings(max_examples=12, deadline=None)
@given(shape=st.lists(SIZES, min_size=2, max_size=4).filter(lambda shape: math.prod(shape) <= 1 << 18), at=st.integers(0, 3), count=st.integers(1, 3))
@example(shape=[1, 3, 1, 5], at=0, count=1)
@example(shape=[1, 3, 1, 5], at=2, count=1)
@example(shape=[7, 16, 65], at=1, count=2)
@example(shape=[3, 7, 2, 16], at=0, count=2)
def test_shapes(shape, at, count):
    at %= len(shape)
    along = list(range(at, min(at + count, len(shape))))  # axes of the operand that is not of the whole shape
    kind, vector, flat = (f"tensor<{'x'.join(map(str, dims))}xf32>" for dims in (shape, [shape[i] for i in along], [math.prod(shape)]))
    arguments = {"x": kind, "v": vector, "w": flat, "s": "tensor<i64>", "t": "tensor<i64>"}
    described = ", ".join(f'%{name}: {given} {{raf.role = "input", raf.name = "{name}"}}' for name, given in arguments.items())
    program = harness.Program(f"""func.func @main({described}) -> ({kind} {{raf.name = "a"}}, {kind} {{raf.name = "b"}}, {kind} {{raf.name = "c"}}, {kind} {{raf.name = "d"}}, {flat} {{raf.name = "e"}}, {flat} {{raf.name = "f"}}) {{
      %a = raf.mul %x, %x : {kind}
      %0 = raf.broadcast %v dims = [{", ".join(map(str, along))}] : {vector} to {kind}
      %b = raf.add %x, %0 : {kind}
      %c = raf.dropout %x, %s, %t ratio = 0.25 op_id = 3 : {kind}
      %d = raf.random_uniform %s, %t op_id = 5 : {kind}
      %e = raf.random_uniform %s, %t op_id = 5 : {flat}
      %f = raf.dropout %w, %s, %t ratio = 0.25 op_id = 3 : {flat}
      return %a, %b, %c, %d, %e, %f : {kind}, {kind}, {kind}, {kind}, {flat}, {flat}
    }}""")
    rng = np.random.default_rng(0)
    x, v = rng.standard_normal(shape, np.float32), rng.standard_normal([shape[i] for i in along], np.float32)
    y = program({"x": x, "v": v, "w": x.ravel(), "s": np.int64(7), "t": np.int64(2)})
    np.testing.assert_array_equal(y["a"], x * x)
    np.testing.assert_array_equal(y["b"], x + v.reshape([n if i in along else 1 for i, n in enumerate(shape)]))
    np.testing.assert_array_equal(y["d"].ravel(), y["e"])
    np.testing.assert_array_equal(y["c"].ravel(), y["f"])
    kept = y["c"] != 0
    np.testing.assert_allclose(y["c"][kept], x[kept] / np.float32(0.75), rtol=1e-6)
    assert x.size < 1000 or abs(kept.mean() - 0.75) < 0.1
