# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A JAX function becomes a Model."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Union

import numpy as np

from .._arrays import Array, is_inexact
from ..errors import ImportError, bullets, suggest
from ..model import Dim, Model, matching
from ..trees import Leaf, Signature, Tree
from . import custom_rules, reader
from .importer import Argument, StablehloSource, make_model
from .signature import Interface, Value, describe

Selection = Union[int, str, Sequence[Union[int, str]], None]


@dataclass
class _Parameter:
    """A parameter of the function: its name, its pytree, and the numbers of its arrays among all of them."""

    name: str
    structure: Any
    leaves: list[int]


@dataclass
class _Arguments:
    parameters: list[_Parameter]
    names: list[str]
    values: list[Any]
    rebuild: Callable[[Sequence[Any]], tuple[Any, ...]]


def _is_dynamic(leaf: Any) -> bool:
    """Arrays and numbers are arguments of the program; everything else (strings, functions, None) is a constant of it."""
    return isinstance(leaf, (bool, int, float, complex)) or hasattr(leaf, "shape") and hasattr(leaf, "dtype")


def _take_apart(fn: Callable[..., Any], args: Sequence[Any]) -> _Arguments:
    import jax

    names = _parameter_names(fn, len(args))
    found = _Arguments([], [], [], lambda values: ())
    trees = []
    for name, arg in zip(names, args):
        parts, structure = jax.tree_util.tree_flatten_with_path(arg)
        slots: list[Any] = []
        for path, leaf in parts:
            slots.append(len(found.values) if _is_dynamic(leaf) else None)
            if _is_dynamic(leaf):
                found.names.append(name + jax.tree_util.keystr(path))
                found.values.append(leaf)
        trees.append((structure, slots, [leaf for _, leaf in parts]))
        if all(s is not None for s in slots):
            found.parameters.append(_Parameter(name, structure, slots))
        elif any(s is not None for s in slots):
            raise ImportError(f"argument {name!r} mixes arrays with other objects ({type(next(l for s, (_, l) in zip(slots, parts) if s is None)).__name__}); "
                              "bind those with functools.partial")

    def rebuild(values: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(
            jax.tree_util.tree_unflatten(structure, [leaf if slot is None else values[slot] for slot, leaf in zip(slots, leaves)])
            for structure, slots, leaves in trees)

    found.rebuild = rebuild
    return found


def _parameter_names(fn: Callable[..., Any], count: int) -> list[str]:
    try:
        parameters = list(inspect.signature(fn).parameters.values())
    except (TypeError, ValueError):
        parameters = []
    names = []
    for i in range(count):
        if i < len(parameters) and parameters[i].kind in (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD):
            names.append(parameters[i].name)
            continue
        first = next((k for k, p in enumerate(parameters) if p.kind is inspect.Parameter.VAR_POSITIONAL), None)
        names.append(f"{parameters[first].name}[{i - first}]" if first is not None else f"args[{i}]")
    return names


def from_jax(
    fn: Callable[..., Any], args: Sequence[Any], trainable: Selection, buffers: Selection, frozen: str | Sequence[str], name: str | None
) -> Model:
    """See raf.from_jax."""
    reader.need("jax", "raf.from_jax")
    if not callable(fn):
        raise ImportError(f"raf.from_jax takes a function, got {type(fn).__name__}")
    given = _take_apart(fn, args)
    title = name or getattr(fn, "__name__", None) or type(fn).__name__
    donated = _donated(fn, args, len(given.values))
    source, program, out, lower = _lower(fn, given, donated, title)
    interface = describe(program.text, source.name)
    results = _result_names(out, interface)
    if len(interface.arguments) != len(given.values):
        raise ImportError(f"{title!r} has effects that RAF does not support: its program has {len(interface.arguments)} arguments for {len(given.values)} arrays")
    arguments = tuple(Argument(n, v.dtype, _dims(v, x), v.alias) for n, v, x in zip(given.names, interface.arguments, given.values))
    gives = tuple(Argument(n, v.dtype, v.dims) for n, v in zip(results, interface.results))
    trained = _select(given, trainable, "trainable") if trainable is not None else _default(given, donated)
    kept = _select(given, buffers, "buffers") if buffers is not None else _Selected([], set())
    values = _values(given, arguments, [*trained.parameters, *kept.parameters])
    buffer_names = {given.names[i] for p in kept.parameters for i in p.leaves}
    param_names = [given.names[i] for p in trained.parameters for i in p.leaves]
    fixed = {n for n in param_names if n not in trained.names}
    for pattern in [frozen] if isinstance(frozen, str) else frozen:
        found = matching(param_names, pattern)
        if not found:
            raise ImportError(f"frozen: no parameter matches {pattern!r}{suggest(pattern, param_names)}")
        fixed.update(found)
    updates = _updates(title, out, given, kept.parameters, gives)
    trees = tuple(Tree(p.name, tuple(Leaf(arguments[i].name, arguments[i].dtype) for i in p.leaves), _structure(p.structure)) for p in given.parameters)
    kept_results = [g for i, g in enumerate(gives) if i not in updates]
    signature = Signature(trees, Tree("result", tuple(Leaf(g.name, g.dtype) for g in kept_results), _structure(_without(out, len(kept.parameters)))))
    origin = StablehloSource(source, program.text, interface, arguments, gives, updates, lower)
    model = make_model(title, origin, values, buffer_names, fixed, signature)
    if not any(isinstance(d, str) or d is None for i in model.inputs for d in i.dims or ()):
        model.specialize()
    return model


def _dims(value: Value, example: Any) -> tuple[Dim, ...]:
    """Sizes that are open have the names of the example's."""
    if all(d is not None for d in value.dims):
        return value.dims
    return tuple(d if isinstance(d, int) else str(d) if str(d).isidentifier() else None for d in np.shape(example))


def _lower(fn: Callable[..., Any], given: _Arguments, donated: Sequence[int], title: str) -> tuple[reader.Source, reader.Program, Any, Callable[..., str]]:
    """The function's program, the structure of its result, and what makes the program for other shapes of the arguments."""
    import jax

    structure = None

    def flat(*values: Any) -> Any:
        nonlocal structure
        leaves, structure = jax.tree_util.tree_flatten(fn(*given.rebuild(values)))
        return leaves

    flat.__name__ = flat.__qualname__ = title
    jitted = jax.jit(flat, keep_unused=True, donate_argnums=tuple(donated))

    def lower(values: Sequence[Any]) -> str:
        lowered = jitted.trace(*values).lower(lowering_platforms=("cpu",), _private_parameters=custom_rules.lowering_parameters())
        return reader.innermost(lowered.compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True, enable_debug_info=True))

    def for_shapes(shapes: Sequence[tuple[int, ...]]) -> str:
        try:
            return lower([v if np.shape(v) == s else jax.ShapeDtypeStruct(s, v.dtype) for v, s in zip(given.values, shapes)])
        except (TypeError, ValueError) as error:
            reason = str(error).strip().splitlines()
            raise ImportError(f"{title!r} cannot be traced for the shapes {[list(s) for s in shapes]}: {reason[0] if reason else type(error).__name__}") from None

    if any(not isinstance(d, int) for v in given.values for d in np.shape(v)):
        exported = jax.export.export(jitted, platforms=("cpu",))(*given.values)
        source = reader.Source("portable", bytes(exported.mlir_module_serialized), title)
        return source, reader.read(source), structure, for_shapes
    text = lower(given.values)
    return reader.Source("generic", text.encode(), title), reader.Program(text), structure, for_shapes


