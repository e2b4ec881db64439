# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Chains that exporters write become high-level ops, with the same values; chains that only look like them stay."""

import math
import re

import numpy as np
import pytest
from onnx import helper
from python.onnx.check import compare, rand

import raf
from raf.examples.builder import Builder

F = np.float32


def build(write, *shapes, dims=None):
    """The model of a function of a Builder and the inputs' names, compared with ONNX Runtime, and its text."""
    b = Builder("chain")
    feeds = {f"x{i}": rand(*s, seed=i) for i, s in enumerate(shapes)}
    out = write(b, *(b.input(n, a.shape) for n, a in feeds.items()))
    b.nodes.append(helper.make_node("Identity", [out], ["y"]))
    b.outputs.append(helper.make_tensor_value_info("y", 1, None))
    graph = helper.make_graph(b.nodes, "chain", b.inputs, b.outputs, list(b.weights.values()))
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    compare(model, feeds, rtol=1e-4)
    return re.sub(" +", " ", raf.import_onnx(model).specialize().text())


def ops(text):
    return re.findall(r" = raf\.(\w+)", text)


def f(b, value):
    return b.const(value, F)


def erf_gelu(b, x, inner=math.sqrt(2), half=0.5, one=1.0):
    return b("Mul", b("Mul", x, b("Add", b("Erf", b("Div", x, f(b, inner))), f(b, one))), f(b, half))


GELUS = {
    "pytorch": erf_gelu,
    "half first": lambda b, x: b("Mul", b("Mul", f(b, 0.5), x), b("Add", f(b, 1.0), b("Erf", b("Mul", x, f(b, math.sqrt(0.5)))))),
    "half inside": lambda b, x: b("Mul", x, b("Mul", f(b, 0.5), b("Add", b("Erf", b("Div", x, f(b, math.sqrt(2)))), f(b, 1.0)))),
    "halved": lambda b, x: b("Div", b("Mul", x, b("Add", b("Erf", b("Div", x, f(b, math.sqrt(2)))), f(b, 1.0))), f(b, 2.0)),
}


@pytest.mark.parametrize("form", GELUS)
def test_erf_gelu(form):
    text = build(GELUS[form], (3, 4))
    assert "raf.gelu erf" in text and ops(text) == ["gelu"]


@pytest.mark.parametrize("change", [{"inner": 1.5}, {"half": 0.25}, {"one": 1.01}])
def test_near_misses_of_gelu(change):
    assert "raf.gelu" not in build(lambda b, x: erf_gelu(b, x, **change), (3, 4))


def test_gelu_of_another_value_is_none():
    assert "raf.gelu" not in build(lambda b, x, z: b("Mul", b("Mul", z, b("Add", b("Erf", b("Div", x, f(b, math.sqrt(2)))), f(b, 1.0))), f(b, 0.5)), (3, 4), (3, 4))


def tanh_gelu(b, x, cube, factor=0.044715):
    inner = b("Mul", b("Add", x, b("Mul", cube, f(b, factor))), f(b, math.sqrt(2 / math.pi)))
    return b("Mul", b("Mul", x, f(b, 0.5)), b("Add", b("Tanh", inner), f(b, 1.0)))


def test_tanh_gelu():
    assert "raf.gelu tanh" in build(lambda b, x: tanh_gelu(b, x, b("Pow", x, f(b, 3.0))), (3, 4))
    assert "raf.gelu tanh" in build(lambda b, x: tanh_gelu(b, x, b("Mul", x, b("Mul", x, x))), (3, 4))
    assert ops(build(factored_tanh_gelu, (3, 4))) == ["gelu"]


def factored_tanh_gelu(b, x):
    """As Keras writes it: x (1 + 0.044715 x^2)."""
    square = b("Mul", b("Mul", f(b, 0.044715), x), x)
    inner = b("Mul", b("Mul", f(b, math.sqrt(2 / math.pi)), x), b("Add", f(b, 1.0), square))
    return b("Mul", b("Mul", x, f(b, 0.5)), b("Add", f(b, 1.0), b("Tanh", inner)))


def test_near_misses_of_tanh_gelu():
    assert "raf.gelu" not in build(lambda b, x: tanh_gelu(b, x, b("Pow", x, f(b, 3.0)), factor=0.05), (3, 4))
    assert "raf.gelu" not in build(lambda b, x: tanh_gelu(b, x, b("Mul", x, x)), (3, 4))


def test_silu():
    assert "raf.silu" in build(lambda b, x: b("Mul", x, b("Sigmoid", x)), (3, 4))
    assert "raf.silu" not in build(lambda b, x, z: b("Mul", z, b("Sigmoid", x)), (3, 4), (3, 4))
    assert "raf.silu" not in build(lambda b, x: b("Mul", x, b("Sigmoid", b("Mul", x, f(b, 1.702)))), (3, 4))


