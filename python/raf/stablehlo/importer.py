# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A StableHLO program becomes a Model."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _engine
from .._arrays import Array, is_inexact
from ..errors import CompileError, ImportError, bullets, suggest
from ..model import Dim, Model, Shapes, Specialized, TensorSpec, matching
from ..trees import Flat, Leaf, Signature, Tree, named_leaves
from . import reader
from .signature import Description, Interface, Value, annotate, describe, located

#: The importer leaves ops as small as the program had them; raf-raise then sees the operators that they spell.
PIPELINE = "builtin.module(import-stablehlo,canonicalize,cse,raf-constant-fold,raf-simplify,raf-constant-fold,canonicalize,cse,raf-raise,symbol-dce,canonicalize,cse)"


def import_model(
    source: reader.Input, params: Mapping[str, Any] | None, buffers: Mapping[str, Any] | None, frozen: str | Sequence[str] | None, input_shapes: Shapes
) -> Model:
    """See raf.import_stablehlo."""
    opened = reader.open_source(source)
    program = reader.read(opened)
    interface = describe(program.text, opened.name)
    if program.about:
        arguments, results, signature = _exported(opened, program.about, interface.arguments, interface.results)
    else:
        arguments, results = ([Argument(v.name, v.dtype, v.dims, v.alias) for v in values] for values in (interface.arguments, interface.results))
        signature = None
    given = {name: leaf for key, value in {**(params or {}), **(buffers or {})}.items() for name, leaf in named_leaves(key, value).items()}
    kept = {name for key, value in (buffers or {}).items() for name in named_leaves(key, value)}
    values = _values(opened.name, arguments, given)
    title = interface.name if opened.name.startswith("<") else os.path.basename(opened.name)
    origin = StablehloSource(opened, program.text, interface, tuple(arguments), tuple(results))
    model = make_model(title, origin, values, kept, _frozen(opened.name, values, frozen), signature)
    if input_shapes is not None or not any(d is None or isinstance(d, str) for i in model.inputs for d in i.dims or ()):
        model.specialize(input_shapes)
    return model


def _values(name: str, arguments: Sequence[Argument], given: Mapping[str, Any]) -> dict[str, Array]:
    """The arrays for arguments by name, checked."""
    known = {a.name: a for a in arguments}
    problems = []
    values: dict[str, Array] = {}
    for key, value in given.items():
        argument = known.get(key)
        if argument is None:
            problems.append(f"there is no argument {key!r}{suggest(key, known)}")
            continue
        array = np.asarray(value)
        if array.shape != argument.dims or array.dtype != argument.dtype and not np.can_cast(array.dtype, argument.dtype, "same_kind"):
            problems.append(f"argument {key!r} is {argument.dtype}{list(argument.dims)}, got {array.dtype}{list(array.shape)}")
            continue
        values[key] = array.astype(argument.dtype, copy=False)
    if problems:
        raise ImportError(bullets(f"the parameters do not fit {name!r}", problems), problems)
    return values


def _frozen(name: str, params: Mapping[str, Array], patterns: str | Sequence[str] | None) -> set[str]:
    """The parameters that match a pattern; those that are neither floating-point nor complex numbers cannot be trained."""
    frozen: set[str] = set()
    for pattern in [patterns] if isinstance(patterns, str) else patterns or ():
        found = matching(params, pattern)
        if not found:
            raise ImportError(f"{name}: no parameter matches {pattern!r}{suggest(pattern, params)}")
        frozen.update(found)
    return frozen | {n for n, a in params.items() if not is_inexact(a.dtype)}


def _exported(
    source: reader.Source, about: Mapping[str, Any], arguments: Sequence[Value], results: Sequence[Value]
) -> tuple[list[Argument], list[Argument], Signature]:
    """What a jax.export file says beyond its module: names of sizes, and the pytrees."""
    from jax import export, tree_util

    exported = export.deserialize(bytearray(source.data))
    numbers, paths = zip(*about["paths"]) if about["paths"] else ((), ())
    # The names are those of the function's parameters, of which the file has only those in the module.
    heads: dict[int, str] = {}
    for index, value in zip(about["kept"], arguments):
        heads.setdefault(numbers[index], value.name.removesuffix(paths[index]) if paths[index] else value.name)
    names = [heads.get(n, f"args[{n}]") + path for n, path in zip(numbers, paths)]
    described: list[Argument] = []
    for index, value in zip(about["kept"], arguments):
        described.append(Argument(names[index], value.dtype, _dims(about["shapes"][index]), value.alias))
    gives = [Argument(v.name, v.dtype, _dims(s)) for v, s in zip(results, about["outputs"])]
    args, _ = tree_util.tree_unflatten(exported.in_tree, range(len(names)))
    dtypes = [np.dtype(a.dtype) if isinstance(a.dtype, np.dtype) else np.dtype(np.uint32) for a in exported.in_avals]
    trees = []
    for number, arg in enumerate(args):
        leaves, structure = tree_util.tree_flatten(arg)
        trees.append(Tree(heads.get(number, f"args[{number}]"), tuple(Leaf(names[i], dtypes[i]) for i in leaves), _structure(structure)))
    out = Tree("result", tuple(Leaf(g.name, g.dtype) for g in gives), _structure(exported.out_tree))
    return described, gives, Signature(tuple(trees), out)


def _structure(structure: Any) -> Any:
    """None stands for one array: no pytree has to be taken apart for it."""
    import jax

    return None if structure == jax.tree_util.tree_structure(0) else structure


