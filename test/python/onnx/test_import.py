# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What import makes of a file: arguments and their roles, results, locations, and the file written back."""

import pathlib

import numpy as np
import onnx
import onnxruntime
import pytest
from onnx import TensorProto, helper, numpy_helper

import raf


def convnet(batch="N"):
    rng = np.random.default_rng(0)

    def init(name, *shape):
        return numpy_helper.from_array(rng.standard_normal(shape).astype(np.float32), name)

    nodes = [
        helper.make_node("Conv", ["x", "w", "b"], ["c"], name="conv1", pads=[1, 1, 1, 1]),
        helper.make_node("BatchNormalization", ["c", "scale", "shift", "mean", "var"], ["bn"], name="bn1", epsilon=1e-3, momentum=0.8),
        helper.make_node("Relu", ["bn"], ["r"]),
        helper.make_node("MaxPool", ["r"], ["p"], kernel_shape=[2, 2], strides=[2, 2]),
        helper.make_node("Flatten", ["p"], ["f"]),
        helper.make_node("Gemm", ["f", "w2", "b2"], ["y"], transB=1, name="fc"),
    ]
    weights = [init("w", 4, 1, 3, 3), init("b", 4), init("scale", 4), init("shift", 4), init("mean", 4), numpy_helper.from_array(np.ones(4, np.float32), "var"),
               init("w2", 10, 64), init("b2", 10)]
    graph = helper.make_graph(nodes, "convnet", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [batch, 1, 8, 8])],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, [batch, 10])], weights)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)


def test_roles_names_and_aliases():
    model = raf.import_onnx(convnet())
    assert list(model.params) == ["w", "b", "scale", "shift", "w2", "b2"]
    assert list(model.buffers) == ["mean", "var"]
    assert model.dims == ("N",)
    text = model.specialize({"N": 4}).text()
    assert '%arg0: tensor<4x1x8x8xf32> {raf.name = "x", raf.role = "input"}' in text
    assert '{raf.name = "w", raf.role = "param"}' in text
    assert '{raf.name = "mean", raf.role = "buffer"}' in text
    assert 'tensor<4x10xf32> {raf.name = "y"}' in text
    assert 'tensor<4xf32> {raf.alias = 7 : i64, raf.name = "new:mean"}' in text
    assert "epsilon = 1.000000e-03 momentum = 8.000000e-01" in text


def test_locations_are_node_names_and_indices():
    text = raf.import_onnx(convnet(batch=2)).specialize().text(locations=True)
    assert "loc(unknown)" not in text
    assert 'loc("conv1"' in text and '"convnet":5:0' in text


def test_shapes_by_input_by_name_and_by_example():
    model = raf.import_onnx(convnet())
    by_name = model.specialize({"N": 3})
    assert model.specialize([(3, 1, 8, 8)]) is by_name
    assert model.specialize({"x": np.zeros((3, 1, 8, 8))}) is by_name
    with pytest.raises(raf.ImportError, match="'N' is not known"):
        model.specialize()
    with pytest.raises(raf.ImportError, match="rank 4"):
        model.specialize([(3, 64)])


def test_frozen_and_chosen_parameters():
    model = raf.import_onnx(convnet(), frozen=["w*"])
    assert model.frozen == {"w", "w2"}
    assert 'tensor<10x64xf32> {raf.frozen, raf.name = "w2", raf.role = "param"}' in model.specialize({"N": 1}).text()
    assert raf.import_onnx(convnet(), params=["w2", "b2"]).frozen == {"w", "b", "scale", "shift"}
    with pytest.raises(raf.ImportError, match="no parameter matches 'head.*'"):
        raf.import_onnx(convnet(), frozen="head.*")


