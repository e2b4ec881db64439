# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on a device: arrays of the host with their copies there, and what goes to and fro around a step."""

from __future__ import annotations

import functools
import json
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ._arrays import ALIGNMENT, Array, Slab, address, aligned_empty, as_real
from ._engine import _core
from ._program import Argument, Input, Program
from .errors import RuntimeError


@functools.lru_cache(maxsize=None)
def device(name: str) -> Any:
    """The device of a driver ("cuda", "cuda-sim"), opened when it is first needed. Raises raf.RuntimeError that says what is missing."""
    return _core().Device(name)


class Mirrored(Slab):
    """A slab with a copy on a device. Whoever takes the host's arrays gets them as the device left them, and may write into them until the next step."""

    def __init__(self, name: str, specs: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
        self._name = name
        self._where: int | None = None
        #: Which of the two may be newer; never both.
        self._host_newer, self._device_newer = True, False
        super().__init__(specs)

    # Slab's own attributes.

    @property
    def memory(self) -> Array:
        self._to_host()
        return self._memory

    @memory.setter
    def memory(self, value: Array) -> None:
        self._memory = value

    @property
    def arrays(self) -> dict[str, Array]:
        self._to_host()
        return self._arrays

    @arrays.setter
    def arrays(self, value: dict[str, Array]) -> None:
        self._arrays = value

    @property
    def hidden(self) -> dict[str, Array]:
        """The host's arrays for their addresses and shapes alone."""
        return self._arrays

    def _to_host(self) -> None:
        if self._device_newer:
            device(self._name).download(address(self._memory), self._where, self._memory.nbytes)
            self._device_newer = False
        self._host_newer = True

    def prepare(self) -> None:
        """Before a step: the device's copy is the newest."""
        if self._host_newer and self._memory.nbytes:
            self.address_of(self._memory)
            device(self._name).upload(self._where, address(self._memory), self._memory.nbytes)
            device(self._name).synchronize()
        self._host_newer = False

    def written(self) -> None:
        """After a step."""
        self._device_newer = self._where is not None

    def address_of(self, array: Array) -> int | None:
        """Where an array of the slab is on the device; None for others."""
        offset = address(array) - address(self._memory)
        if not 0 <= offset <= max(self._memory.nbytes - 1, 0):
            return None
        if self._where is None:
            opened = device(self._name)
            self._where = opened.alloc(max(self._memory.nbytes, ALIGNMENT))
            weakref.finalize(self, _free, opened, self._where)
        return self._where + offset


def _free(opened: Any, where: int) -> None:
    """At the end of an object's life; a device that failed has nothing to free."""
    try:
        opened.free(where)
    except RuntimeError:
        pass


def make_slab(name: str | None, specs: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> Slab:
    """A slab of the host, or with a copy on a device."""
    return Slab(specs) if name is None else Mirrored(name, specs)


class DeviceProgram(Program):
    """A program whose executable runs on a device. Inputs and numbers such as the learning rate are uploaded before each run, results downloaded after it; parameters
    and states stay there, in mirrored slabs."""

    def __init__(self, executable: Any, arrays: Mapping[str, Array], scalar: Any, slabs: Sequence[Slab]) -> None:
        self._slabs = [s for s in slabs if isinstance(s, Mirrored)]
        self._uploads: list[tuple[int, Array]] = []
        self._buffers: dict[int, int] = {}  # on the device, by number
        super().__init__(executable, arrays, scalar)
        self._downloads: list[tuple[int, Array]] = []
        for i, result in enumerate(self.manifest.results):
            if result.alias is not None:
                self.results[i] = aligned_empty(result.shape, result.dtype)
            self._downloads.append((self._buffers[result.index], self.results[i]))
        # A result is downloaded, whosever memory it has there.
        self.donors = [None] * len(self.donors)
        self.run = self._run

    def _allocate(self, index: int, nbytes: int) -> int:
        if index not in self._buffers:
            opened = device(self.manifest.raw["target"]["device"])
            where = self._buffers[index] = opened.alloc(max(nbytes, ALIGNMENT))
            weakref.finalize(self, _free, opened, where)
            self.executable.bind(index, where)
        return self._buffers[index]

    def _bind(self, index: int, array: Array) -> None:
        self._kept.append(array)
        for slab in self._slabs:
            if (where := slab.address_of(array)) is not None:
                self.executable.bind(index, where)
                return
        where = self._allocate(index, array.nbytes)
        if index < len(self.manifest.args):
            self._uploads.append((where, array))

    def _input(self, arg: Argument, donated: bool) -> Input:
        slot = Input(arg, donated=False)
        self._allocate(arg.index, int(np.prod(arg.shape)) * arg.dtype.itemsize)
        return slot

    def load(self, batch: Sequence[Any]) -> bool:
        """As Program.load; the arrays are read when the program runs."""
        taken = []
        for slot, array in zip(self.inputs, batch):
            if type(array) is not np.ndarray:
                return False
            array = as_real(array)
            if array.dtype != slot.dtype or array.shape != slot.shape:
                return False
            taken.append(np.ascontiguousarray(array).reshape(array.shape))
        for slot, array in zip(self.inputs, taken):
            slot.bound = array
        return True

    def _run(self) -> None:
        for slab in self._slabs:
            slab.prepare()
        upload, download = self.executable.upload, self.executable.download
        for where, array in self._uploads:
            upload(where, address(array), array.nbytes)
        for slot in self.inputs:
            array = slot.array
            upload(self._buffers[slot.index], address(array), array.nbytes)
        self.executable.run()
        for where, array in self._downloads:
            download(address(array), where, array.nbytes)
        for slab in self._slabs:
            slab.written()


def make_program(executable: Any, arrays: Mapping[str, Array], scalar: Any, slabs: Sequence[Slab] = ()) -> Program:
    """The program of an executable, where that runs. `slabs` hold the arrays that stay on the device."""
    if "device" in (json.loads(executable.manifest).get("target") or {}):
        return DeviceProgram(executable, arrays, scalar, slabs)
    return Program(executable, arrays, scalar)
