# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoint files: safetensors, replaced at once or not at all.

Tensors are named `param:NAME`, `buffer:NAME` and `state:NAME` (the optimizer's, where NAME is `m:PARAM` and so on). The metadata has one key, "raf": a
JSON object with the step number, the seed, the optimizer and loss, the model's fingerprint, and the position of training and data.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.numpy import save_file

from ._arrays import Array
from ._files import destination
from .errors import RuntimeError

FORMAT = 1
_KEY = "raf"


def save(path: str | os.PathLike[str], tensors: Mapping[str, Array], metadata: Mapping[str, Any]) -> None:
    """Writes a checkpoint. `path` holds either the old file or the whole new one, whenever the process or the machine stops.

    Raises raf.RuntimeError when the file cannot be written (no space, no permission); the old file is then untouched.

    >>> raf.checkpoint.save("one.safetensors", {"param:w": np.zeros((2, 3), np.float32)}, {"step": 0})
    >>> tensors, metadata = raf.checkpoint.load("one.safetensors")
    >>> tensors["param:w"].shape, metadata["step"]
    ((2, 3), 0)
    """
    target = destination(path)
    temporary = None
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.", suffix=".tmp")
        os.close(handle)
        save_file(dict(tensors), temporary, {_KEY: json.dumps({"format": FORMAT, **metadata})})
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_umask()
        os.chmod(temporary, mode)
        _sync(temporary)
        os.replace(temporary, target)
        temporary = None
        _sync(target.parent)
    except (OSError, SafetensorError) as error:
        raise RuntimeError(
            f"the checkpoint {str(target)!r} cannot be written: {error}. "
            + ("The file that was there is unchanged." if os.path.exists(target) else "Nothing was left behind.")
        ) from error
    finally:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _sync(path: str | os.PathLike[str]) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def load(path: str | os.PathLike[str]) -> tuple[dict[str, Array], dict[str, Any]]:
    """The tensors and the metadata of a checkpoint. Raises raf.RuntimeError for a file that is missing, damaged or no checkpoint of RAF."""
    name = str(path)
    if not os.path.isfile(name):
        raise RuntimeError(f"there is no checkpoint {name!r}")
    try:
        with safe_open(name, "numpy") as file:
            notes = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}
    except (OSError, SafetensorError, ValueError, TypeError) as error:
        raise RuntimeError(f"the checkpoint {name!r} cannot be read: {error}") from error
    try:
        metadata = json.loads(notes[_KEY])
        version = metadata["format"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise RuntimeError(f"{name!r} is a safetensors file, but not a checkpoint of RAF") from None
    if version != FORMAT:
        raise RuntimeError(f"the checkpoint {name!r} has format {version!r}; this version of RAF reads format {FORMAT}")
    return tensors, metadata


def differences(expected: Mapping[str, Array], found: Mapping[str, Array]) -> list[str]:
    """How the tensors of a checkpoint differ from those of a model, a line each."""
    lines = [f"{name} {_describe(array)} is missing in the checkpoint" for name, array in expected.items() if name not in found]
    lines += [f"{name} {_describe(array)} is not in the model" for name, array in found.items() if name not in expected]
    for name, array in expected.items():
        if name in found and (array.shape, array.dtype) != (found[name].shape, found[name].dtype):
            lines.append(f"{name} is {_describe(array)} in the model, {_describe(found[name])} in the checkpoint")
    return lines


def _describe(array: Array) -> str:
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"
