# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The places of files that are written whole and then put where another was."""

from __future__ import annotations

import os
from pathlib import Path

from .errors import RuntimeError


def destination(path: str | os.PathLike[str]) -> Path:
    """The file that a path means, through links: one that takes its place must not remove a link, a device or a pipe instead.

    Raises raf.RuntimeError for what is no path, and for a path at which there is something else than a file.
    """
    try:
        target = Path(os.path.realpath(os.fsdecode(path)))
    except (TypeError, ValueError) as error:
        raise RuntimeError(f"cannot write {path!r}: expected the path of a file ({error})") from None
    if os.path.exists(target) and not os.path.isfile(target):
        found = "a folder" if os.path.isdir(target) else "a device or a pipe"
        raise RuntimeError(f"cannot write {str(target)!r}: expected the path of a file, which is replaced at once, got {found}")
    return target
