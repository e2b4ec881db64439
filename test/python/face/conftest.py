# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import importlib.util
import pathlib
import signal

import pytest
import raf


@pytest.fixture(scope="session")
def fake_module():
    spec = importlib.util.spec_from_file_location("raf_test_fake", pathlib.Path(__file__).with_name("fake.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def fake(fake_module, monkeypatch, tmp_path):
    """The stand-in for the compiler core, in place, with a cache folder of its own."""
    from raf import _engine

    monkeypatch.setattr(_engine, "_core", lambda: fake_module.Core)
    monkeypatch.setitem(raf.compile.__kwdefaults__, "target", "cpu")
    monkeypatch.setenv("RAF_CACHE_DIR", str(tmp_path / "cache"))
    fake_module.Core.compiled = fake_module.Core.loaded = 0
    fake_module.Core.hidden = fake_module.HIDDEN
    return fake_module


@pytest.fixture(scope="session", autouse=True)
def ctrl_c():
    """A run that was started in the background ignores SIGINT, and so would training, here and in the processes that the tests start."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)
