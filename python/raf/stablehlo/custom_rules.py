# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What JAX functions say of their own derivatives, kept in their programs: jax.custom_vjp, jax.custom_jvp and jax.lax.stop_gradient.

StableHLO has no words for them. While RAF lowers a function, the primitives behind them become calls of functions that name their gradient (`raf.vjp`), and a custom
call that raf-autodiff does not look through.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

#: The custom call that stands for jax.lax.stop_gradient, and the attribute by which a function names its gradient.
STOP_GRADIENT = "raf.stop_gradient"
ATTRIBUTE = "raf.vjp"
#: Functions are the same if they compute the same and so do their derivatives up to this order.
_ORDER = 3
_CUSTOM = ("custom_jvp_call", "custom_vjp_call")


def lowering_parameters() -> Any:
    """What makes JAX lower a function with its derivatives."""
    from jax.interpreters import mlir

    call = _Rules().call
    rules = [(primitive, _stop_gradient if str(primitive) == "stop_gradient" else call) for primitive in _primitives((*_CUSTOM, "stop_gradient"))]
    return mlir.LoweringParameters(override_lowering_rules=tuple(rules))


def _primitives(names: Sequence[str]) -> list[Any]:
    """The primitives of these names, from the program of a function that uses them."""
    import jax

    @jax.custom_jvp
    def by_jvp(x: Any) -> Any:
        return jax.numpy.sin(x)

    @jax.custom_vjp
    def by_vjp(x: Any) -> Any:
        return jax.numpy.sin(x)

    by_jvp.defjvp(lambda p, t: (by_jvp(p[0]), t[0]))
    by_vjp.defvjp(lambda x: (by_vjp(x), None), lambda _, dy: (dy,))
    program = jax.make_jaxpr(lambda x: jax.lax.stop_gradient(by_jvp(by_vjp(x))))(np.float32(0))
    found = {str(eqn.primitive): eqn.primitive for eqn in program.jaxpr.eqns}
    return [found[name] for name in names]


def _stop_gradient(ctx: Any, x: Any) -> Any:
    from jaxlib.mlir.dialects import stablehlo

    return stablehlo.CustomCallOp([x.type], [x], STOP_GRADIENT).results if _is_float(ctx.avals_in[0]) else [x]


@dataclass(frozen=True)
class _Call:
    """A use of a function that has a derivative of its own."""

    primitive: Any
    params: dict[str, Any]
    inputs: tuple[Any, ...]
    outputs: tuple[Any, ...]

    @property
    def name(self) -> str:
        info = getattr(self.params["call_jaxpr"].jaxpr, "debug_info", None)
        return re.sub(r"\W+", "_", str(getattr(info, "func_name", None) or self.primitive))

    @property
    def is_real(self) -> bool:
        return any(map(_is_float, self.outputs)) and not any(np.issubdtype(a.dtype, np.complexfloating) for a in (*self.inputs, *self.outputs) if isinstance(a.dtype, np.dtype))

    def __call__(self, *args: Any) -> list[Any]:
        from jax.extend import core

        taken, given = [core.Var(a) for a in self.inputs], [core.Var(a) for a in self.outputs]
        program = self.params["call_jaxpr"].jaxpr
        eqn = core.new_jaxpr_eqn(taken, given, self.primitive, self.params, program.effects)
        made = core.Jaxpr((), taken, given, [eqn], program.effects, program.debug_info)
        return core.jaxpr_as_fun(core.ClosedJaxpr(made, ()))(*args)  # type: ignore[no-any-return]

    def gradient(self) -> Any:
        """The program of the cotangents of the floating-point arguments, from all arguments and the cotangents of the floating-point results."""
        import jax

        floats = [i for i, a in enumerate(self.inputs) if _is_float(a)]
        outs = [i for i, a in enumerate(self.outputs) if _is_float(a)]

        def pulled(*values: Any) -> Any:
            args, cotangents = list(values[: len(self.inputs)]), values[len(self.inputs) :]

            def of_floats(*xs: Any) -> list[Any]:
                for i, x in zip(floats, xs):
                    args[i] = x
                results = self(*args)
                return [results[i] for i in outs]

            return jax.vjp(of_floats, *(args[i] for i in floats))[1](list(cotangents))

        return _live(jax.make_jaxpr(pulled)(*map(_shape, self.inputs), *(_shape(self.outputs[i]) for i in outs)))

    def key(self, gradient: Any, order: int = _ORDER) -> Any:
        """What the call computes and its derivatives up to an order, written out."""
        own = _text(self.params["call_jaxpr"])
        if order == 0:
            return self.name, own
        inner = [call.key(call.gradient() if order > 1 else None, order - 1) for call in _calls(gradient.jaxpr) if call.is_real]
        return self.name, own, _text(gradient), tuple(inner)


