# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example models in JAX, written from their definitions: functions of the ONNX file's weights by name. Each gives logits and new running statistics."""

import jax
import jax.numpy as jnp
from jax import lax


def dense(w, name, x):
    return x @ w[f"{name}.weight"].T + w[f"{name}.bias"]


def linear(w, name, x):
    """As `dense`, of weights that are stored [inputs, outputs]."""
    return x @ w[f"{name}.weight"] + w[f"{name}.bias"]


def conv(w, name, x, stride=1, pad=0):
    y = lax.conv_general_dilated(x, w[f"{name}.weight"], (stride, stride), [(pad, pad)] * 2)
    return y + w[f"{name}.bias"][:, None, None] if f"{name}.bias" in w else y


def max_pool(x, kernel=2, stride=2, pad=0):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, kernel, kernel), (1, 1, stride, stride), [(0, 0), (0, 0), (pad, pad), (pad, pad)])


def batch_norm(w, name, x, new):
    """By the statistics of the batch; ONNX keeps the running variance of all samples, not of all but one."""
    mean, var = x.mean((0, 2, 3)), x.var((0, 2, 3))
    for part, value in (("mean", mean), ("var", var)):
        new[f"{name}.running_{part}"] = 0.9 * w[f"{name}.running_{part}"] + 0.1 * value
    y = (x - mean[:, None, None]) / jnp.sqrt(var[:, None, None] + 1e-5)
    return y * w[f"{name}.weight"][:, None, None] + w[f"{name}.bias"][:, None, None]


def layer_norm(w, name, x):
    mean, var = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / jnp.sqrt(var + 1e-5) * w[f"{name}.weight"] + w[f"{name}.bias"]


def mlp(w, x):
    return dense(w, "fc2", jax.nn.relu(dense(w, "fc1", x))), {}


def lenet(w, x):
    x = max_pool(jax.nn.relu(conv(w, "conv1", x, pad=2)))
    x = max_pool(jax.nn.relu(conv(w, "conv2", x)))
    x = jax.nn.relu(dense(w, "fc1", x.reshape(x.shape[0], -1)))
    return dense(w, "fc3", jax.nn.relu(dense(w, "fc2", x))), {}


def resnet18(w, x):
    new = {}
    x = max_pool(jax.nn.relu(batch_norm(w, "bn1", conv(w, "conv1", x, 2, 3), new)), 3, 2, 1)
    for stage in range(1, 5):
        for block in range(2):
            name, stride = f"layer{stage}.{block}", 2 if stage > 1 and block == 0 else 1
            y = jax.nn.relu(batch_norm(w, f"{name}.bn1", conv(w, f"{name}.conv1", x, stride, 1), new))
            y = batch_norm(w, f"{name}.bn2", conv(w, f"{name}.conv2", y, 1, 1), new)
            if f"{name}.downsample.0.weight" in w:
                x = batch_norm(w, f"{name}.downsample.1", conv(w, f"{name}.downsample.0", x, stride), new)
            x = jax.nn.relu(x + y)
    return dense(w, "fc", x.mean((2, 3))), new


def bert(w, tokens, keep, heads=4):
    x = w["embeddings.word.weight"][tokens] + w["embeddings.position.weight"]
    x = layer_norm(w, "embeddings.norm", x)
    bias = jnp.where(keep[:, None, None, :] == 1, 0.0, -1e9)

    def split(name):
        y = linear(w, f"layer.0.{name}", x)
        return y.reshape(*y.shape[:2], heads, -1).transpose(0, 2, 1, 3)

    q, k, v = split("query"), split("key"), split("value")
    mixed = jax.nn.softmax(q @ k.mT / jnp.sqrt(q.shape[-1]) + bias, -1) @ v
    x = layer_norm(w, "layer.0.norm1", x + linear(w, "layer.0.output", mixed.transpose(0, 2, 1, 3).reshape(x.shape)))
    y = linear(w, "layer.0.fc2", jax.nn.gelu(linear(w, "layer.0.fc1", x), approximate=False))
    x = layer_norm(w, "layer.0.norm2", x + y)
    return dense(w, "classifier", jnp.tanh(dense(w, "pooler", x[:, 0]))), {}


def lstm(w, x):
    w_ih, w_hh, both = w["rnn.weight_ih"][0], w["rnn.weight_hh"][0], w["rnn.bias"][0]
    hidden = w_hh.shape[1]
    bias = both[: 4 * hidden] + both[4 * hidden :]
    h = c = jnp.zeros((x.shape[0], hidden), x.dtype)
    for t in range(x.shape[1]):
        i, o, f, g = jnp.split(x[:, t] @ w_ih.T + h @ w_hh.T + bias, 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
    return dense(w, "head", h), {}


# ===-- training --------------------------------------------------------------------------------------------------===


def sgd(p, g, s, lr, step, momentum=0.9, weight_decay=1e-3):
    velocity = momentum * s["velocity"] + g + weight_decay * p
    return p - lr * velocity, {"velocity": velocity}


def adamw(p, g, s, lr, step, epsilon=1e-4, weight_decay=0.01, beta1=0.9, beta2=0.999):
    m = beta1 * s["m"] + (1 - beta1) * g
    v = beta2 * s["v"] + (1 - beta2) * g * g
    p = p * (1 - lr * weight_decay)
    return p - lr * (m / (1 - beta1**step)) / (jnp.sqrt(v / (1 - beta2**step)) + epsilon), {"m": m, "v": v}


UPDATES = {"sgd": (sgd, ("velocity",)), "adamw": (adamw, ("m", "v"))}


def train(model, weights, params, optimizer, lr, batches):
    """(losses, weights, states "m:name" ..) after a step on each batch (inputs, labels)."""
    update, kinds = UPDATES[optimizer]

    def loss(trained, rest, inputs, labels):
        logits, new = model({**rest, **trained}, *inputs)
        return -jnp.take_along_axis(jax.nn.log_softmax(logits), labels[:, None], 1).mean(), new

    @jax.jit
    def one(trained, rest, states, step, inputs, labels):
        (value, new), grads = jax.value_and_grad(loss, has_aux=True)(trained, rest, inputs, labels)
        out = {n: update(p, grads[n], states[n], lr, step) for n, p in trained.items()}
        return value, {n: p for n, (p, _) in out.items()}, {**rest, **new}, {n: s for n, (_, s) in out.items()}

    weights = {n: jnp.asarray(a) for n, a in weights.items()}
    trained, rest = {n: a for n, a in weights.items() if n in params}, {n: a for n, a in weights.items() if n not in params}
    states = {n: {k: jnp.zeros_like(a) for k in kinds} for n, a in trained.items()}
    losses = []
    for step, (inputs, labels) in enumerate(batches, 1):
        value, trained, rest, states = one(trained, rest, states, jnp.float32(step), inputs, labels)
        losses.append(float(value))
    return losses, {**rest, **trained}, {f"{k}:{n}": a for n, s in states.items() for k, a in s.items()}
