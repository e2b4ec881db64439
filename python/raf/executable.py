# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Executables from files: compiled steps that run without their model, and without a compiler."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _rafx, _state, checkpoint
from ._arrays import Array
from ._batches import Slot, arrange
from ._device import make_program, make_slab
from ._engine import Parts
from ._program import Argument, Manifest
from .errors import CompileError, NonFiniteLossError, RuntimeError, bullets
from .optim import Schedule
from .optim.schedules import as_schedule, from_config

if TYPE_CHECKING:
    from .predictor import Predictor
    from .trainer import Trainer

_KINDS = {"param": "param", "buffer": "buffer", "state": "state"}


def save_step(path: str | os.PathLike[str], trainer: Trainer, shapes: Mapping[str, Sequence[int]] | None = None) -> None:
    """See Trainer.save_executable."""
    parts, states = trainer.parts(_fixed(trainer.model, shapes))
    rate = trainer.optimizer.config()["lr"]
    try:
        from_config(rate)
    except RuntimeError:
        raise CompileError(f"the learning rate {trainer.optimizer.lr} cannot be written to a file; give a number or a raf.optim schedule") from None
    training = {
        "loss": trainer.loss.config(),
        "optimizer": trainer.optimizer.config(),
        "seed": trainer.seed,
        "nan": trainer.nan,
        "loss_scaling": trainer.loss_scale is not None,
        "steps_done": trainer.steps_done,
        "skipped": trainer.skipped,
    }
    tensors = {**{f"state:{n}": a for n, a in states.items()}, **trainer.state_dict()["tensors"]}
    _save(path, parts, "training", trainer.model.name, trainer.fingerprint, training, tensors)


def save_prediction(path: str | os.PathLike[str], predictor: Predictor, shapes: Mapping[str, Sequence[int]] | None = None) -> None:
    """See Predictor.save_executable."""
    from .predictor import fingerprint

    outputs = [predictor.model.outputs[i] for i in predictor.outputs]
    if found := [f"output {o.name!r} is {o.dtype}: have the model return its real and its imaginary part" for o in outputs if np.dtype(o.dtype).kind == "c"]:
        raise CompileError(bullets("an executable in a file gives no complex numbers", found))
    parts = predictor.parts(_fixed(predictor.model, shapes))
    params = {f"param:{n}": a for n, a in predictor.weights.params.items()}
    buffers = {f"buffer:{n}": a for n, a in predictor.weights.buffers.items()}
    _save(path, parts, "prediction", predictor.model.name, fingerprint(predictor.model), None, {**params, **buffers})


def _save(path: str | os.PathLike[str], parts: Parts, kind: str, name: str, fingerprint: str, training: dict[str, Any] | None, tensors: Mapping[str, Array]) -> None:
    from . import __version__
    from ._arrays import as_real

    program = Manifest(parts)
    if program.by_role("copy"):
        raise CompileError("a step that keeps 16-bit copies of the parameters cannot be written to a file: compile without amp's keep_copies")
    if found := [a.name for a in program.args if a.form is not None]:
        raise CompileError(bullets("a program that keeps arguments in blocks of a library (store-layouts) cannot be written to a file", found))
    bound = {f"{_KINDS[a.role]}:{a.name}" for a in program.args if a.role in _KINDS}
    manifest = {
        "raf_version": __version__,
        "kind": kind,
        "model": {"name": name, "fingerprint": fingerprint},
        "program": program.raw,
        "training": training,
    }
    values = {n: np.asarray(as_real(a), order="C") for n, a in tensors.items() if n in bound}
    images = [(dict(zip(("kind", "target"), about.split(" "))), data) for about, data in parts.images]
    _rafx.write(path, _rafx.Contents(manifest, list(parts.objects), values, images))