def softmax(b, x, axis=-1, shift=True):
    e = b("Exp", b("Sub", x, b("ReduceMax", x, axes=[axis])) if shift else x)
    return b("Div", e, b("ReduceSum", e, b.const([axis])))


@pytest.mark.parametrize("shift", [True, False])
def test_softmax(shift):
    text = build(lambda b, x: softmax(b, x, shift=shift), (2, 3, 4))
    assert "raf.softmax %arg0 axis = 2" in text and "raf.exp" not in text


def test_near_misses_of_softmax():
    assert "raf.softmax" not in build(lambda b, x: b("Div", b("Exp", x), b("ReduceMax", b("Exp", x), axes=[-1])), (2, 3, 4))
    assert "raf.softmax" not in build(lambda b, x, z: b("Div", b("Exp", x), b("ReduceSum", b("Exp", z), b.const([-1]))), (3, 4), (3, 4))


def test_log_of_softmax():
    assert "raf.log_softmax" in build(lambda b, x: b("Log", b("Softmax", x, axis=-1)), (2, 3))
    assert "raf.log_softmax" not in build(lambda b, x: b("Add", b("Log", (s := b("Softmax", x, axis=-1))), s), (2, 3))


def layer_norm(b, x, axes=(-1,), epsilon=1e-5, scale=True, bias=True, width=4, root="div", other=None):
    d = b("Sub", x, b("ReduceMean", x, axes=list(axes)))
    s = b("Sub", other, b("ReduceMean", other, axes=list(axes))) if other else d
    std = b("Sqrt", b("Add", b("ReduceMean", b("Pow", s, f(b, 2.0)), axes=list(axes)), f(b, epsilon)))
    y = b("Div", d, std) if root == "div" else b("Mul", d, b("Reciprocal", std))
    y = b("Mul", y, b.normal("norm.weight", (width,), 1.0)) if scale else y
    return b("Add", y, b.normal("norm.bias", (width,), 1.0)) if bias else y


@pytest.mark.parametrize("root", ["div", "reciprocal"])
@pytest.mark.parametrize("scale, bias", [(True, True), (True, False), (False, False)])
def test_layer_norm(root, scale, bias):
    text = build(lambda b, x: layer_norm(b, x, root=root, scale=scale, bias=bias), (2, 3, 4))
    assert "raf.layer_norm %arg0" in text and "axis = 2 epsilon = 9.9999" in text and "raf.reduce" not in text and " raf.mul " not in text and " raf.add " not in text
    assert ("%arg1" in text.split("raf.layer_norm")[1]) == scale


def tensorflow_layer_norm(b, x, other=None):
    mean = b("ReduceMean", x, axes=[-1])
    d = b("Sub", x, mean)
    inverse = b("Reciprocal", b("Sqrt", b("Add", b("ReduceMean", b("Mul", d, d), axes=[-1]), f(b, 1e-3))))
    factor = b("Mul", inverse, b.normal("gamma", (4,), 1.0))
    return b("Add", b("Mul", other or x, factor), b("Sub", b.normal("beta", (4,), 1.0), b("Mul", mean, factor)))


def test_factored_layer_norm():
    text = build(tensorflow_layer_norm, (2, 3, 4))
    assert "raf.layer_norm %arg0, %arg1, %arg2 axis = 2" in text and "raf.reduce" not in text
    assert "raf.layer_norm" not in build(tensorflow_layer_norm, (2, 3, 4), (2, 3, 4))


def test_layer_norm_over_two_dimensions():
    assert "axis = 1" in build(lambda b, x: layer_norm(b, x, axes=(-2, -1), scale=False, bias=False), (2, 3, 4))


def test_near_misses_of_layer_norm():
    assert "raf.layer_norm" not in build(lambda b, x: layer_norm(b, x, axes=(1,), scale=False, bias=False), (2, 3, 4))
    assert "raf.layer_norm" not in build(lambda b, x, z: layer_norm(b, x, other=z), (2, 3, 4), (2, 3, 4))
    # The standard deviation is used again: the normalization stays one op, and the rest is computed.
    text = build(lambda b, x: b("Add", (y := layer_norm(b, x, scale=False, bias=False)), b("Mul", y, b.normal("w", (4,), 1.0))), (2, 3, 4))
    assert text.count("raf.layer_norm") == 1 and " raf.mul " in text


def rms_norm(b, x, form):
    root = b("Sqrt", b("Add", b("ReduceMean", b("Mul", x, x), axes=[-1]), f(b, 1e-6)))
    y = b("Div", x, root) if form == "div" else b("Mul", x, b("Div", f(b, 1.0), root))
    return b("Mul", b.normal("norm.weight", (4,), 1.0), y)


