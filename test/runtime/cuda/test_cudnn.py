# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Batch normalization, pooling and attention of cuDNN on the simulated GPU against NumPy."""

from __future__ import annotations

import contextlib
import ctypes

import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R
from references import Window, batch_norm, batch_norm_backward, pool, pool_backward
from test_cudnn_convolution import BF16, close, placed


def run(sim, kind, words, arrays):
    """Runs a plan on pairs of an array and whether it is a result, which is overwritten, in the order of its buffers."""
    sizes = sim.buffer_bytes(kind, words)
    assert sizes[:-1] == [x.nbytes for x, _ in arrays]
    addresses = [sim.upload_view(x) for x, _ in arrays]
    sim.execute(sim.create(kind, words), [*addresses, sim.alloc(sizes[-1])])
    for (result, written), address in zip(arrays, addresses):
        if written:
            sim.download_view(result, address)


def execute(sim, kind, words, inputs, results):
    run(sim, kind, words, [*((x, False) for x in inputs), *((x, True) for x in results)])


def normal(rng, *shape, dtype=np.float32, last=False):
    return placed(rng.standard_normal(shape).astype(dtype), last)


@pytest.mark.parametrize("sizes", [(), (7,), (5, 4), (2, 3, 2)])
@pytest.mark.parametrize("dtype, channels", [(np.float32, 4), (BF16, 8)])
def test_batch_norm(sim, rng, sizes, dtype, channels):
    shape = (6, channels, *sizes)
    x, dy = (normal(rng, *shape, dtype=dtype, last=True) for _ in range(2))
    y, dx = (placed(np.zeros(shape, dtype), True) for _ in range(2))
    scale, shift, mean, rstd, dscale, dshift = (normal(rng, shape[1]) for _ in range(6))
    execute(sim, C.NORM, C.batch_norm(x, y, 1e-3), (x, scale, shift), (y, mean, rstd))
    wide = x.astype(np.float64)
    axes = tuple(i for i in range(len(shape)) if i != 1)
    close(y, batch_norm(wide, scale, shift, 1e-3)[0], 4)
    close(mean, wide.mean(axes), 4)
    close(rstd, 1 / np.sqrt(wide.var(axes) + 1e-3), 4)
    execute(sim, C.NORM_GRAD, C.batch_norm(x, dy), (x, dy, scale, mean, rstd), (dx, dscale, dshift))
    expected = batch_norm_backward(wide, scale, dy.astype(np.float64), 1e-3)
    for got, wanted in zip((dx, dscale, dshift), expected):
        close(got, wanted, 64)


def test_statistics_in_f32_do_not_refuse_tensor_cores(sim, rng, monkeypatch):
    """The engine of the stand-in that rounds f32 rounds no data of 16 bits, whatever is f32 beside it."""
    monkeypatch.setenv("RAF_SIM_CUDNN_ENGINES", "rounding")
    for dtype in (BF16, np.float32):
        x, y = (normal(rng, 4, 8, 5, 2, dtype=dtype, last=True) for _ in range(2))
        for kind in (C.NORM, C.NORM_GRAD):
            if dtype is BF16:
                sim.create(kind, C.batch_norm(x, y))
                continue
            with pytest.raises(R.RuntimeFailure, match="left out were engines that round f32 to tf32"):
                sim.create(kind, C.batch_norm(x, y))


def test_a_plan_keeps_only_what_was_chosen(sim, cuda_lib, sim_folder, rng):
    """Tensors (one is the number epsilon), operation, graph, configuration and plan: none of the engines that were refused."""
    alive = ctypes.CDLL(str(sim_folder / "libcudnn.so.9")).raf_sim_cudnn_descriptors
    alive.restype = ctypes.c_int64
    before = alive()
    x, y = (normal(rng, 4, 8, 5, 2, last=True) for _ in range(2))
    with contextlib.closing(C.Device(cuda_lib, "cuda-sim")) as device:
        device.create(C.NORM, C.batch_norm(x, y))
        assert alive() - before == 7 + 4
    assert alive() == before