def test_export_writes_the_graph_with_new_weights(tmp_path):
    model = raf.import_onnx(convnet())
    new = {name: value + 1 for name, value in {**model.params, **model.buffers}.items()}
    model.export_onnx(tmp_path / "out.onnx", new)
    assert [p.name for p in tmp_path.iterdir()] == ["out.onnx"]
    written = onnx.load(tmp_path / "out.onnx")
    assert [n.name for n in written.graph.node] == [n.name for n in convnet().graph.node]
    found = {t.name: numpy_helper.to_array(t) for t in written.graph.initializer}
    assert all(np.array_equal(found[n], v) for n, v in new.items())
    session = onnxruntime.InferenceSession(str(tmp_path / "out.onnx"), providers=["CPUExecutionProvider"])
    assert session.run(None, {"x": np.zeros((2, 1, 8, 8), np.float32)})[0].shape == (2, 10)
    with pytest.raises(raf.ImportError, match="no parameter 'nope'"):
        model.export_onnx(tmp_path / "out.onnx", {"nope": np.zeros(1)})


def test_documented_ops_are_current():
    from raf.onnx.table import LIMITS, table

    page = (pathlib.Path(__file__).parents[3] / "docs/onnx.md").read_text()
    assert page.endswith("\n" + table()), "append the output of `python -m raf.onnx.table` to docs/onnx.md"
    assert all(f"{op}: " in table() for op in LIMITS)


# -- the rule for parameters


def parameters(op, array, name="w", slot=1, **options):
    from python.onnx.check import model_of

    inputs = ["x", "x", "x"][: slot + 1]
    inputs[slot] = name
    model = model_of([helper.make_node(op, inputs, ["y"])], {"x": np.ones((2, 2), np.float32)}, {"y": np.float32}, {name: np.asarray(array, np.float32)})
    return list(raf.import_onnx(model, **options).params)


def test_weights_are_parameters_and_numbers_and_masks_are_not():
    assert parameters("Add", np.ones(2)) == ["w"]
    assert parameters("Add", 0.5) == []
    assert parameters("Add", [0.5]) == []
    assert parameters("Mul", [0.5], "layer.weight") == ["layer.weight"]
    assert parameters("Add", [[0, -1e9], [0, 0]]) == []
    assert parameters("Add", [[0, -np.inf], [0, 0]]) == []
    assert parameters("Add", [[0, -3], [0, 0]]) == ["w"]
    assert parameters("Clip", 0.0) == []
    assert parameters("Pow", [2.0, 2.0]) == []
    assert parameters("Add", 0.5, params="w") == ["w"]


def test_a_setting_that_is_chosen_as_a_parameter_is_refused():
    with pytest.raises(raf.ImportError, match="no parameter matches 'x.*'"):
        parameters("Add", np.ones(2), params=["x.*"])


def test_constant_nodes_can_be_chosen():
    nodes = [helper.make_node("Constant", [], ["k"], value=numpy_helper.from_array(np.ones((2, 2), np.float32), "v")), helper.make_node("Add", ["x", "k"], ["y"])]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 2])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 2])])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
    assert raf.import_onnx(model).params == {}
    assert list(raf.import_onnx(model, params=["k"]).params) == ["k"]


def test_tied_weights_stay_one_parameter():
    weight = numpy_helper.from_array(np.ones((5, 5), np.float32), "embed.weight")
    nodes = [helper.make_node("MatMul", ["x", "embed.weight"], ["a"]), helper.make_node("Identity", ["embed.weight"], ["head"]), helper.make_node("MatMul", ["a", "head"], ["y"])]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 5])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 5])], [weight])
    model = raf.import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]))
    assert list(model.params) == ["embed.weight"]


def test_a_shared_batch_norm_updates_its_statistics_twice():
    stats = [numpy_helper.from_array(np.full(2, v, np.float32), n) for n, v in (("s", 1), ("b", 0), ("m", 0), ("v", 1))]
    nodes = [helper.make_node("BatchNormalization", ["x", "s", "b", "m", "v"], ["a"]), helper.make_node("BatchNormalization", ["a", "s", "b", "m", "v"], ["y"])]
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [3, 2])], [helper.make_tensor_value_info("y", TensorProto.FLOAT, [3, 2])], stats)
    model = raf.import_onnx(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]))
    assert list(model.buffers) == ["m", "v"]
    text = model.specialize().text()
    assert "raf.batch_norm %y, %arg1, %arg2, %new_running_mean, %new_running_var" in text
