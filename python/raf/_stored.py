# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Parameters and optimizer states that programs keep in a library's blocks between steps (raf-store-layouts), and their conversion: whoever looks at a parameter from outside sees it plainly.
Those that never change are copied into blocks once (`Packed`); the rest is about those that steps update (`Stored`).

The memory of an array is the same in every layout. Each program says in its manifest how it expects its arguments; before it runs, what lies in another way is converted in place. What is
handed out is a plain copy. While it is, the copy counts: it is taken over before each run and follows after it, so that it looks and behaves as the parameter itself. When nobody has
it any more it is taken over for the last time."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np

from ._arrays import Array, Form, aligned_empty, as_real
from ._engine import CompileOptions
from ._parallel import in_threads

if TYPE_CHECKING:
    from ._program import Manifest, Program


#: Less is converted before another thread is there.
_THREADED_BYTES = 256 * 1024


class Packed:
    """Constant arrays in the forms that programs want, each made once: programs of different forms may run at the same time."""

    def __init__(self, arrays: Mapping[str, Array]) -> None:
        self._arrays = arrays
        self._packed: dict[tuple[str, Form], Array] = {}

    def arrays_for(self, manifest: Manifest) -> dict[str, Array]:
        """All arrays, each as the program expects it."""
        wanted = {(a.name, a.form) for a in manifest.by_role("param") if a.form is not None}
        new = [key for key in wanted if key not in self._packed]
        # Others, in other threads too, see them when they are whole.
        self._packed.update(zip(new, in_threads(self._pack, new)))
        return {**self._arrays, **{name: self._packed[name, form] for name, form in wanted}}

    def _pack(self, key: tuple[str, Form]) -> Array:
        name, form = key
        memory = aligned_empty(self._arrays[name].shape, self._arrays[name].dtype)
        _pack(memory, form, self._arrays[name])
        return memory


def _pack(memory: Array, form: Form, plain: Array) -> None:
    form.digits(memory)[...] = plain.reshape(form.split)


class _Handle:
    """What views of an array keep alive, and nobody else does."""

    def __init__(self, array: Array) -> None:
        self._array = array
        self.__array_interface__ = array.reshape(-1).view(np.uint8).__array_interface__

    def view(self) -> Array:
        return np.asarray(self).view(self._array.dtype).reshape(self._array.shape)


