# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The training loop: epochs, validation, checkpoints, resuming, and stopping in good order."""

from __future__ import annotations

import copy
import math
import os
import signal
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._arrays import as_array
from ._options import whole
from .callbacks import BestCheckpoint, Callback
from .data import ArrayLoader, samples_of
from .errors import NonFiniteLossError, RuntimeError
from .metrics import Loss, StreamingMetric, resolve

if TYPE_CHECKING:
    from ._display import Display
    from .trainer import Trainer


class History(list[dict[str, Any]]):
    """What each epoch gave: a dict with "epoch", "step", "loss", "lr", "seconds", metrics of the training batches ("accuracy") and the validation's
    "val_..." values."""

    def column(self, name: str) -> list[Any]:
        """One value over the epochs."""
        return [logs[name] for logs in self if name in logs]


def _is_array(value: Any) -> bool:
    return hasattr(value, "__dlpack__") or hasattr(value, "__array__")


def as_loader(
    trainer: Trainer, data: Any, batch_size: int, *, shuffle: bool = False, drop_last: bool = False
) -> Iterable[Any]:
    """Arrays (a tuple, list or dict of them) as an ArrayLoader; anything else that can be iterated over is taken as batches.

    A model whose first axis is fixed gets batches of that size, and a warning if samples are left over.
    """
    if isinstance(data, Mapping):
        arrays: Any = {str(name): as_array(f"array {name!r}", value) for name, value in data.items()}
    elif isinstance(data, (tuple, list)) and data and all(_is_array(a) for a in data):
        arrays = tuple(as_array(f"array {i}", a) for i, a in enumerate(data))
    elif isinstance(data, Iterable):
        return data
    else:
        raise RuntimeError(f"data: expected arrays or an iterable of batches, got {type(data).__name__}")
    fixed = trainer.fixed_batch
    if fixed is not None:
        samples = samples_of(arrays if isinstance(arrays, dict) else dict(enumerate(arrays)))
        if samples % fixed and not drop_last:
            warnings.warn(
                f"the model takes batches of {fixed} samples only: the last {samples % fixed} of {samples} samples are left out "
                "(compile with free_batch=True to allow any number)",
                stacklevel=3,
            )
        batch_size, drop_last = fixed, True
    return ArrayLoader(arrays, batch_size, shuffle=shuffle, seed=trainer.seed, drop_last=drop_last)


