# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a Graph as an MLIR module: func @main in the form that the compiler's passes expect."""

from __future__ import annotations

import io
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..errors import ImportError
from .graph import ELEMENT_TYPES, Graph, Node, Tensor

#: Attributes that are enums of the dialect, by (op, attribute) or by attribute.
_ENUMS = {("compare", "kind"): "compare_kind", ("reduce", "kind"): "reduce_kind", ("arg_reduce", "kind"): "reduce_kind", ("gelu", "kind"): "gelu_kind"}


def reachable(outputs: Iterable[Tensor]) -> list[Node]:
    """The nodes that the outputs need, each after those that it needs."""
    order: list[Node] = []
    seen: set[int] = set()
    stack: list[tuple[Node, bool]] = [(t.node, False) for t in reversed(list(outputs)) if t.node is not None]
    while stack:
        node, ready = stack.pop()
        if ready:
            order.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((a.node, False) for a in reversed(node.args) if a.node is not None and id(a.node) not in seen)
    return order


class _Emitter:
    def __init__(self, file: str) -> None:
        from .._mlir import ir

        self.ir = ir
        self.file = file or "model"
        self.types: dict[Any, Any] = {}
        self.values: dict[int, Any] = {}
        self.constants: dict[Any, Any] = {}
        self.elements = {
            "f64": ir.F64Type.get(), "f32": ir.F32Type.get(), "f16": ir.F16Type.get(), "bf16": ir.BF16Type.get(),
            **{f"i{n}": ir.IntegerType.get_signless(n) for n in (64, 32, 16, 8, 1)}}
        self.i64 = self.elements["i64"]
        self.f64 = self.elements["f64"]

    def type(self, t: Tensor) -> Any:
        key = (t.shape, t.dtype)
        if key not in self.types:
            name = ELEMENT_TYPES.get(t.dtype)
            if name is None:
                raise ImportError(f"the element type {t.dtype} is not supported")
            self.types[key] = self.ir.RankedTensorType.get(t.shape, self.elements[name])
        return self.types[key]

    def location(self, loc: tuple[str, int]) -> Any:
        name, line = loc
        where = self.ir.Location.file(self.file, line, 0)
        return self.ir.Location.name(name, where) if name else where

    def attribute(self, op: str, name: str, value: Any) -> Any:
        ir = self.ir
        if value is True:
            return ir.UnitAttr.get()
        if (op, name) in _ENUMS:
            return ir.Attribute.parse(f"#raf<{_ENUMS[op, name]} {value}>")
        if name == "layout":
            return ir.Attribute.parse(f"#raf<layout {value}>")
        if name == "operandSegmentSizes":
            return ir.DenseI32ArrayAttr.get(list(value))
        if isinstance(value, tuple):
            return ir.DenseI64ArrayAttr.get(list(value))
        if isinstance(value, float):
            return ir.FloatAttr.get(self.f64, value)
        return ir.IntegerAttr.get(self.i64, value)

    def elements_attribute(self, t: Tensor) -> Any:
        ir, type_ = self.ir, self.type(t)
        value = t.scalar()
        if value is not None:
            element = type_.element_type
            if t.dtype.kind in "iub":
                return ir.DenseElementsAttr.get_splat(type_, ir.IntegerAttr.get(element, int(value)))
            return ir.DenseElementsAttr.get_splat(type_, ir.FloatAttr.get(element, float(value)))
        array = np.ascontiguousarray(t.array)
        if t.dtype == np.bool_:
            if array.size == 0:
                return ir.Attribute.parse(f"dense<> : {type_}")
            return ir.DenseElementsAttr.get(np.packbits(array.reshape(-1), bitorder="little"), type=type_.element_type, shape=t.shape)
        if array.size == 0:
            return ir.Attribute.parse(f"dense<> : {type_}")
        if ELEMENT_TYPES[t.dtype] == "bf16":
            return ir.DenseElementsAttr.get(array.view(np.uint16), type=type_.element_type, shape=t.shape)
        return ir.DenseElementsAttr.get(array, type=type_.element_type, shape=t.shape)

    def value(self, t: Tensor) -> Any:
        if t.array is None:
            return self.values[id(t)]
        key: Any = id(t)
        if t.size <= 64 or t.scalar() is not None:
            scalar = t.scalar()
            key = (t.shape, t.dtype, t.array.tobytes() if scalar is None else np.asarray(scalar).tobytes())
        if key not in self.constants:
            op = self.ir.Operation.create("raf.constant", results=[self.type(t)], attributes={"value": self.elements_attribute(t)}, loc=self.location(("", 0)))
            self.constants[key] = op.results[0]
        return self.constants[key]

    def node(self, node: Node) -> None:
        operands = [self.value(a) for a in node.args]
        attributes = {name: self.attribute(node.op, name, value) for name, value in node.attrs.items()}
        op = self.ir.Operation.create(f"raf.{node.op}", results=[self.type(o) for o in node.outs], operands=operands, attributes=attributes, loc=self.location(node.loc))
        for out, result in zip(node.outs, op.results):
            self.values[id(out)] = result


def emit(graph: Graph, outputs: Sequence[tuple[str, Tensor]], updates: Sequence[tuple[int, Tensor]], file: str) -> bytes:
    """MLIR bytecode of the module. `updates` are the new values of buffers, by index of their argument."""
    from .._mlir import ir
    from .._mlir.dialects import func

    with ir.Context(), ir.Location.unknown():
        e = _Emitter(file)
        module = ir.Module.create(loc=ir.Location.file(e.file, 0, 0))
        results = [t for _, t in outputs] + [t for _, t in updates]
        with ir.InsertionPoint(module.body):
            main = func.FuncOp("main", ([e.type(a) for a in graph.arguments], [e.type(t) for t in results]), loc=ir.Location.file(e.file, 0, 0))
        block = main.add_entry_block([ir.Location.name(a.name, ir.Location.file(e.file, 0, 0)) for a in graph.described])
        described = []
        for tensor, argument, value in zip(graph.arguments, graph.described, block.arguments):
            e.values[id(tensor)] = value
            attributes: dict[str, ir.Attribute] = {"raf.role": ir.StringAttr.get(argument.role), "raf.name": ir.StringAttr.get(argument.name)}
            if argument.frozen:
                attributes["raf.frozen"] = ir.UnitAttr.get()
            described.append(ir.DictAttr.get(attributes))
        main.arg_attrs = described
        given: list[dict[str, ir.Attribute]] = [{"raf.name": ir.StringAttr.get(name)} for name, _ in outputs]
        given += [{"raf.name": ir.StringAttr.get(f"new:{graph.described[i].name}"), "raf.alias": ir.IntegerAttr.get(e.i64, i)} for i, _ in updates]
        main.attributes["res_attrs"] = ir.ArrayAttr.get([ir.DictAttr.get(d) for d in given])
        with ir.InsertionPoint(block):
            for node in reachable(results):
                e.node(node)
            func.ReturnOp([e.value(t) for t in results], loc=ir.Location.file(e.file, 0, 0))
        try:
            module.operation.verify()
        except ir.MLIRError as error:
            raise ImportError(f"the model gives an invalid module: {'; '.join(str(d.message) for d in error.error_diagnostics)}") from None
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
        return buffer.getvalue()
