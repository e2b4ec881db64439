# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of cuBLASLt on the simulated GPU against NumPy."""

from __future__ import annotations

import contextlib
import ctypes
import math

import ml_dtypes
import numpy as np
import pytest
import raf_cuda as C
import raf_rt as R

BF16, E4M3, E5M2 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2


def normal(rng, *shape, dtype=np.float32):
    return rng.standard_normal(shape).astype(dtype)


def transposed(array):
    """The same values with the last two dims swapped in memory."""
    return np.ascontiguousarray(array.swapaxes(-1, -2)).swapaxes(-1, -2)


def gelu(x):
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def gelu_derivative(x, h=1e-4):
    return (gelu(x + h) - gelu(x - h)) / (2 * h)


def run(sim, a, b, c, bias=None, execute=True, **options):
    """Runs the product on copies of the arrays, writes c (and bias and aux) back and returns the addresses."""
    words = C.matmul(a, b, c, bias, **options)
    sizes = sim.buffer_bytes(C.MATMUL, words)
    arrays = [x for x in (a, b, c, bias) if x is not None]
    addresses = [sim.upload_view(x) for x in arrays]
    if options.get("aux") or options.get("gradient"):
        addresses.append(sim.alloc(sizes[len(addresses)]))
    addresses.append(sim.alloc(sizes[-1]))
    assert len(sizes) == len(addresses)
    plan = sim.create(C.MATMUL, words)
    if execute:
        sim.execute(plan, addresses)
        for array, address in [(c, addresses[2]), (bias, addresses[3])]:
            if array is not None:
                sim.download_view(array, address)
    return plan, addresses, sizes


def close(actual, expected, depth):
    rtol = {np.dtype(np.float64): 1e-13, np.dtype(np.float32): 1e-5, np.dtype(BF16): 1e-2, np.dtype(np.float16): 2e-3}[actual.dtype]
    np.testing.assert_allclose(actual.astype(np.float64), expected, rtol=rtol, atol=rtol * math.sqrt(depth))


SHAPES = [(1, 1, 1), (1, 7, 5), (7, 1, 5), (7, 5, 1), (2, 3, 4), (13, 17, 19), (64, 48, 80), (9, 10, 200)]  # the last with a workspace
TYPES = [(np.float32, np.float32), (np.float64, np.float64), (BF16, BF16), (np.float16, np.float16), (BF16, np.float32), (np.float16, np.float32)]


@pytest.mark.parametrize("flip", range(8))
@pytest.mark.parametrize("m,n,k", SHAPES)
def test_plain_and_transposed(sim, rng, m, n, k, flip):
    a, b, c = normal(rng, m, k), normal(rng, k, n), np.zeros((m, n), np.float32)
    a, b, c = (transposed(x) if flip >> i & 1 else x for i, x in enumerate((a, b, c)))
    run(sim, a, b, c)
    close(c, a.astype(np.float64) @ b, k)


@pytest.mark.parametrize("given,result", TYPES)
def test_types(sim, rng, given, result):
    a, b, c = normal(rng, 9, 33, dtype=given), normal(rng, 33, 10, dtype=given), np.zeros((9, 10), result)
    run(sim, a, b, c)
    close(c, a.astype(np.float64) @ b.astype(np.float64), 33)


def test_tf32_rounds_the_operands(sim):
    a, c = np.full((1, 1), 1 + 2**-12, np.float32), np.zeros((1, 1), np.float32)
    run(sim, a, np.ones((1, 1), np.float32), c, tf32=True)
    assert c[0, 0] == 1
    run(sim, a, np.ones((1, 1), np.float32), c)
    assert c[0, 0] == np.float32(1 + 2**-12)


@pytest.mark.parametrize("flip", range(4))
def test_batched_with_broadcast(sim, rng, flip):
    for batch_a, batch_b, batch_c in [((3,), (3,), (3,)), ((2, 5), (2, 5), (2, 5)), ((4,), (1,), (4,)), ((1,), (4,), (4,)),
                                      ((2, 3), (1, 1), (2, 3)), ((1, 1, 3), (1, 1, 3), (1, 1, 3))]:  # fmt: skip
        a, b = normal(rng, *batch_a, 11, 6), normal(rng, *batch_b, 6, 13)
        a, b = transposed(a) if flip & 1 else a, transposed(b) if flip & 2 else b
        c = np.zeros((*batch_c, 11, 13), np.float32)
        run(sim, a, b, c)
        close(c, a.astype(np.float64) @ b, 6)


