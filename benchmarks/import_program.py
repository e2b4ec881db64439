#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How long a StableHLO program of many operators takes to import.

    python benchmarks/import_program.py --ops 10000
"""

import argparse
import statistics
import time

import raf


def program(ops: int) -> str:
    """A chain of pointwise operators in generic form."""
    kind = "tensor<8xf32>"
    lines = [f'%0 = "stablehlo.sine"(%x) : ({kind}) -> {kind}']
    for i in range(1, ops):
        operator = ("add", "multiply", "subtract")[i % 3]
        lines.append(f'%{i} = "stablehlo.{operator}"(%{i - 1}, %x) : ({kind}, {kind}) -> {kind}')
    body = "\n".join(lines)
    return (
        f'module {{\n"func.func"() <{{function_type = ({kind}) -> {kind}, sym_name = "main"}}> ({{\n^bb0(%x: {kind}):\n{body}\n'
        f'"func.return"(%{ops - 1}) : ({kind}) -> ()\n}}) : () -> ()\n}}'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ops", type=int, default=10_000, help="operators in the program")
    parser.add_argument("--rounds", type=int, default=5, help="times to import it")
    arguments = parser.parse_args()
    text = program(arguments.ops)
    times = []
    for _ in range(arguments.rounds):
        start = time.perf_counter()
        raf.import_stablehlo(text)
        times.append(time.perf_counter() - start)
    print(f"{arguments.ops} operators, {len(text) / 1e6:.1f} MB: median {statistics.median(times):.2f} s, fastest {min(times):.2f} s")


if __name__ == "__main__":
    main()
