# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a model forward."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine
from ._arrays import DTYPES, Array, from_real
from ._batches import Dim, Slot, arrange
from ._device import DeviceProgram, Mirrored, make_program, make_slab
from ._device_arrays import DeviceArray
from ._engine import CompileOptions
from ._parallel import in_threads
from ._program import Argument, Manifest, Program
from ._stored import Packed, Stored
from .errors import CompileError, RuntimeError, suggest
from .losses import CrossEntropy, Loss
from .model import Model, Shapes, Specialized, TensorSpec

if TYPE_CHECKING:
    from .profiling import Profile


class _LentModel(Model):
    """A model whose arrays are handed out when they are asked for, and not before."""

    def __init__(self, weights: Weights) -> None:
        self.__dict__.update({name: value for name, value in weights.own.__dict__.items() if name not in ("params", "buffers")})
        self._weights = weights

    def __repr__(self) -> str:
        return repr(self._weights.own)

    def __reduce__(self) -> Any:
        """A copy has the values of now."""
        return Model, (self.name, self.inputs, self.outputs, self.params, self.buffers, self._source, self.frozen, self.signature)

    @property
    def params(self) -> dict[str, Array]:  # type: ignore[override]
        return self._weights.params

    @property
    def buffers(self) -> dict[str, Array]:  # type: ignore[override]
        return self._weights.buffers

    def specialize(self, shapes: Shapes = None, cache: bool = False) -> Specialized:
        return self._weights.own.specialize(shapes, cache)


class Weights:
    """The parameters and buffers of a model in one aligned block: bound once, updated in place, shared by every program of the model."""

    def __init__(self, model: Model, read_only: bool = False, device: str | None = None, stores: bool = False, constant: bool = False) -> None:
        arrays = {**model.params, **model.buffers}
        #: With a device its arrays are taken from there each time.
        self.slab = make_slab(device, {name: (a.shape, a.dtype) for name, a in arrays.items()})
        self._params, self._buffers = tuple(model.params), tuple(model.buffers)
        copies = self.slab.arrays
        in_threads(lambda name: np.copyto(copies[name], arrays[name]), arrays)
        if constant:
            for array in copies.values():
                array.flags.writeable = False
        #: How the arrays of the slab lie, and those of optimizer states. With `stores` programs may choose that.
        self.stored = Stored(stores)
        if device is None:
            self.stored.add(copies)
        #: The model with the arrays of the slab instead of the values that it came with, which are freed unless somebody else holds them. With `stores` its values are of no use.
        self.own = model.with_values({n: _read_only(a) if read_only else a for n, a in copies.items() if n in self._params}, {n: copies[n] for n in self._buffers})

    @property
    def model(self) -> Model:
        """The model with the values of now, in the arrays of `params` and `buffers` if those are no copies."""
        return _LentModel(self) if self.stored.allowed else self.own

    @property
    def arrays(self) -> dict[str, Array]:
        """By name, to be written into between runs."""
        return self._lend((*self._params, *self._buffers))

    def _lend(self, names: Iterable[str]) -> dict[str, Array]:
        arrays = self.slab.arrays
        return {name: self.stored.lend(name) if self.stored.allowed else arrays[name] for name in names}

    def read(self) -> dict[str, Array]:
        """By name, not to be written into."""
        arrays = self.slab.arrays
        return {name: self.stored.read(name) for name in arrays} if self.stored.allowed else arrays

    def fetch(self) -> None:
        """Brings the arrays from the device, if there is one."""
        _ = self.slab.arrays

    def on_device(self) -> dict[str, DeviceArray]:
        """Parameters and buffers where they are on the device."""
        if not isinstance(self.slab, Mirrored):
            raise RuntimeError('on_device is for targets with a device; with the target "cpu" the arrays of params are the memory itself')
        return self.slab.on_device([*self._params, *self._buffers])

    @property
    def params(self) -> dict[str, Array]:
        return self._lend(self._params)

    @property
    def buffers(self) -> dict[str, Array]:
        return self._lend(self._buffers)


def _read_only(array: Array) -> Array:
    view = array.view()
    view.flags.writeable = False
    return view


def input_slots(model: Model, free_batch: bool) -> list[Slot]:
    """What the model's inputs must look like; with `free_batch` the first axis of each may have any size, whatever the file says."""

    def dims(given: tuple[Dim, ...] | None) -> tuple[Dim, ...] | None:
        return ("batch", *given[1:]) if free_batch and given else given

    return [Slot(i.name, (np.dtype(i.dtype),), dims(i.dims)) for i in model.inputs]


def target_slot(loss: Loss, output: TensorSpec, free_batch: bool) -> Slot:
    """What the target of a loss of this output must look like."""
    dims: tuple[Dim, ...] | None = output.dims
    dtypes: tuple[np.dtype[Any], ...] = (np.dtype(output.dtype),)
    if isinstance(loss, CrossEntropy) and not loss.dense:
        if dims is not None:
            axis = loss.class_axis % max(len(dims), 1)
            dims = (*dims[:axis], *dims[axis + 1 :])
        dtypes = (DTYPES["i64"], DTYPES["i32"])
    if free_batch and dims:
        dims = ("batch", *dims[1:])
    return Slot("target", dtypes, dims, "target")


