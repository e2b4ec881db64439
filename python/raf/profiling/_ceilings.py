# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast this machine, or its device, multiplies matrices and copies memory: what an op's speed is compared with."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import _cache
from .._arrays import address, aligned_empty, dtype_of
from .._engine import CompileOptions, _core
from .._files import write
from ..errors import CompileError, Error, RuntimeError

#: Traffic that stays in the cores' own caches.
CACHED_BYTES = 1 << 20
_MATRIX = 1024
_COPIED = 1 << 27
_SECONDS = 0.6
#: On a device: sizes that fill one, and runs of which the shortest counts.
_DEVICE_MATRIX = 4096
_DEVICE_ELEMENTS = 1 << 26
_DEVICE_RUNS = 10


@dataclass(frozen=True)
class Ceilings:
    """FLOP/s of a large matrix product by element type, and bytes/s (read and written) of copies in memory and in the cores' own caches, on so many threads or on a device.

    `disturbed` says that the machine did other things meanwhile: it can do better.
    """

    threads: int
    copy: float
    cached_copy: float
    gemm: dict[str, float] = field(default_factory=dict)
    disturbed: bool = False
    device: str = ""

    def seconds(self, flops: float, moved: float, dtype: str) -> float:
        """The least time of so much arithmetic and traffic."""
        rate = self.gemm.get(dtype) or self.gemm.get("f32") or math.inf
        return max(flops / rate, moved / (self.cached_copy if moved <= CACHED_BYTES else self.copy))

    def __str__(self) -> str:
        products = ", ".join(f"{rate / 1e9:.0f} GFLOP/s {dtype}" for dtype, rate in sorted(self.gemm.items()))
        if self.device:
            return f"ceilings of {self.device}: products {products or 'not measured'}; copies {self.copy / 1e9:.1f} GB/s"
        return f"ceilings on {self.threads} threads: products {products or 'not measured'}; copies {self.copy / 1e9:.1f} GB/s in memory, {self.cached_copy / 1e9:.1f} GB/s in caches" + (
            " (measured while the machine was busy: too low)" if self.disturbed else ""
        )


def best(call: Callable[[], Any], seconds: float) -> float:
    """The shortest time of a call: what disturbs only adds."""
    call()
    shortest, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        shortest = min(shortest, time.perf_counter() - begin)
    return shortest


def _product(size: int, dtype: str) -> str:
    """A program of one product of square matrices."""
    kind = f"tensor<{size}x{size}x{dtype}>"
    return f"""func.func @main(%a: {kind} {{raf.name = "a", raf.role = "input"}}, %b: {kind} {{raf.name = "b", raf.role = "input"}}) -> ({kind} {{raf.name = "y"}}) {{
      %y = raf.matmul %a, %b : {kind}, {kind} -> {kind}
      return %y : {kind}
    }}"""


def _gemm(dtype: str, threads: int, seconds: float) -> float:
    """FLOP/s of a product of square matrices, by the library where it serves the type; 0 where the type cannot be compiled."""
    try:
        executable = _core().Executable.compile(_product(_MATRIX, dtype), CompileOptions(threads=threads).json())
    except CompileError:
        return 0.0
    arrays = [aligned_empty((_MATRIX, _MATRIX), dtype_of(dtype)) for _ in range(3)]
    for number, array in enumerate(arrays):
        array[...] = 1
        executable.bind(number, address(array))
    return 2 * _MATRIX**3 / best(executable.run, seconds)


