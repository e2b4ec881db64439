# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A checked file becomes a Model, and a Model a module for given shapes."""

from __future__ import annotations

import functools
import hashlib
import os
from collections.abc import Mapping, Sequence

import numpy as np
import onnx

from ..errors import ImportError, bullets
from ..model import Dim, Model, Shapes, Specialized, TensorSpec
from . import data, wire
from .emit import emit
from .errors import Unsupported
from .export import export
from .fold import FOLDABLE
from .graph import ELEMENT_LIMIT, ELEMENT_TYPES, Graph, Tensor, size_of
from .interpret import Env, Interpreter, has_body
from .loader import Input, load, read
from .ops import HANDLERS, domain_of
from .params import classify, separate
from .raising import raise_patterns


def import_model(source: Input, input_shapes: Shapes, params: str | Sequence[str] | None, frozen: str | Sequence[str] | None) -> Model:
    """See raf.import_onnx."""
    params, frozen = ([p] if isinstance(p, str) else p for p in (params, frozen))
    proto, name, path, stamp = read(source)
    folder = path and os.path.dirname(path)
    graph = proto.graph
    with data.Reading(graph.initializer, path, stamp) as reading:
        working = load(proto, name, lambda p: separate(p, params))
        arrays = reading.arrays(graph.initializer)
    roles = classify(working.graph, arrays, params, frozen)
    trained = {*roles.params, *roles.buffers}
    for tensor in graph.initializer:
        if tensor.name in trained:
            data.clear(tensor)  # the Model has the values
        elif wire.place(tensor):
            data.store(tensor, arrays[tensor.name])
    proto = data.compact(proto)
    inputs = [spec(v) for v in graph.input if v.name not in arrays]
    zipped = {name for node in working.graph.node if node.op_type == "ZipMap" for name in node.output}
    outputs = [TensorSpec(v.name, np.dtype(np.float32), None) if v.name in zipped else spec(v) for v in graph.output]
    origin = OnnxSource(proto, name, folder, working, {n: a.copy() for n, a in arrays.items() if n not in trained})  # arrays share memory
    origin.check_ops(inputs)
    model = Model(name, inputs, outputs, {n: arrays[n] for n in roles.params}, {n: arrays[n] for n in roles.buffers}, origin, roles.frozen)
    if input_shapes is not None or not any(i.dims is None or any(not isinstance(d, int) for d in i.dims) for i in inputs):
        model.specialize(input_shapes)
    return model


def spec(value: onnx.ValueInfoProto) -> TensorSpec:
    """The name, type and dimensions that the file states."""
    if not value.type.HasField("tensor_type"):
        raise ImportError(f"{value.name!r} is not a tensor, and only tensors are supported")
    tensor = value.type.tensor_type
    dtype = data.DTYPES.get(tensor.elem_type, np.dtype(object))
    if not tensor.HasField("shape"):
        return TensorSpec(value.name, dtype, None)
    dims: list[Dim] = []
    for d in tensor.shape.dim:
        if d.HasField("dim_value"):
            # Some exporters write 0 or -1 for "any size".
            dims.append(d.dim_value if d.dim_value >= 0 else None)
        else:
            dims.append(d.dim_param or None)
    return TensorSpec(value.name, dtype, tuple(dims))


@functools.lru_cache(maxsize=1)
def _code() -> bytes:
    """Names, sizes and times of the files of this package."""
    here = os.path.dirname(__file__)
    entries = [e for folder in (here, os.path.join(here, "ops")) for e in os.scandir(folder) if e.name.endswith(".py")]
    return repr(sorted((e.path, s.st_size, s.st_mtime_ns) for e in entries for s in [e.stat()])).encode()


