# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""dispatch="measure": what is measured, what is remembered, and what happens to the file that remembers it."""

import json
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest
import raf
from execute import models
from execute.harness import core
from raf import _measure

pytestmark = pytest.mark.cpu_only("measured dispatch is of oneDNN and the CPU's generated code")

LIBRARIES = {"dnnl", "codegen"}
BLOCKS = {f"codegen-{name}" for name in ("narrow", "wide", "deep")}


@pytest.fixture
def cache(tmp_path, monkeypatch):
    folder = tmp_path / "a folder"  # with a blank, as users have them
    monkeypatch.setenv("RAF_CACHE_DIR", str(folder))
    return folder


def trainer(name="digits_mlp", **options):
    return raf.compile(raf.import_onnx(models.proto(name)), loss="cross_entropy", optimizer=models.OPTIMIZERS["sgd"](), dispatch="measure", threads=1, **options)


def losses(made, steps=3):
    *inputs, labels = models.batch("digits_mlp")
    return [float(made.step(*inputs, labels)) for _ in range(steps)]


def table(cache):
    (file,) = (cache / "dispatch").glob("*.json")
    return file, json.loads(file.read_text())


@pytest.fixture
def counted(monkeypatch):
    """Keys of what was measured."""
    keys = []
    real = _measure.measure

    def measure(core, question, options):
        keys.append(question.key)
        return real(core, question, options)

    monkeypatch.setattr(_measure, "measure", measure)
    return keys


@pytest.fixture
def quick(monkeypatch):
    """Keys of what would have been measured; the times are made up."""
    keys = []

    def measure(core, question, options):
        keys.append(question.key)
        return {name: 1e-5 for name in question.candidates}

    monkeypatch.setattr(_measure, "measure", measure)
    return keys


def test_measures_once(cache, counted):
    made = losses(trainer())
    np.testing.assert_allclose(made, losses(raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer=models.OPTIMIZERS["sgd"]())), rtol=1e-5)
    file, document = table(cache)
    assert counted and set(document["seconds"]) == set(counted)
    for entry in document["seconds"].values():
        assert set(entry) == LIBRARIES | BLOCKS and all(entry[name] > 0 for name in LIBRARIES)
        # Other blocks have been timed where they had a chance, all or none.
        chance = entry["codegen"] <= 1.5 * min(entry[name] for name in LIBRARIES)
        assert all((entry[name] is not None) == chance for name in BLOCKS)
    # The executable is kept; without it, the times are.
    losses(trainer())
    for path in cache.glob("??/*.rafx"):
        path.unlink()
    before = list(counted)
    losses(trainer())
    assert counted == before and table(cache)[0] == file


def test_files_hold_what_was_measured(cache, monkeypatch):
    objects = []
    for slow in LIBRARIES:
        monkeypatch.setattr(_measure, "measure", lambda core, question, options, slow=slow: {name: 1.0 if name.startswith(slow) else 1e-6 for name in question.candidates})
        made = trainer(cache=False)
        shapes = {i.name: a.shape for i, a in zip(made.model.inputs, models.batch("digits_mlp"))}
        objects.append(made.parts(shapes)[0].objects)
        assert objects[-1] == made.program(shapes).executable.objects
    assert objects[0] != objects[1]


def test_the_fastest_is_taken(cache, monkeypatch):
    calls = {}
    for slow in LIBRARIES:
        monkeypatch.setattr(_measure, "measure", lambda core, question, options, slow=slow: {name: 1.0 if name.startswith(slow) else 1e-6 for name in question.candidates})
        made = trainer(cache=False)
        losses(made)
        (program,) = (p for (training, *_), p in made._programs.items() if training)
        calls[slow] = program.manifest.raw["library_calls"]
    assert calls["dnnl"] == 0 and calls["codegen"] > 0