class Batches:
    """The pytrees that a model takes beside what it keeps, as flat batches."""

    def __init__(self, model: Model, device: str | None = None) -> None:
        self._on_device = device is not None
        inputs = {i.name for i in model.inputs}
        self.signature = model.signature
        self.trees = [t for t in model.signature.arguments if any(leaf.name in inputs for leaf in t.leaves)] if model.signature else []

    def flat(self, batch: Sequence[Any], named: Mapping[str, Any], targets: int = 0) -> tuple[Sequence[Any], Mapping[str, Any]]:
        """The arrays in the order of the model's inputs; for a model without pytrees what was given."""
        if self.signature is None:
            return batch, named
        several = len(self.trees) + targets > 1
        # A dict may be the only argument itself, if that is not an array.
        by_name = several or all([leaf.name for leaf in t.leaves] == [t.name] for t in self.trees)
        only = batch[0] if len(batch) == 1 else None
        if by_name and isinstance(only, Mapping):
            batch, named = (), {**only, **named}
        elif several and isinstance(only, (tuple, list)):
            batch = only
        rest = {"target": named["target"]} if targets and "target" in named else {}
        return self.signature.flatten(batch, {n: v for n, v in named.items() if n not in rest}, self.trees, targets, self._on_device), rest


def choose_outputs(model: Model, outputs: Iterable[str | int] | str | int | None) -> list[int]:
    """Numbers of the chosen outputs; all of them for None."""
    names = [o.name for o in model.outputs]
    if outputs is None:
        return list(range(len(names)))
    chosen = []
    if not isinstance(outputs, (str, int, Iterable)):
        raise CompileError(f"outputs: expected names or numbers of outputs, got {outputs!r}")
    for output in [outputs] if isinstance(outputs, (str, int)) else outputs:
        if isinstance(output, str) and output in names:
            chosen.append(names.index(output))
        elif isinstance(output, int) and -len(names) <= output < len(names):
            chosen.append(output % len(names))
        else:
            raise CompileError(f"the model {model.name!r} has no output {output!r}{suggest(str(output), names)}")
    if not chosen:
        raise CompileError(f"outputs: expected at least one of the outputs of {model.name!r} ({', '.join(names)}), got none")
    return chosen


def fingerprint(model: Model) -> str:
    """A hash of the model without the values of its parameters: names, types, and the graph where its file has one."""
    digest = hashlib.sha256()
    for kind, arrays in (("param", model.params), ("buffer", model.buffers)):
        for name, array in sorted(arrays.items()):
            digest.update(f"{kind} {name} {array.dtype} {array.shape}\n".encode())
    for spec in (*model.inputs, *model.outputs):
        digest.update(f"{spec.name} {spec.dtype}\n".encode())
    for node in getattr(getattr(model.proto, "graph", None), "node", ()):
        digest.update(node.SerializeToString(deterministic=True))
    return digest.hexdigest()


