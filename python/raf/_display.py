# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What training shows: a progress bar with loss and metrics of the epoch so far on a terminal, one line an epoch everywhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

_HIDDEN = ("epoch", "step", "lr", "seconds")


def summary(logs: dict[str, Any], epochs: int) -> str:
    """An epoch's line."""
    values = "  ".join(f"{k} {v:.4f}" for k, v in logs.items() if k not in _HIDDEN and isinstance(v, float))
    return f"epoch {logs['epoch']}/{epochs}  {values}  lr {logs['lr']:.3g}  {logs['seconds']:.3g} s"


class Display:
    """Silent when `enabled` is False. The bar is drawn at most ten times a second, so that it costs a step nothing."""

    def __init__(self, enabled: bool, epochs: int, console: Console | None = None) -> None:
        self._enabled, self._epochs = enabled, epochs
        self._console = console or Console(stderr=True)
        self._progress: Progress | None = None
        self._task: TaskID | None = None
        self._next = 0.0

    def start_epoch(self, epoch: int, total: int | None, done: int) -> None:
        if not self._enabled or not self._console.is_terminal:
            return
        if self._progress is None:
            self._progress = Progress(
                TextColumn("epoch {task.fields[epoch]}"),
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[note]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
                auto_refresh=False,
            )
            self._progress.start()
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._task = self._progress.add_task("", total=total, completed=done, epoch=f"{epoch}/{self._epochs}", note="")

    def step(self, done: int, values: Callable[[], dict[str, float]]) -> None:
        if self._progress is None or self._task is None:
            return
        now = time.monotonic()
        if now >= self._next:
            self._next = now + 0.1
            note = "  ".join(f"{name} {value:.4f}" for name, value in values().items())
            self._progress.update(self._task, completed=done, note=note, refresh=True)

    def end_epoch(self, logs: dict[str, Any]) -> None:
        if self._enabled:
            self._console.print(summary(logs, self._epochs), highlight=False, soft_wrap=True)

    def close(self) -> None:
        if self._progress is not None:
            self._progress.stop()
            self._progress = None
