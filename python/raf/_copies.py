# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 16-bit copies of f32 parameters that training steps keep between them (raf-keep-casts): arguments of role "copy", named TYPE:PARAMETER.

A step that updates a parameter writes its copy for the next one. Before that a copy must be made of the parameter: before the first step, after the values of
parameters were loaded, when the step before did not have that copy, and before every step from the moment on when somebody was handed the parameters' own memory to write into. On a
device that is what `on_device` gives; arrays of the host are copies there, after which only the next step begins with conversions."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from . import _engine
from ._arrays import Array, Slab, as_real, mlir_name
from ._device import Mirrored, make_program, make_slab
from ._engine import CompileOptions
from ._program import Argument, Manifest, Program

if TYPE_CHECKING:
    from .predictor import Weights


class Copies:
    """The copies of one trainer's parameters; all its programs share them."""

    def __init__(self, weights: Weights, options: CompileOptions) -> None:
        self._weights, self._options = weights, dataclasses.replace(options, amp=None)
        self._kept = options.amp is not None and options.amp.keep_copies
        self.slabs: list[Slab] = []
        #: The copies that are those of the parameters as they are now.
        self._fresh: frozenset[str] = frozenset()
        #: Whether somebody else may write into the parameters at any time.
        self.exposed = False
        self._makers: dict[frozenset[str], Program] = {}

    def arrays_for(self, executable: _engine.Executable) -> dict[str, Array]:
        """By name what an executable keeps."""
        kept = Manifest(executable).by_role("copy")
        there = self._arrays
        new = {a.name: (a.shape, a.dtype) for a in kept if a.name not in there}
        if new:
            self.slabs.append(make_slab(self._options.device, new))
            there = self._arrays
        return {a.name: there[a.name] for a in kept}

    @property
    def _arrays(self) -> dict[str, Array]:
        return {name: array for slab in self.slabs for name, array in slab.arrays.items()}

    @property
    def _may_be_changed(self) -> bool:
        """Whether somebody else may have written into the parameters since the last step."""
        return self._weights.slab.is_touched if isinstance(self._weights.slab, Mirrored) else self.exposed

    def attach(self, program: Program) -> None:
        """From now on the program's copies are right when it runs."""
        names = frozenset(a.name for a in program.manifest.by_role("copy"))
        if not self._kept:
            return
        run = program.run

        def prepared() -> None:
            if names and (self._may_be_changed or not names <= self._fresh):
                self._make(names)
            # Copies that the program does not have are left behind; after an interrupt nobody knows which it has written.
            self._fresh = frozenset()
            run()
            self._fresh = names

        program.run = prepared

    def forget(self) -> None:
        """The parameters were changed by others."""
        self._fresh = frozenset()

    @property
    def _are_always_made(self) -> bool:
        """Whether somebody else may write into the parameters before any step from now on."""
        return self._weights.slab.is_given_out if isinstance(self._weights.slab, Mirrored) else self.exposed

    def _make(self, names: frozenset[str]) -> None:
        if not self._are_always_made:
            arrays, params = self._arrays, self._weights.params
            for name in names:
                arrays[name][...] = as_real(params[name.partition(":")[2]]).astype(arrays[name].dtype)
            return
        # Compiled, so that it takes no longer than the conversions that the step no longer does, and nothing leaves a device.
        maker = self._makers.get(names)
        if maker is None:
            maker = self._makers[names] = self._maker(sorted(names))
        maker.run()

    def _maker(self, names: list[str]) -> Program:
        """A program that converts the parameters into the copies, which it overwrites."""
        copies, params = self._arrays, self._weights.params
        arguments, body, results, values, arrays = [], [], [], [], {}
        for i, name in enumerate(names):
            arrays[f"p{i}"], arrays[f"c{i}"] = params[name.partition(":")[2]], copies[name]
            dims = "".join(f"{size}x" for size in copies[name].shape)
            wide, narrow = f"tensor<{dims}f32>", f"tensor<{dims}{mlir_name(copies[name].dtype)}>"
            arguments.append(f'%p{i}: {wide} {{raf.name = "p{i}", raf.role = "param"}}, %c{i}: {narrow} {{raf.name = "c{i}", raf.role = "copy"}}')
            body.append(f"%y{i} = raf.cast %p{i} : {wide} to {narrow}")
            results.append(f'{narrow} {{raf.name = "new:c{i}", raf.alias = {2 * i + 1} : i64}}')
            values.append(f"%y{i}")
        types = ", ".join(result.partition(" {")[0] for result in results)
        asm = f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{\n" + "\n".join(body) + f"\nreturn {', '.join(values)} : {types}\n}}"
        executable = _engine.build(asm.encode(), "builtin.module(canonicalize)", self._options)
        return make_program(executable, arrays, _no_scalar, [self._weights.slab, *self.slabs])


def _no_scalar(arg: Argument) -> Array:
    raise AssertionError(f"conversions take no {arg.role}")
