# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Words, ids and counts that make no sense are answered with a message; nothing crashes."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest
import raf_rt as R

SMALL = np.zeros((4, 4), np.float32)
IMAGE = np.zeros((2, 3, 8, 8), np.float32)
POOLED = np.zeros((2, 3, 4, 4), np.float32)
WEIGHTS = np.zeros((5, 3, 3, 3), np.float32)
CONVOLVED = np.zeros((2, 5, 6, 6), np.float32)


def good_plans():
    ones, zeros = (1, 1), (0, 0)
    convolution = R.convolution(IMAGE, WEIGHTS, CONVOLVED, ones, ones, zeros, zeros)
    pooling = R.pooling(1, IMAGE, POOLED, (2, 2), (2, 2), ones, zeros, zeros, indices=True)
    norm = R.batch_norm(IMAGE, IMAGE, relu=True)
    product = R.matmul(SMALL, SMALL, SMALL, SMALL[:1], [R.op("relu"), R.op("add", operand=SMALL)])
    return {R.MATMUL: product, R.CONV: convolution, R.CONV_DATA: convolution, R.CONV_WEIGHTS: convolution, R.POOL: pooling,
            R.POOL_BACKWARD: pooling, R.NORM: norm, R.NORM_BACKWARD: norm, R.REORDER: R.reorder(SMALL, SMALL.T)}  # fmt: skip


KINDS = list(good_plans())


def refuses(rt, kind, words, status=R.INVALID, match=""):
    """All five functions give the same answer."""
    reason = rt.supported(kind, words)
    assert reason and match in reason, reason
    for call in (rt.workspace, rt.buffer_bytes, rt.packed, rt.create):
        with pytest.raises(R.RuntimeFailure) as failure:
            call(kind, words)
        assert failure.value.status == status and str(failure.value) == reason


@pytest.mark.parametrize("kind", KINDS)
def test_the_good_plans_are_good(dnnl, kind):
    assert dnnl.supported(kind, good_plans()[kind]) is None


@pytest.mark.parametrize("kind", KINDS)
def test_truncated_and_extended_words(dnnl, kind):
    words = good_plans()[kind]
    for length in range(len(words)):
        refuses(dnnl, kind, words[:length])
    refuses(dnnl, kind, [*words, 0])


@pytest.mark.parametrize("kind", KINDS)
def test_no_single_wrong_word_crashes(dnnl, kind):
    words = good_plans()[kind]
    for position in range(len(words)):
        for value in (-(1 << 63), -1, 0, 1, 2, 3, 7, 1000, 1 << 31, 1 << 40, (1 << 63) - 1):
            changed = [*words[:position], value, *words[position + 1 :]]
            assert (dnnl.supported(kind, changed) is None) == (
                dnnl.lib.raf_rt_dnnl_workspace(kind, dnnl.words(changed), len(changed), ctypes.byref(ctypes.c_int64())) == R.OK
            )


@pytest.mark.parametrize("kind", KINDS)
def test_random_words(dnnl, kind, rng):
    words = np.array(good_plans()[kind])
    for _ in range(300):
        changed = words.copy()
        places = rng.integers(0, len(words), rng.integers(1, 6))
        changed[places] = rng.integers(-2, 10, len(places))
        dnnl.supported(kind, changed.tolist())


def test_unknown_kinds(dnnl):
    for kind in (0, -1, 10, 1 << 40):
        refuses(dnnl, kind, good_plans()[R.MATMUL], match="unknown kind")


def test_another_schema(dnnl):
    words = good_plans()[R.MATMUL]
    refuses(dnnl, R.MATMUL, [R.SCHEMA + 1, *words[1:]], match="schema")


def test_null_pointers_and_negative_counts(dnnl):
    lib, count = dnnl.lib, ctypes.c_int64()
    words = good_plans()[R.MATMUL]
    array = dnnl.words(words)
    assert lib.raf_rt_dnnl_supported(R.MATMUL, None, 5) == 0
    assert lib.raf_rt_dnnl_supported(R.MATMUL, array, -5) == 0
    assert lib.raf_rt_dnnl_workspace(R.MATMUL, array, len(words), None) == R.INVALID
    assert lib.raf_rt_dnnl_buffers(R.MATMUL, array, len(words), None, 9, ctypes.byref(count)) == R.INVALID
    assert lib.raf_rt_dnnl_buffers(R.MATMUL, array, len(words), array, 2, ctypes.byref(count)) == R.INVALID
    assert "room for 2" in dnnl.error(context=False)
    assert lib.raf_rt_dnnl_packed(R.MATMUL, array, len(words), None, 9, ctypes.byref(count)) == R.INVALID
    assert lib.raf_rt_dnnl_packed(R.MATMUL, None, 9, array, 9, ctypes.byref(count)) == R.INVALID
    assert lib.raf_rt_dnnl_create(None, 0, R.MATMUL, array, len(words)) == R.INVALID
    assert lib.raf_rt_dnnl_execute(None, 0, array) == R.INVALID