def _donated(fn: Any, args: Sequence[Any], count: int) -> list[int]:
    """The arrays that a jitted function takes over."""
    import jax

    if not hasattr(fn, "trace"):
        return []
    flags = [info.donated for info in jax.tree_util.tree_leaves(fn.trace(*args).args_info, is_leaf=lambda x: hasattr(x, "donated"))]
    return [i for i, flag in enumerate(flags) if flag] if len(flags) == count else []


def _result_names(out: Any, interface: Interface) -> list[str]:
    import jax

    numbered = jax.tree_util.tree_unflatten(out, range(len(interface.results)))
    return ["result" + jax.tree_util.keystr(path) for path, _ in jax.tree_util.tree_flatten_with_path(numbered)[0]]


def _structure(structure: Any) -> Any:
    import jax

    return None if structure == jax.tree_util.tree_structure(0) else structure


@dataclass
class _Selected:
    """Whole parameters of the function, and the names of the arrays in them that were meant."""

    parameters: list[_Parameter]
    names: set[str]


def _select(given: _Arguments, selection: Selection, what: str) -> _Selected:
    """By position, by the name of an argument or of an array in it, or by pattern. An array that is chosen makes its whole argument a stored one."""
    names: set[str] = set()
    for item in [selection] if isinstance(selection, (int, str)) else selection or ():
        by_name = {p.name: p for p in given.parameters}
        if isinstance(item, int) and not isinstance(item, bool):
            if not -len(given.parameters) <= item < len(given.parameters):
                raise ImportError(f"{what}: there is no argument {item}; the function has {len(given.parameters)} with arrays: {', '.join(by_name)}")
            chosen = [given.names[i] for i in given.parameters[item].leaves]
        elif isinstance(item, str) and item in by_name:
            chosen = [given.names[i] for i in by_name[item].leaves]
        else:
            chosen = matching(given.names, str(item))
            if not chosen:
                raise ImportError(f"{what}: no argument matches {item!r}{suggest(str(item), {*by_name, *given.names})}")
        names.update(chosen)
    return _Selected([p for p in given.parameters if any(given.names[i] in names for i in p.leaves)], names)