def _copy(threads: int, seconds: float) -> tuple[float, float]:
    source, target = np.ones(_COPIED, np.uint8), np.zeros(_COPIED, np.uint8)
    bounds = [_COPIED * i // threads for i in range(threads + 1)]

    def copy() -> None:
        workers = [threading.Thread(target=np.copyto, args=(target[a:b], source[a:b])) for a, b in zip(bounds, bounds[1:])]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    few = CACHED_BYTES // 4
    cached = threads * 2 * few / best(lambda: np.copyto(target[:few], source[:few]), seconds / 4)
    return 2 * _COPIED / best(copy, seconds), cached


def _seconds_there(module: str, driver: str) -> float:
    """The shortest time, by the device's clock, of a program of one op without parameters."""
    from .._device import make_program
    from ..compiler import TARGETS

    executable = _core().Executable.compile(module, CompileOptions(driver, libraries=TARGETS[driver]).with_hooks().json())
    program = make_program(executable, {}, None)
    program.load([np.ones(slot.shape, slot.dtype) for slot in program.inputs])
    program.run()
    executable.profile(64)
    shortest = math.inf
    for _ in range(_DEVICE_RUNS):
        program.run()
        records, _ = executable.profile_records(64)
        shortest = min(shortest, sum(end - begin for _, begin, end, _ in records) / 1e9)
    return shortest


def _device_gemm(dtype: str, driver: str) -> float:
    """As _gemm, on a device."""
    try:
        return 2 * _DEVICE_MATRIX**3 / _seconds_there(_product(_DEVICE_MATRIX, dtype), driver)
    except CompileError as error:
        if "out of memory on " in str(error):
            raise RuntimeError(str(error)) from None
        return 0.0


def _device_copy(driver: str) -> float:
    """Bytes/s of a generated kernel that reads and writes."""
    kind = f"tensor<{_DEVICE_ELEMENTS}xf32>"
    module = f"""func.func @main(%x: {kind} {{raf.name = "x", raf.role = "input"}}) -> ({kind} {{raf.name = "y"}}) {{
      %y = raf.neg %x : {kind}
      return %y : {kind}
    }}"""
    return 8 * _DEVICE_ELEMENTS / _seconds_there(module, driver)


@dataclass
class _Known:
    """Rates by what was measured, which of them this process has measured itself, and whether the machine was busy when one was measured first."""

    rates: dict[str, float]
    measured: set[str] = field(default_factory=set)
    disturbed: bool = False


@functools.lru_cache(maxsize=8)
def _known(who: int | str) -> _Known:
    """With the rates that other processes have measured on so many threads of this machine, or on its device of this name."""
    path = _path(who)
    try:
        found = json.loads(path.read_text()) if path is not None else {}
        return _Known({str(k): float(v) for k, v in found.items() if math.isfinite(float(v))})
    except (OSError, ValueError, AttributeError, TypeError, RecursionError):
        return _Known({})


def _path(who: int | str) -> Path | None:
    folder = _cache.folder()
    if isinstance(who, str):
        return None if folder is None else folder / f"ceilings-{hashlib.sha256(who.encode()).hexdigest()[:16]}-device.json"
    return None if folder is None else folder / f"ceilings-{hashlib.sha256(_cache.machine()).hexdigest()[:16]}-{who}.json"


def _busy() -> bool:
    """Whether other processes had more than half a core on average in the last minute."""
    return hasattr(os, "getloadavg") and os.getloadavg()[0] > 0.5 + 0.25 * (os.cpu_count() or 1)


def ceilings(threads: int, dtypes: Iterable[str] = ("f32",), driver: str | None = None) -> Ceilings:
    """Measures what this process has not measured yet: for about a second each what is new to this machine, shortly what is remembered in the cache folder.

    The best that was ever seen counts, so that the next process mends what other work has spoilt. What a machine known to be busy shows is not remembered. `driver` asks for its first device.

    Raises raf.RuntimeError where a device cannot run what they are measured with, as when its memory is full.
    """
    device = "" if driver is None else str(json.loads(_core().cuda_info(driver))["devices"][0]["name"])
    known = _known(device or threads)
    before, busy = dict(known.rates), driver is None and _busy()

    def measure(names: tuple[str, ...], call: Callable[[float], Iterable[float]]) -> None:
        if known.measured.issuperset(names) or all(name.startswith("gemm:") and before.get(name) == 0 for name in names):  # 0: the type cannot be compiled
            return
        new = not before.keys() >= set(names)
        for name, rate in zip(names, call(_SECONDS if new else _SECONDS / 6)):
            known.rates[name] = max(rate, known.rates.get(name, 0))
        known.disturbed |= busy and new
        known.measured.update(names)

    measure(("copy", "cached_copy"), lambda seconds: _copy(threads, seconds) if driver is None else [_device_copy(driver)] * 2)
    for dtype in dtypes:
        measure((f"gemm:{dtype}",), lambda seconds, dtype=dtype: [_gemm(dtype, threads, seconds) if driver is None else _device_gemm(dtype, driver)])  # type: ignore[misc]
    path = _path(device or threads)
    if path is not None and known.rates != before and not busy and not known.disturbed:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write(path, json.dumps(known.rates))
        except (OSError, Error):
            pass  # measured again by the next process
    products = {k.removeprefix("gemm:"): v for k, v in known.rates.items() if k.startswith("gemm:") and v}
    return Ceilings(threads, known.rates["copy"], known.rates["cached_copy"], products, known.disturbed, device)
