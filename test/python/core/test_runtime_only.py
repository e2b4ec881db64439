# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package without the compiler, built from the sources in a folder of its own, runs what this package compiled."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import warnings
from importlib import metadata

import numpy as np
import pytest

import raf
from raf import examples

pytest.importorskip("raf._core")
ROOT = pathlib.Path(__file__).parents[3]
SENTENCE = "this build of RAF has only the runtime, not the compiler (RAF_BUILD_COMPILER=OFF)"


def has(name):
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


#: Like the package that is tested, if the files to build with are here.
DNNL = has("onednn-devel-cpu-gomp") and has("onednn-cpu-gomp")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """The folder that the package was installed to."""
    missing = [name for name in ("scikit_build_core", "nanobind", "pip") if importlib.util.find_spec(name) is None]
    if missing:
        reason = f"the package without the compiler is not built and tested: {', '.join(missing)} missing"
        warnings.warn(reason, stacklevel=1)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("runtime-only")
    options = ["RAF_BUILD_COMPILER=OFF", f"RAF_WITH_DNNL={'ON' if DNNL else 'OFF'}"]
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--target", str(folder / "site"), str(ROOT)]
    command += [f"--config-settings=cmake.define.{option}" for option in options] + [f"--config-settings=build-dir={folder}/build"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder / "site"


@pytest.fixture
def python(site, tmp_path):
    """Runs Python with that package alone; returns what it prints."""

    def run(*arguments, status=0):
        environment = {k: v for k, v in os.environ.items() if k != "RAF_BUILD_DIR"}
        done = subprocess.run([sys.executable, *map(str, arguments)], cwd=tmp_path, env={**environment, "PYTHONPATH": str(site), "COLUMNS": "240"}, capture_output=True, text=True)
        assert done.returncode == status, done.stdout + done.stderr
        return done.stdout + done.stderr

    return run


STEP = """
import json, sys
import numpy as np
import raf
data = np.load("data.npz")
step = raf.load_executable("step.rafx")
losses = [float(step.step(data["x"], data["y"])) for _ in range(10)]
step.save("run.safetensors")
predict = raf.load_executable("predict.rafx")
print(json.dumps({"file": raf.__file__, "losses": losses, "scores": predict(data["x"]).tolist()}))
"""


def test_it_runs_what_was_compiled_to_the_same_bits(python, site, tmp_path):
    network = raf.import_onnx(examples.digits_cnn())
    (spec,) = network.inputs
    shape = (8, *(int(d) for d in spec.dims[1:]))
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal(shape).astype(np.float32), rng.integers(0, 4, 8)
    np.savez(tmp_path / "data.npz", x=x, y=y)
    libraries = ("dnnl",) if DNNL else ()
    trainer = raf.compile(network, loss="cross_entropy", optimizer="adamw", libraries=libraries)
    predictor = raf.compile(network, libraries=libraries)
    trainer.save_executable(tmp_path / "step.rafx", {spec.name: shape})
    predictor.save_executable(tmp_path / "predict.rafx", {spec.name: shape})
    result = json.loads(python("-c", STEP))
    assert result["file"].startswith(str(site))
    assert result["losses"] == [float(trainer.step(x, y)) for _ in range(10)]
    np.testing.assert_array_equal(np.array(result["scores"], np.float32), predictor(x))
    tensors, _ = raf.checkpoint.load(tmp_path / "run.safetensors")
    np.testing.assert_array_equal(tensors[f"param:{next(iter(trainer.params))}"], next(iter(trainer.params.values())))
    out = python("-m", "raf", "run", "step.rafx", "--data", "data.npz", "--steps", 2)
    assert out.count("loss") == 2


def test_everything_else_says_that_there_is_no_compiler(python, tmp_path):
    (tmp_path / "model.onnx").write_bytes(examples.mlp((4, 8, 3)).SerializeToString())
    np.savez(tmp_path / "data.npz", x=np.zeros((8, 4), np.float32), y=np.zeros(8, np.int64))
    for arguments in (
        ("compile", "model.onnx", "--input-shape", "x=8,4", "-o", "a.rafx"),
        ("train", "model.onnx", "--data", "data.npz"),
        ("eval", "model.onnx", "--data", "data.npz"),
        ("inspect", "model.onnx", "--size", "batch=8", "--loss", "cross_entropy"),
    ):
        out = python("-m", "raf", *arguments, status=1)
        assert SENTENCE in out.replace("\n", " ") and "Traceback" not in out, out
    out = python("-c", "import raf; raf.compile(raf.import_onnx('model.onnx'), lazy=True, loss='mse', optimizer='sgd').step()", status=1)
    assert "does not fit the model" in out
    report = json.loads(python("-m", "raf", "doctor", "--json"))
    assert report["raf"]["compiler"] == "not in this build, which has only the runtime" and report["raf"]["executables"] is True and report["cpu"]["LLVM"] is None
    assert SENTENCE in python("-c", "from raf import _tools; _tools.opt()", status=1)
