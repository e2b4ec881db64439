# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tensors of a file: checked before they are read, and external data only from inside the model's folder."""

from __future__ import annotations

import contextlib
import math
import os
import pathlib
from collections.abc import Iterable
from typing import Any, BinaryIO

import ml_dtypes
import numpy as np
from onnx import ModelProto, TensorProto, numpy_helper

from ..errors import ImportError
from . import wire

#: numpy's types of the element types that a file may hold.
DTYPES: dict[int, np.dtype] = {
    TensorProto.FLOAT: np.dtype(np.float32), TensorProto.DOUBLE: np.dtype(np.float64), TensorProto.FLOAT16: np.dtype(np.float16),
    TensorProto.BFLOAT16: np.dtype(ml_dtypes.bfloat16), TensorProto.INT64: np.dtype(np.int64), TensorProto.INT32: np.dtype(np.int32),
    TensorProto.INT16: np.dtype(np.int16), TensorProto.INT8: np.dtype(np.int8), TensorProto.BOOL: np.dtype(np.bool_),
    TensorProto.UINT8: np.dtype(np.uint8), TensorProto.UINT16: np.dtype(np.uint16), TensorProto.UINT32: np.dtype(np.uint32), TensorProto.UINT64: np.dtype(np.uint64)}

_ONNX_TYPES = {v: k for k, v in DTYPES.items()}
_FIELDS: dict[int, str] = {TensorProto.FLOAT: "float_data", TensorProto.DOUBLE: "double_data", TensorProto.INT64: "int64_data", TensorProto.UINT32: "uint64_data", TensorProto.UINT64: "uint64_data"}


def type_name(data_type: int) -> str:
    try:
        return str(TensorProto.DataType.Name(data_type))
    except ValueError:
        return f"number {data_type}"


def onnx_type(dtype: np.dtype) -> int:
    return _ONNX_TYPES[np.dtype(dtype)]


def is_external(tensor: TensorProto) -> bool:
    return tensor.HasField("data_location") and tensor.data_location == TensorProto.EXTERNAL


def external_path(tensor: TensorProto, folder: str | None) -> tuple[pathlib.Path, dict[str, str]]:
    """The file of a tensor's external data and its other entries."""
    entries = {e.key: e.value for e in tensor.external_data}
    location = entries.pop("location", "")
    what = f"the external data of {tensor.name!r} at {location!r}"
    if folder is None:
        raise ImportError(f"{what} cannot be read: a model given as bytes or as a message has no folder; pass its path")
    relative = pathlib.PurePosixPath(location.replace("\\", "/"))
    if not location or "\0" in location or relative.is_absolute() or pathlib.PureWindowsPath(location).drive or ".." in relative.parts:
        raise ImportError(f"{what} is refused: it must be a relative path inside the model's folder")
    root = pathlib.Path(os.path.realpath(folder))
    path = pathlib.Path(os.path.realpath(root / relative))
    if root not in path.parents:
        raise ImportError(f"{what} is refused: it leads out of the model's folder")
    if not os.path.isfile(path):
        raise ImportError(f"{what} cannot be read: there is no such file")
    return path, entries


def read_external(tensor: TensorProto, folder: str | None, nbytes: int, dtype: np.dtype) -> np.ndarray:
    path, entries = external_path(tensor, folder)
    try:
        offset = int(entries.get("offset") or 0)
        length = int(entries.get("length") or nbytes)
    except ValueError:
        raise ImportError(f"the external data of {tensor.name!r} has an offset or a length that is no number") from None
    have = path.stat().st_size
    if offset < 0 or length != nbytes or offset + length > have:
        raise ImportError(f"the external data of {tensor.name!r} needs {nbytes} bytes at {offset}; the file says {length} bytes there and {path.name!r} has {have} in all")
    with open(path, "rb") as file:
        array = wire.fetch(file, offset, length, dtype)
    if array is None:
        raise ImportError(f"the external data of {tensor.name!r} changed while it was read")
    return array