class _Run:
    """The state of one call of `fit`."""

    def __init__(self, trainer: Trainer, loader: Any, callbacks: Sequence[Callback], metrics: Mapping[str, StreamingMetric]) -> None:
        self.trainer, self.loader, self.callbacks = trainer, loader, callbacks
        #: Of the training batches: over the epoch so far, and of the latest step.
        self.metrics, self.step_metrics = metrics, copy.deepcopy(metrics)
        self.epoch = self.batch = 0
        self.loss_sum = 0.0
        self.loss_count = 0
        self.started = time.perf_counter()
        self.history = History()
        self._before: dict[str, Any] | None = None
        self._failed = False
        # A batch that was taken from the loader ahead of its step, with the loader's states around it.
        self._source: Iterator[Any] = iter(())
        self._ahead: tuple[Any, Any, Any] | None = None

    def _loader_state(self) -> dict[str, Any] | None:
        return self.loader.state_dict() if hasattr(self.loader, "state_dict") else None

    def position(self) -> dict[str, Any]:
        """What a checkpoint notes, so that another call goes on from here; with a batch whose step failed once more."""
        return {
            "epoch": self.epoch,
            "batch": self.batch,
            "loss_sum": self.loss_sum,
            "loss_count": self.loss_count,
            "metrics": {name: metric.state_dict() for name, metric in self.metrics.items()},
            "history": list(self.history),
            "loader": self._before if self._failed else self._loader_state() if self._ahead is None else self._ahead[0],
            "callbacks": [c.state_dict() for c in self.callbacks],
        }

    def resume(self, path: Path) -> None:
        """Goes on from a checkpoint. Raises raf.RuntimeError, and changes nothing outside, for one that does not fit."""
        trainer, loader, callbacks = self.trainer.state_dict(), self._loader_state(), [c.state_dict() for c in self.callbacks]
        self.trainer.load(path)
        try:
            self._restore(self.trainer.progress)
        except BaseException:
            self.trainer.load_state_dict(trainer)
            if loader is not None and hasattr(self.loader, "load_state_dict"):
                self.loader.load_state_dict(loader)
            for callback, state in zip(self.callbacks, callbacks):
                callback.load_state_dict(state)
            raise

    def _restore(self, position: Mapping[str, Any]) -> None:
        """Raises raf.RuntimeError for what no position is."""
        try:
            self.epoch, self.batch = int(position.get("epoch", 0)), int(position.get("batch", 0))
            self.loss_sum, self.loss_count = float(position.get("loss_sum", 0.0)), int(position.get("loss_count", 0))
            if min(self.epoch, self.batch, self.loss_count) < 0:
                raise ValueError("a count is less than 0")
            for name, state in position.get("metrics", {}).items():
                if name in self.metrics:
                    self.metrics[name].load_state_dict(state)
            self.history.extend({**logs} for logs in position.get("history", []))
            if position.get("loader") is not None and hasattr(self.loader, "load_state_dict"):
                self.loader.load_state_dict(position["loader"])
            for callback, state in zip(self.callbacks, position.get("callbacks", [])):
                callback.load_state_dict(state)
        except (AttributeError, KeyError, OverflowError, TypeError, ValueError) as error:
            raise RuntimeError(f"the checkpoint's position of training is damaged ({type(error).__name__}: {error})") from error

    def batches(self) -> Iterator[Any]:
        """The rest of this epoch's batches: a loader with a state knows where it is, in another the batches that were done are passed over."""
        self._source, self._ahead = iter(self.loader), None
        if not hasattr(self.loader, "load_state_dict"):
            for _ in range(self.batch):
                next(self._source, None)
        while True:
            self._before, batch, error = self._ahead or self._take()
            self._ahead = None
            if isinstance(error, StopIteration):
                return
            if error is not None:
                raise error
            yield batch

    def _take(self) -> tuple[Any, Any, Exception | None]:
        """The state of the loader, then its next batch or what it raised."""
        before = self._loader_state()
        try:
            return before, next(self._source), None
        except Exception as error:
            return before, None, error

    def _upload_next(self) -> None:
        """While a step runs on a device: the next batch goes there too."""
        if self._ahead is None:
            self._ahead = self._take()
        if self._ahead[2] is None:
            self.trainer.prefetch(self._ahead[1])

    def put_back(self) -> None:
        """At the end: the loader stands after the last batch that was used, not after the one ahead of it."""
        if self._ahead is not None and self._ahead[0] is not None:
            self.loader.load_state_dict(self._ahead[0])
        self._ahead = None

    def step(self, batch: Any, last: Path | None) -> float:
        """One step. If its loss is not finite, what was reached before it is saved."""
        # Other loaders may use the memory of a batch again for the next.
        self.trainer.while_running = self._upload_next if isinstance(self.loader, ArrayLoader) else None
        try:
            return float(self.trainer.step(batch))
        except NonFiniteLossError as error:
            self._failed = True
            if last is None or self.trainer.non_finite():
                raise
            self.trainer.save(last)
            raise NonFiniteLossError(f"{error} The checkpoint {str(last)!r} holds what was reached before it.", error.step, error.loss) from None
        finally:
            self.trainer.while_running = None

    def measure(self, loss: float, each_step: bool) -> dict[str, float]:
        """Adds a step to the epoch's loss and metrics; the step's own values if `each_step`."""
        if not math.isfinite(loss):
            return {}
        self.loss_sum += loss
        self.loss_count += 1
        if not self.metrics:
            return {}
        for metric in self.step_metrics.values():
            metric.reset()
        seen = self.trainer.observe([*self.metrics.values(), *(self.step_metrics.values() if each_step else ())], loss)
        return {name: metric.result() for name, metric in self.step_metrics.items()} if each_step and seen else {}

    def values(self) -> dict[str, float]:
        """The loss and the metrics over the epoch so far, without those of which there is nothing."""
        found = {name: metric.result() for name, metric in self.metrics.items()}
        loss = self.loss_sum / self.loss_count if self.loss_count else math.nan
        return {"loss": loss, **{name: value for name, value in found.items() if not math.isnan(value)}}


