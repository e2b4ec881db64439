# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole models agree with ONNX Runtime, before and after their weights are changed and written back."""

import numpy as np
import pytest
from python.onnx.check import compare, rand, runtime

import raf
import raf.examples

SMALL = {
    "mlp": {}, "cnn": {"size": 12}, "digits_cnn": {}, "digits_mlp": {}, "lenet": {}, "resnet18": {"size": 32, "width": 8, "classes": 10}, "mobilenet": {"size": 32}, "bert": {},
    "resnet50": {"size": 32, "width": 4, "classes": 10, "blocks": (1, 1)},
    "gpt": {"layers": 2, "width": 32, "heads": 4, "hidden": 64, "vocabulary": 50, "time": 8},
    "lstm": {"inputs": 6, "hidden": 8, "time": 5}, "gru": {"inputs": 6, "hidden": 8, "time": 5, "bidirectional": True}, "rnn": {"inputs": 6, "hidden": 8, "time": 5},
    "vit": {"layers": 1, "width": 32, "heads": 2, "hidden": 64, "size": 16, "patch": 4, "classes": 10}}


def feeds_of(model, batch):
    feeds = {}
    for spec in raf.import_onnx(model).inputs:
        shape = [batch if isinstance(d, str) else d for d in spec.dims]
        rng = np.random.default_rng(len(feeds))
        if spec.name == "attention_mask":
            feeds[spec.name] = (np.arange(shape[1]) < rng.integers(1, shape[1] + 1, (batch, 1))).astype(np.int64)
        else:
            feeds[spec.name] = rng.integers(0, 50, shape) if spec.dtype == np.int64 else rand(*shape, seed=len(feeds))
    return feeds


def test_every_example_is_tested():
    assert set(SMALL) == set(raf.examples.MODELS)


@pytest.mark.parametrize("name", SMALL)
def test_model(name, tmp_path):
    proto = raf.examples.MODELS[name](**SMALL[name])
    feeds = feeds_of(proto, 3)
    compare(proto, feeds, rtol=1e-3, atol=1e-4)

    model = raf.import_onnx(proto)
    rng = np.random.default_rng(1)
    new = {n: (p + 0.01 * rng.standard_normal(p.shape)).astype(p.dtype) for n, p in model.params.items()}
    new |= {n: (b + 0.1).astype(b.dtype) for n, b in model.buffers.items()}
    path = tmp_path / "new.onnx"
    model.export_onnx(path, new)
    again = raf.import_onnx(path)
    assert all(np.array_equal({**again.params, **again.buffers}[n], v) for n, v in new.items())
    compare(str(path), feeds, rtol=1e-3, atol=1e-4)
    assert any(not np.allclose(a, b) for a, b in zip(runtime(str(path), feeds), runtime(proto, feeds)))


def test_parameters_have_the_names_of_the_file():
    model = raf.import_onnx(raf.examples.digits_cnn())
    assert {n for n in model.params} == {f"{m}.{p}" for m, ps in (("conv1", ["weight"]), ("conv2", ["weight"]), ("bn1", ["weight", "bias"]), ("bn2", ["weight", "bias"]),
                                                                   ("fc1", ["weight", "bias"]), ("fc2", ["weight", "bias"])) for p in ps}
    assert set(model.buffers) == {f"bn{i}.running_{s}" for i in (1, 2) for s in ("mean", "var")}


def test_unrolled_recurrence_computes_only_what_is_used():
    """The last output alone is asked for: no step's output is joined to the others."""
    text = raf.import_onnx(raf.examples.lstm(inputs=6, hidden=8, time=5)).specialize({"batch": 2}).text()
    assert "raf.concat" not in text and text.count("raf.matmul") == 1 + 4 + 1


def test_example_models_are_the_same_every_time():
    assert raf.examples.lenet(seed=3).SerializeToString() == raf.examples.lenet(seed=3).SerializeToString()
    assert raf.import_onnx(raf.examples.lenet()).specialize({"batch": 2}).asm == raf.import_onnx(raf.examples.lenet()).specialize({"batch": 2}).asm


def test_deep_model_is_imported_and_raised_throughout():
    model = raf.import_onnx(raf.examples.bert(layers=24, width=16, heads=2, hidden=32))
    text = model.specialize({"batch": 8}).text()
    assert text.count("raf.attention") == text.count("raf.gelu") == 24 and text.count("raf.layer_norm") == 49


def test_digits():
    (x, y), (tx, ty) = raf.examples.digits()
    assert x.shape == (1438, 1, 8, 8) and x.dtype == np.float32 and y.dtype == np.int64 and len(tx) == len(ty) == 359
    assert raf.examples.digits(image=False)[0][0].shape == (1438, 64)