POOLS = {
    "halves": ((2, 3, 8, 6), (2, 2), (2, 2), (0, 0), (0, 0)),
    "overlapping": ((1, 4, 7, 7), (3, 3), (2, 2), (1, 1), (1, 1)),
    "padded at the end": ((1, 2, 6, 5), (3, 2), (2, 2), (0, 0), (1, 1)),
    "1d": ((2, 3, 9), (3,), (2,), (1,), (1,)),
    "3d": ((1, 2, 4, 5, 6), (2, 2, 2), (2, 1, 2), (0, 0, 0), (0, 0, 0)),
}


@pytest.mark.parametrize("mode", [1, 2, 3])
@pytest.mark.parametrize("name", POOLS)
def test_pools(sim, rng, name, mode):
    shape, size, strides, begin, end = POOLS[name]
    window = Window(shape[2:], size, strides, (1,) * len(size), begin, end)
    # Few different values, so that maxima are shared: the first of them has the gradient.
    x = placed(rng.integers(-3, 3, shape).astype(BF16), True)
    y, dy, dx = placed(np.zeros((*shape[:2], *window.out), BF16), True), normal(rng, *shape[:2], *window.out, dtype=BF16, last=True), placed(np.zeros(shape, BF16), True)
    indices = [placed(np.zeros(y.shape, np.int8), True)] if mode == 1 else []
    words = R.pooling(mode, x, y, size, strides, (1,) * len(size), begin, end, indices=bool(indices))
    execute(sim, C.POOL, words, (x,), (y, *indices))
    wide = x.astype(np.float32, order="C")
    close(y, pool(mode, wide, window), 1)
    execute(sim, C.POOL_GRAD, words, (dy, *indices), (dx,))
    close(dx, pool_backward(mode, wide, dy.astype(np.float32), window), 4)
    # Of f32 it has results alone.
    x, y = placed(wide, True), placed(np.zeros(y.shape, np.float32), True)
    execute(sim, C.POOL, R.pooling(mode, x, y, size, strides, (1,) * len(size), begin, end), (x,), (y,))
    close(y, pool(mode, x, window), 1)


def test_a_maximum_with_nan_is_nan(sim):
    x, y = placed(np.array([1, np.nan, 2, 0], np.float32).reshape(1, 1, 2, 2), True), placed(np.zeros((1, 1, 1, 1), np.float32), True)
    execute(sim, C.POOL, R.pooling(1, x, y, (2, 2), (2, 2), (1, 1), (0, 0), (0, 0)), (x,), (y,))
    assert np.isnan(y).all()


def attention(q, k, v, dy, scale, bias=None, causal=False):
    """The result, the statistics and the gradients, in f64."""
    q, k, v, dy = (x.astype(np.float64) for x in (q, k, v, dy))
    group = q.shape[1] // k.shape[1]
    wide_k, wide_v = np.repeat(k, group, 1), np.repeat(v, group, 1)
    scores = scale * q @ wide_k.swapaxes(-1, -2)
    if bias is not None:
        scores = scores + bias.astype(np.float64)
    if causal:
        t, s = scores.shape[-2:]
        scores = np.where(np.arange(s) <= np.arange(t)[:, None] + s - t, scores, -np.inf)
    lse = np.log(np.exp(scores).sum(-1))
    p = np.exp(scores - lse[..., None])
    y = p @ wide_v
    ds = p * (dy @ wide_v.swapaxes(-1, -2) - (dy * y).sum(-1, keepdims=True)) * scale
    gather = lambda x: x.reshape(x.shape[0], k.shape[1], group, *x.shape[2:]).sum(2)
    return y, lse, ds @ wide_k, gather(ds.swapaxes(-1, -2) @ q), gather(p.swapaxes(-1, -2) @ dy)


