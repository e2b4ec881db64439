# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads in JAX: one jitted step with donated parameters and states. Images are NHWC, which XLA's CPU convolutions take best."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from . import workloads as W

Batches = Sequence[tuple[np.ndarray, np.ndarray]]

VERSION = jax.__version__

Weights = dict[str, Any]
#: Running statistics that a forward pass leaves.
Statistics = dict[str, Any]


def dense(w: Weights, name: str, x: Any) -> Any:
    y = x @ w[f"{name}.weight"]
    return y + w[f"{name}.bias"] if f"{name}.bias" in w else y


def conv(w: Weights, name: str, x: Any, stride: int = 1, pad: int = 0) -> Any:
    y = jax.lax.conv_general_dilated(x, w[f"{name}.weight"], (stride, stride), ((pad, pad), (pad, pad)), dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y + w[f"{name}.bias"] if f"{name}.bias" in w else y


def max_pool(x: Any, size: int, stride: int, pad: int = 0) -> Any:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, size, size, 1), (1, stride, stride, 1), ((0, 0), (pad, pad), (pad, pad), (0, 0)))


def layer_norm(w: Weights, name: str, x: Any) -> Any:
    centered = x - x.mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt((centered * centered).mean(-1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]


def mlp(w: Weights, stats: Statistics, x: Any) -> Any:
    return dense(w, "fc2", jax.nn.relu(dense(w, "fc1", x)))


def cnn(w: Weights, stats: Statistics, x: Any) -> Any:
    for name in ("conv1", "conv2"):
        x = max_pool(jax.nn.relu(conv(w, name, x, pad=1)), 2, 2)
    return dense(w, "fc", x.reshape(len(x), -1))


def resnet18(w: Weights, stats: Statistics, x: Any) -> Any:
    def norm(name: str, x: Any) -> Any:
        mean = x.mean((0, 1, 2))
        variance = ((x - mean) ** 2).mean((0, 1, 2))
        for part, value in (("running_mean", mean), ("running_var", variance)):
            stats[f"{name}.{part}"] = 0.9 * stats[f"{name}.{part}"] + 0.1 * value
        return (x - mean) * (jax.lax.rsqrt(variance + 1e-5) * w[f"{name}.weight"]) + w[f"{name}.bias"]

    x = max_pool(jax.nn.relu(norm("bn1", conv(w, "conv1", x, 2, 3))), 3, 2, 1)
    for stage in range(1, 5):
        for block in range(2):
            name, stride = f"layer{stage}.{block}", 2 if stage > 1 and not block else 1
            y = jax.nn.relu(norm(f"{name}.bn1", conv(w, f"{name}.conv1", x, stride, 1)))
            y = norm(f"{name}.bn2", conv(w, f"{name}.conv2", y, 1, 1))
            if f"{name}.downsample.0.weight" in w:
                x = norm(f"{name}.downsample.1", conv(w, f"{name}.downsample.0", x, stride))
            x = jax.nn.relu(y + x)
    return dense(w, "fc", x.mean((1, 2)))


def gpt(w: Weights, stats: Statistics, tokens: Any) -> Any:
    heads, width, time = W.GPT["heads"], W.GPT["width"], W.GPT["time"]
    size, causal = width // heads, jnp.tril(jnp.ones((time, time), bool))
    x = w["embed.weight"][tokens] + w["position.weight"]
    for i in range(W.GPT["layers"]):
        name = f"blocks.{i}"
        qkv = dense(w, f"{name}.qkv", layer_norm(w, f"{name}.norm1", x)).reshape(-1, time, 3, heads, size)
        q, k, v = (qkv[:, :, j].transpose(0, 2, 1, 3) for j in range(3))
        scores = jnp.where(causal, q @ k.transpose(0, 1, 3, 2) * size**-0.5, -jnp.inf)
        mixed = (jax.nn.softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(-1, time, width)
        x = x + dense(w, f"{name}.proj", mixed)
        x = x + dense(w, f"{name}.fc2", jax.nn.gelu(dense(w, f"{name}.fc1", layer_norm(w, f"{name}.norm2", x)), approximate=False))
    return dense(w, "head", layer_norm(w, "norm", x)).reshape(-1, W.GPT["vocabulary"])


def lstm(w: Weights, stats: Statistics, x: Any) -> Any:
    """The gates are in ONNX's order: input, output, forget, cell. Both biases are kept, since AdamW moves each of them."""
    hidden = w["rnn.weight_hh"].shape[0]
    inner, recurrent = jnp.split(w["rnn.bias"], 2)

    def cell(carry: tuple[Any, Any], gates: Any) -> tuple[tuple[Any, Any], None]:
        h, c = carry
        i, o, f, g = jnp.split(gates + h @ w["rnn.weight_hh"], 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    zero = jnp.zeros((len(x), hidden), x.dtype)
    (h, _), _ = jax.lax.scan(cell, (zero, zero), (x @ w["rnn.weight_ih"] + (inner + recurrent)).transpose(1, 0, 2))
    return dense(w, "head", h)


MODELS = {"mlp": mlp, "cnn": cnn, "resnet18": resnet18, "gpt": gpt, "lstm": lstm}


def convert(model: str, name: str, array: np.ndarray) -> np.ndarray:
    """A weight of the ONNX file in the layout of the functions above: matrices [in, out], convolutions HWIO."""
    if name.startswith("rnn."):
        return array[0].T if array.ndim == 3 else array[0]
    if array.ndim == 4:
        return array.transpose(2, 3, 1, 0)
    if model == "cnn" and name == "fc.weight":
        return array.reshape(10, 32, 7, 7).transpose(2, 3, 1, 0).reshape(-1, 10)
    return array.T if array.ndim == 2 and model != "gpt" else array


def build(name: str, mode: str, weights: Mapping[str, np.ndarray], batches: Batches, threads: int) -> Callable[[], Any]:
    """The step of a workload on the next batch; it returns the loss, which float() reads."""
    forward = MODELS[name]
    arrays = {n: jnp.asarray(np.ascontiguousarray(convert(name, n, weights[n]))) for n in weights}
    running = {n: a for n, a in arrays.items() if ".running_" in n}
    params = {n: a for n, a in arrays.items() if n not in running}
    turns = itertools.cycle([(jnp.asarray(x.transpose(0, 2, 3, 1) if x.ndim == 4 else x), jnp.asarray(y)) for x, y in batches])

    def loss_of(params: Weights, running: Statistics, inputs: Any, labels: Any) -> Any:
        stats = dict(running)
        logits = forward(params, stats, inputs)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean(), stats

    def update(p: Any, m: Any, v: Any, t: Any) -> Any:
        rate = m / (1 - W.BETA1**t) / (jnp.sqrt(v / (1 - W.BETA2**t)) + W.EPSILON)
        return p * (1 - W.LR * W.WEIGHT_DECAY) - W.LR * rate

    @jax.jit
    def zeros(params: Weights) -> Weights:
        return jax.tree.map(jnp.zeros_like, params)

    def train(params: Weights, m: Weights, v: Weights, running: Statistics, t: Any, inputs: Any, labels: Any) -> Any:
        (loss, running), grads = jax.value_and_grad(loss_of, has_aux=True)(params, running, inputs, labels)
        m = jax.tree.map(lambda a, g: W.BETA1 * a + (1 - W.BETA1) * g, m, grads)
        v = jax.tree.map(lambda a, g: W.BETA2 * a + (1 - W.BETA2) * g * g, v, grads)
        params = jax.tree.map(lambda p, a, b: update(p, a, b, t), params, m, v)
        return params, m, v, running, t + 1, loss

    jitted = jax.jit(train, donate_argnums=(0, 1, 2, 3, 4))
    state = [params, zeros(params), zeros(params), running, jnp.float32(1)]

    def step() -> Any:
        *state[:], loss = jitted(*state, *next(turns))
        return jax.block_until_ready(loss)

    return step
