# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a file to a checked graph: parsing, structure, functions inlined, opset brought up to date."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import Union

import onnx
from google.protobuf.message import DecodeError, Message
from onnx import ModelProto, checker, inliner, version_converter

from ..errors import ImportError, bullets
from . import data, wire

Input = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, ModelProto]

#: Files with an older opset of the default domain are converted to this one.
OLDEST_OPSET = 11
_CONVERT_TO = 13


def read(source: Input) -> tuple[ModelProto, str, str | None, wire.Stamp | None]:
    """The message, a name for it, and the path and the stamp of its file; the large tensors of a file stay in it (wire.py)."""
    if isinstance(source, ModelProto):
        proto = ModelProto()
        proto.CopyFrom(source)
        return proto, source.graph.name or "model", None, None
    path = stamp = None
    name = "model"
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
    else:
        try:
            path = os.fspath(source)
        except TypeError:
            raise ImportError(f"expected a path, bytes or an onnx.ModelProto, got {type(source).__name__}") from None
        name = os.path.basename(path)
        try:
            with open(path, "rb") as file:
                stamp = wire.stamp(file)
                content = wire.read(file)
        except (OSError, ValueError) as error:
            raise ImportError(f"cannot read {path!r}: {getattr(error, 'strerror', None) or error}") from None
    proto = ModelProto()
    try:
        proto.ParseFromString(content)
    except (DecodeError, ValueError):
        raise ImportError(f"{name!r} is not an ONNX model, or is truncated") from None
    if not proto.HasField("graph") or not proto.ir_version:
        raise ImportError(f"{name!r} is not an ONNX model: it holds no graph" if content else f"{name!r} is empty")
    if not _readable(proto):
        raise ImportError(f"{name!r} is not a valid ONNX model: a name in it is not UTF-8")
    return proto, name, path and os.path.abspath(path), stamp


def _readable(message: Message) -> bool:
    """Whether all text is UTF-8: protobuf gives what is not as bytes."""
    for field, value in message.ListFields():
        if field.type == field.TYPE_STRING:
            if any(not isinstance(v, str) for v in ((value,) if isinstance(value, (str, bytes)) else value)):
                return False
        elif field.type == field.TYPE_MESSAGE:
            values = (value,) if isinstance(value, Message) else value
            if field.name == "initializer":
                if any(not isinstance(t.name, str) or any(not _readable(e) for e in t.external_data) for t in values):
                    return False
            elif any(not _readable(v) for v in values):
                return False
    return True


def opset_of(model: ModelProto, domain: str = "") -> int | None:
    names = ("", "ai.onnx") if domain in ("", "ai.onnx") else (domain,)
    return next((o.version for o in model.opset_import if o.domain in names), None)


def load(proto: ModelProto, name: str, edit: Callable[[ModelProto], None]) -> ModelProto:
    """Checks the file's message, applies `edit` to it, and returns the graph to import: inlined, and without the tensors of its initializers."""
    check_structure(proto, name)
    edit(proto)
    working = without_weights(proto)
    version, newest = opset_of(working), onnx.defs.onnx_opset_version()
    if version is not None and version > newest:
        raise ImportError(f"{name!r} uses opset {version}; the installed onnx package knows those up to {newest}")
    try:
        checker.check_model(working)
    except Exception as error:  # the checker's C++ errors come as several types
        raise ImportError(f"{name!r} is not a valid ONNX model: {_short(error)}") from None
    if working.functions:
        try:
            working = inliner.inline_local_functions(working)
        except Exception as error:
            raise ImportError(f"the functions of {name!r} cannot be inlined: {_short(error)}") from None
    if version is not None and version < OLDEST_OPSET:
        try:
            working = version_converter.convert_version(working, _CONVERT_TO)
        except Exception as error:
            raise ImportError(f"{name!r} uses opset {version} and cannot be converted to opset {_CONVERT_TO}: {_short(error)}") from None
    return working


