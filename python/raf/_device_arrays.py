# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of a device, in and out without a copy: what CuPy, PyTorch and JAX give by DLPack or `__cuda_array_interface__`, and what they take."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._arrays import DTYPES, Array, DLTensor, as_array
from ._engine import _core
from .errors import RuntimeError

_CUDA = 2  # DLPack's number of the device type
_DRIVER = "cuda"  # the driver whose memory other libraries can use
_CODES = {0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}
_KINDS = {"i": 0, "u": 1, "f": 2, "b": 6}


class DeviceArray:
    """An array in the memory of a CUDA device: a result, a parameter, or what another library gave.

    `__cuda_array_interface__` and `__dlpack__` give it to CuPy, PyTorch, JAX or Numba, which work on the same memory; numpy.asarray makes a copy on the host, and is the only one of them for
    the simulated GPU. `stream` is the one that its contents are ready on. It keeps its memory alive, but a program may write into it again when it runs.
    """

    def __init__(self, driver: str, opened: Any, address: int, shape: tuple[int, ...], dtype: np.dtype[Any], owner: Any, stream: int | None = None) -> None:
        #: `opened` is the device that the address is on, which may be lost.
        self.driver, self.opened, self.address, self.shape, self.dtype, self.stream = driver, opened, address, shape, dtype, stream
        self._owner = owner

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def nbytes(self) -> int:
        """The number of bytes."""
        return self.size * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"<raf.DeviceArray {self.dtype}[{', '.join(map(str, self.shape))}] on {self.driver}>"

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Array:
        if copy is False:
            raise ValueError("an array of a device cannot be one of the host without a copy")
        if self.stream:
            self.opened.wait_for(self.stream)
        host = np.empty(self.shape, self.dtype)
        if host.nbytes:
            self.opened.download(host.ctypes.data, self.address, host.nbytes)
        return host if dtype is None else host.astype(dtype)

    def astype(self, dtype: Any) -> Array:
        """A copy on the host."""
        return np.asarray(self).astype(dtype)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self.driver != _DRIVER:
            raise AttributeError(f"the memory of {self.driver} is not a CUDA device's; numpy.asarray(array) is a copy on the host")
        if self.dtype == DTYPES["bf16"]:
            raise AttributeError("bfloat16 has no code in __cuda_array_interface__; use DLPack")
        interface: dict[str, Any] = {"shape": self.shape, "typestr": self.dtype.str, "data": (self.address if self.size else 0, False), "strides": None, "version": 3}
        if self.stream:
            interface["stream"] = self.stream
        return interface

    def __dlpack_device__(self) -> tuple[int, int]:
        if self.driver != _DRIVER:
            raise BufferError(f"DLPack has no name for the memory of {self.driver}; numpy.asarray(array) is a copy on the host")
        return _CUDA, 0

    def __dlpack__(
        self, *, stream: int | None = None, max_version: tuple[int, int] | None = None, dl_device: tuple[int, int] | None = None, copy: bool | None = None
    ) -> Any:
        number = self.__dlpack_device__()
        if copy:
            raise BufferError("DLPack is given the memory itself, not a copy; numpy.asarray(array) is a copy on the host")
        if dl_device is not None and (int(dl_device[0]), int(dl_device[1])) != number:
            raise BufferError(f"expected DLPack's device {number}, where the array is, got {tuple(dl_device)}; numpy.asarray(array) is a copy on the host")
        if self.stream and stream != -1:
            self.opened.wait_for(self.stream)
            # For DLPack no stream is the legacy default stream.
            self.opened.let_wait(1 if stream is None else stream)
        code = 4 if self.dtype == DTYPES["bf16"] else _KINDS[self.dtype.kind]
        return _core().dlpack(self.address, list(self.shape), code, 8 * self.dtype.itemsize, number, self)


def as_device_array(name: str, value: Any, driver: str) -> Array | DeviceArray:
    """`value` as an array of the device if it is one, else of the host. What is enqueued on the device's shared stream from now on sees its contents.

    Raises raf.RuntimeError for another device, a type that has no name here, and strides other than those of a C-contiguous array.
    """
    if isinstance(value, (np.ndarray, np.generic)):
        return np.asarray(value)
    if isinstance(value, DeviceArray):
        if value.driver != driver:
            raise RuntimeError(f"{name}: expected an array on {driver}, got one on {value.driver}; numpy.asarray(array) is a copy on the host")
        if value.opened.lost:
            raise RuntimeError(f"{name}: the array was lost when a kernel failed on {driver}; compute it again")
        if value.stream:
            value.opened.wait_for(value.stream)
        return value
    if _dlpack_device(value) is not None:
        return _from_dlpack(name, value, driver)
    if hasattr(value, "__cuda_array_interface__"):
        return _from_interface(name, value, driver)
    return as_array(name, value)