@pytest.mark.parametrize("form", ["div", "inverse"])
def test_rms_norm(form):
    text = build(lambda b, x: rms_norm(b, x, form), (2, 3, 4))
    assert "raf.rms_norm %arg0, %arg1 axis = 2" in text and "raf.reduce" not in text


# -- attention


def attention(b, q, k, v, scale=None, mask=None, where=None, both=False, transpose=True, extra=False):
    """q, k, v are [batch, time, heads, width]."""
    q, v = (b("Transpose", x, perm=[0, 2, 1, 3]) for x in (q, v))
    k = b("Transpose", k, perm=[0, 2, 3, 1])
    if both:
        q, k = (b("Mul", x, f(b, math.sqrt(scale))) for x in (q, k))
    scores = b("MatMul", q, k)
    if scale and not both:
        scores = b("Mul", scores, f(b, scale))
    if mask is not None:
        scores = b("Add", scores, mask if isinstance(mask, str) else b.const(mask, F))
    if where is not None:
        scores = b("Where", where if isinstance(where, str) else b.const(where, np.bool_), scores, f(b, -1e9))
    p = b("Softmax", scores, axis=-1)
    y = b("MatMul", p, v)
    return b("Add", y, b("ReduceSum", p, b.const([-1]))) if extra else y


QKV = [(2, 5, 3, 4)] * 3
CAUSAL = np.triu(np.full((5, 5), -3.4e38), 1)


def test_attention():
    text = build(lambda b, *x: attention(b, *x, scale=0.5), *QKV)
    assert "scale = 5.0" in text and "raf.attention" in text and "raf.matmul" not in text and text.count("raf.transpose") == 3


def test_attention_scaled_on_both_operands():
    text = build(lambda b, *x: attention(b, *x, scale=0.3, both=True), *QKV)
    assert float(re.search(r"raf.attention .* scale = (\S+)", text)[1]) == pytest.approx(0.3)


def test_causal_attention_from_an_added_mask_and_from_where():
    text = build(lambda b, *x: attention(b, *x, scale=0.5, mask=CAUSAL.reshape(1, 1, 5, 5)), *QKV)
    assert "causal" in text and " bias " not in text
    text = build(lambda b, *x: attention(b, *x, scale=0.5, where=np.tril(np.ones((5, 5)))), *QKV)
    assert "causal" in text and " bias " not in text


def test_attention_with_other_masks_keeps_them_as_bias():
    window = np.where(np.abs(np.subtract.outer(np.arange(5), np.arange(5))) < 2, 0, -1e9)
    assert " bias " in build(lambda b, *x: attention(b, *x, scale=0.5, mask=window), *QKV)
    assert " bias " in build(lambda b, *x: attention(b, *x, scale=0.5, where=window == 0), *QKV)
    text = build(lambda b, q, k, v, m: attention(b, q, k, v, scale=0.5, mask=m), *QKV, (2, 1, 1, 5))
    assert re.search(r"raf.attention .* bias .*tensor<2x1x1x5xf32>\)", text) and "causal" not in text


def test_attention_of_rank_three():
    def write(b, q, k, v):
        return b("MatMul", b("Softmax", b("Div", b("MatMul", q, b("Transpose", k, perm=[0, 2, 1])), f(b, 2.0)), axis=-1), v)

    assert "raf.attention" in build(write, (6, 5, 4), (6, 5, 4), (6, 5, 4))


def test_near_misses_of_attention():
    # The weights are an output too.
    assert "raf.attention" not in build(lambda b, *x: attention(b, *x, scale=0.5, extra=True), *QKV)
    # Softmax over the wrong dimension.
    assert "raf.attention" not in build(lambda b, q, k, v: b("MatMul", b("Softmax", b("MatMul", q, k), axis=1), v), (2, 5, 4), (2, 4, 5), (2, 5, 4))
    # A row without any key: where gives the mean of the values, a sum would not.
    empty = np.tril(np.ones((5, 5)))
    empty[2] = 0
    assert "raf.attention" not in build(lambda b, *x: attention(b, *x, scale=0.5, where=empty), *QKV)
    # Scores that are no product.
    assert "raf.attention" not in build(lambda b, s, v: b("MatMul", b("Softmax", s, axis=-1), v), (2, 3, 5, 5), (2, 3, 5, 4))


@pytest.mark.parametrize("name, op, count", [("gpt", "raf.attention", 2), ("gpt", "raf.gelu", 2), ("bert", "raf.attention", 1), ("bert", "raf.gelu", 1)])
def test_example_transformers_are_raised(name, op, count):
    import raf.examples

    small = {"layers": 2, "width": 32, "heads": 4, "hidden": 64, "vocabulary": 50, "time": 8} if name == "gpt" else {}
    text = raf.import_onnx(raf.examples.MODELS[name](**small)).specialize({"batch": 2}).text()
    assert text.count(op) == count
    assert ("causal" in text) == (name == "gpt")
