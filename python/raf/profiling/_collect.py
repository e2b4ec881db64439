# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Running a program that was compiled with the runtime's hooks, and reading what they recorded."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from .._program import Program
from ..errors import RuntimeError
from ._profile import Profile, Run, Span

#: Records of one step at most: 2^20 take 32 MiB.
_CAPACITY = 1 << 20
_WARM_UP = 2


def check_steps(steps: Any) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 1:
        raise RuntimeError(f"steps: expected a positive whole number of steps to record, got {steps!r}")
    return steps


def collect(program: Program, step: Callable[[], Any], steps: int, name: str, threads: int) -> Profile:
    """Runs `step`, which runs the program once, so many times (and a few before, which are not recorded)."""
    executable: Any = program.executable
    for _ in range(_WARM_UP):
        step()
    runs = []
    executable.profile(_CAPACITY)
    try:
        for _ in range(steps):
            begin = time.perf_counter_ns()
            step()
            end = time.perf_counter_ns()
            records, lost = executable.profile_records(_CAPACITY)
            if lost:
                raise RuntimeError(f"a step runs more ops than a profile can record ({len(records) + lost:,}, at most {_CAPACITY:,}): profile a smaller batch or fewer iterations")
            runs.append(Run(begin, end, tuple(Span(*record) for record in records)))
    finally:
        executable.profile(0)
    return Profile(name, program.manifest.raw, runs, threads)