class OnnxSource:
    """The file behind a Model: `proto` is its message without the values of parameters and buffers."""

    def __init__(self, proto: onnx.ModelProto, name: str, folder: str | None, working: onnx.ModelProto, constants: Mapping[str, np.ndarray]) -> None:
        self.proto, self.name, self.folder, self.working = proto, name, folder, working
        self.constants = dict(constants)
        self.opsets = {"" if o.domain == "ai.onnx" else o.domain: o.version for o in working.opset_import}

    def _fail(self, problems: Sequence[str]) -> None:
        raise ImportError(bullets(f"cannot import {self.name!r}", problems), problems)

    def check_ops(self, inputs: Sequence[TensorSpec]) -> None:
        """What can be said without shapes: ops and element types."""
        problems = [f"input {i.name!r} has an element type that is not supported ({i.dtype})" for i in inputs if i.dtype not in ELEMENT_TYPES]
        checker = Interpreter(Graph(), self.opsets)
        known = set(self.constants)
        for index, node in enumerate(self.working.graph.node):
            domain, op = domain_of(node), node.op_type
            constant = not domain and (op in ("Constant", "Shape", "Size") or op in FOLDABLE and all(not n or n in known for n in node.input))
            if constant:
                known.update(node.output)
            elif (domain, op) not in HANDLERS and not has_body(node, self.opsets.get(domain, 1)):
                checker.report(node, index, "the op is supported for constants only" if not domain and op in FOLDABLE else "the op is not supported")
        if problems + checker.problems:
            self._fail(problems + checker.problems)

    def build(self, model: Model, shapes: Mapping[str, tuple[int, ...]]) -> Specialized:
        graph = Graph()
        run = Interpreter(graph, dict(self.opsets))
        env: Env = {}
        for i in model.inputs:
            if size_of(shapes[i.name]) > ELEMENT_LIMIT:
                raise ImportError(f"input {i.name!r} with the shape {list(shapes[i.name])} is too large")
            env[i.name] = graph.argument(i.name, "input", shapes[i.name], i.dtype)
        for name, array in model.params.items():
            env[name] = graph.argument(name, "param", array.shape, array.dtype, name in model.frozen)
        for name, array in model.buffers.items():
            env[name] = graph.argument(name, "buffer", array.shape, array.dtype)
        for name, array in self.constants.items():
            env[name] = graph.const(array)
        try:
            run.run(self.working.graph.node, env)
        except Unsupported as error:
            self._fail([str(error)])
        if run.problems:
            self._fail(run.problems)
        outputs: list[tuple[str, Tensor]] = []
        for o in model.outputs:
            value = env.get(o.name)
            if value is None or value.dtype not in ELEMENT_TYPES:
                self._fail([f"output {o.name!r} " + ("is not made" if value is None else f"has the element type {value.dtype}")])
            else:
                outputs.append((o.name, value))
        buffers = [(i, a) for i, a in enumerate(graph.arguments) if a.argument is not None and a.argument.role == "buffer"]
        updates = [(i, run.buffers[id(a)]) for i, a in buffers if id(a) in run.buffers]
        raised = raise_patterns(graph, [t for _, t in outputs] + [t for _, t in updates])
        outputs = [(n, t) for (n, _), t in zip(outputs, raised)]
        updates = [(i, t) for (i, _), t in zip(updates, raised[len(outputs):])]
        asm = emit(graph, outputs, updates, self.name)
        return Specialized(
            asm, tuple(TensorSpec(i.name, i.dtype, shapes[i.name]) for i in model.inputs), tuple(TensorSpec(n, t.dtype, t.shape) for n, t in outputs))

    def digest(self, model: Model, shapes: Mapping[str, tuple[int, ...]]) -> bytes:
        """Of all that `build` depends on: this code, the graph, constants, and what the values are that it is given."""
        found = hashlib.sha256(_code())
        params, buffers = ([(n, str(a.dtype), a.shape, n in model.frozen) for n, a in arrays.items()] for arrays in (model.params, model.buffers))
        constants = [(n, str(a.dtype), a.shape, a.tolist() if a.dtype.hasobject else "") for n, a in self.constants.items()]
        about = self.name, self.opsets, [(i.name, str(i.dtype), shapes[i.name]) for i in model.inputs], [o.name for o in model.outputs], params, buffers, constants
        found.update(repr(about).encode())
        for array in self.constants.values():
            if not array.dtype.hasobject:
                found.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        found.update(self.working.SerializeToString(deterministic=True))
        return found.digest()

    def export(self, model: Model, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
        export(self.proto, self.folder, path, arrays)
