# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions whose gradient is given."""

from __future__ import annotations

import functools
import io
from collections.abc import Callable, Sequence
from typing import Any, Union, overload

import numpy as np

from ._arrays import is_inexact
from .errors import CompileError
from .functions import Function, Shapes, as_function
from .model import Model
from .trees import Leaf

Differentiable = Union[Model, Function, Callable[..., Any]]


@overload
def custom_gradient(function: Model | Function, vjp: Model | Function) -> Function: ...
@overload
def custom_gradient(function: Callable[..., Any], vjp: Callable[..., Any]) -> Callable[..., Any]: ...
@overload
def custom_gradient(*, vjp: Differentiable) -> Callable[[Any], Any]: ...


def custom_gradient(function: Any = None, vjp: Any = None) -> Any:
    """The function, with a gradient that `vjp` computes: from all arguments and the cotangent of the result, the cotangents of the arguments.

    Both are JAX functions, and what comes back is one, for use in functions that `raf.from_jax` takes (and in JAX itself); `vjp` returns one cotangent an argument (a tuple
    if there are several), None where there is none. Or both are models or what `raf.grad` and its kin return; then `vjp` returns the cotangents of the floating-point
    arrays among the arguments, in order, and what comes back can be given to `raf.grad` and its kin. With `vjp` alone it is a decorator.

    >>> clip = raf.custom_gradient(lambda x: x, lambda x, dy: dy.clip(-1, 1))
    >>> float(raf.grad(raf.from_jax(lambda x: 5 * clip(x), 2.0))(2.0))
    1.0
    """
    if vjp is None:
        raise CompileError("custom_gradient: needs vjp, the function that computes the cotangents of the arguments")
    if function is None:
        return functools.partial(custom_gradient, vjp=vjp)
    kinds = [isinstance(f, (Model, Function)) for f in (function, vjp)]
    if kinds[0] != kinds[1] or not all(k or callable(f) for k, f in zip(kinds, (function, vjp))):
        raise CompileError(f"custom_gradient: expected two JAX functions, or two models or functions of RAF, got {type(function).__name__} and {type(vjp).__name__}")
    return _of_functions(as_function(function), as_function(vjp)) if kinds[0] else _of_jax(function, vjp)


def _of_jax(function: Callable[..., Any], vjp: Callable[..., Any]) -> Callable[..., Any]:
    import jax

    def forward(*args: Any) -> Any:
        return function(*args), args

    def backward(args: tuple[Any, ...], cotangent: Any) -> Any:
        given = vjp(*args, cotangent)
        parts = given if isinstance(given, (tuple, list)) and len(args) != 1 else (given,)
        if len(parts) != len(args):
            raise CompileError(f"custom_gradient: the vjp of {getattr(function, '__name__', 'a function')!r} must return {len(args)} cotangents, one an argument, got {len(parts)}")
        return tuple(parts)

    made = jax.custom_vjp(function)
    made.defvjp(forward, backward)
    return made


# ---- of models ----


def _of_functions(function: Function, vjp: Function) -> Function:
    for f in (function, vjp):
        if f.stored:
            raise CompileError(f"custom_gradient: {f.name} keeps arrays ({', '.join(sorted(f.stored)[:3])}); a gradient is given for functions of all that they compute from")
    arguments = [leaf for t in function.signature.arguments for leaf in t.leaves]
    cotangents = [leaf for leaf in function.signature.results.leaves if is_inexact(leaf.dtype)]
    _check(f"the arguments of {vjp.name}", [leaf for t in vjp.signature.arguments for leaf in t.leaves], [*arguments, *cotangents])
    _check(f"the results of {vjp.name}", vjp.signature.results.leaves, [leaf for leaf in arguments if is_inexact(leaf.dtype)])

    def lower(shapes: Shapes) -> bytes:
        primal = function.module(shapes)
        results = _result_shapes(primal)
        given = [shapes[s.name] for s in function.slots] + [r for r, leaf in zip(results, function.signature.results.leaves) if is_inexact(leaf.dtype)]
        return _joined(primal, vjp.module({s.name: g for s, g in zip(vjp.slots, given)}), function.name)

    return Function(f"custom_gradient({function.name})", function.signature, function.slots, lower, {}, function.options)


def _check(what: str, got: Sequence[Leaf], expected: Sequence[Leaf]) -> None:
    if [np.dtype(g.dtype) for g in got] != [np.dtype(e.dtype) for e in expected]:
        shown = [", ".join(f"{leaf.name}: {leaf.dtype}" for leaf in leaves) or "nothing" for leaves in (expected, got)]
        raise CompileError(f"custom_gradient: {what} must be those that stand for {shown[0]}; they are {shown[1]}")


def _result_shapes(asm: bytes) -> list[tuple[int, ...]]:
    from ._module import opened

    with opened(asm) as main:
        return [tuple(v.type.shape) for v, _ in main.results]


def _joined(primal: bytes, pulled: bytes, name: str) -> bytes:
    """A module whose @main calls that of `primal`, which names that of `pulled` as its gradient."""
    from ._mlir import ir
    from ._mlir.dialects import func

    with ir.Context(), ir.Location.unknown():
        module, other = ir.Module.parse(primal), ir.Module.parse(pulled)
        for source, prefix in ((module, "primal"), (other, "primal_vjp")):
            functions: list[Any] = [op for op in source.body.operations if isinstance(op, func.FuncOp)]
            for function in functions:
                old = function.name.value
                new = prefix if old == "main" else f"{prefix}.{old}"
                ir.SymbolTable.replace_all_symbol_uses(old, new, source.operation)
                ir.SymbolTable.set_symbol_name(function, new)
        for op in list(other.body.operations):
            op.operation.detach_from_parent()
            module.body.append(op)
        moved: list[Any] = list(module.body.operations)
        found = {op.name.value: op for op in moved}
        inner, gradient = found["primal"], found["primal_vjp"]
        attributes = [{e.name: e.attr for e in d} for op in (inner, gradient) for d in op.arg_attrs]
        if any(a["raf.role"].value in ("seed", "step") for a in attributes):
            raise CompileError(f"custom_gradient: {name} or its vjp draws random numbers, whose seed is no argument of theirs")
        with ir.InsertionPoint(module.body):
            main = func.FuncOp("main", inner.type)
            main.attributes["arg_attrs"], main.attributes["res_attrs"] = inner.attributes["arg_attrs"], inner.attributes["res_attrs"]
            block = main.add_entry_block()
            with ir.InsertionPoint(block):
                func.ReturnOp(func.CallOp(inner, list(block.arguments)).results)
        for op in (inner, gradient):
            del op.attributes["arg_attrs"], op.attributes["res_attrs"]
            op.attributes["sym_visibility"] = ir.StringAttr.get("private")
        inner.attributes["raf.vjp"] = ir.FlatSymbolRefAttr.get("primal_vjp")
        if gradient.type != _expected(ir, inner.type):
            raise CompileError(f"custom_gradient: the vjp of {name} has the type {gradient.type}, expected {_expected(ir, inner.type)}: the arguments, then the cotangents of the "
                               "floating-point results; the cotangents of the floating-point arguments")
        module.operation.verify()
        buffer = io.BytesIO()
        module.operation.write_bytecode(buffer)
        return buffer.getvalue()


def _expected(ir: Any, primal: Any) -> Any:
    floats = (ir.F16Type, ir.BF16Type, ir.F32Type, ir.F64Type)
    inputs, results = list(primal.inputs), [t for t in primal.results if isinstance(t.element_type, floats)]
    return ir.FunctionType.get([*inputs, *results], [t for t in inputs if isinstance(t.element_type, floats)])
