# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/generated is what the .td files say: the package holds what its build made of them."""

import importlib.util
import pathlib

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]


def documents(folder):
    return {p.relative_to(folder).as_posix(): p.read_text() for p in sorted(folder.rglob("*.md"))}


def test_generated_docs_are_current():
    package = pathlib.Path(importlib.util.find_spec("raf").submodule_search_locations[0])
    made, kept = documents(package / "docs"), documents(ROOT / "docs/generated")
    assert made, "the package has no documents"
    stale = sorted(name for name in made.keys() | kept.keys() if made.get(name) != kept.get(name))
    if stale:
        pytest.fail(f"docs/generated is not current ({', '.join(stale)}): run `ninja -C build raf-doc` and commit")
