# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import numpy as np
import pytest
import raf_rt as R
from references import batch_norm, batch_norm_backward
from test_convolution import placed

SIZES = [(2, 16, 8, 8), (3, 5, 7, 9), (4, 1, 3, 3), (32, 17, 1, 1), (7, 64), (2, 6, 13), (2, 8, 3, 4, 5), (8, 35, 20, 19)]
EPSILON = 1e-3


@pytest.mark.parametrize("relu", [False, True])
@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("size", SIZES, ids=str)
def test_forward_and_backward(dnnl, threads, rng, size, layout, relu):
    channels = size[1]
    src = placed(rng.standard_normal(size, dtype=np.float32) * 3 + 1, layout)
    scale, shift = rng.standard_normal((2, channels), dtype=np.float32)
    dst = placed(np.full_like(src, np.nan), layout)
    mean, variance = np.full((2, channels), np.nan, np.float32)
    words = R.batch_norm(src, dst, EPSILON, relu)
    mask = [R.aligned(dnnl.buffer_bytes(R.NORM, words)[6])] if relu else []
    dnnl.run(R.NORM, words, [src, scale, shift, dst, mean, variance, *mask])
    expected, expected_mean, expected_variance = batch_norm(src, scale, shift, EPSILON)
    np.testing.assert_allclose(mean, expected_mean, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(variance, expected_variance, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(dst, np.maximum(expected, 0) if relu else expected, rtol=1e-4, atol=1e-4)

    diff = placed(rng.standard_normal(size, dtype=np.float32), layout)
    # By the plan's own output: an element within rounding of 0 may fall on either side.
    seen = diff * (dst > 0) if relu else diff
    src_grad, scale_grad, shift_grad = batch_norm_backward(src, scale, seen, EPSILON)
    # In place: the gradient of src over that of dst.
    got_scale, got_shift = np.full((2, channels), np.nan, np.float32)
    dnnl.run(R.NORM_BACKWARD, words, [src, mean, variance, diff, scale, diff, got_scale, got_shift, *mask])
    np.testing.assert_allclose(got_scale, scale_grad, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(got_shift, shift_grad, rtol=1e-3, atol=1e-3)
    np.testing.assert_allclose(diff, src_grad, rtol=1e-3, atol=1e-3)


@pytest.mark.parametrize("layout", ["nchw", "nhwc"])
@pytest.mark.parametrize("size", [size for size in SIZES if size[1] > 4], ids=str)
def test_relu_keeps_nan(dnnl, rng, size, layout):
    """oneDNN's own fused relu makes NaN 0."""
    channels = size[1]
    src = placed(rng.standard_normal(size, dtype=np.float32), layout)
    scale, shift = rng.standard_normal((2, channels), dtype=np.float32)
    src[-1, 0, ...].flat[-1] = np.nan
    src[0, 1, ...].flat[0] = np.inf
    scale[2], shift[3] = np.nan, np.nan
    dst = placed(np.zeros_like(src), layout)
    mean, variance = np.empty((2, channels), np.float32)
    words = R.batch_norm(src, dst, EPSILON, relu=True)
    dnnl.run(R.NORM, words, [src, scale, shift, dst, mean, variance, R.aligned(dnnl.buffer_bytes(R.NORM, words)[6])])
    assert np.isnan(dst[:, :4]).all()
    expected = batch_norm(src[:, 4:], scale[4:], shift[4:], EPSILON)[0]
    np.testing.assert_allclose(dst[:, 4:], np.maximum(expected, 0), rtol=1e-4, atol=1e-4)


def test_strided_view_goes_through_a_copy(dnnl, rng):
    src = rng.standard_normal((4, 6, 10, 7), dtype=np.float32)[:, ::2]
    dst = np.empty((4, 3, 10, 7), np.float32)
    scale, shift, mean, variance = rng.standard_normal((4, 3), dtype=np.float32)
    dnnl.run(R.NORM, R.batch_norm(src, dst), [src, scale, shift, dst, mean, variance])
    np.testing.assert_allclose(dst, batch_norm(src, scale, shift, 1e-5)[0], rtol=1e-4, atol=1e-4)
