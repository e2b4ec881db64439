# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays at the border: element types, aligned memory, and anything that speaks numpy or DLPack as a numpy array without a copy."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from ._parallel import in_threads
from .errors import RuntimeError

Array = NDArray[Any]

ALIGNMENT = 64
_PAGE, _LARGE = 4096, 8 << 20

DTYPES: dict[str, np.dtype[Any]] = {
    "f16": np.dtype(np.float16),
    "bf16": np.dtype(ml_dtypes.bfloat16),
    "f32": np.dtype(np.float32),
    "f64": np.dtype(np.float64),
    "i1": np.dtype(np.bool_),
    "i8": np.dtype(np.int8),
    "i16": np.dtype(np.int16),
    "i32": np.dtype(np.int32),
    "i64": np.dtype(np.int64),
    "ui8": np.dtype(np.uint8),
    "ui16": np.dtype(np.uint16),
    "ui32": np.dtype(np.uint32),
    "ui64": np.dtype(np.uint64),
}
_MLIR_NAMES = {dtype: name for name, dtype in DTYPES.items()}


def dtype_of(name: str) -> np.dtype[Any]:
    """The numpy dtype of an MLIR element type ("f32", "bf16", "i64") or of a numpy name."""
    return DTYPES[name] if name in DTYPES else np.dtype(name)


def mlir_name(dtype: np.dtype[Any]) -> str | None:
    """The MLIR element type of a numpy dtype, or None if there is none."""
    return _MLIR_NAMES.get(dtype)


def is_inexact(dtype: np.dtype[Any]) -> bool:
    """Whether numbers of the type have derivatives: floating-point and complex ones."""
    return dtype.kind in "fc" or dtype.name == "bfloat16"


def as_real(array: Array) -> Array:
    """The array as programs know it: of complex numbers the two parts in a last dimension of 2, without a copy if it is C-contiguous."""
    if array.dtype.kind != "c":
        return array
    part = np.dtype(np.float32 if array.dtype == np.complex64 else np.float64)
    return np.ascontiguousarray(array).view(part).reshape(*array.shape, 2)


def from_real(array: Array, dtype: np.dtype[Any]) -> Array:
    """An array of a program, which has no complex numbers and may have unsigned ones as signed, as an array of this dtype."""
    if dtype.kind == "c":
        return array.view(dtype).reshape(array.shape[:-1])
    return array.view(dtype) if dtype.kind == "u" and array.dtype.kind == "i" else array


def aligned_empty(shape: tuple[int, ...], dtype: np.dtype[Any]) -> Array:
    """An uninitialized C-contiguous array whose data starts at a multiple of 64 bytes."""
    return _aligned(shape, dtype, np.empty)


def _aligned(shape: tuple[int, ...], dtype: np.dtype[Any], make: Callable[..., Array]) -> Array:
    size = math.prod(shape) * dtype.itemsize
    raw = make(size + ALIGNMENT, np.uint8)
    start = -raw.ctypes.data % ALIGNMENT
    return raw[start : start + size].view(dtype).reshape(shape)


def address(array: Array) -> int:
    """The address of the first element."""
    return int(array.ctypes.data)


def is_finite(array: Array) -> bool:
    """Whether no element is NaN or infinite. One pass and no copy in the usual case: a sum is finite if, but for overflow only if, all of it is."""
    if array.dtype.kind in "biu":
        return True
    array = as_real(array)
    with np.errstate(all="ignore"):
        if math.isfinite(float(array.sum(dtype=np.float64 if array.dtype == np.float64 else np.float32))):
            return True
        return bool(np.isfinite(array).all())


@dataclass(frozen=True)
class Form:
    """How an array lies in a library's blocks: it is reshaped to `split`, its dimensions in outer parts and blocks, and transposed by `order`."""

    split: tuple[int, ...]
    order: tuple[int, ...]
    #: What the compiler calls it: strides, blocks, and the dimensions of these.
    layout: tuple[tuple[int, ...], ...] = field(default=(), compare=False)

    def digits(self, memory: Array) -> Array:
        """Memory that lies so as a view of the shape `split`."""
        return memory.reshape([self.split[i] for i in self.order]).transpose(np.argsort(self.order))