def _dims(shape: Sequence[int | str]) -> tuple[Dim, ...]:
    return tuple(d if isinstance(d, int) else d if d.isidentifier() else None for d in shape)


def _fits(dims: Sequence[Dim], shape: Sequence[Dim]) -> bool:
    return len(dims) == len(shape) and all(d == s or not isinstance(d, int) for d, s in zip(dims, shape))


@dataclass(frozen=True)
class Argument:
    """An argument or result as the Model shows it; `alias` as in Value."""

    name: str
    dtype: np.dtype[Any]
    dims: tuple[Dim, ...]
    alias: int | None = None


def make_model(
    name: str, origin: StablehloSource, values: Mapping[str, Array], buffers: set[str], frozen: set[str], signature: Signature | None
) -> Model:
    """Arguments with a value are parameters or buffers, the others inputs."""
    inputs = [TensorSpec(a.name, a.dtype, a.dims) for a in origin.arguments if a.name not in values]
    updates = origin.updates(buffers)
    outputs = [TensorSpec(r.name, r.dtype, r.dims) for i, r in enumerate(origin.results) if i not in updates]
    if signature is None:
        trees = tuple(Tree(a.name, (Leaf(a.name, a.dtype),)) for a in origin.arguments)
        signature = Signature(trees, Flat("result", tuple(Leaf(o.name, np.dtype(o.dtype)) for o in outputs)))
    params = {n: v for n, v in values.items() if n not in buffers}
    return Model(name, inputs, outputs, params, {n: v for n, v in values.items() if n in buffers}, origin, frozen - buffers, signature)


class StablehloSource:
    """The program behind a Model. `lower` makes it for given shapes of the arguments; without it sizes that are open are refined in the program."""

    def __init__(
        self, source: reader.Source, text: str, interface: Interface, arguments: tuple[Argument, ...], results: tuple[Argument, ...],
        buffer_updates: Mapping[int, str] | None = None, lower: Callable[[Sequence[tuple[int, ...]]], str] | None = None,
    ) -> None:
        self.source, self.text, self.interface = source, text, interface
        self.arguments, self.results = arguments, results
        self._buffer_updates = dict(buffer_updates or {})
        self._lower = lower

    def updates(self, buffers: set[str]) -> dict[int, str]:
        """The results that are new values of buffers: those said, and the donated ones."""
        donated = {a.alias: a.name for a in self.arguments if a.alias is not None and a.name in buffers}
        return {**donated, **self._buffer_updates}

    def build(self, model: Model, shapes: Mapping[str, tuple[int, ...]]) -> Specialized:
        roles = {**{n: "param" for n in model.params}, **{n: "buffer" for n in model.buffers}}
        dims = [shapes.get(a.name, a.dims) for a in self.arguments]
        text = self.text
        fixed = [f"{a.name!r} has the shape {list(a.dims)}, got {list(d)}" for a, d in zip(self.arguments, dims) if not _fits(a.dims, d)]
        if fixed:
            raise ImportError(bullets(f"the program {model.name!r} is for fixed shapes (jax.export.symbolic_shape leaves sizes open)", fixed), fixed)
        if any(not isinstance(d, int) for a in self.arguments for d in a.dims):
            types = [Value(a.name, a.dtype, tuple(d if isinstance(d, int) else None for d in s)).type for a, s in zip(self.arguments, dims)]
            text = self._lower([tuple(int(d) for d in s if d is not None) for s in dims]) if self._lower is not None else reader.read(self.source, types).text
        interface = self.interface if text is self.text else describe(text, self.source.name)
        self._check_shapes(model, interface.results)
        updates = self.updates(set(model.buffers))
        index = {a.name: i for i, a in enumerate(self.arguments)}
        aliases = {i: index[name] for i, name in updates.items()}
        # A donated input is memory for its result; parameters keep their values.
        aliases.update({a.alias: index[a.name] for a in self.arguments if a.alias is not None and a.name not in roles and a.alias not in updates})
        described = [Description(a.name, roles.get(a.name, "input"), a.name in model.frozen) for a in self.arguments]
        names = [f"new:{updates[i]}" if i in updates else r.name for i, r in enumerate(self.results)]
        asm = annotate(text, self.source.name, described, names, aliases)
        core = _engine._core()
        try:
            module = core.run_pipeline(asm, PIPELINE)
        except CompileError as error:
            problems = [located(self.source.name, d) for d in error.diagnostics] or [str(error)]
            raise ImportError(bullets(f"cannot import {model.name!r}", problems), problems) from None
        outputs = [TensorSpec(r.name, r.dtype, v.dims) for i, (r, v) in enumerate(zip(self.results, interface.results)) if i not in updates]
        return Specialized(module.encode(), tuple(TensorSpec(i.name, i.dtype, shapes[i.name]) for i in model.inputs), tuple(outputs))

    def _check_shapes(self, model: Model, results: Sequence[Value]) -> None:
        open_ = [r.name for r in results if any(d is None for d in r.dims)]
        if open_:
            raise ImportError(f"{model.name!r}: the shapes of {', '.join(map(repr, open_))} do not follow from those of the arguments; RAF needs static shapes")

    def export(self, model: Model, path: str | os.PathLike[str], arrays: Mapping[str, np.ndarray]) -> None:
        raise ImportError(f"{model.name!r} comes from StableHLO and cannot be written as ONNX; Trainer.save and Trainer.params give the trained parameters")
