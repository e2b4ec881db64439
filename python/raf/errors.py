# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What RAF raises when the input, and not RAF, is at fault. Each message says what was found, what was expected and what to do."""

from __future__ import annotations

import builtins
import difflib
from collections.abc import Iterable, Sequence


class Error(Exception):
    """The base of all errors that RAF raises on purpose."""


class ImportError(Error):
    """A model file cannot be read, or holds what RAF does not support. `problems` lists every one of them."""

    def __init__(self, message: str, problems: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.problems: tuple[str, ...] = tuple(problems)


class CompileError(Error):
    """A module or an option is not accepted by the compiler.

    `diagnostics` are the compiler's messages with their locations; `reproducer` is the raf-opt command that replays the failure, if there is one.
    """

    def __init__(self, message: str, diagnostics: Sequence[str] = (), reproducer: str | None = None) -> None:
        super().__init__(message)
        self.diagnostics: tuple[str, ...] = tuple(diagnostics)
        self.reproducer = reproducer


class RuntimeError(Error, builtins.RuntimeError):
    """A step, a data set or a checkpoint does not fit the model, or the machine refused something (no space, no memory)."""


class NonFiniteLossError(RuntimeError):
    """The loss of a step is NaN or infinite. `step` is the step's number, counted from 1; `loss` is the value."""

    def __init__(self, message: str, step: int, loss: float) -> None:
        super().__init__(message)
        self.step = step
        self.loss = loss

    def __reduce__(self) -> tuple[type[NonFiniteLossError], tuple[str, int, float]]:
        return type(self), (str(self), self.step, self.loss)  # as worker processes send it


def suggest(name: str, known: Iterable[str]) -> str:
    """", did you mean 'x'?" when a known name is close, then the list of the known names: the end of a message about an unknown name."""
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else "."
    return f"{hint} Known: {', '.join(names) or 'none'}."


def bullets(head: str, problems: Sequence[str]) -> str:
    """One message out of several problems: all are shown at once, one a line."""
    return f"{head}: {problems[0]}" if len(problems) == 1 else "\n".join([f"{head}:", *(f"  - {p}" for p in problems)])