def is_on_device(value: Any) -> bool:
    """Whether the value is an array in the memory of a device, which `as_device_array` takes as such."""
    return isinstance(value, DeviceArray) or _dlpack_device(value) is not None or hasattr(value, "__cuda_array_interface__")


def _dlpack_device(value: Any) -> int | None:
    """The number of the CUDA device of an object with DLPack; None for others."""
    if not hasattr(value, "__dlpack__"):
        return None
    try:
        kind, number = value.__dlpack_device__()
    except Exception:
        return None  # as_array says what is wrong, unless there is the other interface
    return int(number) if int(kind) == _CUDA else None


def _located(name: str, where: int, nbytes: int, driver: str) -> Any:
    """The device, on which so many bytes are at the address."""
    from ._device import device

    opened = device(driver)
    if nbytes == 0:
        return opened
    try:
        number, room = opened.locate(where)
    except RuntimeError:
        raise RuntimeError(f"{name}: expected memory of device 0 of {driver}, got the address {where:#x}, which is in the memory of none of its devices") from None
    if number != 0:
        raise RuntimeError(f"{name}: expected memory of device 0 of {driver}, where the program runs, got device {number}; copy it there first")
    if 0 <= room < nbytes:
        raise RuntimeError(f"{name}: {nbytes} bytes are needed from the address {where:#x} on, but its allocation ends after {room}")
    return opened


def _check_strides(name: str, shape: tuple[int, ...], strides: tuple[int, ...] | None, unit: int) -> None:
    """Strides in bytes (`unit` 1 element's) of a C-contiguous array; those of axes of one element do not matter."""
    if strides is None or 0 in shape:
        return
    expected, step = [], unit
    for size in reversed(shape):
        expected.append(step)
        step *= size
    expected.reverse()
    if any(n > 1 and s != e for n, s, e in zip(shape, strides, expected)):
        raise RuntimeError(f"{name}: expected a C-contiguous array, got strides {tuple(strides)} for the shape {shape} ({tuple(expected)} is contiguous); make it contiguous first")


def _from_interface(name: str, value: Any, driver: str) -> DeviceArray:
    try:
        interface = value.__cuda_array_interface__
        shape, where = tuple(int(n) for n in interface["shape"]), int(interface["data"][0] or 0)
        typestr, strides, stream = str(interface["typestr"]), interface.get("strides"), interface.get("stream")
        strides = None if strides is None else tuple(int(n) for n in strides)
        stream = None if stream is None else int(stream)
        if any(n < 0 for n in shape) or (strides is not None and len(strides) != len(shape)):
            raise ValueError(f"the shape {shape} and the strides {strides} are not those of an array")
    except Exception as error:
        raise RuntimeError(f"{name}: the __cuda_array_interface__ of the {type(value).__name__} cannot be read: {error}") from error
    try:
        dtype = np.dtype(typestr)
    except TypeError:
        dtype = np.dtype(np.void)
    if dtype not in DTYPES.values():
        raise RuntimeError(f"{name}: the type {typestr!r} of its __cuda_array_interface__ is not one that programs have")
    if interface.get("mask") is not None:
        raise RuntimeError(f"{name}: an array with a mask cannot be taken")
    if stream == 0:
        raise RuntimeError(f"{name}: stream 0 in a __cuda_array_interface__ is ambiguous: 1 is the default stream")
    _check_strides(name, shape, strides, dtype.itemsize)
    opened = _located(name, where, math.prod(shape) * dtype.itemsize, driver)
    if stream:
        opened.wait_for(stream)
    return DeviceArray(driver, opened, where, shape, dtype, value)


def _from_dlpack(name: str, value: Any, driver: str) -> DeviceArray:
    from ._device import device

    opened = device(driver)
    try:
        # The library makes our stream wait for its own.
        capsule = value.__dlpack__(stream=opened.stream)
    except Exception as error:
        raise RuntimeError(f"{name}: the {type(value).__name__} cannot be read through DLPack: {error}") from error
    tensor = DLTensor.of(capsule)
    kind = f"{_CODES.get(tensor.code, '?')}{tensor.bits}"
    dtype = DTYPES["bf16"] if (tensor.code, tensor.bits) == (4, 16) else np.dtype(bool) if (tensor.code, tensor.bits) == (6, 8) else None
    if dtype is None and tensor.code in (0, 1, 2) and tensor.bits in (8, 16, 32, 64):
        dtype = np.dtype(kind)
    if dtype is None or tensor.lanes != 1 or dtype not in DTYPES.values():
        raise RuntimeError(f"{name}: the type {kind} of DLPack is not one that programs have")
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    _check_strides(name, shape, tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None, 1)
    where = (tensor.data or 0) + tensor.byte_offset
    opened = _located(name, where, math.prod(shape) * dtype.itemsize, driver)
    return DeviceArray(driver, opened, where, shape, dtype, (value, capsule))

