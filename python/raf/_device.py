# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs on a device: arrays of the host with their copies there, and what goes to and fro around a step."""

from __future__ import annotations

import atexit
import dataclasses
import json
import math
import re
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ._arrays import ALIGNMENT, Array, Slab, address, aligned_empty, as_real
from ._device_arrays import DeviceArray
from ._engine import CompileOptions, Executable, _core, build_parts
from ._program import Argument, Input, Program
from .errors import CompileError, RuntimeError


#: Kernels access so many bytes at once.
KERNEL_ALIGNMENT = 16

#: The legacy default stream, which waits for all streams that were not made to be independent of it.
_DEFAULT_STREAM = 1


open_devices: dict[str, Any] = {}
# Closed while the interpreter is still whole; modules are cleared too late for it.
atexit.register(open_devices.clear)


def device(name: str) -> Any:
    """The device of a driver ("cuda", "cuda-sim"), opened when it is first needed, and again after a kernel has failed: whoever has memory there keeps the device that it is of.
    Raises raf.RuntimeError that says what is missing."""
    found = open_devices.get(name)
    if found is None or found.lost:
        found = open_devices[name] = _core().Device(name)
    return found


class Mirrored(Slab):
    """A slab with a copy on a device. Whoever takes the host's arrays gets them as the device left them, and may write into them until the next step.

    Once `on_device` has given arrays out, others may write there at any time: an array that the host has changed counts, and of all others what is on the device.
    """

    def __init__(self, name: str, specs: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> None:
        self._name = name
        #: The device that `_where` is on.
        self._device: Any = None
        self._where: int | None = None
        #: Which of the two may be newer; both only when arrays were given out.
        self._host_newer, self._device_newer = True, False
        self._given_out = False
        #: When arrays were given out: what the host's memory was when it was taken from the device.
        self._seen: Array | None = None
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
            if self._given_out:
                self.prepare()
            self._device.download(address(self._memory), self._where, self._memory.nbytes)
            self._device_newer = self._given_out
            self._seen = self._memory.copy() if self._given_out else None
        self._host_newer = True

    def prepare(self) -> None:
        """Before a step: the device's copy is the newest."""
        base = self._base()
        if self._host_newer and self._memory.nbytes:
            for start, end in self._changed():
                self._device.upload(base + start, address(self._memory) + start, end - start)
            self._device.synchronize()
        self._host_newer, self._seen = False, None

    def _changed(self) -> list[tuple[int, int]]:
        """The parts of the memory that the host may have changed."""
        if self._seen is None:
            return [(0, self._memory.nbytes)]
        found = []
        for array in self._arrays.values():
            start = address(array) - address(self._memory)
            end = start + array.nbytes
            if not np.array_equal(self._memory[start:end], self._seen[start:end]):
                found.append((start, end))
        return found

    @property
    def is_touched(self) -> bool:
        """Whether somebody else may have written into the arrays since the last step."""
        return self._host_newer or self._given_out

    @property
    def is_given_out(self) -> bool:
        """Whether others have the device's arrays, which they may write into at any time."""
        return self._given_out

    @property
    def bytes_there(self) -> int:
        """What it has of the device's memory."""
        return 0 if self._where is None else self._memory.nbytes

    def on_device(self, names: Iterable[str]) -> dict[str, DeviceArray]:
        """The arrays where they are on the device. What is written there counts, except in arrays that the host changes after it took them from there and before the next step."""
        self.prepare()
        if self._device.lost:
            self._device.synchronize()  # raises what was lost, and why
        self._given_out = self._device_newer = self._where is not None
        found = {}
        for name in names:
            array = self._arrays[name]
            where = self.address_of(array)
            assert where is not None
            found[name] = DeviceArray(self._name, self._device, where, array.shape, array.dtype, self)
        return found

    def written(self) -> None:
        """After a step."""
        self._device_newer = self._where is not None

    def overlaps(self, start: int, nbytes: int) -> bool:
        """Whether memory of the device is its."""
        return self._where is not None and _overlap(start, nbytes, self._where, self._memory.nbytes)

    def address_of(self, array: Array) -> int | None:
        """Where an array of the slab is on the device; None for others."""
        offset = address(array) - address(self._memory)
        if not 0 <= offset <= max(self._memory.nbytes - 1, 0):
            return None
        return self._base() + offset

    def _base(self) -> int:
        """Where the slab is on the device, from the first time on that somebody asks."""
        if self._where is None:
            self._device = device(self._name)
            self._where = self._device.alloc(max(self._memory.nbytes, ALIGNMENT))
            weakref.finalize(self, _free, self._device, self._where)
        return self._where


def _overlap(a: int, a_bytes: int, b: int, b_bytes: int) -> bool:
    return a < b + b_bytes and b < a + a_bytes


def _free(opened: Any, where: int) -> None:
    """At the end of an object's life; a device that failed has nothing to free."""
    try:
        opened.free(where)
    except RuntimeError:
        pass


def make_slab(name: str | None, specs: dict[str, tuple[tuple[int, ...], np.dtype[Any]]]) -> Slab:
    """A slab of the host, or with a copy on a device."""
    return Slab(specs) if name is None else Mirrored(name, specs)


class DeviceExecutable(Executable, Protocol):
    """raf._core.Executable of a program for a device."""

    stream: int

    def upload(self, target: int, source: int, bytes: int) -> None: ...
    def download(self, target: int, source: int, bytes: int) -> None: ...
    def prefetch(self, target: int, source: int, bytes: int) -> None: ...
    def copy(self, target: int, source: int, bytes: int) -> None: ...
    def wait_for(self, stream: int) -> None: ...
    def let_wait(self, stream: int) -> None: ...


class DeviceProgram(Program):
    """A program whose executable runs on a device. Inputs and numbers such as the learning rate are uploaded before each run, results downloaded after it; parameters
    and states stay there, in mirrored slabs."""

    executable: DeviceExecutable

    def __init__(self, executable: DeviceExecutable, arrays: Mapping[str, Array], scalar: Any, slabs: Sequence[Slab]) -> None:
        self._slabs = [s for s in slabs if isinstance(s, Mirrored)]
        self._uploads: list[tuple[int, Array]] = []
        self._buffers: dict[int, int] = {}  # on the device, by number
        #: Other places for inputs, for those of the next run, and the arrays that are there: as they were given and as they were uploaded. None if there is no room for them.
        self._spares: dict[int, int] | None = {}
        self._ahead: tuple[list[Any], list[Array]] | None = None
        #: Places for arrays that must leave the place of another input before that is written.
        self._aside: dict[int, int] = {}
        self._bound: dict[int, int] = {}
        self._given_out = False
        self._ended = 0
        self._frees: dict[int, Any] = {}
        self._driver: str = json.loads(executable.manifest)["target"]["device"]
        self._device = device(self._driver)
        super().__init__(executable, arrays, scalar)
        #: The inputs that a run overwrites, and what it writes: the results, by address.
        self._overwritten = {r.alias for r in self.manifest.results if r.alias is not None}
        self._written = [(self._buffers[r.index], math.prod(r.shape) * r.dtype.itemsize) for r in self.manifest.results]
        self._downloads: list[tuple[int, Array]] = []
        for i, result in enumerate(self.manifest.results):
            if result.alias is not None:
                self.results[i] = aligned_empty(result.shape, result.dtype)
            self._downloads.append((self._buffers[result.index], self.results[i]))
        # A result is downloaded, whosever memory it has there.
        self.donors = [None] * len(self.donors)
        self.run = self._run

    @property
    def runs(self) -> int:
        return self._ended

    def _allocate(self, index: int, nbytes: int) -> int:
        if index not in self._buffers:
            where = self._buffers[index] = self._new_place(nbytes)
            self.executable.bind(index, where)
        return self._buffers[index]

    def _new_place(self, nbytes: int) -> int:
        where: int = self._device.alloc(max(nbytes, ALIGNMENT))
        self._frees[where] = weakref.finalize(self, _free, self._device, where)
        return where

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
        self._allocate(arg.index, _bytes(slot))
        return slot

    def load(self, batch: Sequence[Any]) -> bool:
        """As Program.load; the arrays are read when the program runs."""
        taken = self._fitting(batch)
        if taken is None:
            return False
        for slot, array in zip(self.inputs, taken):
            slot.bound = array
        return True

    def _fitting(self, batch: Sequence[Any]) -> list[Any] | None:
        taken: list[Any] = []
        given, uploaded = self._ahead or ([], [])
        for slot, array in zip(self.inputs, batch):
            if given and array is given[len(taken)]:
                taken.append(uploaded[len(taken)])
                continue
            if type(array) is not np.ndarray and (type(array) is not DeviceArray or array.driver != self._driver):
                return None
            if type(array) is np.ndarray:
                array = as_real(array)
                array = np.ascontiguousarray(array).reshape(array.shape)
            if array.dtype != slot.dtype or array.shape != slot.shape:
                return None
            taken.append(array)
        return taken

    def prefetch(self, batch: Sequence[Any]) -> bool:
        """Uploads arrays of the host beside the run under way, each to the other of its input's two places."""
        self._ahead = None
        taken = self._fitting(batch)
        # The places of inputs that are overwritten are those of results too, and stay.
        if taken is None or self._overwritten or any(type(array) is DeviceArray for array in taken):
            return False
        if self._spares == {}:
            self._spares = self._room_for_another_batch()
        if self._spares is None:
            return False
        for slot, array in zip(self.inputs, taken):
            self.executable.prefetch(self._spares[slot.index], address(array), array.nbytes)
        self._ahead = list(batch), taken
        return True

    def _room_for_another_batch(self) -> dict[int, int] | None:
        places: dict[int, int] = {}
        try:
            for slot in self.inputs:
                places[slot.index] = self._new_place(_bytes(slot))
        except RuntimeError as error:
            for where in places.values():
                self._frees.pop(where)()
            if "out of memory" not in str(error):
                raise
            return None
        return places

    def _set_aside(self) -> dict[int, int]:
        """Before the inputs are brought: arrays in the place of another input, which are results of an earlier run, are copied out of it. Where they are now, by input."""
        found = {}
        for slot in self.inputs:
            array: Any = slot.array
            if type(array) is not DeviceArray or array.address == self._buffers[slot.index]:
                continue
            if any(_overlap(array.address, array.nbytes, self._buffers[s.index], _bytes(s)) for s in self.inputs if s.index in self._overwritten):
                if slot.index not in self._aside:
                    self._aside[slot.index] = self._new_place(array.nbytes)
                self.executable.copy(self._aside[slot.index], array.address, array.nbytes)
                found[slot.index] = self._aside[slot.index]
        return found

    def _bring(self, number: int, slot: Input, aside: Mapping[int, int]) -> None:
        """Before a run: an input's contents are on the device, at the address that is bound."""
        array: Any = slot.array
        where = self._buffers[slot.index]
        if self._ahead is not None and self._spares is not None and array is self._ahead[1][number]:
            self._buffers[slot.index], self._spares[slot.index] = self._spares[slot.index], where
            where = self._buffers[slot.index]
        elif type(array) is not DeviceArray:
            self.executable.upload(where, address(array), array.nbytes)
        elif self._must_copy(slot, array):
            if array.address != where:
                self.executable.copy(where, aside.get(slot.index, array.address), array.nbytes)
        else:
            where = array.address
        if where != self._bound.get(slot.index):
            self.executable.bind(slot.index, where)
            self._bound[slot.index] = where

    def _must_copy(self, slot: Input, array: DeviceArray) -> bool:
        """Whether the run writes what the array holds, or its address is not one for kernels."""
        written = slot.index in self._overwritten or any(_overlap(array.address, array.nbytes, *place) for place in self._written)
        return written or any(s.overlaps(array.address, array.nbytes) for s in self._slabs) or array.address % KERNEL_ALIGNMENT != 0 or not array.nbytes

    def run_there(self, stream: int) -> list[DeviceArray]:
        """Runs without waiting; the results where they are. What was enqueued on the stream comes before the run, and what is enqueued on it afterwards after the run."""
        self.executable.wait_for(stream)
        self._start()
        self.executable.let_wait(stream)
        # The shared device writes parameters, which this run may still read.
        self.executable.let_wait(self._device.stream)
        self._given_out = True
        return [DeviceArray(self._driver, self._device, self._buffers[r.index], r.shape, r.dtype, self, self.executable.stream) for r in self.manifest.results]

    def _run(self) -> None:
        if self._given_out:
            # Results that were given out are read on streams which the default stream waits for.
            self.executable.wait_for(_DEFAULT_STREAM)
        self._start()
        try:
            if self.while_running is not None:
                self.while_running()
        finally:
            # Whatever else fails, the run has ended and its results are there when this returns.
            self._end(self._ended + 1)

    def _end(self, runs: int) -> None:
        """Waits for the results, and counts the run. What the device raises ends it; what a handler of signals raises, only the waiting."""
        try:
            self._fetch()
            self._ended = runs
        except RuntimeError:
            raise
        except BaseException:
            self._end(runs)
            raise

    def _fetch(self) -> None:
        for where, array in self._downloads:
            self.executable.download(address(array), where, array.nbytes)
        if not self._downloads:
            self._device.wait_for(self.executable.stream)
            self._device.synchronize()

    def _start(self) -> None:
        for slab in self._slabs:
            slab.prepare()
        for where, array in self._uploads:
            self.executable.upload(where, address(array), array.nbytes)
        # Arrays of other libraries are ready on the shared device's stream.
        if any(type(slot.bound) is DeviceArray for slot in self.inputs):
            self.executable.wait_for(self._device.stream)
        aside = self._set_aside() if self._overwritten else {}
        for number, slot in enumerate(self.inputs):
            self._bring(number, slot, aside)
        self._ahead = None
        self.executable.run()
        for slab in self._slabs:
            slab.written()


def _bytes(slot: Input) -> int:
    return math.prod(slot.shape) * slot.dtype.itemsize


#: The classes of a memory plan that a step holds.
_CLASSES = ("params", "states", "buffers", "inputs", "outputs", "scalars", "constants", "activations", "workspace")


def out_of_memory(error: Exception, module: bytes, pipeline: str, options: CompileOptions, slabs: Sequence[Slab]) -> RuntimeError:
    """The device has no room for a step: what its plan holds, and the budget with which it fits."""
    text = str(error).removeprefix("error: ")
    memory = json.loads(build_parts(module, pipeline, options).manifest)["memory"]
    plan = {name: memory[name] for name in _CLASSES if memory.get(name)}
    text += f". The step's plan holds {sum(plan.values())} bytes: " + ", ".join(f"{name} {size}" for name, size in plan.items())
    found = re.search(r"(\d+) of \d+ are free", text)
    if found is None or options.opt_level == 0:
        return RuntimeError(text)
    # What is on the device already is the step's own. Allocations are rounded up.
    room = int(found[1]) + sum(s.bytes_there for s in slabs if isinstance(s, Mirrored))
    room -= room // 100
    extra = {k: v for k, v in options.extra.items() if k != "memory_slack"}
    try:
        build_parts(module, pipeline, dataclasses.replace(options, extra={**extra, "memory_budget": room}))
    except CompileError as why:
        reason = (why.diagnostics[0] if why.diagnostics else str(why).splitlines()[0]).removeprefix("error: ")
        return RuntimeError(f"{text}. There is room for {room} bytes, and no budget makes it fit: {reason}")
    return RuntimeError(f"{text}. It fits with memory_budget={room}, which computes values again instead of keeping them")


def make_program(executable: Any, arrays: Mapping[str, Array], scalar: Any, slabs: Sequence[Slab] = (), stores: bool = False) -> Program:
    """The program of an executable, where that runs. `slabs` hold the arrays that stay on the device; `stores` is Program's."""
    if "device" in (json.loads(executable.manifest).get("target") or {}):
        return DeviceProgram(executable, arrays, scalar, slabs)
    return Program(executable, arrays, scalar, stores)