def test_split_heads(sim, rng):
    """Attention on [B, T, H, D] storage seen as [B, H, T, D], one product a sequence."""
    t, h, d = 7, 3, 4
    q, k, v = (normal(rng, 1, t, h, d).transpose(0, 2, 1, 3) for _ in range(3))
    scores, merged = np.zeros((1, h, t, t), np.float32), np.zeros((1, t, h, d), np.float32).transpose(0, 2, 1, 3)
    run(sim, q, k.swapaxes(-1, -2), scores)
    run(sim, scores, v, merged)
    close(merged, (q.astype(np.float64) @ k.swapaxes(-1, -2)) @ v, 28)


def test_views_with_gaps_leave_them_alone(sim, rng):
    a, b = normal(rng, 20, 40)[::2, 3:23], normal(rng, 20, 30)[:, 5:18]
    c = np.full((10, 20), 7, np.float32)
    run(sim, a, b, c[:, 4:17])
    close(c[:, 4:17], a.astype(np.float64) @ b, 20)
    assert (c[:, :4] == 7).all() and (c[:, 17:] == 7).all()


def test_unaligned_addresses_take_another_algorithm(sim, rng):
    a, b = normal(rng, 3, 5, dtype=BF16), normal(rng, 5, 4, dtype=BF16)
    c = np.zeros(13, BF16)[1:].reshape(3, 4)
    assert run(sim, a, b, c)[1][2] % 16 == 2
    close(c, a.astype(np.float64) @ b.astype(np.float64), 5)


@pytest.mark.parametrize("given,result", [t for t in TYPES if t[0] is not np.float64])
@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("activation", [None, "relu", "gelu"])
def test_bias_accumulation_and_activation(sim, rng, activation, batch, given, result):
    a, b, bias = normal(rng, *batch, 6, 9, dtype=given), normal(rng, *batch, 9, 11, dtype=given), normal(rng, 11, dtype=result)
    c = normal(rng, *batch, 6, 11, dtype=result)
    expected = a.astype(np.float64) @ b.astype(np.float64) + bias.astype(np.float64)
    plain = c.copy()
    run(sim, a, b, plain, bias, activation=activation)
    function = {None: lambda x: x, "relu": lambda x: np.maximum(x, 0), "gelu": gelu}[activation]
    close(plain, function(expected), 9)
    expected = 0.5 * (a.astype(np.float64) @ b.astype(np.float64)) + bias.astype(np.float64) + 2 * c.astype(np.float64)
    run(sim, a, b, c, bias, alpha=0.5, beta=2.0, activation=activation)
    close(c, function(expected), 9)


@pytest.mark.parametrize("batch", [(), (2,)])
def test_an_addend_stays_as_it_is(sim, rng, batch):
    a, b, bias = normal(rng, *batch, 6, 9), normal(rng, *batch, 9, 11), normal(rng, 11)
    c, residual = np.zeros((*batch, 6, 11), np.float32), normal(rng, *batch, 6, 11)
    words = C.matmul(a, b, c, bias, beta=0.5, addend=True, activation="gelu")
    sizes = sim.buffer_bytes(C.MATMUL, words)
    addresses = [*(sim.upload(x) for x in (a, b, c, bias, residual)), sim.alloc(sizes[-1])]
    assert sizes[:5] == [x.nbytes for x in (a, b, c, bias, residual)]
    sim.execute(sim.create(C.MATMUL, words), addresses)
    close(sim.download(addresses[2], c.shape), gelu(a.astype(np.float64) @ b + bias + 0.5 * residual), 9)
    np.testing.assert_array_equal(sim.download(addresses[4], c.shape), residual)


