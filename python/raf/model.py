# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A forward model: its parameters as numpy arrays, what it takes and gives, and the MLIR module for given input shapes."""

from __future__ import annotations

import fnmatch
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, Union

import numpy as np

from . import _cache
from ._arrays import dtype_of, mlir_name
from .errors import ImportError, suggest
from .trees import Signature

#: A dimension of an input or output: a size, the name of a size that is chosen when compiling, or None for one without a name.
Dim = Union[int, str, None]
Shapes = Union[Mapping[str, Any], Sequence[Any], None]


@dataclass(frozen=True)
class TensorSpec:
    """Name, element type and dimensions of an input or output. `dims` is None where the file does not say the rank."""

    name: str
    dtype: np.dtype
    dims: tuple[Dim, ...] | None

    def __str__(self) -> str:
        dims = "?" if self.dims is None else ", ".join("?" if d is None else str(d) for d in self.dims)
        return f"{self.name}: {self.dtype}[{dims}]"


@dataclass(frozen=True)
class Specialized:
    """A forward module for fixed shapes. `asm` is MLIR bytecode; `inputs` and `outputs` have sizes only."""

    asm: bytes
    inputs: tuple[TensorSpec, ...]
    outputs: tuple[TensorSpec, ...]

    def text(self, locations: bool = False) -> str:
        """The module as MLIR assembly."""
        from ._mlir import ir

        with ir.Context():
            return str(ir.Module.parse(self.asm).operation.get_asm(enable_debug_info=locations))

    def serialize(self) -> bytes:
        """All of it as bytes."""
        about = [[[s.name, mlir_name(s.dtype), s.dims] for s in specs] for specs in (self.inputs, self.outputs)]
        return json.dumps(about).encode() + b"\n" + self.asm

    @staticmethod
    def deserialize(data: bytes) -> Specialized:
        about, _, asm = data.partition(b"\n")
        inputs, outputs = (tuple(TensorSpec(name, dtype_of(dtype), tuple(dims)) for name, dtype, dims in specs) for specs in json.loads(about))
        return Specialized(asm, inputs, outputs)