class Slab:
    """Named arrays of zeros in one aligned block, so that all of them can be copied at once."""

    def __init__(self, specs: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
        offsets: dict[str, int] = {}
        size = 0
        for name, (shape, dtype) in specs.items():
            offsets[name] = size
            size += -(-math.prod(shape) * dtype.itemsize // ALIGNMENT) * ALIGNMENT
        self.memory = _aligned((size,), np.dtype(np.uint8), np.zeros)
        self.arrays: dict[str, Array] = {}
        for name, (shape, dtype) in specs.items():
            end = offsets[name] + math.prod(shape) * dtype.itemsize
            self.arrays[name] = self.memory[offsets[name] : end].view(dtype).reshape(shape)

    def touch(self) -> None:
        """Has the system provide the pages of a large block now, to threads that are apart from each other: those of a step would meet in them, as small arrays share large pages."""
        size = self.memory.size
        if size >= _LARGE:
            in_threads(lambda start: self.memory[start : start + _LARGE : _PAGE].fill(0), range(0, size, _LARGE))


class DLTensor(ctypes.Structure):
    """DLPack's structure of this name, the first member of what a capsule holds."""

    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]

    @staticmethod
    def of(capsule: Any) -> DLTensor:
        pointer = ctypes.pythonapi.PyCapsule_GetPointer
        pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return DLTensor.from_address(pointer(capsule, b"dltensor"))


_DLPACK_BFLOAT = 4
_DLPACK_HOST_DEVICES = {1, 3, 11}  # CPU, and pinned host memory of CUDA and ROCm
_DLPACK_DEVICE_NAMES = {2: "CUDA", 8: "Metal", 10: "ROCm", 13: "CUDA managed memory", 14: "oneAPI"}


def _bfloat16_from_dlpack(value: Any) -> Array | None:
    """numpy refuses bfloat16 in its own from_dlpack; this reads the capsule, or returns None if it holds another type."""
    capsule = value.__dlpack__()
    tensor = DLTensor.of(capsule)
    if (tensor.code, tensor.bits, tensor.lanes) != (_DLPACK_BFLOAT, 16, 1):
        return None
    dtype = DTYPES["bf16"]
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    if 0 in shape:
        return np.empty(shape, dtype)
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    if strides is not None and any(s < 0 for s in strides):
        return None
    extent = math.prod(shape) if strides is None else 1 + sum((n - 1) * s for n, s in zip(shape, strides))
    memory = (ctypes.c_uint16 * extent).from_address(tensor.data + tensor.byte_offset)
    memory._owner = capsule  # the capsule frees the tensor when it dies, unless somebody renamed it
    flat: Array = np.frombuffer(memory, np.uint16).view(dtype)
    if strides is None:
        return flat.reshape(shape)
    return np.lib.stride_tricks.as_strided(flat, shape, tuple(2 * s for s in strides), writeable=False)


def as_array(name: str, value: Any) -> Array:
    """`value` as a numpy array, without a copy: numpy arrays and scalars, and CPU tensors of anything with DLPack.

    Raises raf.RuntimeError for other objects and for tensors on other devices.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if not hasattr(value, "__dlpack__"):
        hint = ""
        if isinstance(value, (int, float, bool, list, tuple)):
            hint = "; make one with numpy.asarray(value, dtype)"
        raise RuntimeError(f"{name}: expected a numpy array or an object with DLPack, got {type(value).__name__}{hint}")
    try:
        device, number = value.__dlpack_device__()
    except Exception as error:
        raise RuntimeError(f"{name}: the {type(value).__name__} does not say on which device it is: {error}") from error
    if int(device) not in _DLPACK_HOST_DEVICES:
        place = _DLPACK_DEVICE_NAMES.get(int(device), f"DLPack device type {int(device)}")
        raise RuntimeError(f"{name}: expected a tensor in CPU memory, got one on {place} {number}; copy it to the CPU first")
    try:
        return np.from_dlpack(value)
    except Exception as error:
        found = None
        if "bfloat16" in str(getattr(value, "dtype", "")):
            found = _bfloat16_from_dlpack(value)
        if found is None:
            raise RuntimeError(f"{name}: the {type(value).__name__} cannot be read through DLPack: {error}") from error
        return found