def _has_value(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex)) or hasattr(value, "__array__") or hasattr(value, "__dlpack__")


def _default(given: _Arguments, donated: Sequence[int]) -> _Selected:
    """The first argument, as jax.grad has it, if it holds values and all of them are floating-point or complex numbers. What is donated is the caller's to keep."""
    if not given.parameters:
        return _Selected([], set())
    first = given.parameters[0]
    values = [given.values[i] for i in first.leaves]
    good = all(_has_value(v) and is_inexact(np.dtype(getattr(v, "dtype", type(v)))) for v in values if "key<" not in str(getattr(v, "dtype", "")))
    good = good and not any("key<" in str(getattr(v, "dtype", "")) for v in values) and not set(first.leaves) & set(donated)
    return _Selected([first], {given.names[i] for i in first.leaves}) if good and values else _Selected([], set())


def _values(given: _Arguments, arguments: Sequence[Argument], parameters: Sequence[_Parameter]) -> dict[str, Array]:
    missing = [given.names[i] for p in parameters for i in p.leaves if not _has_value(given.values[i])]
    if missing:
        raise ImportError(f"arguments that RAF keeps (trainable and buffers) need values, not just shapes: {', '.join(missing)}")
    values = {}
    for parameter in parameters:
        for i in parameter.leaves:
            leaf = Leaf(arguments[i].name, arguments[i].dtype)
            values[leaf.name] = np.array(Tree(parameter.name, (leaf,)).flatten(given.values[i])[0], leaf.dtype)
    return values


def _without(out: Any, count: int) -> Any:
    """The structure of the result without its last `count` parts, which are new buffers; a single part stands for itself."""
    if not count:
        return out
    import jax

    parts = out.children()[: len(out.children()) - count]
    return parts[0] if len(parts) == 1 else jax.tree_util.treedef_tuple(parts)


def _updates(title: str, out: Any, given: _Arguments, parameters: Sequence[_Parameter], results: Sequence[Argument]) -> dict[int, str]:
    """The results that are new values of buffers: the last parts of the function's tuple, one for each buffer argument, of its structure and types."""
    if not parameters:
        return {}
    parts = out.children() if out.node_data() is not None and out.node_data()[0] is tuple else []
    if len(parts) <= len(parameters):
        raise ImportError(f"{title!r} must return a tuple (..., {', '.join(p.name for p in parameters)}): its buffers' new values come last; it returns {out}")
    problems = []
    updates: dict[int, str] = {}
    at = out.num_leaves
    for parameter, part in reversed(list(zip(parameters, parts[len(parts) - len(parameters) :]))):
        at -= part.num_leaves
        if part != parameter.structure:
            problems.append(f"the new value of {parameter.name!r} has the structure {part}, expected {parameter.structure}")
            continue
        for k, i in enumerate(parameter.leaves):
            updates[at + k] = given.names[i]
            shape = np.shape(given.values[i])
            if results[at + k].dims != shape:
                problems.append(f"the new value of {given.names[i]!r} has the shape {list(results[at + k].dims)}, expected {list(shape)}")
    if problems:
        raise ImportError(bullets(f"the buffers of {title!r}", problems), problems)
    return updates
