# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Files whose large tensors are read where they lie: the same model as from the file's bytes, whatever the encoding, and the same errors."""

import os
import tempfile
import threading

import ml_dtypes
import numpy as np
import onnx
import pytest
import raf
from onnx import TensorProto, helper, numpy_helper
from raf._parallel import in_threads
from raf.onnx import data, importer, wire

LARGE = 200  # squared, in f32: above wire.SMALL


def proto(dtype=np.float32, constant=False):
    """x @ w + b with a large w; with `constant`, a large mask that is added and not trained."""
    rng = np.random.default_rng(0)
    element = helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    tensors = {"w": rng.standard_normal((LARGE, LARGE)).astype(dtype), "b": rng.standard_normal(LARGE).astype(dtype)}
    nodes = [helper.make_node("MatMul", ["x", "w"], ["h"]), helper.make_node("Add", ["h", "b"], ["y"])]
    if constant:
        tensors["mask"] = np.where(rng.random((LARGE, LARGE)) < 0.5, -1e9, 0).astype(dtype)
        nodes[0].input[1] = "v"
        nodes.insert(0, helper.make_node("Add", ["w", "mask"], ["v"]))
    initializers = [numpy_helper.from_array(a, n) for n, a in tensors.items()]
    inputs, outputs = ([helper.make_tensor_value_info(n, element, ["batch", LARGE])] for n in "xy")
    graph = helper.make_graph(nodes, "net", inputs, outputs, initializers)
    return helper.make_model(graph, ir_version=8, opset_imports=[helper.make_opsetid("", 17)])


def both(content, tmp_path):
    path = tmp_path / "m.onnx"
    path.write_bytes(content)
    return raf.import_onnx(path), raf.import_onnx(content)


def left_in_file(path):
    """The tensors of the file that are not in the message which is parsed."""
    with open(path, "rb") as file:
        content = wire.read(file)
    made = onnx.ModelProto()
    made.ParseFromString(content)
    return [t.name for t in made.graph.initializer if wire.place(t)], len(content)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_same_values(dtype, tmp_path):
    lazy, whole = both(proto(dtype).SerializeToString(), tmp_path)
    names, size = left_in_file(tmp_path / "m.onnx")
    assert names == ["w"] and size < 3000
    assert list(lazy.params) == list(whole.params) == ["w", "b"]
    for name, array in whole.params.items():
        assert lazy.params[name].dtype == array.dtype and np.array_equal(lazy.params[name], array)
    assert lazy.proto.SerializeToString(deterministic=True) == whole.proto.SerializeToString(deterministic=True)


def test_bool_tensor(tmp_path):
    tensor = numpy_helper.from_array(np.random.default_rng(0).random(wire.SMALL + 1) < 0.5, "flags")
    message = onnx.ModelProto(ir_version=8, graph=onnx.GraphProto(initializer=[tensor]))
    path = tmp_path / "m.onnx"
    path.write_bytes(message.SerializeToString())
    with open(path, "rb") as file:
        stamp = wire.stamp(file)
        read = onnx.ModelProto.FromString(wire.read(file))
    assert wire.place(read.graph.initializer[0])
    with data.Reading(read.graph.initializer, str(path), stamp) as reading:
        assert np.array_equal(reading.arrays(read.graph.initializer)["flags"], numpy_helper.to_array(tensor))


def test_constants_are_exported(tmp_path):
    made = proto(constant=True)
    path = tmp_path / "m.onnx"
    path.write_bytes(made.SerializeToString())
    assert left_in_file(path)[0] == ["w", "mask"]
    model = raf.import_onnx(path)
    path.unlink()
    trainer = raf.compile(model, loss="mse", optimizer="sgd", lazy=True)
    trainer.export_onnx(tmp_path / "out.onnx")
    out = {t.name: numpy_helper.to_array(t) for t in onnx.load(tmp_path / "out.onnx").graph.initializer}
    for tensor in made.graph.initializer:
        assert np.array_equal(out[tensor.name], numpy_helper.to_array(tensor))


def field(number, content):
    return wire._bytes_field(number, content)