@pytest.mark.parametrize("batch", [(), (2,)])
@pytest.mark.parametrize("activation", ["relu", "gelu"])
@pytest.mark.parametrize("n", [8, 11, 130])
def test_a_gradient_reads_what_the_forward_product_kept(sim, rng, n, activation, batch):
    """y = f(x w + v); the next product's gradient arrives as dy = g u, and dx = (g u) f'(x w + v) with its sum over the rows."""
    m, k = 5, 6
    x, w, v, y = normal(rng, *batch, m, k), normal(rng, *batch, k, n), normal(rng, n), np.zeros((*batch, m, n), np.float32)
    _, addresses, sizes = run(sim, x, w, y, v, activation=activation, aux=True)
    kept = sim.download(addresses[4], sizes[4], np.uint8) if activation == "gelu" and n == 8 else None
    g, u, dx = normal(rng, *batch, m, 4), normal(rng, *batch, 4, n), np.zeros((*batch, m, n), np.float32)
    dv = np.zeros(n, np.float32) if not batch else None
    words = C.matmul(g, u, dx, dv, activation=activation, gradient=True, bias_gradient=None if dv is None else "result")
    plan = sim.create(C.MATMUL, words)
    buffers = [sim.upload(z) for z in (g, u, dx)] + ([] if dv is None else [sim.upload(dv)])
    sim.execute(plan, [*buffers, addresses[4], sim.alloc(sim.buffer_bytes(C.MATMUL, words)[-1])])
    before = x.astype(np.float64) @ w + v
    derivative = (before > 0) if activation == "relu" else gelu_derivative(before)
    expected = (g.astype(np.float64) @ u) * derivative
    close(sim.download(buffers[2], dx.shape), expected, 64)
    if dv is not None:
        close(sim.download(buffers[3], n), expected.sum(0), 64)
    if kept is not None:
        close(kept.view(np.float32).reshape(*batch, m, n), before, k)


@pytest.mark.parametrize("flip", range(4))
@pytest.mark.parametrize("of", ["lhs", "rhs"])
def test_bias_gradient_of_an_operand(sim, rng, of, flip):
    """dw = x^T dy, and the sum of dy over the batch in passing."""
    a, b = normal(rng, 6, 9), normal(rng, 9, 11)
    a, b = transposed(a) if flip & 1 else a, transposed(b) if flip & 2 else b
    c, sums = np.zeros((6, 11), np.float32), np.zeros(11 if of == "rhs" else 6, np.float32)
    run(sim, a, b, c, sums, bias_gradient=of)
    close(c, a.astype(np.float64) @ b, 9)
    close(sums, b.astype(np.float64).sum(0) if of == "rhs" else a.astype(np.float64).sum(1), 9)


def multiply_eight(sim, a, b, c, scales, bias=None, **options):
    words = C.matmul(a, b, c, bias, scales=[s is not None for s in scales], **options)
    sizes = sim.buffer_bytes(C.MATMUL, words)
    given = [x for x in (a, b, c, bias) if x is not None] + [np.float32([s]) for s in scales if s is not None]
    assert sizes[:-1] == [x.nbytes for x in given]
    addresses = [*(sim.upload_view(x) for x in given), sim.alloc(sizes[-1])]
    sim.execute(sim.create(C.MATMUL, words), addresses)
    sim.download_view(c, addresses[2])


@pytest.mark.parametrize("batch", [(), (3,)])
@pytest.mark.parametrize("scales", [(0.5, 4.0), (None, 2.0), (3.0, None), (None, None)])
@pytest.mark.parametrize("left,right,result", [(E4M3, E4M3, BF16), (E4M3, E5M2, np.float32), (E5M2, E4M3, np.float16)])
def test_eight_bits(sim, rng, left, right, result, scales, batch):
    """Both operands lie along the depth: what cuBLASLt calls TN."""
    a, b, c = normal(rng, *batch, 5, 32, dtype=left), transposed(normal(rng, *batch, 32, 16, dtype=right)), np.zeros((*batch, 5, 16), result)
    multiply_eight(sim, a, b, c, scales)
    close(c, (a.astype(np.float64) @ b.astype(np.float64)) * (scales[0] or 1) * (scales[1] or 1), 32 * 8)


def test_eight_bits_with_what_follows(sim, rng):
    a, b, c, bias = normal(rng, 1, 16, dtype=E4M3), transposed(normal(rng, 16, 8, dtype=E4M3)), np.zeros((1, 8), BF16), normal(rng, 8, dtype=BF16)
    expected = 2 * (a.astype(np.float64) @ b.astype(np.float64)) + bias.astype(np.float64)
    for activation, function in ((None, lambda x: x), ("relu", lambda x: np.maximum(x, 0)), ("gelu", gelu)):
        multiply_eight(sim, a, b, c, (2.0, None), bias, activation=activation)
        close(c, function(expected), 16)


def test_every_number_of_eight_bits(sim):
    """Infinities and NaN as well: a column of ones makes each row its own number."""
    for dtype, other in ((E4M3, E4M3), (E5M2, E4M3)):
        a = np.zeros((256, 16), dtype)
        a[:, 0] = np.arange(256, dtype=np.uint8).view(dtype)
        b, c = transposed(np.zeros((16, 4), other)), np.zeros((256, 4), np.float32)
        b[0] = 1
        multiply_eight(sim, a, b, c, (None, None))
        np.testing.assert_array_equal(c[:, 0], a[:, 0].astype(np.float32))


