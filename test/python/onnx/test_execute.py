# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled models predict what ONNX Runtime does, and train."""

import numpy as np
import pytest
import raf
import raf.examples
from python.onnx.check import runtime
from python.onnx.test_models import SMALL, feeds_of

core = pytest.importorskip("raf._core")
try:
    core.run_pipeline("module {}", "builtin.module(raf-cpu)")
except raf.CompileError as error:
    if "raf-cpu" in str(error) and "registered" in str(error):
        pytest.skip("this build has no pipeline raf-cpu", allow_module_level=True)


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAF_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.mark.parametrize("name", SMALL)
def test_predictions(name):
    proto = raf.examples.MODELS[name](**SMALL[name])
    feeds = feeds_of(proto, 3)
    predictor = raf.compile(raf.import_onnx(proto))
    got = predictor(**feeds)
    np.testing.assert_allclose(got, runtime(proto, feeds)[0], rtol=1e-3, atol=1e-4)


@pytest.mark.parametrize("name", SMALL)
def test_training_lowers_the_loss_and_the_file_agrees(name, tmp_path):
    proto = raf.examples.MODELS[name](**SMALL[name])
    feeds = feeds_of(proto, 4)
    model = raf.import_onnx(proto)
    rows, classes = runtime(proto, feeds)[0].shape
    labels = np.random.default_rng(0).integers(0, classes, rows)
    trainer = raf.compile(model, loss="cross_entropy", optimizer=raf.optim.Adam(lr=1e-2))
    losses = [float(trainer.step(*feeds.values(), labels)) for _ in range(8)]
    assert np.isfinite(losses).all() and losses[-1] < losses[0]
    trainer.export_onnx(tmp_path / "trained.onnx")
    mine = raf.compile(raf.import_onnx(tmp_path / "trained.onnx"))(**feeds)
    np.testing.assert_allclose(mine, runtime(str(tmp_path / "trained.onnx"), feeds)[0], rtol=2e-3, atol=1e-3)
