# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dispatch by measurement: the times of a library's kernels and of generated code, and the file that remembers them.

The file is dispatch/<hash>.json in the cache folder (RAF_CACHE_DIR), one for each processor, build of RAF, version of oneDNN and number of threads. It is read by the
pass raf-dispatch, whose description says what is in it. A file that is damaged is ignored with a warning and written anew; one that cannot be written only costs
measuring again."""

from __future__ import annotations

import json
import math
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from . import _cache
from ._arrays import Array, aligned_empty, dtype_of
from ._files import write
from .errors import CompileError, RuntimeError

VERSION = 1
#: Of one key: by candidate the seconds, or None where it cannot compute it.
Seconds = dict[str, "float | None"]
_ROUNDS, _BUDGET = 5, 0.02
#: Generated code in other blocks is timed where its own are at most so many times slower than the fastest candidate: other blocks save less than that.
_CHANCE = 1.5


@dataclass(frozen=True)
class Question:
    """One thing to measure: a program, and who may compute it."""

    key: str
    module: str
    candidates: tuple[str, ...]


def questions(text: str) -> list[Question]:
    """What raf-dispatch{questions=true} has listed."""
    from ._mlir import ir

    with ir.Context(), ir.Location.unknown():
        found = []
        for op in ir.Module.parse(text).body.operations:
            names = tuple(ir.StringAttr(name).value for name in ir.ArrayAttr(op.attributes["raf.candidates"]))
            found.append(Question(ir.StringAttr(op.attributes["sym_name"]).value, str(op), names))
        return found


def path(core: Any, threads: int) -> Path | None:
    """The file of this machine; None without a cache folder."""
    root = _cache.folder()
    if root is None:
        return None
    return root / "dispatch" / f"{_cache.key('dispatch', str(VERSION), _library_version(core), str(threads))[:32]}.json"


def _library_version(core: Any) -> str:
    described = json.loads(core.info())
    return json.dumps({name: value for name, value in described.items() if "thread" not in name}, sort_keys=True)


def load(file: Path | None) -> dict[str, Seconds]:
    """The times in a file, none if it is not there or not whole."""
    if file is None:
        return {}
    try:
        text = file.read_text()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        warnings.warn(f"the times of kernels in {file} are ignored: {error}", RuntimeWarning, stacklevel=2)
        return {}
    try:
        document = json.loads(text)
        if document["version"] != VERSION:
            raise ValueError(f"version {document['version']!r}, expected {VERSION}")
        seconds: dict[str, Seconds] = document["seconds"]
        for entry in seconds.values():
            if not all(value is None or (isinstance(value, float) and 0 < value < math.inf) for value in entry.values()):
                raise ValueError("a time is not a positive number")
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        warnings.warn(f"the times of kernels in {file} are ignored, and measured again: the file is damaged ({error})", RuntimeWarning, stacklevel=2)
        return {}
    return seconds


def store(file: Path, seconds: Mapping[str, Seconds]) -> None:
    """Replaces the file at once, so that readers see the old one or the new one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    write(file, json.dumps({"version": VERSION, "seconds": dict(seconds)}, sort_keys=True))


def best_seconds(run: Callable[[], None]) -> float:
    """The fastest of several averages."""
    run()
    start = time.perf_counter()
    run()
    once = max(time.perf_counter() - start, 1e-7)
    repeats = max(1, int(_BUDGET / _ROUNDS / once))
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        for _ in range(repeats):
            run()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best


def measure(core: Any, question: Question, options: Mapping[str, Any]) -> Seconds:
    """Compiles each candidate as a program and times it. The candidates codegen-BLOCKS come last."""
    seconds: Seconds = {}
    for candidate in question.candidates:
        mine = dict(options)
        mine.pop("libraries", None)
        blocks = candidate.partition("codegen-")[2]
        if blocks:
            own, best = seconds.get("codegen"), min((time for time in seconds.values() if time is not None), default=None)
            if own is None or best is None or own > _CHANCE * best:
                seconds[candidate] = None  # no chance
                continue
            mine["blocks"] = blocks
        elif candidate != "codegen":
            mine |= {"libraries": [candidate], "force": [candidate]}
        try:
            executable = core.Executable.compile(question.module, json.dumps(mine))
        except CompileError:
            seconds[candidate] = None  # the library has no kernel for it
            continue
        buffers = [_buffer(described) for described in _buffers(executable)]
        for index, buffer in enumerate(buffers):
            executable.bind(index, buffer.ctypes.data)
        seconds[candidate] = best_seconds(executable.run)
    return seconds


def _buffers(executable: Any) -> list[dict[str, Any]]:
    manifest = json.loads(executable.manifest)
    return [*manifest["args"], *(result for result in manifest["results"] if result.get("alias") is None)]


def _buffer(described: Mapping[str, Any]) -> Array:
    """Ones, of which no arithmetic is slow."""
    array = aligned_empty(tuple(described["shape"]), dtype_of(described["dtype"]))
    array[...] = 0 if array.dtype.kind in "biu" else 1
    return array


@contextmanager
def measurements(core: Any, module: str, questions_pipeline: str, options: Mapping[str, Any], threads: int, cache: bool) -> Iterator[str]:
    """A file with the times of everything that raf-dispatch will ask about in the module; what no file knows yet is measured."""
    file = path(core, threads) if cache else None
    known = load(file)
    missing = [question for question in questions(core.run_pipeline(module, questions_pipeline)) if not set(question.candidates) <= set(known.get(question.key, {}))]
    if missing:
        measured = {question.key: measure(core, question, options) for question in missing}
        # Another process may have added its own meanwhile.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            known = {**load(file), **known, **measured}
    if file is not None and missing:
        try:
            store(file, known)
        except (OSError, RuntimeError) as error:
            warnings.warn(f"the times of kernels cannot be kept: {error}", RuntimeWarning, stacklevel=2)
    # One of our own: another process may replace the file before it is read.
    with tempfile.TemporaryDirectory() as folder:
        mine = Path(folder) / "times.json"
        store(mine, known)
        yield str(mine)
