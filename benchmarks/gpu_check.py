#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks and times RAF on an NVIDIA GPU, in two parts, since machines with GPUs often have no compiler.

    python benchmarks/gpu_check.py prepare DIR                        here: compiles programs for cuda:sm_90a into a folder
    python benchmarks/gpu_check.py run DIR --json result.json         there: builds the runtime, runs them all, and times training steps beside PyTorch and JAX
    python benchmarks/gpu_check.py --target cuda-sim --small          both parts, tiny, on the simulated GPU

`run` needs this checkout, the folder, a C++ compiler, cmake, nanobind, numpy, ml_dtypes and safetensors. Everything else is left out loudly where it is not installed: PyTorch, which the
families of ops and the models are compared with (in f64 and f32), and JAX. Peers are processes of their own, one after the other.

What it prints: for each op the largest difference over what is allowed; for each model the losses beside PyTorch's; for each timed model and peer milliseconds of a step (the median), its
ratio to RAF's, peak memory, kernels of a step, and the share of the ceilings that were measured here: of products in the model's type and of a copy's bandwidth. On a simulated GPU times
mean nothing and are only printed to try the script.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent))

from gpu import report  # noqa: E402
from steps import ROOT, find_raf  # noqa: E402

HERE = Path(__file__).resolve().parent
PEERS = ("raf", "torch-eager", "torch-compile", "jax")
#: Of the time that is left after the build: ops and families at first, so that the models have the rest. What they do not reach comes last.
PROGRAMS_SHARE = 0.35
#: Of the whole limit: no process of ceilings or of a peer takes more, so that one that hangs leaves time for the others.
PROCESS_SHARE = 0.25


def say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


