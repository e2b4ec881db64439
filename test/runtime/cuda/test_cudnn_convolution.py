# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolutions of cuDNN on the simulated GPU against NumPy."""

from __future__ import annotations

import ctypes
import os

import ml_dtypes
import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R
from references import Window, apply_post_ops, conv, conv_backward

BF16 = ml_dtypes.bfloat16
# src, output channels, window, strides, dilations, padding, groups
CASES = {
    "one": ((1, 1, 1, 1), 1, (1, 1), (1, 1), (1, 1), (0, 0), 1),
    "3x3": ((2, 4, 6, 7), 5, (3, 3), (1, 1), (1, 1), (1, 1), 1),
    "stem": ((2, 3, 13, 13), 4, (7, 7), (2, 2), (1, 1), (3, 3), 1),
    "pointwise strided": ((2, 6, 9, 9), 8, (1, 1), (2, 2), (1, 1), (0, 0), 1),
    "dilated": ((1, 3, 12, 13), 4, (3, 3), (1, 1), (2, 3), (2, 3), 1),
    "groups": ((2, 6, 7, 7), 9, (3, 3), (1, 1), (1, 1), (1, 1), 3),
    "depthwise": ((2, 8, 8, 8), 8, (3, 3), (2, 2), (1, 1), (1, 1), 8),
    "rows left over": ((1, 4, 10, 10), 4, (3, 3), (4, 4), (1, 1), (0, 0), 1),
    "1d": ((2, 6, 19), 5, (5,), (2,), (1,), (2,), 1),
    "3d": ((1, 3, 6, 7, 5), 4, (3, 2, 3), (1, 2, 1), (1, 1, 1), (1, 0, 1), 1),
}

ONE = ((1, 1), (1, 1), (1, 1), (1, 1))


def placed(array, last):
    if not last:
        return np.ascontiguousarray(array)
    return np.moveaxis(np.ascontiguousarray(np.moveaxis(array, 1, -1)), -1, 1)


