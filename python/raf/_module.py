# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small edits of a model's @main: roles of arguments, choice of results, and the pairing of results with cotangents."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np


class Main:
    """@main of a module that is open for edits."""

    def __init__(self, ir: Any, module: Any) -> None:
        from ._mlir.dialects import func

        self.ir, self.module = ir, module
        self.function = next(op for op in module.body.operations if isinstance(op, func.FuncOp) and op.name.value == "main")
        self.block = self.function.entry_block
        described: Any = self.function.arg_attrs if len(self.function.arguments) else ()
        self.arguments = [{e.name: e.attr for e in d} for d in described]
        given = self.function.attributes["res_attrs"] if "res_attrs" in self.function.attributes else [{}] * len(self.function.type.results)
        #: (value, attributes) of each result.
        self.results = [(v, {e.name: e.attr for e in d}) for v, d in zip(self.block.operations[len(self.block.operations) - 1].operands, given)]

    def argument_name(self, index: int) -> str:
        return str(self.arguments[index]["raf.name"].value)

    def result_names(self) -> list[str]:
        return [str(a["raf.name"].value) for _, a in self.results]

    def set_role(self, index: int, role: str, frozen: bool = False) -> None:
        attributes = self.arguments[index]
        attributes["raf.role"] = self.ir.StringAttr.get(role)
        attributes.pop("raf.frozen", None)
        if frozen:
            attributes["raf.frozen"] = self.ir.UnitAttr.get()

    def add_argument(self, type_: Any, name: str) -> Any:
        ir = self.ir
        self.arguments.append({"raf.name": ir.StringAttr.get(name), "raf.role": ir.StringAttr.get("input")})
        return self.block.add_argument(type_, ir.Location.name(name))

    def named(self, value: Any, name: str) -> tuple[Any, dict[str, Any]]:
        """A result of its own name."""
        return value, {"raf.name": self.ir.StringAttr.get(name)}

    def conjugated(self, value: Any) -> Any:
        """A complex tensor, which has its parts in the last dimension, with the other sign of the imaginary one."""
        ir = self.ir
        type_ = ir.RankedTensorType(value.type)
        element = type_.element_type
        parts = np.array([1, -1], np.float64 if isinstance(element, ir.F64Type) else np.float32)
        with ir.InsertionPoint(self.block.operations[len(self.block.operations) - 1]), ir.Location.name("conjugate"):
            constant = ir.Operation.create("raf.constant", [ir.RankedTensorType.get([2], element)], attributes={"value": ir.DenseElementsAttr.get(parts)}).result
            attributes = {"dims": ir.DenseI64ArrayAttr.get([type_.rank - 1])}
            whole = ir.Operation.create("raf.broadcast", [type_], [constant], attributes=attributes).result if type_.rank > 1 else constant
            return ir.Operation.create("raf.mul", [type_], [value, whole]).result

    def pairing(self, pairs: Sequence[tuple[Any, Any]]) -> Any:
        """The sum of the products of the elements, over all pairs of tensors of one type: a scalar whose gradient with respect to one is the other."""
        ir = self.ir
        wide = ir.F64Type.get() if any(isinstance(v.type.element_type, ir.F64Type) for v, _ in pairs) else ir.F32Type.get()
        scalar = ir.RankedTensorType.get([], wide)
        total = None
        with ir.InsertionPoint(self.block.operations[len(self.block.operations) - 1]), ir.Location.name("pairing"):
            for value, other in pairs:
                shape = list(value.type.shape)
                product = ir.Operation.create("raf.mul", [value.type], [value, other]).result
                if value.type.element_type != wide:
                    product = ir.Operation.create("raf.cast", [ir.RankedTensorType.get(shape, wide)], [product]).result
                if shape:
                    attributes = {"kind": ir.Attribute.parse("#raf<reduce_kind sum>"), "dims": ir.DenseI64ArrayAttr.get(list(range(len(shape))))}
                    product = ir.Operation.create("raf.reduce", [scalar], [product], attributes=attributes).result
                total = product if total is None else ir.Operation.create("raf.add", [scalar], [total, product]).result
        return total

    def commit(self) -> None:
        """Writes arguments and results back."""
        ir = self.ir
        last = self.block.operations[len(self.block.operations) - 1]
        with ir.InsertionPoint(last), last.location:
            ir.Operation.create("func.return", operands=[v for v, _ in self.results])
        last.erase()
        types = ir.FunctionType.get([a.type for a in self.block.arguments], [v.type for v, _ in self.results])
        self.function.attributes["function_type"] = ir.TypeAttr.get(types)
        self.function.attributes["arg_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a) for a in self.arguments])
        self.function.attributes["res_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(a) for _, a in self.results])


@contextmanager
def opened(asm: bytes | str) -> Iterator[Main]:
    """@main of a module, to look at."""
    from ._mlir import ir

    with ir.Context(), ir.Location.unknown():
        yield Main(ir, ir.Module.parse(asm))


def edited(asm: bytes | str, change: Callable[[Main], None]) -> bytes:
    """The module after a change of its @main, as bytecode."""
    with opened(asm) as main:
        change(main)
        main.commit()
        main.module.operation.verify()
        buffer = io.BytesIO()
        main.module.operation.write_bytecode(buffer)
        return buffer.getvalue()


def with_roles(asm: bytes | str, roles: Mapping[str, str], default: str = "input") -> bytes:
    """The module with these roles of its arguments by name; what is a parameter otherwise than by `roles` is frozen. seed and step stay."""

    def change(main: Main) -> None:
        for i, attributes in enumerate(main.arguments):
            name = main.argument_name(i)
            if name in roles or attributes["raf.role"].value not in ("seed", "step"):
                main.set_role(i, roles.get(name, default))

    return edited(asm, change)
