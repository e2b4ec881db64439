# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops that move elements, indexing and control flow agree with ONNX Runtime."""

import numpy as np
import pytest
from onnx import TensorProto, helper
from python.onnx.check import check_op, compare, model_of, rand

import raf

F, I64 = np.float32, np.int64


def ints(*values):
    return np.array(values, I64)


@pytest.mark.parametrize("target", [(6, 4), (-1,), (0, -1), (2, 0, 4, 1), (1, 2, -1, 2)])
def test_reshape(target):
    check_op("Reshape", rand(2, 3, 4), weights=[(1, ints(*target))])


@pytest.mark.parametrize("axis", [0, 1, 2, 3, -1])
def test_flatten(axis):
    check_op("Flatten", rand(2, 3, 4), axis=axis)


def test_squeeze_and_unsqueeze():
    check_op("Squeeze", rand(1, 3, 1, 4), weights=[(1, ints(0, -2))])
    check_op("Squeeze", rand(1, 3, 1, 4))
    check_op("Squeeze", rand(1, 3, 1, 4), axes=[2], opset=11)
    check_op("Unsqueeze", rand(3, 4), weights=[(1, ints(0, -1))])
    check_op("Unsqueeze", rand(3, 4), axes=[1], opset=11)


@pytest.mark.parametrize("perm", [None, (0, 2, 1), (2, 0, 1)])
def test_transpose(perm):
    check_op("Transpose", rand(2, 3, 4), **({} if perm is None else {"perm": perm}))


def test_transpose_that_moves_only_ones_is_a_reshape():
    model = check_op("Transpose", rand(2, 1, 4), perm=(1, 0, 2))
    text = raf.import_onnx(model).specialize().text()
    assert "raf.reshape" in text and "raf.transpose" not in text


def test_expand_and_tile():
    check_op("Expand", rand(3, 1), weights=[(1, ints(2, 1, 4))])
    check_op("Tile", rand(2, 3), weights=[(1, ints(2, 3))])
    check_op("Tile", rand(2, 3), weights=[(1, ints(1, 1))])


@pytest.mark.parametrize("starts, ends, axes, steps", [
    ([0], [2], [1], None), ([1, 0], [3, 1000], None, None), ([-2], [-1], [-1], None), ([0], [5], [1], [2]), ([4], [0], [1], [-1]), ([-1], [-1000], [1], [-2]), ([3], [1], [0], None),
    ([-1], [-9223372036854775807], [0], [-1]), ([1], [5], [1], [9223372036854775807]), ([4], [0], [1], [-9223372036854775807])])
def test_slice(starts, ends, axes, steps):
    weights = [(1, ints(*starts)), (2, ints(*ends))] + ([(3, ints(*axes))] if axes else []) + ([(4, ints(*steps))] if steps else [])
    check_op("Slice", rand(3, 5), weights=weights)


def test_concat_and_split():
    check_op("Concat", rand(2, 3), rand(2, 1, seed=1), rand(2, 2, seed=2), axis=-1)
    check_op("Split", rand(2, 6), weights=[(1, ints(1, 2, 3))], axis=1, outputs=3)
    check_op("Split", rand(2, 6), axis=1, outputs=2, opset=13)
    check_op("Split", rand(2, 7), axis=1, outputs=3, num_outputs=3, opset=18)
    check_op("Split", rand(2, 6), axis=1, outputs=2, split=[2, 4], opset=11)


@pytest.mark.parametrize("mode", ["constant", "reflect", "edge"])
@pytest.mark.parametrize("pads", [[0, 1, 0, 2], [1, 0, 0, 0], [1, 2, 2, 1]])
def test_pad(mode, pads):
    check_op("Pad", rand(3, 4), weights=[(1, ints(*pads))], mode=mode)


def test_pad_with_values_axes_crops_and_wrap():
    check_op("Pad", rand(3, 4), weights=[(1, ints(0, 1, 0, 2)), (2, np.array(1.5, F))])
    check_op("Pad", rand(3, 4), weights=[(1, ints(-1, 1, 0, -2))])
    check_op("Pad", rand(2, 3, 4), weights=[(1, ints(1, 2)), (2, np.array(0, F)), (3, ints(1))], opset=18)
    check_op("Pad", rand(3, 4), weights=[(1, ints(1, 2, 0, 1))], mode="wrap", opset=19)


@pytest.mark.parametrize("mode", ["DCR", "CRD"])
def test_depth_to_space(mode):
    check_op("DepthToSpace", rand(2, 8, 3, 2), blocksize=2, mode=mode)
    check_op("SpaceToDepth", rand(2, 2, 4, 6), blocksize=2)