class Predictor:
    """A compiled forward model. `predictor(x)` takes arrays in the model's order, by name, or as a dict, and returns the output, or a tuple of
    the outputs in the model's order if there are several. For a model that was a JAX function, it takes and gives the function's pytrees.

    Batch norm uses its running statistics and dropout does nothing. Each set of input shapes is compiled once. May be called from several threads.
    Arrays must have the model's dtypes and fit its dimensions: raf.RuntimeError names all that do not. Results are copies.

    >>> predictor = raf.compile(raf.import_onnx("model.onnx"))
    >>> predictor(x[:8]).shape, predictor(x=x[:8]).dtype, list(predictor.run(x[:8]))
    ((8, 3), dtype('float32'), ['scores'])
    """

    def __init__(
        self,
        model: Model,
        options: CompileOptions,
        *,
        weights: Weights | None = None,
        outputs: Iterable[str | int] | str | int | None = None,
        free_batch: bool = False,
    ) -> None:
        packs = weights is None and options.may_store
        self.weights = weights or Weights(model, device=options.device, constant=weights is None and options.device is None)
        self.model = self.weights.own
        self._options = options
        #: Weights of its own do not change, so that each program may have them as it wants.
        self._packed = Packed(self.weights.slab.arrays) if packs else None
        self._slots = input_slots(model, free_batch)
        #: The numbers of the model's outputs that it returns, in their order.
        self.outputs = choose_outputs(model, outputs)
        self._programs: dict[tuple[Any, ...], Program] = {}
        self._batches = Batches(model, options.device)
        whole = self.outputs == list(range(len(model.outputs)))
        self._tree = model.signature.results if model.signature is not None and whole else None
        self._pipeline = _engine.inference_pipeline(options.amp, () if whole else self.outputs)

    def __reduce__(self) -> Any:
        raise TypeError("a raf.Predictor is bound to compiled code and memory of this process, so that it cannot be copied or pickled: pass on its model, or the file of save_executable")

    @property
    def output_names(self) -> tuple[str, ...]:
        """The names of the outputs that it returns, in their order."""
        return tuple(self.model.outputs[i].name for i in self.outputs)

    def __call__(self, *batch: Any, **named: Any) -> Any:
        results = self._run(batch, named)
        if self._tree is not None:
            return self._tree.unflatten(results)
        return results[0] if len(results) == 1 else tuple(results)

    def run(self, *batch: Any, **named: Any) -> dict[str, Array]:
        """As calling the predictor, but the outputs come in a dict by name."""
        return dict(zip(self.output_names, self._run(batch, named)))

    def save_executable(self, path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]] | None = None) -> None:
        """Writes the compiled forward model for these shapes of the inputs, with the parameters as they are now and the outputs that the predictor returns, to a .rafx file; see `raf.Trainer.save_executable`.

        Raises raf.CompileError for shapes that are not all known and for complex outputs, raf.RuntimeError when the file cannot be written.

        >>> raf.compile(raf.import_onnx("model.onnx")).save_executable("predict.rafx", {"x": (8, 4)})
        """
        from .executable import save_prediction

        save_prediction(path, self, shapes)

    def profile(self, *batch: Any, steps: int = 10, **named: Any) -> Profile:
        """Where the time and the memory of a prediction for these inputs go; see `raf.Trainer.profile`.

        >>> predictor = raf.compile(raf.import_onnx("model.onnx"))
        >>> predictor.profile(x[:8], steps=2).steps
        2
        """
        from .profiling._collect import check_steps, collect

        check_steps(steps)
        arrays = arrange(self._slots, *self._batches.flat(batch, named), f"the inputs do not fit the model {self.model.name!r}")
        program = self.program({s.name: a.shape for s, a in zip(self._slots, arrays)}, profile=True)
        with program.lock:
            program.feed(arrays)
            return collect(program, program.run, steps, self.model.name, self._options.threads or _engine.default_threads())

    def program(self, shapes: Mapping[str, tuple[int, ...]], profile: bool = False) -> Program:
        """The program for these input shapes, compiled if there is none."""
        key = (profile, *(shapes[s.name] for s in self._slots))
        stored, packed = self.weights.stored, self._packed
        if key not in self._programs or not stored.suits(self._programs[key]):
            options = self._options.with_hooks() if profile else self._options
            options = stored.options(options, updates=False) if packed is None else options.storing()
            built = _engine.build(self.model.specialize(dict(shapes), self._options.cache).asm, self._pipeline, options)
            arrays = self.weights.slab.arrays if packed is None else packed.arrays_for(Manifest(built))
            self._programs[key] = make_program(built, arrays, _unused_scalar, [self.weights.slab], stored.allowed or packed is not None)
            stored.attach(self._programs[key], updates=False)
        return self._programs[key]

    def parts(self, shapes: Mapping[str, tuple[int, ...]]) -> _engine.Parts:
        """The program for these input shapes, not loaded."""
        return _engine.build_parts(self.model.specialize(dict(shapes)).asm, self._pipeline, self._options)

    def on_device(self, *batch: Any, stream: int = 1, **named: Any) -> dict[str, DeviceArray]:
        """As `run`, but the outputs stay on the device, where CuPy, PyTorch, JAX and others take them by DLPack or `__cuda_array_interface__` without a copy. It returns when the work is
        enqueued: what is enqueued after it on `stream` (a CUstream of the caller; 1 is the default stream) sees the outputs. The next call for these shapes overwrites them, after what is
        enqueued by then on the `stream` that it is given (for `run` the default stream); it may be given them as inputs, of which it makes a copy there.

        >>> predictor = raf.compile(raf.import_onnx("model.onnx"), target="cuda-sim")
        >>> predictor.on_device(x[:8])
        {'scores': <raf.DeviceArray float32[8, 3] on cuda-sim>}
        """
        program, arrays = self._arranged(batch, named)
        if not isinstance(program, DeviceProgram):
            raise RuntimeError('on_device is for targets with a device; with the target "cpu" the results of run are arrays of the host')
        with program.lock:
            program.feed(arrays)
            found = program.run_there(stream)
            return dict(zip(self.output_names, found))

    def _arranged(self, batch: Sequence[Any], named: Mapping[str, Any]) -> tuple[Program, list[Any]]:
        batch, named = self._batches.flat(batch, named)
        arrays = arrange(self._slots, batch, named, f"the inputs do not fit the model {self.model.name!r}", self._options.device)
        return self.program({s.name: a.shape for s, a in zip(self._slots, arrays)}), arrays

    def _run(self, batch: tuple[Any, ...], named: Mapping[str, Any]) -> list[Array]:
        program, arrays = self._arranged(batch, named)
        with program.lock:
            program.feed(arrays)
            program.run()
            return [from_real(program.output(k), np.dtype(self.model.outputs[i].dtype)) for k, i in enumerate(self.outputs)]


def _unused_scalar(arg: Argument) -> Array:
    """A step number or seed that an inference module still takes but does not look at."""
    return np.zeros(arg.shape, arg.dtype)
