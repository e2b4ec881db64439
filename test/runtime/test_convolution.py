# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
from __future__ import annotations

import numpy as np
import pytest
import raf_rt as R
from references import Window, apply_post_ops, conv, conv_backward

# src, output channels, window, strides, dilations, padding before, padding after, groups
CASES = {
    "one": ((1, 1, 1, 1), 1, (1, 1), (1, 1), (1, 1), (0, 0), (0, 0), 1),
    "3x3": ((2, 16, 8, 8), 32, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 1),
    "odd channels": ((2, 3, 9, 7), 5, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 1),
    "stem": ((2, 3, 17, 17), 16, (7, 7), (2, 2), (1, 1), (3, 3), (3, 3), 1),
    "pointwise": ((3, 24, 5, 7), 11, (1, 1), (1, 1), (1, 1), (0, 0), (0, 0), 1),
    "pointwise strided": ((2, 32, 9, 9), 64, (1, 1), (2, 2), (1, 1), (0, 0), (0, 0), 1),
    "asymmetric": ((1, 4, 11, 13), 6, (3, 2), (2, 1), (1, 1), (0, 1), (1, 0), 1),
    "dilated": ((2, 8, 12, 13), 8, (3, 3), (1, 1), (2, 3), (2, 3), (2, 3), 1),
    "groups": ((2, 12, 7, 7), 18, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 3),
    "groups of 16": ((2, 32, 7, 7), 32, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 2),
    "depthwise": ((2, 32, 8, 8), 32, (3, 3), (2, 2), (1, 1), (1, 1), (1, 1), 32),
    "depthwise 7": ((1, 7, 8, 8), 7, (5, 5), (1, 1), (1, 1), (2, 2), (2, 2), 7),
    "depthwise parallel": ((2, 64, 24, 20), 64, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 64),
    "deep and small": ((2, 128, 3, 3), 96, (3, 3), (1, 1), (1, 1), (1, 1), (1, 1), 1),
    "rows left over": ((1, 8, 10, 10), 8, (3, 3), (4, 4), (1, 1), (0, 0), (0, 0), 1),
    "1d": ((2, 6, 19), 10, (5,), (2,), (1,), (2,), (1,), 1),
    "1d grouped": ((2, 8, 16), 8, (3,), (1,), (2,), (2,), (2,), 4),
    "3d": ((1, 5, 6, 7, 5), 6, (3, 2, 3), (1, 2, 1), (1, 1, 1), (1, 0, 1), (1, 1, 1), 1),
}
LAYOUTS = ["nchw", "nhwc"]


def placed(array, layout):
    """The same values in a memory order: channels last, or as they are."""
    if layout == "nchw":
        return np.ascontiguousarray(array)
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1)


