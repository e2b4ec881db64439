# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution, pooling, normalization, softmax, attention and recurrent ops agree with ONNX Runtime."""

import numpy as np
import pytest
from onnx import helper
from python.onnx.check import check_op, compare, imported, model_of, rand, runtime

import raf

F, I64 = np.float32, np.int64


@pytest.mark.parametrize("attributes", [
    {}, {"pads": [1, 1, 1, 1]}, {"strides": [2, 2]}, {"pads": [0, 1, 2, 1], "strides": [2, 1]}, {"dilations": [2, 1]}, {"auto_pad": "SAME_UPPER", "strides": [2, 2]},
    {"auto_pad": "SAME_LOWER", "strides": [2, 3]}, {"auto_pad": "VALID"}, {"kernel_shape": [3, 2]}])
@pytest.mark.parametrize("bias", [False, True])
def test_conv(attributes, bias):
    check_op("Conv", rand(2, 3, 7, 8), rand(4, 3, 3, 2, seed=1), *([rand(4, seed=2)] if bias else []), **attributes)


@pytest.mark.parametrize("groups", [2, 4])
def test_conv_groups(groups):
    check_op("Conv", rand(2, 4, 6, 6), rand(8, 4 // groups, 3, 3, seed=1), rand(8, seed=2), group=groups, pads=[1] * 4)


def test_conv_of_one_and_three_dimensions():
    check_op("Conv", rand(2, 3, 9), rand(4, 3, 3, seed=1), pads=[1, 1], strides=[2])
    check_op("Conv", rand(1, 2, 4, 5, 6), rand(3, 2, 2, 3, 2, seed=1), rand(3, seed=2), pads=[0, 1, 0, 1, 1, 1])


@pytest.mark.parametrize("attributes", [
    {}, {"strides": [2, 2]}, {"strides": [2, 2], "pads": [1, 1, 1, 1]}, {"strides": [2, 2], "pads": [1, 1, 1, 1], "output_padding": [1, 1]}, {"dilations": [2, 2]},
    {"strides": [3, 2], "output_shape": [14, 10]}, {"strides": [2, 2], "auto_pad": "SAME_UPPER"}])
def test_conv_transpose(attributes):
    check_op("ConvTranspose", rand(2, 3, 4, 5), rand(3, 4, 3, 3, seed=1), rand(4, seed=2), **attributes)


def test_conv_transpose_groups_and_ranks():
    check_op("ConvTranspose", rand(2, 4, 4, 4), rand(4, 3, 2, 2, seed=1), group=2, strides=[2, 2])
    check_op("ConvTranspose", rand(2, 3, 5), rand(3, 2, 3, seed=1), strides=[2])


POOLS = [{"kernel_shape": [2, 2], "strides": [2, 2]}, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1]}, {"kernel_shape": [3, 2]},
         {"kernel_shape": [3, 3], "strides": [2, 2], "ceil_mode": 1}, {"kernel_shape": [3, 3], "strides": [2, 2], "pads": [1, 1, 1, 1], "ceil_mode": 1},
         {"kernel_shape": [2, 2], "strides": [2, 2], "auto_pad": "SAME_UPPER"}, {"kernel_shape": [1, 1], "strides": [2, 2]}]


@pytest.mark.parametrize("attributes", POOLS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8)])
def test_max_pool(attributes, size):
    check_op("MaxPool", rand(2, 3, *size), **attributes)


@pytest.mark.parametrize("attributes", POOLS)
@pytest.mark.parametrize("size", [(6, 6), (7, 8)])
@pytest.mark.parametrize("include", [0, 1])
def test_average_pool(attributes, size, include):
    check_op("AveragePool", rand(2, 3, *size), opset=19, count_include_pad=include, **attributes)


def test_pools_of_other_ranks():
    check_op("MaxPool", rand(2, 3, 9), kernel_shape=[3], strides=[2], dilations=[2])
    check_op("AveragePool", rand(1, 2, 4, 4, 4), kernel_shape=[2, 2, 2], strides=[2, 2, 2])
    check_op("LpPool", rand(1, 2, 4, 4, low=0.1), kernel_shape=[2, 2], strides=[2, 2], p=2)


@pytest.mark.parametrize("op", ["GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool"])
def test_global_pools(op):
    check_op(op, rand(2, 3, 4, 5))


def test_max_pool_indices_are_refused():
    node = helper.make_node("MaxPool", ["x"], ["y", "i"], kernel_shape=[2, 2])
    with pytest.raises(raf.ImportError, match="indices output is not supported"):
        raf.import_onnx(model_of([node], {"x": rand(1, 1, 4, 4)}, {"y": F, "i": I64}))


