# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mutated files: import gives a model or a raf.ImportError, and never takes much memory or time."""

import random
import resource
import time

import numpy as np
import pytest
from onnx import AttributeProto, helper

import raf
import raf.examples

COUNT = 150


def small_models():
    ex = raf.examples
    return {
        "digits_cnn": ex.digits_cnn(), "mobilenet": ex.mobilenet(size=32), "bert": ex.bert(width=8, heads=2, hidden=8, vocabulary=10, time=4), "lstm": ex.lstm(inputs=3, hidden=4, time=3),
        "gpt": ex.gpt(layers=1, width=8, heads=2, hidden=8, vocabulary=10, time=4)}


MODELS = small_models()


@pytest.fixture(autouse=True)
def bounded_memory():
    """A mutation that made import allocate by a claimed size would fail with MemoryError."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (used + (2 << 30), hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def attempt(source):
    """Whether import accepts the file; the shapes are those of a small batch."""
    start = time.perf_counter()
    try:
        model = raf.import_onnx(source)
        model.specialize({i.name: [d if isinstance(d, int) and d < 64 else 2 for d in i.dims or ()] for i in model.inputs})
        return True
    except raf.ImportError as error:
        assert str(error) and len(str(error)) < 100_000
        return False
    finally:
        assert time.perf_counter() - start < 30


@pytest.mark.parametrize("name", MODELS)
def test_truncated(name):
    content = MODELS[name].SerializeToString()
    rng = random.Random(name)
    assert not any(attempt(content[:rng.randrange(len(content))]) for _ in range(COUNT // 3))


@pytest.mark.parametrize("name", MODELS)
def test_flipped_bits_and_bytes(name):
    content = MODELS[name].SerializeToString()
    rng = random.Random(name)
    # Most of a file are weights, where every change is valid; the structure is at the front.
    front = max(1, min(len(content), len(MODELS[name].graph.node) * 80))
    for _ in range(COUNT):
        data = bytearray(content)
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(front if rng.random() < 0.7 else len(data))
            data[at] = data[at] ^ (1 << rng.randrange(8)) if rng.random() < 0.6 else rng.randrange(256)
        attempt(bytes(data))


NUMBERS = (0, -1, 1, 2, 3, 7, 1 << 31, 1 << 40, (1 << 63) - 1, -(1 << 63))


def edit(model, rng):
    """One change of a field."""
    graph = model.graph
    node = rng.choice(graph.node)
    names = [n for x in graph.node for n in (*x.input, *x.output)] + ["", "nothing"]
    ops = [x.op_type for x in graph.node] + ["Relu", "Gather", "Reshape", "Loop", "If", "Softmax", "Slice", "Concat", "LSTM", "Conv", "Nothing"]
    kind = rng.randrange(12)
    if kind == 0 and node.input:
        node.input[rng.randrange(len(node.input))] = rng.choice(names)
    elif kind == 1 and node.output:
        node.output[rng.randrange(len(node.output))] = rng.choice(names)
    elif kind == 2:
        node.op_type = rng.choice(ops)
    elif kind == 3 and node.attribute:
        a = rng.choice(node.attribute)
        if a.type == AttributeProto.INT:
            a.i = rng.choice(NUMBERS)
        elif a.type == AttributeProto.INTS and a.ints:
            a.ints[rng.randrange(len(a.ints))] = rng.choice(NUMBERS)
        elif a.type == AttributeProto.FLOAT:
            a.f = rng.choice((0.0, -1.0, float("inf"), float("nan"), 1e30))
        else:
            a.type = rng.randrange(14)
    elif kind == 4 and node.attribute:
        del node.attribute[rng.randrange(len(node.attribute))]
    elif kind == 5:
        node.attribute.append(helper.make_attribute(rng.choice(("axis", "perm", "group", "kernel_shape", "mode", "body", "to")), rng.choice((1, [1, 2], 0.5, "x", [0.5]))))
    elif kind == 6:
        tensor = rng.choice(graph.initializer)
        if tensor.dims and rng.random() < 0.7:
            tensor.dims[rng.randrange(len(tensor.dims))] = rng.choice(NUMBERS)
        else:
            tensor.data_type = rng.randrange(25)
    elif kind == 7:
        tensor = rng.choice([t for t in graph.initializer if t.data_type == 7] or list(graph.initializer))
        if tensor.data_type == 7 and tensor.raw_data:
            values = np.frombuffer(tensor.raw_data, np.int64).copy()
            if values.size:
                values[rng.randrange(values.size)] = rng.choice(NUMBERS)
            tensor.raw_data = values.tobytes()
        else:
            tensor.raw_data = tensor.raw_data[: rng.randrange(len(tensor.raw_data) + 1)]
    elif kind == 8:
        info = rng.choice([*graph.input, *graph.output])
        dims = info.type.tensor_type.shape.dim
        if dims and rng.random() < 0.6:
            dims[rng.randrange(len(dims))].dim_value = rng.choice(NUMBERS)
        else:
            info.type.tensor_type.elem_type = rng.randrange(20)
    elif kind == 9:
        del graph.node[rng.randrange(len(graph.node))]
    elif kind == 10:
        graph.node.add().CopyFrom(node)
    else:
        model.opset_import[0].version = rng.choice((0, 1, 5, 9, 11, 13, 18, 21, 22, 23, 1 << 40))


@pytest.mark.parametrize("name", MODELS)
def test_edited_fields(name):
    rng = random.Random(name)
    accepted = 0
    for _ in range(COUNT * 2):
        model = type(MODELS[name])()
        model.CopyFrom(MODELS[name])
        for _ in range(rng.choice((1, 1, 1, 2, 3))):
            edit(model, rng)
        accepted += attempt(model)
    assert accepted  # the edits are not so coarse that import looks at nothing
