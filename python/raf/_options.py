# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Options as a user gives them, numpy's numbers included, as what is compiled in and written to files: Python's own."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from .errors import CompileError, Error


def real(what: str, value: Any, error: type[Error] = CompileError) -> float:
    """A number, which need not be finite."""
    if isinstance(value, numbers.Real) and not isinstance(value, bool):
        try:
            return float(value)
        except OverflowError:
            raise error(f"{what} must be a number of ordinary size, got one beyond the floating-point numbers") from None
    raise error(f"{what} must be a number, got {value!r}")


def whole(what: str, value: Any, error: type[Error] = CompileError) -> int:
    """An integer of 64 bits."""
    if isinstance(value, (int, np.integer)) and not isinstance(value, bool) and -(2**63) <= value < 2**63:
        return int(value)
    raise error(f"{what} must be an integer of 64 bits, got {'one that is larger' if isinstance(value, int) and not isinstance(value, bool) else repr(value)}")


def flag(what: str, value: Any) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    raise CompileError(f"{what} must be True or False, got {value!r}")


def strings(what: str, value: str | Iterable[str]) -> list[str]:
    """One string or several as a list."""
    found = [value] if isinstance(value, str) else list(value) if isinstance(value, Iterable) and not isinstance(value, Mapping) else None
    if found is None or not all(isinstance(item, str) for item in found):
        raise CompileError(f"{what}: expected a string or a sequence of strings, got {value!r}")
    return found
