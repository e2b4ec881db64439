# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators are recognized in what the installed JAX writes for its idioms, what only resembles them is not, and both compute what JAX computes."""

import re

import numpy as np
import pytest

jax = pytest.importorskip("jax")
import jax.numpy as jnp  # noqa: E402
import raf  # noqa: E402
from raf._mlir import ir  # noqa: E402

RNG = np.random.default_rng(0)
X = RNG.normal(size=(5, 8)).astype(np.float32)
X3, CLASSES = RNG.normal(size=(3, 5, 8)).astype(np.float32), np.array([1, 0, 7, 3, 2], np.int32)
Q, K, V = (RNG.normal(size=(2, 6, 4, 8)).astype(np.float32) for _ in range(3))
K2, V2 = K[:, :, :2], V[:, :, :2]
LENGTHS = np.array([3, 6], np.int32)
MASK, BIAS = RNG.random((2, 1, 6, 6)) < 0.7, RNG.normal(size=(2, 4, 6, 6)).astype(np.float32)
TABLE, LABELS = RNG.normal(size=(7, 4)).astype(np.float32), np.array([[0, 6], [3, 2], [5, 5]], np.int32)
KEY = jax.random.key(3)


def layer_norm(x, s, b):
    mean = x.mean(-1, keepdims=True)
    return (x - mean) * jax.lax.rsqrt(((x - mean) ** 2).mean(-1, keepdims=True) + 1e-5) * s + b


def dropout(key, x, rate=0.25):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def attention(q, k, v, between=lambda w: w):
    w = jax.nn.softmax(jnp.einsum("bqhd,bkhd->bhqk", q / np.sqrt(8).astype(np.float32), k))
    return jnp.einsum("bhqk,bkhd->bqhd", between(w), v)


def flax_attention(q, k, v):
    """As flax.linen writes it, with the mask of make_causal_mask: numbers, and the scale in the queries."""
    place = jnp.broadcast_to(jnp.arange(q.shape[1]), q.shape[:2])
    mask = jnp.greater_equal(place[..., :, None], place[..., None, :])[..., None, :, :].astype(jnp.float32)
    w = jnp.einsum("...qhd,...khd->...hqk", q / jnp.sqrt(q.shape[-1]).astype(q.dtype), k)
    w = jax.nn.softmax(jnp.where(mask, w, jnp.finfo(jnp.float32).min)).astype(jnp.float32)
    return jnp.einsum("...hqk,...khd->...qhd", w, v)


def log_likelihood(x, y):
    """optax.softmax_cross_entropy_with_integer_labels."""
    return jax.nn.logsumexp(x, axis=-1) - jnp.take_along_axis(x, y[..., None], axis=-1).take(0, axis=-1)


def soft_cross_entropy(x, p):
    """optax.softmax_cross_entropy."""
    return -jnp.sum(p * jax.nn.log_softmax(x), axis=-1)


def binary_cross_entropy(x, p):
    """optax.sigmoid_binary_cross_entropy."""
    return -p * jax.nn.log_sigmoid(x) - (1 - p) * jax.nn.log_sigmoid(-x)


def flax_norm(x, s, b=None, centered=True):
    """LayerNorm and RMSNorm of Flax, which take the variance as the mean of squares less the square of the mean, but not below 0."""
    mean = jnp.mean(x, -1) if centered else 0.0
    var = jnp.maximum(0.0, jnp.mean(jax.lax.square(x), -1) - jax.lax.square(mean)) if centered else jnp.mean(jax.lax.square(x), -1)
    y = (x - jnp.expand_dims(mean, -1) if centered else x) * (jax.lax.rsqrt(jnp.expand_dims(var, -1) + 1e-6) * s)
    return y if b is None else y + b


def step(f):
    """A function and its gradients as JAX computes them."""
    return lambda *args: jax.value_and_grad(lambda *a: jnp.sum(jnp.sin(f(*a))), tuple(range(len(args))))(*args)


def step_of_first(f):
    return lambda *args: jax.value_and_grad(lambda a: jnp.sum(jnp.sin(f(a, *args[1:]))))(args[0])