def test_plan_ids(dnnl):
    words = good_plans()[R.MATMUL]
    for plan_id in (1, -1, 1 << 50):
        assert dnnl.lib.raf_rt_dnnl_create(dnnl.ctx, plan_id, R.MATMUL, dnnl.words(words), len(words)) == R.INVALID
        assert str(plan_id) in dnnl.error()
    dnnl.create(R.MATMUL, words)
    assert dnnl.lib.raf_rt_dnnl_create(dnnl.ctx, 0, R.MATMUL, dnnl.words(words), len(words)) == R.INVALID
    for plan_id in (1, -1, 1 << 50):
        with pytest.raises(R.RuntimeFailure, match=f"no plan {plan_id}"):
            dnnl.execute(plan_id, [SMALL] * 6)
        assert dnnl.lib.raf_rt_dnnl_describe(dnnl.ctx, plan_id) is None
    assert dnnl.lib.raf_rt_dnnl_execute(dnnl.ctx, 0, None) == R.INVALID


def test_a_null_buffer_is_named(dnnl):
    plan = dnnl.create(R.MATMUL, R.matmul(SMALL, SMALL, SMALL))
    with pytest.raises(R.RuntimeFailure, match="buffer 1 is NULL"):
        dnnl.execute(plan, [SMALL, None, SMALL, None])


def test_shapes_that_do_not_fit(dnnl):
    wide = np.zeros((4, 5), np.float32)
    refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, wide), match="[4, 5]")
    refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, SMALL, bias=wide), match="bias")
    refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, SMALL, ops=[R.op("add", operand=wide)]), match="operand")
    ones, zeros = (1, 1), (0, 0)
    refuses(dnnl, R.CONV, R.convolution(IMAGE, WEIGHTS, POOLED, ones, ones, zeros, zeros), match="do not fit")
    refuses(dnnl, R.CONV, R.convolution(IMAGE, WEIGHTS, CONVOLVED, ones, ones, ones, zeros), match="expected 7")
    refuses(dnnl, R.CONV, R.convolution(IMAGE, WEIGHTS, CONVOLVED, ones, ones, zeros, zeros, groups=2), match="groups")
    refuses(dnnl, R.CONV, R.convolution(IMAGE, WEIGHTS, CONVOLVED, ones, ones, (-1, 0), zeros), match="negative")
    refuses(dnnl, R.CONV, R.convolution(IMAGE, WEIGHTS, CONVOLVED, (1,), ones, zeros, zeros), match="2 elements")
    refuses(dnnl, R.POOL, R.pooling(1, IMAGE, POOLED, (2, 2), (2, 2), ones, (2, 0), zeros), match="padding")
    refuses(dnnl, R.POOL, R.pooling(2, IMAGE, POOLED, (2, 2), (2, 2), ones, zeros, zeros, indices=True), match="indices")
    refuses(dnnl, R.POOL_BACKWARD, R.pooling(1, IMAGE, POOLED, (2, 2), (2, 2), ones, zeros, zeros), match="needs indices")
    refuses(dnnl, R.NORM, R.batch_norm(IMAGE, POOLED), match="dims")
    refuses(dnnl, R.NORM, R.batch_norm(IMAGE, IMAGE, -1.0), match="epsilon")
    refuses(dnnl, R.REORDER, R.reorder(SMALL, wide), match="dims")


def test_memory_that_overlaps_or_is_empty(dnnl):
    repeated = np.broadcast_to(np.float32(1), (4, 4))
    refuses(dnnl, R.MATMUL, R.matmul(repeated, SMALL, SMALL), R.UNSUPPORTED, "share an address")
    overlapping = np.lib.stride_tricks.as_strided(np.zeros(16, np.float32), (4, 4), (4, 4))
    refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, overlapping), R.UNSUPPORTED, "share an address")
    backwards = SMALL[::-1]
    refuses(dnnl, R.MATMUL, R.matmul(backwards, SMALL, SMALL), R.UNSUPPORTED)
    empty = np.zeros((0, 4), np.float32)
    refuses(dnnl, R.MATMUL, R.matmul(empty, SMALL, empty), R.UNSUPPORTED, "without elements")


def test_constants_that_are_not_finite(dnnl):
    for value in (float("nan"), float("inf")):
        refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, SMALL, ops=[R.op("linear", value)]), R.UNSUPPORTED, "finite")


def test_too_many_post_ops(dnnl):
    refuses(dnnl, R.MATMUL, R.matmul(SMALL, SMALL, SMALL, ops=[R.op("relu")] * 17), R.UNSUPPORTED, "17 post-ops")