@pytest.mark.parametrize("shape", [(4, 3), (2, 3, 5), (2, 3, 4, 4)])
def test_batch_norm_inference_and_training(shape):
    weights = {"s": rand(3, seed=1), "b": rand(3, seed=2), "m": rand(3, seed=3), "v": rand(3, seed=4, low=0.5)}
    node = helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y"], epsilon=1e-3, momentum=0.7)
    x = rand(*shape)
    model = model_of([node], {"x": x}, {"y": F}, weights)
    compare(model, {"x": x})

    from python.onnx.evaluate import evaluate

    made = raf.import_onnx(model)
    got = evaluate(made.specialize().asm, {"x": x, **made.params, **made.buffers}, training=True)
    training = helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["y", "nm", "nv"], epsilon=1e-3, momentum=0.7, training_mode=1)
    expected = runtime(model_of([training], {"x": x}, {"y": F, "nm": F, "nv": F}, weights), {"x": x})
    for name, value in zip(("y", "new:m", "new:v"), expected):
        np.testing.assert_allclose(got[name], value, rtol=1e-4, atol=1e-5)


def test_merged_statistics_are_separated():
    """Exporters keep one tensor of zeros for a bias and a running mean, and give copies through Identity."""
    one, zero = np.ones(3, F), np.zeros(3, F)
    nodes = [helper.make_node("BatchNormalization", ["x", "one", "zero", "zero", "one"], ["a"]), helper.make_node("Identity", ["zero"], ["bias2"]),
             helper.make_node("BatchNormalization", ["a", "one", "bias2", "zero", "one"], ["y"])]
    model = raf.import_onnx(model_of(nodes, {"x": rand(2, 3)}, {"y": F}, {"one": one, "zero": zero}))
    assert sorted(model.params) == ["bias2", "one", "zero"]
    assert sorted(model.buffers) == ["one_var", "zero_mean"]
    assert 'raf.name = "new:zero_mean"' in model.specialize().text()


@pytest.mark.parametrize("axis", [-1, 1, 2])
def test_layer_norm(axis):
    x = rand(2, 3, 4)
    inner = x.shape[axis:]
    check_op("LayerNormalization", x, rand(*inner, seed=1), rand(*inner, seed=2), axis=axis, epsilon=1e-3)
    check_op("LayerNormalization", x, rand(*inner, seed=1), axis=axis)


def test_instance_group_and_rms_norm():
    check_op("InstanceNormalization", rand(2, 4, 3, 3), rand(4, seed=1), rand(4, seed=2))
    check_op("GroupNormalization", rand(2, 4, 3, 3), rand(4, seed=1), rand(4, seed=2), num_groups=2, opset=21)
    check_op("RMSNormalization", rand(2, 3, 4), rand(4, seed=1), opset=23)
    check_op("LpNormalization", rand(2, 3, 4), axis=1)
    check_op("LRN", rand(2, 5, 3, 3), size=3, alpha=0.1)
    check_op("MeanVarianceNormalization", rand(2, 3, 4, 4))


def test_skip_layer_norms():
    x, skip = rand(2, 3, 4), rand(2, 3, 4, seed=5)
    check_op("SkipLayerNormalization", x, skip, rand(4, seed=1), rand(4, seed=2), rand(4, seed=3), domain="com.microsoft", epsilon=1e-5)
    check_op("SkipSimplifiedLayerNormalization", x, skip, rand(4, seed=1), domain="com.microsoft", epsilon=1e-5)


@pytest.mark.parametrize("op", ["Softmax", "LogSoftmax", "Hardmax"])
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax(op, axis):
    check_op(op, rand(2, 3, 4), axis=axis)
    if op != "Hardmax":
        check_op(op, rand(2, 3, 4), axis=axis, opset=11)


def test_softmax_defaults_by_opset():
    check_op("Softmax", rand(2, 3, 4))
    check_op("Softmax", rand(2, 3, 4), opset=11)


@pytest.mark.parametrize("attributes", [{}, {"scale": 0.3}, {"is_causal": 1}])
@pytest.mark.parametrize("mask", [None, np.bool_, F])
@pytest.mark.parametrize("groups", [4, 2])
def test_attention(attributes, mask, groups):
    q, k, v = rand(2, 4, 5, 8), rand(2, groups, 5, 8, seed=1), rand(2, groups, 5, 6, seed=2)
    extra = [] if mask is None else [np.tril(np.ones((5, 5))).astype(np.bool_)] if mask == np.bool_ else [rand(5, 5, seed=3)]
    check_op("Attention", q, k, v, *extra, opset=23, dtypes=[F], **attributes)