def _fixed(model: Any, shapes: Mapping[str, Sequence[int]] | None) -> dict[str, tuple[int, ...]]:
    """The shapes of all inputs; an input that is not named has those of the model, if they are numbers."""
    given = {n: tuple(int(d) for d in s) for n, s in (shapes or {}).items()}
    found = {i.name: given.get(i.name, i.dims) for i in model.inputs}
    problems = [f"{n!r} is no input; the model has {', '.join(i.name for i in model.inputs)}" for n in given if n not in found]
    problems += [f"the shape of input {i} is open: give numbers for all of it" for i in model.inputs if i.name not in given and any(not isinstance(d, int) for d in (i.dims if i.dims is not None else (None,)))]
    if problems:
        raise CompileError(bullets("an executable is for fixed shapes", problems))
    return {n: tuple(int(d) for d in dims or () if d is not None) for n, dims in found.items()}


def load_executable(path: str | os.PathLike[str]) -> Step | Prediction:
    """Loads what `save_executable` or `raf compile` wrote: a `Step` of training, or a `Prediction`. Needs no compiler.

    A .rafx holds machine code that runs when it is loaded: load only files from those you trust; the checks find damage, not intent.

    Raises raf.RuntimeError with the reason for a file that is missing, damaged, of another version, or for another machine.

    >>> raf.compile(raf.import_onnx("model.onnx"), loss="cross_entropy", optimizer="adamw").save_executable("step.rafx", {"x": (32, 4)})
    >>> step = raf.load_executable("step.rafx")
    >>> losses = [float(step.step(x[:32], y[:32])) for _ in range(20)]
    >>> losses[-1] < losses[0], step.steps_done
    (True, 20)
    """
    contents = _rafx.read(path)
    executable = _Loaded(os.fspath(path), contents)
    return Step(executable) if contents.manifest["kind"] == "training" else Prediction(executable)


class _Loaded:
    """A file's program with its values bound."""

    def __init__(self, path: str, contents: _rafx.Contents) -> None:
        from ._engine import _core

        self.path, self.manifest = path, contents.manifest
        text = json.dumps(contents.manifest["program"])
        try:
            core = _core().Executable.load(text, contents.objects, [(f"{about['kind']} {about['target']}", data) for about, data in contents.images])
        except CompileError as error:
            raise RuntimeError(f"{path}: {str(error).removeprefix('error: ')}") from None
        args = Manifest(core).args
        if found := [a.name for a in args if a.form is not None]:
            raise RuntimeError(bullets(f"{path} keeps arguments in blocks of a library (store-layouts), which files may not", found))
        kept = {f"{_KINDS[a.role]}:{a.name}": a for a in args if a.role in _KINDS}
        self.slab = make_slab(contents.manifest["program"]["target"].get("device"), {n: (a.shape, a.dtype) for n, a in kept.items()})
        # The slab is of zeros.
        zeros = {name: self.tensors.get(name, np.empty(0)) for name in contents.manifest["zeros"]}
        if found := checkpoint.differences(self.tensors, {**zeros, **contents.values}):
            raise RuntimeError(bullets(f"{path} is damaged: its values are not those of its program", found))
        for name, array in contents.values.items():
            self.tensors[name][...] = array
        self.scalars: dict[str, Array] = {}
        self.program = make_program(core, {a.name: self.tensors[n] for n, a in kept.items()}, self._scalar, [self.slab])
        self.slots = [Slot(i.name, (i.dtype,), tuple(i.shape), "target" if role == "target" else "input") for i, role in self._inputs(args)]

    @property
    def tensors(self) -> dict[str, Array]:
        """By their names in a checkpoint; updated in place."""
        return self.slab.arrays

    @staticmethod
    def _inputs(args: Sequence[Argument]) -> list[tuple[Argument, str]]:
        return [(a, a.role) for a in args if a.role in ("input", "target")]

    def _scalar(self, arg: Argument) -> Array:
        return self.scalars.setdefault(arg.role, np.zeros(arg.shape, arg.dtype))

    def of(self, kind: str) -> dict[str, Array]:
        return {n.partition(":")[2]: a for n, a in self.tensors.items() if n.startswith(f"{kind}:")}

    def feed(self, batch: Sequence[Any], named: Mapping[str, Any]) -> None:
        given: Sequence[Any] = batch[0] if len(batch) == 1 and isinstance(batch[0], (tuple, list)) else batch
        if named or len(given) != len(self.slots) or not self.program.load(given):
            self.program.feed(arrange(self.slots, batch, named, f"the batch does not fit the executable {os.path.basename(self.path)}"))


