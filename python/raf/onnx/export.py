# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the file's own graph with new weights."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Iterator, Mapping
from typing import BinaryIO

import numpy as np
import onnx

from ..errors import ImportError, RuntimeError
from . import data
from .loader import without_weights

#: Above this size the weights go to a file beside the model: a protobuf message may not reach 2 GiB.
_INLINE_LIMIT = (1 << 31) - (1 << 24)
_ALIGN = 4096
#: Smaller tensors stay in the file.
_SMALL = 1024


def export(proto: onnx.ModelProto, folder: str | None, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Weights are stored in the file, or in `<file>.data` if the model had external data or is too large. Each file is replaced at once."""
    path = pathlib.Path(os.fspath(path))
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
    if not path.parent.is_dir():
        raise RuntimeError(f"cannot write {str(path)!r}: the folder {str(path.parent)!r} does not exist")
    try:
        if layout:
            with replacing(path.with_name(f"{path.name}.data")) as file:
                for at, value in layout:
                    file.seek(at)
                    file.write(np.ascontiguousarray(value).tobytes())
        with replacing(path) as file:
            file.write(result.SerializeToString(deterministic=True))
    except OSError as error:
        raise RuntimeError(f"cannot write {str(path)!r}: {error.strerror or error}") from None


@contextlib.contextmanager
def replacing(path: pathlib.Path) -> Iterator[BinaryIO]:
    """A file that takes the place of `path` when the block ends without an error, and else leaves nothing."""
    handle, temporary = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
