# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import ctypes
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import raf_rt as R
from references import apply_post_ops


def normal(rng, *shape):
    return rng.standard_normal(shape, dtype=np.float32)


def transposed(array):
    """The same values with the last two dims swapped in memory."""
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def check(rt, a, b, c, bias=None, ops=(), pack=R.AUTO):
    held = c.astype(np.float64) if any(op[0] == "sum" for op in ops) else None
    expected = a.astype(np.float64) @ b.astype(np.float64)
    if bias is not None:
        expected = expected + bias
    expected = apply_post_ops(expected, ops, held)
    operands = [operand for _, _, _, operand in ops if operand is not None]
    buffers = [a, b, c, *([bias] if bias is not None else []), *operands]
    description = rt.run(R.MATMUL, R.matmul(a, b, c, bias, ops, pack), buffers)
    np.testing.assert_allclose(c, expected, rtol=1e-5, atol=2e-6 * max(8, a.shape[-1]))
    assert "ref" not in description
    return description


SHAPES = [(1, 1, 1), (1, 7, 5), (7, 1, 5), (7, 5, 1), (2, 3, 4), (13, 17, 19), (64, 48, 80), (127, 131, 65), (256, 10, 64)]


@pytest.mark.parametrize("pack", [R.PLAIN, R.ANY])
@pytest.mark.parametrize("flip", range(8))
@pytest.mark.parametrize("m,n,k", SHAPES)
def test_plain_and_transposed(dnnl, threads, rng, m, n, k, flip, pack):
    a, b, c = normal(rng, m, k), normal(rng, k, n), np.full((m, n), np.nan, np.float32)
    a, b, c = (transposed(x) if flip >> i & 1 else x for i, x in enumerate((a, b, c)))
    check(dnnl, a, b, c, pack=pack)


@pytest.mark.parametrize("flip", range(4))
def test_batched_with_broadcast(dnnl, threads, rng, flip):
    for batch_a, batch_b, batch_c in [((3,), (3,), (3,)), ((2, 5), (2, 5), (2, 5)), ((2, 1), (1, 3), (2, 3)), ((4,), (1,), (4,)),
                                      ((1,), (4,), (4,)), ((2, 3), (1, 1), (2, 3)), ((1, 1, 1), (2, 1, 3), (2, 1, 3))]:  # fmt: skip
        a, b = normal(rng, *batch_a, 11, 6), normal(rng, *batch_b, 6, 13)
        a, b = transposed(a) if flip & 1 else a, transposed(b) if flip & 2 else b
        check(dnnl, a, b, np.empty((*batch_c, 11, 13), np.float32))


def test_batch_of_rows_becomes_one_product_without_copies(dnnl, rng):
    description = check(dnnl, normal(rng, 4, 9, 32), normal(rng, 1, 32, 48), np.empty((4, 9, 48), np.float32))
    assert "reorder" not in description


@pytest.mark.parametrize("t,d", [(7, 5), (32, 16), (1, 8), (8, 1)])
def test_split_heads_cost_no_copy(dnnl, threads, rng, t, d):
    """Attention on [B, T, H, D] storage seen as [B, H, T, D]."""
    b, h = 2, 3
    q, k, v = (normal(rng, b, t, h, d).transpose(0, 2, 1, 3) for _ in range(3))
    scores = np.empty((b, h, t, t), np.float32)
    merged = np.empty((b, t, h, d), np.float32).transpose(0, 2, 1, 3)
    descriptions = check(dnnl, q, k.swapaxes(-1, -2), scores), check(dnnl, scores, v, merged)
    # Heads of one element have no unit stride of their own; they need only be right.
    assert d == 1 or not any("reorder" in text for text in descriptions)


