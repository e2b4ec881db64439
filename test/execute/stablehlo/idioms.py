# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Control flow, random numbers, linear algebra, and what networks are written of."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from cases import BF16, apart, b, bits, case, f, i, value
from jax import lax

L = "control"
case(L, "cond", lambda p, x: lax.cond(p, lambda v: jnp.sin(v), lambda v: v * 2, x), b(), f(4))
case(L, "cond_captures", lambda p, x, y: lax.cond(p, lambda: x @ y, lambda: x - 1), b(), f(3, 3), f(3, 3))
case(L, "switch", lambda k, x: lax.switch(k, [jnp.sin, jnp.cos, jnp.tanh], x), i(lo=0, hi=3), f(4))
case(L, "switch_clamped", lambda k, x: lax.switch(k, [jnp.sin, jnp.cos], x), i(lo=5, hi=7), f(4))
case(L, "fori", lambda x: lax.fori_loop(0, 5, lambda k, v: v * 0.9 + k, x), f(4))
case(L, "fori_unrolled", lambda x: lax.fori_loop(0, 3, lambda k, v: jnp.sin(v), x, unroll=True), f(4))
case(L, "fori_dynamic", lambda n, x: lax.fori_loop(0, n, lambda k, v: jnp.sin(v), x), i(lo=3, hi=6), f(4), diff=False)
case(L, "while", lambda x: lax.while_loop(lambda v: jnp.sum(v) < 50, lambda v: v * 2 + 1, x), f(4, lo=0.1, hi=1), diff=False)
case(L, "while_two_values", lambda x: lax.while_loop(lambda s: s[1] < 7, lambda s: (s[0] * 1.5, s[1] + 2), (x, 0)), f(3), diff=False)
case(L, "scan_sum", lambda x: lax.scan(lambda c, v: (c + v, c * v), jnp.zeros(3), x), f(5, 3))
case(L, "scan_reverse", lambda x: lax.scan(lambda c, v: (c * 0.5 + v, c), jnp.zeros(3), x, reverse=True), f(5, 3))
case(L, "scan_rnn", lambda w, h, x: lax.scan(lambda c, v: (jnp.tanh(c @ w + v), c), h, x), f(3, 3), f(2, 3), f(4, 2, 3))
case(L, "scan_no_input", lambda x: lax.scan(lambda c, _: (jnp.sin(c), c), x, None, length=4), f(3))
case(L, "nested_scan", lambda x: lax.scan(lambda c, v: (lax.scan(lambda d, u: (d * 0.5 + u, None), c, v)[0], c), jnp.float32(0), x), f(3, 4))
case(L, "map", lambda x: lax.map(lambda v: jnp.sin(v) * 2, x), f(5, 3))
case(L, "cond_in_scan", lambda x: lax.scan(lambda c, v: (lax.cond(v > 0, lambda u: u + v, lambda u: u * 0.5, c), c), jnp.float32(1), x), f(6))
case(L, "jit_calls", lambda x: jax.jit(lambda v: jnp.sin(v))(jax.jit(lambda v: v * 2)(x)), f(4))
case(L, "checkpoint", lambda x: jax.checkpoint(lambda v: jnp.sin(jnp.sin(v)))(x), f(4))
case(L, "checkpoint_gradient", lambda x: jax.grad(lambda v: jnp.sum(jax.checkpoint(lambda u: jnp.sin(jnp.sin(u)))(v)))(x), f(4))
case(L, "optimization_barrier", lambda x: lax.optimization_barrier((x * 2, x + 1)), f(4), diff=False)
# Nothing in StableHLO says that a gradient stops.
case(L, "stop_gradient", lambda x: x * lax.stop_gradient(x), f(4), diff=False)
case(L, "custom_jvp", jax.nn.relu6, f(9, lo=-3, hi=8))
case(L, "custom_vjp", lambda x: _clipped(x) * 2, f(5))
case(L, "composite", lambda x: lax.composite(lambda v: jnp.sin(v) * 2, "test.twice_sine")(x), f(4), diff=False)
case(L, "hessian_vector", lambda x, v: jax.jvp(jax.grad(lambda u: jnp.sum(jnp.sin(u) ** 3)), (x,), (v,))[1], f(4), f(4))


