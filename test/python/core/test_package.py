# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package that is tested holds every file of its sources: a pattern of the build that leaves one out shows here."""

import pathlib

import raf

SOURCES = pathlib.Path(__file__).parents[3] / "python" / "raf"


def test_every_python_source_is_installed():
    wanted = {path.relative_to(SOURCES) for path in SOURCES.rglob("*") if path.suffix in (".py", ".pyi", ".typed") or path.name == "py.typed"}
    assert wanted
    package = pathlib.Path(raf.__file__).parent
    assert sorted(str(path) for path in wanted if not (package / path).exists()) == []
