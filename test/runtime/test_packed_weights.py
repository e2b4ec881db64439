# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Weights in the library's own layouts: made once by a reorder, read by any number of plans, with the results of weights that lie plainly."""

from __future__ import annotations

import numpy as np
import pytest
import raf_rt as R

F32 = R.TYPES["f32"]


def product(dnnl, a, b, c, ops=()):
    operands = [operand for _, _, _, operand in ops if operand is not None]
    return dnnl.run(R.MATMUL, R.matmul(a, b, c, ops=ops), [a, b, c, *operands])


@pytest.mark.parametrize("m,k,n", [(1, 64, 256), (32, 256, 1024), (5, 65, 200), (3, 17, 33)])
def test_products(dnnl, threads, rng, m, k, n):
    a, b = rng.standard_normal((m, k), dtype=np.float32), rng.standard_normal((n, k), dtype=np.float32).T
    c, d, r = np.empty((m, n), np.float32), np.empty((m, n), np.float32), rng.standard_normal((m, n), dtype=np.float32)
    ops = [R.op("add", operand=r), R.op("relu")]
    product(dnnl, a, b, c, ops)
    layout = dnnl.packed(R.MATMUL, R.matmul(a, b, c, ops=ops))
    if not layout:
        pytest.skip("this kernel reads b where it lies")
    packed = dnnl.pack(b, layout)
    assert "reorder" not in product(dnnl, a, packed, d, ops)
    np.testing.assert_allclose(d, c, rtol=1e-5, atol=1e-5)
    assert dnnl.packed(R.MATMUL, R.matmul(a, packed, d)) == []


def test_long_transposed_rows_are_copied_by_the_kernel(dnnl, rng):
    a, b, c = np.zeros((32, 256), np.float32), np.zeros((1024, 256), np.float32).T, np.zeros((32, 1024), np.float32)
    packed, plain = dnnl.packed(R.MATMUL, R.matmul(a, b, c)), R.matmul(a, b, c)
    assert packed
    assert dnnl.workspace(R.MATMUL, R.matmul(a, R.Packed(packed, 0), c)) < dnnl.workspace(R.MATMUL, plain)


def test_batches_share_a_packed_matrix(dnnl, threads, rng):
    a, b = rng.standard_normal((3, 8, 256), dtype=np.float32), rng.standard_normal((512, 256), dtype=np.float32).T
    c = np.empty((3, 8, 512), np.float32)
    layout = dnnl.packed(R.MATMUL, R.matmul(a[0], b, c[0]))
    if not layout:
        pytest.skip("this kernel reads b where it lies")
    product(dnnl, a, dnnl.pack(b, layout), c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("channels,features,size,stride", [(64, 64, 14, 1), (16, 48, 9, 2), (3, 8, 11, 1)])
def test_convolutions(dnnl, threads, rng, channels, features, size, stride, last):
    def activation(*shape):
        array = rng.standard_normal(shape, dtype=np.float32)
        return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1) if last else array

    places = (size - 1) // stride + 1
    x, y = activation(2, channels, size, size), activation(2, features, places, places)
    weights = rng.standard_normal((features, channels, 3, 3), dtype=np.float32)
    rest = ((stride, stride), (1, 1), (1, 1), ((stride * (places - 1) + 3 - size - 1,) * 2))
    for kind, order in ((R.CONV, lambda x, w, y: [x, w, y]), (R.CONV_DATA, lambda x, w, y: [y, w, x])):
        results = []
        layout = dnnl.packed(kind, R.convolution(x, weights, y, *rest))
        for given in (weights, *([dnnl.pack(weights, layout)] if layout else [])):
            src, dst = x.copy(order="K"), y.copy(order="K")
            description = dnnl.run(kind, R.convolution(src, given, dst, *rest), order(src, given, dst))
            assert given is weights or "reorder(weights)" not in description
            results.append(dst if kind == R.CONV else src)
        np.testing.assert_array_equal(results[0], results[-1])


