# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX graphs in their training form as JAX functions: the oracle of whole models. Knows the ops of raf.examples, and nothing else."""

import jax
import jax.numpy as jnp
import numpy as np
from jax import lax
from onnx import numpy_helper


def _pads(a):
    pads = a.get("pads", [0, 0, 0, 0])
    half = len(pads) // 2
    return list(zip(pads[:half], pads[half:]))


def _conv(x, w, b=None, **a):
    y = lax.conv_general_dilated(x, w, a["strides"], _pads(a), rhs_dilation=a["dilations"], feature_group_count=a["group"])
    return y if b is None else y + b.reshape(1, -1, 1, 1)


def _batch_norm(x, scale, bias, mean, var, **a):
    axes = (0, 2, 3)
    m, v = x.mean(axes), x.var(axes)
    shape = (1, -1, 1, 1)
    y = (x - m.reshape(shape)) / jnp.sqrt(v.reshape(shape) + a["epsilon"]) * scale.reshape(shape) + bias.reshape(shape)
    k = a["momentum"]
    return y, k * mean + (1 - k) * m, k * var + (1 - k) * v


def _max_pool(x, **a):
    return lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, *a["kernel_shape"]), (1, 1, *a["strides"]), [(0, 0), (0, 0), *_pads(a)])


def _gemm(x, w, b=0.0, **a):
    return x @ (w.T if a.get("transB") else w) + b


def _layer_norm(x, scale, bias, **a):
    m, v = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - m) / jnp.sqrt(v + a["epsilon"]) * scale + bias


def _lstm(x, w, r, b, **a):
    """One direction, zero initial states; gates in ONNX's order: input, output, forget, cell."""
    w, r, b = w[0], r[0], b[0]
    hidden = a["hidden_size"]

    def step(state, xt):
        h, c = state
        i, o, f, g = jnp.split(xt @ w.T + h @ r.T + b[: 4 * hidden] + b[4 * hidden :], 4, -1)
        c = jax.nn.sigmoid(f) * c + jax.nn.sigmoid(i) * jnp.tanh(g)
        h = jax.nn.sigmoid(o) * jnp.tanh(c)
        return (h, c), h

    zero = jnp.zeros((x.shape[1], hidden), x.dtype)
    return lax.scan(step, (zero, zero), x)[1][:, None]


def _reshape(x, shape, **a):
    sizes = [x.shape[i] if s == 0 else int(s) for i, s in enumerate(np.asarray(shape))]
    return x.reshape(sizes)


OPS = {
    "Add": lambda x, y: x + y,
    "Sub": lambda x, y: x - y,
    "Mul": lambda x, y: x * y,
    "Div": lambda x, y: x / y,
    "Relu": lambda x: jnp.maximum(x, 0),
    "Tanh": jnp.tanh,
    "Erf": jax.scipy.special.erf,
    "Identity": lambda x: x,
    "MatMul": lambda x, y: x @ y,
    "Gemm": _gemm,
    "Conv": _conv,
    "MaxPool": _max_pool,
    "BatchNormalization": _batch_norm,
    "LayerNormalization": _layer_norm,
    "GlobalAveragePool": lambda x: x.mean((2, 3), keepdims=True),
    "Flatten": lambda x, axis=1: x.reshape(x.shape[0], -1),
    "Softmax": lambda x, axis=-1: jax.nn.softmax(x, axis),
    "Transpose": lambda x, perm: jnp.transpose(x, perm),
    "Reshape": _reshape,
    "Gather": lambda x, i, axis=0: jnp.take(x, np.asarray(i) if not isinstance(i, jax.core.Tracer) else i, axis),
    "Unsqueeze": lambda x, axes: jnp.expand_dims(x, tuple(int(d) for d in np.asarray(axes))),
    "Cast": lambda x, to: x.astype(jnp.result_type(float)),
    "LSTM": _lstm,
}


def forward(proto, params, buffers, inputs):
    """The first output, and the new running statistics by name."""
    values = {t.name: numpy_helper.to_array(t) for t in proto.graph.initializer}
    values.update({n: v.astype(np.float64) for n, v in values.items() if v.dtype == np.float32})
    values.update(params)
    values.update(buffers)
    values.update(inputs)
    updated = {}
    for node in proto.graph.node:
        attributes = {}
        for a in node.attribute:
            attributes[a.name] = list(a.ints) if a.type == 7 else a.i if a.type == 2 else a.f if a.type == 1 else a.s.decode()
        result = OPS[node.op_type](*(values[i] for i in node.input), **attributes)
        if isinstance(result, tuple):
            result, updated[node.input[3]], updated[node.input[4]] = result
        values[node.output[0]] = result
    return values[proto.graph.output[0].name], updated