class Run:
    """The second part."""

    def __init__(self, folder: Path, arguments: argparse.Namespace) -> None:
        self.folder, self.arguments = folder, arguments
        self.check = json.loads((folder / "check.json").read_text())
        self.simulated = self.check["target"] == "cuda-sim"
        self.device = "cpu" if self.simulated else "cuda"
        self.end = time.monotonic() + arguments.limit
        self.environment = dict(os.environ)
        self.data: dict[str, Any] = {"target": self.check["target"], "small": self.check["small"], "checks": [], "models": {}}

    @property
    def left(self) -> float:
        return self.end - time.monotonic()

    def build(self) -> None:
        """The package with the runtime alone, in a folder beside the executables."""
        begin = time.monotonic()
        site = self.folder / "site"
        shutil.rmtree(site, ignore_errors=True)
        # numpy and the other packages are those of this Python.
        build = self.folder / "build"
        configure = ["cmake", "-S", ROOT, "-B", build, "-DRAF_BUILD_COMPILER=OFF", "-DRAF_WITH_DNNL=OFF", "-DCMAKE_BUILD_TYPE=Release", f"-DPython_EXECUTABLE={sys.executable}"]
        for command in (configure, ["cmake", "--build", build, "-j", str(os.cpu_count() or 1)], ["cmake", "--install", build, "--prefix", site]):
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True)
            if done.returncode:
                raise SystemExit(f"error: the runtime was not built: {' '.join(map(str, command))}\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
        shutil.copytree(ROOT / "python" / "raf", site / "raf", dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
        self.use(site)
        self.data["build_s"] = time.monotonic() - begin
        say(f"the runtime was built in {self.data['build_s']:.0f} s")

    def use(self, site: Path) -> None:
        self.environment["PYTHONPATH"] = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
        self.environment.pop("RAF_BUILD_DIR", None)

    def python(self, script: str, *arguments: object, timeout: float) -> tuple[list[dict[str, Any]], str]:
        """The JSON lines that a process writes, and why it has ended too early."""
        command = [sys.executable, str(HERE / "gpu" / script), *map(str, arguments)]
        with tempfile.TemporaryFile("w+") as log:
            try:
                done = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, text=True, env=self.environment, timeout=max(timeout, 1))
                out, failed = done.stdout, f"its process ended with status {done.returncode}" if done.returncode else ""
            except subprocess.TimeoutExpired as error:
                out, failed = (error.stdout or b"").decode() if isinstance(error.stdout, bytes) else (error.stdout or ""), f"no end after {timeout:.0f} s"
            log.seek(0)
            lines = log.read().strip().splitlines()
        return [json.loads(line) for line in out.splitlines() if line.startswith("{")], f"{failed}: {lines[-1] if lines else 'no message'}" if failed else ""

    def programs(self, todo: list[str], seconds: float) -> list[str]:
        """Ops and families; a process for as many as go well. What the time does not suffice for."""
        end = time.monotonic() + min(seconds, self.left)
        while todo and (left := end - time.monotonic()) > 0:
            results, failed = self.python("checker.py", self.folder, self.device, *todo, timeout=left)
            # The one that the end of this part has met is tried again in the next.
            met = time.monotonic() >= end and self.left > 10
            if len(results) < len(todo) and (failed or not results) and not met:
                results.append({"name": todo[len(results)], "error": failed or "nothing was said"})
            for result in results:
                if "absent" in result:
                    say(f"{result['name']} IS NOT COMPARED: {result['absent']}")
                elif "error" in result or not result["worst"] <= 1:
                    say(f"{result['name']} FAILED: {result.get('error') or 'off by %.3g times the tolerance' % result['worst']}")
            self.data["checks"] += results
            todo = todo[len(results) :]
        return todo

    def models(self) -> None:
        peers = self.arguments.peers
        timed = [name for name, entry in self.check["models"].items() if entry["timed"]]
        compared = [name for name in self.check["models"] if name not in timed]
        # One process trains all that is only compared; what is timed has a process of its own, whose peak of memory is the model's.
        turns = [(compared, peer, 0.0) for peer in peers if peer in ("raf", "torch-eager")]
        turns += [([name], peer, self.arguments.seconds) for peer in peers for name in timed]
        absent: dict[str, str] = {}
        for names, peer, seconds in turns:
            for name, row in zip(names, self.trained(names, peer, seconds, absent.get(peer))):
                self.told(name, peer, row, absent)
                entry = self.check["models"][name]
                model = self.data["models"].setdefault(name, {"timed": seconds > 0, "counted": entry["counted"], "amp": entry["amp"], "peers": {}})
                model["peers"][peer] = row

    def trained(self, names: list[str], peer: str, seconds: float, left_out: str | None) -> list[dict[str, Any]]:
        """A row for each model; a process for as many as go well, and another one for those after the one that ended it."""
        rows: list[dict[str, Any]] = [{"absent": left_out} for _ in names if left_out]
        end = time.monotonic() + PROCESS_SHARE * self.arguments.limit
        while len(rows) < len(names) and self.left >= 10 and (share := end - time.monotonic()) > 1:
            rest = names[len(rows) :]
            answers, failed = self.python("worker.py", peer, ",".join(rest), self.folder, self.device, 5, seconds, timeout=min(self.left, share))
            rows += answers
            if len(answers) < len(rest):
                rows.append({"failed": failed or "nothing was said"})
        return rows + [{"absent": report.NO_TIME} for _ in names[len(rows) :]]

    @staticmethod
    def told(name: str, peer: str, row: dict[str, Any], absent: dict[str, str]) -> None:
        who = report.NAMES[peer]
        if "absent" in row:
            if peer not in absent:
                say(f"{name}: {who} IS LEFT OUT: {row['absent']}")
            if row["absent"] != report.NO_TIME:
                absent[peer] = row["absent"]
        elif "failed" in row:
            say(f"{name}: {who} FAILED: {row['failed']}")
        else:
            say(f"{name}: {who} " + (f"{row['ms']:.2f} ms" if "ms" in row else "trained"))

    def ceilings(self) -> None:
        answers, failed = self.python("ceilings.py", self.device, "small" if self.check["small"] else "full", timeout=min(self.left, PROCESS_SHARE * self.arguments.limit))
        self.data["ceilings"] = answers[-1] if answers else {"absent": failed}
        if "absent" in self.data["ceilings"]:
            say(f"THE CEILINGS ARE NOT MEASURED: {self.data['ceilings']['absent']}")

    def run(self) -> int:
        if not self.arguments.no_build:
            self.build()
        answers, failed = self.python("ceilings.py", self.check["target"].partition(":")[0], "doctor", timeout=60)
        if not answers or not answers[0]["devices"]:
            missing = answers[0]["missing"] if answers else failed
            say(f"error: no device for the target {self.check['target']}: {missing}")
            return 1
        self.data["device"] = answers[0]
        rest = self.programs([f"{kind}/{name}" for kind in ("families", "ops") for name in self.check[kind]], PROGRAMS_SHARE * self.left)
        self.ceilings()
        self.models()
        rest = self.programs(rest, self.left)
        self.data["checks"] += [{"name": name, "absent": report.NO_TIME} for name in rest]
        self.data["seconds"] = self.arguments.limit - self.left
        failures = report.judge(self.data)
        print(report.table(self.data))
        for failure in failures:
            print(f"FAILED: {failure}")
        if self.arguments.json:
            self.arguments.json.write_text(json.dumps(self.data, indent=1))
        return int(bool(failures))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", nargs="?", choices=("prepare", "run"), help="both if not given")
    parser.add_argument("folder", nargs="?", type=Path, help="a temporary one if not given, for both parts")
    parser.add_argument("--target", default="cuda:sm_90a", help="what prepare compiles for (default %(default)s)")
    parser.add_argument("--small", action="store_true", help="tiny sizes and few ops, to try the script")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="prepare these programs, or kinds (ops, families, models), alone; other names are errors")
    parser.add_argument("--peers", nargs="+", choices=PEERS, default=list(PEERS))
    parser.add_argument("--seconds", type=float, default=5, help="of timed steps of each peer (default %(default)s)")
    parser.add_argument("--limit", type=float, default=470, help="seconds for run, after which what is not done is left out and fails; the default of %(default)s keeps a whole run under eight minutes")
    parser.add_argument("--no-build", action="store_true", help="run with the raf of this Python or of build/ instead of building the runtime")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write all that was found")
    arguments = parser.parse_args()
    if arguments.part and arguments.folder is None:
        parser.error(f"{arguments.part} needs a folder")
    if arguments.part == "run" and not (arguments.folder / "check.json").is_file():
        parser.error(f"{arguments.folder} holds no check.json: write it with {Path(sys.argv[0]).name} prepare {arguments.folder}")
    if arguments.target != "cuda-sim" and not arguments.target.startswith("cuda:sm_"):
        parser.error(f"--target {arguments.target}: expected cuda:sm_90a or another chip, or cuda-sim")
    return arguments


def main() -> int:
    arguments = parse()
    with tempfile.TemporaryDirectory() as scratch:
        folder = (arguments.folder or Path(scratch)).absolute()
        if arguments.part != "run":
            find_raf()
            from gpu.prepare import UnknownName, prepare
            from raf.errors import Error

            try:
                prepare(folder, arguments.target, arguments.small, arguments.only, say)
            except (Error, UnknownName) as error:
                say(f"error: {error}")
                return 1
        return 0 if arguments.part == "prepare" else Run(folder, arguments).run()


if __name__ == "__main__":
    sys.exit(main())