@jax.custom_vjp
def _clipped(x):
    return jnp.sin(x)


_clipped.defvjp(lambda x: (jnp.sin(x), x), lambda x, g: (g * jnp.cos(x),))

N = "random"
KEY = bits(2)
case(N, "bits", lambda k: jax.random.bits(k, (5,)), KEY)
case(N, "split", lambda k: jax.random.split(k, 3), KEY)
case(N, "fold_in", lambda k, n: jax.random.fold_in(k, n), KEY, i(lo=0, hi=90))
case(N, "uniform", lambda k: jax.random.uniform(k, (3, 4)), KEY)
case(N, "normal", lambda k: jax.random.normal(k, (3, 4)), KEY)
case(N, "bernoulli", lambda k: jax.random.bernoulli(k, 0.3, (4, 5)), KEY)
case(N, "randint", lambda k: jax.random.randint(k, (9,), 2, 17), KEY)
case(N, "permutation", lambda k: jax.random.permutation(k, 7), KEY)
case(N, "categorical", lambda k, x: jax.random.categorical(k, x), KEY, f(3, 5))
case(N, "dropout", lambda k, x: jnp.where(jax.random.bernoulli(k, 0.7, x.shape), x / 0.7, 0), KEY, f(4, 6))
case(N, "truncated_normal", lambda k: jax.random.truncated_normal(k, -1, 1, (5,)), KEY)
case(N, "philox", lambda s: lax.rng_bit_generator(s, (6,), algorithm=lax.RandomAlgorithm.RNG_PHILOX), bits(4))
case(N, "three_fry", lambda s: lax.rng_bit_generator(s, (6,), algorithm=lax.RandomAlgorithm.RNG_THREE_FRY), bits(4))


def spd(n):
    def make(rng):
        a = rng.uniform(-1, 1, (n, n))
        return (a @ a.T + n * np.eye(n)).astype(np.float32)

    return make


def _decomposed(a, full=False):
    """What does not depend on the signs of the vectors: the singular values, the matrix again, and that the vectors are orthogonal."""
    u, s, vt = jnp.linalg.svd(a, full_matrices=full)
    count = s.shape[-1]
    return s, (u[..., :count] * s[..., None, :]) @ vt[..., :count, :], u.swapaxes(-1, -2) @ u, vt @ vt.swapaxes(-1, -2)


A = "linear_algebra"
case(A, "cholesky", lambda x: lax.linalg.cholesky(x), spd(4))
case(A, "cholesky_batched", lambda x: lax.linalg.cholesky(x), lambda rng: np.stack([spd(3)(rng), spd(3)(rng)]))
for lower in (True, False):
    for left in (True, False):
        for transposed in (True, False):
            case(A, f"triangular_solve_{'lower' if lower else 'upper'}_{'left' if left else 'right'}{'_transposed' if transposed else ''}",
                 functools.partial(lax.linalg.triangular_solve, lower=lower, left_side=left, transpose_a=transposed), spd(3), f(3, 3))
case(A, "triangular_solve_unit", lambda a, x: lax.linalg.triangular_solve(a, x, left_side=True, lower=True, unit_diagonal=True), f(3, 3), f(3, 2))
case(A, "solve_triangular_batched", lambda a, x: lax.linalg.triangular_solve(a, x, left_side=True, lower=True), lambda rng: np.stack([spd(3)(rng), spd(3)(rng)]), f(2, 3, 2))
case(A, "cho_solve", lambda a, x: jax.scipy.linalg.cho_solve((jnp.linalg.cholesky(a), True), x), spd(3), f(3))
case(A, "qr", lambda x: jnp.linalg.qr(x)[1], f(4, 3))
case(A, "eigh", lambda x: jnp.linalg.eigvalsh(x), spd(3))
case(A, "eigh_vectors", lambda x: (lambda w, v: (v * jnp.sin(w)) @ v.T)(*jnp.linalg.eigh(x)), spd(4))
case(A, "svd", lambda x: jnp.linalg.svd(x, compute_uv=False), f(4, 3))
for name, shape, full, dtype in (("thin", (5, 3), False, np.float32), ("full", (5, 3), True, np.float64), ("wide", (2, 3, 5), False, np.float64), ("full_wide", (3, 4), True, np.float32)):
    case(A, f"svd_{name}", functools.partial(_decomposed, full=full), f(*shape, dtype=dtype), diff=not full)
