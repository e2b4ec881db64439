# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What can happen around the steps of `Trainer.fit`: early stopping, the best checkpoint, logs."""

from __future__ import annotations

import contextlib
import importlib
import json
import math
import os
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ._options import real, whole
from .errors import CompileError, RuntimeError, suggest

if TYPE_CHECKING:
    from .trainer import Trainer

Logs = dict[str, Any]


class Callback:
    """Override what is needed. `logs` of a step has "step", "loss", "lr" and metrics of its batch ("accuracy"); of an epoch also "epoch", "seconds"
    and the validation's "val_..." values.

    Set `trainer.stop_training = True` to end `fit` after this step or epoch. `state_dict` goes into checkpoints (JSON).

    >>> class Halve(raf.callbacks.Callback):
    ...     def on_epoch_end(self, trainer, logs):
    ...         trainer.lr = trainer.lr / 2
    >>> history = trainer.fit((x, y), epochs=2, progress=False, callbacks=[Halve(), raf.callbacks.EarlyStopping("loss", patience=2)])
    """

    def on_fit_begin(self, trainer: Trainer) -> None: ...

    def on_step_end(self, trainer: Trainer, logs: Logs) -> None: ...

    def on_epoch_end(self, trainer: Trainer, logs: Logs) -> None: ...

    def on_fit_end(self, trainer: Trainer) -> None: ...

    def state_dict(self) -> dict[str, Any]:
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...


class _Monitor(Callback):
    """Watches one value of the epochs' logs. mode "auto" takes losses as better when small, and accuracies when large."""

    def __init__(self, monitor: str | None, mode: str, min_delta: float) -> None:
        if mode not in ("auto", "min", "max"):
            raise CompileError(f"unknown mode {mode!r}{suggest(mode, ('auto', 'min', 'max'))}")
        self.monitor, self.mode, self.min_delta = monitor, mode, real(f"{type(self).__name__}: min_delta", min_delta)
        self.best: float | None = None

    def improved(self, logs: Logs) -> bool:
        name = self.monitor or ("val_loss" if "val_loss" in logs else "loss")
        if name not in logs:
            raise RuntimeError(f"{type(self).__name__}: no value {name!r} in the epoch's results{suggest(name, logs)}")
        value = float(logs[name])
        large = self.mode == "max" or (self.mode == "auto" and any(w in name for w in ("accuracy", "top", "auc", "f1", "r2")))
        if math.isnan(value):
            return False
        if self.best is not None and not (value > self.best + self.min_delta if large else value < self.best - self.min_delta):
            return False
        self.best = value
        return True

    def state_dict(self) -> dict[str, Any]:
        return {"best": self.best}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.best = state.get("best")


class EarlyStopping(_Monitor):
    """Ends training when `monitor` (by default val_loss, or loss without validation data) has not become better by more than `min_delta` for
    `patience` epochs; with `restore_best` the parameters and the state of the best epoch are put back then."""

    def __init__(
        self, monitor: str | None = None, *, patience: int = 3, min_delta: float = 0.0, mode: str = "auto", restore_best: bool = False
    ) -> None:
        super().__init__(monitor, mode, min_delta)
        self.patience, self.restore_best = whole("EarlyStopping: patience", patience), restore_best
        self.waited = 0
        self._state: dict[str, Any] | None = None

    def on_epoch_end(self, trainer: Trainer, logs: Logs) -> None:
        if self.improved(logs):
            self.waited = 0
            self._state = trainer.state_dict() if self.restore_best else None
            return
        self.waited += 1
        if self.waited >= self.patience:
            trainer.stop_training = True
            if self._state is not None:
                trainer.load_state_dict(self._state)

    def state_dict(self) -> dict[str, Any]:
        return {**super().state_dict(), "waited": self.waited}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        super().load_state_dict(state)
        self.waited = int(state.get("waited", 0))


