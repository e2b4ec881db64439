# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast a step could be: counted arithmetic and memory traffic over measured rates. Run as a program it measures the rates: python floor.py THREADS.

Arithmetic is that of the contractions (matrix products, convolutions, recurrent gates), a multiply-add as two. Traffic is what is left when everything else
is fused into them: each operand and result of a contraction once in each of its three products, and for each parameter AdamW's reads and writes
(parameter, gradient and two moments in; parameter and two moments out).
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steps import ROOT, find_raf  # noqa: E402

_ADAMW_WORDS = 7
#: Traffic of a step up to which it stays in the cores' own caches.
_CACHED = 1 << 20


def count(path: Path, x: np.ndarray) -> dict[str, int]:
    """FLOPs and bytes of a training step of an ONNX file, and its parameters."""
    import onnx

    model = onnx.load(str(path))
    for dim, size in zip(model.graph.input[0].type.tensor_type.shape.dim, x.shape):
        dim.dim_value = size
    graph = onnx.shape_inference.infer_shapes(model, strict_mode=True, data_prop=True).graph
    shapes = {v.name: [d.dim_value for d in v.type.tensor_type.shape.dim] for v in (*graph.input, *graph.value_info, *graph.output)}
    weights = {t.name: list(t.dims) for t in graph.initializer if t.data_type == onnx.TensorProto.FLOAT and not t.name.startswith("const_")}
    shapes |= {t.name: list(t.dims) for t in graph.initializer}
    learned = {n for n in weights if ".running_" not in n}
    depends = set(learned)  # values that have a gradient
    flops = words = 0
    for node in graph.node:
        if any(i in depends for i in node.input):
            depends.update(node.output)
        for work, lhs, rhs, out in _contractions(node, shapes):
            passes = 1 + (lhs in depends) + (rhs in depends)
            flops += passes * work
            words += passes * sum(math.prod(shapes[n]) if isinstance(n, str) else n for n in (lhs, rhs, out))
    params = sum(math.prod(weights[n]) for n in learned)
    return {"params": params, "flops": flops, "bytes": 4 * (words + _ADAMW_WORDS * params)}


def _contractions(node: Any, shapes: dict[str, list[int]]) -> list[tuple[int, str, str, Any]]:
    """(FLOPs forward, operand, operand, result or its size) of each product of a node."""
    if node.op_type not in ("MatMul", "Gemm", "Conv", "LSTM", "GRU", "RNN"):
        return []
    a, b = node.input[:2]
    out = next(o for o in node.output if o)
    if node.op_type == "Conv":
        return [(2 * math.prod(shapes[out]) * math.prod(shapes[b][1:]), a, b, out)]
    if node.op_type in ("MatMul", "Gemm"):
        flipped = any(x.name == "transA" and x.i for x in node.attribute)
        return [(2 * math.prod(shapes[out]) * shapes[a][0 if flipped else -1], a, b, out)]
    time_steps, batch, _ = shapes[a]
    r = node.input[2]
    gates = time_steps * batch * math.prod(shapes[r][:2])
    return [(2 * gates * shapes[b][2], a, b, gates), (2 * gates * shapes[r][2], out, r, gates)]


def _best(call: Callable[[], Any], seconds: float) -> float:
    call()
    best, end = math.inf, time.perf_counter() + seconds
    while time.perf_counter() < end:
        begin = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - begin)
    return best


def _gemm(size: int, threads: int) -> tuple[Callable[[], Any], str]:
    """A product of f32 matrices by RAF's runtime, or by numpy."""
    sys.path.insert(0, str(ROOT / "test" / "runtime"))
    try:
        import raf_rt as R

        library = R.find_library()
        if library is None:
            raise OSError("no runtime")
        rt = R.Runtime(R.load(library))
    except (ImportError, OSError):
        a = np.ones((size, size), np.float32)
        return lambda: a @ a, "numpy"
    rt.check(rt.lib.raf_rt_set_num_threads(threads), context=False)
    arrays = [R.aligned(4 * size * size).view(np.float32).reshape(size, size) for _ in range(3)]
    for array in arrays:
        array[:] = 1
    words = R.matmul(*arrays, pack=R.ANY)
    workspace = R.aligned(rt.workspace(R.MATMUL, words))
    plan = rt.create(R.MATMUL, words)
    pointers = (ctypes.c_void_p * 4)(*(R.address(b) for b in (*arrays, workspace)))
    execute, keep = rt.lib.raf_rt_dnnl_execute, (rt, arrays, workspace)
    return lambda keep=keep: execute(rt.ctx, plan, pointers), "oneDNN"


def rates(threads: int, seconds: float = 2.0) -> dict[str, Any]:
    """The best of many products of 512 x 512 matrices (short, so that some run undisturbed), of copies that no cache holds, and of copies in a core's own cache."""
    size, copied = 512, 1 << 28
    call, library = _gemm(size, threads)
    flops = 2 * size**3 / _best(call, seconds)
    source, target = np.ones(copied, np.uint8), np.zeros(copied, np.uint8)
    bounds = [copied * i // threads for i in range(threads + 1)]

    def copy() -> None:
        workers = [threading.Thread(target=np.copyto, args=(target[a:b], source[a:b])) for a, b in zip(bounds, bounds[1:])]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()

    few = _CACHED // 4
    cached = threads * 2 * few / _best(lambda: np.copyto(target[:few], source[:few]), seconds / 4)
    return {"flops": flops, "bytes": 2 * copied / _best(copy, seconds), "cached_bytes": cached, "gemm": library}


def milliseconds(counted: dict[str, int], rates: dict[str, Any]) -> tuple[float, float]:
    """The least time of the arithmetic and of the traffic."""
    rate = rates["bytes"] if counted["bytes"] > _CACHED else rates["cached_bytes"]
    return counted["flops"] / rates["flops"] * 1e3, counted["bytes"] / rate * 1e3


if __name__ == "__main__":
    count_ = int(sys.argv[1])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count_])
    find_raf()
    print(json.dumps(rates(count_)))