@pytest.mark.parametrize("heads,keys", [(2, 2), (4, 2)])
@pytest.mark.parametrize("dtype", [BF16, np.float16])
@pytest.mark.parametrize("bias,causal", [(None, False), (None, True), ((1, 1), False), ((2, 1), True), ((1, None), True), ((2, None), False)])
def test_attention(sim, rng, heads, keys, dtype, bias, causal):
    """q, k and v are views of [B, T, H, D], as a projection leaves them."""
    view = lambda heads, time: rng.standard_normal((2, time, heads, 8)).astype(dtype).transpose(0, 2, 1, 3)
    q, k, v = view(heads, 5), view(keys, 7), view(keys, 7)
    y, dy = np.zeros((2, heads, 5, 8), dtype), rng.standard_normal((2, heads, 5, 8)).astype(dtype)
    lse = np.zeros((2, heads, 5), np.float32)
    added = [] if bias is None else [rng.standard_normal((bias[0], bias[1] or heads, 5, 7)).astype(dtype)]
    options = {"scale": 0.5, "bias": added[0] if added else None, "causal": causal}
    run(sim, C.ATTENTION, C.attention(q, k, v, y, **options), [(q, 0), (k, 0), (v, 0), (y, 1), (lse, 1), *((x, 0) for x in added)])
    expected, expected_lse, *gradients = attention(q, k, v, dy, **options)
    close(y, expected, 8)
    close(lse, expected_lse, 64)
    results = [np.zeros(x.shape, dtype) for x in (q, k, v)]
    words = C.attention(q, k, v, y, dy, **options)
    run(sim, C.ATTENTION_GRAD, words, [*((x, 0) for x in (q, k, v, y, lse, dy)), *((x, 1) for x in results), *((x, 0) for x in added)])
    for got, wanted in zip(results, gradients):
        close(got, wanted, 64)


def z(*shape, dtype=np.float32, last=False):
    return placed(np.zeros(shape, dtype), last)


H = z(2, 2, 4, 8, dtype=BF16)
ONES = ((2, 2), (2, 2), (1, 1), (0, 0), (0, 0))


