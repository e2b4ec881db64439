# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A loaded executable with its arguments bound to numpy arrays."""

from __future__ import annotations

import json
import math
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ._arrays import Array, Form, address, aligned_empty, as_real, dtype_of
from ._engine import Executable
from .errors import CompileError, RuntimeError

#: Inputs up to this size are copied into a buffer that stays bound: finding the address of a numpy array takes longer.
STAGED_BYTES = 32 * 1024


@dataclass(frozen=True)
class Argument:
    """An argument or result of an executable, from its manifest."""

    index: int
    name: str
    role: str
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    alias: int | None = None
    #: How it lies, if not plainly.
    form: Form | None = None


class Described(Protocol):
    """What has a manifest, in JSON."""

    @property
    def manifest(self) -> str: ...


class Manifest:
    """What an executable takes and gives."""

    def __init__(self, of: Described) -> None:
        self._of = of
        raw = self.raw
        self.args = [Argument(i, a["name"], a["role"], dtype_of(a["dtype"]), tuple(a["shape"]), form=_form(a.get("stored"))) for i, a in enumerate(raw["args"])]
        #: Results that overwrite nothing that is kept, with the index under which they are bound. `alias` is the input that was donated to it.
        self.results: list[Argument] = []
        count = len(self.args)
        for r in raw["results"]:
            alias = r.get("alias")
            if alias is None or alias < 0:
                self.results.append(Argument(count, r["name"], "result", dtype_of(r["dtype"]), tuple(r["shape"])))
                count += 1
            elif self.args[alias].role == "input":
                self.results.append(Argument(alias, r["name"], "result", dtype_of(r["dtype"]), tuple(r["shape"]), alias))

    @property
    def raw(self) -> dict[str, Any]:
        """All that it says, read anew: what is known of each op takes hundreds of KiB and is seldom looked at."""
        found: dict[str, Any] = json.loads(self._of.manifest)
        return found

    def by_role(self, *roles: str) -> list[Argument]:
        return [a for a in self.args if a.role in roles]


def _form(stored: Mapping[str, Sequence[int]] | None) -> Form | None:
    return None if stored is None else Form(tuple(stored["split"]), tuple(stored["order"]), tuple(tuple(stored[key]) for key in ("strides", "blocks", "of") if key in stored))


class Input:
    """One input of a program: what it must look like and what is bound to it now."""

    __slots__ = ("bound", "donated", "dtype", "index", "name", "shape", "spare", "staging")

    def __init__(self, arg: Argument, donated: bool) -> None:
        self.donated = donated
        self.index, self.name, self.dtype, self.shape = arg.index, arg.name, arg.dtype, arg.shape
        self.staging: Array | None = None  # where small arrays are copied to; stays bound
        self.spare: Array | None = None  # where big arrays that are not contiguous are copied to
        self.bound: Any = None  # the caller's big array that is bound now

    @property
    def array(self) -> Array:
        """What the program reads."""
        for array in (self.staging, self.bound, self.spare):
            if array is not None:
                return array
        raise RuntimeError(f"input {self.name!r} was never given")