def make(rng, name, last=False, dtype=np.float32):
    shape, outputs, window, strides, dilations, padding, groups = CASES[name]
    w = Window(shape[2:], window, strides, dilations, padding, padding)
    src = placed(rng.standard_normal(shape).astype(dtype), last)
    weights = placed(rng.standard_normal((outputs, shape[1] // groups, *window)).astype(dtype), last)
    dst = placed(rng.standard_normal((shape[0], outputs, *w.out)).astype(dtype), last)
    return src, weights, dst, w, C.convolution(src, weights, dst, strides, dilations, padding, padding, groups), groups


def run(sim, kind, words, inputs, result):
    """Runs the plan on copies of the inputs and writes the result back."""
    sizes = sim.buffer_bytes(kind, words)
    addresses = [sim.upload_view(x) for x in inputs] + [sim.upload_view(result), sim.alloc(sizes[3])]
    assert sizes[:3] == [x.nbytes for x in (*inputs, result)]
    sim.execute(sim.create(kind, words), addresses)
    sim.download_view(result, addresses[2])


def close(actual, expected, depth):
    rtol = {np.dtype(np.float32): 1e-5, np.dtype(BF16): 1e-2, np.dtype(np.float16): 2e-3}[actual.dtype]
    np.testing.assert_allclose(actual.astype(np.float64), expected, rtol=rtol, atol=rtol * depth**0.5)


@pytest.mark.parametrize("last", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_forward_and_gradients(sim, rng, name, last):
    src, weights, dst, window, words, groups = make(rng, name, last)
    expected = conv(src, weights, window, groups)
    data, filters = conv_backward(src, weights, dst, window, groups)
    result = {kind: placed(np.zeros(like.shape, like.dtype), last) for kind, like in ((C.CONV_DATA, src), (C.CONV_WEIGHTS, weights))}
    run(sim, C.CONV_DATA, words, (dst, weights), result[C.CONV_DATA])
    run(sim, C.CONV_WEIGHTS, words, (src, dst), result[C.CONV_WEIGHTS])
    run(sim, C.CONV, words, (src, weights), dst)
    close(dst, expected, 64)
    close(result[C.CONV_DATA], data, 64)
    close(result[C.CONV_WEIGHTS], filters, 256)


@pytest.mark.parametrize("dtype", [BF16, np.float16])
def test_types(sim, rng, dtype):
    src, weights, dst, window, words, groups = make(rng, "3x3", dtype=dtype)
    run(sim, C.CONV, words, (src, weights), dst)
    close(dst, conv(src.astype(np.float64), weights.astype(np.float64), window, groups), 64)


@pytest.mark.parametrize("dtype", [BF16, np.float16])
@pytest.mark.parametrize("channels", [(6, 4), (8, 16)])
def test_sums_of_16_bit_products_are_stored_in_f32(sim, rng, channels, dtype):
    """Exactly: the products of these numbers and their sums have few bits."""
    draw = lambda *shape: placed(rng.integers(-8, 9, shape).astype(dtype), True)
    window = Window((7, 5), (3, 3), (2, 1), (1, 1), (1, 1), (1, 1))
    src, weights, dst = draw(2, channels[0], 7, 5), draw(channels[1], channels[0], 3, 3), draw(2, channels[1], *window.out)
    wide = [x.astype(np.float64) for x in (src, weights, dst)]
    data, filters = conv_backward(*wide, window, 1)
    for kind, inputs, place, expected in [(C.CONV, (src, weights), 2, conv(*wide[:2], window, 1)), (C.CONV_DATA, (dst, weights), 0, data), (C.CONV_WEIGHTS, (src, dst), 1, filters)]:
        tensors = [src, weights, dst]
        tensors[place] = placed(np.zeros(expected.shape, np.float32), True)
        words = C.convolution(*tensors, (2, 1), (1, 1), (1, 1), (1, 1))
        run(sim, kind, words, inputs, tensors[place])
        np.testing.assert_array_equal(tensors[place], expected)


@pytest.mark.parametrize("last,channels,groups", [(True, (3, 8), 1), (True, (8, 5), 1), (True, (8, 8), 2), (False, (8, 8), 1)])
def test_sums_that_are_not_stored_in_f32(sim, last, channels, groups):
    shapes = (1, channels[0], 3, 3), (channels[1], channels[0] // groups, 1, 1), (1, channels[1], 3, 3)
    words = C.convolution(*(placed(np.zeros(shape, dtype), last) for shape, dtype in zip(shapes, (BF16, np.float32, BF16))), (1, 1), (1, 1), (0, 0), (0, 0), groups)
    assert "convolves bf16 to f32 with channels last, in one group, of an even number of channels" in sim.supported(C.CONV_WEIGHTS, words)
    assert "does not convolve bf16 with f32 to bf16" in sim.supported(C.CONV, words)


@pytest.mark.parametrize("activation", [None, "relu", "gelu_erf", "gelu_tanh", "tanh", "logistic", "swish"])
@pytest.mark.parametrize("bias,addend", [(True, False), (False, True), (True, True)])
@pytest.mark.parametrize("dtype", [BF16, np.float16, np.float32])
def test_what_follows_a_convolution(sim, rng, dtype, bias, addend, activation):
    draw = lambda *shape: rng.standard_normal(shape).astype(dtype)
    src, weights, dst = placed(draw(2, 8, 5, 6), True), placed(draw(16, 8, 3, 3) / dtype(4), True), placed(np.zeros((2, 16, 5, 6), dtype), True)
    extras = [draw(16)] * bias + [placed(draw(*dst.shape), True)] * addend
    ops = ([R.op("add", operand=extras[-1])] if addend else []) + ([R.op(activation, 1.0 if activation == "swish" else 0.0)] if activation else [])
    words = C.convolution(src, weights, dst, *ONE, bias=extras[0] if bias else None, ops=ops, tf32=dtype is np.float32)
    sizes = sim.buffer_bytes(C.CONV, words)
    assert sizes[:-1] == [x.nbytes for x in (src, weights, dst, *extras)]
    addresses = [sim.upload_view(x) for x in (src, weights, dst, *extras)]
    sim.execute(sim.create(C.CONV, words), [*addresses, sim.alloc(sizes[-1])])
    sim.download_view(dst, addresses[2])
    wide = conv(src.astype(np.float64), weights.astype(np.float64), Window((5, 6), (3, 3), *ONE), 1)
    wide = apply_post_ops(wide + extras[0].astype(np.float64).reshape(1, -1, 1, 1) if bias else wide, ops)
    np.testing.assert_allclose(dst.astype(np.float64), wide, rtol=2e-2 if dtype is BF16 else 4e-3, atol=2e-2 if dtype is BF16 else 1e-2)


def test_a_fused_plan_is_remembered(sim, rng, monkeypatch, tmp_path):
    """As text, from which the stand-in makes the whole graph again."""
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path))
    src, weights, dst, bias = (placed(rng.standard_normal(shape).astype(BF16), True) for shape in ((1, 8, 3, 3), (8, 8, 1, 1), (1, 8, 3, 3), (8, 1)))
    words = C.convolution(src, weights, dst, (1, 1), (1, 1), (0, 0), (0, 0), bias=bias[:, 0].copy(), ops=[R.op("relu")])
    addresses = [sim.upload_view(x) for x in (src, weights, dst)] + [sim.upload(bias[:, 0].copy()), sim.alloc(sim.buffer_bytes(C.CONV, words)[-1])]
    results = []
    for _ in range(2):
        sim.execute(sim.create(C.CONV, words), addresses)
        sim.download_view(dst, addresses[2])
        results.append(dst.astype(np.float64))
    assert len(list(tmp_path.rglob("*"))) > 1
    np.testing.assert_array_equal(*results)
    assert (results[0] >= 0).all() and results[0].any()


def test_an_engine_without_workspace_is_found(sim, rng):
    src, weights, dst, window, words, groups = make(rng, "3x3")
    words[1] = 16
    plan = sim.create(C.CONV, words)
    addresses = [sim.upload(x) for x in (src, weights, dst)]
    sim.execute(plan, [*addresses, None])
    close(sim.download(addresses[2], dst.shape), conv(src, weights, window, groups), 64)


def test_f32_stays_f32_unless_tf32_is_allowed(sim):
    """Among the library's engines that come first are some that round operands, sum in 16 bits, or change from run to run."""
    src, weights, dst = np.full((1, 8, 1, 1), 1 + 2**-12, np.float32), np.ones((1, 8, 1, 1), np.float32), np.zeros((1, 1, 1, 1), np.float32)
    window = ((1, 1), (1, 1), (0, 0), (0, 0))
    for _ in range(2):
        run(sim, C.CONV, C.convolution(src, weights, dst, *window), (src, weights), dst)
        assert dst[0, 0, 0, 0] == np.float32(8 + 2**-9)
    run(sim, C.CONV, C.convolution(src, weights, dst, *window, tf32=True), (src, weights), dst)
    assert dst[0, 0, 0, 0] == 8
    assert "tf32 is for f32 operands" in sim.supported(C.CONV, C.convolution(*(x.astype(BF16) for x in (src, weights, dst)), *window, tf32=True))


@pytest.mark.parametrize(
    "engines,reason",
    [("rounding", "round f32 to tf32"), ("coarse", "sum in less than f32"), ("varying", "give other results in another run"), ("varying,rounding", "round f32 to tf32, or give")],
)
def test_engines_whose_numerics_are_not_allowed(sim, rng, monkeypatch, engines, reason):
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", engines)
    _, _, _, _, words, _ = make(rng, "3x3")
    with pytest.raises(R.RuntimeFailure, match=f"no engine for cudnn.conv .*left out were engines that {reason}") as failure:
        sim.create(C.CONV, words)
    assert failure.value.status == R.UNSUPPORTED


def test_inside_a_graph(sim, rng):
    src, weights, dst, window, words, groups = make(rng, "3x3")
    plan = sim.create(C.CONV, words)
    addresses = [sim.upload(x) for x in (src, weights, dst)] + [sim.alloc(sim.buffer_bytes(C.CONV, words)[3])]
    sim.check(sim.lib.raf_rt_cuda_capture(sim.ctx, 1, 4))
    for _ in range(3):
        sim.execute_step(lambda args, arena: sim.execute(plan, args), addresses)
        close(sim.download(addresses[2], dst.shape), conv(src, weights, window, groups), 64)
    assert sim.counts().replays == 2


def zeros(*shape, dtype=np.float32, last=False):
    return placed(np.zeros(shape, dtype), last)


HX, HY = zeros(2, 6, 6, 6, dtype=BF16, last=True), zeros(2, 8, 6, 6, dtype=BF16, last=True)
X, W, Y = zeros(2, 4, 6, 6), zeros(8, 4, 3, 3), zeros(2, 8, 6, 6)
FUSED = [zeros(*shape, dtype=BF16, last=True) for shape in ((2, 8, 6, 6), (8, 8, 3, 3), (2, 8, 6, 6))]
NONE = ((1, 1), (1, 1), (0, 0), (0, 0))


@pytest.mark.parametrize(
    "words,status,message",
    [
        (C.convolution(X, W, zeros(2, 8, 5, 6), *ONE), R.INVALID, "dst has spatial size 5 in dim 2, expected 6"),
        (C.convolution(X, zeros(8, 3, 3, 3), Y, *ONE), R.INVALID, "do not fit together"),
        (C.convolution(X, W, Y, (1,), (1,), (1,), (1,)), R.INVALID, "1 window values for 2 spatial dims"),
        (C.convolution(X, W, Y, (0, 1), (1, 1), (1, 1), (1, 1)), R.INVALID, "must be positive"),
        (C.convolution(X, W, zeros(2, 8, 7, 6), (1, 1), (1, 1), (1, 1), (2, 1)), R.UNSUPPORTED, "pads equally on both sides, not by 1 and 2"),
        (C.convolution(X, W, Y, *ONE, bias=zeros(8)), R.UNSUPPORTED, "on tensor cores only: in bf16, f16, or f32 as tf32"),
        (C.convolution(X, W, Y, *ONE, bias=zeros(8), tf32=True), R.UNSUPPORTED, "with channels last, in one group, of a multiple of 4 channels"),
        (C.convolution(HX, zeros(8, 6, 3, 3, dtype=BF16, last=True), HY, *ONE, bias=zeros(8, dtype=BF16)), R.UNSUPPORTED, "of a multiple of 8 channels"),
        # A plane of one element lies either way; that of the others tells. The other way about, a window around one element.
        (C.convolution(zeros(8, 16, 7, 7, dtype=BF16), zeros(32, 16, 7, 7, dtype=BF16), zeros(8, 32, 1, 1, dtype=BF16), *NONE, bias=zeros(32, dtype=BF16)), R.UNSUPPORTED, "with channels last"),
        (C.convolution(zeros(8, 16, 1, 1, dtype=BF16), zeros(32, 16, 3, 3, dtype=BF16), zeros(8, 32, 1, 1, dtype=BF16), *ONE, bias=zeros(32, dtype=BF16)), R.UNSUPPORTED, "with channels last"),
        (C.convolution(*FUSED, *ONE, ops=[R.op("relu", 0.5)]), R.UNSUPPORTED, "followed by relu with a slope of 0 below 0, got 0.5"),
        (C.convolution(*FUSED, *ONE, ops=[R.op("swish", 2.0)]), R.UNSUPPORTED, "followed by swish with a factor of 1, got 2"),
        (C.convolution(X, W, Y, *ONE, bias=zeros(4)), R.INVALID, r"the bias must be \[8\] of f32, got \[4\]"),
        (C.convolution(X, W, Y, *ONE, bias=zeros(8, dtype=BF16)), R.INVALID, "of f32, got .* of bf16"),
        (C.convolution(X, W, Y, *ONE, ops=[R.op("add", operand=placed(Y, True))]), R.UNSUPPORTED, "adds to a convolution what lies as its result"),
        (C.convolution(X, W, Y, *ONE, ops=[R.op("linear", 2.0)]), R.UNSUPPORTED, "a bias, a sum and one of relu, gelu"),
        (C.convolution(X, W, Y, *ONE, ops=[R.op("relu"), R.op("relu")]), R.UNSUPPORTED, "a bias, a sum and one of relu, gelu"),
        (C.convolution(X.astype(np.float64), W.astype(np.float64), Y.astype(np.float64), *ONE), R.UNSUPPORTED, "does not convolve f64"),
        (C.convolution(placed(X, True), W, placed(Y, True), *ONE), R.UNSUPPORTED, "both with channels first or both with channels last"),
    ],
)  # fmt: skip
def test_what_is_refused(sim, words, status, message):
    assert sim.supported(C.CONV, words) is not None
    with pytest.raises(R.RuntimeFailure, match=message) as failure:
        sim.create(C.CONV, words)
    assert failure.value.status == status


def test_gradients_have_no_bias(sim):
    assert "bias and post-ops belong to the forward one" in sim.supported(C.CONV_DATA, C.convolution(X, W, Y, *ONE, bias=zeros(8)))


def test_wrong_buffers(sim, rng):
    src, weights, dst, _, words, _ = make(rng, "3x3")
    plan = sim.create(C.CONV, words)
    x, w, y, space = sim.upload(src), sim.upload(weights), sim.upload(dst), sim.alloc(sim.buffer_bytes(C.CONV, words)[3])
    for buffers, message in [
        ((x, None, y, space), "buffer 1 is NULL"),
        ((x + 4, w, y, space), "buffer 0 is not aligned to 16 bytes"),
        ((x, w, y, None), "the workspace is NULL"),
    ]:
        with pytest.raises(R.RuntimeFailure, match=message):
            sim.execute(plan, buffers)


@pytest.mark.parametrize("what", ["workspace", "dst"])
def test_planted_faults(sim, rng, what):
    src, weights, dst, _, words, _ = make(rng, "3x3")
    small = sim.alloc(256)
    addresses = [sim.upload(src), sim.upload(weights), sim.upload(dst), sim.alloc(sim.buffer_bytes(C.CONV, words)[3])]
    addresses[3 if what == "workspace" else 2] = small
    sim.execute(sim.create(C.CONV, words), addresses)
    with pytest.raises(R.RuntimeFailure, match="the workspace of a convolution" if what == "workspace" else "the result of a convolution"):
        sim.synchronize()


# ---- the stand-in, called as the runtime would if it were wrong ----

TENSOR, WINDOW, FORWARD, POINTWISE, POINTWISE_OP, GRAPH = 17, 1, 10, 0, 13, 15
HANDLE, DATA_TYPE, BOOLEAN, INT64, FLOAT, MODE, FUNCTION, DESC = 0, 1, 2, 3, 4, 7, 14, 15


class Library:
    def __init__(self, sim):
        self.lib = ctypes.CDLL(C.info(sim.lib, "cuda-sim")["libraries"]["cuDNN"]["file"], os.RTLD_LOCAL)
        self.lib.raf_sim_cudnn_complaint.restype = ctypes.c_char_p

    def set(self, desc, name, type, values):
        kind = {HANDLE: ctypes.c_void_p, BOOLEAN: ctypes.c_bool, FUNCTION: ctypes.c_int32, DATA_TYPE: ctypes.c_int32, MODE: ctypes.c_int32, INT64: ctypes.c_int64, FLOAT: ctypes.c_float, DESC: ctypes.c_void_p, 8: ctypes.c_int32}[type]
        return self.lib.cudnnBackendSetAttribute(desc, name, type, ctypes.c_int64(len(values)), (kind * len(values))(*values))

    def make(self, kind, attributes):
        """The descriptor, the status of finalizing it and the complaint."""
        desc = ctypes.c_void_p()
        assert self.lib.cudnnBackendCreateDescriptor(kind, ctypes.byref(desc)) == 0
        for name, (type, values) in attributes.items():
            assert self.set(desc, name, type, values) == 0
        return desc, self.lib.cudnnBackendFinalize(desc), self.lib.raf_sim_cudnn_complaint().decode()

    def tensor(self, dims, id, strides=None, type=0, virtual=False):
        strides = strides or [int(np.prod(dims[i + 1 :])) for i in range(len(dims))]
        return self.make(TENSOR, {900: (INT64, [16]), 901: (DATA_TYPE, [type]), 902: (INT64, dims), 903: (INT64, strides), 906: (INT64, [id]), 907: (BOOLEAN, [virtual])})

    def pointwise(self, mode, x, y, operand=None, compute=0):
        function = self.make(POINTWISE, {0: (FUNCTION, [mode]), 1: (DATA_TYPE, [compute])})
        if function[1]:
            return function
        return self.make(POINTWISE_OP, {750: (DESC, [function[0]]), 751: (DESC, [x]), 753: (DESC, [y]), **({752: (DESC, [operand])} if operand else {})})

    def graph(self, *operations):
        return self.make(GRAPH, {800: (HANDLE, [1]), 801: (DESC, list(operations))})

    def heuristics(self, graph):
        return self.make(4, {200: (8, [3]), 201: (DESC, [graph])})

    def window(self, padding=(1, 1), spatial=2):
        ones = [1, 1]
        return self.make(WINDOW, {100: (DATA_TYPE, [0]), 101: (MODE, [1]), 102: (INT64, ones), 103: (INT64, ones), 104: (INT64, padding),
                                  105: (INT64, padding), 106: (INT64, [spatial])})  # fmt: skip

    def forward(self, x, w, y, window):
        return self.make(FORWARD, {700: (FLOAT, [1]), 701: (FLOAT, [0]), 702: (DESC, [window]), 703: (DESC, [w]), 704: (DESC, [x]), 705: (DESC, [y])})


def test_descriptors_that_do_not_fit(sim):
    dnn = Library(sim)
    x, w, y = dnn.tensor([2, 4, 6, 6], 1)[0], dnn.tensor([8, 4, 3, 3], 2)[0], dnn.tensor([2, 8, 6, 6], 3)[0]
    window = dnn.window()[0]
    assert dnn.forward(x, w, y, window)[1] == 0
    for made, complaint in [
        (dnn.tensor([2, 4], 1), "a tensor of rank 2"),
        (dnn.tensor([2, 4, 6, 6], 1, [1, 1, 1]), "rank 4 with 3 strides"),
        (dnn.tensor([2, 0, 6, 6], 1, [36, 36, 6, 1]), "dimension 0"),
        (dnn.window(spatial=3), "has 2 values for 3 spatial dimensions"),
        (dnn.make(TENSOR, {901: (DATA_TYPE, [0])}), "attribute 900 is not set"),
        (dnn.forward(x, w, dnn.tensor([2, 8, 5, 6], 3)[0], window), "y has size 5 along a spatial dimension, expected 6"),
        (dnn.forward(x, dnn.tensor([8, 3, 3, 3], 2)[0], y, window), "do not fit together"),
        (dnn.forward(x, w, x, window), "do not fit together"),
        (dnn.forward(x, dnn.tensor([8, 4, 3, 3], 1)[0], y, window), "two tensors have one id"),
        (dnn.forward(x, w, y, w), "without a final convolution descriptor"),
        (dnn.forward(dnn.tensor([2, 4, 1, 6, 6], 1)[0], w, y, window), "tensors of different ranks"),
    ]:
        assert made[1] == 2000 and complaint in made[2], (made, complaint)
    assert dnn.set(x, 901, DATA_TYPE, [0]) == 2000  # it is final


def test_graphs_that_do_not_fit(sim):
    dnn, last = Library(sim), [384, 1, 64, 8]
    x, w = dnn.tensor([2, 8, 6, 8], 1, last, 9)[0], dnn.tensor([8, 8, 3, 3], 2, [72, 1, 24, 8], 9)[0]
    between, other, y = (dnn.tensor([2, 8, 6, 8], id, last, type, virtual)[0] for id, type, virtual in ((3, 0, True), (4, 0, True), (5, 9, False)))
    bias, stored = dnn.tensor([1, 8, 1, 1], 6, [8, 1, 8, 8], 9)[0], dnn.tensor([2, 8, 6, 8], 7, last, 9)[0]
    window = dnn.window()[0]
    product = dnn.forward(x, w, between, window)[0]
    plus, relu = dnn.pointwise(0, between, other, bias)[0], dnn.pointwise(100, other, y)[0]
    assert dnn.heuristics(dnn.graph(product, plus, relu)[0])[1] == 0
    first = dnn.forward(dnn.tensor([2, 8, 6, 8], 1, type=9)[0], dnn.tensor([8, 8, 3, 3], 2, type=9)[0], dnn.tensor([2, 8, 6, 8], 3, virtual=True)[0], window)[0]
    for made, status, complaint in [
        (dnn.graph(product), 2000, "tensor 3 is virtual at the edge of a graph"),
        (dnn.graph(product, plus), 2000, "tensor 4 is virtual at the edge of a graph"),
        (dnn.graph(product, relu), 2000, "operation 1 of a graph does not read what the one before it gives"),
        (dnn.graph(dnn.forward(x, w, stored, window)[0], dnn.pointwise(100, stored, y)[0]), 3000, "stores what its operations give each other"),
        (dnn.graph(product, dnn.pointwise(0, between, y, other)[0]), 2000, "tensor 4 is virtual, and no operation gives it"),
        (dnn.graph(product, dnn.pointwise(100, between, dnn.tensor([2, 8, 6, 8], 1, last, 9)[0])[0]), 2000, "two tensors have one id"),
        (dnn.graph(product, product), 3000, "other operations than pointwise ones"),
        (dnn.pointwise(0, between, other), 2000, "a sum without a second operand"),
        (dnn.pointwise(100, between, other, bias), 2000, "an activation with a second operand"),
        (dnn.pointwise(0, between, other, dnn.tensor([1, 4, 1, 1], 6)[0]), 2000, "cannot be broadcast to x"),
        (dnn.pointwise(100, between, bias), 2000, "x and y of a pointwise operation have different dimensions"),
        (dnn.pointwise(999, between, other), 3000, "a pointwise operation of mode 999"),
        (dnn.pointwise(100, between, other, compute=2), 3000, "a compute type other than float"),
        (dnn.heuristics(dnn.graph(first, dnn.pointwise(100, dnn.tensor([2, 8, 6, 8], 3, virtual=True)[0], y)[0])[0]), 3000, "with channels that are not last"),
        (dnn.heuristics(dnn.graph(dnn.pointwise(100, stored, y)[0])[0]), 3000, "a pointwise operation alone"),
    ]:  # fmt: skip
        assert made[1] == status and complaint in made[2], made


def test_graphs_on_scores_that_do_not_fit(sim):
    """Attention, whose scores go through a sum and a mask."""
    dnn = Library(sim)
    q = [dnn.tensor([2, 2, 4, 8], i, type=9)[0] for i in range(1, 5)]
    stats = dnn.tensor([2, 2, 4, 1], 5)[0]
    scores = [dnn.tensor([2, 2, 4, 4], i, virtual=True)[0] for i in (6, 7, 8)]
    other, bias = dnn.tensor([2, 2, 4, 5], 9, virtual=True)[0], dnn.tensor([1, 1, 4, 4], 10, type=9)[0]
    one = lambda id, type: dnn.make(TENSOR, {900: (INT64, [4]), 901: (DATA_TYPE, [type]), 902: (INT64, [1] * 4), 903: (INT64, [1] * 4), 906: (INT64, [id]), 908: (BOOLEAN, [True])})[0]
    shift, fill = one(11, 4), one(12, 0)

    def mask(x, y, mode=303, shift=shift):
        return dnn.make(44, {3000: (DESC, [x]), 3004: (DESC, [shift]), 3005: (DESC, [fill]), 3006: (DESC, [y]), 3007: (FUNCTION, [mode])})

    def attention(*operations, input=6, output=8, **missing):
        held = {} if missing else {2813: (INT64, [output])}
        graph = {2811: (DESC, [dnn.graph(*operations)[0]]), 2812: (INT64, [input]), **held}
        return dnn.make(41, {2800: (DESC, [q[0]]), 2801: (DESC, [q[1]]), 2802: (DESC, [q[2]]), 2803: (DESC, [q[3]]), 2804: (DESC, [stats]), **graph})

    plus, last = dnn.pointwise(0, scores[0], scores[1], bias)[0], mask(scores[1], scores[2])[0]
    assert attention(plus, last)[1] == 0
    for made, status, complaint in [
        (attention(plus, last, output=7), 2000, "a graph on scores gives tensor 8, not 7"),
        (attention(plus, last, input=7), 2000, "operation 0 of a graph on scores does not read what the one before it gives"),
        (attention(last, plus), 2000, "operation 0 of a graph on scores does not read"),
        (attention(plus, last, without=True), 2000, "comes with the ids of its first and its last tensor"),
        (attention(mask(other, dnn.tensor([2, 2, 4, 5], 8, virtual=True)[0])[0], input=9), 2000, "does not read what the one before it gives"),
        (attention(dnn.pointwise(100, scores[0], scores[2])[0]), 3000, "other operations than sums and band masks"),
        (attention(mask(scores[0], dnn.tensor([2, 2, 4, 4], 8)[0])[0]), 2000, "tensor 8 of a graph on scores is not virtual"),
        (attention(dnn.pointwise(0, scores[0], scores[2], scores[1])[0]), 2000, "tensor 7 is virtual, and no operation gives it"),
        (mask(scores[0], scores[1], mode=302), 3000, "compares otherwise than by greater or equal"),
        (mask(scores[0], scores[1], shift=fill), 3000, "the shift of a band mask is an int32"),
        (mask(scores[0], other), 2000, "x and y of a band mask have different dimensions"),
        (dnn.heuristics(dnn.graph(plus)[0]), 2000, "virtual at the edge of a graph"),
    ]:  # fmt: skip
        assert made[1] == status and complaint in made[2], made
