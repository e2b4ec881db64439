# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which initializers are trained: the rule, and the edits of the file's graph that give each parameter a tensor of its own."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np
import onnx
from onnx import ModelProto

from ..errors import ImportError, suggest
from . import data
from .graph import is_float
from .registry import domain_of

#: Inputs that are numbers of the op and not weights.
_SETTINGS = {
    "Clip": {1, 2}, "Pad": {1, 2, 3}, "Resize": {1, 2, 3}, "Upsample": {1}, "Dropout": {1, 2}, "Range": {0, 1, 2}, "OneHot": {0, 1, 2}, "Pow": {1}, "Trilu": {1},
    "QuantizeLinear": {1, 2}, "DequantizeLinear": {1, 2}, "Shape": {0}, "Size": {0}, "ConstantOfShape": {0}, "CastLike": {1}}
#: Inputs that are weights even where they have one element.
_WEIGHTS = {
    "Conv": {1, 2}, "ConvTranspose": {1, 2}, "Gemm": {0, 1, 2}, "MatMul": {0, 1}, "PRelu": {1}, "BatchNormalization": {1, 2}, "InstanceNormalization": {1, 2},
    "LayerNormalization": {1, 2}, "GroupNormalization": {1, 2}, "RMSNormalization": {1}, "LSTM": {1, 2, 3, 7}, "GRU": {1, 2, 3}, "RNN": {1, 2, 3}}
_WEIGHT_NAME = re.compile(r"(?:^|[._/:\d])(?:weight|bias|gamma|beta|kernel|embedding|slope)s?(?:$|[._/:\d])", re.IGNORECASE)
_STATISTICS = {3, 4}


@dataclass
class Roles:
    """What each initializer is; those in neither list are constants."""

    params: list[str] = field(default_factory=list)
    buffers: list[str] = field(default_factory=list)
    frozen: set[str] = field(default_factory=set)


def uses_of(graph: onnx.GraphProto) -> dict[str, list[tuple[onnx.NodeProto, int]]]:
    """The places where the main graph's names are used; those inside of subgraphs count as their node's input -1."""
    found: dict[str, list[tuple[onnx.NodeProto, int]]] = {}
    for node in graph.node:
        for i, name in enumerate(node.input):
            if name:
                found.setdefault(name, []).append((node, i))
        stack = [a for a in node.attribute]
        while stack:
            attribute = stack.pop()
            for sub in [*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs]:
                for inner in sub.node:
                    stack.extend(inner.attribute)
                    for name in inner.input:
                        found.setdefault(name, []).append((node, -1))
                for output in sub.output:
                    found.setdefault(output.name, []).append((node, -1))
    return found


def is_statistic(node: onnx.NodeProto, index: int) -> bool:
    return node.op_type == "BatchNormalization" and not domain_of(node) and index in _STATISTICS


def separate(proto: ModelProto, patterns: Sequence[str] | None) -> None:
    """Exporters merge tensors that happen to be equal at export: zeros, ones, statistics. Each use that is trained apart gets its own copy again.

    - An Identity of a 1-D initializer becomes an initializer (a matrix behind an Identity is taken for a tied weight).
    - A running statistic that is used in another place too is split off.
    - A Constant node whose output matches a pattern becomes an initializer.
    """
    graph = proto.graph
    tensors = {t.name: t for t in graph.initializer}
    outputs = {o.name for o in graph.output}
    taken = set(tensors) | {n for node in graph.node for n in node.output} | {i.name for i in graph.input}

    def copy(source: str, name: str) -> None:
        made = graph.initializer.add()
        made.CopyFrom(tensors[source])
        made.name = name
        tensors[name] = made

    keep = []
    for node in graph.node:
        plain = not domain_of(node) and len(node.output) == 1 and node.output[0] and node.output[0] not in outputs
        source = node.input[0] if node.input else ""
        if plain and node.op_type == "Identity" and source in tensors and len(tensors[source].dims) == 1 and is_float(_dtype(tensors[source])):
            copy(source, node.output[0])
        elif plain and patterns and node.op_type == "Constant" and matches(node.output[0], patterns) and node.attribute and node.attribute[0].HasField("t"):
            made = graph.initializer.add()
            made.CopyFrom(node.attribute[0].t)
            made.name = node.output[0]
            tensors[made.name] = made
        else:
            keep.append(node)
    if len(keep) < len(graph.node):
        kept = [onnx.NodeProto.FromString(n.SerializeToString()) for n in keep]
        del graph.node[:]
        graph.node.extend(kept)

    for name, places in uses_of(graph).items():
        statistics = [(n, i) for n, i in places if is_statistic(n, i)]
        if name not in tensors or not statistics or len({i for _, i in statistics}) == 1 and len(statistics) == len(places):
            continue
        for index in sorted({i for _, i in statistics}):
            fresh = next(f for k in range(len(taken) + 2) if (f := f"{name}_{('mean', 'var')[index - 3]}{k or ''}") not in taken)
            taken.add(fresh)
            copy(name, fresh)
            for node, i in statistics:
                if i == index:
                    node.input[i] = fresh


def _dtype(tensor: onnx.TensorProto) -> np.dtype:
    return data.DTYPES.get(tensor.data_type, np.dtype(object))


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch.fnmatchcase(name, p) for p in patterns)


def classify(graph: onnx.GraphProto, arrays: dict[str, np.ndarray], params: Sequence[str] | None, frozen: Sequence[str] | None) -> Roles:
    """With `params`, exactly the matching initializers are trained and the others of the rule are frozen."""
    uses = uses_of(graph)
    roles = Roles()
    for name, array in arrays.items():
        places = uses.get(name, [])
        if not is_float(array.dtype) or not places:
            if params and matches(name, params):
                raise ImportError(f"{name!r} cannot be a parameter: it " + (f"holds {array.dtype}" if places else "is not used"))
            continue
        if any(is_statistic(n, i) for n, i in places):
            roles.buffers.append(name)
            continue
        chosen = params is not None and matches(name, params)
        if chosen or is_weight(name, array, places):
            roles.params.append(name)
            if params is not None and not chosen:
                roles.frozen.add(name)
    for patterns, what in ((params, "params"), (frozen, "frozen")):
        for pattern in patterns or ():
            found = fnmatch.filter(roles.params, pattern)
            if not found:
                raise ImportError(f"{what}: no parameter matches {pattern!r}" + suggest(pattern, roles.params))
            if what == "frozen":
                roles.frozen.update(found)
    return roles


def is_weight(name: str, array: np.ndarray, places: Sequence[tuple[onnx.NodeProto, int]]) -> bool:
    """The rule: floating point, and not a setting, a lone number or a mask."""
    def among(table: dict[str, set[int]], node: onnx.NodeProto, index: int) -> bool:
        return not domain_of(node) and index in table.get(node.op_type, ())

    if array.size == 0 or all(among(_SETTINGS, n, i) or i == -1 for n, i in places):
        return False
    if array.size == 1 and not any(among(_WEIGHTS, n, i) for n, i in places):
        return array.ndim > 0 and _WEIGHT_NAME.search(name) is not None
    if array.size > 1 and len(set(array.reshape(-1)[:16].tolist())) < 3:
        # A mask holds one or two values, one of them "minus infinity".
        low = array.min()
        if low <= -1e4 and bool(((array == low) | (array == array.max())).all()):
            return False
    return True