class Program:
    """An executable with everything bound: `load` puts a batch in, `run` runs it, `results` holds what came out until the next run.

    `load` and `run` are the hot path. `lock` is for callers that may be several threads.
    """

    def __init__(self, executable: Executable, arrays: Mapping[str, Array], scalar: Callable[[Argument], Array], stores: bool = False) -> None:
        """`stores`: somebody brings arrays into the forms of the manifest before each run."""
        self.executable = executable
        self.manifest = Manifest(executable)
        self.lock = threading.RLock()  # a handler of signals that saves may interrupt a step
        self.run = executable.run
        #: For a device: called while the program runs there.
        self.while_running: Callable[[], None] | None = None
        self._kept: list[Array] = []
        donated = {r.alias for r in self.manifest.results if r.alias is not None}
        self.inputs: list[Input] = []
        for arg in self.manifest.args:
            if arg.role in ("input", "target"):
                self.inputs.append(self._input(arg, arg.index in donated))
                continue
            array = as_real(scalar(arg) if arg.role in ("lr", "step", "seed") else arrays[arg.name])
            if arg.form is not None and not stores:
                raise CompileError(f"argument {arg.name!r} lies in blocks of a library (store-layouts), which only trainers and predictors may have")
            if array.dtype != arg.dtype or array.shape != arg.shape:
                raise CompileError(f"argument {arg.name!r} is {arg.dtype}{list(arg.shape)}, its array {array.dtype}{list(array.shape)}")
            self._bind(arg.index, array)
        self._made: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()
        slots = {slot.index: slot for slot in self.inputs}
        self.donors = [None if r.alias is None else slots[r.alias] for r in self.manifest.results]
        self.results: list[Array] = []
        #: For metrics: the output that the loss looks at, if the program keeps it.
        self.scores: Array | None = None
        #: Whether the latest step was applied, if the program guards its updates.
        self.finite: Array | None = None
        for result in self.manifest.results:
            if result.alias is not None:
                self.results.append(np.empty(0, result.dtype))  # an input's memory stands here once there is one
                continue
            array = aligned_empty(result.shape, result.dtype)
            self._bind(result.index, array)
            self.results.append(array)
            if result.name == "finite" and result.dtype == np.bool_:
                self.finite = array

    @property
    def runs(self) -> int:
        """How many runs have ended well, whatever was raised while or after they ran."""
        return self.executable.runs

    @property
    def applied(self) -> bool:
        """Whether the latest run overwrote what it updates."""
        return self.finite is None or bool(self.finite)

    def _bind(self, index: int, array: Array) -> None:
        self.executable.bind(index, address(array))
        self._kept.append(array)

    def rebind(self, name: str, array: Array) -> None:
        """Another array for what it keeps under this name."""
        for arg in self.manifest.by_role("param", "buffer", "state"):
            if arg.name == name:
                self._bind(arg.index, array)

    def _input(self, arg: Argument, donated: bool) -> Input:
        slot = Input(arg, donated)
        if not donated and math.prod(arg.shape) * arg.dtype.itemsize <= STAGED_BYTES:
            slot.staging = aligned_empty(arg.shape, arg.dtype)
            self._bind(arg.index, slot.staging)
        return slot

    def load(self, batch: Sequence[Any]) -> bool:
        """Binds or copies the arrays; False, with nothing promised about the inputs, if one of them is not of the program's dtype and shape.

        An array above STAGED_BYTES that is C-contiguous is not copied; it must not be freed or changed until `run` returns, and is kept alive
        until another takes its place.
        """
        for slot, array in zip(self.inputs, batch):
            if type(array) is not np.ndarray or array.dtype != slot.dtype or array.shape != slot.shape:
                if type(array) is not np.ndarray or array.dtype.kind != "c":
                    return False
                array = as_real(array)
                if array.dtype != slot.dtype or array.shape != slot.shape:
                    return False
            if slot.donated:
                self._donate(slot, array)
            elif slot.staging is not None:
                slot.staging[...] = array
            elif array is not slot.bound:
                self._rebind(slot, array)
        return True

    def prefetch(self, batch: Sequence[Any]) -> bool:
        """Takes the next batch ahead of its `load`, where the program has somewhere to put it; False if it has not."""
        return False

    def _donate(self, slot: Input, array: Array) -> None:
        """The result's memory is the array if this program made it (a donated result of an earlier run, which is lost now), else a copy of it."""
        if self._made.get(id(array)) is not array:
            copy = aligned_empty(slot.shape, slot.dtype)
            copy[...] = array
            array = copy
        self.executable.bind(slot.index, address(array))
        slot.bound = array

    def output(self, index: int) -> Array:
        """A result that the next run does not touch."""
        donor = self.donors[index]
        if donor is None:
            return self.results[index].copy()
        array: Array = donor.bound
        assert array is not None
        donor.bound = None
        self._made[id(array)] = array
        return array

    def feed(self, arrays: Sequence[Array]) -> None:
        """`load` for arrays that were checked against the model before."""
        if not self.load(arrays):
            got = ", ".join(f"{a.dtype}{list(a.shape)}" for a in arrays)
            expected = ", ".join(f"{s.name} {s.dtype}{list(s.shape)}" for s in self.inputs)
            raise RuntimeError(f"the compiled program takes {expected}; got {got}")

    def _rebind(self, slot: Input, array: Array) -> None:
        where = address(array)
        if array.flags.c_contiguous and where % array.dtype.itemsize == 0:
            self.executable.bind(slot.index, where)
            slot.bound = array
            return
        if slot.spare is None:
            slot.spare = aligned_empty(slot.shape, slot.dtype)
        slot.spare[...] = array
        self.executable.bind(slot.index, address(slot.spare))
        slot.bound = None