def test_strided_views_and_no_unit_stride(dnnl, threads, rng):
    a = normal(rng, 20, 40)[::2, 3:23]
    b = normal(rng, 20, 30)[:, 5:18]
    c = np.zeros((10, 50), np.float32)
    check(dnnl, a, b, c[:, 7:20])
    assert not c[:, :7].any() and not c[:, 20:].any()
    check(dnnl, normal(rng, 10, 40)[:, ::2], normal(rng, 20, 26)[:, ::2], np.zeros((10, 26), np.float32)[:, ::2])


@pytest.mark.parametrize("flip", [False, True])
def test_operands_begin_inside_their_buffers(dnnl, threads, rng, flip):
    """Queries, keys and values that one product has made side by side."""
    b, h, t, d = 2, 3, 7, 5
    joined = normal(rng, b, t, 3 * h * d)
    q, k, v = (joined[:, :, i * h * d : (i + 1) * h * d].reshape(b, t, h, d).transpose(0, 2, 1, 3) for i in range(3))
    scores = np.empty((b, h, t, t), np.float32)
    scores = transposed(scores) if flip else scores
    words = R.matmul(R.Part(joined, q), R.Part(joined, k.swapaxes(-1, -2)), scores)
    description = dnnl.run(R.MATMUL, words, [joined, joined, scores])
    np.testing.assert_allclose(scores, q @ k.swapaxes(-1, -2), rtol=1e-5, atol=1e-5)
    assert "reorder" not in description
    assert dnnl.buffer_bytes(R.MATMUL, words)[:2] == [joined.nbytes, joined.nbytes - 4 * h * d]
    packed = np.empty((d, t), np.float32)
    dnnl.run(R.REORDER, R.reorder(R.Part(joined, v[1, 2].T), packed), [joined, packed])
    np.testing.assert_array_equal(packed, v[1, 2].T)


def test_only_operands_begin_inside_their_buffers(dnnl, rng):
    a, c, row = normal(rng, 8, 8), np.empty((8, 8), np.float32), normal(rng, 2, 8)
    part = R.Part(row, row[1:])
    for words in (R.matmul(a, a, R.Part(c, c[:, 4:])), R.matmul(a, a, c, part), R.matmul(a, a, c, ops=[R.op("add", operand=part)])):
        assert "begins at element" in dnnl.supported(R.MATMUL, words)
    wrong = R.matmul(a, a, c)
    wrong[2 + 9] = -1
    assert "wrong offset -1" in dnnl.supported(R.MATMUL, wrong)


@pytest.mark.parametrize("flip", [False, True])
@pytest.mark.parametrize("shape", ["n", "m", "full", "one"])
def test_bias(dnnl, threads, rng, shape, flip):
    m, n, k = 19, 23, 12
    bias = normal(rng, *{"n": (1, n), "m": (m, 1), "full": (m, n), "one": (1, 1)}[shape])
    c = np.empty((m, n), np.float32)
    check(dnnl, normal(rng, m, k), normal(rng, k, n), transposed(c) if flip else c, bias)
    check(dnnl, normal(rng, m, k), normal(rng, k, n), transposed(c) if flip else c, bias, [R.op("relu"), R.op("add", operand=bias)])


def test_bias_view(dnnl, rng):
    bias = normal(rng, 1, 40)[:, ::2]
    check(dnnl, normal(rng, 6, 8), normal(rng, 8, 20), np.empty((6, 20), np.float32), bias)


ELTWISE = [R.op("relu"), R.op("relu", 0.1), R.op("gelu_erf"), R.op("gelu_tanh"), R.op("tanh"), R.op("logistic"),
           R.op("swish", 1.5), R.op("linear", 0.25, -1), R.op("clip", -1, 2), R.op("elu", 0.7), R.op("hardswish", 1 / 6, 0.5)]  # fmt: skip


@pytest.mark.parametrize("op", ELTWISE, ids=lambda op: f"{op[0]}-{op[1]:g}")
def test_eltwise_post_op(dnnl, threads, rng, op):
    check(dnnl, normal(rng, 9, 14), normal(rng, 14, 33), np.empty((9, 33), np.float32), normal(rng, 1, 33), [op])