def test_eight_bits_need_a_device_that_has_them(fake, monkeypatch):
    a, b, c = array(16, 16, dtype=E4M3), transposed(array(16, 16, dtype=E4M3)), array(16, 16, dtype=BF16)
    monkeypatch.setenv("FAKE_MAJOR", "8")
    with contextlib.closing(C.Device(fake.lib, "cuda")) as old, pytest.raises(R.RuntimeFailure, match="need a device of sm_89 or later, this one is sm_80") as failure:
        old.create(C.MATMUL, C.matmul(a, b, c))
    assert failure.value.status == R.UNSUPPORTED


def test_eight_bits_want_aligned_addresses(sim, rng):
    a, b, c = (sim.upload(array(16, 16, dtype=dtype)) for dtype in (E4M3, E4M3, BF16))
    plan = sim.create(C.MATMUL, C.matmul(array(16, 16, dtype=E4M3), transposed(array(16, 16, dtype=E4M3)), array(16, 16, dtype=BF16)))
    with pytest.raises(R.RuntimeFailure, match="matrices of 8 bits are not aligned to 16 bytes"):
        sim.execute(plan, [a + 8, b, c, None])


def test_a_missing_scale_is_caught(sim):
    """The scale lies in memory that has been given back."""
    a, b, c, scale = (sim.upload(x) for x in (array(16, 16, dtype=E4M3), array(16, 16, dtype=E4M3), array(16, 16, dtype=BF16), np.float32([1])))
    words = C.matmul(array(16, 16, dtype=E4M3), transposed(array(16, 16, dtype=E4M3)), array(16, 16, dtype=BF16), scales=(True, False))
    plan, space = sim.create(C.MATMUL, words), sim.alloc(sim.buffer_bytes(C.MATMUL, words)[-1])
    sim.free(scale)
    sim.execute(plan, [a, b, c, scale, space])
    with pytest.raises(R.RuntimeFailure, match="a scale of cublasLtMatmul"):
        sim.synchronize()


def array(*shape, dtype=np.float32):
    return np.zeros(shape, dtype)


