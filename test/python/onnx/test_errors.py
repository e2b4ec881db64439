# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files that are broken, hostile or not supported: one clear raf.ImportError, and nothing read from outside of the model's folder."""

import contextlib
import os

import numpy as np
import onnx
import pytest
from onnx import TensorProto, external_data_helper, helper, numpy_helper
from python.onnx.check import compare, model_of, rand

import raf
import raf.examples

F, I64 = np.float32, np.int64


def refused(source, *parts, **options):
    with pytest.raises(raf.ImportError) as caught:
        raf.import_onnx(source, **options)
    message = str(caught.value)
    assert all(p in message for p in parts), message
    assert "Traceback" not in message and len(message) < 3000
    return caught.value


def node(op, *inputs, out="y", **attributes):
    return helper.make_node(op, list(inputs), [out], name=f"n_{out}", **attributes)


# -- files


def test_missing_empty_and_other_files(tmp_path):
    refused(tmp_path / "none.onnx", "cannot read", "No such file")
    refused(tmp_path, "cannot read")
    (tmp_path / "empty.onnx").write_bytes(b"")
    refused(tmp_path / "empty.onnx", "is empty")
    (tmp_path / "text.onnx").write_text("this is not a model\n" * 10)
    refused(tmp_path / "text.onnx", "'text.onnx' is not an ONNX model")
    refused(b"\x00" * 100, "not an ONNX model")
    refused(42, "expected a path")