class Stopped(KeyboardInterrupt):
    """Training was stopped by a signal between two steps. `checkpoint` is the file that was saved, or None."""

    def __init__(self, number: int, step: int, checkpoint: Path | None) -> None:
        where = f"; the checkpoint is {checkpoint}" if checkpoint else ""
        super().__init__(f"training stopped by {signal.Signals(number).name} after step {step}{where}")
        self.signal, self.step, self.checkpoint = number, step, checkpoint

    def __reduce__(self) -> tuple[type[Stopped], tuple[int, int, Path | None]]:
        return type(self), (self.signal, self.step, self.checkpoint)


@contextmanager
def _signals(terminate: bool) -> Iterator[list[int]]:
    """Notes SIGINT (and SIGTERM, if asked) instead of raising in the middle of a step; a second one acts at once."""
    seen: list[int] = []
    numbers = [signal.SIGINT, *([signal.SIGTERM] if terminate else [])]
    if threading.current_thread() is not threading.main_thread():
        yield seen
        return
    before = {n: signal.getsignal(n) for n in numbers}
    ours = [n for n in numbers if before[n] in (signal.default_int_handler, signal.SIG_DFL)]

    def handler(number: int, frame: Any) -> None:
        if seen:
            raise KeyboardInterrupt
        seen.append(number)

    for n in ours:
        signal.signal(n, handler)
    try:
        yield seen
    finally:
        for n in ours:
            signal.signal(n, before[n])


def fit(
    trainer: Trainer,
    data: Any,
    epochs: int = 1,
    *,
    batch_size: int = 32,
    validation: Any = None,
    metrics: Any = None,
    train_metrics: bool | None = None,
    callbacks: Sequence[Callback] = (),
    shuffle: bool = True,
    drop_last: bool = False,
    checkpoint: str | Path | None = None,
    checkpoint_every: int | None = None,
    resume: bool = False,
    progress: bool = True,
) -> History:
    """Trains for `epochs` epochs and returns what each gave.

    data              a tuple or dict of arrays (cut into batches of `batch_size`, shuffled with the trainer's seed), or an iterable of batches.
    validation        the same kinds; evaluated after each epoch with `metrics` (see Trainer.evaluate). The values are named val_NAME.
    train_metrics     whether `metrics` are taken of the training batches too, from the outputs before each update; named NAME. By default if a batch's
                      outputs are small (64 KiB): they cost nothing then. True compiles steps that keep larger ones.
    checkpoint        a folder: last.safetensors after each epoch, each `checkpoint_every` steps and when stopped; best.safetensors with validation data.
    resume            go on from last.safetensors if it exists: the rest of the run is the same to the bit as one that was never stopped.
    progress          show a bar and a line an epoch on stderr.

    Raises raf.RuntimeError for data that do not fit, raf.NonFiniteLossError by the trainer's policy (what was reached is in `checkpoint` then).
    Ctrl-C (and SIGTERM, with a checkpoint folder) ends after the running step: the checkpoint is written, then raf.fitting.Stopped, a KeyboardInterrupt, is
    raised. A second Ctrl-C acts at once.
    """
    from ._display import Display  # rich: not for those who only call step

    if isinstance(epochs, bool) or not isinstance(epochs, (int, np.integer)) or epochs < 0:
        raise RuntimeError(f"epochs must be an integer of at least 0, got {epochs!r}")
    if not isinstance(callbacks, Iterable) or not all(isinstance(c, Callback) for c in callbacks):
        raise RuntimeError(f"callbacks: expected a sequence of raf.callbacks.Callback objects, got {callbacks!r}")
    if checkpoint_every is not None and whole("checkpoint_every", checkpoint_every, RuntimeError) < 1:
        raise RuntimeError(f"checkpoint_every must be at least 1 or None, got {checkpoint_every}")
    if checkpoint is not None and not isinstance(checkpoint, (str, Path)):
        raise RuntimeError(f"checkpoint: expected the path of a folder, got {checkpoint!r}")
    folder = Path(checkpoint) if checkpoint is not None else None
    last = folder / "last.safetensors" if folder else None
    if folder is not None:
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise RuntimeError(f"the checkpoint folder {str(folder)!r} cannot be made: {error}") from error
    callbacks = [*callbacks]
    # An unknown name is an error now, not after the first epoch.
    chosen = {n: m for n, m in resolve(trainer.default_metrics if metrics is None else metrics).items() if not isinstance(m, Loss)}
    if train_metrics and chosen:
        trainer.keep_outputs()
    if folder and validation is not None and not any(isinstance(c, BestCheckpoint) for c in callbacks):
        callbacks.append(BestCheckpoint(folder / "best.safetensors"))
    loader = as_loader(trainer, data, batch_size, shuffle=shuffle, drop_last=drop_last)
    if epochs > 1 and iter(loader) is loader:
        raise RuntimeError("data: an iterator can be used for one epoch only; pass a list, a loader, or arrays")
    # Copies: the same objects are used for validation.
    run = _Run(trainer, loader, callbacks, {} if train_metrics is False else copy.deepcopy(chosen))
    if resume and last is not None and os.path.exists(last):
        run.resume(last)
    trainer.stop_training = False
    display = Display(progress, epochs)
    trainer.progress_source = run.position
    try:
        for callback in callbacks:
            callback.on_fit_begin(trainer)
        with _signals(terminate=folder is not None) as seen:
            while run.epoch < epochs and not trainer.stop_training:
                if _epoch(run, display, seen, last, checkpoint_every):
                    _finish_epoch(run, display, validation, metrics)
                if last is not None:
                    _save(trainer, last)
                if seen:
                    raise Stopped(seen[0], trainer.steps_done, last)
    finally:
        trainer.progress = run.position()
        trainer.progress_source = None
        run.put_back()
        display.close()
        for callback in callbacks:
            callback.on_fit_end(trainer)
    return run.history


