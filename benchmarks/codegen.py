# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Speed of generated kernels: matrix products beside oneDNN, and kernels bound by memory as a share of the bandwidth of a copy.

    python benchmarks/codegen.py [--threads 1 2] [--only products|memory] [--kernels softmax ...] [--seconds 1]

What is compared runs in turns in one process, and the fastest run of each counts. On one thread the clock is the processor time of the thread, so that others on the
machine cost little but cache. Bytes are those that the kernel has to move at least: each operand once, each result once."""

from __future__ import annotations

import argparse
import json
import threading
import time

import numpy as np
import raf
from raf._core import Executable

PRODUCTS = [  # M, N, K, transposed A, transposed B, type, epilogue
    (1024, 1024, 1024, False, False, "f32", ""),
    (1024, 1024, 1024, False, False, "f32", "bias"),
    (1024, 1024, 1024, False, False, "f32", "bias, relu"),
    (1024, 1024, 1024, False, False, "f32", "bias, gelu"),
    (1024, 1024, 1024, False, False, "f32", "bias, add"),
    (1024, 1024, 1024, False, True, "f32", ""),
    (1024, 1024, 1024, True, False, "f32", ""),
    (1024, 1024, 1024, False, False, "bf16", ""),
    (1024, 1024, 1024, False, False, "bf16", "bias, gelu"),
    (1024, 1024, 1024, False, False, "bf16", "bias, add"),
    (1024, 1024, 1024, False, True, "bf16", ""),
    (1024, 1024, 1024, True, False, "bf16", ""),
    (512, 2048, 512, False, False, "f32", ""),
    (768, 768, 3072, False, True, "f32", ""),
    (257, 509, 383, False, False, "f32", ""),
    (64, 512, 512, False, False, "f32", ""),
]
EPILOGUES = {  # of a value %x of type TYPE, with the broadcast vector %bias and the matrix %d
    "bias": "raf.add %x, %bias : TYPE",
    "relu": "raf.relu %x : TYPE",
    "gelu": "raf.gelu tanh %x : TYPE",
    "add": "raf.add %x, %d : TYPE",
}
SIZES = [(8192, 2048), (8009, 2003)]
MEMORY = {  # name: (arguments, body with its results in %y.., type of %y, matrices moved at least)
    "add": ("%a: MATRIX, %b: MATRIX", "%y = raf.add %a, %b : MATRIX", "MATRIX", 3),
    "gelu": ("%a: MATRIX", "%y = raf.gelu erf %a : MATRIX", "MATRIX", 2),
    "gelu, tanh": ("%a: MATRIX", "%y = raf.gelu tanh %a : MATRIX", "MATRIX", 2),
    "dropout": ("%a: MATRIX, %s: SEED, %t: SEED", "%y = raf.dropout %a, %s, %t ratio = 0.1 op_id = 3 : MATRIX", "MATRIX", 2),
    "softmax": ("%a: MATRIX", "%y = raf.softmax %a axis = 1 : MATRIX", "MATRIX", 2),
    "softmax gradient": (
        "%p: MATRIX, %d: MATRIX",
        """%0 = raf.mul %p, %d : MATRIX
  %1 = raf.reduce sum %0 dims = [1] : MATRIX -> COLUMN
  %2 = raf.broadcast %1 dims = [0] : COLUMN to MATRIX
  %3 = raf.sub %d, %2 : MATRIX
  %y = raf.mul %3, %p : MATRIX""",
        "MATRIX",
        3,
    ),
    "layer norm": (
        "%a: MATRIX, %g: ROW, %b: ROW",
        "%y, %m, %r = raf.layer_norm %a, %g, %b axis = 1 epsilon = 1.0e-5 : (MATRIX, ROW, ROW) -> (MATRIX, COLUMN, COLUMN)",
        "MATRIX",
        2,
    ),
    "norm gradient": (  # of the normalized rows
        "%x: MATRIX, %d: MATRIX, %r: COLUMN",
        """%0 = raf.reduce sum %d dims = [1] : MATRIX -> COLUMN
  %1 = raf.mul %x, %d : MATRIX
  %2 = raf.reduce sum %1 dims = [1] : MATRIX -> COLUMN
  %3 = raf.broadcast %0 dims = [0] : COLUMN to MATRIX
  %4 = raf.broadcast %2 dims = [0] : COLUMN to MATRIX
  %5 = raf.broadcast %r dims = [0] : COLUMN to MATRIX
  %6 = raf.mul %x, %4 : MATRIX
  %7 = raf.sub %d, %3 : MATRIX
  %8 = raf.sub %7, %6 : MATRIX
  %y = raf.mul %8, %5 : MATRIX""",
        "MATRIX",
        3,
    ),
    "cross entropy": (
        "%a: MATRIX, %l: LABELS",
        "%y, %e = raf.cross_entropy %a, %l ignore_index = -100 label_smoothing = 0.0 : MATRIX, LABELS -> tensor<f32>, COLUMN",
        "tensor<f32>",
        1,
    ),
    "its gradient": (
        "%o: tensor<f32>, %a: MATRIX, %l: LABELS, %e: COLUMN",
        "%y = raf.cross_entropy_grad %o, %a, %l, %e ignore_index = -100 label_smoothing = 0.0 : tensor<f32>, MATRIX, LABELS, COLUMN -> MATRIX",
        "MATRIX",
        2,
    ),
    "sum of rows": ("%a: MATRIX", "%y = raf.reduce sum %a dims = [1] : MATRIX -> COLUMN", "COLUMN", 1),
    "sum of columns": ("%a: MATRIX", "%y = raf.reduce sum %a dims = [0] : MATRIX -> ROW", "ROW", 1),
    "sum of all": ("%a: MATRIX", "%y = raf.reduce sum %a dims = [0, 1] : MATRIX -> tensor<f32>", "tensor<f32>", 1),
    "transpose": ("%a: MATRIX", "%y = raf.transpose %a permutation = [1, 0] : MATRIX -> FLIPPED", "FLIPPED", 2),
}
ADAM = """func.func @main(%p: MATRIX {raf.role = "param", raf.name = "p"}, %g: MATRIX {raf.role = "input", raf.name = "g"}, %m: MATRIX {raf.role = "state", raf.name = "m"},
    %v: MATRIX {raf.role = "state", raf.name = "v"}, %lr: tensor<f32> {raf.role = "lr", raf.name = "lr"}, %step: tensor<i64> {raf.role = "step", raf.name = "step"})
    -> (MATRIX {raf.name = "new:p", raf.alias = 0 : i64}, MATRIX {raf.name = "new:m", raf.alias = 2 : i64}, MATRIX {raf.name = "new:v", raf.alias = 3 : i64}) {
  %p1, %m1, %v1 = raf.adam_update %p, %g, %m, %v, %lr, %step beta1 = 0.9 beta2 = 0.999 epsilon = 1.0e-8 weight_decay = 0.01 decoupled
      : (MATRIX, MATRIX, MATRIX, MATRIX, tensor<f32>, tensor<i64>) -> (MATRIX, MATRIX, MATRIX)
  return %p1, %m1, %v1 : MATRIX, MATRIX, MATRIX
}"""


def with_types(text: str, rows: int, columns: int) -> str:
    types = {"MATRIX": f"{rows}x{columns}xf32", "FLIPPED": f"{columns}x{rows}xf32", "ROW": f"{columns}xf32", "COLUMN": f"{rows}xf32", "LABELS": f"{rows}xi64", "SEED": "i64"}
    for name, shape in types.items():
        text = text.replace(name, f"tensor<{shape}>")
    return text


def function(arguments: str, body: str, result: str) -> str:
    arguments = ", ".join(f'{a} {{raf.role = "input", raf.name = "{a[1]}"}}' for a in arguments.split(", "))
    return f'func.func @main({arguments}) -> ({result} {{raf.name = "y"}}) {{\n  {body}\n  return %y : {result}\n}}'


def product(m: int, n: int, k: int, flip_a: bool, flip_b: bool, dtype: str, epilogue: str) -> str:
    a, b, y = (f"tensor<{r}x{c}x{dtype}>" for r, c in ((k, m) if flip_a else (m, k), (n, k) if flip_b else (k, n), (m, n)))
    flags = ("transpose_lhs " if flip_a else "") + ("transpose_rhs " if flip_b else "")
    row = f"tensor<{n}x{dtype}>"
    parts = epilogue.split(", ") if epilogue else []
    arguments = {"a": a, "b": b} | ({"c": row} if "bias" in parts else {}) | ({"d": y} if "add" in parts else {})
    lines = [f"%0 = raf.matmul %a, %b {flags}: {a}, {b} -> {y}"]
    if "bias" in parts:
        lines.append(f"%bias = raf.broadcast %c dims = [1] : {row} to {y}")
    lines += [f"%{i} = " + EPILOGUES[part].replace("%x", f"%{i - 1}").replace("TYPE", y) for i, part in enumerate(parts, 1)]
    described = ", ".join(f'%{name}: {kind} {{raf.role = "input", raf.name = "{name}"}}' for name, kind in arguments.items())
    body = "\n  ".join(lines)
    return f'func.func @main({described}) -> ({y} {{raf.name = "y"}}) {{\n  {body}\n  return %{len(parts)} : {y}\n}}'


def aligned(count: int, dtype: str) -> np.ndarray:
    size = {"f32": 4, "bf16": 2, "i64": 8}[dtype]
    raw = np.zeros(count * size + 4096, np.uint8)
    array = raw[-raw.ctypes.data % 4096 :][: count * size]
    if dtype == "f32":
        array.view(np.float32)[:] = np.random.default_rng(0).random(count, np.float32)
    else:
        array.view(np.uint16 if dtype == "bf16" else np.int64)[:] = 0x3F80 if dtype == "bf16" else 1
    return array


class Program:
    def __init__(self, module: str, threads: int, libraries: tuple[str, ...] = ()) -> None:
        start = time.perf_counter()
        options = {"opt_level": 2, "num_threads": threads} | ({"libraries": list(libraries)} if libraries else {})
        self.executable = Executable.compile(module, json.dumps(options))
        self.compiled = time.perf_counter() - start
        manifest = json.loads(self.executable.manifest)
        described = [*manifest["args"], *(r for r in manifest["results"] if r.get("alias") is None)]
        self.buffers = [aligned(int(np.prod(d["shape"])), d["dtype"]) for d in described]
        for index, buffer in enumerate(self.buffers):
            self.executable.bind(index, buffer.ctypes.data)

    def __call__(self) -> None:
        self.executable.run()


def in_turns(runs: list, threads: int, seconds: float, pause: float = 0.0) -> list[float]:
    """The fastest run of each, in seconds."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    best = [float("inf")] * len(runs)
    end = time.perf_counter() + seconds * len(runs)
    while time.perf_counter() < end:
        for i, run in enumerate(runs):
            start = clock()
            run()
            best[i] = min(best[i], clock() - start)
            if pause:
                time.sleep(pause)
    return best