#: function, arguments, ops that must be there, ops that must not
CASES = {
    "softmax": (jax.nn.softmax, (X,), "softmax", "exp"),
    "log_softmax": (jax.nn.log_softmax, (X,), "log_softmax", "exp"),
    "gelu tanh": (jax.nn.gelu, (X,), "gelu", "tanh"),
    "gelu erf": (lambda x: jax.nn.gelu(x, approximate=False), (X,), "gelu", "erf exp"),
    "relu": (jax.nn.relu, (X,), "relu", "maximum"),
    "silu": (jax.nn.silu, (X,), "silu", "exp"),
    "layer_norm": (layer_norm, (X, X[0], X[1]), "layer_norm", "rsqrt reduce"),
    "layer_norm of Flax": (flax_norm, (X, X[0], X[1]), "layer_norm", "rsqrt reduce"),
    "rms_norm of Flax": (lambda x, s: flax_norm(x, s, centered=False), (X, X[0]), "rms_norm", "rsqrt reduce"),
    "cross entropy": (lambda x, y: -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1)), (X, CLASSES), "cross_entropy", "log_softmax exp"),
    "cross entropy by logsumexp": (lambda x, y: jnp.mean(log_likelihood(x, y)), (X, CLASSES), "cross_entropy", "log_softmax exp log"),
    "cross entropy by logsumexp, of sequences": (lambda x, y: jnp.mean(log_likelihood(x, y)), (X3, CLASSES[None].repeat(3, 0)), "cross_entropy", "log_softmax exp log"),
    "cross entropy, summed": (lambda x, y: jnp.sum(log_likelihood(x, y)), (X, CLASSES), "cross_entropy", "log_softmax exp log"),
    "cross entropy by places": (lambda x, y: -jnp.mean(jax.nn.log_softmax(x)[jnp.arange(5), y]), (X, CLASSES), "cross_entropy", "log_softmax exp gather"),
    "cross entropy of distributions": (lambda x, p: jnp.mean(soft_cross_entropy(x, p)), (X, X**2), "log_softmax", "exp"),
    "cross entropy of one_hot": (lambda x, y: jnp.mean(soft_cross_entropy(x, jax.nn.one_hot(y, 8))), (X, CLASSES), "log_softmax compare", "exp"),
    "binary cross entropy": (lambda x: jnp.mean(binary_cross_entropy(x, jnp.abs(jnp.sin(x)))), (X,), "log1p", ""),
    "embedding": (lambda t, i: t[i], (TABLE, LABELS), "gather", ""),
    "embedding of negative indices": (lambda t, i: t[i - 3], (TABLE, LABELS), "gather", ""),
    "embedding, filled outside": (lambda t, i: jnp.take(t, i + 3, axis=0, mode="fill"), (TABLE, LABELS), "gather select", ""),
    "embedding, clipped": (lambda t, i: jnp.take(t, i + 3, axis=0, mode="clip"), (TABLE, LABELS), "gather", "select"),
    "one_hot": (lambda i: jax.nn.one_hot(i, 7), (LABELS,), "compare", "matmul"),
    "one_hot times a table": (lambda t, i: jax.nn.one_hot(i + 3, 7) @ t, (TABLE, LABELS), "gather", "matmul"),
    "one_hot times a table, of any rank": (lambda t, i: jnp.einsum("bsv,vd->bsd", jax.nn.one_hot(i, 7), t), (TABLE, LABELS), "gather", "matmul"),
    "embedding, unsigned": (lambda t, i: t[i.astype(jnp.uint32)], (TABLE, LABELS), "gather", "select"),
    "embedding by jnp.take": (lambda t, i: jnp.take(t, i, axis=0), (TABLE, LABELS), "gather", "matmul"),
    "embedding, wrapped": (lambda t, i: jnp.take(t, i + 3, axis=0, mode="wrap"), (TABLE, LABELS), "gather rem", "matmul"),
    "cumsum": (lambda x: jnp.cumsum(x, axis=1), (X,), "cumsum", "reduce"),
    "cumsum backwards": (lambda x: jax.lax.cumsum(x, axis=0, reverse=True), (X,), "cumsum", "reduce"),
    "cumsum by halves": (lambda x: jax.lax.associative_scan(jnp.add, x, axis=1), (X,), "cumsum", "slice pad"),
    "cumsum by halves of an odd length": (lambda x: jax.lax.associative_scan(jnp.add, x, axis=0), (X,), "cumsum", "slice pad"),
    "argmax": (lambda x: jnp.argmax(x, axis=1), (X,), "arg_reduce", "reduce"),
    "argmin": (lambda x: jnp.argmin(x, axis=0), (X,), "arg_reduce", "reduce"),
    "dropout": (lambda x: dropout(KEY, x), (X,), "threefry", "shift_left"),
    "attention": (jax.nn.dot_product_attention, (Q, K, V), "attention", "softmax matmul"),
    "attention by einsum": (attention, (Q, K, V), "attention", "softmax matmul"),
    "attention, causal": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), (Q, K, V), "attention", "softmax matmul"),
    "attention with bias": (lambda q, k, v, b: jax.nn.dot_product_attention(q, k, v, bias=b), (Q, K, V, BIAS), "attention", "softmax matmul"),
    "attention with mask": (lambda q, k, v, m: jax.nn.dot_product_attention(q, k, v, mask=m), (Q, K, V, MASK), "attention", "softmax matmul"),
    "attention with bias and mask": (lambda q, k, v, b, m: jax.nn.dot_product_attention(q, k, v, bias=b, mask=m), (Q, K, V, BIAS, MASK), "attention", "softmax matmul"),
    "attention, scaled": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, scale=0.5), (Q, K, V), "attention", "softmax matmul"),
    "attention of one sample": (jax.nn.dot_product_attention, (Q[0], K[0], V[0]), "attention", "softmax matmul"),
    "attention with a window": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, local_window_size=2), (Q, K, V), "attention", "softmax matmul"),
    "attention with a window, causal": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, local_window_size=(2, 0), is_causal=True), (Q, K, V), "attention", "softmax matmul"),
    "attention with lengths": (
        lambda q, k, v, n: jax.nn.dot_product_attention(q, k, v, query_seq_lengths=n, key_value_seq_lengths=n), (Q, K, V, LENGTHS), "attention", "softmax matmul"),
    "attention with lengths, causal": (lambda q, k, v, n: jax.nn.dot_product_attention(q, k, v, key_value_seq_lengths=n, is_causal=True), (Q, K, V, LENGTHS), "attention", "softmax matmul"),
    "attention of more keys": (jax.nn.dot_product_attention, (Q, np.concatenate([K, V], 1), np.concatenate([V, K], 1)), "attention", "softmax matmul"),
    "attention with all masks": (
        lambda q, k, v, b, m: jax.nn.dot_product_attention(q, k, v, bias=b, mask=m, is_causal=True), (Q, K, V, BIAS, MASK), "attention", "softmax matmul"),
    "attention with the mask of Flax": (flax_attention, (Q, K, V), "attention", "softmax matmul select"),
    "attention of groups of heads": (jax.nn.dot_product_attention, (Q, K2, V2), "attention", "softmax matmul"),
    "attention of groups of heads, causal": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), (Q, K2, V2), "attention", "softmax matmul select iota"),
    "attention of groups of heads with bias": (lambda q, k, v, b: jax.nn.dot_product_attention(q, k, v, bias=b), (Q, K2, V2, BIAS), "attention", "softmax matmul"),
    "attention of groups of heads with mask": (lambda q, k, v, m: jax.nn.dot_product_attention(q, k, v, mask=m), (Q, K2, V2, MASK), "attention", "softmax matmul"),
    "attention of groups of heads with all masks": (
        lambda q, k, v, b, m: jax.nn.dot_product_attention(q, k, v, bias=b, mask=m, is_causal=True), (Q, K2, V2, BIAS, MASK), "attention", "softmax matmul"),
    "attention of groups of heads of one sample": (jax.nn.dot_product_attention, (Q[0], K2[0], V2[0]), "attention", "softmax matmul"),
    "attention of heads with one key": (jax.nn.dot_product_attention, (Q, K[:, :, :1], V[:, :, :1]), "attention", "softmax matmul"),
    "attention of heads with one key, causal": (lambda q, k, v: jax.nn.dot_product_attention(q, k, v, is_causal=True), (Q, K[:, :, :1], V[:, :, :1]), "attention", "softmax matmul select"),
    # Backward passes of JAX.
    "gradient of softmax": (step(jax.nn.softmax), (X,), "softmax", "exp"),
    "gradient of one_hot times a table": (step_of_first(lambda t, i: jax.nn.one_hot(i + 3, 7) @ t), (TABLE, LABELS), "gather scatter_add", "matmul"),
    "gradient of embedding": (step_of_first(lambda t, i: t[i]), (TABLE, LABELS), "gather scatter_add", "matmul"),
    "gradient of embedding, clipped": (step_of_first(lambda t, i: jnp.take(t, i + 3, axis=0, mode="clip")), (TABLE, LABELS), "gather scatter_add", "matmul"),
    "gradient of cross entropy by logsumexp": (step_of_first(lambda x, y: jnp.mean(log_likelihood(x, y))), (X, CLASSES), "cross_entropy softmax add_along_axis", "exp log"),
    "gradient of attention": (step(jax.nn.dot_product_attention), (Q, K, V), "softmax matmul", "exp attention"),
    "gradient of attention of groups of heads": (step(jax.nn.dot_product_attention), (Q, K2, V2), "softmax matmul", "exp attention"),
    "gradient of log_softmax": (step(jax.nn.log_softmax), (X,), "softmax", ""),
    "gradient of gelu tanh": (step(jax.nn.gelu), (X,), "gelu", ""),
    "gradient of gelu erf": (step(lambda x: jax.nn.gelu(x, approximate=False)), (X,), "gelu", "bitcast"),
    "gradient of layer_norm": (step(layer_norm), (X, X[0], X[1]), "layer_norm", "rsqrt"),
    "gradient of dropout": (step(lambda x: dropout(KEY, x)), (X,), "threefry", "shift_left"),
    # What only resembles them.
    "exponentials over another sum": (lambda x: jnp.exp(x - x.max(1, keepdims=True)) / jnp.sum(jnp.exp(x), 1, keepdims=True), (X,), "exp", "softmax"),
    "another cube": (lambda x: 0.5 * x * (1 + jnp.tanh(0.79788456 * (x + 0.0448 * x ** 3))), (X,), "tanh", "gelu"),
    "max(x, 0)": (lambda x: jnp.maximum(x, 0), (X,), "maximum", "relu"),
    "cumprod": (lambda x: jnp.cumprod(x, axis=1), (X,), "mul", "cumsum"),
    "cumprod by halves": (lambda x: jax.lax.associative_scan(jnp.multiply, x, axis=1), (X,), "mul slice", "cumsum"),
    "another scan": (lambda x: jax.lax.associative_scan(lambda a, b: a + 2 * b, x, axis=1), (X,), "slice", "cumsum"),
    "gradient of all but one": (step_of_first(lambda t, i: (1 - jax.nn.one_hot(i, 7)) @ t), (TABLE, LABELS), "matmul", "scatter_add"),
    "logsumexp less another element": (lambda x, y: jnp.mean(jax.nn.logsumexp(x, -1) - jnp.sin(x)[jnp.arange(5), y]), (X, CLASSES), "exp log", "cross_entropy log_softmax"),
    "cross entropy of some": (lambda x, y: jnp.sum(log_likelihood(x, y) * (y != 2)) / jnp.sum(y != 2), (X, CLASSES), "log_softmax take_along_axis", "cross_entropy"),
    "norm by another mean": (lambda x: (x - x.mean(-1, keepdims=True)) * jax.lax.rsqrt(jnp.mean(x**2, -1, keepdims=True) + 1e-6), (X,), "rsqrt", "layer_norm rms_norm"),
    "argmax of the last of equals": (lambda x: 7 - jnp.argmax(x[:, ::-1], axis=1), (jnp.round(X),), "arg_reduce reverse", "reduce"),
    "all but one": (lambda t, i: (1 - jax.nn.one_hot(i, 7)) @ t, (TABLE, LABELS), "matmul", "gather"),
    "attention with dropout": (lambda q, k, v: attention(q, k, v, lambda w: dropout(KEY, w)), (Q, K, V), "softmax matmul threefry", "attention"),
    "attention whose weights are needed": (lambda q, k, v: attention(q, k, v, lambda w: w + w.mean()), (Q, K, V), "softmax matmul", "attention"),
}


@pytest.mark.parametrize("name", CASES)
def test_recognized(name):
    f, args, present, absent = CASES[name]
    model = raf.from_jax(f, *args, trainable=())
    with ir.Context():
        ops = set(re.findall(r"\braf\.(\w+) ", str(ir.Module.parse(model.specialize().asm))))
    assert set(present.split()) <= ops
    assert not set(absent.split()) & ops
    actual, expected = raf.compile(model)(*args), f(*args)
    for a, e in zip(jax.tree.leaves(actual), jax.tree.leaves(expected)):
        np.testing.assert_allclose(a, e, rtol=2e-5, atol=5e-6)
