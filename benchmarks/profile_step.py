#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where RAF's training step of a workload spends its time and memory, as `raf profile` shows it for a model.

    python benchmarks/profile_step.py gpt
    python benchmarks/profile_step.py resnet18 --amp bf16 --by node --top 40 --memory memory.png --trace step.json
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from steps import find_raf, report  # noqa: E402
from steps.workloads import WORKLOADS, read_batches  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("workload", choices=WORKLOADS)
    parser.add_argument("--amp", choices=report.PRECISIONS, default="none")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--by", choices=["op", "node"], default="op")
    parser.add_argument("--top", type=int, default=25, help="rows (default %(default)s)")
    parser.add_argument("--libraries", nargs="*", default=["dnnl"])
    parser.add_argument("--opt-level", type=int, default=2)
    parser.add_argument("--trace", type=Path, metavar="FILE")
    parser.add_argument("--memory", type=Path, metavar="FILE")
    parser.add_argument("--graph", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    find_raf()
    from raf.errors import Error
    from steps import raf_peer

    try:
        with tempfile.TemporaryDirectory() as scratch:
            folder = Path(scratch)
            WORKLOADS[arguments.workload].write(folder)
            inputs, labels = read_batches(folder)[0]
            trainer = raf_peer.build(folder, arguments.threads, arguments.amp, libraries=tuple(arguments.libraries), opt_level=arguments.opt_level)
            begin = time.perf_counter()
            profile = trainer.profile(*inputs, labels, steps=arguments.steps)
            print(f"{arguments.workload}: compiled and profiled in {time.perf_counter() - begin:.2f} s, memory {profile.memory}")
            print(profile.table(arguments.by, arguments.top))
            if arguments.trace:
                profile.to_chrome_trace(arguments.trace)
            if arguments.memory:
                profile.memory_picture(arguments.memory)
            if arguments.graph:
                profile.graph_picture(arguments.graph)
    except Error as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