def measure_products(threads: int, seconds: float) -> None:
    print(f"\nGFLOP/s of products, {threads} thread(s)\n{'M x N x K':>18} {'form':8} {'type':5} {'epilogue':10} {'generated':>9} {'oneDNN':>7} {'ratio':>6}  compiled in")
    for m, n, k, flip_a, flip_b, dtype, epilogue in PRODUCTS:
        module = product(m, n, k, flip_a, flip_b, dtype, epilogue)
        programs = [Program(module, threads, libraries) for libraries in ((), ("dnnl",))]
        mine, theirs = in_turns(programs, threads, seconds)
        form = f"A{'^T' if flip_a else ''} B{'^T' if flip_b else ''}"
        flops = 2e-9 * m * n * k
        print(f"{f'{m} x {n} x {k}':>18} {form:8} {dtype:5} {epilogue:10} {flops / mine:9.1f} {flops / theirs:7.1f} {theirs / mine:6.2f}  {programs[0].compiled:.2f} s", flush=True)


class Copy:
    """A matrix copied by several threads."""

    def __init__(self, threads: int, count: int) -> None:
        source, target = (aligned(count, "f32").view(np.float32) for _ in range(2))
        self.parts = list(zip(np.array_split(source, threads), np.array_split(target, threads)))

    def __call__(self) -> None:
        others = [threading.Thread(target=np.copyto, args=(target, source)) for source, target in self.parts[1:]]
        for other in others:
            other.start()
        source, target = self.parts[0]
        np.copyto(target, source)
        for other in others:
            other.join()


