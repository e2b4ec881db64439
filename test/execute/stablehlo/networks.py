# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole networks as people write them in JAX: NETWORKS[name]() gives a loss function, its parameters and five batches."""

import functools

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax

STEPS = 5
NETWORKS = {}
NHWC = ("NHWC", "HWIO", "NHWC")


def network(function):
    NETWORKS[function.__name__] = function
    return function


def normal(rng, *shape, scale=None):
    scale = scale if scale is not None else 1 / np.sqrt(max(1, np.prod(shape[:-1])))
    return (rng.normal(size=shape) * scale).astype(np.float32)


def images(rng, count, size, channels, classes):
    return [(normal(rng, count, size, size, channels, scale=1), rng.integers(0, classes, count).astype(np.int32)) for _ in range(STEPS)]


def cross_entropy(logits, labels):
    return -jnp.mean(jnp.take_along_axis(jax.nn.log_softmax(logits), labels[..., None], -1))


def conv(x, w, stride=1, padding="SAME"):
    return lax.conv_general_dilated(x, w, (stride, stride), padding, dimension_numbers=NHWC)


def layer_norm(p, x):
    mean = jnp.mean(x, -1, keepdims=True)
    return (x - mean) * lax.rsqrt(jnp.var(x, -1, keepdims=True) + 1e-5) * p["scale"] + p["bias"]


def batch_norm(p, x):
    mean, var = jnp.mean(x, (0, 1, 2)), jnp.var(x, (0, 1, 2))
    return (x - mean) * lax.rsqrt(var + 1e-5) * p["scale"] + p["bias"]


def norm_params(width):
    return {"scale": np.ones(width, np.float32), "bias": np.zeros(width, np.float32)}


