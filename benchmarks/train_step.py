#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of RAF beside PyTorch (eager and compiled) and JAX, from the same weights on the same batches, with AdamW.

    python benchmarks/train_step.py                                             every workload in f32
    python benchmarks/train_step.py gpt --peers raf jax --amp none bf16         one of them, in f32 and mixed precision
    python benchmarks/train_step.py --json all.json --plot all.png

Each peer is a process of its own; the processes take turns (A B C A B C ...), so that what else the machine does hits all of them. Times are medians over all turns; "x" is a peer's time
over RAF's: above 1, RAF is faster. CPU time is that of all threads, those that wait for another included. "first s" is from the model's file to the first loss, compilation included and
imports not, with nothing taken from a cache; "again s" the same in another process that finds the first one's compiled program on disk (RAF only; imports are named beside it). The
difference of losses is the largest of the first five steps, over the first loss.

MiB is measured alike for all, in a further process that has trained the smallest workload before: the most that is resident during later steps, above what was resident then, without
the code of libraries (pages of files). It holds parameters, optimizer state, activations, and what compiling left behind. "planned" is what RAF's memory plan says for the same.

PyTorch and JAX are optional: a peer that is not installed is left out, with a message.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import find_raf, floor, report  # noqa: E402
from steps.workloads import WORKLOADS, read_batches  # noqa: E402

STEPS = 5
SMALLEST = "mlp"


class PeerError(Exception):
    """A peer that cannot go on."""


