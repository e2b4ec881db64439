# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How fast a step could be: counted arithmetic and memory traffic over measured rates. Run as a program it measures the rates: python floor.py THREADS DTYPE ...

Arithmetic is that of the contractions (matrix products, convolutions, recurrent gates), a multiply-add as two; a causal product counts in full. Traffic is what is left when everything
else is fused into them: each operand and result of a contraction once in each of its three products, and for each parameter AdamW's reads and writes (parameter, gradient and two
moments in; parameter and two moments out), which are of f32 whatever the products compute in.
"""

from __future__ import annotations

import dataclasses
import json
import math
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steps import find_raf  # noqa: E402

_ADAMW_WORDS = 7
_BYTES = {"f32": 4, "bf16": 2, "f16": 2}


def count(path: Path, inputs: Sequence[np.ndarray]) -> dict[str, int]:
    """FLOPs of a training step of an ONNX file, words that its contractions move, and its parameters."""
    import onnx

    model = onnx.load(str(path))
    for value, array in zip(model.graph.input, inputs):
        for dim, size in zip(value.type.tensor_type.shape.dim, array.shape):
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
    return {"params": params, "flops": flops, "words": words}


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


def traffic(counted: dict[str, int], dtype: str) -> int:
    """Bytes of a step whose contractions compute in this element type."""
    return _BYTES[dtype] * counted["words"] + 4 * _ADAMW_WORDS * counted["params"]


def milliseconds(counted: dict[str, int], rates: dict[str, Any], dtype: str) -> tuple[float, float]:
    """The least time of the arithmetic and of the traffic; the arithmetic's is NaN where products of the type were not measured."""
    moved = traffic(counted, dtype)
    rate = rates["copy"] if moved > rates["cached_bytes"] else rates["cached_copy"]
    return counted["flops"] / rates["gemm"].get(dtype, math.nan) * 1e3, moved / rate * 1e3


if __name__ == "__main__":
    count_ = int(sys.argv[1])
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:count_])
    os.environ["RAF_CACHE_DIR"] = ""  # measured now
    find_raf()
    from raf.profiling import _ceilings

    print(json.dumps({**dataclasses.asdict(_ceilings.ceilings(count_, sys.argv[2:])), "cached_bytes": _ceilings.CACHED_BYTES}))
