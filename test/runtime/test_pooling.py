# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import numpy as np
import pytest
import raf_rt as R
from references import AVERAGE_INSIDE, AVERAGE_WINDOW, MAX, Window, pool, pool_backward
from test_convolution import placed

# src, window, strides, dilations, padding before, padding after
CASES = {
    "one": ((1, 1, 1, 1), (1, 1), (1, 1), (1, 1), (0, 0), (0, 0)),
    "halve": ((2, 16, 8, 8), (2, 2), (2, 2), (1, 1), (0, 0), (0, 0)),
    "stem": ((2, 32, 11, 13), (3, 3), (2, 2), (1, 1), (1, 1), (1, 1)),
    "parallel": ((4, 33, 40, 39), (3, 3), (2, 2), (1, 1), (1, 1), (1, 1)),
    "odd": ((3, 5, 7, 9), (3, 2), (1, 2), (1, 1), (1, 0), (0, 1)),
    "global": ((2, 19, 7, 7), (7, 7), (1, 1), (1, 1), (0, 0), (0, 0)),
    "left over": ((1, 3, 10, 10), (3, 3), (4, 4), (1, 1), (0, 0), (0, 0)),
    "dilated": ((1, 8, 12, 12), (3, 3), (1, 1), (2, 2), (2, 2), (2, 2)),
    "1d": ((2, 6, 21), (3,), (2,), (1,), (1,), (0,)),
    "3d": ((1, 4, 6, 7, 5), (2, 3, 2), (2, 1, 2), (1, 1, 1), (0, 1, 0), (0, 1, 1)),
}
MODES = {"max": MAX, "inside": AVERAGE_INSIDE, "window": AVERAGE_WINDOW}


@pytest.fixture(params=["nchw", "nhwc"])
def layout(request):
    return request.param


@pytest.mark.parametrize("mode", MODES.values(), ids=MODES)
@pytest.mark.parametrize("name", CASES)
def test_forward_and_backward(dnnl, threads, rng, layout, name, mode):
    size, *geometry = CASES[name]
    window = Window(size[2:], *geometry)
    # Few distinct values, so that windows hold equal maxima.
    values = rng.integers(-3, 4, size) if mode == MAX else rng.standard_normal(size)
    src = placed(values.astype(np.float32), layout)
    dst = placed(np.full((*size[:2], *window.out), np.nan, np.float32), layout)
    indices = mode == MAX
    words = R.pooling(mode, src, dst, *geometry, indices=indices)
    if "dilated" in name and (reason := dnnl.supported(R.POOL, words)):
        pytest.skip(reason)
    saved = [R.aligned(dnnl.buffer_bytes(R.POOL, words)[2])] if indices else []
    dnnl.run(R.POOL, words, [src, dst, *saved])
    np.testing.assert_allclose(dst, pool(mode, src, window), rtol=1e-5, atol=1e-6)

    diff = placed(rng.standard_normal(dst.shape, dtype=np.float32), layout)
    grad = placed(np.full(size, np.nan, np.float32), layout)
    assert not indices or dnnl.buffer_bytes(R.POOL_BACKWARD, words)[1] == saved[0].size
    dnnl.run(R.POOL_BACKWARD, words, [diff, *saved, grad])
    np.testing.assert_allclose(grad, pool_backward(mode, src, diff, window), rtol=1e-5, atol=1e-5)


def test_maximum_without_indices(dnnl, rng, layout):
    size, *geometry = CASES["stem"]
    window = Window(size[2:], *geometry)
    src = placed(rng.standard_normal(size, dtype=np.float32), layout)
    dst = placed(np.empty((*size[:2], *window.out), np.float32), layout)
    dnnl.run(R.POOL, R.pooling(MAX, src, dst, *geometry), [src, dst])
    np.testing.assert_array_equal(dst, pool(MAX, src, window).astype(np.float32))


def test_layouts_may_differ(dnnl, rng):
    size, *geometry = CASES["stem"]
    window = Window(size[2:], *geometry)
    src = placed(rng.standard_normal(size, dtype=np.float32), "nhwc")
    dst = np.empty((*size[:2], *window.out), np.float32)
    dnnl.run(R.POOL, R.pooling(MAX, src, dst, *geometry), [src, dst])
    np.testing.assert_array_equal(dst, pool(MAX, src, window).astype(np.float32))
