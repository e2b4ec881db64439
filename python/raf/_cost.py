# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops of a module for people: names, shapes, parameters, arithmetic."""

from __future__ import annotations

import importlib
import math
from dataclasses import asdict, dataclass
from typing import Any

#: Ops that move or make data without arithmetic.
_FREE = frozenset(
    ["reshape", "transpose", "broadcast", "constant", "slice", "concat", "gather", "scatter_add", "embedding", "pad", "cast", "iota", "select", "one_hot", "flip", "split", "stop_gradient"]
)


@dataclass(frozen=True)
class OpRow:
    """One op: the model's node it came from, its name, result type, the parameters it reads, and the floating-point operations of one execution."""

    node: str
    op: str
    result: str
    parameters: int
    flops: int

    def json(self) -> dict[str, Any]:
        return asdict(self)


def _shape(value: Any) -> list[int]:
    return list(value.type.shape)


def flops(op: Any) -> int:
    """A multiply-add counts as two. Contractions are exact, other ops count one operation an element of what they read or write."""
    name = op.name.removeprefix("raf.")
    shapes = [_shape(o) for o in op.operands if hasattr(o.type, "shape")]
    out = [_shape(r) for r in op.results if hasattr(r.type, "shape")]
    if not out or name in _FREE or not op.name.startswith("raf."):
        return 0
    if name == "matmul":
        inner = shapes[0][-2 if "transpose_lhs" in op.attributes else -1]
        return 2 * math.prod(out[0]) * inner
    if name == "conv":
        return 2 * math.prod(out[0]) * math.prod(shapes[1][1:])
    if name == "conv_input_grad":
        return 2 * math.prod(shapes[0]) * math.prod(shapes[1][1:])
    if name == "conv_weight_grad":
        return 2 * math.prod(shapes[0]) * math.prod(out[0][1:])
    if name == "attention":
        (b, h, t, d), s, e = shapes[0], shapes[1][2], shapes[2][3]
        return 2 * b * h * t * s * (d + e)
    return max(math.prod(s) for s in (*out, *shapes))


def rows(asm: bytes | str) -> list[OpRow]:
    """The ops of @main in order."""
    ir: Any = importlib.import_module("raf._mlir.ir")

    result = []
    with ir.Context():
        module = ir.Module.parse(asm)
        main = next(o for o in module.body.operations if o.operation.name == "func.func")
        block = main.regions[0].blocks[0]
        params = set()
        for i, attributes in enumerate(main.attributes["arg_attrs"]):
            if "raf.role" in attributes and ir.StringAttr(attributes["raf.role"]).value == "param":
                params.add(i)
        numbers = {argument: i for i, argument in enumerate(block.arguments)}
        for op in block.operations:
            operation = op.operation
            if operation.name == "func.return":
                continue
            read = {number for v in operation.operands if (number := numbers.get(v)) is not None}
            count = sum(math.prod(_shape(block.arguments[n])) for n in read & params)
            first = str(operation.results[0].type).removeprefix("tensor<").removesuffix(">") if len(operation.results) else ""
            result.append(OpRow(_node(operation.location), operation.name, first, count, flops(operation)))
    return result


def _node(location: Any) -> str:
    text = str(location)
    if text.startswith('loc("') and '"(' in text:
        return text[5 : text.index('"(')]
    return ""
