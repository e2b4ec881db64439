# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file's message without the elements of its large tensors. Each is left in the file, and its tensor says where: protobuf would copy them twice, and keep one copy for as long as the
message lives. Where anything about the file is unusual it is left to protobuf as it is, which also says what is wrong."""

from __future__ import annotations

import os
import secrets
from collections.abc import Collection
from typing import BinaryIO

import numpy as np
from onnx import TensorProto

from .._arrays import ALIGNMENT, aligned_empty
from .._parallel import in_threads

#: Smaller tensors stay in the message.
SMALL = 1 << 16
#: The keys that say where the elements of a tensor are in the model's own file. No file can know them.
_OFFSET, _LENGTH = (f"raf.{what}.{secrets.token_hex(8)}" for what in ("offset", "length"))
# Numbers of fields: of the graph in a model, of an initializer in a graph, of the raw data and the external data in a tensor.
_GRAPH, _INITIALIZER, _RAW, _EXTERNAL = 7, 5, 9, 13
_BYTES = 2  # the wire type of what has a length

#: Offset and length of bytes in a file.
Place = tuple[int, int]
#: What one thread reads at once.
_PIECE = 4 << 20

#: Device, number, size and time of the last change of a file.
Stamp = tuple[int, int, int, int]


class _Unusual(Exception):
    """Not what exporters write."""


def stamp(file: BinaryIO) -> Stamp:
    """Which file it is, and in what state: another one after it was replaced or written to."""
    status = os.fstat(file.fileno())
    return status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns


def read(file: BinaryIO) -> bytes:
    """The message of the file; tensors above SMALL that have raw data refer to it."""
    if not file.seekable():  # a pipe, which cannot be read again either
        return file.read()
    size = file.seek(0, 2)
    file.seek(0)
    if size > SMALL:
        try:
            made, graphs = bytearray(), 0
            while file.tell() < size:
                number, field = _field(file, size, _GRAPH)
                if number == _GRAPH:
                    graphs += 1
                    field = _bytes_field(_GRAPH, _graph(file, int.from_bytes(field, "little")))
                made += field
            if graphs == 1:
                return bytes(made)
        except _Unusual:
            pass
        file.seek(0)
    return file.read()


def place(tensor: TensorProto) -> Place | None:
    """Offset and length of the elements in the model's file, if they were left there."""
    if tensor.HasField("raw_data") or not tensor.external_data or tensor.external_data[0].key != _OFFSET:
        return None
    offset, length = tensor.external_data
    return int(offset.value), int(length.value)


def forget(tensor: TensorProto) -> None:
    """The tensor no longer refers to the file."""
    if place(tensor):
        tensor.ClearField("external_data")


def fetch(file: BinaryIO, offset: int, length: int, dtype: np.dtype) -> np.ndarray | None:
    """Elements in a file; None if it ends before."""
    array = np.empty(length // dtype.itemsize, dtype)
    return array if length % dtype.itemsize == 0 and _fill(file, offset, array.view(np.uint8)) else None


def fetch_all(file: BinaryIO, places: Collection[Place]) -> dict[Place, np.ndarray]:
    """The bytes at all these places, each from a multiple of ALIGNMENT on in one block of memory: large pages hold a large block, and several threads fill it. Without those that the file does not have."""
    starts: dict[Place, int] = {}
    size = 0
    for place in places:
        starts[place] = size
        size += -(-place[1] // ALIGNMENT) * ALIGNMENT
    block = aligned_empty((size,), np.dtype(np.uint8))
    found = {place: block[start : start + place[1]] for place, start in starts.items()}
    pieces = [(place, at) for place in starts for at in range(0, place[1], _PIECE)]
    filled = in_threads(lambda piece: _fill(file, piece[0][0] + piece[1], found[piece[0]][piece[1] : piece[1] + _PIECE]), pieces)
    missing = {place for (place, _), whole in zip(pieces, filled) if not whole}
    return {place: array for place, array in found.items() if place not in missing}


def _fill(file: BinaryIO, offset: int, array: np.ndarray) -> bool:
    """Reads bytes from that offset on, wherever the file stands; False if it ends before."""
    rest = memoryview(array)
    while len(rest):
        count = os.preadv(file.fileno(), [rest], offset)
        if not count:
            return False
        offset, rest = offset + count, rest[count:]
    return True


def _varint(file: BinaryIO) -> int:
    value = shift = 0
    while True:
        byte = file.read(1)
        if not byte or shift > 63:
            raise _Unusual
        value |= (byte[0] & 0x7F) << shift
        if byte[0] < 0x80:
            return value
        shift += 7


def _encoded(value: int) -> bytes:
    made = bytearray()
    while value >= 0x80:
        made.append(value & 0x7F | 0x80)
        value >>= 7
    made.append(value)
    return bytes(made)


def _bytes_field(number: int, content: bytes) -> bytes:
    return _encoded(number << 3 | _BYTES) + _encoded(len(content)) + content


def _field(file: BinaryIO, end: int, inside: int) -> tuple[int, bytes]:
    """The number and the whole encoding of the next field; of the field `inside`, if it has a length, that alone: its content comes next."""
    start = file.tell()
    tag = _varint(file)
    number, kind = tag >> 3, tag & 7
    if kind == _BYTES:
        length = _varint(file)
        if file.tell() + length > end:
            raise _Unusual
        if number == inside:
            return number, length.to_bytes(8, "little")
        stop = file.tell() + length
    elif kind == 0:
        _varint(file)
        stop = file.tell()
    elif kind in (1, 5):
        stop = file.tell() + (8 if kind == 1 else 4)
    else:
        raise _Unusual
    if number == inside or stop > end:
        raise _Unusual
    file.seek(start)
    return number, file.read(stop - start)


def _graph(file: BinaryIO, length: int) -> bytes:
    end, made = file.tell() + length, bytearray()
    while file.tell() < end:
        number, field = _field(file, end, _INITIALIZER)
        if number == _INITIALIZER:
            size = int.from_bytes(field, "little")
            field = _bytes_field(_INITIALIZER, _tensor(file, size) if size > SMALL else file.read(size))
        made += field
    if file.tell() != end:
        raise _Unusual
    return bytes(made)


def _tensor(file: BinaryIO, length: int) -> bytes:
    end, made, raw = file.tell() + length, bytearray(), None
    while file.tell() < end:
        number, field = _field(file, end, _RAW)
        if number == _EXTERNAL or (number == _RAW and raw is not None):
            raise _Unusual
        if number == _RAW:
            raw = file.tell(), int.from_bytes(field, "little")
            file.seek(raw[1], 1)
        else:
            made += field
    if file.tell() != end:
        raise _Unusual
    if raw is not None:
        for key, value in zip((_OFFSET, _LENGTH), raw):
            made += _bytes_field(_EXTERNAL, _bytes_field(1, key.encode()) + _bytes_field(2, str(value).encode()))
    return bytes(made)
