#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training steps of RAF beside PyTorch (eager and compiled) and JAX, from the same weights on the same batches, in f32 with AdamW.

    python benchmarks/train_step.py                                 every workload
    python benchmarks/train_step.py gpt --peers raf jax --rounds 8

Each peer is a process of its own; the processes take turns (A B C A B C ...), so that what else the machine does hits all of them. Times are medians over all
turns; "x" is a peer's time over RAF's: above 1, RAF is faster. CPU time is that of all threads, those that wait for another included. Memory is what is resident above the imported framework: at most until the first steps are
done (compilation included), and at most during the steps that were timed. The difference of losses is the largest of the first five steps, over the first loss.
PyTorch and JAX are optional: a peer that is not installed is left out, with a message.
"""

from __future__ import annotations

import argparse
import json
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

from steps import find_raf, floor  # noqa: E402
from steps.workloads import WORKLOADS, read_batches  # noqa: E402

PEERS = {"raf": "RAF", "torch-eager": "PyTorch", "torch-compile": "torch.compile", "jax": "JAX", "raf-codegen": "RAF, no library", "torch-foreach": "PyTorch, foreach AdamW"}
STEPS = 5


class PeerError(Exception):
    """A peer that cannot go on."""


class Process:
    """A worker and the talk with it."""

    def __init__(self, peer: str, folder: Path, threads: int, passive: bool, log: Path) -> None:
        self.peer, self.log = peer, log
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "RAF_NUM_THREADS": str(threads), "JAX_PLATFORMS": "cpu", "TORCHINDUCTOR_FORCE_DISABLE_CACHES": "1"}
        if passive:
            environment["OMP_WAIT_POLICY"] = "passive"
        worker = Path(__file__).resolve().parent / "steps" / "worker.py"
        self.process = subprocess.Popen(
            [sys.executable, str(worker), peer, str(folder), str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log.open("w"), text=True, env=environment
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
        assert self.process.stdin is not None
        try:
            self.process.stdin.close()
        except OSError:
            pass
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def measure(name: str, peers: list[str], arguments: argparse.Namespace, scratch: Path) -> dict[str, Any]:
    """All peers on one workload."""
    folder = scratch / name
    folder.mkdir()
    WORKLOADS[name].write(name, folder)
    result: dict[str, Any] = {"title": WORKLOADS[name].title, "counted": floor.count(folder / "model.onnx", read_batches(folder)[0][0]), "peers": {}}
    rows = result["peers"]
    live: dict[str, Process] = {}

    def attempt(peer: str, action: Any) -> Any:
        try:
            return action()
        except PeerError as error:
            rows[peer] = {"failed": str(error)}
            say(f"{name}: {PEERS[peer]} FAILED: {error}")
            if peer in live:
                live.pop(peer).close()
            return None

    for peer in peers:
        process = attempt(peer, lambda peer=peer: Process(peer, folder, arguments.threads, arguments.passive, scratch / f"{name}-{peer}.log"))
        if process is None:
            continue
        if "absent" in process.hello:
            rows[peer] = {"absent": process.hello["absent"]}
            say(f"{name}: {PEERS[peer]} IS NOT HERE and is left out: {process.hello['absent']}")
            process.close()
            continue
        live[peer] = process
        say(f"{name}: {PEERS[peer]} starts")
        started = attempt(peer, lambda process=process: process.ask("start", steps=STEPS))
        if started:
            rows[peer] = {**process.hello, **started, "ms": [], "cpu_ms": []}
    for _ in range(arguments.rounds):
        for peer in list(live):
            time.sleep(0.05)  # threads of the one before stop spinning
            turn = attempt(peer, lambda peer=peer: live[peer].ask("run", seconds=arguments.seconds / arguments.rounds, steps=arguments.steps))
            if turn:
                rows[peer]["ms"].append(turn["ms"])
                rows[peer]["cpu_ms"].append(turn["cpu_ms"])
    for peer in list(live):
        end = attempt(peer, lambda peer=peer: live[peer].ask("end"))
        if end:
            rows[peer] |= end
            times = [t for turn in rows[peer]["ms"] for t in turn]
            rows[peer] |= {"median_ms": statistics.median(times), "min_ms": min(times)}
            live.pop(peer).close()
    ours = rows.get("raf", {})
    for row in rows.values():
        if "losses" in row and "losses" in ours and row is not ours:
            row["loss_difference"] = max(abs(a - b) for a, b in zip(ours["losses"], row["losses"])) / abs(row["losses"][0])
    return result


def table(name: str, result: dict[str, Any], rates: dict[str, Any]) -> str:
    """The rows of a workload."""
    counted, rows = result["counted"], result["peers"]
    compute, traffic = floor.milliseconds(counted, rates)
    result["floor_ms"] = {"compute": compute, "memory": traffic}
    lines = [
        f"\n{name}: {result['title']}; {counted['params']:,} parameters",
        f"  floor: {counted['flops'] / 1e9:.4g} GFLOP at {rates['flops'] / 1e9:.0f} GFLOP/s = {compute:.3g} ms; "
        f"{counted['bytes'] / 2**20:.4g} MiB at {counted['bytes'] / traffic / 1e6:.1f} GB/s = {traffic:.3g} ms",
        f"  {'':22} {'ms/step':>9} {'min':>9} {'CPU ms':>9} {'x':>6} {'floors':>7} {'first s':>8} {'MiB':>7} {'steady':>7} {'loss 1':>9} {f'loss {STEPS}':>9} {'last (step)':>16} {'difference':>11}",
    ]
    ours = rows.get("raf", {}).get("median_ms")
    for peer, row in rows.items():
        if "median_ms" not in row:
            lines.append(f"  {PEERS[peer]:22} {'not installed: ' + row['absent'] if 'absent' in row else 'FAILED: ' + row['failed'].splitlines()[0][:110]}")
            continue
        ratio = f"{row['median_ms'] / ours:.2f}" if ours else ""
        difference = f"{row['loss_difference']:.1e}" if "loss_difference" in row else ""
        last = f"{row['loss']:.4f} ({row['steps']})"
        lines.append(
            f"  {PEERS[peer]:22} {row['median_ms']:9.4g} {row['min_ms']:9.4g} {statistics.median(row['cpu_ms']):9.4g} {ratio:>6} {row['median_ms'] / max(compute, traffic):7.2f} {row['first_s']:8.2f} {row['peak_mib']:7.0f} "
            f"{row['steady_mib']:7.0f} {row['losses'][0]:9.5f} {row['losses'][-1]:9.5f} {last:>16} {difference:>11}"
        )
    return "\n".join(lines)


def machine(threads: int, passive: bool) -> dict[str, Any]:
    model = next((line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if line.startswith("model name")), "") if os.path.exists("/proc/cpuinfo") else ""
    return {"cpu": model or platform.processor(), "cpus": os.cpu_count(), "threads": threads, "passive": passive, "python": platform.python_version(), "load": os.getloadavg()}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workloads", nargs="*", metavar="WORKLOAD", help=f"{', '.join(WORKLOADS)}; default: all")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=["raf", "torch-eager", "torch-compile", "jax"])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5, help="turns of each peer (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=10, help="of each peer on each workload, without starting (default %(default)s)")
    parser.add_argument("--steps", type=int, default=200, help="at most in a turn (default %(default)s)")
    parser.add_argument("--passive", action="store_true", help="threads of OpenMP sleep while they wait (RAF and PyTorch; XLA has its own): for machines with other load")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write everything that was measured")
    arguments = parser.parse_args()
    unknown = [w for w in arguments.workloads if w not in WORKLOADS]
    if unknown or arguments.threads < 1 or arguments.rounds < 1:
        parser.error(f"unknown workload {unknown[0]!r}: {', '.join(WORKLOADS)}" if unknown else "--threads and --rounds must be at least 1")
    find_raf()
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": str(arguments.threads)}
    rates = json.loads(subprocess.run([sys.executable, floor.__file__, str(arguments.threads)], stdout=subprocess.PIPE, check=True, text=True, env=environment).stdout)
    report: dict[str, Any] = {"machine": machine(arguments.threads, arguments.passive), "rates": rates, "workloads": {}}
    print(f"{report['machine']['cpu']}, {arguments.threads} threads, load {report['machine']['load'][0]:.1f}; f32 products by {rates['gemm']}")
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for name in arguments.workloads or WORKLOADS:
            result = report["workloads"][name] = measure(name, arguments.peers, arguments, Path(scratch))
            print(table(name, result, rates), flush=True)
            failed = failed or any("failed" in row for row in result["peers"].values())
            if arguments.json:
                arguments.json.write_text(json.dumps(report, indent=1))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
