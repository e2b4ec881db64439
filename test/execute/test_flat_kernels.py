# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pointwise kernels run over their operands as they lie in memory: shapes of any rank and length, in whole or in part, and random numbers that the shape does not change."""

import numpy as np
from execute import harness
from hypothesis import given, settings
from hypothesis import strategies as st

SIZES = st.sampled_from([1, 2, 3, 7, 16, 65, 130])


@settings(max_examples=12, deadline=None)
@given(shape=st.lists(SIZES, min_size=2, max_size=4), at=st.integers(0, 3))
def test_shapes(shape, at):
    at %= len(shape)
    kind, vector, flat = (f"tensor<{'x'.join(map(str, dims))}xf32>" for dims in (shape, [shape[at]], [int(np.prod(shape))]))
    arguments = {"x": kind, "v": vector, "s": "tensor<i64>", "t": "tensor<i64>"}
    described = ", ".join(f'%{name}: {given} {{raf.role = "input", raf.name = "{name}"}}' for name, given in arguments.items())
    program = harness.Program(f"""func.func @main({described}) -> ({kind} {{raf.name = "a"}}, {kind} {{raf.name = "b"}}, {kind} {{raf.name = "c"}}, {kind} {{raf.name = "d"}}, {flat} {{raf.name = "e"}}) {{
      %a = raf.mul %x, %x : {kind}
      %0 = raf.broadcast %v dims = [{at}] : {vector} to {kind}
      %b = raf.add %x, %0 : {kind}
      %c = raf.dropout %x, %s, %t ratio = 0.25 op_id = 3 : {kind}
      %d = raf.random_uniform %s, %t op_id = 5 : {kind}
      %e = raf.random_uniform %s, %t op_id = 5 : {flat}
      return %a, %b, %c, %d, %e : {kind}, {kind}, {kind}, {kind}, {flat}
    }}""")
    rng = np.random.default_rng(0)
    x, v = rng.standard_normal(shape, np.float32), rng.standard_normal(shape[at], np.float32)
    y = program({"x": x, "v": v, "s": np.int64(7), "t": np.int64(2)})
    np.testing.assert_array_equal(y["a"], x * x)
    np.testing.assert_array_equal(y["b"], x + v.reshape([-1 if i == at else 1 for i in range(len(shape))]))
    np.testing.assert_array_equal(y["d"].ravel(), y["e"])
    kept = y["c"] != 0
    np.testing.assert_allclose(y["c"][kept], x[kept] / np.float32(0.75), rtol=1e-6)
    assert x.size < 1000 or abs(kept.mean() - 0.75) < 0.1