def scores(rng):
    """Queries and keys side by side, as one product makes them: oneDNN's gemm kernels run on them where they lie."""
    q, k = (normal(rng, 2, 49, 6, 16)[:, :, at : at + 3] for at in (0, 3))
    return q.transpose(0, 2, 1, 3), k.transpose(0, 2, 3, 1), normal(rng, 2, 3, 49, 49)


def need_gemm(description):
    if "gemm" not in description:
        pytest.skip(f"oneDNN computes these batches with {description} here, which multiplies on the way itself")


@pytest.mark.parametrize("rest", ["", "add", "relu", "sum"])
@pytest.mark.parametrize("scale", [0.125, -0.5, -1.0, 2.0**-16, 1.0, 0.0, 1.0625, -3.0, 2.0**-17])
def test_scores_of_attention_are_scaled_in_the_product(dnnl, threads, rng, scale, rest):
    """gemm goes over its result once more for post-ops; not for a factor of usual size."""
    q, k, c = scores(rng)
    behind = {"": [], "add": [R.op("add", operand=normal(rng, 2, 3, 49, 49))], "relu": [R.op("relu")], "sum": [R.op("sum", 1.0)]}[rest]
    description = check(dnnl, q, k, c, ops=[R.op("linear", scale), *behind])
    need_gemm(description)
    assert ("scale(a)" in description) == (2.0**-16 <= abs(scale) <= 1 and scale != 1)


@pytest.mark.parametrize("scale", [0.125, 0.0])
def test_a_scaled_product_keeps_nan(dnnl, threads, rng, scale):
    q, k, c = scores(rng)
    q[1, 2, 3, 4] = np.nan
    dnnl.run(R.MATMUL, R.matmul(q, k, c, ops=[R.op("linear", scale)]), [q, k, c])
    assert np.isnan(c[1, 2, 3]).all() and np.isnan(c).sum() == 49


@pytest.mark.parametrize("a, b, scale", [(1e36, 1e-30, 1000.0), (1e-36, 1e30, 2.0**-17)])
def test_a_factor_is_no_operands_where_the_operand_has_no_room(dnnl, rng, a, b, scale):
    """a * scale is infinite, or without digits; a * b * scale is neither."""
    q, k, c = scores(rng)
    q[...], k[...] = a, b
    need_gemm(dnnl.run(R.MATMUL, R.matmul(q, k, c, ops=[R.op("linear", scale)]), [q, k, c]))
    np.testing.assert_allclose(c, 16 * a * b * scale, rtol=1e-5)


EDGES = np.array([[2.5, -2.5, np.nan, 0, -0.0, np.inf, 1e-37, -1e-37, 3e38, -3e38]], np.float32)


def test_relu_is_exact_and_keeps_nan(dnnl, threads):
    """oneDNN's own max(x, 0) makes NaN 0."""
    c = np.full((33, EDGES.size), 7, np.float32)
    dnnl.run(R.MATMUL, R.matmul(np.ones((33, 1), np.float32), EDGES, c, ops=[R.op("relu")]), [np.ones((33, 1), np.float32), EDGES, c])
    np.testing.assert_array_equal(c, np.broadcast_to(np.where(EDGES < 0, 0, EDGES), c.shape))


@pytest.mark.parametrize("flip", [False, True])
def test_chain_of_post_ops(dnnl, threads, rng, flip):
    m, n, k = 21, 35, 16
    residual, scale, other = normal(rng, m, n), normal(rng, 1, n), transposed(normal(rng, m, n))
    c = normal(rng, m, n)
    ops = [R.op("linear", 0.5), R.op("add", operand=residual), R.op("gelu_tanh"), R.op("mul", operand=scale),
           R.op("sub", operand=other), R.op("sum", 2.0), R.op("relu")]  # fmt: skip
    check(dnnl, normal(rng, m, k), normal(rng, k, n), transposed(c) if flip else c, normal(rng, 1, n), ops)