def _short(error: Exception) -> str:
    """The first sentence of a checker's message, without its C++ context."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    text = next((line for line in lines if "rror" not in line[:12] or len(lines) == 1), lines[0] if lines else type(error).__name__)
    return re.sub(r"^\S+\.(?:h|cc):\d+: \S+: ", "", re.sub(r"\s+", " ", text))[:400]


def check_structure(proto: ModelProto, name: str) -> None:
    """What makes a graph impossible to walk: names used before they are made, made twice, or never."""
    graph = proto.graph
    problems: list[str] = []
    made: dict[str, int] = {}
    for index, node in enumerate(graph.node):
        for output in node.output:
            if output in made:
                problems.append(f"{describe(node, index)} makes {output!r}, which node {made[output]} makes too")
            elif output:
                made[output] = index
    leaves = {i.name for i in graph.input} | {t.name for t in graph.initializer} | {t.values.name for t in graph.sparse_initializer}
    for index, node in enumerate(graph.node):
        for used in node.input:
            if used and used not in made and used not in leaves:
                problems.append(f"{describe(node, index)} takes {used!r}, which nothing in the model makes")
    problems += [f"output {o.name!r} is made by no node" for o in graph.output if o.name not in made and o.name not in leaves]
    if not graph.output:
        problems.append("the graph has no output")
    if not problems and not _sorted(graph):
        problems.append(_cycle(graph, made))
    if problems:
        raise ImportError(bullets(f"{name!r} is not a valid ONNX model", problems), problems)


def _sorted(graph: onnx.GraphProto) -> bool:
    made = {name for node in graph.node for name in node.output}
    done: set[str] = set()
    for node in graph.node:
        if any(used in made and used not in done for used in node.input):
            return False
        done.update(node.output)
    return True


def _cycle(graph: onnx.GraphProto, made: dict[str, int]) -> str:
    """Says whether an unsorted graph has a cycle, and which nodes are on it."""
    waiting = {i: {made[u] for u in node.input if u in made} for i, node in enumerate(graph.node)}
    users: dict[int, list[int]] = {}
    for i, needs in waiting.items():
        for n in needs:
            users.setdefault(n, []).append(i)
    ready = [i for i, needs in waiting.items() if not needs]
    left = dict(waiting)
    while ready:
        i = ready.pop()
        left.pop(i, None)
        for user in users.get(i, ()):
            waiting[user].discard(i)
            if not waiting[user] and user in left:
                ready.append(user)
    if not left:
        return "the nodes are not in topological order"
    at = next(iter(left))
    path: list[int] = []
    while at not in path:
        path.append(at)
        at = next(n for n in waiting[at] if n in left)
    path = path[path.index(at):][::-1]
    return "the graph has a cycle: " + " -> ".join(describe(graph.node[i], i) for i in [*path, path[0]][:8])


def describe(node: onnx.NodeProto, index: int) -> str:
    return f"node {node.name!r} ({node.op_type})" if node.name else f"node {index} ({node.op_type})"


def without_weights(proto: ModelProto) -> ModelProto:
    """A copy in which the main graph's initializers are inputs, so that checking and converting it costs nothing for the weights."""
    working = ModelProto(ir_version=proto.ir_version)
    working.opset_import.extend(proto.opset_import)
    working.functions.extend(proto.functions)
    graph = proto.graph
    working.graph.name = graph.name or "graph"
    weights = {t.name: t for t in graph.initializer}
    for value in graph.input:
        if value.name not in weights:
            working.graph.input.add().CopyFrom(value)
    for name, tensor in weights.items():
        if not name:
            raise ImportError("an initializer has no name")
        if any(d < 0 for d in tensor.dims):
            raise ImportError(f"tensor {name!r} has the impossible shape {list(tensor.dims)}")
        if tensor.data_type not in data.DTYPES and tensor.data_type != onnx.TensorProto.STRING:
            raise ImportError(f"tensor {name!r} has the element type {data.type_name(tensor.data_type)}, which is not supported")
        working.graph.input.append(onnx.helper.make_tensor_value_info(name, tensor.data_type, list(tensor.dims)))
    working.graph.node.extend(graph.node)
    working.graph.output.extend(graph.output)
    for value in [*working.graph.input, *working.graph.output]:
        # The checker wants a shape; files without one are common, and import finds shapes by itself.
        if value.type.HasField("tensor_type") and not value.type.tensor_type.HasField("shape"):
            value.type.tensor_type.shape.SetInParent()
    return working