def measure_memory(threads: int, seconds: float, names: list[str] | None) -> None:
    kernels = {name: (function(*what[:3]), what[3]) for name, what in MEMORY.items()} | {"adam update": (ADAM, 7)}
    for rows, columns in SIZES:
        matrix = rows * columns * 4e-9
        print(f"\nGB/s of kernels bound by memory, {threads} thread(s), {rows} x {columns} f32\n{'':18} {'generated':>9} {'copy':>7} {'share':>6}")
        for name, (module, moved) in kernels.items():
            if names and name not in names:
                continue
            program = Program(with_types(module, rows, columns), threads)
            # OpenMP's threads, which spin for a while after a kernel, leave the cores to those of the copy.
            mine, copy = in_turns([program, Copy(threads, rows * columns)], threads, seconds, pause=0.01 if threads > 1 else 0.0)
            rate, bandwidth = moved * matrix / mine, 2 * matrix / copy
            print(f"{name:18} {rate:9.1f} {bandwidth:7.1f} {rate / bandwidth:6.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    parser.add_argument("--only", choices=["products", "memory"])
    parser.add_argument("--kernels", nargs="+", metavar="NAME", help="of those bound by memory: only these")
    parser.add_argument("--seconds", type=float, default=1.0, help="for each program")
    arguments = parser.parse_args()
    print(f"raf {raf.__version__}")
    for threads in arguments.threads:
        if arguments.only != "memory":
            measure_products(threads, arguments.seconds)
        if arguments.only != "products":
            measure_memory(threads, arguments.seconds, arguments.kernels)


if __name__ == "__main__":
    main()
