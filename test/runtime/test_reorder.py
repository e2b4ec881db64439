# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import itertools

import numpy as np
import pytest
import raf_rt as R


@pytest.mark.parametrize("size", [(1,), (7,), (3, 5), (2, 3, 4), (2, 1, 5, 3), (16, 33, 17), (64, 33, 47), (2, 2, 3, 2, 2)], ids=str)
def test_every_permutation(dnnl, threads, rng, size):
    for order in itertools.permutations(range(len(size))):
        src = rng.standard_normal([size[i] for i in order], dtype=np.float32).transpose(np.argsort(order))
        dst = np.full(size, np.nan, np.float32)
        dnnl.run(R.REORDER, R.reorder(src, dst), [src, dst])
        np.testing.assert_array_equal(dst, src)


def test_views(dnnl, threads, rng):
    src = rng.standard_normal((9, 20), dtype=np.float32)[::2, 1:14:3]
    dst = np.zeros((5, 30), np.float32)
    dnnl.run(R.REORDER, R.reorder(src, dst[:, 3:8]), [src, dst[:, 3:8]])
    np.testing.assert_array_equal(dst[:, 3:8], src)
    assert not dst[:, :3].any() and not dst[:, 8:].any()


@pytest.mark.parametrize("kind", ["float32", "bfloat16", "float16", "int32", "int8", "uint8"])
def test_conversions(dnnl, kind):
    dtype = getattr(pytest.importorskip("ml_dtypes"), kind, None) or np.dtype(kind)
    src = np.array([[0, 1, 2.5, 3.5], [100, 7.25, 126.75, 64]], np.float32)
    dst = np.zeros((2, 4), dtype)
    words = R.reorder(src, dst)
    if reason := dnnl.supported(R.REORDER, words):
        pytest.skip(reason)
    dnnl.run(R.REORDER, words, [src, dst])
    expected = src if np.dtype(dtype).kind not in "iu" else np.rint(src)  # ties to even
    np.testing.assert_array_equal(dst.astype(np.float32), expected.astype(dtype).astype(np.float32))
    back = np.zeros_like(src)
    dnnl.run(R.REORDER, R.reorder(dst, back), [dst, back])
    np.testing.assert_array_equal(back, dst.astype(np.float32))


def test_f64_is_unsupported_and_says_so(dnnl):
    a = np.zeros((2, 2))
    assert "f64" in dnnl.supported(R.REORDER, R.reorder(a, a))