def _epoch(run: _Run, display: Display, seen: list[int], last: Path | None, every: int | None) -> bool:
    """The rest of an epoch; False if a callback ended it before its last batch."""
    trainer = run.trainer
    total = len(run.loader) if hasattr(run.loader, "__len__") else None
    display.start_epoch(run.epoch + 1, total, run.batch)
    run.started = time.perf_counter()
    on_step = [c.on_step_end for c in run.callbacks if type(c).on_step_end is not Callback.on_step_end]
    for batch in run.batches():
        lr = trainer.lr
        loss = run.step(batch, last)
        run.batch += 1
        values = run.measure(loss, bool(on_step))
        if on_step:
            logs = {"step": trainer.steps_done, "loss": loss, **values, "lr": lr}
            for call in on_step:
                call(trainer, logs)
        display.step(run.batch, run.values)
        if seen:
            if last is not None:
                _save(trainer, last)
            raise Stopped(seen[0], trainer.steps_done, last)
        if trainer.stop_training:
            return False
        if every and last is not None and trainer.steps_done % every == 0:
            _save(trainer, last)
    if run.batch == 0:
        raise RuntimeError("data: there is no batch in it")
    return True


def _save(trainer: Trainer, path: Path) -> None:
    """Saves, but not over a good checkpoint when the parameters are lost."""
    if trainer.nan != "ignore" and (names := trainer.non_finite()):
        raise RuntimeError(
            f"after step {trainer.steps_done}, {', '.join(names[:5])}{' and others' if len(names) > 5 else ''} hold values that are not finite. "
            f"The checkpoint {str(path)!r} was not written over. Try a smaller learning rate, or nan='skip', which leaves such steps out."
        )
    trainer.save(path)


def _finish_epoch(run: _Run, display: Display, validation: Any, metrics: Any) -> None:
    trainer = run.trainer
    run.epoch += 1
    logs: dict[str, Any] = {
        "epoch": run.epoch,
        "step": trainer.steps_done,
        **run.values(),
    }
    if validation is not None:
        logs.update({f"val_{name}": value for name, value in trainer.evaluate(validation, metrics).items()})
    logs.update(lr=trainer.optimizer.lr(max(trainer.steps_done - 1, 0)), seconds=time.perf_counter() - run.started)
    run.batch, run.loss_sum, run.loss_count = 0, 0.0, 0
    for metric in run.metrics.values():
        metric.reset()
    run.history.append(logs)
    for callback in run.callbacks:
        callback.on_epoch_end(trainer, logs)
    display.end_epoch(logs)