def test_truncated_files():
    content = raf.examples.digits_cnn().SerializeToString()
    for length in (1, 10, 100, 1000, len(content) // 2, len(content) - 1):
        refused(content[:length])


# -- graphs


def test_cycle_names_its_nodes():
    model = model_of([node("Relu", "b", out="a"), node("Neg", "a", out="b"), node("Add", "a", "x")], {"x": rand(2)}, {"y": F})
    refused(model, "cycle", "'n_a' (Relu)", "'n_b' (Neg)")


def test_order_missing_inputs_and_outputs_and_duplicates():
    refused(model_of([node("Neg", "a"), node("Relu", "x", out="a")], {"x": rand(2)}, {"y": F}), "not in topological order")
    error = refused(model_of([node("Add", "x", "nowhere", out="a"), node("Add", "a", "gone")], {"x": rand(2)}, {"y": F, "z": F}),
                    "'nowhere', which nothing in the model makes", "'gone'", "output 'z' is made by no node")
    assert len(error.problems) == 3
    refused(model_of([node("Relu", "x"), node("Neg", "x")], {"x": rand(2)}, {"y": F}), "makes 'y', which node 0 makes too")
    refused(model_of([node("Relu", "x")], {"x": rand(2)}, {}), "no output")


def test_types_that_do_not_fit():
    refused(model_of([node("Add", "x", "i")], {"x": rand(2), "i": np.array([1, 2], I64)}, {"y": F}), "float32 and int64")
    refused(model_of([node("MatMul", "x", "z")], {"x": rand(2, 3), "z": rand(4, 2)}, {"y": F}), "'n_y' (MatMul)", "cannot multiply")
    refused(model_of([node("Reshape", "x", "s")], {"x": rand(2, 3)}, {"y": F}, {"s": np.array([4, -1], I64)}), "does not fit the target shape [4, -1]")
    refused(model_of([node("Reshape", "x", "s")], {"x": rand(2, 3), "s": np.array([3, 2], I64)}, {"y": F}), "input 's'", "must be a constant")
    refused(model_of([node("Conv", "x", "w")], {"x": rand(1, 3, 4, 4), "w": rand(2, 4, 3, 3)}, {"y": F}), "need 4 input channels, got 3")
    refused(model_of([node("Relu", "x")], {"x": np.array([1], np.uint8)}, {"y": np.uint8}), "uint8")
    refused(model_of([node("Gather", "x", "i")], {"x": rand(2, 3)}, {"y": F}, {"i": np.array([5], I64)}), "an index is outside [-2, 2)")


def test_every_unsupported_node_is_named_at_once():
    nodes = [node("NonMaxSuppression", "x", "x", out="a"), node("Relu", "x", out="b"), helper.make_node("Frobnicate", ["b"], ["c"], name="n_c", domain="my.ops"), node("TopK", "b", "k", out="d"),
             node("Det", "x")]
    nodes[3].output.append("e")
    model = model_of(nodes, {"x": rand(1, 2, 2)}, {"y": F}, {"k": np.array([1], I64)}, domains=["my.ops"])
    error = refused(model, "'n_a' (NonMaxSuppression), op NonMaxSuppression, opset 17: the op is not supported", "op my.ops::Frobnicate, opset 1", "'n_y' (Det)")
    assert len(error.problems) == 4


def test_all_shape_problems_at_once():
    nodes = [node("MatMul", "x", "x", out="a"), node("Reshape", "x", "s", out="b"), node("Add", "a", "b")]
    error = refused(model_of(nodes, {"x": rand(2, 3)}, {"y": F}, {"s": np.array([4], I64)}))
    assert len(error.problems) == 2  # and none for the node that depends on them


def test_versions():
    model = model_of([node("Relu", "x")], {"x": rand(2)}, {"y": F})
    model.opset_import[0].version = 999
    refused(model, "uses opset 999")
    del model.opset_import[:]
    refused(model)


def test_old_opsets_are_converted():
    x = rand(2, 3, 4)
    for opset in (7, 8, 9, 10, 11, 12):
        model = model_of([node("Softmax", "x", axis=1, out="a"), node("Unsqueeze", "a", axes=[0], out="b"), node("Squeeze", "b", axes=[0], out="c"), node("Dropout", "c")], {"x": x}, {"y": F}, opset=opset)
        model.ir_version = 8
        compare(model, {"x": x})


# -- tensors


def weights(array=None, **fields):
    model = model_of([node("Add", "x", "w")], {"x": rand(2, 3)}, {"y": F}, {"w": rand(2, 3)})
    tensor = model.graph.initializer[0]
    for name, value in fields.items():
        if name == "dims":
            del tensor.dims[:]
            tensor.dims.extend(value)
        else:
            setattr(tensor, name, value)
    return model


def test_claimed_sizes_are_checked_before_memory_is_taken():
    refused(weights(dims=[1 << 40, 1 << 20]), "tensor 'w'", "24 bytes of data")
    refused(weights(dims=[-1, 3]), "impossible shape")
    refused(weights(raw_data=b"123"), "3 bytes of data")
    refused(weights(data_type=99), "number 99")
    refused(weights(data_type=TensorProto.COMPLEX64), "COMPLEX64")
    model = model_of([node("ConstantOfShape", "n", out="a"), node("Add", "x", "a")], {"x": rand(1)}, {"y": F}, {"n": np.array([1 << 62, 1 << 62], I64)})
    refused(model)
    model = model_of([node("Tile", "x", "n")], {"x": rand(1, 1)}, {"y": F}, {"n": np.array([1 << 40, 1 << 40], I64)})
    refused(model, "too large")
    model = model_of([node("Range", "a", "b", "c", out="r"), node("Cast", "r", to=1)], {"x": rand(1)}, {"y": F},
                     {"a": np.array(0, I64), "b": np.array(1 << 60, I64), "c": np.array(1, I64)})
    refused(model, "too large")


def test_sequences_strings_and_maps_are_refused():
    model = model_of([node("Relu", "x")], {"x": rand(2)}, {"y": F})
    model.graph.input.add().CopyFrom(helper.make_tensor_sequence_value_info("s", TensorProto.FLOAT, [2]))
    refused(model, "'s' is not a tensor")
    refused(onnx.ModelProto())


# -- loops


def test_loops_that_do_not_end_or_are_too_long():
    def info(name, kind, dims=()):
        return helper.make_tensor_value_info(name, kind, dims)

    body = helper.make_graph([helper.make_node("Identity", ["c"], ["c2"]), helper.make_node("Neg", ["s"], ["s2"])], "body",
                             [info("i", TensorProto.INT64), info("c", TensorProto.BOOL), info("s", TensorProto.FLOAT, [2])],
                             [info("c2", TensorProto.BOOL), info("s2", TensorProto.FLOAT, [2])])
    loop = helper.make_node("Loop", ["n", "go", "x"], ["y"], name="forever", body=body)
    for count in (1 << 40, 99_999):
        refused(model_of([loop], {"x": rand(2)}, {"y": F}, {"n": np.array(count, I64), "go": np.array(True)}), "too many" if count > 100_000 else "more than")
    loop.input[0] = ""
    refused(model_of([loop], {"x": rand(2)}, {"y": F}, {"go": np.array(True)}), "more than")


# -- external data


def external(folder, location="w.bin"):
    model = model_of([node("Add", "x", "w")], {"x": rand(20, 30)}, {"y": F}, {"w": rand(20, 30, seed=1)})
    external_data_helper.convert_model_to_external_data(model, location="w.bin", size_threshold=0)
    onnx.save_model(model, folder / "m.onnx")
    model = onnx.load(folder / "m.onnx", load_external_data=False)
    for entry in model.graph.initializer[0].external_data:
        if entry.key == "location":
            entry.value = str(location)
    (folder / "m.onnx").write_bytes(model.SerializeToString())
    return folder / "m.onnx"


def test_external_data_is_read_and_written(tmp_path):
    (tmp_path / "a").mkdir()
    path = external(tmp_path / "a")
    model = raf.import_onnx(path)
    assert np.array_equal(model.params["w"], rand(20, 30, seed=1))
    compare(str(path), {"x": rand(20, 30)})
    model.export_onnx(tmp_path / "out.onnx", {"w": np.ones((20, 30), F)})
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_file()) == ["out.onnx", "out.onnx.data"]
    assert np.array_equal(numpy_helper.to_array(onnx.load(tmp_path / "out.onnx").graph.initializer[0]), np.ones((20, 30)))
    refused(path.read_bytes(), "has no folder")


