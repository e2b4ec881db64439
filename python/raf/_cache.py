# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The folder of compiled executables, and of the modules that they were made of, named by the hash of everything that decides their contents.

RAF_CACHE_DIR names the folder ("" or 0 turns it off); otherwise it is raf/ in XDG_CACHE_HOME or ~/.cache. RAF_CACHE_MAX_MB (default 1024) bounds its
size: the files that were not used for longest go first. A file that is damaged, or cannot be written, only costs a compilation.
"""

from __future__ import annotations

import functools
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path

_MAGIC = b"RAFCACHE1\n"
#: Executables, and forward modules before the passes.
EXECUTABLE, MODULE = ".rafx", ".module"


def folder() -> Path | None:
    """The cache folder, or None if caching is off."""
    named = os.environ.get("RAF_CACHE_DIR")
    if named is not None:
        return None if named in ("", "0") else Path(named)
    base = os.environ.get("XDG_CACHE_HOME")
    if base and os.path.isabs(base):
        return Path(base) / "raf"
    try:
        return Path.home() / ".cache" / "raf"
    except RuntimeError:  # no home folder
        return None


@functools.lru_cache(maxsize=1)
def machine() -> bytes:
    """This processor."""
    parts = [platform.machine()]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as info:
            wanted = ("model name", "flags", "Features", "CPU part")
            parts += sorted({line for line in info if line.startswith(wanted)})
    except OSError:
        parts.append(platform.processor())
    return "\n".join(parts).encode()


@functools.lru_cache(maxsize=1)
def _identity() -> bytes:
    """This build of RAF and this processor: an executable is for both."""
    package = Path(__file__).resolve().parent
    parts = []
    for path in sorted([*Path(__file__).parent.glob("_core*.so"), *Path(__file__).parent.glob("_mlir/_mlir_libs/*RAF*.so")]):
        status = path.stat()
        parts.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    parts.append(str(package))
    return "\n".join(parts).encode() + machine()


def key(*parts: bytes | str) -> str:
    """The name of what these inputs make on this machine with this build: an executable, or a forward module with the model's constants."""
    digest = hashlib.sha256(_identity())
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        digest.update(len(data).to_bytes(8, "little"))
        digest.update(data)
    return digest.hexdigest()


def load(name: str, kind: str = EXECUTABLE) -> bytes | None:
    """The stored bytes, or None if there are none that can be trusted."""
    root = folder()
    if root is None:
        return None
    path = root / name[:2] / f"{name}{kind}"
    try:
        data = path.read_bytes()
        body = data[len(_MAGIC) + 32 :]
        if not data.startswith(_MAGIC) or hashlib.sha256(body).digest() != data[len(_MAGIC) : len(_MAGIC) + 32]:
            path.unlink(missing_ok=True)
            return None
        os.utime(path)
        return body
    except OSError:
        return None


def store(name: str, make: Callable[[], bytes], kind: str = EXECUTABLE) -> None:
    """Stores what `make` returns. Failures to write are not errors."""
    root = folder()
    if root is None:
        return
    path = root / name[:2] / f"{name}{kind}"
    body = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_MAGIC + hashlib.sha256(body).digest() + body)
            os.replace(temporary, path)
        except BaseException:
            os.unlink(temporary)
            raise
        _trim(root, keep=path)
    except OSError:
        return


def _trim(root: Path, keep: Path) -> None:
    try:
        limit = int(os.environ.get("RAF_CACHE_MAX_MB", "1024")) << 20
    except ValueError:
        limit = 1 << 30
    files = sorted(((s.st_mtime_ns, s.st_size, p) for p in _stored(root) for s in [p.stat()]), key=lambda f: f[0])
    total = sum(size for _, size, _ in files)
    for _, size, path in files:
        if total <= limit:
            break
        if path != keep:
            path.unlink(missing_ok=True)
            total -= size


def _found(root: Path | None, pattern: str) -> list[Path]:
    """What is in a folder, nothing where it is not there or may not be looked into: Path.glob raises then."""
    return list(root.glob(pattern)) if root is not None and os.path.isdir(root) else []


def _stored(root: Path | None) -> list[Path]:
    return [p for p in _found(root, "??/*") if p.suffix in (EXECUTABLE, MODULE)]


def usage() -> tuple[int, int]:
    """(number of executables, bytes of all)."""
    paths = _stored(folder())
    return sum(p.suffix == EXECUTABLE for p in paths), sum(p.stat().st_size for p in paths)


def clear() -> int:
    """Removes all executables with their modules, and what CUDA's libraries have chosen for plans; returns how many executables there were."""
    root = folder()
    paths = _stored(root)
    for path in (*paths, *_found(root, "plans/*")):
        path.unlink(missing_ok=True)
    return sum(p.suffix == EXECUTABLE for p in paths)
