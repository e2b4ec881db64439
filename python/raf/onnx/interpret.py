# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a graph's nodes over a raf Graph: constants are folded, the rest is built op by op, and every failing node is reported."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx

from . import data
from .errors import Poisoned, Unsupported
from .fold import fold
from .graph import Graph, Tensor
from .loader import describe
from .ops import HANDLERS, Call, domain_of

Env = dict[str, "Tensor | None"]  # None: a value that failed

#: Nodes that unrolled loops may build in all.
NODE_LIMIT = 50_000
_MALFORMED = (TypeError, ValueError, IndexError, KeyError, OverflowError, AttributeError, ZeroDivisionError, RecursionError)


class Interpreter:
    def __init__(self, graph: Graph, opsets: dict[str, int]) -> None:
        self.graph = graph
        self.opsets = opsets
        self.problems: list[str] = []
        self.buffers: dict[int, Tensor] = {}  # id of a buffer's argument -> its newest value
        self.dropouts = 0
        self.random: tuple[Tensor, Tensor] | None = None
        self._count = 0
        self._depth = 0

    @property
    def opset(self) -> int:
        return self.opsets.get("", 1)

    def run(self, nodes: Sequence[onnx.NodeProto], env: Env, where: str = "", bindings: dict[str, Any] | None = None) -> None:
        """Runs the nodes; `bindings` are the attributes of the function whose body they are."""
        if self._depth > 40:
            raise Unsupported("subgraphs are nested too deeply")
        self._depth += 1
        try:
            for index, node in enumerate(nodes):
                self._count += 1
                if self._count > NODE_LIMIT:
                    raise Unsupported(f"unrolling gives more than {NODE_LIMIT} nodes")
                if not where:
                    self.graph.loc = (node.name or node.op_type, index)
                self._node(node, index, env, where, bindings)
        finally:
            self._depth -= 1

    def _node(self, node: onnx.NodeProto, index: int, env: Env, where: str, bindings: dict[str, Any] | None) -> None:
        try:
            inputs = [self._lookup(env, name) for name in node.input]
            results = self.call(node, inputs, env, bindings)
            for name, value in zip(node.output, results):
                if name:
                    if value is None:
                        raise Unsupported(f"output {name!r} is not supported")
                    env[name] = value
            missing = [name for name in node.output[len(results):] if name]
            if missing:
                raise Unsupported(f"output {missing[0]!r} is not supported")
            return
        except Poisoned:
            pass
        except Unsupported as error:
            if where:  # the node that holds the subgraph is the one to report
                raise Unsupported(f"in {where}, {describe(node, index)}: {error}") from None
            self.report(node, index, str(error))
        except _MALFORMED as error:
            reason = f"malformed ({type(error).__name__}: {str(error)[:200]})"
            if where:
                raise Unsupported(f"in {where}, {describe(node, index)}: {reason}") from None
            self.report(node, index, reason)
        env.update({name: None for name in node.output if name})

    def report(self, node: onnx.NodeProto, index: int, reason: str) -> None:
        domain = domain_of(node)
        opset = self.opsets.get(domain)
        self.problems.append(f"{describe(node, index)}, op {domain + '::' if domain else ''}{node.op_type}, opset {opset if opset is not None else 'not imported'}: {reason}")

    def _lookup(self, env: Env, name: str) -> Tensor | None:
        if not name:
            return None
        if name not in env:
            raise Unsupported(f"input {name!r} is made by nothing")
        value = env[name]
        if value is None:
            raise Poisoned
        return value

    def call(self, node: onnx.NodeProto, inputs: Sequence[Tensor | None], env: Env, bindings: dict[str, Any] | None = None) -> Sequence[Tensor | None]:
        attributes = read_attributes(node, bindings)
        domain = domain_of(node)
        if node.op_type == "Constant" and not domain:
            return [self.graph.const(constant_value(attributes))]
        if not domain and inputs and all(v is None or v.array is not None for v in inputs):
            folded = fold(node, [None if v is None else v.array for v in inputs], attributes, self.opset)
            if folded is not None:
                return [self.graph.const(a) for a in folded]
        handler = HANDLERS.get((domain, node.op_type))
        if handler is not None:
            call = Call(node, inputs, self, attributes)
            call.env = env
            result = handler(call)
            return [result] if isinstance(result, Tensor) else list(result)
        body = function_body(node, inputs, self.opsets.get(domain, 1))
        if body is None:
            raise Unsupported("the op is not supported")
        return self._function(body, node, inputs, attributes)

    def _function(self, body: onnx.FunctionProto, node: onnx.NodeProto, inputs: Sequence[Tensor | None], attributes: dict[str, Any]) -> list[Tensor | None]:
        bindings = {a.name: onnx.helper.get_attribute_value(a) for a in body.attribute_proto}
        schema = onnx.defs.get_schema(node.op_type, self.opsets.get(domain_of(node), 1), domain_of(node))
        bindings.update({n: onnx.helper.get_attribute_value(a.default_value) for n, a in schema.attributes.items() if a.default_value.type})
        bindings.update(attributes)
        # A body may treat inputs that are absent as such only by their empty name.
        env: Env = {name: value for name, value in zip(body.input, inputs) if value is not None}
        absent = set(body.input) - set(env)
        nodes = []
        for inner in body.node:
            copy = onnx.NodeProto()
            copy.CopyFrom(inner)
            for k, name in enumerate(copy.input):
                if name in absent:
                    copy.input[k] = ""
            nodes.append(copy)
        saved = dict(self.opsets)
        self.opsets.update({o.domain: o.version for o in body.opset_import})
        try:
            self.run(nodes, env, f"the definition of {node.op_type}", bindings)
        finally:
            self.opsets.clear()
            self.opsets.update(saved)
        return [env.get(name) for name in body.output[:len(node.output)]]

    def subgraph(self, graph: onnx.GraphProto, env: Env, inputs: dict[str, Tensor], where: str) -> list[Tensor]:
        """Runs a body of If or Loop in place and returns its outputs."""
        inner: Env = {**env, **inputs}
        for tensor in graph.initializer:
            inner[tensor.name] = self.graph.const(data.to_array(tensor, None))
        self.run(graph.node, inner, where)
        return [self._required(inner, o.name) for o in graph.output]

    def _required(self, env: Env, name: str) -> Tensor:
        value = self._lookup(env, name)
        if value is None:
            raise Unsupported("a subgraph's output has no name")
        return value

    def randomness(self) -> tuple[Tensor, Tensor, int]:
        """The seed, the step and a number of its own for a random op."""
        if self.random is None:
            self.random = (self.graph.argument("seed", "seed", (), np.int64), self.graph.argument("step", "step", (), np.int64))
        self.dropouts += 1
        return (*self.random, self.dropouts)


