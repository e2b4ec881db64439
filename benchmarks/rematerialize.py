#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The decoder of train_step.py with once, twice and three times the batch, each within what a step of the first one holds.

    python benchmarks/rematerialize.py
    python benchmarks/rematerialize.py --factors 1 2 --rounds 10 --amp bf16 --json remat.json

Each factor is a process of its own; they take turns, so that what else the machine does hits all of them. "planned" is what the memory plan says that a step holds, "measured" the most that is
resident during later steps above what was before the model was imported and compiled (so the compiler's remains and the interpreter's are in it). "per sample" is the throughput over that of the
first factor, from the fastest steps of both, and from their CPU times (with --threads 1 hardly touched by what else runs); "modelled" is what the added runs take of a step, by the times that the pass goes by.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import find_raf, worker, workloads  # noqa: E402

CLASSES = ("params", "states", "buffers", "inputs", "outputs", "scalars", "constants", "arena_bytes")


def work(file: str, batch: int, budget: int, threads: int, amp: str) -> None:
    """A process that trains with one batch: answers what it holds, then runs as many steps as each line of its input says."""
    import onnx  # noqa: F401

    import raf
    import raf._core  # noqa: F401

    time_steps, vocabulary = workloads.GPT["time"], workloads.GPT["vocabulary"]
    rng = np.random.default_rng(0)
    tokens, labels = rng.integers(0, vocabulary, (batch, time_steps)), rng.integers(0, vocabulary, batch * time_steps)
    worker.trim()
    base = worker.memory("VmRSS")
    trainer = raf.compile(raf.import_onnx(file), loss="cross_entropy", optimizer="adamw", threads=threads, memory_budget=budget or None, amp=None if amp == "none" else amp, lazy=True, cache=False)
    begin = time.perf_counter()
    plan = trainer.program({trainer.model.inputs[0].name: tokens.shape}).manifest.raw["memory"]
    seconds = time.perf_counter() - begin
    for _ in range(2):
        trainer.step(tokens, labels)
    gc.collect()
    ctypes.CDLL(None).malloc_trim(0)
    worker.forget_peak()
    for _ in range(2):
        trainer.step(tokens, labels)
    answer: dict[str, Any] = {"plan": plan, "planned": sum(plan[c] for c in CLASSES), "measured": (worker.memory("VmHWM") - base) * 2**20, "compile_s": seconds}
    print(json.dumps(answer), flush=True)
    for line in sys.stdin:
        times = []
        for _ in range(int(line)):
            begin, spent = time.perf_counter(), time.process_time()
            trainer.step(tokens, labels)
            times.append((time.perf_counter() - begin, time.process_time() - spent))
        print(json.dumps(times), flush=True)


class Process:
    def __init__(self, *arguments: Any) -> None:
        command = [sys.executable, __file__, "--worker", *map(str, arguments)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.times: list[tuple[float, float]] = []

    def read(self) -> Any:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"a worker ended with status {self.process.wait()}")
        return json.loads(line)

    def run(self, steps: int) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{steps}\n")
        self.process.stdin.flush()
        self.times += self.read()

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--factors", type=int, nargs="+", default=[1, 2, 3])
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=3, help="of each process in a round")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--amp", default="none")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    find_raf()
    from raf import examples

    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        import onnx

        file = str(Path(folder) / "model.onnx")
        onnx.save(examples.MODELS["gpt"](seed=0, **workloads.GPT), file)
        processes: list[Process] = []
        budget = 0
        for factor in arguments.factors:
            process = Process(file, factor * arguments.batch, budget, arguments.threads, arguments.amp)
            row = {"factor": factor, **process.read()}
            budget = budget or row["planned"]
            processes.append(process)
            rows.append(row)
        for _ in range(arguments.rounds):
            for process in processes:
                process.run(arguments.steps)
        for row, process in zip(rows, processes):
            row["ms"], row["cpu_ms"] = (min(times) * 1e3 for times in zip(*process.times))
            process.close()
    print(f"{'batch':>6} {'planned':>12} {'measured':>12} {'added runs':>11} {'compile':>9} {'step':>10} {'per sample':>11} {'by CPU time':>12} {'modelled':>9}")
    first = rows[0]
    for row in rows:
        plan, share = row["plan"], row["factor"] / first["factor"]
        modelled = ""
        if "step_ns" in plan and "step_ns" in rows[-1]["plan"]:
            row["recompute_share"] = plan["recompute_ns"] / plan["step_ns"]
            modelled = f"+{100 * row['recompute_share']:.1f} %"
        row["per_sample"], row["cpu_per_sample"] = (first[key] * share / row[key] for key in ("ms", "cpu_ms"))
        print(
            f"{row['factor'] * arguments.batch:>6} {row['planned'] / 2**20:>8.1f} MiB {row['measured'] / 2**20:>8.1f} MiB {plan.get('recomputed', 0):>11} {row['compile_s']:>7.2f} s "
            f"{row['ms']:>7.1f} ms {100 * row['per_sample']:>9.1f} % {100 * row['cpu_per_sample']:>10.1f} % {modelled:>9}"
        )
    if arguments.json:
        arguments.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        find_raf()
        work(sys.argv[2], *map(int, sys.argv[3:6]), sys.argv[6])
    else:
        main()
