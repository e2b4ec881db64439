# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The public interface is documented, and the examples in its docstrings do what they show."""

import doctest
import inspect
import pathlib

import pytest

import raf
import raf.fitting
import raf.profiling
import raf.testing

pytest.importorskip("raf._core")
SETUP = pathlib.Path(__file__).parents[2] / "docs/readme.py"
MODULES = [raf.callbacks, raf.checkpoint, raf.data, raf.losses, raf.metrics, raf.optim, raf.profiling, raf.testing]


def public():
    """(name, object) of what users call: the names of raf, of its modules, and the methods of classes."""
    found = {f"raf.{n}": getattr(raf, n) for n in raf.__all__}
    for module in MODULES:
        names = getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")])
        found |= {f"{module.__name__}.{n}": getattr(module, n) for n in names if getattr(getattr(module, n), "__module__", "").startswith(module.__name__)}
    for name, value in list(found.items()):
        if inspect.isclass(value):
            found |= {f"{name}.{n}": getattr(value, n) for n, m in vars(value).items() if not n.startswith("_") and (callable(m) or isinstance(m, property))}
    return {n: v for n, v in found.items() if inspect.isclass(v) or callable(v) or isinstance(v, property)}


PUBLIC = public()
TESTS = [t for n, v in PUBLIC.items() for t in doctest.DocTestFinder(recurse=False).find(v, n, globs={}) if t.examples]


def test_everything_public_is_documented():
    inherited = {"state_dict", "load_state_dict", "reset", "update", "result", "improved", "config"}
    missing = [n for n, v in PUBLIC.items() if not inspect.getdoc(v) and n.rpartition(".")[2] not in inherited and not n.rpartition(".")[2].startswith("on_")]
    assert not missing, f"without a docstring: {', '.join(missing)}"


def test_what_users_begin_with_has_examples():
    shown = {t.name for t in TESTS}
    wanted = {"raf.compile", "raf.import_onnx", "raf.Model", "raf.Trainer", "raf.Predictor", "raf.ArrayLoader", "raf.value_and_grad", "raf.Trainer.step",
              "raf.Trainer.fit", "raf.Trainer.evaluate", "raf.Trainer.predict", "raf.Trainer.save", "raf.Trainer.export_onnx"}  # fmt: skip
    assert wanted <= shown, f"without an example: {', '.join(sorted(wanted - shown))}"


@pytest.fixture(scope="module")
def scope(tmp_path_factory):
    """The folder, the arrays and the trainer that README.md and the pages take for granted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("examples"))
        patch.setenv("RAF_CACHE_DIR", "cache")
        names = {}
        exec(compile(SETUP.read_text(), str(SETUP), "exec"), names)  # noqa: S102
        yield names


@pytest.mark.parametrize("example", TESTS, ids=lambda t: t.name)
def test_example(example, scope):
    example.globs = dict(scope)
    lines = []
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
    assert runner.run(example, out=lines.append).failed == 0, "".join(lines)
