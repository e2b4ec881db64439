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

Batches = Sequence[W.Batch]

VERSION = jax.__version__

Weights = dict[str, Any]
#: Running statistics that a forward pass leaves.
Statistics = dict[str, Any]


#: What products and convolutions compute in, if not in the type of their operands.
low: Any = None


def cast(x: Any) -> Any:
    return x if low is None else x.astype(low)


def wide(x: Any) -> Any:
    """Norms, softmax, sums of residuals and losses stay in f32."""
    return x if low is None else x.astype(jnp.float32)


def dense(w: Weights, name: str, x: Any) -> Any:
    y = cast(x) @ cast(w[f"{name}.weight"])
    return y + cast(w[f"{name}.bias"]) if f"{name}.bias" in w else y


def conv(w: Weights, name: str, x: Any, stride: int = 1, pad: int = 0) -> Any:
    y = jax.lax.conv_general_dilated(cast(x), cast(w[f"{name}.weight"]), (stride, stride), ((pad, pad), (pad, pad)), dimension_numbers=("NHWC", "HWIO", "NHWC"))
    return y + cast(w[f"{name}.bias"]) if f"{name}.bias" in w else y


def max_pool(x: Any, size: int, stride: int, pad: int = 0) -> Any:
    return jax.lax.reduce_window(x, -jnp.inf, jax.lax.max, (1, size, size, 1), (1, stride, stride, 1), ((0, 0), (pad, pad), (pad, pad), (0, 0)))


def layer_norm(w: Weights, name: str, x: Any) -> Any:
    x = wide(x)
    centered = x - x.mean(-1, keepdims=True)
    return centered * jax.lax.rsqrt((centered * centered).mean(-1, keepdims=True) + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]


def mlp(w: Weights, stats: Statistics, x: Any) -> Any:
    return dense(w, "fc2", jax.nn.relu(dense(w, "fc1", x)))


def cnn(w: Weights, stats: Statistics, x: Any) -> Any:
    for name in ("conv1", "conv2"):
        x = max_pool(jax.nn.relu(conv(w, name, x, pad=1)), 2, 2)
    return dense(w, "fc", x.reshape(len(x), -1))