class Source(Protocol):
    """Where a model came from: builds the module and writes the trained model back."""

    def build(self, model: Model, shapes: Mapping[str, tuple[int, ...]]) -> Specialized: ...

    def export(self, model: Model, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None: ...


class Model:
    """A model that `raf.compile` accepts.

    `params` holds trainable and frozen parameters, `frozen` the names of the latter, `buffers` running statistics.

    >>> model = raf.import_onnx("model.onnx")
    >>> [str(i) for i in model.inputs], model.dims, {n: p.shape for n, p in model.params.items()}
    (['x: float32[batch, 4]'], ('batch',), {'w1': (4, 16), 'b1': (16,), 'w2': (16, 3), 'b2': (3,)})
    """

    def __init__(self, name: str, inputs: Sequence[TensorSpec], outputs: Sequence[TensorSpec], params: Mapping[str, np.ndarray],
                 buffers: Mapping[str, np.ndarray], source: Source, frozen: Iterable[str] = (), signature: Signature | None = None) -> None:
        self.name = name
        self.inputs, self.outputs = tuple(inputs), tuple(outputs)
        self.params, self.buffers = dict(params), dict(buffers)
        self.frozen = frozenset(frozen)
        #: The arguments and results as pytrees, for a model that was a function.
        self.signature = signature
        self._source = source
        self._built: dict[Any, Specialized] = {}

    def __repr__(self) -> str:
        count = sum(p.size for p in self.params.values())
        return f"<raf.Model {self.name!r}: ({', '.join(map(str, self.inputs))}) -> ({', '.join(map(str, self.outputs))}), {count:,} parameters>"

    @property
    def proto(self) -> Any:
        """The file's own form of the model (an onnx.ModelProto, without the values of parameters and buffers), or None."""
        return getattr(self._source, "proto", None)

    @property
    def dims(self) -> tuple[str, ...]:
        """The names of the sizes that are chosen when compiling, in the order of the inputs."""
        return tuple(dict.fromkeys(d for i in self.inputs for d in i.dims or () if isinstance(d, str)))

    def freeze(self, *patterns: str) -> Model:
        """The same model with the parameters that match a pattern (`*` and `?` as in file names) frozen. Raises raf.ImportError for a pattern without one.

        >>> sorted(raf.import_onnx("model.onnx").freeze("w?").frozen)
        ['w1', 'w2']
        """
        names: set[str] = set(self.frozen)
        for pattern in patterns:
            found = matching(self.params, pattern)
            if not found:
                raise ImportError(f"no parameter of {self.name!r} matches {pattern!r}" + suggest(pattern, self.params))
            names.update(found)
        return Model(self.name, self.inputs, self.outputs, self.params, self.buffers, self._source, names, self.signature)

    def with_values(self, params: Mapping[str, np.ndarray], buffers: Mapping[str, np.ndarray]) -> Model:
        """The same model with these arrays, of the same names, shapes and dtypes, in place of its own; not copied."""
        model = Model(self.name, self.inputs, self.outputs, params, buffers, self._source, self.frozen, self.signature)
        model._built = self._built
        return model

    def specialize(self, shapes: Shapes = None, cache: bool = False) -> Specialized:
        """The forward module for the given shapes: by input (a shape or an array), by name of a size, or a sequence in the order of the inputs. With `cache` it is kept on disk beside
        the executables, for processes that come later.

        The same shapes give the same object again. Raises raf.ImportError for shapes that do not fit or are not all known.

        >>> str(raf.import_onnx("model.onnx").specialize({"batch": 8}).outputs[0])
        'scores: float32[8, 3]'
        """
        bound = bind_shapes(self.name, self.inputs, shapes)
        key = (tuple(sorted(bound.items())), self.frozen)
        if key not in self._built:
            self._built[key] = self._stored(bound) if cache else self._source.build(self, bound)
        return self._built[key]

    def _stored(self, shapes: Mapping[str, tuple[int, ...]]) -> Specialized:
        """The module that the cache has, or one that it has from now on."""
        digest = getattr(self._source, "digest", None)  # of sources that can say what their modules depend on
        if digest is None:
            return self._source.build(self, shapes)
        name = _cache.key("module", digest(self, shapes))
        if (data := _cache.load(name, _cache.MODULE)) is not None:
            return Specialized.deserialize(data)
        made = self._source.build(self, shapes)
        _cache.store(name, made.serialize, _cache.MODULE)
        return made

    def export_onnx(self, path: str | os.PathLike[str], params: Mapping[str, np.ndarray] | None = None) -> None:
        """Writes the model with new values of parameters and buffers (the model's own where `params` does not name them). The file is replaced at once or not at all."""
        arrays: dict[str, np.ndarray] = {**self.params, **self.buffers}
        for name, value in (params or {}).items():
            if name not in arrays:
                raise ImportError(f"the model {self.name!r} has no parameter {name!r}" + suggest(name, arrays))
            value = np.asarray(value)
            if value.shape != arrays[name].shape:
                raise ImportError(f"parameter {name!r} has the shape {list(arrays[name].shape)}, got {list(value.shape)}")
            arrays[name] = value.astype(arrays[name].dtype, copy=False)
        self._source.export(self, path, arrays)


def matching(names: Iterable[str], pattern: str) -> list[str]:
    """The names that a pattern means: that very name, or by `*` and `?` as of file names; brackets stand for themselves, since paths in pytrees have them."""
    names = list(names)
    return [pattern] if pattern in names else [n for n in names if fnmatch.fnmatchcase(n, pattern.replace("[", "[[]"))]


def bind_shapes(model: str, inputs: Sequence[TensorSpec], shapes: Shapes) -> dict[str, tuple[int, ...]]:
    """One concrete shape an input."""
    given: dict[str, tuple[int, ...]] = {}
    sizes: dict[str, int] = {}
    names = {i.name for i in inputs}
    symbols = {d for i in inputs for d in i.dims or () if isinstance(d, str)}
    if isinstance(shapes, Mapping):
        for name, value in shapes.items():
            if name in names and not (isinstance(value, (int, np.integer)) and name in symbols):
                given[name] = shape_of(name, value)
            elif name in symbols:
                sizes[name] = _size(name, value)
            else:
                raise ImportError(f"the model {model!r} has no input and no size {name!r}" + suggest(str(name), names | symbols))
    elif shapes is not None:
        if len(shapes) > len(inputs):
            raise ImportError(f"the model {model!r} has {len(inputs)} inputs, got {len(shapes)} shapes")
        given = {i.name: shape_of(i.name, value) for i, value in zip(inputs, shapes)}

    # Names that the given shapes decide; a file's fixed size gives way to the shape that the caller asks for.
    problems = []
    for spec in inputs:
        if spec.name not in given or spec.dims is None:
            continue
        if len(spec.dims) != len(given[spec.name]):
            problems.append(f"input {spec} has rank {len(spec.dims)}, got the shape {list(given[spec.name])}")
            continue
        for dim, size in zip(spec.dims, given[spec.name]):
            if isinstance(dim, str) and sizes.setdefault(dim, size) != size:
                problems.append(f"size {dim!r} is {sizes[dim]} and, in input {spec.name!r}, {size}")
    bound: dict[str, tuple[int, ...]] = {}
    for spec in inputs:
        if spec.name in given:
            bound[spec.name] = given[spec.name]
            continue
        missing = ["an unnamed size" if d is None else repr(d) for d in spec.dims or () if d is None or isinstance(d, str) and d not in sizes]
        if spec.dims is None or missing:
            problems.append(f"input {spec} needs a shape" + (f": {', '.join(missing)} is not known" if missing else ""))
            continue
        bound[spec.name] = tuple(sizes[d] if isinstance(d, str) else int(d) for d in spec.dims if d is not None)
    if problems:
        raise ImportError(f"the shapes do not fit the model {model!r}: " + "; ".join(problems))
    return bound


def shape_of(name: str, value: Any) -> tuple[int, ...]:
    """The shape that a shape or an array says."""
    shape = getattr(value, "shape", value)
    if isinstance(shape, (int, np.integer, str)) or not isinstance(shape, Iterable):
        raise ImportError(f"the shape of input {name!r} must be a sequence of sizes or an array, got {value!r}")
    return tuple(_size(name, d) for d in shape)


def _size(name: str, value: Any) -> int:
    if not isinstance(value, (int, np.integer)) or isinstance(value, bool) or value < 0:
        raise ImportError(f"a size of {name!r} must be an integer of at least 0, got {value!r}")
    return int(value)
