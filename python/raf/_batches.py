# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a batch must look like, and the one message that says everything that is wrong with one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._arrays import Array, as_array
from ._device_arrays import DeviceArray, as_device_array
from .errors import RuntimeError, bullets, suggest

Dim = int | str | None


@dataclass(frozen=True)
class Slot:
    """An input or target: the dtypes that are accepted (the first is the preferred one) and the dimensions, None where they are not known."""

    name: str
    dtypes: tuple[np.dtype[Any], ...]
    dims: tuple[Dim, ...] | None
    role: str = "input"

    def expected(self) -> str:
        dims = "?" if self.dims is None else ", ".join("?" if d is None else str(d) for d in self.dims)
        return f"{' or '.join(map(str, self.dtypes))}[{dims}]"


def describe(array: Array | DeviceArray) -> str:
    return f"{array.dtype}[{', '.join(map(str, array.shape))}]"


def arrange(slots: Sequence[Slot], batch: Sequence[Any], named: Mapping[str, Any], what: str, device: str | None = None) -> list[Any]:
    """The arrays in the order of the slots, with a `device` those that are there where they are. `batch` is what was given by position (one dict, tuple or list stands for its contents), `named` by name.

    Raises one raf.RuntimeError that names every input that is missing, unknown, or of the wrong type, dtype or shape.
    """
    if len(batch) == 1 and isinstance(batch[0], Mapping):
        named = {**batch[0], **named}
        batch = ()
    elif len(batch) == 1 and isinstance(batch[0], (tuple, list)):
        batch = batch[0]
    names = [s.name for s in slots]
    problems: list[str] = []
    if len(batch) > len(slots):
        problems.append(f"{len(batch)} arrays were given, but there are {len(slots)}: {', '.join(names)}")
    given: dict[str, Any] = dict(zip(names, batch))
    for name, value in named.items():
        if name not in names:
            problems.append(f"unknown name {name!r}{suggest(str(name), names)}")
        elif name in given:
            problems.append(f"{name!r} was given twice: by position and by name")
        else:
            given[name] = value
    arrays: list[Any] = []
    sizes: dict[str, tuple[int, str]] = {}
    for slot in slots:
        if slot.name not in given:
            problems.append(f"{slot.role} {slot.name!r} is missing; expected {slot.expected()}")
            continue
        try:
            where = f"{slot.role} {slot.name!r}"
            array = as_array(where, given[slot.name]) if device is None else as_device_array(where, given[slot.name], device)
        except RuntimeError as error:
            problems.append(str(error))
            continue
        if problem := _mismatch(slot, array, sizes):
            problems.append(problem)
        arrays.append(array)
    if problems:
        raise RuntimeError(bullets(what, problems))
    return arrays


def _mismatch(slot: Slot, array: Array | DeviceArray, sizes: dict[str, tuple[int, str]]) -> str | None:
    got = f"{slot.role} {slot.name!r}: expected {slot.expected()}, got {describe(array)}"
    if array.dtype not in slot.dtypes:
        return f"{got}; convert it with .astype({str(slot.dtypes[0])!r})"
    if slot.dims is None:
        return None
    if array.ndim != len(slot.dims):
        if array.ndim == len(slot.dims) - 1 and (slot.dims[0] is None or isinstance(slot.dims[0], str) or slot.dims[0] == 1):
            return f"{got}; for a batch of one add an axis: array[None]"
        return f"{got}; the number of axes differs"
    for axis, (dim, size) in enumerate(zip(slot.dims, array.shape)):
        if isinstance(dim, int) and dim != size:
            return f"{got}; axis {axis} must be {dim}"
        if isinstance(dim, str):
            known, source = sizes.setdefault(dim, (size, slot.name))
            if known != size:
                return f"{got}; {dim} is {known} in {source!r} and {size} here"
    return None


def check_shape(slot: Slot, array: Array | DeviceArray, shape: tuple[int, ...]) -> None:
    """The exact check, once the shape that follows from the inputs is known."""
    if array.shape != shape:
        expected = f"{array.dtype}[{', '.join(map(str, shape))}]"
        hint = ""
        if array.size == int(np.prod(shape)):
            hint = f"; array.reshape({shape}) has that shape"
        elif array.ndim == len(shape) + 1:
            hint = "; for one-hot or soft labels use raf.losses.CrossEntropy(dense=True)"
        raise RuntimeError(f"{slot.role} {slot.name!r}: expected {expected}, got {describe(array)}{hint}")