class Process:
    """A worker and the talk with it."""

    def __init__(self, peer: str, amp: str, folder: Path, arguments: argparse.Namespace, log: Path, **more: str) -> None:
        self.peer, self.log = peer, log
        threads = str(arguments.threads)
        environment = {**os.environ, "OMP_NUM_THREADS": threads, "RAF_NUM_THREADS": threads, "JAX_PLATFORMS": "cpu", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1", **more}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # modules that are imported late are compiled once, as they are where they are installed
        if arguments.passive:
            environment["OMP_WAIT_POLICY"] = "passive"
        worker = Path(__file__).resolve().parent / "steps" / "worker.py"
        with log.open("w") as errors:
            self.process = subprocess.Popen(
                [sys.executable, str(worker), peer, amp, str(folder), threads], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=errors, text=True, env=environment
            )
        self.hello = self._read()

    def _read(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            said = self.log.read_text().strip().splitlines()
            raise PeerError(f"its process ended with status {self.process.wait()}: {said[-1] if said else 'no message'}")
        answer: dict[str, Any] = json.loads(line)
        if "failed" in answer:
            raise PeerError(answer["failed"])
        return answer

    def ask(self, do: str, **values: Any) -> dict[str, Any]:
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(json.dumps({"do": do, **values}) + "\n")
            self.process.stdin.flush()
        except OSError:
            pass  # it has ended: reading says how
        return self._read()

    def close(self) -> None:
        assert self.process.stdin is not None and self.process.stdout is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Measurement:
    """All peers on one workload with one precision."""

    def __init__(self, name: str, amp: str, arguments: argparse.Namespace, scratch: Path) -> None:
        self.name, self.amp, self.arguments, self.scratch = name, amp, arguments, scratch
        self.folder = written(name, scratch)
        self.live: dict[str, Process] = {}
        inputs, _ = read_batches(self.folder)[0]
        self.rows: dict[str, dict[str, Any]] = {}
        self.result: dict[str, Any] = {"title": WORKLOADS[name].title, "amp": amp, "counted": floor.count(self.folder / "model.onnx", inputs), "peers": self.rows}

    def attempt(self, peer: str, action: Any) -> Any:
        try:
            return action()
        except PeerError as error:
            self.rows.setdefault(peer, {})["failed"] = str(error)
            say(f"{self.name}: {report.PEERS[peer]} FAILED: {error}")
            if peer in self.live:
                self.live.pop(peer).close()
            return None

    def process(self, peer: str, kind: str = "", **more: str) -> Process:
        return Process(kind or peer, self.amp, self.folder, self.arguments, self.scratch / f"{self.name}-{self.amp}-{kind or peer}.log", **more)

    def run(self) -> dict[str, Any]:
        for peer in self.arguments.peers:
            self.start(peer)
        for _ in range(self.arguments.rounds):
            for peer in list(self.live):
                time.sleep(0.05)  # threads of the one before stop spinning
                request = {"seconds": self.arguments.seconds / self.arguments.rounds, "steps": self.arguments.steps}
                turn = self.attempt(peer, lambda peer=peer, request=request: self.live[peer].ask("run", **request))
                if turn:
                    self.rows[peer]["ms"].append(turn["ms"])
                    self.rows[peer]["cpu_ms"].append(turn["cpu_ms"])
        for peer in list(self.live):
            end = self.attempt(peer, lambda peer=peer: self.live[peer].ask("end"))
            if end:
                times = [t for turn in self.rows[peer]["ms"] for t in turn]
                self.rows[peer] |= {**end, "median_ms": statistics.median(times), "min_ms": min(times)}
                self.live.pop(peer).close()
        for peer in [p for p, row in self.rows.items() if "median_ms" in row]:
            if not self.arguments.no_memory:
                self.memory(peer)
            if peer == "raf":
                self.again()
        self.compare()
        return self.result

    def start(self, peer: str) -> None:
        process = self.attempt(peer, lambda: self.process(peer))
        if process is None:
            return
        if "absent" in process.hello:
            self.rows[peer] = {"absent": process.hello["absent"]}
            say(f"{self.name}: {report.PEERS[peer]} IS NOT HERE and is left out: {process.hello['absent']}")
            process.close()
            return
        self.live[peer] = process
        say(f"{self.name}: {report.PEERS[peer]} starts")
        started = self.attempt(peer, lambda: process.ask("start", steps=STEPS))
        if started:
            self.rows[peer] = {**process.hello, **started, "ms": [], "cpu_ms": []}

    def asked(self, process: Process, do: str, **values: Any) -> dict[str, Any]:
        try:
            return process.ask(do, **values)
        finally:
            process.close()

    def memory(self, peer: str) -> None:
        """In a process whose allocator returns what is freed at once, so that what is resident is what is used."""
        small = str(written(SMALLEST, self.scratch))
        limits = {"MALLOC_TRIM_THRESHOLD_": "131072", "MALLOC_MMAP_THRESHOLD_": "131072", "MALLOC_ARENA_MAX": "2"}
        seen = self.attempt(peer, lambda: self.asked(self.process(peer, **limits), "memory", small=small))
        if seen:
            self.rows[peer]["steps_mib"] = seen["steps_mib"]

    def again(self) -> None:
        """The first step of a second process, which finds the compiled program of another on disk."""
        cache = {"RAF_CACHE_DIR": str(self.scratch / f"cache-{self.name}-{self.amp}")}
        for _ in range(2):
            process = self.attempt("raf", lambda: self.process("raf", "raf-cached", **cache))
            seen = process and self.attempt("raf", lambda process=process: {**process.hello, **self.asked(process, "start", steps=1)})
            if seen:
                self.rows["raf"] |= {"again_s": seen["first_s"], "imported_s": seen["imported_s"]}

    def compare(self) -> None:
        """Differences of losses, and RAF beside the best peer in time and in memory."""
        ours = self.rows.get("raf", {})
        peers = {peer: row for peer, row in self.rows.items() if not peer.startswith("raf") and "median_ms" in row}
        for row in self.rows.values():
            if "losses" in row and "losses" in ours and row is not ours:
                row["loss_difference"] = max(abs(a - b) for a, b in zip(ours["losses"], row["losses"])) / abs(row["losses"][0])
        if not peers or "median_ms" not in ours:
            return
        best = min(peers, key=lambda peer: peers[peer]["median_ms"])
        self.result["against_best"] = {"peer": best, "speedup": peers[best]["median_ms"] / ours["median_ms"]}
        memory = {peer: row["steps_mib"] for peer, row in peers.items() if row.get("steps_mib", 0) > 0}
        if memory and ours.get("steps_mib", 0) > 0:
            least = min(memory, key=memory.__getitem__)
            self.result["against_best"] |= {"memory_peer": least, "memory": ours["steps_mib"] / memory[least]}
        first = {peer: row["first_s"] for peer, row in peers.items()}
        self.result["against_best"]["first"] = ours["first_s"] / min(first.values())


def written(name: str, scratch: Path) -> Path:
    """The folder of the workload's files, written once."""
    folder = scratch / name
    if not folder.exists():
        folder.mkdir()
        WORKLOADS[name].write(folder)
    return folder


def machine(arguments: argparse.Namespace) -> dict[str, Any]:
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "") if os.path.exists("/proc/cpuinfo") else ""
    return {"cpu": model or platform.processor(), "cpus": os.cpu_count(), "threads": arguments.threads, "passive": arguments.passive, "python": platform.python_version(), "load": os.getloadavg()}


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"{', '.join(WORKLOADS)}; default: all")
    parser.add_argument("--peers", nargs="+", choices=report.PEERS, default=["raf", "torch-eager", "torch-compile", "jax"])
    parser.add_argument("--amp", nargs="+", choices=report.PRECISIONS, default=["none"], help="mixed precision: none is f32 throughout (default %(default)s)")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each peer (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="of each peer on each workload, without starting (default %(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="at most in a turn (default %(default)s)")
    parser.add_argument("--no-memory", action="store_true", help="do not measure memory")
    parser.add_argument("--passive", action="store_true", help="threads of OpenMP sleep while they wait (RAF and PyTorch; XLA has its own): for machines with other load")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured, after each workload, at once or not at all")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw the speed and memory of the peers (.png, .svg or .pdf; needs matplotlib)")
    arguments = parser.parse_args()
    unknown = [w for w in arguments.workloads if w not in WORKLOADS]
    if unknown:
        parser.error(f"unknown workload {unknown[0]!r}: {', '.join(WORKLOADS)}")
    if arguments.threads < 1 or arguments.rounds < 1 or arguments.steps < 1:
        parser.error("--threads, --rounds and --steps must be at least 1")
    for option, path in (("--json", arguments.json), ("--plot", arguments.plot)):
        if path is not None and (not path.absolute().parent.is_dir() or path.is_dir()):
            parser.error(f"{option} {path}: {'it is a folder' if path.is_dir() else f'there is no folder {path.parent}'}")
    return arguments