@pytest.mark.parametrize(
    "arguments,options,status,message",
    [
        ((array(2, 3), array(4, 5), array(2, 5)), {}, R.INVALID, r"a \[2, 3\] times b \[4, 5\] is not c \[2, 5\]"),
        ((array(2, 3), array(3, 5, dtype=BF16), array(2, 5)), {}, R.UNSUPPORTED, "does not multiply f32 and bf16 to f32"),
        ((array(2, 3, dtype=BF16), array(3, 5, dtype=BF16), array(2, 5, dtype=np.float64)), {}, R.UNSUPPORTED, "bf16 and bf16 to f64"),
        ((array(4, 6)[:, ::2], array(3, 5), array(4, 5)), {}, R.UNSUPPORTED, r"a \[4, 3\] has strides \[6, 2\]"),
        ((array(2, 3), array(3, 5), array(4, 10)[::2, ::2]), {}, R.UNSUPPORTED, r"writes matrices with a unit stride"),
        ((array(2, 3, 4, 6), array(2, 1, 6, 5), array(2, 3, 4, 5)), {}, None, ""),
        ((array(2, 1, 4, 6), array(1, 3, 6, 5), array(2, 3, 4, 5)), {}, R.UNSUPPORTED, "takes one batch dimension"),
        ((array(2, 3), array(3, 5), transposed(array(2, 5)), array(5)), {}, R.UNSUPPORTED, "only where the result is contiguous along its columns"),
        ((array(2, 3), array(3, 5), array(2, 5), array(2)), {}, R.INVALID, r"the bias must be \[5\], got \[2\]"),
        ((array(2, 3), array(3, 5), array(2, 5), array(5, dtype=BF16)), {}, R.UNSUPPORTED, "the bias must have the type of the result, f32, got bf16"),
        ((array(2, 3, dtype=np.float64), array(3, 5, dtype=np.float64), array(2, 5, dtype=np.float64)), {"activation": "relu"}, R.UNSUPPORTED, "no activation for f64"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"activation": 9}, R.INVALID, "unknown activation 9"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"addend": True}, R.INVALID, "an addend comes with a beta"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"aux": True}, R.INVALID, "belong to an activation"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"aux": True, "gradient": True, "activation": "relu"}, R.INVALID, "reads aux and writes none"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"bias_gradient": "rhs"}, R.INVALID, "needs a bias to write to"),
        ((array(2, 3), array(3, 5), array(2, 5), array(5)), {"bias_gradient": "result"}, R.INVALID, "goes with the gradient of an activation"),
        ((array(7, 2, 3), array(7, 3, 5), array(7, 2, 5), array(5)), {"bias_gradient": "rhs"}, R.UNSUPPORTED, "does not sum a bias gradient over a batch"),
        ((array(2, 3), array(3, 5), array(2, 5)), {"beta": math.inf}, R.INVALID, "alpha or beta is not finite"),
        ((array(2, 3, dtype=BF16), array(3, 5, dtype=BF16), array(2, 5)), {"tf32": True}, R.INVALID, "tf32 is for f32"),
        ((array(4, 16, dtype=E5M2), transposed(array(16, 16, dtype=E5M2)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, "does not multiply f8E5M2 and f8E5M2 to bf16"),
        ((array(4, 16, dtype=E4M3), transposed(array(16, 16, dtype=BF16)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, "does not multiply f8E4M3FN and bf16"),
        ((array(4, 16, dtype=E4M3), array(16, 16, dtype=E4M3), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, r"along the depth of the product; b \[16, 16\] has strides \[16, 1\]"),
        ((transposed(array(4, 16, dtype=E4M3)), transposed(array(16, 16, dtype=E4M3)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, "along the depth of the product; a"),
        ((np.lib.stride_tricks.as_strided(array(80, dtype=E4M3), (4, 32), (16, 1)), transposed(array(32, 16, dtype=E4M3)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, r"a: elements that share an address, dims \[4, 32\], strides \[16, 1\]"),
        ((array(4, 24, dtype=E4M3), transposed(array(24, 16, dtype=E4M3)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, "whose depth is a multiple of 16 bytes, got 24 elements of f8E4M3FN"),
        ((array(4, 16, dtype=E4M3), transposed(array(16, 12, dtype=E4M3)), array(4, 12, dtype=BF16)), {}, R.UNSUPPORTED, "whose row of the result is a multiple of 16 bytes, got 12 elements of bf16"),
        ((array(4, 24, dtype=E4M3)[:, :16], transposed(array(16, 16, dtype=E4M3)), array(4, 16, dtype=BF16)), {}, R.UNSUPPORTED, "whose leading dimension is a multiple of 16 bytes, got 24"),
        ((array(4, 16, dtype=E4M3), transposed(array(16, 16, dtype=E4M3)), array(4, 16), array(16)), {}, R.UNSUPPORTED, "with a result of 16 bits only"),
        ((array(4, 16, dtype=E4M3), transposed(array(16, 16, dtype=E4M3)), array(4, 16, dtype=BF16)), {"activation": "gelu", "aux": True}, R.UNSUPPORTED, "without what their gradients need"),
        ((array(2, 3, dtype=BF16), array(3, 5, dtype=BF16), array(2, 5)), {"scales": (True, False)}, R.INVALID, "scales belong to operands of 8 bits, got bf16"),
    ],
)  # fmt: skip
def test_what_is_refused(sim, arguments, options, status, message):
    words = C.matmul(*arguments, **options)
    reason = sim.supported(C.MATMUL, words)
    assert (reason is None) == (status is None)
    if status is not None:
        with pytest.raises(R.RuntimeFailure, match=message) as failure:
            sim.create(C.MATMUL, words)
        assert failure.value.status == status


def test_damaged_words(sim):
    words = C.matmul(array(2, 3), array(3, 5), array(2, 5))
    for damaged in (words[:-1], [*words, 0], [9, *words[1:]], []):
        with pytest.raises(R.RuntimeFailure, match="do not encode a plan|no words"):
            sim.create(C.MATMUL, damaged)
    with pytest.raises(R.RuntimeFailure, match="unknown kind of plan for CUDA 3"):
        sim.create(3, words)


def test_the_questions_of_the_compiler_need_no_device(rt, cuda_lib):
    words = C.matmul(array(64, 32), array(32, 16), array(64, 16), array(16))
    sizes, count = (ctypes.c_int64 * 8)(), ctypes.c_int64()
    assert cuda_lib.raf_rt_cuda_buffers(C.MATMUL, rt.words(words), len(words), sizes, 8, ctypes.byref(count)) == R.OK
    assert sizes[: count.value] == [64 * 32 * 4, 32 * 16 * 4, 64 * 16 * 4, 16 * 4, 0]


@pytest.mark.parametrize("rows,depth,columns,bias,expected", [(64, 127, 16, None, 0), (64, 128, 16, None, 2 * 64 * 16 * 4), (64, 4096, 16, None, 16 * 64 * 16 * 4), (8192, 8192, 8192, None, 32 << 20),
                                                              (512, 4, 64, 64, 16 << 10), (64, 4096, 16, 16, 64 << 10), (64, 4096, 8192, 8192, 32 << 20), (64, 4, 8192, 8192, 512 << 10)])  # fmt: skip
def test_the_workspace_of_a_product(rt, cuda_lib, rows, depth, columns, bias, expected):
    """For slices of a long sum, and the parts of a bias gradient, but no less than what the library may want for that: none where a product has a use for neither, so that it is not what a step's memory is at its fullest for."""
    matrices = _Shape((rows, depth)), _Shape((depth, columns)), _Shape((rows, columns))
    words = C.matmul(*matrices, bias and _Shape((bias,)), bias_gradient=bias and "rhs")
    workspace = ctypes.c_int64()
    assert cuda_lib.raf_rt_cuda_workspace(C.MATMUL, rt.words(words), len(words), ctypes.byref(workspace)) == R.OK, cuda_lib.raf_rt_last_error(None)
    assert workspace.value == expected


class _Shape:
    """A dense f32 array that has no memory."""

    def __init__(self, shape):
        self.shape, self.itemsize, self.dtype = shape, 4, np.dtype(np.float32)
        self.strides = tuple(4 * math.prod(shape[i + 1 :]) for i in range(len(shape)))


def test_inside_a_graph(sim, rng):
    a, b, c = normal(rng, 4, 4), normal(rng, 4, 4), np.zeros((4, 4), np.float32)
    plan, addresses, _ = run(sim, a, b, c, beta=1.0)
    sim.check(sim.lib.raf_rt_cuda_capture(sim.ctx, 1, len(addresses)))
    for _ in range(4):
        sim.execute_step(lambda args, arena: sim.execute(plan, args), addresses)
    close(sim.download(addresses[2], (4, 4)), 5 * (a.astype(np.float64) @ b), 4)
    counts = sim.counts()
    assert (counts.captures, counts.replays) == (1, 3)


# ---- planted faults ----


def test_a_wrong_leading_dimension_is_caught(sim, rng):
    """The rows of c are said to lie 16 apart in memory that has them 8 apart."""
    a, b = normal(rng, 4, 8), normal(rng, 8, 8)
    claimed = np.zeros((4, 16), np.float32)[:, :8]
    plan = sim.create(C.MATMUL, C.matmul(a, b, claimed))
    sim.execute(plan, [sim.upload(a), sim.upload(b), sim.upload(array(4, 8)), sim.alloc(16 * 4 * 8 * 4)])
    with pytest.raises(R.RuntimeFailure, match=r"D of cublasLtMatmul"):
        sim.synchronize()


def test_a_too_small_workspace_is_caught(sim, rng):
    plan, addresses, sizes = run(sim, normal(rng, 8, 128), normal(rng, 128, 8), array(8, 8), execute=False)
    sim.execute(plan, [*addresses[:3], sim.alloc(256)])
    with pytest.raises(R.RuntimeFailure, match=r"the workspace of cublasLtMatmul"):
        sim.synchronize()


def test_a_missing_workspace_is_caught(sim, rng):
    plan, addresses, _ = run(sim, normal(rng, 8, 128), normal(rng, 128, 8), array(8, 8), execute=False)
    with pytest.raises(R.RuntimeFailure, match="the workspace is NULL"):
        sim.execute(plan, [*addresses[:3], None])


def test_a_read_of_what_nobody_wrote_is_caught(sim, rng):
    plan, addresses, _ = run(sim, normal(rng, 8, 8), normal(rng, 8, 8), array(8, 8), execute=False)
    sim.execute(plan, [sim.alloc(256), *addresses[1:]])
    with pytest.raises(R.RuntimeFailure, match="A of cublasLtMatmul|B of cublasLtMatmul"):
        sim.synchronize()


def test_a_use_after_free_is_caught(sim, rng):
    plan, addresses, _ = run(sim, normal(rng, 8, 8), normal(rng, 8, 8), array(8, 8), execute=False)
    sim.free(addresses[1])
    sim.execute(plan, addresses)
    with pytest.raises(R.RuntimeFailure, match="cublasLtMatmul"):
        sim.synchronize()