@pytest.mark.parametrize(
    "kind,words,status,message",
    [
        (C.NORM, C.batch_norm(z(2, 3, 4), z(2, 3, 5)), R.INVALID, "dst"),
        (C.NORM, C.batch_norm(z(2, 3, 4), z(2, 3, 4, dtype=BF16)), R.UNSUPPORTED, "does not normalize f32 to bf16"),
        (C.NORM, C.batch_norm(z(2, 8, 4, 4), z(2, 8, 4, 4, last=True)), R.UNSUPPORTED, "normalizes activations with channels last"),
        (C.NORM_GRAD, C.batch_norm(z(2, 8, 4, 4), z(2, 8, 4, 4)), R.UNSUPPORTED, "normalizes activations with channels last"),
        (C.NORM, C.batch_norm(z(2, 3, 4, last=True), z(2, 3, 4, last=True)), R.UNSUPPORTED, "vectors of 16 bytes, got 12 bytes"),
        (C.NORM, C.batch_norm(z(2, 3, 4), z(2, 3, 4), -1.0), R.INVALID, "epsilon must be finite"),
        (C.POOL, R.pooling(1, z(2, 3, 4, 4, last=True), z(2, 3, 2, 2, last=True), *ONES, indices=True), R.UNSUPPORTED, "numbers maxima of bf16 and f16, got f32"),
        (C.POOL_GRAD, R.pooling(2, z(2, 3, 4, 4, last=True), z(2, 3, 2, 2, last=True), *ONES), R.UNSUPPORTED, "gradients of pools in bf16 and f16, got f32"),
        (C.POOL, R.pooling(1, z(2, 3, 4, 4), z(2, 3, 2, 2), *ONES), R.UNSUPPORTED, "pool activations with channels last"),
        (C.POOL, R.pooling(1, z(2, 3, 5, 5, last=True), z(2, 3, 2, 2, last=True), (2, 2), (2, 2), (2, 2), (0, 0), (0, 0)), R.UNSUPPORTED, "without dilation"),
        (C.POOL, R.pooling(2, z(2, 3, 4, 4, last=True), z(2, 3, 2, 2, last=True), *ONES, indices=True), R.INVALID, "indices go with maxima"),
        (C.POOL, R.pooling(9, z(2, 3, 4, 4, last=True), z(2, 3, 2, 2, last=True), *ONES), R.INVALID, "unknown mode 9"),
        (C.POOL, R.pooling(1, z(1, 1, 12, 12, last=True), z(1, 1, 1, 1, last=True), (12, 12), (1, 1), (1, 1), (0, 0), (0, 0), indices=True), R.UNSUPPORTED, "at most 127 elements, got 144"),
        (C.POOL_GRAD, R.pooling(1, z(2, 3, 4, 4, last=True), z(2, 3, 2, 2, last=True), *ONES), R.INVALID, "gradient of maxima needs indices"),
        (C.ATTENTION, C.attention(*[z(2, 2, 4, 8)] * 4), R.UNSUPPORTED, "for one of bf16 and f16, got f32"),
        (C.ATTENTION, C.attention(H, H, z(2, 2, 5, 8, dtype=BF16), H), R.INVALID, "do not fit together"),
        (C.ATTENTION, C.attention(*[z(2, 2, 4, 4, dtype=BF16)] * 4), R.UNSUPPORTED, "multiple of 8 numbers and at most 128, got 4"),
        (C.ATTENTION, C.attention(H.swapaxes(2, 3).copy().swapaxes(2, 3), H, H, H), R.UNSUPPORTED, "heads that are contiguous"),
        (C.ATTENTION_GRAD, C.attention(H, H, H, H, z(2, 2, 4, 9, dtype=BF16)), R.INVALID, "gradient"),
        (C.ATTENTION, C.attention(H, H, H, H, bias=z(2, 3, 4, 4, dtype=BF16)), R.INVALID, r"the bias \[2, 3, 4, 4\] cannot be added to scores \[2, 2, 4, 4\]"),
        (C.ATTENTION, C.attention(H, H, H, H, bias=z(1, 1, 4, 4)), R.UNSUPPORTED, "a bias of the type of q to scores, bf16, got f32"),
        (C.ATTENTION, C.attention(z(2, 2, 5, 8, dtype=BF16), H, H, z(2, 2, 5, 8, dtype=BF16), causal=True), R.UNSUPPORTED, "as many keys as queries or more, got 4 and 5"),
    ],
)  # fmt: skip
def test_what_is_refused(sim, kind, words, status, message):
    assert sim.supported(kind, words) is not None
    with pytest.raises(R.RuntimeFailure, match=message) as failure:
        sim.create(kind, words)
    assert failure.value.status == status


def test_masks_need_a_library_that_has_them(sim, monkeypatch):
    monkeypatch.setenv("RAF_SIM_CUDNN_VERSION", "91902")
    sim.create(C.ATTENTION, C.attention(H, H, H, H))
    with pytest.raises(R.RuntimeFailure, match="a bias or a mask needs cuDNN 9.21, this one is 9.19") as failure:
        sim.create(C.ATTENTION, C.attention(H, H, H, H, causal=True))
    assert failure.value.status == R.UNSUPPORTED


@pytest.mark.parametrize("small,what", [(3, "the result of a batch norm"), (6, "the workspace of a batch norm"), (0, "x of a batch norm")])
def test_planted_faults(sim, rng, small, what):
    """A buffer that is smaller than its plan says, which is written or read behind its end."""
    x, scale = normal(rng, 4, 8, 8, 8, last=True), normal(rng, 8)
    words = C.batch_norm(x, x)
    arrays = [x, scale, scale, x, scale, scale, np.zeros(sim.buffer_bytes(C.NORM, words)[-1], np.uint8)]
    addresses = [sim.upload(array) for array in arrays]
    addresses[small] = sim.upload(np.zeros(64, np.float32))
    sim.execute(sim.create(C.NORM, words), addresses)
    with pytest.raises(R.RuntimeFailure, match=what):
        sim.synchronize()