def test_unusual_encodings(tmp_path):
    """What protobuf takes is taken: fields given twice, groups of a message in two parts, unknown fields."""
    made = proto()
    graph = made.graph.SerializeToString()
    rest = made.SerializeToString().replace(field(7, graph), b"")
    half = onnx.GraphProto()
    half.CopyFrom(made.graph)
    tensors = list(half.initializer)
    half.ClearField("initializer")
    later = onnx.GraphProto(initializer=tensors)
    twice = b"".join(field(5, field(9, b"old") + t.SerializeToString()) for t in tensors)
    unknown = wire._encoded(1000 << 3) + b"\x07" + wire._encoded(1001 << 3 | 5) + b"1234" + wire._encoded(1002 << 3 | 1) + b"12345678"
    for content in (
        rest + field(7, half.SerializeToString()) + field(7, later.SerializeToString()),
        rest + field(7, half.SerializeToString() + twice),
        unknown + rest + field(7, unknown + graph),
        field(7, graph) + rest,
    ):
        lazy, whole = both(content, tmp_path)
        assert np.array_equal(lazy.params["w"], whole.params["w"]) and np.array_equal(whole.params["w"], numpy_helper.to_array(tensors[0]))


def test_same_errors(tmp_path):
    content = proto().SerializeToString()
    path = tmp_path / "m.onnx"
    wrong = proto()
    wrong.graph.initializer[0].raw_data += b"more"
    for bad in (*(content[: len(content) * i // 7] for i in range(7)), content + b"\x80", wrong.SerializeToString()):
        messages = []
        path.write_bytes(bad)
        for source in (path, bad):
            with pytest.raises(raf.ImportError) as caught:
                raf.import_onnx(source)
            messages.append(str(caught.value).replace("'m.onnx'", "'model'"))
        assert messages[0] == messages[1]


def test_a_file_cannot_refer_to_itself(tmp_path):
    """The words that say where elements were left mean nothing in a file."""
    made = proto()
    tensor = made.graph.initializer[0]
    size = len(tensor.raw_data)
    tensor.ClearField("raw_data")
    for key, value in (("raf.offset", "0"), ("raf.length", str(size))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, value
    path = tmp_path / "m.onnx"
    path.write_bytes(made.SerializeToString() + field(1000, bytes(size)))
    with pytest.raises(raf.ImportError, match="'w'"):
        raf.import_onnx(path)
    assert TensorProto.FLOAT == tensor.data_type


def other_weights():
    made = proto()
    made.graph.initializer[0].raw_data = np.zeros((LARGE, LARGE), np.float32).tobytes()
    return made.SerializeToString()


def test_a_file_replaced_after_its_message_was_read(tmp_path, monkeypatch):
    """Not the old graph with the new file's weights."""
    path, new = tmp_path / "m.onnx", tmp_path / "new.onnx"
    path.write_bytes(proto().SerializeToString())
    new.write_bytes(other_weights())
    read = wire.read

    def read_and_replace(file):
        content = read(file)
        new.replace(path)
        return content

    monkeypatch.setattr(wire, "read", read_and_replace)
    with pytest.raises(raf.ImportError, match=r"m\.onnx' changed while it was read"):
        raf.import_onnx(path)


def test_a_file_written_to_while_its_tensors_are_read(tmp_path, monkeypatch):
    path = tmp_path / "m.onnx"
    path.write_bytes(proto().SerializeToString())
    wait = wire.Elements.wait

    def wait_and_write(self):
        wait(self)
        path.write_bytes(other_weights())
        os.utime(path, ns=(0, 0))  # another time, however coarse the clock of the files is

    monkeypatch.setattr(wire.Elements, "wait", wait_and_write)
    with pytest.raises(raf.ImportError, match=r"m\.onnx' changed while it was read"):
        raf.import_onnx(path)


@pytest.mark.parametrize("views", [1000, 2])
def test_places_in_a_file_are_read_in_runs(views, tmp_path, monkeypatch):
    """Consecutive places and what lies between them by one call, wherever a run ends."""
    monkeypatch.setattr(wire, "_VIEWS", views)
    content = np.random.default_rng(0).integers(0, 256, 600_000).astype(np.uint8)
    path = tmp_path / "bytes"
    path.write_bytes(content.tobytes())
    places = [(3, 5), (10, 150_000), (150_010, 1000), (151_000, 1001), (260_000, 300_000), (599_990, 10), (7, 0), (3, 5)]
    with path.open("rb") as file:
        elements = wire.Elements(file, places)
        elements.wait()
        arrays = [elements.take(place) for place in places]
        assert all(np.array_equal(array, content[offset : offset + length]) for array, (offset, length) in zip(arrays, places))
        assert not np.shares_memory(arrays[0], arrays[-1])  # the same place, but memory of its own
        cut = wire.Elements(file, [(0, 100), (400_000, 200_001)])
        cut.wait()
        assert cut.take((400_000, 200_001)) is None


def test_a_graph_that_is_refused_is_said_before_all_is_read(tmp_path, monkeypatch):
    model = proto()
    model.graph.node[0].input[0] = "nowhere"
    path = tmp_path / "m.onnx"
    path.write_bytes(model.SerializeToString())
    fill, read, refused = wire._fill, [], threading.Event()

    def slowly(file, offset, views):
        read.append(sum(map(len, views)))
        refused.wait(10)
        return fill(file, offset, views)

    def load(*arguments):
        try:
            return real(*arguments)
        finally:
            threading.Timer(0.2, refused.set).start()

    real = importer.load
    monkeypatch.setattr(importer, "load", load)
    monkeypatch.setattr(wire, "_fill", slowly)
    with pytest.raises(raf.ImportError, match="nowhere"):
        raf.import_onnx(path)
    assert len(read) == 1 and read[0] < LARGE * LARGE * 4


def test_a_call_reads_no_more_than_that(tmp_path, monkeypatch):
    path = tmp_path / "m.onnx"
    path.write_bytes(proto().SerializeToString())
    fill, sizes = wire._fill, []
    monkeypatch.setattr(wire, "_fill", lambda file, offset, views: sizes.append(sum(map(len, views))) or fill(file, offset, views))
    monkeypatch.setattr(wire, "_MOST", wire.SMALL)
    raf.import_onnx(path)
    assert sum(sizes) == LARGE * LARGE * 4 and max(sizes) == wire.SMALL


def test_a_file_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    path = tmp_path / "m.onnx"
    path.write_bytes(proto().SerializeToString())

    def fail(*arguments):
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "preadv", fail)
    with pytest.raises(raf.ImportError, match=r"cannot read '.*m\.onnx': Input/output error"):
        raf.import_onnx(path)


def test_tensors_that_are_set_apart_have_memory_of_their_own(tmp_path):
    """An exporter's Identity of a large vector: two parameters that are equal in the file."""
    names = ("b", "c")
    nodes = [helper.make_node("Identity", ["b"], ["c"]), helper.make_node("Add", ["x", "b"], ["h"]), helper.make_node("Mul", ["h", "c"], ["y"])]
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, 20_000]) for n in "xy")
    values = np.random.default_rng(0).standard_normal(20_000).astype(np.float32)
    graph = helper.make_graph(nodes, "g", [x], [y], [numpy_helper.from_array(values, "b")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)]), tmp_path / "m.onnx")
    params = raf.import_onnx(tmp_path / "m.onnx").params
    assert set(params) == set(names) and not np.shares_memory(*params.values())
    assert all(np.array_equal(p, values) for p in params.values())


