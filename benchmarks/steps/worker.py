# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of one peer: python worker.py PEER AMP FOLDER THREADS. It reads requests and writes answers, one JSON object a line.

The first answer says what was imported, or {"absent": why}. Requests:
  {"do": "start", "steps": n}                builds the step and runs it n times: losses, seconds to the first one
  {"do": "run", "seconds": s, "steps": n}    runs it until the time or the number is used up: milliseconds of each step, and CPU time of one
  {"do": "memory", "small": folder}          trains the small workload in the folder first, so that what the framework itself takes is there; then what this one takes more
  {"do": "end"}                              last loss and number of steps
"""

from __future__ import annotations

import ctypes
import gc
import importlib
import itertools
import json
import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steps import find_raf, workloads  # noqa: E402

BEGAN = time.perf_counter()
MODULES = {"raf": "raf_peer", "torch": "torch_peer", "jax": "jax_peer"}


def memory(key: str) -> float:
    """VmRSS (now), VmHWM (peak) or RssFile (of VmRSS what the system has in files anyway: the code of libraries) of this process in MiB."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(key + ":"):
            return int(line.split()[1]) / 1024
    return 0.0


def forget_peak() -> None:
    """Lets the peak start again from what is resident now; without effect where the kernel does not let us."""
    try:
        Path("/proc/self/clear_refs").write_text("5")
    except OSError:
        pass


def trim() -> None:
    """Gives back to the system what the allocators keep for later."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        pass


class Peer:
    """A step of one peer and what was seen of it."""

    def __init__(self, module: Any, peer: str, amp: str, folder: Path, threads: int) -> None:
        self.module, self.peer, self.amp, self.folder, self.threads = module, peer, amp, folder, threads
        self.step: Callable[[], Any] = lambda: 0.0
        self.plan: dict[str, Any] = {}
        self.count, self.loss = 0, float("nan")

    def build(self, folder: Path, batches: list[workloads.Batch]) -> None:
        if self.peer.startswith("raf"):
            options = {"raf-codegen": {"libraries": ()}, "raf-cached": {"cache": True}}.get(self.peer, {})
            trainer = self.module.build(folder, self.threads, self.amp, **options)
            step, turns = trainer.step, itertools.cycle(batches)

            def run() -> Any:
                inputs, labels = next(turns)
                loss = step(*inputs, labels)
                self.plan = self.plan or trainer.memory
                return loss

            self.step = run
            return
        workload = json.loads((folder / "workload.json").read_text())
        with np.load(folder / "weights.npz") as weights:
            self.step = self.module.build(workload, self.peer.partition("-")[2], self.amp, weights, batches, self.threads)

    def start(self, steps: int) -> dict[str, Any]:
        batches = workloads.read_batches(self.folder)
        begin = time.perf_counter()
        self.build(self.folder, batches)
        losses = [float(self.step())]
        seconds = time.perf_counter() - begin
        losses += [float(self.step()) for _ in range(steps - 1)]
        self.count, self.loss = steps, losses[-1]
        return {"losses": losses, "first_s": seconds, "plan": self.plan}

    def memory(self, small: str) -> dict[str, Any]:
        """Parameters, states and activations, as the system sees them: the most that is resident during steps of the workload, above what was resident after the small one.

        Pages of files do not count: they are the code of a library, read when it is first called, and a larger library would count as more activations."""
        batches = workloads.read_batches(self.folder)
        self.build(Path(small), workloads.read_batches(Path(small)))
        for _ in range(3):
            self.step()
        self.step, self.plan = lambda: 0.0, {}
        trim()
        base, code = memory("VmRSS"), memory("RssFile")
        self.build(self.folder, batches)
        first = [float(self.step()) for _ in range(3)]
        trim()
        forget_peak()
        for _ in range(3):
            self.step()
        code = memory("RssFile") - code
        return {"steps_mib": memory("VmHWM") - base - code, "base_mib": base, "code_mib": code, "losses": first}

    def run(self, seconds: float, steps: int) -> dict[str, Any]:
        step, clock = self.step, time.perf_counter
        step()  # not timed: what another process ran in between has emptied the caches
        times: list[float] = []
        end, spent = clock() + seconds, time.process_time()
        while len(times) < steps and (not times or clock() < end):
            begin = clock()
            loss = step()
            times.append((clock() - begin) * 1e3)
        spent = time.process_time() - spent
        self.loss = float(loss)
        self.count += len(times) + 1
        return {"ms": times, "cpu_ms": spent * 1e3 / len(times)}

    def end(self) -> dict[str, Any]:
        return {"loss": self.loss, "steps": self.count}


def serve(peer: str, amp: str, folder: Path, threads: int) -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what frameworks print is no answer
    if hasattr(os, "sched_setaffinity"):  # the only way to tell XLA how many threads to have
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    find_raf()

    def answer(value: dict[str, Any]) -> None:
        print(json.dumps(value), file=answers, flush=True)

    kind = peer.partition("-")[0]
    try:
        module = importlib.import_module(f"steps.{MODULES[kind]}")
    except ImportError as error:
        answer({"absent": str(error)})
        return
    worker = Peer(module, peer, amp, folder, threads)
    answer({"version": module.VERSION, "imported_s": time.perf_counter() - BEGAN})
    for line in sys.stdin:
        request = json.loads(line)
        do = request.pop("do")
        try:
            answer(getattr(worker, do)(**request))
        except Exception as error:
            traceback.print_exc()
            answer({"failed": f"{type(error).__name__}: {error}".strip()})
            return
        if do == "end":
            return


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], Path(sys.argv[3]), int(sys.argv[4]))