@pytest.mark.parametrize("upper, k", [(1, 0), (0, 0), (1, 1), (0, -1)])
def test_trilu(upper, k):
    check_op("Trilu", rand(2, 4, 5), weights=[(1, np.array(k, I64))], upper=upper)


@pytest.mark.parametrize("attributes", [
    {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, {"mode": "nearest"}, {"mode": "linear"},
    {"mode": "linear", "coordinate_transformation_mode": "align_corners"}, {"mode": "linear", "coordinate_transformation_mode": "asymmetric"},
    {"mode": "nearest", "nearest_mode": "ceil"}])
@pytest.mark.parametrize("scales", [(1, 1, 2, 2), (1, 1, 3, 1.5), (1, 1, 0.5, 0.5)])
def test_resize_by_scales(attributes, scales):
    node = helper.make_node("Resize", ["x", "", "s"], ["y"], **attributes)
    x = rand(1, 2, 4, 6)
    compare(model_of([node], {"x": x}, {"y": F}, {"s": np.array(scales, F)}, opset=13), {"x": x})


@pytest.mark.parametrize("mode", ["nearest", "linear"])
def test_resize_to_too_much_is_refused(mode):
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode=mode)
    model = model_of([node], {"x": rand(1, 4)}, {"y": np.float32}, {"sizes": ints(1, 1 << 40)})
    with pytest.raises(raf.ImportError, match="dimension 1 of size 4 is resized to 1099511627776, which is too large"):
        raf.import_onnx(model)


