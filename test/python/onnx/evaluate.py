# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A slow reference of the raf dialect's forward ops in numpy, for checking what importers write without the compiler."""

import itertools
import math

import ml_dtypes
import numpy as np
from raf._mlir import ir

TYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "bf16": ml_dtypes.bfloat16, "i64": np.int64, "i32": np.int32, "i16": np.int16, "i8": np.int8, "i1": np.bool_}
erf = np.vectorize(math.erf, otypes=[np.float64])


def evaluate(asm, arguments, training=False):
    """The results of @main by name, for arguments by name. Outside of training, normalization uses running statistics and dropout does nothing."""
    with ir.Context(), ir.Location.unknown():
        module = ir.Module.parse(asm)
        main = module.body.operations[0]
        block = main.regions[0].blocks[0]
        values = {}
        for value, attributes in zip(block.arguments, main.attributes["arg_attrs"]):
            name = ir.StringAttr(ir.DictAttr(attributes)["raf.name"]).value
            shape, dtype = describe(value.type)
            array = np.asarray(arguments[name])
            assert array.shape == shape and array.dtype == dtype, (name, array.shape, array.dtype, shape, dtype)
            values[value] = array
        names = [ir.StringAttr(ir.DictAttr(a)["raf.name"]).value for a in main.attributes["res_attrs"]]
        for op in block.operations:
            operands = [values[v] for v in op.operands]
            if op.operation.name == "func.return":
                return dict(zip(names, operands))
            results = run(op.operation, operands, training)
            for result, array in zip(op.operation.results, results if isinstance(results, (tuple, list)) else [results]):
                shape, dtype = describe(result.type)
                array = np.asarray(array)
                assert array.shape == shape, f"{op}: {array.shape}"
                values[result] = array.astype(dtype)
    raise AssertionError("@main does not return")


def describe(type_):
    type_ = ir.RankedTensorType(type_)
    return tuple(type_.shape), np.dtype(TYPES[str(type_.element_type)])


def attribute(op, name, default=None):
    if name not in op.attributes:
        return default
    value = op.attributes[name]
    if isinstance(value, ir.UnitAttr):
        return True
    if isinstance(value, ir.DenseI64ArrayAttr):
        return list(value)
    if isinstance(value, (ir.IntegerAttr, ir.FloatAttr)):
        return value.value
    return str(value).removesuffix(">").split()[-1].split("<")[-1]


UNARY = {
    "neg": np.negative, "abs": np.abs, "sign": np.sign, "floor": np.floor, "ceil": np.ceil, "round": np.rint, "exp": np.exp, "expm1": np.expm1, "log": np.log, "log1p": np.log1p,
    "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "sin": np.sin, "cos": np.cos, "tanh": np.tanh, "sigmoid": lambda x: 1 / (1 + np.exp(-x)), "erf": erf,
    "relu": lambda x: np.maximum(x, 0), "silu": lambda x: x / (1 + np.exp(-x)), "not": np.invert, "is_nan": np.isnan}
BINARY = {
    "add": np.add, "sub": np.subtract, "mul": np.multiply, "rem": np.fmod, "pow": np.power, "maximum": np.maximum, "minimum": np.minimum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor}
