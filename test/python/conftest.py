# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the folders share."""

import sys

import pytest


@pytest.fixture
def command(tmp_path, monkeypatch, capsys):
    """raf ARGS as in a shell, in a folder of its own -> (status, stdout, stderr)."""
    from raf.cli import _common, main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "240")
    _common.errors.cache_clear()

    def call(*args):
        monkeypatch.setattr(sys, "argv", ["raf", *map(str, args)])
        status = 0
        try:
            main()
        except SystemExit as end:
            status = end.code or 0
        return (status, *capsys.readouterr())

    yield call
    _common.errors.cache_clear()