class BestCheckpoint(_Monitor):
    """Saves a checkpoint whenever `monitor` (by default val_loss, or loss without validation data) is better than in every epoch before."""

    def __init__(self, path: str | os.PathLike[str], monitor: str | None = None, *, mode: str = "auto", min_delta: float = 0.0) -> None:
        super().__init__(monitor, mode, min_delta)
        self.path = path

    def on_epoch_end(self, trainer: Trainer, logs: Logs) -> None:
        if self.improved(logs):
            trainer.save(self.path)


class JsonLines(Callback):
    """A log file with a JSON object a line: {"event": "step", "step", "loss", "accuracy", "lr", "time"} each `every` steps, and {"event": "epoch", ...} for each epoch.

    Raises raf.RuntimeError when the file cannot be written. A run that resumes at step N keeps the lines up to N, drops those of steps that will be done again, and goes on.
    """

    def __init__(self, path: str | os.PathLike[str], *, every: int = 1) -> None:
        self.path, self.every = Path(path), max(1, whole("JsonLines: every", every))
        self._file: IO[str] | None = None

    def on_fit_begin(self, trainer: Trainer) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            if trainer.steps_done and self.path.exists():
                self._drop_after(trainer.steps_done)
                self._file = self.path.open("a", encoding="utf-8")
            else:
                self._file = self.path.open("w", encoding="utf-8")
        except OSError as error:
            raise RuntimeError(f"the log {str(self.path)!r} cannot be written: {error}") from error

    def _drop_after(self, step: int) -> None:
        kept = []
        for line in self.path.read_text(encoding="utf-8", errors="replace").splitlines(keepends=True):
            try:
                if line.endswith("\n") and int(json.loads(line).get("step", 0)) <= step:
                    kept.append(line)
            except (ValueError, AttributeError, TypeError, RecursionError):
                continue  # half a line of a run that was killed
        handle, temporary = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.writelines(kept)
        os.replace(temporary, self.path)

    def _write(self, record: Logs) -> None:
        if self._file is not None:
            try:
                self._file.write(json.dumps(record) + "\n")
                if record["event"] == "epoch":
                    self._file.flush()
            except OSError as error:
                raise RuntimeError(f"the log {str(self.path)!r} cannot be written: {error}") from error

    def on_step_end(self, trainer: Trainer, logs: Logs) -> None:
        if logs["step"] % self.every == 0:
            self._write({"event": "step", **logs, "time": time.time()})

    def on_epoch_end(self, trainer: Trainer, logs: Logs) -> None:
        self._write({"event": "epoch", **logs, "time": time.time()})

    def on_fit_end(self, trainer: Trainer) -> None:
        file, self._file = self._file, None
        if file is not None:
            with contextlib.suppress(OSError):  # what could not be written was reported when it happened
                file.close()


class TensorBoard(Callback):
    """Scalars for TensorBoard: loss, metrics and lr each `every` steps, validation values each epoch. Needs the package tensorboard (raf-compiler[tensorboard])."""

    def __init__(self, folder: str | os.PathLike[str], *, every: int = 10) -> None:
        self.folder, self.every = os.fspath(folder), max(1, every)
        try:
            summary = importlib.import_module("tensorboard.summary")
        except ModuleNotFoundError:
            raise RuntimeError("TensorBoard logs need the package tensorboard: pip install 'raf-compiler[tensorboard]'") from None
        self._make = summary.Writer
        self._writer: Any = None

    def on_fit_begin(self, trainer: Trainer) -> None:
        self._writer = self._make(self.folder)

    def on_step_end(self, trainer: Trainer, logs: Logs) -> None:
        if logs["step"] % self.every == 0:
            for name, value in logs.items():
                if name != "step":
                    self._writer.add_scalar(f"train/{name}", value, logs["step"])

    def on_epoch_end(self, trainer: Trainer, logs: Logs) -> None:
        for name, value in logs.items():
            if name.startswith("val_"):
                self._writer.add_scalar(f"validation/{name[4:]}", value, logs["step"])
        self._writer.flush()

    def on_fit_end(self, trainer: Trainer) -> None:
        if self._writer is not None:
            self._writer.close()
            self._writer = None