def resnet(w: Weights, stats: Statistics, x: Any) -> Any:
    """The weights say how many stages, blocks and convolutions there are; of three the middle one has the stride."""

    def norm(name: str, x: Any) -> Any:
        x = wide(x)
        mean = x.mean((0, 1, 2))
        variance = ((x - mean) ** 2).mean((0, 1, 2))
        for part, value in (("running_mean", mean), ("running_var", variance)):
            stats[f"{name}.{part}"] = 0.9 * stats[f"{name}.{part}"] + 0.1 * value
        return (x - mean) * (jax.lax.rsqrt(variance + 1e-5) * w[f"{name}.weight"]) + w[f"{name}.bias"]

    x = max_pool(jax.nn.relu(norm("bn1", conv(w, "conv1", x, 2, 3))), 3, 2, 1)
    for stage, block in sorted({tuple(map(int, name.removeprefix("layer").split(".")[:2])) for name in w if name.startswith("layer")}):
        name, stride = f"layer{stage}.{block}", 2 if stage > 1 and not block else 1
        last = 3 if f"{name}.conv3.weight" in w else 2
        y = x
        for i in range(1, last + 1):
            y = conv(w, f"{name}.conv{i}", jax.nn.relu(y) if i > 1 else y, stride if i == last - 1 else 1, len(w[f"{name}.conv{i}.weight"]) // 2)
            y = norm(f"{name}.bn{i}", y)
        if f"{name}.downsample.0.weight" in w:
            x = norm(f"{name}.downsample.1", conv(w, f"{name}.downsample.0", x, stride))
        x = jax.nn.relu(y + x)
    return dense(w, "fc", x.mean((1, 2)))


def attention(q: Any, k: Any, v: Any, heads: int, mask: Any) -> Any:
    """[batch, time, width] each; `mask` says which of the scores count."""
    batch, time, width = q.shape
    q, k, v = (x.reshape(batch, time, heads, width // heads).transpose(0, 2, 1, 3) for x in (q, k, v))
    scores = wide(q @ k.transpose(0, 1, 3, 2)) * (width // heads) ** -0.5
    if mask is not None:
        scores = jnp.where(mask, scores, -jnp.inf)
    return (cast(jax.nn.softmax(scores)) @ v).transpose(0, 2, 1, 3).reshape(batch, time, width)


def block(w: Weights, name: str, x: Any, heads: int, mask: Any) -> Any:
    q, k, v = jnp.split(dense(w, f"{name}.qkv", layer_norm(w, f"{name}.norm1", x)), 3, axis=-1)
    x = x + dense(w, f"{name}.proj", attention(q, k, v, heads, mask))
    return x + dense(w, f"{name}.fc2", jax.nn.gelu(dense(w, f"{name}.fc1", layer_norm(w, f"{name}.norm2", x)), approximate=False))


def gpt(w: Weights, stats: Statistics, tokens: Any) -> Any:
    time = W.GPT["time"]
    x = w["embed.weight"][tokens] + w["position.weight"]
    for i in range(W.GPT["layers"]):
        x = block(w, f"blocks.{i}", x, W.GPT["heads"], jnp.tril(jnp.ones((time, time), bool)))
    return dense(w, "head", layer_norm(w, "norm", x)).reshape(-1, W.GPT["vocabulary"])


def bert(w: Weights, stats: Statistics, tokens: Any, keep: Any) -> Any:
    x = layer_norm(w, "embeddings.norm", w["embeddings.word.weight"][tokens] + w["embeddings.position.weight"])
    mask = keep.astype(bool)[:, None, None, :]
    for i in range(W.BERT["layers"]):
        name = f"layer.{i}"
        q, k, v = (dense(w, f"{name}.{part}", x) for part in ("query", "key", "value"))
        x = layer_norm(w, f"{name}.norm1", dense(w, f"{name}.output", attention(q, k, v, W.BERT["heads"], mask)) + x)
        x = layer_norm(w, f"{name}.norm2", dense(w, f"{name}.fc2", jax.nn.gelu(dense(w, f"{name}.fc1", x), approximate=False)) + x)
    return dense(w, "classifier", jnp.tanh(dense(w, "pooler", x[:, 0])))


def vit(w: Weights, stats: Statistics, x: Any) -> Any:
    x = conv(w, "patch", x, W.VIT["patch"])
    x = x.reshape(len(x), -1, W.VIT["width"]) + w["position.weight"]
    for i in range(W.VIT["layers"]):
        x = block(w, f"blocks.{i}", x, W.VIT["heads"], None)
    return dense(w, "head", layer_norm(w, "norm", x).mean(1))


def lstm(w: Weights, stats: Statistics, x: Any) -> Any:
    """The gates are in ONNX's order: input, output, forget, cell. Both biases are kept, since AdamW moves each of them."""
    hidden = w["rnn.weight_hh"].shape[0]
    inner, recurrent = jnp.split(w["rnn.bias"], 2)

    def cell(carry: tuple[Any, Any], gates: Any) -> tuple[tuple[Any, Any], None]:
        h, c = carry
        i, o, f, g = jnp.split(wide(gates + cast(h) @ cast(w["rnn.weight_hh"])), 4, axis=-1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        return (jax.nn.sigmoid(o) * jnp.tanh(c), c), None

    zero = jnp.zeros((len(x), hidden), x.dtype)
    (h, _), _ = jax.lax.scan(cell, (zero, zero), (cast(x) @ cast(w["rnn.weight_ih"]) + cast(inner + recurrent)).transpose(1, 0, 2))
    return dense(w, "head", h)


MODELS = {"mlp": mlp, "cnn": cnn, "resnet18": resnet, "resnet50": resnet, "gpt": gpt, "lstm": lstm, "bert": bert, "vit": vit}


def convert(model: str, name: str, array: np.ndarray, transposed: set[str]) -> np.ndarray:
    """A weight of the ONNX file in the layout of the functions above: matrices [in, out], convolutions HWIO."""
    if name.startswith("rnn."):
        return array[0].T if array.ndim == 3 else array[0]
    if array.ndim == 4:
        return array.transpose(2, 3, 1, 0)
    if model == "cnn" and name == "fc.weight":
        return array.reshape(10, 32, 7, 7).transpose(2, 3, 1, 0).reshape(-1, 10)
    return array.T if name in transposed else array


def build(workload: Mapping[str, Any], mode: str, amp: str, weights: Mapping[str, np.ndarray], batches: Batches, threads: int) -> Callable[[], Any]:
    """The step of a workload on the next batch; it returns the loss, which float() reads. `amp` is the element type of products and convolutions, or "none"."""
    global low
    low = {"none": None, "bf16": jnp.bfloat16, "f16": jnp.float16}[amp]
    name = workload["model"]
    forward = MODELS[name]
    arrays = {n: jnp.asarray(np.ascontiguousarray(convert(name, n, weights[n], set(workload["matrices"]["Gemm"])))) for n in weights}
    running = {n: a for n, a in arrays.items() if ".running_" in n}
    params = {n: a for n, a in arrays.items() if n not in running}
    turns = itertools.cycle([(tuple(jnp.asarray(x.transpose(0, 2, 3, 1) if x.ndim == 4 else x) for x in inputs), jnp.asarray(y)) for inputs, y in batches])

    def loss_of(params: Weights, running: Statistics, inputs: Any, labels: Any) -> Any:
        stats = dict(running)
        logits = wide(forward(params, stats, *inputs))
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