class Case:
    def __init__(self, name, layout, rng):
        size, outputs, window, strides, dilations, begin, end, self.groups = CASES[name]
        self.window = Window(size[2:], window, strides, dilations, begin, end)
        self.geometry = (strides, dilations, begin, end, self.groups)
        normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)  # noqa: E731
        self.src = placed(normal(*size), layout)
        self.weights = normal(outputs, size[1] // self.groups, *window)
        self.dst = placed(np.full((size[0], outputs, *self.window.out), np.nan, np.float32), layout)
        self.diff = placed(normal(*self.dst.shape), layout)
        self.bias = normal(outputs)
        self.layout = layout

    def words(self, dst=None, weights=None, bias=None, **options):
        return R.convolution(self.src, self.weights if weights is None else weights, self.dst if dst is None else dst,
                             *self.geometry, bias=bias, **options)  # fmt: skip

    def expected(self):
        return conv(self.src, self.weights, self.window, self.groups)

    def gradients(self):
        return conv_backward(self.src, self.weights, self.diff, self.window, self.groups)


@pytest.fixture(params=LAYOUTS)
def layout(request):
    return request.param


@pytest.fixture(params=CASES)
def case(request, layout, rng):
    return Case(request.param, layout, rng)


@pytest.fixture(params=[R.AUTO, R.PLAIN, R.ANY], ids=["auto", "plain", "any"])
def activations(request):
    return request.param


def run_or_skip(rt, kind, words, buffers):
    """Only a layout forced by a test may be declined."""
    if words[-1] == R.PLAIN and (reason := rt.supported(kind, words)):
        pytest.skip(reason)
    return rt.run(kind, words, buffers)


def close(got, expected, terms):
    np.testing.assert_allclose(got, expected, rtol=2e-5, atol=3e-6 * max(16, terms))


def test_forward(dnnl, threads, case, activations):
    words = case.words(activations=activations)
    run_or_skip(dnnl, R.CONV, words, [case.src, case.weights, case.dst])
    close(case.dst, case.expected(), case.weights[0].size)


def test_forward_with_bias_and_relu(dnnl, case):
    ops = [R.op("relu")]
    case.bias[-1], case.bias[0] = -1e30, np.nan
    dnnl.run(R.CONV, case.words(bias=case.bias, ops=ops), [case.src, case.weights, case.dst, case.bias])
    # oneDNN's own relu makes NaN 0.
    assert np.isnan(case.dst[:, 0]).all() and not case.dst[:, 1:][:, -1:].any()
    bias = case.bias.reshape(-1, *[1] * len(case.window.out))
    close(case.dst, apply_post_ops(case.expected() + bias, ops), case.weights[0].size)


def test_backward_data(dnnl, threads, case, activations):
    grad = placed(np.full_like(case.src, np.nan), case.layout)
    words = R.convolution(grad, case.weights, case.diff, *case.geometry, activations=activations)
    run_or_skip(dnnl, R.CONV_DATA, words, [case.diff, case.weights, grad])
    close(grad, case.gradients()[0], case.weights[:, 0].size)


@pytest.mark.parametrize("with_bias", [False, True])
def test_backward_weights(dnnl, threads, case, activations, with_bias):
    grad, bias = np.full_like(case.weights, np.nan), np.full_like(case.bias, np.nan) if with_bias else None
    words = case.words(dst=case.diff, weights=grad, bias=bias, activations=activations)
    run_or_skip(dnnl, R.CONV_WEIGHTS, words, [case.src, case.diff, grad, *([bias] if with_bias else [])])
    terms = case.diff[:, 0].size
    close(grad, case.gradients()[1], terms)
    if with_bias:
        close(bias, case.diff.astype(np.float64).sum((0, *range(2, case.diff.ndim))), terms)


@pytest.mark.parametrize("activations", [R.AUTO, R.PLAIN, R.ANY])
@pytest.mark.parametrize("name", ["3x3", "odd channels", "pointwise", "depthwise", "groups"])
def test_chain_of_post_ops(dnnl, threads, rng, layout, name, activations):
    case = Case(name, layout, rng)
    residual = placed(rng.standard_normal(case.dst.shape, dtype=np.float32), layout)
    other = placed(rng.standard_normal(case.dst.shape, dtype=np.float32), "nchw" if layout == "nhwc" else "nhwc")
    scale = rng.standard_normal((1, case.dst.shape[1], 1, 1), dtype=np.float32)
    ops = [R.op("mul", operand=scale), R.op("add", operand=residual), R.op("clip", 0, 6), R.op("sub", operand=other)]
    words = case.words(bias=case.bias, ops=ops, activations=activations)
    run_or_skip(dnnl, R.CONV, words, [case.src, case.weights, case.dst, case.bias, scale, residual, other])
    expected = apply_post_ops(case.expected() + case.bias.reshape(-1, 1, 1), ops)
    close(case.dst, expected, case.weights[0].size)


@pytest.mark.parametrize("name", ["3x3", "odd channels", "pointwise", "depthwise", "groups"])
def test_sum_accumulates(dnnl, threads, rng, layout, name, activations):
    case = Case(name, layout, rng)
    case.dst[:] = rng.standard_normal(case.dst.shape)
    ops, held = [R.op("sum", 1.0), R.op("relu")], case.dst.astype(np.float64)
    run_or_skip(dnnl, R.CONV, case.words(ops=ops, activations=activations), [case.src, case.weights, case.dst])
    close(case.dst, apply_post_ops(case.expected(), ops, held), case.weights[0].size)


def test_operands_that_broadcast_over_channels(dnnl, rng, layout):
    case = Case("odd channels", layout, rng)
    row = rng.standard_normal((1, 1, 1, case.dst.shape[3]), dtype=np.float32)
    image = rng.standard_normal((case.dst.shape[0], 1, 1, 1), dtype=np.float32)
    ops = [R.op("add", operand=row), R.op("mul", operand=image)]
    dnnl.run(R.CONV, case.words(ops=ops), [case.src, case.weights, case.dst, row, image])
    close(case.dst, apply_post_ops(case.expected(), ops), case.weights[0].size)


def test_weights_in_another_order(dnnl, rng, layout):
    """HWIO weights, seen as OIHW."""
    case = Case("groups", layout, rng)
    case.weights = np.ascontiguousarray(case.weights.transpose(2, 3, 1, 0)).transpose(3, 2, 0, 1)
    dnnl.run(R.CONV, case.words(), [case.src, case.weights, case.dst])
    close(case.dst, case.expected(), case.weights[0].size)


def test_channels_last_activations_are_not_copied(dnnl, rng):
    for name in ("3x3", "pointwise strided", "stem", "depthwise"):
        case = Case(name, "nhwc", rng)
        for kind, buffers in [
            (R.CONV, [case.src, case.weights, case.dst]),
            (R.CONV_DATA, [case.dst, case.weights, case.src]),
            (R.CONV_WEIGHTS, [case.src, case.dst, case.weights]),
        ]:
            description = dnnl.run(kind, case.words(), buffers)
            assert "src" not in description and "dst" not in description, (name, kind, description)


@pytest.mark.parametrize("kind", [R.CONV, R.CONV_DATA, R.CONV_WEIGHTS])
def test_bf16(dnnl, rng, layout, kind):
    bf16 = pytest.importorskip("ml_dtypes").bfloat16
    case = Case("3x3", layout, rng)
    src, weights, dst = (placed(x, layout) for x in (case.src.astype(bf16), case.weights.astype(bf16), case.dst.astype(bf16)))
    diff = placed(case.diff.astype(bf16), layout)
    if kind == R.CONV:
        words, buffers = R.convolution(src, weights, dst, *case.geometry), [src, weights, dst]
    elif kind == R.CONV_DATA:
        words, buffers = R.convolution(src, weights, diff, *case.geometry), [diff, weights, src]
    else:
        weights = case.weights  # the gradient of the weights in f32
        words, buffers = R.convolution(src, weights, diff, *case.geometry), [src, diff, weights]
    if reason := dnnl.supported(kind, words):
        pytest.skip(reason)
    source, given = src.astype(np.float32), diff.astype(np.float32)
    expected = {
        R.CONV: lambda: conv(source, weights.astype(np.float32), case.window, 1),
        R.CONV_DATA: lambda: conv_backward(source, weights.astype(np.float32), given, case.window, 1)[0],
        R.CONV_WEIGHTS: lambda: conv_backward(source, case.weights, given, case.window, 1)[1],
    }[kind]()
    dnnl.run(kind, words, buffers)
    np.testing.assert_allclose(buffers[2].astype(np.float64), expected, rtol=2e-2, atol=0.2)


def test_other_buffers_in_each_execute(dnnl, rng, layout):
    case = Case("groups", layout, rng)
    words = case.words()
    plan, size = dnnl.create(R.CONV, words), dnnl.workspace(R.CONV, words)
    for _ in range(3):
        case = Case("groups", layout, rng)
        dnnl.execute(plan, [case.src, case.weights, case.dst, R.aligned(size)])
        close(case.dst, case.expected(), case.weights[0].size)


def test_blocks_of_all_channels_are_channels_last(dnnl, rng):
    """oneDNN's layout of 16 channels in blocks of 16 is the caller's: nothing is copied, and the workspace holds no second image."""
    src = rng.standard_normal((2, 1, 12, 12), dtype=np.float32)
    weights = rng.standard_normal((16, 1, 3, 3), dtype=np.float32)
    window = Window((12, 12), (3, 3), (1, 1), (1, 1), (1, 1), (1, 1))
    dst, diff = (placed(rng.standard_normal((2, 16, 12, 12), dtype=np.float32), "nhwc") for _ in range(2))
    grad = np.full_like(weights, np.nan)
    geometry = ((1, 1), (1, 1), (1, 1), (1, 1), 1)
    forward, backward = R.convolution(src, weights, dst, *geometry), R.convolution(src, grad, diff, *geometry)
    assert "reorder(dst)" not in dnnl.run(R.CONV, forward, [src, weights, dst])
    assert "reorder(dst)" not in dnnl.run(R.CONV_WEIGHTS, backward, [src, diff, grad])
    assert dnnl.workspace(R.CONV, forward) < dst.nbytes
    close(dst, conv(src, weights, window, 1), 9)
    close(grad, conv_backward(src, weights, diff, window, 1)[1], diff[:, 0].size)