def read_attributes(node: onnx.NodeProto, bindings: dict[str, Any] | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for attribute in node.attribute:
        if attribute.ref_attr_name:
            if bindings is not None and attribute.ref_attr_name in bindings:
                found[attribute.name] = bindings[attribute.ref_attr_name]
            continue
        value = onnx.helper.get_attribute_value(attribute)
        # The file's f32 as the shortest decimal that names it: 1e-05 and not 9.99999974737875e-06.
        found[attribute.name] = float(str(np.float32(value))) if attribute.type == onnx.AttributeProto.FLOAT else value
    return found


def constant_value(attributes: dict[str, Any]) -> np.ndarray:
    for name, value in attributes.items():
        if name == "value":
            return data.to_array(value, None)
        if name in ("value_int", "value_ints"):
            return np.asarray(value, dtype=np.int64)
        if name in ("value_float", "value_floats"):
            return np.asarray(value, dtype=np.float32)
        if name in ("value_string", "value_strings"):
            return np.asarray(value, dtype=object)
        if name == "sparse_value":
            raise Unsupported("sparse constants are not supported")
    raise Unsupported("the constant has no value")


def has_body(node: onnx.NodeProto, version: int) -> bool:
    """Whether the standard defines the op in terms of others."""
    try:
        schema: Any = onnx.defs.get_schema(node.op_type, version, node.domain)
    except (onnx.defs.SchemaError, ValueError):
        return False
    return bool(schema.has_function or schema.has_context_dependent_function)


def function_body(node: onnx.NodeProto, inputs: Sequence[Tensor | None], version: int) -> onnx.FunctionProto | None:
    """The definition of an op in terms of others, if the standard gives one."""
    try:
        schema: Any = onnx.defs.get_schema(node.op_type, version, node.domain)
    except (onnx.defs.SchemaError, ValueError):
        return None
    if schema.has_function:
        body: onnx.FunctionProto = schema.function_body
        return body
    if not schema.has_context_dependent_function:
        return None
    types = [onnx.TypeProto() if v is None else onnx.helper.make_tensor_type_proto(data.onnx_type(v.dtype), v.shape) for v in inputs]
    try:
        content = schema.get_context_dependent_function(node.SerializeToString(), [t.SerializeToString() for t in types])
        found = onnx.FunctionProto()
        found.ParseFromString(content)
        return found if found.node else None
    except Exception:
        return None