def main() -> int:
    arguments = parse()
    find_raf()
    from raf._files import write
    from raf.errors import Error

    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(arguments.threads)}
    dtypes = [report.PRECISIONS[amp] for amp in arguments.amp]
    measured = subprocess.run([sys.executable, floor.__file__, str(arguments.threads), *dict.fromkeys(dtypes)], stdout=subprocess.PIPE, text=True, env=environment)
    if measured.returncode:
        return 1
    rates = json.loads(measured.stdout)
    data: dict[str, Any] = {"machine": machine(arguments), "rates": rates, "workloads": {}}
    print(f"{data['machine']['cpu']}, {arguments.threads} threads, load {data['machine']['load'][0]:.1f}; products of " + ", ".join(f"{d} {r / 1e9:.0f} GFLOP/s" for d, r in rates["gemm"].items()))
    try:
        with tempfile.TemporaryDirectory() as scratch:
            for name in arguments.workloads or WORKLOADS:
                for amp in arguments.amp:
                    result = Measurement(name, amp, arguments, Path(scratch)).run()
                    data["workloads"][name if amp == "none" else f"{name} {amp}"] = result
                    compute, moved = floor.milliseconds(result["counted"], rates, report.PRECISIONS[amp])
                    result["floor_ms"] = {"compute": None if math.isnan(compute) else compute, "memory": moved}
                    print(report.table(name, result, rates), flush=True)
                    if arguments.json:
                        write(arguments.json, json.dumps(data, indent=1))
        print(report.summary(data["workloads"]))
        if arguments.plot:
            report.plot(data["workloads"], arguments.plot)
    except Error as error:
        say(f"error: {error}")
        return 1
    return int(any("failed" in row for result in data["workloads"].values() for row in result["peers"].values()))


if __name__ == "__main__":
    sys.exit(main())
