# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of the runtime's matmul plans beside numpy, and the cost of a parallel region.

    python benchmarks/runtime_gemm.py [--threads 1 2]

Transposed means that the operand lies transposed in memory. "packed" forces the repacking of B that the runtime leaves off.
Numbers are the best of several runs; on a machine that others use, two threads measure the scheduler."""

from __future__ import annotations

import argparse
import ctypes
import sys
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1] / "test" / "runtime"))

import raf_rt as R  # noqa: E402

SHAPES = [(1024, 1024, 1024), (1024, 512, 2048), (1024, 2048, 512), (256, 512, 512), (64, 512, 512), (32, 128, 64)]  # M, N, K
FORMS = [("A B", False, False), ("A B^T", False, True), ("A^T B", True, False), ("A^T B^T", True, True)]


def best_seconds(call, budget=0.2, rounds=7) -> float:
    """The fastest of `rounds` averages, `budget` seconds in all."""
    call()
    start = time.perf_counter()
    call()
    once = max(time.perf_counter() - start, 1e-7)
    repeats = max(1, int(budget / rounds / once))
    best = float("inf")
    for _ in range(rounds):
        start = time.perf_counter()
        for _ in range(repeats):
            call()
        best = min(best, (time.perf_counter() - start) / repeats)
    return best


def matrix(rng, rows, columns, transposed) -> np.ndarray:
    shape = (columns, rows) if transposed else (rows, columns)
    array = R.aligned(rows * columns * 4).view(np.float32).reshape(shape)
    array[:] = rng.standard_normal(shape)
    return array.T if transposed else array


def plan_call(rt, a, b, c, pack):
    words = R.matmul(a, b, c, pack=pack)
    workspace = R.aligned(rt.workspace(R.MATMUL, words))
    plan = rt.create(R.MATMUL, words)
    buffers = (ctypes.c_void_p * 4)(*(R.address(x) for x in (a, b, c, workspace)))
    execute, ctx = rt.lib.raf_rt_dnnl_execute, rt.ctx

    def call(keep=(a, b, c, workspace)):
        execute(ctx, plan, buffers)

    return call


def measure_products(rt, threads) -> None:
    rng = np.random.default_rng(0)
    print(f"\nGFLOP/s of f32 products, {threads} thread(s) (numpy: its own threads)")
    print(f"{'M x N x K':>16}  {'form':8} {'plan':>7} {'packed':>7} {'numpy':>7}  {'plan us':>8}")
    for m, n, k in SHAPES:
        for form, flip_a, flip_b in FORMS:
            a, b, c = matrix(rng, m, k, flip_a), matrix(rng, k, n, flip_b), matrix(rng, m, n, False)
            seconds = [best_seconds(plan_call(rt, a, b, c, pack)) for pack in (R.AUTO, R.ANY)]
            seconds.append(best_seconds(lambda a=a, b=b, c=c: np.matmul(a, b, out=c)))
            rates = "".join(f" {2 * m * n * k / s / 1e9:7.0f}" for s in seconds)
            print(f"{f'{m} x {n} x {k}':>16}  {form:8}{rates}  {seconds[0] * 1e6:8.1f}", flush=True)


FORK_JOIN = """
#include <stdint.h>
#include <time.h>
typedef void (*body_t)(void *, int64_t, int64_t);
typedef void (*parallel_for_t)(void *, body_t, void *, int64_t, int64_t);
static void nothing(void *env, int64_t begin, int64_t end) { (void)env; (void)begin; (void)end; }
double fork_join(parallel_for_t parallel_for, int64_t n, int64_t regions) {
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  for (int64_t i = 0; i < regions; ++i) parallel_for(0, nothing, 0, n, 1);
  clock_gettime(CLOCK_MONOTONIC, &b);
  return ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / regions;
}
"""


def measure_fork_join(rt, threads) -> None:
    """Compiled with cc, since a Python callback costs more than the region."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "fork_join.so")
        try:
            subprocess.run(["cc", "-O2", "-shared", "-fPIC", "-xc", "-", "-o", library], input=FORK_JOIN.encode(), check=True)
        except (OSError, subprocess.CalledProcessError):
            print("fork-join: not measured, no C compiler")
            return
        function = ctypes.CDLL(str(library)).fork_join
        function.restype, function.argtypes = ctypes.c_double, [ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64]
        target = ctypes.cast(rt.lib.raf_rt_parallel_for, ctypes.c_void_p)
        function(target, threads, 1000)
        inline = min(function(target, 1, 10000) for _ in range(20))
        region = min(function(target, threads, 1000) for _ in range(50))
    print(f"\nparallel_for, {threads} thread(s): {region:.0f} ns a region, {inline:.1f} ns when it runs inline")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, nargs="+", help="default: 1 and all")
    arguments = parser.parse_args()
    path = R.find_library()
    if path is None:
        sys.exit("the runtime library was not found: set RAF_RUNTIME_LIBRARY or install the package raf")
    rt = R.Runtime(R.load(path))
    print(rt.lib.raf_rt_info().decode())
    for threads in arguments.threads or sorted({1, rt.lib.raf_rt_get_num_threads()}):
        rt.check(rt.lib.raf_rt_set_num_threads(threads), context=False)
        measure_fork_join(rt, threads)
        measure_products(rt, threads)


if __name__ == "__main__":
    main()
