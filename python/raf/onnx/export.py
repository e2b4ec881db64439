# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the file's own graph with new weights."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
from collections.abc import Mapping

import numpy as np
import onnx

from ..errors import ImportError, RuntimeError
from . import data

#: Above this size the weights go to a file beside the model: a protobuf message may not reach 2 GiB.
_INLINE_LIMIT = (1 << 31) - (1 << 24)
_ALIGN = 4096


def export(proto: onnx.ModelProto, folder: str | None, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
    """Weights are stored in the file, or in `<file>.data` if the model had external data or is too large. Each file is replaced at once."""
    path = pathlib.Path(os.fspath(path))
    external = any(data.is_external(t) for t in proto.graph.initializer)
    sizes = sum(a.nbytes for a in arrays.values()) + sum(len(t.raw_data) for t in proto.graph.initializer if t.name not in arrays)
    external |= sizes > _INLINE_LIMIT
    result = onnx.ModelProto()
    result.CopyFrom(proto)
    values = {t.name: arrays[t.name] if t.name in arrays else data.to_array(t, folder) for t in proto.graph.initializer if external or t.name in arrays}
    weights_name = path.name + ".data"
    layout: list[tuple[int, np.ndarray]] = []
    offset = 0
    for tensor in result.graph.initializer:
        value = values.get(tensor.name)
        if value is None or value.dtype == object:
            continue
        value = np.ascontiguousarray(value)
        data.store(tensor, value if not external or value.nbytes < 1024 else value.reshape(-1)[:0])
        if external and value.nbytes >= 1024:
            tensor.ClearField("raw_data")
            tensor.data_location = onnx.TensorProto.EXTERNAL
            for key, text in (("location", weights_name), ("offset", str(offset)), ("length", str(value.nbytes))):
                entry = tensor.external_data.add()
                entry.key, entry.value = key, text
            layout.append((offset, value))
            offset += -(-value.nbytes // _ALIGN) * _ALIGN
    if not path.parent.is_dir():
        raise RuntimeError(f"cannot write {str(path)!r}: the folder {str(path.parent)!r} does not exist")
    try:
        if layout:
            # The checker looks for the weights beside the model, so that they come first.
            with replacing(path.with_name(weights_name)) as file:
                for at, value in layout:
                    file.seek(at)
                    file.write(value.tobytes())
        with replacing(path) as file:
            file.write(result.SerializeToString(deterministic=True))
            file.flush()
            onnx.checker.check_model(file.name if layout else result)
    except OSError as error:
        raise RuntimeError(f"cannot write {str(path)!r}: {error.strerror or error}") from None
    except (onnx.checker.ValidationError, ValueError) as error:
        raise ImportError(f"the exported model is not valid: {str(error)[:400]}") from None


@contextlib.contextmanager
def replacing(path: pathlib.Path):  # type: ignore[no-untyped-def]
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
