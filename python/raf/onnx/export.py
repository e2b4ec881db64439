# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the file's own graph with new weights."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Callable, Mapping, Sequence
from typing import BinaryIO

import numpy as np
import onnx

from .._files import destination
from ..errors import ImportError, RuntimeError
from . import data
from .loader import without_weights

#: Above this size the weights go to a file beside the model: a protobuf message may not reach 2 GiB.
_INLINE_LIMIT = (1 << 31) - (1 << 24)
_ALIGN = 4096
#: Smaller tensors stay in the file.
_SMALL = 1024


def export(proto: onnx.ModelProto, folder: str | None, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Weights are stored in the file, or in `<file>.data` if the model had external data or is too large. The files are replaced when all of them are on the disk."""
    path = destination(path)
    external = any(data.is_external(t) for t in proto.graph.initializer)
    external |= sum(a.nbytes for a in arrays.values()) + proto.ByteSize() > _INLINE_LIMIT
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    layout: list[tuple[int, np.ndarray]] = []
    end = 0
    for tensor in result.graph.initializer:
        value = arrays.get(tensor.name)
        if value is None:
            if not data.is_external(tensor):
                continue
            value = data.to_array(tensor, folder)
        if not external or value.nbytes < _SMALL:
            data.store(tensor, value)
            continue
        data.refer(tensor, f"{path.name}.data", end, value.nbytes)
        layout.append((end, value))
        end += -(-value.nbytes // _ALIGN) * _ALIGN
    try:
        # The weights have the shapes that the file states; what is left to check is the graph.
        onnx.checker.check_model(without_weights(result))
    except (onnx.checker.ValidationError, ValueError) as error:
        raise ImportError(f"the exported model is not valid: {str(error)[:400]}") from None
    if not os.path.isdir(path.parent):
        raise RuntimeError(f"cannot write {str(path)!r}: the folder {str(path.parent)!r} does not exist, or may not be looked into")
    try:
        writers: dict[pathlib.Path, Callable[[BinaryIO], object]] = {}
        if layout:
            writers[path.with_name(f"{path.name}.data")] = lambda file: _write_layout(file, layout)
        writers[path] = lambda file: file.write(result.SerializeToString(deterministic=True))
        _replace(writers)
    except OSError as error:
        raise RuntimeError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


def _write_layout(file: BinaryIO, layout: Sequence[tuple[int, np.ndarray]]) -> None:
    for at, value in layout:
        file.seek(at)
        file.write(np.ascontiguousarray(value).tobytes())


def _replace(writers: Mapping[pathlib.Path, Callable[[BinaryIO], object]]) -> None:
    """Writes files that take the places of others when all of them are on the disk: a model must not meet the weights of another. An error leaves nothing."""
    mask = os.umask(0)
    os.umask(mask)
    with contextlib.ExitStack() as cleanup:
        temporaries = {}
        for path, write in writers.items():
            handle, temporaries[path] = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
            cleanup.callback(pathlib.Path(temporaries[path]).unlink, missing_ok=True)
            with os.fdopen(handle, "wb") as file:
                write(file)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporaries[path], 0o666 & ~mask)
        for path, temporary in temporaries.items():
            os.replace(temporary, path)