def test_batched_residual_in_another_layout(dnnl, threads, rng):
    b, h, t, d = 2, 3, 8, 5
    residual = normal(rng, b, t, h, d).transpose(0, 2, 1, 3)
    mask = normal(rng, 1, 1, t, d)
    check(dnnl, normal(rng, b, h, t, 6), normal(rng, b, h, 6, d), np.empty((b, h, t, d), np.float32), None,
          [R.op("add", operand=residual), R.op("mul", operand=mask)])  # fmt: skip


def test_sum_accumulates_into_a_copied_output(dnnl, rng):
    c = normal(rng, 10, 26)[:, ::2]
    check(dnnl, normal(rng, 10, 4), normal(rng, 4, 13), c, ops=[R.op("sum", 1.0)])


def test_bf16(dnnl, threads, rng):
    bf16 = pytest.importorskip("ml_dtypes").bfloat16
    a, b = normal(rng, 33, 40).astype(bf16), normal(rng, 40, 29).astype(bf16)
    for out in (np.float32, bf16):
        c = np.empty((33, 29), out)
        words = R.matmul(a, b, c)
        if reason := dnnl.supported(R.MATMUL, words):
            pytest.skip(reason)
        dnnl.run(R.MATMUL, words, [a, b, c])
        tolerance = 1e-5 if out is np.float32 else 2**-7
        np.testing.assert_allclose(c.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64), rtol=tolerance,
                                   atol=10 * tolerance)  # fmt: skip


def test_f16_is_right_or_declined(dnnl, rng):
    a, b, c = normal(rng, 8, 12).astype(np.float16), normal(rng, 12, 16).astype(np.float16), np.empty((8, 16), np.float16)
    words = R.matmul(a, b, c)
    if dnnl.supported(R.MATMUL, words) is None:
        dnnl.run(R.MATMUL, words, [a, b, c])
        np.testing.assert_allclose(c.astype(np.float64), a.astype(np.float64) @ b.astype(np.float64), rtol=2e-2, atol=2e-2)


def test_f64_is_unsupported_and_says_so(dnnl):
    a = np.zeros((4, 4))
    words = R.matmul(a, a, a)
    assert "f64" in dnnl.supported(R.MATMUL, words)
    for call in (dnnl.create, dnnl.workspace):
        with pytest.raises(R.RuntimeFailure, match="f64") as failure:
            call(R.MATMUL, words)
        assert failure.value.status == R.UNSUPPORTED


def test_other_buffers_in_each_execute(dnnl, threads, rng):
    a, b, c = normal(rng, 30, 20), normal(rng, 20, 10), np.empty((30, 10), np.float32)
    words = R.matmul(a, b, c, pack=R.ANY)
    plan, workspace = dnnl.create(R.MATMUL, words), R.aligned(dnnl.workspace(R.MATMUL, words))
    for _ in range(3):
        a, b, c = normal(rng, 30, 20), normal(rng, 20, 10), np.empty((30, 10), np.float32)
        dnnl.execute(plan, [a, b, c, workspace])
        np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)
        workspace = workspace.copy() if workspace.size == 0 else R.aligned(workspace.size)