class _File:
    """What both kinds of executables have."""

    def __init__(self, loaded: _Loaded) -> None:
        self._loaded = loaded
        #: manifest.json of the file, as docs/aot.md describes it.
        self.manifest: dict[str, Any] = loaded.manifest

    def __repr__(self) -> str:
        return f"<raf.executable.{type(self).__name__} of {self.manifest['model']['name']!r}: {', '.join(f'{s.name} {s.expected()}' for s in self._loaded.slots)}>"

    @property
    def inputs(self) -> dict[str, tuple[np.dtype[Any], tuple[int, ...]]]:
        """The dtype and shape of each array of a batch, by name, in order; the target is the last."""
        return {s.name: (s.dtypes[0], tuple(int(d) for d in s.dims or () if d is not None)) for s in self._loaded.slots}

    @property
    def batch_size(self) -> int:
        """The number of samples that it takes: the first size of its inputs; 1 for inputs without one."""
        return next((shape[0] for _, shape in self.inputs.values() if shape), 1)

    @property
    def params(self) -> dict[str, Array]:
        """The parameters. Writing into the arrays is allowed between steps."""
        return self._loaded.of("param")

    @property
    def buffers(self) -> dict[str, Array]:
        """The running statistics."""
        return self._loaded.of("buffer")

    @property
    def memory(self) -> dict[str, int]:
        """The memory plan: bytes by class."""
        return dict(self.manifest["program"]["memory"])


