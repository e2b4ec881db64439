# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reading and copying of arrays in several threads: one thread does not use all of the memory's bandwidth, and touches fresh pages one after the other."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

Item = TypeVar("Item")
Made = TypeVar("Made")

#: More do not help: two copy as fast as the memory lets them, or nearly.
THREADS = 2


def in_threads(work: Callable[[Item], Made], items: Iterable[Item]) -> list[Made]:
    """What `work` returns for each of the items. It should let other threads run: as reading a file and copying an array do. Raises the first of the exceptions in the order of the items."""
    items = list(items)
    made: list[Any] = [None] * len(items)
    failed: dict[int, BaseException] = {}
    turns = iter(range(len(items)))

    def run() -> None:
        for i in turns:
            try:
                made[i] = work(items[i])
            except BaseException as error:
                failed[i] = error
                return

    others = [threading.Thread(target=run, daemon=True) for _ in range(min(THREADS, os.cpu_count() or 1, len(items)) - 1)]
    for other in others:
        other.start()
    run()
    for other in others:
        other.join()
    if failed:
        raise failed[min(failed)]
    return made