class Reading:
    """Reads the tensors of a file whose message was read when it had this stamp, from now on and until the end of the `with` statement."""

    def __init__(self, tensors: Iterable[TensorProto], path: str | None, stamp: wire.Stamp | None) -> None:
        self._path, self._stamp = path, stamp
        self._file: BinaryIO | None = None
        self._elements: wire.Elements | None = None
        places = [] if path is None else [place for t in tensors if (place := wire.place(t))]
        if path is None or not places:
            return
        try:
            self._file = open(path, "rb")
        except OSError as error:
            raise ImportError(f"cannot read {path!r}: {error.strerror or error}") from None
        try:
            # The message says where the elements were in that file: in another one something else is there.
            self._check_unchanged()
            self._elements = wire.Elements(self._file, places)
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Reading:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError), self._file:
                if self._elements is not None:
                    self._elements.wait() if kind is None else self._elements.stop()

    def arrays(self, tensors: Iterable[TensorProto]) -> dict[str, np.ndarray]:
        """The elements of the tensors by name. Those that were left in the file must be among the tensors that it was made for, or copies of them."""
        folder = None if self._path is None else os.path.dirname(self._path)
        try:
            if self._elements is not None:
                self._elements.wait()
            arrays = {t.name: to_array(t, folder, self._elements) for t in tensors}
        except OSError as error:
            raise ImportError(f"cannot read {error.filename or self._path!r}: {error.strerror or error}") from None
        self._check_unchanged()
        return arrays

    def _check_unchanged(self) -> None:
        if self._file is not None and wire.stamp(self._file) != self._stamp:
            raise ImportError(f"{self._path!r} changed while it was read; import it again when it is complete")


def to_array(tensor: TensorProto, folder: str | None, elements: wire.Elements | None = None) -> np.ndarray:
    """The tensor's elements, after checks that no claimed size can make this large or fail late. `elements` has those that were left in the model's file."""
    name = tensor.name
    dtype = DTYPES.get(tensor.data_type)
    if dtype is None:
        if tensor.data_type == TensorProto.STRING and math.prod(tensor.dims) == len(tensor.string_data):
            return np.array(list(tensor.string_data), dtype=object).reshape(list(tensor.dims))
        raise ImportError(f"tensor {name!r} has the element type {type_name(tensor.data_type)}, which is not supported")
    if any(d < 0 for d in tensor.dims) or len(tensor.dims) > 32:
        raise ImportError(f"tensor {name!r} has the impossible shape {list(tensor.dims)[:33]}")
    count = math.prod(tensor.dims)
    nbytes = count * dtype.itemsize
    where = None if elements is None else wire.place(tensor)
    stored = dtype.newbyteorder("<") if dtype.kind in "iuf" and dtype.isbuiltin == 1 else dtype
    element = np.dtype(np.uint8) if dtype == np.bool_ else stored
    raw: Any
    if is_external(tensor):
        raw = read_external(tensor, folder, nbytes, element)
    elif where is not None and elements is not None:
        if where[1] != nbytes:
            raise ImportError(f"tensor {name!r} has the shape {list(tensor.dims)} ({nbytes} bytes) but {where[1]} bytes of data")
        found = elements.take(where)
        if found is None:
            raise ImportError(f"the data of tensor {name!r} changed while it was read")
        raw = found.view(element)
    elif tensor.HasField("raw_data"):
        raw = tensor.raw_data
    else:
        have = len(getattr(tensor, _FIELDS.get(tensor.data_type, "int32_data")))
        if have != count:
            raise ImportError(f"tensor {name!r} has the shape {list(tensor.dims)} but {have} elements")
        try:
            return np.asarray(numpy_helper.to_array(tensor), dtype=dtype)
        except (ValueError, TypeError, OverflowError) as error:
            raise ImportError(f"tensor {name!r} cannot be read: {error}") from None
    if isinstance(raw, bytes):
        if len(raw) != nbytes:
            raise ImportError(f"tensor {name!r} has the shape {list(tensor.dims)} ({nbytes} bytes) but {len(raw)} bytes of data")
        raw = np.frombuffer(raw, element)
    elements_read: np.ndarray = raw
    if dtype == np.bool_:
        return elements_read.astype(np.bool_).reshape(list(tensor.dims))
    return elements_read.astype(dtype, copy=False).view(dtype).reshape(list(tensor.dims))


def clear(tensor: TensorProto) -> None:
    """Drops the elements; whether they were in a file of their own stays known."""
    wire.forget(tensor)
    for field in ("float_data", "double_data", "int32_data", "int64_data", "uint64_data", "raw_data"):
        tensor.ClearField(field)


def compact(proto: ModelProto) -> ModelProto:
    """The same message in memory of its own: protobuf keeps that of cleared fields for as long as the message lives."""
    made = ModelProto()
    made.CopyFrom(proto)
    return made


def store(tensor: TensorProto, array: np.ndarray) -> None:
    """Sets the elements of a tensor, as raw data."""
    clear(tensor)
    tensor.ClearField("external_data")
    tensor.ClearField("data_location")
    array = np.ascontiguousarray(array)
    if array.dtype.byteorder == ">":
        array = array.astype(array.dtype.newbyteorder("<"))
    tensor.raw_data = array.tobytes()


def refer(tensor: TensorProto, location: str, offset: int, length: int) -> None:
    """Says that the elements are in another file."""
    clear(tensor)
    tensor.ClearField("external_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, text in (("location", location), ("offset", str(offset)), ("length", str(length))):
        entry = tensor.external_data.add()
        entry.key, entry.value = key, text