def test_a_failure_in_one_of_the_threads(tmp_path):
    """The first in the order of the items, whichever thread meets it first."""

    def work(i):
        if i in (3, 7):
            raise ValueError(i)
        return 2 * i

    assert in_threads(work, [0, 1, 2]) == [0, 2, 4] and in_threads(work, []) == []
    with pytest.raises(ValueError, match="^3$"):
        in_threads(work, range(9))


def test_constants_do_not_keep_the_weights_alive():
    """What a file's tensors are read into is one block of memory, which goes when the last parameter has been taken from it."""
    nodes = [helper.make_node("MatMul", ["x", "w"], ["y"]), helper.make_node("Gather", ["y", "rows"], ["z"])]
    rows = np.arange(20_000) % 4
    made = helper.make_model(
        helper.make_graph(
            nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, [4, LARGE])], [helper.make_tensor_value_info("z", TensorProto.FLOAT, None)],
            [numpy_helper.from_array(np.ones((LARGE, LARGE), np.float32), "w"), numpy_helper.from_array(rows, "rows")],
        ),
        opset_imports=[helper.make_opsetid("", 17)],
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "m.onnx")
        onnx.save(made, path)
        model = raf.import_onnx(path)
    assert model.params["w"].base is not None and model._source.constants["rows"].base is None
    assert np.array_equal(model._source.constants["rows"], rows)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("named", [True, False])
def test_a_pipe(named, tmp_path):
    """As raf.import_onnx("/dev/stdin") and <(...) of a shell: neither can be read twice."""
    content = proto().SerializeToString()
    if named:
        path = str(tmp_path / "pipe")
        os.mkfifo(path)
        reads, ends = [], [path]
    else:
        reading, writing = os.pipe()
        path = f"/dev/fd/{reading}"
        reads, ends = [reading], [writing]

    def write():
        with open(ends[0], "wb") as file:
            file.write(content)

    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    try:
        model = raf.import_onnx(path)
    finally:
        for descriptor in reads:
            os.close(descriptor)
    writer.join()
    assert np.array_equal(model.params["w"], raf.import_onnx(content).params["w"])