def test_attention_of_rank_three():
    check_op("Attention", rand(2, 5, 8), rand(2, 7, 8, seed=1), rand(2, 7, 8, seed=2), opset=23, q_num_heads=2, kv_num_heads=2)


def test_multi_head_attention():
    check_op("MultiHeadAttention", rand(2, 5, 8), rand(2, 7, 8, seed=1), rand(2, 7, 8, seed=2), rand(24, seed=3), domain="com.microsoft", num_heads=2)


@pytest.mark.parametrize("op", ["Gelu", "FastGelu", "QuickGelu", "BiasGelu"])
def test_microsoft_gelus(op):
    check_op(op, rand(3, 4), *([rand(4, seed=1)] if op == "BiasGelu" else []), domain="com.microsoft", atol=1e-4)


GATES = {"LSTM": 4, "GRU": 3, "RNN": 1}


@pytest.mark.parametrize("op", GATES)
@pytest.mark.parametrize("direction", ["forward", "reverse", "bidirectional"])
@pytest.mark.parametrize("bias, initial", [(False, False), (True, True)])
def test_recurrent(op, direction, bias, initial):
    time, batch, size, hidden, d, n = 4, 3, 5, 6, 2 if direction == "bidirectional" else 1, GATES[op]
    inputs = [rand(time, batch, size), rand(d, n * hidden, size, seed=1), rand(d, n * hidden, hidden, seed=2)]
    if bias:
        inputs.append(rand(d, 2 * n * hidden, seed=3))
    if initial:
        inputs += [None, rand(d, batch, hidden, seed=4)] + ([rand(d, batch, hidden, seed=5)] if op == "LSTM" else [])
    check_op(op, *inputs, outputs=3 if op == "LSTM" else 2, hidden_size=hidden, direction=direction)


def test_gru_linear_before_reset_and_activations():
    inputs = [rand(4, 3, 5), rand(1, 18, 5, seed=1), rand(1, 18, 6, seed=2), rand(1, 36, seed=3)]
    check_op("GRU", *inputs, outputs=2, hidden_size=6, linear_before_reset=1)
    check_op("RNN", rand(4, 3, 5), rand(2, 6, 5, seed=1), rand(2, 6, 6, seed=2), hidden_size=6, direction="bidirectional", activations=["Relu", "Tanh"])


def test_lstm_peepholes_and_full_lengths():
    inputs = [rand(4, 3, 5), rand(1, 24, 5, seed=1), rand(1, 24, 6, seed=2), rand(1, 48, seed=3)]
    check_op("LSTM", *inputs, None, None, rand(1, 18, seed=6), weights=[(4, np.full(3, 4, np.int32))], outputs=3, hidden_size=6)


def test_recurrent_layout_puts_the_batch_first():
    """ONNX Runtime has no layout = 1: compare with the transposed results."""
    x, w, r = rand(4, 3, 5), rand(2, 24, 5, seed=1), rand(2, 24, 6, seed=2)
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y", "h", "c"], hidden_size=6, direction="bidirectional")
    feeds = {"x": x, "w": w, "r": r}
    y, h, c = runtime(model_of([node], feeds, {"y": F, "h": F, "c": F}), feeds)
    node = helper.make_node("LSTM", ["x", "w", "r"], ["y", "h", "c"], hidden_size=6, direction="bidirectional", layout=1)
    feeds["x"] = x.transpose(1, 0, 2)
    got = imported(model_of([node], feeds, {"y": F, "h": F, "c": F}), feeds)
    for mine, theirs in zip(got, (y.transpose(2, 0, 1, 3), h.transpose(1, 0, 2), c.transpose(1, 0, 2))):
        np.testing.assert_allclose(mine, theirs, rtol=1e-5, atol=1e-6)


def test_short_sequences_are_refused():
    node = helper.make_node("GRU", ["x", "w", "r", "", "n"], ["y"], hidden_size=6)
    feeds = {"x": rand(4, 3, 5), "w": rand(1, 18, 5), "r": rand(1, 18, 6)}
    with pytest.raises(raf.ImportError, match="sequence_lens"):
        raf.import_onnx(model_of([node], feeds, {"y": F}, {"n": np.array([4, 3, 2], np.int32)}))


def test_a_loss_in_the_model():
    feeds = {"x": rand(4, 5), "t": np.array([0, 4, 2, 1], I64)}
    node = helper.make_node("SoftmaxCrossEntropyLoss", ["x", "t"], ["loss", "log"])
    compare(model_of([node], feeds, {"loss": F, "log": F}), feeds)