@pytest.mark.parametrize("libraries", [("dnnl",), ()], ids=["dnnl", "codegen"])
def test_the_fastest_blocks_are_taken_and_remembered(cache, monkeypatch, libraries):
    def measure(core, question, options):
        asked.append(question.candidates)
        return {name: 1e-6 if name == "codegen-wide" else 1e-3 for name in question.candidates}

    asked = []
    monkeypatch.setattr(_measure, "measure", measure)
    plain = losses(raf.compile(raf.import_onnx(models.proto("digits_mlp")), loss="cross_entropy", optimizer=models.OPTIMIZERS["sgd"](), threads=1, libraries=()))
    np.testing.assert_allclose(losses(trainer(libraries=libraries)), plain, rtol=1e-5)
    assert asked and all(names == (*libraries, "codegen", "codegen-narrow", "codegen-wide", "codegen-deep") for names in asked)
    # The file is enough for the next time.
    count = len(asked)
    for path in cache.glob("??/*.rafx"):
        path.unlink()
    losses(trainer(libraries=libraries))
    assert len(asked) == count


def test_options_may_be_any_sequence(cache, quick):
    expected = losses(trainer(skip=["raf-fuse", "raf-layout"]))
    for skip in (("raf-fuse", "raf-layout"), {"raf-fuse": 1, "raf-layout": 2}.keys()):
        np.testing.assert_array_equal(losses(trainer(skip=skip, cache=False)), expected)


@pytest.mark.parametrize("content", ["", "{", "[]", '{"version": 2, "seconds": {}}', '{"version": 1}', '{"version": 1, "seconds": {"q": {"dnnl": -1.0}}}', '{"version": 1, "seconds": {"q": {"dnnl": Infinity}}}', "\x00\xff", "[" * 100_000])
def test_damaged_file(cache, quick, content):
    losses(trainer())
    file, document = table(cache)
    file.write_text(content, encoding="latin-1")
    for path in cache.glob("??/*.rafx"):
        path.unlink()
    quick.clear()
    with pytest.warns(RuntimeWarning, match="are ignored"):
        losses(trainer())
    assert set(quick) == set(document["seconds"]) == set(table(cache)[1]["seconds"])


def test_no_permission(cache, quick, monkeypatch):
    """Root may write anywhere: the failure is made."""

    def refuse(*args, **kwargs):
        raise PermissionError("Permission denied")

    real = _measure.store
    monkeypatch.setattr(_measure, "store", lambda file, seconds: refuse() if cache in file.parents else real(file, seconds))
    with pytest.warns(RuntimeWarning, match="cannot be kept: Permission denied"):
        losses(trainer())
    assert quick and not (cache / "dispatch").exists()


def test_no_cache_folder(monkeypatch, quick):
    monkeypatch.setenv("RAF_CACHE_DIR", "")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        losses(trainer())
    assert quick


def test_file_of_this_machine(cache, monkeypatch):
    """Another number of threads or another version of the library has another file."""
    here = _measure.path(core, 1)
    assert _measure.path(core, 2) != here
    monkeypatch.setattr(_measure, "_library_version", lambda core: "another")
    assert _measure.path(core, 1) != here


WRITER = """
import pathlib, sys
from raf import _measure
file = pathlib.Path(sys.argv[1])
for _ in range(50):
    _measure.store(file, {**_measure.load(file), sys.argv[2]: {"dnnl": 1.0}})
"""


def test_concurrent_writers(tmp_path):
    """The file is whole at any time, whoever writes."""
    file = tmp_path / "times.json"
    writers = [subprocess.Popen([sys.executable, "-W", "error", "-c", WRITER, str(file), f"q{i}"]) for i in range(3)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        while any(writer.poll() is None for writer in writers):
            _measure.load(file)
    assert [writer.returncode for writer in writers] == [0, 0, 0]
    assert _measure.load(file) and not [name for name in os.listdir(tmp_path) if name.endswith(".tmp")]


def test_unknown_dispatch():
    with pytest.raises(raf.CompileError, match="unknown dispatch 'measured'; did you mean 'measure'"):
        raf.compile(raf.import_onnx(models.proto("digits_mlp")), dispatch="measured")
