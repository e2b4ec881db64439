# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The 16-bit copies of f32 parameters that training steps keep between them (raf-keep-casts): arguments of role "copy", named TYPE:PARAMETER.

A step that updates a parameter writes its copy for the next one. Before that a copy must be made of the parameter: before the first step, after the values of
parameters were loaded, when the step before did not have that copy, and before every step from the moment on when somebody was handed the parameters to write into. On a device, where
what is handed out are copies, only before the step that follows."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

from . import _engine
from ._arrays import Array, Slab, address, as_real, mlir_name
from ._device import Mirrored, make_slab
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
        kept = Manifest(executable.manifest).by_role("copy")
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
            run()
            # Copies that the program does not have are left behind.
            self._fresh = names

        program.run = prepared

    def forget(self) -> None:
        """The parameters were changed by others."""
        self._fresh = frozenset()

    def _make(self, names: frozenset[str]) -> None:
        if not self.exposed or self._options.device is not None:
            arrays, params = self._arrays, self._weights.params
            for name in names:
                arrays[name][...] = as_real(params[name.partition(":")[2]]).astype(arrays[name].dtype)
            return
        # Before every step: compiled, so that it takes no longer than the conversions that the step no longer does.
        maker = self._makers.get(names)
        if maker is None:
            maker = self._makers[names] = self._maker(sorted(names))
        maker.run()

    def _maker(self, names: list[str]) -> Program:
        """A program that converts the parameters into the copies."""
        arguments, body, results, values = [], [], [], []
        arrays = self._arrays
        for i, name in enumerate(names):
            array = arrays[name]
            dims = "".join(f"{size}x" for size in array.shape)
            wide, narrow = f"tensor<{dims}f32>", f"tensor<{dims}{mlir_name(array.dtype)}>"
            arguments.append(f'%p{i}: {wide} {{raf.name = "p{i}", raf.role = "param"}}')
            body.append(f"%c{i} = raf.cast %p{i} : {wide} to {narrow}")
            results.append(f'{narrow} {{raf.name = "c{i}"}}')
            values.append(f"%c{i}")
        types = ", ".join(result.partition(" {")[0] for result in results)
        asm = f"func.func @main({', '.join(arguments)}) -> ({', '.join(results)}) {{\n" + "\n".join(body) + f"\nreturn {', '.join(values)} : {types}\n}}"
        executable = _engine.build(asm.encode(), "builtin.module(canonicalize)", self._options)
        program = Program(executable, {f"p{i}": self._weights.params[name.partition(":")[2]] for i, name in enumerate(names)}, _no_scalar)
        for result, name in zip(program.manifest.results, names):
            executable.bind(result.index, address(arrays[name]))
        return program


def _no_scalar(arg: Argument) -> Array:
    raise AssertionError(f"conversions take no {arg.role}")
