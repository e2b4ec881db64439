# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes pytest run the lit suite too: each .mlir file is an item, and lit runs all that were chosen at once.

Tests are of the installed package; in a checkout without one, of the build tree (build/, or $RAF_BUILD_DIR)."""

import importlib.util
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parent
BUILD = pathlib.Path(os.environ.get("RAF_BUILD_DIR", ROOT.parent / "build"))
IN_BUILD_TREE = "RAF_BUILD_DIR" in os.environ or importlib.util.find_spec("raf") is None
if IN_BUILD_TREE:
    sys.path.insert(0, str(BUILD / "python"))
    os.environ["PYTHONPATH"] = os.pathsep.join(
        p for p in (str(BUILD / "python"), os.environ.get("PYTHONPATH")) if p)

LIT_SUFFIXES = {".mlir", ".test"}
#: Folders of files that tests read; lit.cfg.py leaves them out as well.
DATA = {"Inputs", "programs"}


if "PYTEST_XDIST_WORKER" in os.environ:
    # Threads that spin while they wait keep the processor from the other process.
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")


def pytest_addoption(parser):
    parser.addoption("--target", default="cpu", choices=["cpu", "cuda-sim", "cuda-sim:sm_90a"], help="where programs run that name no target themselves: cpu, or the simulated CUDA device")


def pytest_configure(config):
    target = config.getoption("--target")
    # Read by execute/harness.py, also in processes that tests start.
    os.environ["RAF_TEST_TARGET"] = target
    if target != "cpu":
        import raf

        # Of all that tests compile without saying what for.
        raf.compile.__kwdefaults__["target"] = target


def pytest_collect_file(file_path, parent):
    if file_path.suffix in LIT_SUFFIXES and not DATA & set(file_path.relative_to(ROOT).parts):
        return LitFile.from_parent(parent, path=file_path)
    return None


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    from xdist.scheduler import LoadGroupScheduling

    return LoadGroupScheduling(config, log)


def pytest_collection_modifyitems(items):
    # With -n, a file's tests stay in one process, for what they share, and one process runs lit.
    for item in items:
        item.add_marker(pytest.mark.xdist_group("lit" if isinstance(item, LitItem) else item.path.relative_to(ROOT).as_posix()))
    if os.environ.get("RAF_TEST_SLOW") != "1":
        skip = pytest.mark.skip(reason="slow; set RAF_TEST_SLOW=1")
        for item in items:
            if "slow" in item.keywords:
                item.add_marker(skip)
    if items and items[0].config.getoption("--target") != "cpu":
        for item in items:
            if only := item.get_closest_marker("cpu_only"):
                item.add_marker(pytest.mark.skip(reason=f"of the CPU alone: {only.args[0]}"))


class LitFile(pytest.File):
    def collect(self):
        yield LitItem.from_parent(self, name="lit")


class LitItem(pytest.Item):
    def runtest(self):
        results = getattr(self.session, "lit_results", None)
        if results is None:
            results = self.session.lit_results = run_lit([i.path for i in self.session.items if isinstance(i, LitItem)])
        code, output = results.get(self.path.relative_to(ROOT).as_posix(), ("UNRESOLVED", results.get("", "lit gave no result")))
        if code in ("UNSUPPORTED", "SKIPPED"):
            pytest.skip(output or code.lower())
        if code == "XFAIL":
            pytest.xfail(output)
        if code not in ("PASS", "FLAKYPASS"):
            raise LitFailure(f"{code}\n{output}")

    def repr_failure(self, excinfo):
        if isinstance(excinfo.value, LitFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, 0, f"lit: {self.path.relative_to(ROOT)}"


class LitFailure(Exception):
    """A lit test that did not pass, with lit's output."""


def run_lit(paths):
    """Runs lit on the files and returns {path in the suite: (code, output)}; the key "" has what lit itself printed."""
    suite = BUILD / "test" if IN_BUILD_TREE else ROOT
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder, "lit.json")
        done = subprocess.run(
            [sys.executable, "-c", "from lit.main import main; main()", "-q", "--output", str(report),
             *(str(suite / p.relative_to(ROOT)) for p in paths)],
            capture_output=True, text=True, check=False)
        results = {"": done.stdout + done.stderr}
        if report.exists():
            for test in json.loads(report.read_text())["tests"]:
                results[test["name"].split(" :: ", 1)[1]] = (test["code"], test["output"])
    return results
