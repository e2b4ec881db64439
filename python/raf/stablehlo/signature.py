# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the @main of a module in generic form takes and gives, and the attributes by which RAF knows it."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from .._arrays import DTYPES
from ..errors import ImportError

#: The element types of arguments and results. A complex one is two parts inside the program.
_DTYPES = {**DTYPES, "complex<f32>": np.dtype(np.complex64), "complex<f64>": np.dtype(np.complex128)}
#: jax.export wraps the function; its names are on the inner one.
_WRAPPED = "_wrapped_jax_export_main"


@dataclass(frozen=True)
class Value:
    """An argument or result: a size is None where the module leaves it open. `alias` is the result that takes over a donated argument."""

    name: str
    dtype: np.dtype[Any]
    dims: tuple[int | None, ...]
    alias: int | None = None

    @property
    def type(self) -> str:
        element = next(n for n, d in _DTYPES.items() if d == self.dtype)
        return f"tensor<{''.join('?x' if d is None else f'{d}x' for d in self.dims)}{element}>"


@dataclass(frozen=True)
class Interface:
    name: str
    arguments: tuple[Value, ...]
    results: tuple[Value, ...]


@contextmanager
def parsed(text: str | bytes, name: str) -> Iterator[Any]:
    """The module, inside its context."""
    from .._mlir import ir

    with ir.Context() as context, ir.Location.unknown():
        context.allow_unregistered_dialects = True
        # MLIR takes no func.call in a region of an op that it does not know, as in a reduction: there it would not find the function.
        text = text.replace('"func.call"(', '"stablehlo.call"(') if isinstance(text, str) else text.replace(b'"func.call"(', b'"stablehlo.call"(')
        try:
            module = ir.Module.parse(text)
        except ir.MLIRError as error:
            problems = [located(name, f"{d.location}: {d.message}") for d in error.error_diagnostics]
            raise ImportError("\n".join(problems) or f"{name}: {error}", problems) from None
        yield module


def located(name: str, message: str) -> str:
    """A diagnostic with its places as `file:line:column`, and with the program's name where MLIR knows just the place in its text."""
    message = re.sub(r'^loc\("-":(\d+:\d+)(?: to [^)]*)?\): ', lambda m: f"{name}:{m[1]}: ", message)
    message = re.sub(r'^(?:"(?P<op>[^"]*)"\()?(?:"[^"]*"\()*"(?P<file>[^"]+)":(?P<at>\d+:\d+)(?: to [^)]*?)?\)*: (?=error|note|warning)',
                     lambda m: f"{name if m['file'] == '-' else m['file']}:{m['at']}: {m['op'] + ': ' if m['op'] else ''}", message, flags=re.M)
    return message


def functions(module: Any) -> dict[str, Any]:
    from .._mlir.dialects import func

    return {op.name.value: op for op in module.body.operations if isinstance(op, func.FuncOp)}


def describe(text: str, name: str) -> Interface:
    """What @main takes and gives. Raises raf.ImportError with every argument and result that RAF has no type for."""
    with parsed(text, name) as module:
        found = functions(module)
        main = found.get("main")
        if main is None or main.is_external:
            raise ImportError(f"{name}: the module has no function @main" + (f"; it has {', '.join('@' + f for f in found)}" if found else ""))
        problems: list[str] = []
        named = _location_names(main.arguments)
        inner = found.get(_WRAPPED)
        if inner is not None and not inner.is_external and not any(named):
            named = _location_names(inner.arguments)[len(inner.arguments) - len(named) :]
        results = [_attributes(a) for a in main.attributes["res_attrs"]] if "res_attrs" in main.attributes else [{} for _ in main.type.results]
        infos = [_text(a.get("jax.result_info")) or f"result{i if len(results) > 1 else ''}" for i, a in enumerate(results)]
        attributes = [_attributes(a) for a in main.arg_attrs] if len(main.arguments) else []
        made = [
            _value(n or f"arg{i}", a.type, "argument", problems, _alias(d))
            for i, (n, a, d) in enumerate(zip(_distinct(named), main.arguments, attributes))]
        gives = [_value(n, t, "result", problems) for n, t in zip(_distinct(infos), main.type.results)]
        if problems:
            raise ImportError(f"{name}: " + "; ".join(problems), problems)
        title = module.operation.attributes["sym_name"].value if "sym_name" in module.operation.attributes else name
        return Interface(title, tuple(v for v in made if v), tuple(v for v in gives if v))


def _attributes(dictionary: Any) -> dict[str, Any]:
    return {entry.name: entry.attr for entry in dictionary}


def _text(attribute: Any) -> str:
    return str(getattr(attribute, "value", "") or "")


def _alias(attributes: Mapping[str, Any]) -> int | None:
    found = attributes.get("tf.aliasing_output")
    return None if found is None else int(found.value)


def _location_names(arguments: Any) -> list[str]:
    return [a.location.name_str if a.location.is_a_name() else "" for a in arguments]


def _distinct(names: Sequence[str]) -> list[str]:
    """Each name once; the second `x` becomes `x_1`."""
    seen: set[str] = set(names)
    used: set[str] = set()
    made = []
    for name in names:
        unique, number = name, 0
        while name and unique in used or number and unique in seen:
            number += 1
            unique = f"{name}_{number}"
        used.add(unique)
        made.append(unique)
    return made


def _value(name: str, type_: Any, what: str, problems: list[str], alias: int | None = None) -> Value | None:
    from .._mlir import ir

    if not isinstance(type_, ir.RankedTensorType):
        problems.append(f"{what} {name!r} is {type_}, expected a ranked tensor")
        return None
    element = str(type_.element_type)
    if element not in _DTYPES:
        problems.append(f"{what} {name!r} has the element type {element}; supported are {', '.join(_DTYPES)}")
        return None
    dims = tuple(None if type_.is_dynamic_dim(i) else type_.get_dim_size(i) for i in range(type_.rank))
    return Value(name, _DTYPES[element], dims, alias)


@dataclass(frozen=True)
class Description:
    """What RAF's attributes say of an argument."""

    name: str
    role: str
    frozen: bool = False


def annotate(text: str, name: str, arguments: Sequence[Description], results: Sequence[str], aliases: Mapping[int, int]) -> bytes:
    """The module as bytecode with raf.role, raf.name, raf.frozen and raf.alias (result -> argument) on @main."""
    from .._mlir import ir

    with parsed(text, name) as module:
        main = functions(module)["main"]
        described = []
        for given in arguments:
            entries: dict[str, Any] = {"raf.role": ir.StringAttr.get(given.role), "raf.name": ir.StringAttr.get(given.name)}
            if given.frozen:
                entries["raf.frozen"] = ir.UnitAttr.get()
            described.append(ir.DictAttr.get(entries))
        main.arg_attrs = described
        given_results = []
        for i, title in enumerate(results):
            entries = {"raf.name": ir.StringAttr.get(title)}
            if i in aliases:
                entries["raf.alias"] = ir.IntegerAttr.get(ir.IntegerType.get_signless(64), aliases[i])
            given_results.append(ir.DictAttr.get(entries))
        main.attributes["res_attrs"] = ir.ArrayAttr.get(given_results)
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
        return buffer.getvalue()