def test_resize_by_sizes_and_integer_nearest_is_a_broadcast():
    x = rand(1, 2, 4, 6)
    node = helper.make_node("Resize", ["x", "", "", "s"], ["y"], mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
    model = model_of([node], {"x": x}, {"y": F}, {"s": ints(1, 2, 8, 12)}, opset=13)
    compare(model, {"x": x})
    text = raf.import_onnx(model).specialize().text()
    assert text.count("raf.broadcast") == 2 and "raf.gather" not in text


@pytest.mark.parametrize("indices", [ints(0, 2), ints(-1, 0), np.array(1, I64), np.array(-1, I64), np.array([[0, 1], [2, 0]], I64), np.array([2, 1], np.int32)])
@pytest.mark.parametrize("axis", [0, 1])
def test_gather(indices, axis):
    check_op("Gather", rand(3, 4), indices, axis=axis, dtypes=[F])
    check_op("Gather", rand(3, 4), weights=[(1, indices)], axis=axis)


def test_constant_gather_in_progression_is_a_slice():
    for indices in (np.array(-1, I64), ints(0, 2)):
        text = raf.import_onnx(check_op("Gather", rand(4, 3), weights=[(1, indices)])).specialize().text()
        assert "raf.slice" in text and "raf.gather" not in text


def test_gather_elements_and_nd():
    check_op("GatherElements", rand(3, 4), np.array([[0, -1, 2], [1, 1, 0]], I64), axis=1, dtypes=[F])
    check_op("GatherND", rand(3, 4, 5), np.array([[0, 1], [2, -1]], I64), dtypes=[F])
    check_op("GatherND", rand(3, 4, 5), np.array([[[0], [2]]], I64), dtypes=[F])
    check_op("GatherND", rand(2, 3, 4), np.array([[1], [0]], I64), batch_dims=1, dtypes=[F])


def test_scatter():
    check_op("ScatterElements", rand(3, 4), weights=[(1, np.array([[0], [-1], [2]], I64)), (2, rand(3, 1, seed=1))], axis=1)
    check_op("ScatterElements", rand(3, 4), np.array([[0, 0], [1, 1], [2, 2]], I64), rand(3, 2, seed=1), axis=1, reduction="add", opset=16, dtypes=[F])
    check_op("ScatterND", rand(4, 3), weights=[(1, np.array([[1], [-1]], I64)), (2, rand(2, 3, seed=1))])
    check_op("ScatterND", rand(4, 3), np.array([[1, 0], [1, 0]], I64), rand(2, seed=1), reduction="add", opset=16, dtypes=[F])


def test_scatter_that_could_write_twice_is_refused():
    feeds = {"x": rand(3, 4), "i": np.zeros((3, 1), I64), "u": rand(3, 1)}
    node = helper.make_node("ScatterElements", ["x", "i", "u"], ["y"], axis=1)
    with pytest.raises(raf.ImportError, match="must be constants"):
        raf.import_onnx(model_of([node], feeds, {"y": F}))
    with pytest.raises(raf.ImportError, match="written twice"):
        raf.import_onnx(model_of([node], {"x": feeds["x"]}, {"y": F}, {"i": np.zeros((3, 2), I64), "u": rand(3, 2)}))


def test_one_hot():
    for axis in (-1, 0):
        check_op("OneHot", ints(1, -1, 3, 9), weights=[(1, np.array(4, I64)), (2, np.array([0.5, 2], F))], axis=axis, dtypes=[F])


# -- shape arithmetic


def test_shape_arithmetic_is_folded():
    """Shape -> Gather -> Concat -> Reshape, as exporters write view(batch, -1, heads, width)."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Gather", ["s", "zero"], ["b"]), helper.make_node("Unsqueeze", ["b", "axes"], ["b1"]),
        helper.make_node("Gather", ["s", "two"], ["w"]), helper.make_node("Div", ["w", "four"], ["q"]), helper.make_node("Unsqueeze", ["q", "axes"], ["q1"]),
        helper.make_node("Concat", ["b1", "minus", "heads", "q1"], ["target"], axis=0), helper.make_node("Reshape", ["x", "target"], ["y"])]
    weights = {"zero": np.array(0, I64), "two": np.array(2, I64), "four": np.array(4, I64), "axes": ints(0), "minus": ints(-1), "heads": ints(4)}
    x = rand(2, 3, 8)
    model = model_of(nodes, {"x": x}, {"y": F}, weights, dims={"x": ["b", "t", 8]})
    compare(model, {"x": x})
    text = raf.import_onnx(model).specialize({"b": 5, "t": 2}).text()
    assert text.count("raf.") - text.count("raf.name") - text.count("raf.role") == 1 and "tensor<5x2x4x2xf32>" in text


def test_expand_by_a_computed_shape_with_where():
    """PyTorch's expand: ConstantOfShape, Mul, Equal and Where decide the shape."""
    nodes = [
        helper.make_node("Shape", ["x"], ["s"]), helper.make_node("ConstantOfShape", ["two"], ["ones"], value=helper.make_tensor("v", TensorProto.INT64, [1], [1])),
        helper.make_node("Mul", ["ones", "minus"], ["m"]), helper.make_node("Equal", ["s", "m"], ["e"]), helper.make_node("Where", ["e", "ones", "s"], ["t"]),
        helper.make_node("Expand", ["row", "t"], ["z"]), helper.make_node("Add", ["x", "z"], ["y"])]
    x = rand(3, 4)
    compare(model_of(nodes, {"x": x, "row": rand(1, 4, seed=1)}, {"y": F}, {"two": ints(2), "minus": np.array(-1, I64)}), {"x": x, "row": rand(1, 4, seed=1)})


def test_range_and_mask_are_constants():
    nodes = [
        helper.make_node("Shape", ["x"], ["s"], start=1, end=2), helper.make_node("Squeeze", ["s"], ["n"]), helper.make_node("Range", ["zero", "n", "one"], ["r"]),
        helper.make_node("Cast", ["r"], ["f"], to=1), helper.make_node("Mul", ["x", "f"], ["y"])]
    x = rand(2, 5)
    compare(model_of(nodes, {"x": x}, {"y": F}, {"zero": np.array(0, I64), "one": np.array(1, I64)}), {"x": x})


def test_huge_constant_shapes_take_no_memory():
    nodes = [helper.make_node("ConstantOfShape", ["n"], ["big"]), helper.make_node("ReduceMax", ["big"], ["m"], keepdims=0), helper.make_node("Add", ["x", "m"], ["y"])]
    text = raf.import_onnx(model_of(nodes, {"x": rand(2)}, {"y": F}, {"n": ints(1 << 20, 1 << 14)})).specialize().text()
    assert "dense<0.000000e+00> : tensor<1048576x16384xf32>" in text


# -- control flow


def scalar(name, kind=TensorProto.FLOAT, dims=()):
    return helper.make_tensor_value_info(name, kind, dims)


def test_if_with_a_constant_condition_is_inlined():
    branches = {f"{k}_branch": helper.make_graph([helper.make_node(op, ["x"], [k])], k, [], [scalar(k, dims=None)]) for k, op in (("then", "Relu"), ("else", "Neg"))}
    for condition in (True, False):
        model = model_of([helper.make_node("If", ["c"], ["y"], **branches)], {"x": rand(2, 3)}, {"y": F}, {"c": np.array(condition)})
        compare(model, {"x": rand(2, 3)})


def test_loop_with_a_constant_count_is_unrolled():
    body = helper.make_graph(
        [helper.make_node("Identity", ["c"], ["c2"]), helper.make_node("Mul", ["s", "w"], ["m"]), helper.make_node("Add", ["m", "x"], ["s2"]), helper.make_node("Neg", ["s2"], ["row"])],
        "body", [scalar("i", TensorProto.INT64), scalar("c", TensorProto.BOOL), scalar("s", dims=None)], [scalar("c2", TensorProto.BOOL), scalar("s2", dims=None), scalar("row", dims=None)])
    for info in (body.input[2], body.output[1], body.output[2]):
        info.type.tensor_type.shape.dim.add().dim_value = 3
    feeds = {"x": rand(3), "w": rand(3, seed=1)}
    model = model_of([helper.make_node("Loop", ["n", "", "x"], ["last", "rows"], body=body)], feeds, {"last": F, "rows": F}, {"n": np.array(3, I64)})
    compare(model, feeds)


def test_scan_is_unrolled():
    body = helper.make_graph([helper.make_node("Add", ["s", "p"], ["s2"]), helper.make_node("Identity", ["s2"], ["row"])], "body",
                             [scalar("s", dims=[3]), scalar("p", dims=[3])], [scalar("s2", dims=[3]), scalar("row", dims=[3])])
    feeds = {"s0": rand(3), "x": rand(4, 3, seed=1)}
    compare(model_of([helper.make_node("Scan", ["s0", "x"], ["s", "rows"], body=body, num_scan_inputs=1)], feeds, {"s": F, "rows": F}), feeds)


def test_condition_that_depends_on_data_is_refused():
    branches = {f"{k}_branch": helper.make_graph([helper.make_node(op, ["x"], [k])], k, [], [scalar(k, dims=None)]) for k, op in (("then", "Relu"), ("else", "Neg"))}
    feeds = {"x": rand(2), "c": np.array(True)}
    with pytest.raises(raf.ImportError, match="node 'choose' .If., op If, opset 17: input 0 .input 'c'. must be a constant"):
        raf.import_onnx(model_of([helper.make_node("If", ["c"], ["y"], name="choose", **branches)], feeds, {"y": F}))


def test_sequences():
    nodes = [helper.make_node("SplitToSequence", ["x"], ["s"], axis=1, keepdims=0), helper.make_node("SequenceAt", ["s", "last"], ["a"]), helper.make_node("SequenceInsert", ["s", "a"], ["t"]),
             helper.make_node("SequenceErase", ["t", "first"], ["u"]), helper.make_node("ConcatFromSequence", ["u"], ["y"], axis=1, new_axis=1), helper.make_node("SequenceLength", ["u"], ["n"])]
    x = rand(2, 3, 4)
    compare(model_of(nodes, {"x": x}, {"y": F, "n": I64}, {"last": np.array(-1, I64), "first": np.array(0, I64)}), {"x": x})
    for part in (np.array(2, I64), ints(1, 2)):
        nodes = [helper.make_node("SplitToSequence", ["x", "n"], ["s"], axis=1), helper.make_node("ConcatFromSequence", ["s"], ["y"], axis=1)]
        compare(model_of(nodes, {"x": x}, {"y": F}, {"n": part}), {"x": x})


def test_scikit_learn_classifier():
    """What skl2onnx writes around an MLPClassifier."""
    ml = "ai.onnx.ml"
    nodes = [
        helper.make_node("Scaler", ["x"], ["a"], domain=ml, offset=[0.5, 0.1, 0.0], scale=[1.0, 2.0, 0.5]), helper.make_node("MatMul", ["a", "w"], ["b"]), helper.make_node("Add", ["b", "c"], ["d"]),
        helper.make_node("Softmax", ["d"], ["p"]), helper.make_node("ArgMax", ["p"], ["i"], axis=1), helper.make_node("ArrayFeatureExtractor", ["classes", "i"], ["l"], domain=ml),
        helper.make_node("Reshape", ["l", "flat"], ["label"]), helper.make_node("Normalizer", ["p"], ["n"], domain=ml, norm="L1")]
    weights = {"w": rand(3, 4), "c": rand(1, 4), "classes": ints(7, 8, 9, 10), "flat": ints(-1)}
    x = rand(5, 3)
    compare(model_of(nodes, {"x": x}, {"label": I64, "n": F}, weights, domains=[ml]), {"x": x})
    zipped = helper.make_node("ZipMap", ["n"], ["z"], domain=ml, classlabels_int64s=[7, 8, 9, 10])
    model = model_of([*nodes, zipped], {"x": x}, {"label": I64}, weights, domains=[ml])
    element = helper.make_map_type_proto(TensorProto.INT64, helper.make_tensor_type_proto(TensorProto.FLOAT, []))
    model.graph.output.append(helper.make_value_info("z", helper.make_sequence_type_proto(element)))
    assert raf.import_onnx(model).specialize().outputs[1].dims == (5, 4)


def test_model_functions_are_inlined():
    function = helper.make_function("local", "Twice", ["a"], ["b"], [helper.make_node("Add", ["a", "a"], ["b"])], [helper.make_opsetid("", 17)])
    model = model_of([helper.make_node("Twice", ["x"], ["y"], domain="local")], {"x": rand(2)}, {"y": F}, domains=["local"])
    model.functions.append(function)
    compare(model, {"x": rand(2)})
