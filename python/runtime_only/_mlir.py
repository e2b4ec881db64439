# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In place of the compiler, in a build without it: importing this raises raf.CompileError, which says so."""

from .._core import run_pipeline

run_pipeline("", "")