@pytest.mark.parametrize("channels,features", [(64, 64), (16, 48)])
def test_a_gradient_is_written_into_the_blocks_of_the_weights(dnnl, threads, rng, channels, features):
    x, y = (rng.standard_normal((2, n, 9, 9), dtype=np.float32) for n in (channels, features))
    weights, ones = np.zeros((features, channels, 3, 3), np.float32), (1, 1)
    layout = dnnl.packed(R.CONV, R.convolution(x, weights, y, ones, ones, ones, ones))
    if not layout:
        pytest.skip("this kernel reads weights where they lie")
    dnnl.run(R.CONV_WEIGHTS, R.convolution(x, weights, y, ones, ones, ones, ones), [x, y, weights])
    expected, written = dnnl.pack(weights, layout), dnnl.pack(np.zeros_like(weights), layout)
    dnnl.run(R.CONV_WEIGHTS, R.convolution(x, written, y, ones, ones, ones, ones), [x, y, written])
    np.testing.assert_array_equal(written.bytes, expected.bytes)


@pytest.mark.parametrize("channels,features,kernel", [(144, 24, 1), (24, 144, 1), (72, 40, 1), (40, 24, 3)])
def test_blocks_of_narrower_vectors_are_not_taken(dnnl, rng, channels, features, kernel):
    """Blocks of 8 divide these weights where those of the widest vectors do not, but their kernels have narrower vectors."""

    def instructions(channels, features):
        x, y = (np.moveaxis(rng.standard_normal((2, 14, 14, n), dtype=np.float32), -1, 1) for n in (channels, features))
        weights, ones, pad = rng.standard_normal((features, channels, kernel, kernel), dtype=np.float32), (1, 1), (kernel // 2,) * 2
        return dnnl.run(R.CONV, R.convolution(x, weights, y, ones, ones, pad, pad), [x, weights, y]).split(":")[-1].split()[0]

    assert instructions(channels, features) == instructions(64, 64)


@pytest.mark.parametrize("blocked", [False, True])
def test_weights_of_f32_are_rounded_for_activations_of_16_bits(dnnl, threads, rng, blocked):
    bf16 = pytest.importorskip("ml_dtypes").bfloat16
    x, y = (rng.standard_normal((2, n, 9, 9), dtype=np.float32).astype(bf16) for n in (64, 32))
    weights, ones = rng.standard_normal((32, 64, 3, 3), dtype=np.float32), (1, 1)
    if dnnl.supported(R.CONV, R.convolution(x, weights.astype(bf16), y, ones, ones, ones, ones)):
        pytest.skip("this processor has no convolution in bf16")
    given = dnnl.pack(weights, [F32, 4, 32, 64, 3, 3, 4, 9 * 64 * 16, 9 * 256, 3 * 256, 256, 2, 16, 16, 2, 1, 0, 0]) if blocked else weights
    for kind, order in ((R.CONV, lambda x, w, y: [x, w, y]), (R.CONV_DATA, lambda x, w, y: [y, w, x])):
        results = []
        for w in (weights.astype(bf16), given):
            src, dst = x.copy(), y.copy()
            dnnl.run(kind, R.convolution(src, w, dst, ones, ones, ones, ones), order(src, w, dst))
            results.append((dst if kind == R.CONV else src).astype(np.float32))
        np.testing.assert_array_equal(*results)


def test_a_gradient_says_which_blocks_it_would_be_written_into(dnnl, rng):
    x, y = (rng.standard_normal((2, n, 9, 9), dtype=np.float32) for n in (64, 32))
    weights, ones = np.zeros((32, 64, 3, 3), np.float32), (1, 1)
    layout = dnnl.packed(R.CONV_WEIGHTS, R.convolution(x, weights, y, ones, ones, ones, ones))
    assert layout or "reorder(weights)" not in dnnl.run(R.CONV_WEIGHTS, R.convolution(x, weights, y, ones, ones, ones, ones), [x, y, weights])
    if layout:
        packed = dnnl.pack(weights, layout)
        words = R.convolution(x, packed, y, ones, ones, ones, ones)
        assert "reorder(weights)" not in dnnl.run(R.CONV_WEIGHTS, words, [x, y, packed]) and not dnnl.packed(R.CONV_WEIGHTS, words)


def test_blocks_become_other_blocks(dnnl, rng):
    weights = rng.standard_normal((64, 32, 3, 3), dtype=np.float32)
    first, second = ([F32, 4, 64, 32, 3, 3, 4, 9 * 32 * o, 9 * o * i, 3 * o * i, o * i, 2, i, o, 2, 1, 0, 0] for o, i in ((16, 16), (8, 8)))
    stored, other = dnnl.pack(weights, first), dnnl.pack(np.zeros_like(weights), second)
    dnnl.run(R.REORDER, R.reorder(stored, other), [stored, other])
    np.testing.assert_array_equal(other.bytes, dnnl.pack(weights, second).bytes)


def test_a_layout_that_a_plan_does_not_want_is_reordered_inside(dnnl, rng):
    """As in an executable that was made for another machine or number of threads."""
    a, b, c = rng.standard_normal((4, 48), dtype=np.float32), rng.standard_normal((96, 48), dtype=np.float32).T, np.empty((4, 96), np.float32)
    descriptions = []
    for block in (32, 48, 64):
        layout = [F32, 2, 48, 96, 2, 16 * block, 48 * block, 2, 16, block, 2, 0, 1, 0]
        descriptions.append(product(dnnl, a, dnnl.pack(b, layout), c))
        np.testing.assert_allclose(c, a @ b, rtol=1e-4, atol=1e-4)
    assert any("reorder(b)" in description for description in descriptions)


WRONG = {
    "unknown": ([F32, 2, 16, 64, 2, 64, 1024, 1, 7, 1, 1, 0], "no layout with blocks"),
    "no strides": ([F32, 2, 16, 64, 0, 1, 64, 1, 1, 0], "strides"),
    "no dims": ([F32, 2, 16, 64, 2, 64, 1024, 1, 64, 0, 0], "of dims"),
    "no such dim": ([F32, 2, 16, 64, 2, 64, 1024, 1, 64, 1, 5, 0], "no layout"),
    "offset": ([F32, 2, 16, 64, 2, 64, 1024, 1, 64, 1, 1, 64], "begins at element 64"),
    "empty": ([F32, 2, 0, 64, 2, 64, 1024, 1, 64, 1, 1, 0], "without elements"),
}


@pytest.mark.parametrize("name", WRONG)
def test_layouts_that_make_no_sense(dnnl, name):
    layout, message = WRONG[name]
    a, c = np.zeros((4, layout[2]), np.float32), np.zeros((4, layout[3]), np.float32)
    words = R.matmul(a if layout[2] else np.zeros((4, 1), np.float32), R.Packed(layout, 0), c)
    assert message in (dnnl.supported(R.MATMUL, words) or "")


def test_only_weights_may_be_packed(dnnl):
    layout = [F32, 2, 16, 64, 2, 64, 1024, 1, 64, 1, 1, 0]
    a, c = np.zeros((64, 16), np.float32), np.zeros((64, 64), np.float32)
    assert "only weights may be packed" in dnnl.supported(R.MATMUL, R.matmul(R.Packed(layout, 0), a, c))
    image, weights = np.zeros((2, 32, 8, 8), np.float32), [F32, 4, 32, 16, 3, 3, 4, 2304, 2304, 768, 256, 2, 16, 16, 2, 1, 0, 0]
    ones = (1, 1)
    for kind in (R.CONV, R.CONV_DATA, R.CONV_WEIGHTS):
        words = R.convolution(image, R.Packed(weights, 0), image, ones, ones, ones, ones, groups=2)
        assert "one group" in (dnnl.supported(kind, words) or "")


def test_a_column_major_result_has_no_place_for_a_packed_b(dnnl):
    layout = [F32, 2, 16, 64, 2, 64, 1024, 1, 64, 1, 1, 0]
    a, c = np.zeros((8, 16), np.float32), np.zeros((64, 8), np.float32).T
    assert "row-major" in (dnnl.supported(R.MATMUL, R.matmul(a, R.Packed(layout, 0), c)) or "")