def _live(program: Any) -> Any:
    """The program without what its results do not depend on: the value of the function itself, most often."""
    from jax.extend import core

    needed = {id(v) for v in program.jaxpr.outvars}
    kept = []
    for eqn in reversed(program.jaxpr.eqns):
        if eqn.effects or any(id(v) in needed for v in eqn.outvars):
            kept.append(eqn)
            needed.update(id(v) for v in eqn.invars)
    return core.ClosedJaxpr(program.jaxpr.replace(eqns=kept[::-1]), program.consts)


def _shape(aval: Any) -> Any:
    import jax

    return jax.ShapeDtypeStruct(aval.shape, aval.dtype)


def _is_float(aval: Any) -> bool:
    import jax

    return bool(jax.numpy.issubdtype(aval.dtype, jax.numpy.floating))


def _calls(jaxpr: Any) -> Iterator[_Call]:
    for eqn in jaxpr.eqns:
        if str(eqn.primitive) in _CUSTOM:
            yield _Call(eqn.primitive, eqn.params, tuple(v.aval for v in eqn.invars), tuple(v.aval for v in eqn.outvars))
        else:
            for inner in _inner(eqn):
                yield from _calls(inner)


def _inner(eqn: Any) -> Iterator[Any]:
    for param in eqn.params.values():
        for value in param if isinstance(param, (tuple, list)) else (param,):
            if hasattr(value, "eqns"):
                yield value
            elif hasattr(getattr(value, "jaxpr", None), "eqns"):
                yield value.jaxpr


def _text(program: Any) -> str:
    """A program as text without the addresses of objects, and a digest of its constants."""
    digest = hashlib.sha256()

    def add(jaxpr: Any, consts: Sequence[Any]) -> None:
        for const in consts:
            digest.update(np.asarray(const).tobytes() if hasattr(const, "__array__") else repr(const).encode())
        for eqn in jaxpr.eqns:
            for param in eqn.params.values():
                for value in param if isinstance(param, (tuple, list)) else (param,):
                    if hasattr(getattr(value, "jaxpr", None), "eqns"):
                        add(value.jaxpr, value.consts)

    add(program.jaxpr, program.consts)
    return re.sub(r"0x[0-9a-f]+", "", str(program)) + digest.hexdigest()


class _Rules:
    """The functions made while a program is lowered, by what they compute and how they are differentiated."""

    def __init__(self) -> None:
        self.made: dict[Any, Any] = {}

    def call(self, ctx: Any, *args: Any, **params: Any) -> Any:
        from jax.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import func

        call = _Call(ctx.primitive, params, tuple(ctx.avals_in), tuple(ctx.avals_out))
        # A function without floating-point results has nothing to say; the rules for complex numbers are those that follow from what is computed.
        if not call.is_real or not any(map(_is_float, call.inputs)):
            return mlir.core_call_lowering(ctx, *args, name=call.name, call_jaxpr=params["call_jaxpr"])
        gradient = call.gradient()
        key = call.key(gradient)
        types = [a.type for a in args]
        if key not in self.made:
            # Before its gradient, which may call it again.
            made = self.made[key] = self._function(ctx, call.name, params["call_jaxpr"], types)
            results = [t for t, a in zip(made.type.results, call.outputs) if _is_float(a)]
            pulled = self._function(ctx, f"{call.name}_vjp", gradient, [*types, *results])
            made.attributes[ATTRIBUTE] = ir.FlatSymbolRefAttr.get(pulled.name.value)
        return func.CallOp(self.made[key], list(args)).results

    @staticmethod
    def _function(ctx: Any, name: str, program: Any, inputs: Sequence[Any]) -> Any:
        """A function of the module for a program."""
        from jax.interpreters import mlir
        from jaxlib.mlir import ir
        from jaxlib.mlir.dialects import func

        # A caller that is removed again: only calls make JAX lower a program to a function.
        module = ctx.module_context.module
        with ir.InsertionPoint(module.body):
            caller = func.FuncOp(f"{name}_caller", ir.FunctionType.get(inputs, []))
        block = caller.add_entry_block()
        with ir.InsertionPoint(block):
            mlir.core_call_lowering(ctx.replace(avals_in=program.in_avals, avals_out=program.out_avals, tokens_out=None), *block.arguments, name=name, call_jaxpr=program)
        callee = next(op for op in block.operations if isinstance(op, func.CallOp)).callee.value
        caller.erase()
        return ir.SymbolTable(module.operation)[callee]