@pytest.mark.parametrize("location", ["../secret.bin", "/etc/hostname", "sub/../../secret.bin", "C:\\secret.bin", "..\\secret.bin", "", "w\0.bin"])
def test_external_data_outside_the_folder_is_refused(tmp_path, location):
    (tmp_path / "secret.bin").write_bytes(b"\0" * 2400)
    (tmp_path / "m").mkdir()
    refused(external(tmp_path / "m", location), "refused: it must be a relative path inside the model's folder")


def test_links_out_of_the_folder_are_refused(tmp_path):
    (tmp_path / "secret.bin").write_bytes(b"\0" * 2400)
    folder = tmp_path / "m"
    folder.mkdir()
    os.symlink(tmp_path / "secret.bin", folder / "link.bin")
    refused(external(folder, "link.bin"), "leads out of the model's folder")
    os.symlink(tmp_path, folder / "up")
    refused(external(folder, "up/secret.bin"), "leads out of the model's folder")


def test_external_data_of_another_size(tmp_path):
    path = external(tmp_path)
    (tmp_path / "w.bin").write_bytes(b"\0" * 100)
    refused(path, "'w.bin' has 100 in all")
    refused(external(tmp_path, "gone.bin"), "there is no such file")


# -- export


def test_export_to_a_place_that_cannot_be_written(tmp_path):
    model = raf.import_onnx(raf.examples.mlp())
    with pytest.raises(raf.RuntimeError, match="does not exist"):
        model.export_onnx(tmp_path / "no" / "out.onnx")
    (tmp_path / "out.onnx").mkdir()
    with pytest.raises(raf.RuntimeError, match="cannot write"):
        model.export_onnx(tmp_path / "out.onnx")
    assert [p.name for p in tmp_path.iterdir()] == ["out.onnx"]


def test_failed_export_leaves_the_old_file(tmp_path, monkeypatch):
    model = raf.import_onnx(raf.examples.mlp())
    model.export_onnx(tmp_path / "out.onnx")
    before = (tmp_path / "out.onnx").read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(raf.RuntimeError, match="No space left"):
        model.export_onnx(tmp_path / "out.onnx", {"fc1.bias": np.ones(128, F)})
    assert (tmp_path / "out.onnx").read_bytes() == before and len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("call", [1, 2, 3])
def test_failed_export_leaves_model_and_external_data(tmp_path, monkeypatch, call):
    """The disk is full when the data or the model are flushed: both old files stay, and belong together."""
    (tmp_path / "a").mkdir()
    model = raf.import_onnx(external(tmp_path / "a"))
    folder = tmp_path / "out"
    folder.mkdir()
    model.export_onnx(folder / "m.onnx")
    before = {p.name: p.read_bytes() for p in folder.iterdir()}
    calls, fsync = [], os.fsync

    def full(handle):
        calls.append(handle)
        if len(calls) == call:
            raise OSError(28, "No space left on device")
        fsync(handle)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(raf.RuntimeError, match="No space left") if call < 3 else contextlib.nullcontext():
        model.export_onnx(folder / "m.onnx", {"w": np.ones((20, 30), F)})
    if call < 3:
        assert {p.name: p.read_bytes() for p in folder.iterdir()} == before
    else:
        assert len(calls) == 2 and np.array_equal(raf.import_onnx(folder / "m.onnx").params["w"], np.ones((20, 30), F))
