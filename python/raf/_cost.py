# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops of a module for people: names, shapes, parameters, arithmetic."""

from __future__ import annotations

import importlib
import math
from dataclasses import asdict, dataclass
from typing import Any


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


def rows(asm: bytes | str) -> list[OpRow]:
    """The ops of @main in order, with the costs that the pass raf-report-cost gives them."""
    ir: Any = importlib.import_module("raf._mlir.ir")
    passmanager: Any = importlib.import_module("raf._mlir.passmanager")

    result = []
    with ir.Context():
        module = ir.Module.parse(asm)
        passmanager.PassManager.parse("builtin.module(raf-report-cost{annotate=true})").run(module.operation)
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
            cost = ir.IntegerAttr(operation.attributes["raf.flops"]).value if "raf.flops" in operation.attributes else 0
            result.append(OpRow(_node(operation.location), operation.name, first, count, cost))
    return result


def _node(location: Any) -> str:
    text = str(location)
    if text.startswith('loc("') and '"(' in text:
        return text[5 : text.index('"(')]
    return ""
