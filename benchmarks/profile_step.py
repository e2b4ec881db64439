#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where RAF's training step spends its time: each kernel and library call of a workload.

    python benchmarks/profile_step.py gpt
    python benchmarks/profile_step.py resnet18 --by-op --top 40

An op's time is its shortest in the profiled steps, since what disturbs only adds; the hooks around ops cost well under a microsecond each. MiB is what the op reads and writes,
each buffer once; GFLOP that of products and convolutions. "inside" names the ops of a kernel's body.
"""

from __future__ import annotations

import argparse
import itertools
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import find_raf, find_tool  # noqa: E402
from steps.workloads import WORKLOADS, read_batches  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--top", type=int, default=25, help="rows (default %(default)s)")
    parser.add_argument("--by-op", action="store_true", help="a row for each launch and call, in the order of the step, instead of one for each kernel and kind of call")
    parser.add_argument("--libraries", nargs="*", default=["dnnl"])
    parser.add_argument("--opt-level", type=int, default=2)
    arguments = parser.parse_args()
    find_raf()
    from steps import profiling, raf_peer

    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        WORKLOADS[arguments.workload].write(arguments.workload, folder)
        turns = itertools.cycle(read_batches(folder))
        trainer = raf_peer.build(folder, arguments.threads, libraries=tuple(arguments.libraries), opt_level=arguments.opt_level, profile=True)
        begin = time.perf_counter()
        trainer.step(*next(turns))
        print(f"{arguments.workload}: first step {time.perf_counter() - begin:.2f} s, memory {trainer.memory}")
        program = trainer._current
        described = profiling.describe(profiling.lower(trainer, find_tool("raf-opt"), arguments.threads))
        executable, names = program.executable, program.manifest.raw["ops"]
        if [d.name for d in described] != names:
            sys.exit("the step's ops are not those of the lowered module")
        runs, walls = [], []
        for _ in range(arguments.steps):
            executable.profile(1 << 16)
            begin = time.perf_counter()
            trainer.step(*next(turns))
            walls.append((time.perf_counter() - begin) * 1e6)
            records, lost = executable.profile_records()
            if lost:
                sys.exit(f"{lost} records of a step were lost")
            runs.append({op: (end - start) / 1e3 for op, start, end, thread in records if thread < 0})
    times = {op: min(run[op] for run in runs) for op in runs[0]}
    wall, inside = min(walls), sum(times.values())
    print(f"step {wall / 1e3:.4g} ms, of it in {len(names)} kernels and calls {inside / 1e3:.4g} ms; {trainer._current.manifest.raw['library_calls']} library calls, "
          f"{len(trainer._current.manifest.raw['kernels'])} kernels")
    rows: dict[str, list[int]] = defaultdict(list)
    for op, name in enumerate(names):
        rows[f"{op} {name}" if arguments.by_op else described[op].key].append(op)
    order = list(rows.items()) if arguments.by_op else sorted(rows.items(), key=lambda item: -sum(times[o] for o in item[1]))
    print(f"{'us':>10} {'%':>5} {'n':>4} {'MiB':>8} {'GB/s':>6} {'GFLOP/s':>8}  what")
    for name, ops in order[: None if arguments.by_op else arguments.top]:
        spent = sum(times[o] for o in ops)
        infos = [described[o] for o in ops]
        moved, flops = sum(i.bytes for i in infos), sum(i.flops for i in infos)
        print(f"{spent:10.1f} {100 * spent / inside:5.1f} {len(ops):4} {moved / 2**20:8.2f} {moved / max(spent, 1e-9) / 1e3:6.1f} {flops / max(spent, 1e-9) / 1e3:8.1f}  "
              f"{name} {infos[0].key if arguments.by_op and not infos[0].text else infos[0].text}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