def test_a_plan_survives_another_number_of_threads(dnnl, rng):
    """Made for one number, it keeps running with that one; a smaller planned workspace is replaced by its own."""
    a, b, c = normal(rng, 64, 512), normal(rng, 512, 64), np.empty((64, 64), np.float32)
    dnnl.lib.raf_rt_set_num_threads(1)
    words = R.matmul(a, b, c, pack=R.ANY)
    planned = dnnl.workspace(R.MATMUL, words)
    assert planned > 0
    dnnl.lib.raf_rt_set_num_threads(3)
    before = dnnl.memory().current
    too_small = dnnl.create(R.MATMUL, R.matmul(a, b, c, pack=R.ANY, workspace=planned // 2))
    assert dnnl.memory().current > before
    dnnl.lib.raf_rt_set_num_threads(2)
    dnnl.execute(too_small, [a, b, c, None])
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("n", "packed"), [(3072, True), (2048, False), (3000, False)])
def test_b_whose_rows_collide_in_the_cache_is_packed(dnnl, rng, n, packed):
    a, b, c = normal(rng, 64, 128), normal(rng, 128, n), np.empty((64, n), np.float32)
    copies = {pack: dnnl.workspace(R.MATMUL, R.matmul(a, b, c, pack=pack)) for pack in (R.AUTO, R.PLAIN)}
    assert (copies[R.AUTO] - copies[R.PLAIN] >= b.nbytes) == packed
    check(dnnl, a, b, c)


def test_execute_makes_no_runtime_allocation(dnnl, rng):
    a, b, c = normal(rng, 64, 64), normal(rng, 64, 64), np.empty((64, 64), np.float32)
    words = R.matmul(a, b, c, pack=R.ANY)
    plan, workspace = dnnl.create(R.MATMUL, words), R.aligned(dnnl.workspace(R.MATMUL, words))
    before = dnnl.memory()
    for _ in range(10):
        dnnl.execute(plan, [a, b, c, workspace])
    after = dnnl.memory()
    assert (after.allocations, after.current) == (before.allocations, before.current)


def test_execute_within_an_entry_and_its_failure(dnnl, rng):
    a, b, c = normal(rng, 8, 8), normal(rng, 8, 8), np.empty((8, 8), np.float32)
    plan = dnnl.create(R.MATMUL, R.matmul(a, b, c))
    pointers = (ctypes.c_void_p * 4)(R.address(a), R.address(b), R.address(c), R.address(R.aligned(64)))
    wanted = [plan]

    @R.ENTRY
    def entry(ctx, args, arena):
        dnnl.lib.raf_rt_dnnl_execute(ctx, wanted[0], args)

    dnnl.check(dnnl.lib.raf_rt_execute(dnnl.ctx, entry, pointers, None))
    np.testing.assert_allclose(c, a @ b, rtol=1e-5, atol=1e-5)
    wanted[0] = 99
    with pytest.raises(R.RuntimeFailure, match="no plan 99"):
        dnnl.check(dnnl.lib.raf_rt_execute(dnnl.ctx, entry, pointers, None))
    wanted[0] = plan
    dnnl.check(dnnl.lib.raf_rt_execute(dnnl.ctx, entry, pointers, None))


@pytest.mark.parametrize("used", [False, True])
def test_fork(dnnl, used):
    """A child of a process that used the pool runs on one thread, and refuses the parent's plans; neither hangs."""
    code = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
import numpy as np, raf_rt as R
rt = R.Runtime(R.load(R.find_library()))
rt.lib.raf_rt_set_num_threads(2)
a, c = np.ones((128, 128), np.float32), np.empty((128, 128), np.float32)
words = R.matmul(a, a, c)
plan = rt.create(R.MATMUL, words)
if {used}:
    rt.execute(plan, [a, a, c, R.aligned(rt.workspace(R.MATMUL, words))])
child = os.fork()
if child:
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
rt.lib.raf_rt_parallel_for(rt.ctx, R.BODY(lambda *_: None), None, 100, 1)
try:
    rt.execute(plan, [a, a, c, R.aligned(rt.workspace(R.MATMUL, words))])
    message = ""
except R.RuntimeFailure as failure:
    message = str(failure)
threads = rt.lib.raf_rt_get_num_threads()
rt.run(R.MATMUL, words, [a, a, c])
os._exit(0 if ("spawn" in message, threads) == ({used}, 1 if {used} else 2) and (c == 128).all() else 7)
"""
    environment = {**os.environ, "RAF_RUNTIME_LIBRARY": str(R.find_library())}
    # A group of its own, so that a child that hangs is ended with its parent.
    process = subprocess.Popen([sys.executable, "-c", code], env=environment, start_new_session=True)
    try:
        assert process.wait(60) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        pytest.fail("the forked process hangs")