def attention(p, x, heads, mask):
    batch, length, width = x.shape
    q, k, v = (jnp.reshape(x @ p[n], (batch, length, heads, width // heads)) for n in "qkv")
    scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / np.sqrt(width // heads)
    if mask is not None:
        scores = jnp.where(mask, scores, jnp.finfo(scores.dtype).min)
    mixed = jnp.einsum("bhqk,bkhd->bqhd", jax.nn.softmax(scores), v)
    return mixed.reshape(batch, length, width) @ p["o"]


def transformer_params(rng, vocabulary, width, blocks):
    return {
        "embedding": normal(rng, vocabulary, width, scale=0.1), "position": normal(rng, 12, width, scale=0.1), "last": norm_params(width),
        "blocks": [{
            "norm1": norm_params(width), "norm2": norm_params(width), "attention": {n: normal(rng, width, width) for n in "qkvo"},
            "up": normal(rng, width, 4 * width), "down": normal(rng, 4 * width, width), "bias": np.zeros(4 * width, np.float32)} for _ in range(blocks)]}


def dropout(key, x, rate):
    return jnp.where(jax.random.bernoulli(key, 1 - rate, x.shape), x / (1 - rate), 0)


def transformer_loss(p, key, tokens, *, rate=0.1, wrap=lambda f: f, dtype=np.float32, approximate=True):
    p = jax.tree.map(lambda a: a.astype(dtype), p)
    source, target = tokens[:, :-1], tokens[:, 1:]
    x = p["embedding"][source] + p["position"][: source.shape[1]]
    mask = jnp.tril(jnp.ones((source.shape[1],) * 2, bool))

    def block(b, key, x):
        first, second = jax.random.split(key)
        x = x + dropout(first, attention(b["attention"], layer_norm(b["norm1"], x), 2, mask), rate)
        hidden = jax.nn.gelu(layer_norm(b["norm2"], x) @ b["up"] + b["bias"], approximate=approximate)
        return x + dropout(second, hidden @ b["down"], rate)

    for number, b in enumerate(p["blocks"]):
        x = wrap(block)(b, jax.random.fold_in(key, number), x)
    logits = layer_norm(p["last"], x) @ p["embedding"].T
    return cross_entropy(logits.astype(np.float32), target)


def _transformer(**options):
    rng = np.random.default_rng(0)
    batches = [(np.asarray(jax.random.PRNGKey(i)), rng.integers(0, 17, (3, 11)).astype(np.int32)) for i in range(STEPS)]
    return functools.partial(transformer_loss, **options), transformer_params(rng, 17, 16, 2), batches


@network
def transformer():
    return _transformer(approximate=False)


@network
def transformer_with_checkpoints():
    return _transformer(wrap=jax.checkpoint)


@network
def transformer_in_bfloat16():
    return _transformer(dtype=jnp.bfloat16, rate=0.0)


@network
def cnn():
    def loss(p, x, y):
        x = jax.nn.relu(batch_norm(p["norm1"], conv(x, p["conv1"])))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        x = jax.nn.relu(batch_norm(p["norm2"], conv(x, p["conv2"])))
        x = lax.reduce_window(x, 0.0, lax.add, (1, 2, 2, 1), (1, 2, 2, 1), "VALID") / 4
        return cross_entropy(x.reshape(x.shape[0], -1) @ p["dense"] + p["bias"], y)

    rng = np.random.default_rng(1)
    p = {"conv1": normal(rng, 3, 3, 2, 8), "norm1": norm_params(8), "conv2": normal(rng, 3, 3, 8, 8), "norm2": norm_params(8), "dense": normal(rng, 32, 5),
         "bias": np.zeros(5, np.float32)}
    return loss, p, images(rng, 6, 8, 2, 5)


@network
def resnet():
    def block(p, x, stride):
        y = jax.nn.relu(batch_norm(p["norm1"], conv(x, p["conv1"], stride)))
        y = batch_norm(p["norm2"], conv(y, p["conv2"]))
        if "down" in p:
            x = batch_norm(p["norm3"], conv(x, p["down"], stride))
        return jax.nn.relu(x + y)

    def loss(p, x, y):
        x = jax.nn.relu(batch_norm(p["norm"], conv(x, p["stem"])))
        x = lax.reduce_window(x, -jnp.inf, lax.max, (1, 3, 3, 1), (1, 2, 2, 1), "SAME")
        for number, b in enumerate(p["blocks"]):
            x = block(b, x, 2 if number else 1)
        return cross_entropy(x.mean((1, 2)) @ p["dense"], y)

    rng = np.random.default_rng(2)

    def block_params(i, o):
        p = {"conv1": normal(rng, 3, 3, i, o), "norm1": norm_params(o), "conv2": normal(rng, 3, 3, o, o), "norm2": norm_params(o)}
        return p if i == o else {**p, "down": normal(rng, 1, 1, i, o), "norm3": norm_params(o)}

    p = {"stem": normal(rng, 3, 3, 3, 8), "norm": norm_params(8), "blocks": [block_params(8, 8), block_params(8, 16)], "dense": normal(rng, 16, 4)}
    return loss, p, images(rng, 4, 12, 3, 4)


@network
def scan_rnn():
    def loss(p, x, y):
        def step(h, v):
            h = jnp.tanh(v @ p["in"] + h @ p["hidden"] + p["bias"])
            return h, h

        last, states = lax.scan(step, jnp.zeros((x.shape[1], 8)), x)
        return cross_entropy(last @ p["out"], y) + 0.01 * jnp.mean(states**2)

    rng = np.random.default_rng(3)
    p = {"in": normal(rng, 4, 8), "hidden": normal(rng, 8, 8), "bias": np.zeros(8, np.float32), "out": normal(rng, 8, 3)}
    return loss, p, [(normal(rng, 7, 5, 4, scale=1), rng.integers(0, 3, 5).astype(np.int32)) for _ in range(STEPS)]


@network
def unet_block():
    """Noise prediction with a time embedding: group norm, SiLU, down- and upsampling, attention in the middle, a skip connection."""

    def group_norm(p, x, groups=2):
        b, h, w, c = x.shape
        grouped = x.reshape(b, h * w, groups, c // groups)
        mean, var = jnp.mean(grouped, (1, 3), keepdims=True), jnp.var(grouped, (1, 3), keepdims=True)
        return ((grouped - mean) * lax.rsqrt(var + 1e-5)).reshape(x.shape) * p["scale"] + p["bias"]

    def resnet_block(p, x, t):
        y = conv(jax.nn.silu(group_norm(p["norm1"], x)), p["conv1"])
        y = y + (jax.nn.silu(t) @ p["time"])[:, None, None, :]
        return x + conv(jax.nn.silu(group_norm(p["norm2"], y)), p["conv2"])

    def loss(p, x, noise, t):
        frequencies = jnp.exp(-np.log(1e4) * jnp.arange(4) / 4)
        angles = t[:, None] * frequencies
        embedding = jnp.concatenate([jnp.sin(angles), jnp.cos(angles)], -1)
        alpha = jnp.cos(t * 1.5)[:, None, None, None] ** 2
        h = conv(jnp.sqrt(alpha) * x + jnp.sqrt(1 - alpha) * noise, p["in"])
        skip = resnet_block(p["block1"], h, embedding)
        h = conv(skip, p["down"], 2)
        flat = h.reshape(h.shape[0], -1, h.shape[-1])
        h = (flat + attention(p["attention"], flat, 2, None)).reshape(h.shape)
        h = resnet_block(p["block2"], h, embedding)
        h = conv(jax.image.resize(h, (h.shape[0], h.shape[1] * 2, h.shape[2] * 2, h.shape[3]), "nearest"), p["up"])
        return jnp.mean((conv(jnp.concatenate([h, skip], -1), p["out"]) - noise) ** 2)

    rng = np.random.default_rng(4)

    def block_params():
        return {"norm1": norm_params(8), "norm2": norm_params(8), "conv1": normal(rng, 3, 3, 8, 8), "conv2": normal(rng, 3, 3, 8, 8), "time": normal(rng, 8, 8)}

    p = {"in": normal(rng, 3, 3, 2, 8), "block1": block_params(), "down": normal(rng, 3, 3, 8, 8), "attention": {n: normal(rng, 8, 8) for n in "qkvo"},
         "block2": block_params(), "up": normal(rng, 3, 3, 8, 8), "out": normal(rng, 3, 3, 16, 2)}
    return loss, p, [(normal(rng, 2, 8, 8, 2, scale=1), normal(rng, 2, 8, 8, 2, scale=1), rng.uniform(0.05, 0.9, 2).astype(np.float32)) for _ in range(STEPS)]