case(A, "svd_low_rank", lambda x, y: _decomposed(x @ y, True), f(6, 2), f(2, 4), diff=False)
case(A, "svd_order_one", lambda x: jnp.linalg.svd(x, compute_uv=False), f(4, 1))
case(A, "svd_qr_iteration", lambda x: lax.linalg.svd(x, compute_uv=False, algorithm=lax.linalg.SvdAlgorithm.QR), f(4, 4), diff=False)
case(A, "pinv", lambda x: jnp.linalg.pinv(x), f(5, 3))
case(A, "qr_f64", lambda x: jnp.linalg.qr(x), f(2, 5, 3, dtype=np.float64))
case(A, "eigh_f64", lambda x: jnp.linalg.eigvalsh(x @ x.T), f(5, 5, dtype=np.float64))
case(A, "lu_solve_f64", lambda a, x: jnp.linalg.solve(a, x), f(12, 12, dtype=np.float64), f(12, 2, dtype=np.float64))
case(A, "lu_solve", lambda a, x: jnp.linalg.solve(a, x), spd(3), f(3))
case(A, "fft", lambda x: jnp.abs(jnp.fft.rfft(x)), f(2, 8))
case(A, "ifft", lambda x: jnp.fft.irfft(jnp.fft.rfft(x) * 2), f(8))


def layer_norm(x, g, o):
    mean, var = jnp.mean(x, -1, keepdims=True), jnp.var(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(var + 1e-5) * g + o


def attention(q, k, v, mask=None):
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(q.shape[-1]).astype(np.float32)
    if mask is not None:
        scores = jnp.where(mask, scores, -1e30)
    return jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)


