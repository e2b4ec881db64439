# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the programs of a training share and its steps update: weights, optimizer states, kept copies, and the numbers of a step."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from . import _state
from ._arrays import Array, Slab, as_real
from ._copies import Copies
from ._device import make_slab
from ._engine import CompileOptions, Executable, Parts
from ._program import Argument, Manifest
from .model import Model
from .predictor import Weights


class TrainingArrays:
    """Weights are there from the beginning, states from the first program on; those that are loaded before wait for it."""

    def __init__(self, model: Model, options: CompileOptions) -> None:
        copies = options.amp is not None and options.amp.keep_copies
        self._options = options
        self.weights = Weights(model, read_only=copies, device=options.device, stores=options.may_store and not copies)
        self.stored = self.weights.stored
        self.copies = Copies(self.weights, options)
        self._model = self.weights.own
        self._states: Slab | None = None
        self._pending: dict[str, Array] = {}
        #: By role; what a step is told: the learning rate, its number and the seed, one array each for all programs.
        self._scalars: dict[str, Array] = {}

    @property
    def slabs(self) -> list[Slab]:
        return [self.weights.slab, *([] if self._states is None else [self._states]), *self.copies.slabs]

    @property
    def has_states(self) -> bool:
        return self._states is not None

    def of_step(self, executable: Executable) -> dict[str, Array]:
        """By name what a training program binds."""
        return {**self.weights.slab.arrays, **self.states_of(executable), **self.copies.arrays_for(executable)}

    def states_of(self, executable: Executable | Parts) -> dict[str, Array]:
        """The optimizer's state: zeros when the first program is made, or what was loaded before."""
        if self._states is None:
            states = Manifest(executable).by_role("state")
            self._states = make_slab(self._options.device, {a.name: (a.shape, a.dtype) for a in states})
            if self._options.device is None:
                self._states.touch()
            self._reset_loss_scale()
            if self._options.device is None:
                self.stored.add(self._states.arrays)
            for name, array in self._pending.items():
                if name in self._states.arrays:
                    self._states.arrays[name][...] = array
            self._pending = {}
        return self._states.arrays

    def scalar(self, arg: Argument) -> Array:
        if arg.role not in self._scalars:
            self._scalars[arg.role] = np.zeros(arg.shape, arg.dtype)
        return self._scalars[arg.role]

    def tell(self, done: int, seed: int, rate: Callable[[int], float]) -> None:
        """What the step after so many is told, as far as some program has it. A rate may be a function of the user's: it is not called for steps that have none."""
        scalars = self._scalars
        if "step" in scalars:
            scalars["step"][()] = done + 1
        if "seed" in scalars:
            scalars["seed"][()] = seed
        if "lr" in scalars:
            scalars["lr"][()] = rate(done)

    @property
    def loss_scale(self) -> float | None:
        """That of the next step; None if there is none yet, or never."""
        states = self._states.arrays if self._states is not None else self._pending
        return float(states["loss_scale"]) if "loss_scale" in states else None

    def read(self) -> dict[str, Array]:
        """Every tensor of the state under its name in a checkpoint; not to be written into."""
        weights, states = self.weights.read(), self._pending
        if self._states is not None:
            states = {n: self.stored.read(n) for n in self._states.arrays} if self.stored.allowed else self._states.arrays
        return {
            **{f"param:{n}": as_real(weights[n]) for n in self._model.params},
            **{f"buffer:{n}": as_real(weights[n]) for n in self._model.buffers},
            **{f"state:{n}": a for n, a in states.items()},
        }

    def write(self, tensors: Mapping[str, Array], weights_only: bool) -> None:
        """Takes tensors by their names in a checkpoint. States that it does not have are those of a training that has not begun."""
        self.copies.forget()
        if not weights_only:
            self._pending = {}
        for name, array in tensors.items():
            kind, _, own = name.partition(":")
            if kind in ("param", "buffer"):
                self._set(self.weights.slab, own, array)
            elif weights_only:
                continue
            elif self._states is None:
                self._pending[own] = np.array(array)
            elif own in self._states.arrays:
                self._set(self._states, own, array)
        if weights_only or self._states is None:
            return
        if not any(n.startswith("state:") for n in tensors):
            # Each by itself: those in blocks may lie elsewhere than in the slab, or have a copy that counts.
            for own, array in self._states.arrays.items():
                self._set(self._states, own, np.zeros(array.shape, array.dtype))
            self._reset_loss_scale()
        elif not all(n in tensors for n in _state.SCALING):
            self._reset_loss_scale()

    def _set(self, slab: Slab, name: str, values: Array) -> None:
        if self.stored.allowed:
            self.stored.write(name, values)
        else:
            as_real(slab.arrays[name])[...] = values

    def _reset_loss_scale(self) -> None:
        assert self._states is not None
        if (scale := self._states.arrays.get("loss_scale")) is not None and self._options.amp is not None:
            scale[...] = self._options.amp.initial_scale
            self._states.arrays["good_steps"][...] = 0