class Stored:
    """The arrays that the programs of one model share. `allowed`: whether they may keep them in blocks. Which they do depends on the programs alone, never on what somebody holds."""

    def __init__(self, allowed: bool) -> None:
        self.allowed = allowed
        #: Those of the slabs, which have other arrays once blocks need memory of their own.
        self._slabs: list[dict[str, Array]] = []
        self._programs: weakref.WeakSet[Program] = weakref.WeakSet()
        #: How arrays lie that do not lie plainly now.
        self._forms: dict[str, Form] = {}
        #: Arrays that some program keeps in blocks.
        self._kept: set[str] = set()
        #: Plain copies that count.
        self._copies: dict[str, Array] = {}
        #: Whether the memory may be newer than the copies: a step has run, or was interrupted.
        self._stale = False
        #: Whether somebody has the copy or, of arrays that lie plainly, the array itself.
        self._lent: dict[str, weakref.ref[_Handle]] = {}
        #: What the latest program expects.
        self._expected: Mapping[str, Form] | None = None
        #: What the first step expects, and its parameters in their order; programs that only read do as it does, so that nothing is converted between steps and these.
        self._steps: Mapping[str, Form] | None = None
        self._params: list[str] = []
        #: Programs from before the first step that lie otherwise.
        self._early: weakref.WeakSet[Program] = weakref.WeakSet()

    def add(self, arrays: dict[str, Array]) -> None:
        """Arrays that lie plainly now."""
        self._slabs.append(arrays)

    def _slab_of(self, name: str) -> dict[str, Array] | None:
        return next((slab for slab in self._slabs if name in slab), None)

    def _memory(self, name: str) -> Array:
        slab = self._slab_of(name)
        assert slab is not None
        return slab[name]

    def options(self, options: CompileOptions, updates: bool) -> CompileOptions:
        """Those for a program of these arrays."""
        if not self.allowed:
            return options
        if updates or self._steps is None:
            return options.storing()
        like = [":".join([str(number), *("x".join(map(str, part)) for part in self._steps[name].layout)]) for number, name in enumerate(self._params) if name in self._steps]
        return options.storing(like) if like else options

    def suits(self, program: Program) -> bool:
        """Whether a program that only reads does as steps do; if not, another should take its place."""
        return self._steps is None or program not in self._early

    def attach(self, program: Program, updates: bool) -> None:
        """From now on the arrays lie as the program expects when it runs."""
        if not self.allowed:
            return
        args = [a for a in program.manifest.args if a.role in ("param", "state") and self._slab_of(a.name) is not None]
        forms = {a.name: a.form for a in args if a.form is not None}
        names = [a.name for a in args]
        self._programs.add(program)
        if updates and self._steps is None:
            self._steps, self._params = forms, [a.name for a in program.manifest.by_role("param")]
            for early in list(self._early):
                if all(forms.get(a.name) == a.form for a in early.manifest.by_role("param")):
                    self._early.remove(early)
        elif self._steps is None:
            self._early.add(program)
        for name in forms:
            if name not in self._kept and self._is_lent(name):
                self._move(name)
        self._kept.update(forms)
        run = program.run

        def prepared() -> None:
            if self._expected is not forms or self._copies:
                self._refresh()
                self._take_over()
                self._bring(names, forms)
            try:
                self._stale = updates and bool(self._copies)
                run()
            finally:  # an interrupt while it runs is raised when it has ended, and what it did counts
                self._refresh()

        program.run = prepared

    def _move(self, name: str) -> None:
        """What was handed out becomes the copy, and the programs get other memory."""
        slab = self._slab_of(name)
        assert slab is not None
        self._copies[name] = slab[name]
        slab[name] = aligned_empty(slab[name].shape, slab[name].dtype)
        for program in self._programs:
            program.rebind(name, slab[name])

    def lend(self, name: str) -> Array:
        """The array, to be written into between runs."""
        memory = self._memory(name)
        if not self.allowed or memory.ndim < 3:
            return memory
        handle = self._lent[name]() if name in self._lent else None
        if handle is None:
            self._refresh()
            if name in self._kept and name not in self._copies:
                self._copies[name] = self._plain(name)
            handle = _Handle(self._copies.get(name, memory))
            self._lent[name] = weakref.ref(handle)
        return handle.view()

    def _is_lent(self, name: str) -> bool:
        return name in self._lent and self._lent[name]() is not None

    def read(self, name: str) -> Array:
        """Its values, not to be written into."""
        self._refresh()
        if name in self._copies:
            return self._copies[name]
        return self._plain(name) if name in self._forms else self._memory(name)

    def write(self, name: str, values: Array) -> None:
        """New values for all of it."""
        self._refresh()
        if name in self._copies:
            self._copies[name][...] = values
        elif name in self._forms:
            self._pack(name, np.ascontiguousarray(values))
        else:
            as_real(self._memory(name))[...] = values

    def _plain(self, name: str) -> Array:
        plain = aligned_empty(self._memory(name).shape, self._memory(name).dtype)
        self._unpack(name, plain)
        return plain

    def _unpack(self, name: str, plain: Array) -> None:
        if (form := self._forms.get(name)) is None:
            plain[...] = self._memory(name)
        else:
            plain.reshape(form.split)[...] = form.digits(self._memory(name))

    def _pack(self, name: str, plain: Array) -> None:
        if (form := self._forms.get(name)) is None:
            self._memory(name)[...] = plain
        else:
            _pack(self._memory(name), form, plain)

    def _refresh(self) -> None:
        """The copies are what the memory holds."""
        if self._stale:
            self._each(self._copies, lambda name: self._unpack(name, self._copies[name]))
            self._stale = False

    def _take_over(self) -> None:
        """What was handed out counts."""
        self._each(self._copies, lambda name: self._pack(name, self._copies[name]))
        self._copies = {name: copy for name, copy in self._copies.items() if self._is_lent(name)}

    def _bring(self, names: Iterable[str], forms: Mapping[str, Form]) -> None:
        def convert(name: str) -> None:
            # The copy counts until the memory is written: if this is interrupted, the next run takes it over.
            plain = self._copies[name] if name in self._copies else self._plain(name)
            self._copies[name] = plain
            if name in forms:
                self._forms[name] = forms[name]
            else:
                del self._forms[name]
            self._pack(name, plain)
            if not self._is_lent(name):
                del self._copies[name]

        self._expected = None
        self._each([name for name in names if self._forms.get(name) != forms.get(name)], convert)
        self._expected = forms

    def _each(self, names: Iterable[str], do: Callable[[str], None]) -> None:
        names = list(names)
        if sum(self._memory(name).nbytes for name in names) < _THREADED_BYTES:
            for name in names:
                do(name)
        else:
            in_threads(do, names)