M = "network"
case(M, "softmax", lambda x: jax.nn.softmax(x), f(3, 5))
case(M, "softmax_axis0", lambda x: jax.nn.softmax(x, axis=0), f(3, 5))
case(M, "softmax_bf16", lambda x: jax.nn.softmax(x), f(3, 6, dtype=BF16))
case(M, "log_softmax", lambda x: jax.nn.log_softmax(x), f(3, 5))
case(M, "layer_norm", layer_norm, f(3, 6), f(6), f(6))
case(M, "rms_norm", lambda x, g: x * lax.rsqrt(jnp.mean(x * x, -1, keepdims=True) + 1e-6) * g, f(3, 6), f(6))
case(M, "standardize", lambda x: jax.nn.standardize(x), f(3, 6))
case(M, "group_norm", lambda x, g: (layer_norm(x.reshape(2, 4, 2, 12), 1.0, 0.0).reshape(2, 4, 24)) * g, f(2, 4, 24), f(24))
case(M, "batch_norm", lambda x, g, o: (x - jnp.mean(x, (0, 1, 2))) * lax.rsqrt(jnp.var(x, (0, 1, 2)) + 1e-5) * g + o, f(2, 3, 3, 4), f(4), f(4))
case(M, "attention", attention, f(2, 4, 2, 3), f(2, 5, 2, 3), f(2, 5, 2, 3))
case(M, "causal_attention", lambda q, k, v: attention(q, k, v, jnp.tril(jnp.ones((4, 4), bool))), f(1, 4, 2, 3), f(1, 4, 2, 3), f(1, 4, 2, 3))
case(M, "dot_product_attention", lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), f(1, 4, 2, 3), f(1, 4, 2, 3), f(1, 4, 2, 3))
case(M, "cross_entropy", lambda x, y: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1)), f(4, 6), i(4, lo=0, hi=6))
case(M, "cross_entropy_one_hot", lambda x, y: -jnp.mean(jnp.sum(jax.nn.one_hot(y, 6) * jax.nn.log_softmax(x), -1)), f(4, 6), i(4, lo=0, hi=6))
case(M, "bce", lambda x, y: jnp.mean(jnp.maximum(x, 0) - x * y + jnp.log1p(jnp.exp(-jnp.abs(x)))), f(6), f(6, lo=0, hi=1))
case(M, "mse", lambda x, y: jnp.mean((x - y) ** 2), f(3, 4), f(3, 4))
case(M, "huber", lambda x: jnp.sum(jnp.where(jnp.abs(x) < 1, 0.5 * x * x, jnp.abs(x) - 0.5)), f(9))
case(M, "mlp", lambda p, q, x: jax.nn.relu(x @ p) @ q, f(4, 8), f(8, 3), f(5, 4))
case(M, "mlp_vmap", lambda w, x: jax.vmap(lambda v: jnp.tanh(w @ v))(x), f(3, 4), f(5, 4))
case(M, "swiglu", lambda x, w, v: jax.nn.silu(x @ w) * (x @ v), f(3, 4), f(4, 6), f(4, 6))
case(M, "conv_block", lambda x, w: jax.nn.relu(lax.conv_general_dilated(x, w, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))).mean((1, 2)), f(2, 5, 5, 2), f(3, 3, 2, 4))
case(M, "lstm_cell", lambda w, h, c, x: _lstm(w, h, c, x), f(7, 16), f(2, 4), f(2, 4), f(2, 3))
case(M, "rope", lambda x: jnp.concatenate([x[..., :2] * np.float32(0.6) - x[..., 2:] * np.float32(0.8), x[..., :2] * np.float32(0.8) + x[..., 2:] * np.float32(0.6)], -1), f(3, 4))
case(M, "positional", lambda x: x + jnp.sin(jnp.arange(5)[:, None] / 10000 ** (jnp.arange(4) / 4)), f(5, 4))
case(M, "clip_by_norm", lambda x: x * jnp.minimum(1.0, 1.0 / jnp.sqrt(jnp.sum(x * x))), f(7))
case(M, "adam", lambda p, g, m, v: p - 0.01 * (0.9 * m + 0.1 * g) / (jnp.sqrt(0.99 * v + 0.01 * g * g) + 1e-8), f(5), f(5), f(5), f(5, lo=0.1), diff=False)
case(M, "gradient_of_mlp", lambda w, x: jax.grad(lambda u: jnp.sum(jnp.tanh(x @ u) ** 2))(w), f(4, 3), f(5, 4))
case(M, "gradient_of_pool", lambda x: jax.grad(lambda u: jnp.sum(jnp.sin(lax.reduce_window(u, -jnp.inf, lax.max, (2, 2), (2, 2), "VALID"))))(x), apart(4, 6), diff=False)
case(M, "gradient_of_conv", lambda x, w: jax.grad(lambda u: jnp.sum(jnp.sin(lax.conv_general_dilated(x, u, (2, 2), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC")))))(w),
     f(2, 5, 5, 2), f(3, 3, 2, 3), diff=False)
case(M, "mixed_precision", lambda w, x: jnp.sum((x.astype(jnp.bfloat16) @ w.astype(jnp.bfloat16)).astype(np.float32) ** 2), f(4, 3), f(5, 4))
case(M, "upsample_nearest", lambda x: jax.image.resize(x, (1, 6, 6, 2), "nearest"), f(1, 3, 3, 2))
case(M, "upsample_bilinear", lambda x: jax.image.resize(x, (1, 6, 6, 2), "bilinear"), f(1, 3, 3, 2))
case(M, "constants", lambda x: x * np.arange(12, dtype=np.float32).reshape(3, 4) + np.float32(np.pi), f(3, 4))
case(M, "scalar_inputs", lambda lr, x: x * lr, value(0.25), f(3))


def _lstm(w, h, c, x):
    gates = jnp.concatenate([h, x], 1) @ w
    i_, f_, g, o = jnp.split(gates, 4, axis=1)
    c = jax.nn.sigmoid(f_) * c + jax.nn.sigmoid(i_) * jnp.tanh(g)
    return jax.nn.sigmoid(o) * jnp.tanh(c), c
