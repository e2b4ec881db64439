# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The commands raf-opt, raf-reduce and raf-lsp-server: small programs in raf/bin over the package's shared library."""

import os
import sys
from typing import NoReturn


def tool_path(name: str) -> str:
    """The path of an installed tool."""
    return os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)


def _run(name: str) -> NoReturn:
    path = tool_path(name)
    from ._core import has_compiler

    if not has_compiler:
        sys.exit(f"{name}: this build of RAF has only the runtime, not the compiler (RAF_BUILD_COMPILER=OFF)")
    if not os.access(path, os.X_OK):
        sys.exit(f"{name}: {path} is missing; reinstall raf-compiler")
    os.execv(path, [path, *sys.argv[1:]])


def opt() -> NoReturn:
    """raf-opt: runs compiler passes on MLIR files."""
    _run("raf-opt")


def reduce() -> NoReturn:
    """raf-reduce: shrinks an MLIR file that shows a fault."""
    _run("raf-reduce")


def lsp_server() -> NoReturn:
    """raf-lsp-server: the language server for MLIR files."""
    _run("raf-lsp-server")
