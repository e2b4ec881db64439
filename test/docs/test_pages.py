# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands and snippets of README.md and docs/ run, and the IR that they show is the IR that they write."""

import difflib
import importlib.util
import pathlib
import platform

import pytest

spec = importlib.util.spec_from_file_location("raf_doc_pages", pathlib.Path(__file__).with_name("pages.py"))
pages = importlib.util.module_from_spec(spec)
spec.loader.exec_module(pages)


@pytest.mark.parametrize("page", pages.pages(), ids=lambda p: p.name)
def test_page(page):
    if platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("what oneDNN takes is shown as it is on x86-64")
    kept, made = page.read_text(), pages.play(page)
    if pages.comparable(kept) != pages.comparable(made):
        pytest.fail("run `python test/docs/pages.py` and read the change:\n" + "\n".join(difflib.unified_diff(kept.splitlines(), made.splitlines(), lineterm="", n=1)))
