# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training a compiled model."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _engine, _state, checkpoint, losses
from . import metrics as metrics_module
from ._arrays import Array, as_array, as_real, is_finite, is_inexact, mlir_name
from ._batches import arrange, check_shape
from ._device import make_program, out_of_memory
from ._device_arrays import DeviceArray
from ._engine import CompileOptions
from ._nonfinite import describe, labels_outside, not_finite
from ._program import Program
from ._training_arrays import TrainingArrays
from .errors import CompileError, RuntimeError, bullets
from .fitting import History, as_loader, fit
from .losses import Loss
from .model import Model
from .optim import Optimizer, Schedule
from .predictor import Batches, Predictor, choose_outputs, fingerprint, input_slots, target_slot

if TYPE_CHECKING:
    from .profiling import Profile
    from .remarks import Remarks

#: What must be finite for a step to change anything.
NAN_POLICIES = {"raise": "loss", "skip": "gradients", "ignore": "none"}
#: Steps keep the model's outputs up to this size for metrics: they exist anyway, and looking at them takes a few microseconds.
KEPT_BYTES = 64 * 1024


class Trainer:
    """A compiled training step with its parameters, optimizer state and step number. Made by `raf.compile`.

    `step` does forward, backward and update as one compiled program. Parameters live in 64-byte aligned numpy arrays that are bound once and updated
    in place. Each set of input shapes is compiled when it is first met. Steps, predictions and checkpoints that several threads ask for wait for each other.

    >>> trainer = raf.compile(raf.import_onnx("model.onnx"), loss="cross_entropy", optimizer="adamw")
    >>> trainer.step(x[:32], y[:32]).shape, trainer.steps_done
    ((), 1)
    >>> sorted(trainer.params), trainer.params["w1"].shape
    (['b1', 'b2', 'w1', 'w2'], (4, 16))
    """

    def __init__(
        self,
        model: Model,
        loss: Loss,
        optimizer: Optimizer,
        options: CompileOptions,
        *,
        seed: int = 0,
        nan: str = "raise",
        outputs: Iterable[str | int] | str | int | None = None,
        free_batch: bool = False,
        lazy: bool = False,
    ) -> None:
        self.loss, self.optimizer = loss, optimizer
        self.seed = seed
        self.nan = nan
        self.skipped = 0
        self.stop_training = False
        self.fingerprint = fingerprint(model)
        #: Where `fit` was when it ended, or when the loaded checkpoint was written, JSON; while it runs `progress_source` says it.
        self.progress: dict[str, Any] = {}
        self.progress_source: Callable[[], dict[str, Any]] | None = None
        #: Called while a step runs on a device, before its results are waited for.
        self.while_running: Callable[[], None] | None = None
        if not any(is_inexact(a.dtype) for n, a in model.params.items() if n not in model.frozen):
            raise CompileError(f"the model {model.name!r} has no parameter to train{': all are frozen' if model.frozen else ''}")
        self._options = options
        #: Programs share arrays and layouts: calls from several threads wait for each other.
        self._turn = threading.RLock()
        self._arrays = TrainingArrays(model, options)
        self._weights, self._stored = self._arrays.weights, self._arrays.stored
        self._model, self._lent_model = self._weights.own, self._weights.model
        self._done = 0
        self._output = choose_outputs(model, 0 if loss.output is None else loss.output)[0]
        self._slots = input_slots(model, free_batch)
        self._targets = [target_slot(self.loss, model.outputs[self._output], free_batch)] if loss.has_target else []
        self._batches = Batches(model, options.device)
        self._programs: dict[Any, Program] = {}
        self._current: Program | None = None
        self._keep_outputs = False
        self._predictor = Predictor(model, options, weights=self._weights, outputs=outputs, free_batch=free_batch)
        if not lazy and all(isinstance(d, int) for s in self._slots for d in (s.dims if s.dims is not None else (None,))):
            fixed = {s.name: tuple(int(d) for d in s.dims or () if d is not None) for s in self._slots}
            self.program(fixed)

    def __repr__(self) -> str:
        return f"<raf.Trainer of {self._model.name!r}: {self.loss}, {self.optimizer}, {self._done} steps done>"

    def __reduce__(self) -> Any:
        raise TypeError("a raf.Trainer is bound to compiled code and memory of this process, so that it cannot be copied or pickled: make one of the same model there, and load what state_dict or save gave")

    # ---- programs ----

    def _program(self, shapes: Mapping[str, tuple[int, ...]], target: np.dtype[Any] | None, training: bool, profile: bool = False) -> Program:
        key = (training, tuple(shapes[s.name] for s in self._slots), target, self._keep_outputs, profile)
        program = self._programs.get(key)
        if program is None or not self._stored.suits(program):
            module, pipeline = self._source(shapes, target, training)
            options = self._stored.options(self._options.of_step() if training else self._options, updates=training)
            try:
                executable = _engine.build(module, pipeline, options.with_hooks() if profile else options)
                arrays = self._arrays.of_step(executable) if training else self._weights.slab.arrays
                program = self._programs[key] = make_program(executable, arrays, self._arrays.scalar, self._arrays.slabs, self._stored.allowed)
            except (CompileError, RuntimeError) as error:
                if options.device is None or "out of memory on " not in str(error):
                    raise
                raise out_of_memory(error, module, pipeline, options, self._arrays.slabs) from None
            if training:
                self._arrays.copies.attach(program)
            self._stored.attach(program, updates=training)
            program.scores = self._scores_of(program)
        return program

    def _source(self, shapes: Mapping[str, tuple[int, ...]], target: np.dtype[Any] | None, training: bool) -> tuple[bytes, str]:
        """The forward module for these shapes, and the passes that make the step of it."""
        specialized = self._model.specialize(dict(shapes), self._options.cache)
        sizes = [math.prod(int(d) for d in o.dims or () if d is not None) * o.dtype.itemsize for o in specialized.outputs]
        if self.loss.has_target and not sizes[self._output]:
            raise RuntimeError(f"the batch is empty: {specialized.outputs[self._output]}, the output that the loss looks at, has no elements to take the mean of")
        pipeline = _engine.training_pipeline(
            self.loss,
            self.optimizer if training else None,
            self._output,
            None if target is None else mlir_name(target),
            [p for p in self._model.params if p not in self._model.frozen],
            NAN_POLICIES[self.nan],
            amp=self._options.amp,
            keep_outputs=not training or self._keep_outputs or (self.loss.has_target and sum(sizes) <= KEPT_BYTES),
        )
        return specialized.asm, pipeline

    def program(self, shapes: Mapping[str, tuple[int, ...]]) -> Program:
        """The training program for these input shapes, compiled if there is none."""
        return self._program(shapes, self._targets[0].dtypes[0] if self._targets else None, training=True)

    def parts(self, shapes: Mapping[str, tuple[int, ...]]) -> tuple[_engine.Parts, dict[str, Array]]:
        """The training program for these input shapes, not loaded, and the optimizer's state."""
        module, pipeline = self._source(shapes, self._targets[0].dtypes[0] if self._targets else None, training=True)
        parts = _engine.build_parts(module, pipeline, self._options.of_step())
        return parts, self._arrays.states_of(parts)

    def _prepare(self, batch: Sequence[Any], named: Mapping[str, Any], training: bool) -> Program:
        """The program for a batch that the fast path does not take, with its arrays, checked."""
        return self._arranged(*self._batches.flat(batch, named, len(self._targets)), training=training)

    def _checked(self, batch: Sequence[Any], named: Mapping[str, Any]) -> tuple[list[Array], dict[str, tuple[int, ...]], np.dtype[Any] | None]:
        """A batch as arrays, inputs then target, checked; the inputs' shapes and the target's type."""
        arrays = arrange([*self._slots, *self._targets], batch, named, f"the batch does not fit the model {self._model.name!r}", self._options.device)
        shapes = {s.name: a.shape for s, a in zip(self._slots, arrays)}
        return arrays, shapes, arrays[len(self._slots)].dtype if self._targets else None

    def _arranged(self, batch: Sequence[Any], named: Mapping[str, Any], training: bool, profile: bool = False) -> Program:
        arrays, shapes, target = self._checked(batch, named)
        program = self._program(shapes, target, training, profile)
        for slot, array, bound in zip(self._targets, arrays[len(self._slots) :], program.inputs[len(self._slots) :]):
            check_shape(slot, array, bound.shape)
        program.feed(arrays)
        return program

    # ---- training ----

    def step(self, *batch: Any, **named: Any) -> Array:
        """One training step; returns the loss before the update as a 0-d array.

        The batch is the inputs in the model's order, then the target (`step(x, y)`), one tuple or list of them, a dict, or keywords; the target's
        name is "target". A model that was a JAX function takes that function's arguments, as pytrees. Arrays are numpy, or CPU tensors of anything with DLPack; C-contiguous arrays above 32 KiB are read where they are.

        Raises raf.RuntimeError, naming every input that does not fit, or, by the policy `nan`, raf.NonFiniteLossError when the loss is NaN or infinite.
        After both everything is as it was before the step.

        >>> loss = trainer.step(x[:32], y[:32])  # float32[32, 4], int64[32]
        >>> loss = trainer.step({"x": x[:32], "target": y[:32]})
        >>> loss = trainer.step(x[:32].astype("float64"), y[:32])
        Traceback (most recent call last):
            ...
        raf.errors.RuntimeError: the batch does not fit the model 'model.onnx': input 'x': expected float32[batch, 4], got float64[32, 4]; convert it with .astype('float32')
        """
        with self._turn:
            program = self._current
            given, keywords = self._batches.flat(batch, named, len(self._targets)) if self._batches.signature is not None else (batch, named)
            whole = given
            if len(given) == 1 and isinstance(given[0], (tuple, list)):
                given = given[0]
            if program is None or keywords or len(given) != len(program.inputs) or not program.load(given):
                self._current = None
                program = self._arranged(whole, keywords, training=True)
                self._current = program
            done, scale = self._done, self.loss_scale
            self._arrays.tell(done, self.seed, self.optimizer.lr)
            runs, program.while_running = program.runs, self.while_running
            try:
                program.run()
            finally:  # a step that was done counts, also where an interrupt is raised now, or what was called beside it has failed
                program.while_running = None
                if program.runs > runs and program.applied:
                    self._done = done + 1
            loss: Array = program.results[0].copy()
            return loss if program.applied else self._not_applied(loss, program, scale)

    def prefetch(self, batch: Any) -> bool:
        """Uploads the batch of the next step while this one runs, if it fits the program that runs; False if it is left to `step`. Its arrays must not change until then."""
        program = self._current
        if program is None or self._batches.signature is not None:
            return False
        given = batch if isinstance(batch, (tuple, list)) else [batch[s.name] for s in program.inputs if s.name in batch] if isinstance(batch, Mapping) else ()
        return len(given) == len(program.inputs) and program.prefetch(given)

    def _not_applied(self, loss: Array, program: Program, scale: float | None) -> Array:
        """After a step, with that scale of its loss, that the program itself did not apply: parameters, states and buffers are those before it."""
        # Where gradients overflowed, the step has halved the scale of the loss, and the next one is computed with that.
        overflowed = scale is not None and scale > 1 and math.isfinite(loss)
        if overflowed or self.nan in ("skip", "ignore"):
            self.skipped += 1
            return loss
        bad = not_finite(program.inputs, self._options.amp) + labels_outside(self.loss, self._model.outputs[self._output], program.inputs)
        raise describe(self._done + 1, loss, self.lr, bad, self.non_finite())

    def on_device(self) -> dict[str, DeviceArray]:
        """The parameters and buffers where they are on the device, for CuPy, PyTorch, JAX and others that take DLPack or `__cuda_array_interface__`: the same memory, which steps update in
        place. Whoever writes into it must have finished before the next step or look at `params`, and what it writes counts, except in arrays of `params` that were changed after they were taken
        and before the next step. Raises raf.RuntimeError for the target "cpu", whose `params` are that.

        >>> raf.compile(raf.import_onnx("model.onnx"), loss="mse", optimizer="sgd", target="cuda-sim").on_device()["w1"]
        <raf.DeviceArray float32[4, 16] on cuda-sim>
        """
        return self._weights.on_device()

    def non_finite(self) -> list[str]:
        """The names of parameters and buffers that hold NaN or infinity: an update can overflow although the loss before it was finite."""
        return [name for name, array in self._weights.read().items() if not is_finite(array)]

    def random_batch(self, shapes: Mapping[str, tuple[int, ...]], seed: int = 0) -> dict[str, Array]:
        """A batch for these input shapes to try a step with: normal numbers, and zeros for integers and labels.

        >>> {name: array.shape for name, array in trainer.random_batch({"x": (8, 4)}).items()}
        {'x': (8, 4), 'target': (8,)}
        """
        specialized = self._model.specialize(dict(shapes))
        targets = [target_slot(self.loss, specialized.outputs[self._output], False)] if self._targets else []
        wanted = [(s.name, np.dtype(s.dtype), s.dims) for s in specialized.inputs] + [(t.name, t.dtypes[0], t.dims) for t in targets]
        generator = np.random.default_rng(seed)
        batch: dict[str, Array] = {}
        for name, dtype, dims in wanted:
            shape = tuple(int(d) for d in dims or () if d is not None)
            batch[name] = np.zeros(shape, dtype) if dtype.kind in "biu" else np.asarray(generator.standard_normal(shape)).astype(dtype)
        return batch

    @property
    def loss_scale(self) -> float | None:
        """What the loss is multiplied with in the next step, with amp="f16"; None without loss scaling. `skipped` counts the steps whose gradients overflowed."""
        amp = self._options.amp
        if amp is None or not amp.loss_scaling:
            return None
        scale = self._arrays.loss_scale
        return amp.initial_scale if scale is None else scale

    @property
    def steps_done(self) -> int:
        """How many steps were done, over all runs of this training."""
        return self._done

    @property
    def lr(self) -> float:
        """The learning rate of the next step. Setting it (a number, a raf.optim schedule or a function of the step number) compiles nothing."""
        return self.optimizer.lr(self._done)

    @lr.setter
    def lr(self, value: float | Schedule | Callable[[int], float]) -> None:
        self.optimizer.lr = value

    def fit(self, data: Any, epochs: int = 1, **options: Any) -> History:
        """Trains for a number of epochs; see `raf.fitting.fit` for the options.

        >>> history = trainer.fit((x, y), epochs=3, validation=(x_val, y_val), progress=False)
        >>> list(history[-1])
        ['epoch', 'step', 'loss', 'accuracy', 'val_loss', 'val_accuracy', 'lr', 'seconds']
        """
        return fit(self, data, epochs, **options)

    def profile(self, *batch: Any, steps: int = 10, **named: Any) -> Profile:
        """Where the time and the memory of a training step on this batch go: runs it so many times with the runtime's clocks around every kernel and library call.

        The batch is given as to `step`. Parameters, optimizer state and step number are put back afterwards. The program with the clocks is compiled once more.
        Raises raf.RuntimeError for a batch that does not fit.

        >>> profile = trainer.profile(x[:32], y[:32], steps=3)
        >>> profile.steps, profile.by_op()[0].ms > 0, {phase for row in profile.by_node() for phase in row.phases} == {"forward", "backward", "update"}
        (3, True, True)
        """
        from .profiling._collect import check_steps, collect

        check_steps(steps)
        with self._turn:
            program = self._arranged(*self._batches.flat(batch, named, len(self._targets)), training=True, profile=True)
            before = self.state_dict()

            def step() -> None:
                self._arrays.tell(self._done, self.seed, self.optimizer.lr)
                program.run()

            try:
                return collect(program, step, steps, self._model.name, self._options.threads or _engine.default_threads())
            finally:
                self.load_state_dict(before)

    def remarks(self, *batch: Any, **named: Any) -> Remarks:
        """What the passes say about the step on this batch: what was fused, given to a library or computed in place, and what was not, and why.

        Runs the passes once more; nothing is compiled or changed.

        >>> remarks = trainer.remarks(x[:32], y[:32])
        >>> len(remarks.only("fuse", "passed")) > 0
        True
        """
        from .remarks import explain

        _, shapes, target = self._checked(*self._batches.flat(batch, named, len(self._targets)))
        module, pipeline = self._source(shapes, target, training=True)
        return explain(_engine._core().run_pipeline(module, pipeline), self._stored.options(self._options.of_step(), updates=True))

    # ---- using the model ----

    def predict(self, *batch: Any, **named: Any) -> Any:
        """The outputs for a batch of inputs with the parameters of now, as `raf.Predictor`: running statistics, no dropout, nothing changes.

        One array, or a tuple of arrays if the model has several outputs; copies, in the outputs' shapes and dtypes. Raises raf.RuntimeError for inputs
        that do not fit.

        >>> trainer.predict(x_test).shape, trainer.predict(x=x_test[:5]).shape
        ((64, 3), (5, 3))
        """
        with self._turn:
            return self._predictor(*batch, **named)

    @property
    def fixed_batch(self) -> int | None:
        """The number of samples that every batch must have, or None if any will do."""
        dims = self._slots[0].dims if self._slots else None
        return dims[0] if dims and isinstance(dims[0], int) else None

    @property
    def default_metrics(self) -> list[Any]:
        """The loss, and the accuracy if that is a cross entropy."""
        if not isinstance(self.loss, losses.CrossEntropy):
            return ["loss"]
        return ["loss", metrics_module.Accuracy(int(self.loss.options["ignore_index"]))]

    def evaluate(self, data: Any, metrics: Any = None, *, batch_size: int = 256) -> dict[str, float]:
        """The mean loss and other metrics over a data set, by name; nothing changes.

        `data` is a tuple or dict of arrays, which is cut into batches of `batch_size`, or an iterable of batches. `metrics` are names ("loss", "accuracy",
        "top5"), raf.metrics objects or functions (outputs, targets) -> number; by default the loss, and the accuracy if that is a cross entropy.
        Raises raf.RuntimeError for batches that do not fit, unknown metrics, and data without a batch.

        >>> values = trainer.evaluate((x_test, y_test), ["loss", "top3"])
        >>> sorted(values), values["top3"]
        (['loss', 'top3'], 1.0)
        """
        resolved = metrics_module.resolve(self.default_metrics if metrics is None else metrics)
        batch = None
        for batch in as_loader(self, data, batch_size):
            parts = batch if isinstance(batch, (tuple, list)) else (batch,)
            with self._turn:
                program = self._prepare(parts, {}, training=False)
                program.run()
                loss = float(program.results[0])
                outputs = program.results[0] if program.scores is None else program.scores
                targets = self._targets_of(program)
                for metric in resolved.values():
                    metric.update(outputs, targets, loss)
        if batch is None:
            raise RuntimeError("data: there is no batch in it (an iterator can be used once only)")
        return {name: metric.result() for name, metric in resolved.items()}

    def keep_outputs(self) -> None:
        """Steps keep the model's outputs from now on, whatever their size, for metrics of training; programs that do not are compiled again."""
        self._keep_outputs, self._current = True, None

    def observe(self, metrics: Iterable[metrics_module.StreamingMetric], loss: float) -> bool:
        """Shows the outputs and targets of the latest step to metrics, as they were before its update; False if the step did not keep the outputs."""
        program = self._current
        if program is None or program.scores is None or not self.loss.has_target:
            return False
        outputs, targets = program.scores, self._targets_of(program)
        for metric in metrics:
            metric.update(outputs, targets, loss)
        return True

    def _scores_of(self, program: Program) -> Array | None:
        """The array of the output that the loss looks at, with the classes on the last axis; None if the program does not keep it."""
        name = self._model.outputs[self._output].name
        found = [array for result, array in zip(program.manifest.results, program.results) if result.name == name]
        return self._classes_last(found[-1]) if found else None  # the last: the loss may have that name too

    def _classes_last(self, array: Array) -> Array:
        return np.moveaxis(array, self.loss.class_axis, -1) if isinstance(self.loss, losses.CrossEntropy) and array.ndim > 1 else array

    def _targets_of(self, program: Program) -> Array | None:
        if not self._targets:
            return None
        targets = np.asarray(program.inputs[-1].array)
        return self._classes_last(targets) if isinstance(self.loss, losses.CrossEntropy) and self.loss.dense else targets

    # ---- state ----

    def _metadata(self) -> dict[str, Any]:
        return {
            "step": self._done,
            "seed": self.seed,
            "skipped": self.skipped,
            "model": self._model.name,
            "fingerprint": self.fingerprint,
            "loss": self.loss.config(),
            "optimizer": self.optimizer.config(),
            "progress": self.progress if self.progress_source is None else self.progress_source(),
        }

    def state_dict(self) -> dict[str, Any]:
        """Copies of everything that training changes: {"tensors": {name: array}, "metadata": {...}}; names as in a checkpoint.

        >>> state = trainer.state_dict()
        >>> state["tensors"]["param:w1"].shape, state["metadata"]["step"] == trainer.steps_done
        ((4, 16), True)
        >>> trainer.load_state_dict(state)
        """
        with self._turn:
            return {"tensors": {n: a.copy() for n, a in self._arrays.read().items()}, "metadata": self._metadata()}

    def load_state_dict(self, state: Mapping[str, Any], *, weights_only: bool = False) -> None:
        """Puts a state back. Raises raf.RuntimeError with every difference, and changes nothing, if it is of another model or optimizer.

        With `weights_only` just parameters and buffers are taken, for a fine-tuning run with another optimizer or loss.
        """
        try:
            tensors = {str(n): as_array(f"tensor {n!r} of the state", a) for n, a in state["tensors"].items()}
            metadata = {**state["metadata"]}
        except (KeyError, TypeError, AttributeError):
            raise RuntimeError('state: expected what state_dict returns, {"tensors": {name: array}, "metadata": {...}}') from None
        notes = _state.notes(metadata)
        with self._turn:
            self._check_state(tensors, notes, weights_only)
            self._arrays.write(tensors, weights_only)
            if not weights_only:
                self._done, self.seed, self.skipped, self.progress = notes.step, notes.seed, notes.skipped, notes.progress

    def _check_state(self, tensors: Mapping[str, Array], notes: _state.Notes, weights_only: bool) -> None:
        skip_states = weights_only or _state.has_not_begun(tensors, notes) or not self._arrays.has_states
        mine, theirs = ({n: a for n, a in of.items() if not (n.startswith("state:") and skip_states)} for of in (self._arrays.read(), tensors))
        problems = _state.differences(mine, theirs, notes, self.fingerprint)
        if not weights_only:
            problems += [f"{line} (weights_only=True takes the parameters alone)" for line in _state.other_optimizer(self.optimizer.name, notes)]
            if not problems and not _state.has_not_begun(tensors, notes) and not self._arrays.has_states:
                trained = {n: as_real(a).shape for n, a in self._model.params.items() if n not in self._model.frozen and is_inexact(a.dtype)}
                problems += _state.without_program(tensors, self.optimizer.states, trained)
        if problems:
            raise RuntimeError(bullets(f"the state is of another model than {self._model.name!r}, nothing was loaded", problems))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint (safetensors): parameters, buffers, optimizer state, step, seed, positions. Atomic: the old file stays whole if this fails.

        Raises raf.RuntimeError when the file cannot be written (no space, no permission).

        >>> trainer.save("run.safetensors")
        >>> trainer.load("run.safetensors")
        """
        with self._turn:
            checkpoint.save(path, self._arrays.read(), self._metadata())

    def load(self, path: str | os.PathLike[str], *, weights_only: bool = False) -> None:
        """Reads a checkpoint; training goes on to the same bits. See `load_state_dict`. Raises raf.RuntimeError for files that are missing or damaged too."""
        tensors, metadata = checkpoint.load(path)
        try:
            self.load_state_dict({"tensors": tensors, "metadata": metadata}, weights_only=weights_only)
        except RuntimeError as error:
            raise RuntimeError(f"{os.fspath(path)}: {error}") from None

    @property
    def model(self) -> Model:
        """The model with the parameters and buffers as they are now: on the CPU the arrays of `params`; on a device the same arrays of the host each time, brought up to date when this or
        `params` is read."""
        self._weights.fetch()
        return self._lent_model

    @property
    def params(self) -> dict[str, Array]:
        """The parameters: the arrays that training updates in place. Writing into them is allowed between steps."""
        self._arrays.copies.exposed = True
        return self._weights.params

    @property
    def params_tree(self) -> Any:
        """The parameters as the function takes them: the pytree of its argument over the arrays of `params`, or a tuple of those of several arguments."""
        if self._model.signature is None:
            return self.params
        params = self.params
        trees = [t for t in self._model.signature.arguments if t.leaves and all(leaf.name in params for leaf in t.leaves)]
        made = [t.unflatten([params[leaf.name] for leaf in t.leaves]) for t in trees]
        return made[0] if len(made) == 1 else tuple(made)

    @property
    def buffers(self) -> dict[str, Array]:
        """The running statistics: the arrays that training updates in place."""
        return self._weights.buffers

    def save_executable(self, path: str | os.PathLike[str], shapes: Mapping[str, Sequence[int]] | None = None) -> None:
        """Writes the compiled step for these shapes of the inputs, with parameters and optimizer state as they are now, to a .rafx file that `raf.load_executable` and `raf run`
        take, also where there is no compiler. `shapes` may leave out inputs whose shapes the model fixes. The file is replaced at once or not at all.

        Raises raf.CompileError for shapes that are not all known and learning rates that are functions, raf.RuntimeError when the file cannot be written.

        >>> trainer.save_executable("step.rafx", {"x": (32, 4)})
        """
        from .executable import save_step

        with self._turn:
            save_step(path, self, shapes)

    def export_onnx(self, path: str | os.PathLike[str]) -> None:
        """Writes the model with the trained parameters and running statistics as ONNX; the file is replaced at once or not at all.

        Raises raf.RuntimeError when it cannot be written.

        >>> trainer.export_onnx("trained.onnx")
        >>> np.allclose(raf.compile(raf.import_onnx("trained.onnx"))(x_test), trainer.predict(x_test), rtol=1e-4, atol=1e-5)
        True
        """
        with self._turn:
            self._model.export_onnx(path, self._weights.read())

    @property
    def memory(self) -> dict[str, Any]:
        """The memory plan of the latest training program: bytes by class. Empty before the first step of a model with symbolic sizes."""
        programs = [p for (training, *_), p in self._programs.items() if training]
        return dict(programs[-1].manifest.raw.get("memory") or {}) if programs else {}