class Step(_File):
    """A training step from a file with its parameters, optimizer state and step number. Made by `raf.load_executable`. Steps that several threads ask for wait for each other.

    >>> step = raf.load_executable("step.rafx")
    >>> step.inputs["x"], sorted(step.params)
    ((dtype('float32'), (32, 4)), ['b1', 'b2', 'w1', 'w2'])
    """

    def __init__(self, loaded: _Loaded) -> None:
        super().__init__(loaded)
        training = self.manifest["training"]
        if training is None:
            raise RuntimeError(f"{loaded.path} is damaged: it has no training")
        try:
            self._lr = from_config(training["optimizer"]["lr"])
        except (CompileError, RuntimeError) as error:
            raise RuntimeError(f"{loaded.path} is damaged: {error}") from None
        self.steps_done: int = training["steps_done"]
        self.skipped: int = training["skipped"]
        self.seed: int = training["seed"]
        #: The scale of the loss that the file begins with.
        self._scaling = {name: loaded.tensors[name].copy() for name in _state.SCALING if training["loss_scaling"]}

    @property
    def lr(self) -> float:
        """The learning rate of the next step. Set it to a number, a raf.optim schedule or a function of the step number."""
        return self._lr(self.steps_done)

    @lr.setter
    def lr(self, value: float | Schedule | Callable[[int], float]) -> None:
        self._lr = as_schedule(value)

    def step(self, *batch: Any, **named: Any) -> Array:
        """One training step; returns the loss before the update. The batch is given as to `raf.Trainer.step`, in the shapes that were compiled.

        Raises raf.RuntimeError, naming every input that does not fit, or raf.NonFiniteLossError; after both everything is as it was.
        """
        loaded = self._loaded
        with loaded.program.lock:
            loaded.feed(batch, named)
            for role, value in (("lr", self.lr), ("step", self.steps_done + 1), ("seed", self.seed)):
                if role in loaded.scalars:
                    loaded.scalars[role][()] = value
            training, program = self.manifest["training"], loaded.program
            scale = float(loaded.tensors["state:loss_scale"]) if training["loss_scaling"] else None
            runs = program.runs
            try:
                program.run()
            finally:  # a step that was done counts, also where an interrupt is raised now
                if program.runs > runs and program.applied:
                    self.steps_done += 1
            loss: Array = program.results[0].copy()
            if program.applied:
                return loss
            # As Trainer.step: a scale that was above 1 is halved, and the next step may do; at 1 the gradients themselves are not finite.
            if training["nan"] != "raise" or (scale is not None and scale > 1 and math.isfinite(loss)):
                self.skipped += 1
                return loss
            what = "its gradients are not finite" if math.isfinite(loss) else "nothing was changed"
            raise NonFiniteLossError(f"the loss of step {self.steps_done + 1} is {float(loss)}: {what}; look at the data, or try a smaller learning rate (now {self.lr:g})", self.steps_done + 1, float(loss))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, which `load` and `raf.Trainer.load` take; replaced at once or not at all.

        >>> step = raf.load_executable("step.rafx")
        >>> step.save("run.safetensors")
        >>> trainer.load("run.safetensors", weights_only=True)
        """
        training = self.manifest["training"]
        with self._loaded.program.lock:
            notes = {"step": self.steps_done, "seed": self.seed, "skipped": self.skipped, "loss": training["loss"], "optimizer": training["optimizer"], "progress": {}}
            checkpoint.save(path, self._loaded.tensors, {**notes, "model": self.manifest["model"]["name"], "fingerprint": self.manifest["model"]["fingerprint"]})

    def load(self, path: str | os.PathLike[str]) -> None:
        """Reads a checkpoint of this model: training goes on to the same bits. One of another precision, without a scale of the loss, begins with that of the file; states of one that was written before any step are zeros. Raises raf.RuntimeError, and changes nothing, for one that does not fit."""
        tensors, metadata = checkpoint.load(path)
        try:
            notes = _state.notes(metadata)
        except RuntimeError as error:
            raise RuntimeError(f"{os.fspath(path)}: {error}") from None
        with self._loaded.program.lock:
            self._take(path, tensors, notes)

    def _take(self, path: str | os.PathLike[str], tensors: dict[str, Array], notes: _state.Notes) -> None:
        if _state.has_not_begun(tensors, notes):
            tensors = {**{n: np.zeros_like(a) for n, a in self._loaded.tensors.items() if n.startswith("state:") and n not in _state.SCALING}, **tensors}
        found = _state.differences(self._loaded.tensors, tensors, notes, self.manifest["model"]["fingerprint"])
        found += _state.other_optimizer(self.manifest["training"]["optimizer"].get("optimizer"), notes)
        if found:
            raise RuntimeError(bullets(f"{os.fspath(path)} is of another model than {self.manifest['model']['name']!r}, nothing was loaded", found))
        if not all(name in tensors for name in _state.SCALING):
            tensors = {**tensors, **self._scaling}
        for name, array in tensors.items():
            if name in self._loaded.tensors:
                self._loaded.tensors[name][...] = array
        self.steps_done, self.seed, self.skipped = notes.step, notes.seed, notes.skipped


class Prediction(_File):
    """A compiled forward model from a file; made by `raf.load_executable`. Calling it takes the inputs and gives the output, or a tuple of the outputs.

    >>> raf.compile(raf.import_onnx("model.onnx")).save_executable("predict.rafx", {"x": (8, 4)})
    >>> raf.load_executable("predict.rafx")(x[:8]).shape
    (8, 3)
    """

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs, in their order."""
        return tuple(r.name for r in self._loaded.program.manifest.results)

    def __call__(self, *batch: Any, **named: Any) -> Any:
        loaded = self._loaded
        with loaded.program.lock:
            loaded.feed(batch, named)
            loaded.program.run()
            results = [loaded.program.output(i) for i in range(len(loaded.program.results))]
        return results[0] if len(results) == 1 else tuple(results)