COMPARE = {"eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater, "ge": np.greater_equal}
REDUCE = {"sum": np.sum, "prod": np.prod, "max": np.max, "min": np.min}


def run(op, operands, training):
    name = op.name.removeprefix("raf.")
    x = operands[0] if operands else None
    shape, dtype = describe(op.results[0].type)
    with np.errstate(all="ignore"):
        if name in UNARY:
            return UNARY[name](x)
        if name in BINARY:
            return BINARY[name](*operands)
        return globals()[f"do_{name}"](op, operands, x, shape, dtype, training)


def do_constant(op, operands, x, shape, dtype, training):
    value = ir.DenseElementsAttr(op.attributes["value"])
    if value.is_splat and math.prod(shape):
        return np.full(shape, value.get_splat_value().value, dtype)
    if dtype == ml_dtypes.bfloat16:
        return np.array([float(v) for v in ir.DenseFPElementsAttr(value)], dtype).reshape(shape)
    if math.prod(shape) == 0:
        return np.zeros(shape, dtype)
    kind = ir.DenseFPElementsAttr if dtype.kind == "f" else ir.DenseIntElementsAttr
    return np.array(list(kind(value)), dtype).reshape(shape)


def do_gelu(op, operands, x, *_):
    if attribute(op, "kind") == "erf":
        return x * (1 + erf(x / math.sqrt(2))) / 2
    return x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2


def do_cast(op, operands, x, shape, dtype, training):
    return x.astype(dtype)


def do_div(op, operands, x, shape, dtype, training):
    return operands[0] / operands[1] if dtype.kind not in "iu" else np.trunc(operands[0] / operands[1])


def do_compare(op, operands, *_):
    return COMPARE[attribute(op, "kind")](*operands)


def do_select(op, operands, *_):
    return np.where(*operands)


def do_reduce(op, operands, x, *_):
    return REDUCE[attribute(op, "kind")](x, axis=tuple(attribute(op, "dims")))


def do_arg_reduce(op, operands, x, *_):
    return (np.argmax if attribute(op, "kind") == "max" else np.argmin)(x, axis=attribute(op, "axis"))


def do_cumsum(op, operands, x, *_):
    axis = attribute(op, "axis")
    x = np.flip(x, axis) if attribute(op, "reverse") else x
    y = np.cumsum(x, axis)
    y = y - x if attribute(op, "exclusive") else y
    return np.flip(y, axis) if attribute(op, "reverse") else y


def do_matmul(op, operands, *_):
    a, b = operands
    a = a.swapaxes(-1, -2) if attribute(op, "transpose_lhs") else a
    b = b.swapaxes(-1, -2) if attribute(op, "transpose_rhs") else b
    return a @ b


def do_attention(op, operands, *_):
    q, k, v = operands[:3]
    k, v = (np.repeat(t, q.shape[1] // t.shape[1], axis=1) for t in (k, v))
    scores = q @ k.swapaxes(-1, -2) * attribute(op, "scale")
    if len(operands) > 3:
        scores = scores + operands[3]
    if attribute(op, "causal"):
        t, s = scores.shape[-2:]
        scores = np.where(np.arange(s) > np.arange(t)[:, None] + (s - t), -np.inf, scores)
    lse = np.log(np.exp(scores - scores.max(-1, keepdims=True)).sum(-1)) + scores.max(-1)
    return softmax(scores, -1) @ v, lse


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True))
    return e / e.sum(axis, keepdims=True)


def do_softmax(op, operands, x, *_):
    return softmax(x, attribute(op, "axis"))


def do_log_softmax(op, operands, x, *_):
    return np.log(softmax(x.astype(np.float64), attribute(op, "axis")))


def do_layer_norm(op, operands, x, *_):
    axes = tuple(range(attribute(op, "axis"), x.ndim))
    mean = x.mean(axes, keepdims=True)
    rstd = 1 / np.sqrt(x.var(axes, keepdims=True) + attribute(op, "epsilon"))
    return (x - mean) * rstd * operands[1] + operands[2], mean.squeeze(axes), rstd.squeeze(axes)


def do_rms_norm(op, operands, x, *_):
    axes = tuple(range(attribute(op, "axis"), x.ndim))
    rstd = 1 / np.sqrt((x * x).mean(axes, keepdims=True) + attribute(op, "epsilon"))
    return x * rstd * operands[1], rstd.squeeze(axes)


def do_batch_norm(op, operands, x, shape, dtype, training):
    axis, momentum = attribute(op, "axis"), attribute(op, "momentum")
    axes = tuple(i for i in range(x.ndim) if i != axis)
    scale, bias, running_mean, running_var = operands[1:]
    mean, var = (x.mean(axes), x.var(axes)) if training else (running_mean, running_var)
    rstd = 1 / np.sqrt(var + attribute(op, "epsilon"))
    wide = [-1 if i == axis else 1 for i in range(x.ndim)]
    y = (x - mean.reshape(wide)) * (rstd * scale).reshape(wide) + bias.reshape(wide)
    return y, momentum * running_mean + (1 - momentum) * x.mean(axes), momentum * running_var + (1 - momentum) * x.var(axes), mean, rstd


def window(op, x, kernel, fill):
    """The padded input and, by position in the window, the index of the elements under it."""
    low, high, strides, dilations = (attribute(op, n) for n in ("pad_low", "pad_high", "strides", "dilations"))
    padded = np.pad(x, [(0, 0), (0, 0), *zip(low, high)], constant_values=fill)
    sizes = [(d - (k - 1) * g - 1) // s + 1 for d, k, g, s in zip(padded.shape[2:], kernel, dilations, strides)]
    places = [(at, (np.s_[:], np.s_[:], *(np.s_[a * g:a * g + (n - 1) * s + 1:s] for a, g, n, s in zip(at, dilations, sizes, strides))))
              for at in itertools.product(*map(range, kernel))]
    return padded, sizes, places


def do_conv(op, operands, x, shape, *_):
    w, groups = operands[1], attribute(op, "groups", 1)
    padded, sizes, places = window(op, x, w.shape[2:], 0)
    y = np.zeros(shape)
    for at, index in places:
        part = padded[index].reshape(x.shape[0], groups, -1, *sizes)
        weight = w[(np.s_[:], np.s_[:], *at)].reshape(groups, w.shape[0] // groups, -1)
        y += np.einsum("ngc...,goc->ngo...", part, weight).reshape(shape)
    return y


def do_conv_input_grad(op, operands, dy, shape, *_):
    w, groups = operands[1], attribute(op, "groups", 1)
    low, high = attribute(op, "pad_low"), attribute(op, "pad_high")
    padded, sizes, places = window(op, np.zeros(shape), w.shape[2:], 0)
    for at, index in places:
        weight = w[(np.s_[:], np.s_[:], *at)].reshape(groups, w.shape[0] // groups, -1)
        part = np.einsum("ngo...,goc->ngc...", dy.reshape(dy.shape[0], groups, -1, *sizes), weight)
        padded[index] += part.reshape(shape[0], shape[1], *sizes)
    return padded[(np.s_[:], np.s_[:], *(np.s_[a:d - b] for a, b, d in zip(low, high, padded.shape[2:])))]


def do_max_pool(op, operands, x, shape, *_):
    padded, _, places = window(op, x, attribute(op, "kernel"), -np.inf)
    return np.max([padded[index] for _, index in places], axis=0), np.zeros(shape)


def do_avg_pool(op, operands, x, *_):
    kernel = attribute(op, "kernel")
    padded, _, places = window(op, x, kernel, 0)
    ones, _, _ = window(op, np.ones_like(x), kernel, 1 if attribute(op, "count_include_pad") else 0)
    return sum(padded[index] for _, index in places) / sum(ones[index] for _, index in places)


def do_gather(op, operands, x, *_):
    axis = attribute(op, "axis")
    return np.take(x, np.clip(operands[1], 0, x.shape[axis] - 1), axis)


def do_take_along_axis(op, operands, x, *_):
    return np.take_along_axis(x, operands[1].astype(np.int64), attribute(op, "axis"))


def do_scatter_add(op, operands, x, *_):
    axis = attribute(op, "axis")
    y = np.moveaxis(x, axis, 0).copy()
    n = operands[1].ndim
    updates = np.moveaxis(operands[2], range(axis, axis + n), range(n))
    np.add.at(y, operands[1], updates)
    return np.moveaxis(y, 0, axis)


def do_add_along_axis(op, operands, x, *_):
    y, place = x.copy(), list(np.indices(operands[1].shape))
    place[attribute(op, "axis")] = operands[1]
    np.add.at(y, tuple(place), operands[2])
    return y


def do_iota(op, operands, x, shape, dtype, training):
    dim = attribute(op, "dim")
    return np.broadcast_to(np.arange(shape[dim]).reshape([-1 if i == dim else 1 for i in range(len(shape))]), shape)


def do_broadcast(op, operands, x, shape, *_):
    wide = [1] * len(shape)
    for d, size in zip(attribute(op, "dims"), x.shape):
        wide[d] = size
    return np.broadcast_to(x.reshape(wide), shape)


def do_reshape(op, operands, x, shape, *_):
    return x.reshape(shape)


def do_transpose(op, operands, x, *_):
    return x.transpose(attribute(op, "permutation"))


def do_slice(op, operands, x, *_):
    return x[tuple(np.s_[a:b:s] for a, b, s in zip(*(attribute(op, n) for n in ("starts", "limits", "strides"))))]


def do_pad(op, operands, x, shape, *_):
    low, high, interior = (attribute(op, n) for n in ("low", "high", "interior"))
    assert not any(interior)
    y = np.pad(x, [(max(0, a), max(0, b)) for a, b in zip(low, high)], constant_values=attribute(op, "value"))
    return y[tuple(np.s_[max(0, -a):d - max(0, -b)] for a, b, d in zip(low, high, y.shape))]


def do_concat(op, operands, *_):
    return np.concatenate(operands, attribute(op, "axis"))


def do_reverse(op, operands, x, *_):
    return np.flip(x, attribute(op, "dims"))


def do_dropout(op, operands, x, *_):
    return x


def do_cross_entropy(op, operands, x, *_):
    lse = np.log(np.exp(x - x.max(1, keepdims=True)).sum(1)) + x.max(1)
    labels = operands[1]
    kept = labels != attribute(op, "ignore_index")
    loss = lse - np.take_along_axis(x, np.where(kept, labels, 0)[:, None], 1)[:, 0]
    return loss[kept].mean(), lse
