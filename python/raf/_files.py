# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The places of files that are written whole and then put where another was."""

from __future__ import annotations

import os
import tempfile
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


def write(path: str | os.PathLike[str], data: bytes | str) -> Path:
    """Writes a file at once or not at all; returns where it is. Raises raf.RuntimeError when it cannot be written."""
    target = destination(path)
    temporary = None
    try:
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(data.encode() if isinstance(data, str) else data)
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o644)
        os.replace(temporary, target)
        temporary = None
    except OSError as error:
        raise RuntimeError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
    return target
