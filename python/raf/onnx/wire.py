# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A file's message without the elements of its large tensors. Each is left in the file, and its tensor says where: protobuf would copy them twice, and keep one copy for as long as the
message lives. Where anything about the file is unusual it is left to protobuf as it is, which also says what is wrong."""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Iterable, Mapping
from typing import BinaryIO

import numpy as np
from onnx import TensorProto

from .._arrays import ALIGNMENT, aligned_empty

#: Smaller tensors stay in the message.
SMALL = 1 << 16
#: The keys that say where the elements of a tensor are in the model's own file. No file can know them.
_OFFSET, _LENGTH = (f"raf.{what}.{secrets.token_hex(8)}" for what in ("offset", "length"))
# Numbers of fields: of the graph in a model, of an initializer in a graph, of the raw data and the external data in a tensor.
_GRAPH, _INITIALIZER, _RAW, _EXTERNAL = 7, 5, 9, 13
_BYTES = 2  # the wire type of what has a length

#: Offset and length of bytes in a file.
Place = tuple[int, int]
#: Into how many one call of the system reads.
_VIEWS = 1000
#: What one call reads at most, in bytes.
_MOST = 1 << 26

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
    return array if length % dtype.itemsize == 0 and _fill(file, offset, [array.view(np.uint8).data]) else None


class Elements:
    """The bytes at places of a file, each from a multiple of ALIGNMENT on in one block of memory: large pages hold a large block. A thread reads them while the caller does something else, in few
    calls of the system, so that it needs the interpreter's lock hardly ever; who waits for it helps."""

    def __init__(self, file: BinaryIO, places: Iterable[Place]) -> None:
        starts: dict[Place, int] = {}
        size = 0
        for place in sorted(set(places)):
            starts[place] = size
            size += -(-place[1] // ALIGNMENT) * ALIGNMENT
        block = aligned_empty((size,), np.dtype(np.uint8))
        self._found = {place: block[start : start + place[1]] for place, start in starts.items()}
        self._taken: set[Place] = set()
        self._failed: list[OSError] = []
        #: Where a run began in which the file ended.
        self._end = 1 << 63
        self._file = file
        # Half of it, which takes about as long as what the caller does, and the rest in two; of large files in more, since a read that has begun cannot be stopped.
        self._runs = iter(_runs(self._found, [min(part, _MOST) for part in (size // 2, size // 4, size)]))
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        for offset, views in self._runs:
            try:
                if not _fill(self._file, offset, views):
                    self._end = min(self._end, offset)
            except OSError as error:
                self._failed.append(error)

    def wait(self) -> None:
        """Until everything has been read. Raises OSError if something could not be."""
        self._read()
        self._thread.join()
        if self._failed:
            raise self._failed[0]

    def stop(self) -> None:
        """Nothing more is read; returns when nobody reads any longer."""
        for _ in self._runs:
            pass
        self._thread.join()

    def take(self, place: Place) -> np.ndarray | None:
        """The bytes at one of the places, for each caller its own; None if the file may end before."""
        array = self._found[place] if sum(place) <= self._end else None
        if place in self._taken:
            return None if array is None else array.copy()
        self._taken.add(place)
        return array


def _runs(found: Mapping[Place, np.ndarray], sizes: Iterable[int]) -> list[tuple[int, list[memoryview]]]:
    """What one call reads: consecutive places, about so many bytes of them, and what lies between. All that is left goes by the last size."""
    runs: list[tuple[int, list[memoryview]]] = []
    end = left = most = 0
    turns = iter(sizes)
    for (offset, _), array in found.items():
        rest = array.data
        while len(rest):
            gap = offset - end
            if not left or not 0 <= gap <= SMALL or len(runs[-1][1]) > _VIEWS - 2:
                runs.append((offset, []))
                if not left:
                    left = most = max(next(turns, most), SMALL)
            elif gap:
                runs[-1][1].append(memoryview(bytearray(gap)))
            piece, rest = rest[:left], rest[left:]
            runs[-1][1].append(piece)
            left -= len(piece)
            end = offset = offset + len(piece)
    return runs


def _fill(file: BinaryIO, offset: int, views: list[memoryview]) -> bool:
    """Reads bytes from that offset on, wherever the file stands, into one after the other; False if it ends before."""
    while views:
        count = os.preadv(file.fileno(), views, offset)
        if not count and len(views[0]):
            return False
        offset += count
        while views and count >= len(views[0]):
            count -= len(views.pop(0))
        if views:
            views[0] = views[0][count:]
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
