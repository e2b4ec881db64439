# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as functions: gradients, Jacobian products, and all of these of one another."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Union

import numpy as np

from . import _engine, losses
from ._arrays import Array, from_real, is_inexact, mlir_name
from ._batches import Dim, Slot, arrange
from ._engine import CompileOptions
from ._device import make_program
from ._module import Main, edited, opened, with_roles
from ._program import Argument, Program
from .compiler import libraries_of
from .errors import CompileError, suggest
from .losses import Loss
from .model import Model, matching
from .predictor import Weights, choose_outputs
from .trees import Flat, Leaf, Signature, Tree

Wrt = Union[int, str, Sequence[Union[int, str]]]
Shapes = Mapping[str, tuple[int, ...]]
_AUTODIFF = "builtin.module(raf-autodiff,canonicalize,cse)"
_CLEAN = "builtin.module(canonicalize,cse)"


class Function:
    """A compiled function of arrays, made by raf.grad and its kin. It takes the arguments of the model, as pytrees if the model has them.

    Each set of shapes is compiled when it is first met.
    """

    def __init__(
        self, name: str, signature: Signature, slots: Sequence[Slot], lower: Callable[[Shapes], bytes], stored: Mapping[str, Array], options: CompileOptions,
        keyword: str | None = None,
    ) -> None:
        self.name, self.signature, self.slots = name, signature, tuple(slots)
        self.lower, self.stored, self.options = lower, dict(stored), options
        self._keyword = keyword
        self._modules: dict[Any, bytes] = {}
        self._programs: dict[Any, Program] = {}

    def __repr__(self) -> str:
        return f"<{self.name}({', '.join(t.name for t in self.signature.arguments)})>"

    def module(self, shapes: Shapes) -> bytes:
        """The module for these shapes by name of the arrays."""
        key = tuple(shapes[s.name] for s in self.slots)
        if key not in self._modules:
            self._modules[key] = self.lower(shapes)
        return self._modules[key]

    def __call__(self, *values: Any, **named: Any) -> Any:
        flat = self.signature.flatten(values, named, self.signature.arguments)
        arrays = arrange(self.slots, [], dict(zip((s.name for s in self.slots), flat)), f"the arguments do not fit {self.name}")
        shapes = {s.name: a.shape for s, a in zip(self.slots, arrays)}
        key = tuple(shapes[s.name] for s in self.slots)
        if key not in self._programs:
            executable = _engine.build(self.module(shapes), _CLEAN, self.options)
            self._programs[key] = make_program(executable, self.stored, _zero)
        program = self._programs[key]
        by_name = dict(zip((s.name for s in self.slots), arrays))
        with program.lock:
            program.feed([by_name[slot.name] for slot in program.inputs])
            program.run()
            outputs = [from_real(program.output(i), leaf.dtype) for i, leaf in enumerate(self.signature.results.leaves)]
            return self.signature.results.unflatten(outputs)


def _zero(arg: Argument) -> Array:
    """The seed and step of a function: always those of the first step."""
    return np.full(arg.shape, 1 if arg.role == "step" else 0, arg.dtype)


def as_function(model: Model | Function, loss: str | Loss | None = None, options: Mapping[str, Any] | None = None) -> Function:
    """A model as the function of its inputs, and of its parameters and buffers too if it was a JAX function; with a loss, of the target as well."""
    if isinstance(model, Function):
        if loss is not None:
            raise CompileError("loss: only a model can be given one")
        return model
    if not isinstance(model, Model):
        raise CompileError(f"expected a model or what raf.grad and its kin return, got {type(model).__name__}")
    made = _options(options or {})
    kept = {**model.params, **model.buffers}
    if model.signature is not None:
        arguments, results, stored = model.signature.arguments, model.signature.results, {}
    else:
        arguments = tuple(Tree(i.name, (Leaf(i.name, np.dtype(i.dtype)),)) for i in model.inputs)
        leaves = tuple(Leaf(o.name, np.dtype(o.dtype)) for o in model.outputs)
        results, stored = Flat("result", leaves), Weights(model).arrays
    dims: dict[str, tuple[Dim, ...] | None] = {**{i.name: i.dims for i in model.inputs}, **{n: a.shape for n, a in kept.items()}}
    resolved = None if loss is None else losses.resolve(loss)
    pipeline = _CLEAN
    if resolved is not None:
        target = _target(model, resolved)
        pipeline = f"builtin.module(raf-attach-loss{{{resolved.pass_options(_output(model, resolved), mlir_name(target.dtype) if target else None)}}},raf-fuse-loss)"
        results = Tree("loss", (Leaf("loss", np.dtype(np.float32)),))
        if target is not None:
            arguments, dims["target"] = (*arguments, Tree("target", (target,))), None
    slots = [Slot(leaf.name, (leaf.dtype,), dims[leaf.name]) for tree in arguments for leaf in tree.leaves]
    inputs = {i.name for i in model.inputs}

    def lower(shapes: Shapes) -> bytes:
        asm = model.specialize({n: s for n, s in shapes.items() if n in inputs}).asm
        text = _engine._core().run_pipeline(asm, pipeline)

        def plain(main: Main) -> None:
            main.results = [(v, a) for v, a in main.results if not _is_update(main, a)]
            for i, attributes in enumerate(main.arguments):
                if attributes["raf.role"].value not in ("seed", "step"):
                    main.set_role(i, "param" if main.argument_name(i) in stored else "input", main.argument_name(i) in stored)
            main.results = [(v, {k: a for k, a in d.items() if k != "raf.alias"}) for v, d in main.results]

        return edited(text, plain)

    return Function(model.name, Signature(arguments, results), slots, lower, stored, made)


def _is_update(main: Main, attributes: Mapping[str, Any]) -> bool:
    alias = attributes.get("raf.alias")
    return alias is not None and main.arguments[int(alias.value)]["raf.role"].value == "buffer"


def _output(model: Model, loss: Loss) -> int:
    return choose_outputs(model, 0 if loss.output is None else loss.output)[0]


def _target(model: Model, loss: Loss) -> Leaf | None:
    if not loss.has_target:
        return None
    labels = isinstance(loss, losses.CrossEntropy) and not loss.dense
    return Leaf("target", np.dtype(np.int64) if labels else np.dtype(model.outputs[_output(model, loss)].dtype))


def _options(given: Mapping[str, Any]) -> CompileOptions:
    known = {"target", "opt_level", "libraries", "threads", "cache"}
    for name in given:
        if name not in known:
            raise CompileError(f"unknown option {name!r}{suggest(name, known)}")
    target = given.get("target", "cpu")
    return CompileOptions(**{**given, "target": target, "libraries": libraries_of(target, given.get("libraries"))})


# ---- what is differentiated ----


@dataclass
class _Part:
    """One item of `wrt`: an argument as its pytree, one array, or the arrays that match a pattern, as a dict."""

    tree: Tree
    names: list[str] = field(default_factory=list)
    is_dict: bool = False

    def build(self, gradients: Mapping[str, Any]) -> Any:
        if self.is_dict:
            return {n: gradients[n] for n in self.names}
        return self.tree.unflatten([gradients[leaf.name] for leaf in self.tree.leaves])

    def flatten(self, value: Any) -> dict[str, Array]:
        if not self.is_dict:
            return dict(zip((leaf.name for leaf in self.tree.leaves), self.tree.flatten(value)))
        return {leaf.name: Tree(leaf.name, (leaf,)).flatten(value[leaf.name])[0] for leaf in self.tree.leaves}


class _Wrt:
    """What a gradient is taken with respect to, and the form in which it is given."""

    def __init__(self, function: Function, wrt: Wrt) -> None:
        self.single = isinstance(wrt, (int, str))
        items: Sequence[int | str] = [wrt] if isinstance(wrt, (int, str)) else list(wrt)
        if not items:
            raise CompileError(f"wrt: nothing is chosen; {function.name} takes {', '.join(t.name for t in function.signature.arguments)}")
        self.parts = [self._part(function, item) for item in items]
        self.names = list(dict.fromkeys(leaf.name for p in self.parts for leaf in p.tree.leaves))
        wrong = [f"{leaf.name} ({leaf.dtype})" for p in self.parts for leaf in p.tree.leaves if not is_inexact(leaf.dtype)]
        if wrong:
            raise CompileError(f"wrt: gradients are of floating-point and complex arrays; {', '.join(wrong)} cannot be differentiated")

    @staticmethod
    def _part(function: Function, item: int | str) -> _Part:
        arguments = function.signature.arguments
        if isinstance(item, int) and not isinstance(item, bool):
            if not -len(arguments) <= item < len(arguments):
                raise CompileError(f"wrt: there is no argument {item}; {function.name} takes {', '.join(t.name for t in arguments)}")
            return _Part(arguments[item])
        leaves = {leaf.name: leaf for t in arguments for leaf in t.leaves}
        leaves.update({n: Leaf(n, a.dtype) for n, a in function.stored.items()})
        for tree in arguments:
            if tree.name == item:
                return _Part(tree)
        if item in leaves:
            return _Part(Tree(str(item), (leaves[str(item)],)))
        found = [n for n in matching(leaves, str(item)) if is_inexact(leaves[n].dtype)]
        if not found:
            raise CompileError(f"wrt: no argument matches {item!r}{suggest(str(item), {*(t.name for t in arguments), *leaves})}")
        return _Part(Tree(str(item), tuple(leaves[n] for n in found)), found, True)

    def build(self, gradients: Mapping[str, Any]) -> Any:
        made = [p.build(gradients) for p in self.parts]
        return made[0] if self.single else tuple(made)

    def leaves(self) -> list[Leaf]:
        return list({leaf.name: leaf for p in self.parts for leaf in p.tree.leaves}.values())


class _Results(Tree):
    """Results and gradients of a function, in the form that it gives them."""

    def __init__(self, outputs: Tree | None, wrt: _Wrt) -> None:
        own = outputs.leaves if outputs is not None else ()
        super().__init__("result", (*own, *(Leaf(f"grad:{leaf.name}", leaf.dtype) for leaf in wrt.leaves())))
        object.__setattr__(self, "outputs", outputs)
        object.__setattr__(self, "wrt", wrt)

    outputs: Tree | None
    wrt: _Wrt

    def unflatten(self, values: Sequence[Any]) -> Any:
        count = len(self.outputs.leaves) if self.outputs is not None else 0
        gradients = self.wrt.build(dict(zip(self.wrt.names, values[count:])))
        return gradients if self.outputs is None else (self.outputs.unflatten(values[:count]), gradients)

    def flatten(self, value: Any) -> list[Array]:
        outputs: list[Array] = []
        if self.outputs is not None:
            outputs, value = self.outputs.flatten(value[0]), value[1]
        found: dict[str, Array] = {}
        for part, given in zip(self.wrt.parts, [value] if self.wrt.single else value):
            found.update(part.flatten(given))
        return outputs + [found[n] for n in self.wrt.names]


class _Tangents(Tree):
    """Tangents of what a derivative is taken with respect to, in that form."""

    def __init__(self, name: str, wrt: _Wrt) -> None:
        super().__init__(name, tuple(Leaf(f"tangent:{leaf.name}", leaf.dtype) for leaf in wrt.leaves()))
        object.__setattr__(self, "form", _Results(None, wrt))

    form: _Results

    def flatten(self, value: Any) -> list[Array]:
        return self.form.flatten(value)


class _Cotangents(Tree):
    """A value of the form of the results; only its floating-point and complex arrays count."""

    def __init__(self, name: str, results: Tree) -> None:
        super().__init__(name, tuple(Leaf(f"cotangent:{leaf.name}", leaf.dtype) for leaf in results.leaves if is_inexact(leaf.dtype)))
        object.__setattr__(self, "form", results)

    form: Tree

    def flatten(self, value: Any) -> list[Array]:
        return [a for leaf, a in zip(self.form.leaves, self.form.flatten(value)) if is_inexact(leaf.dtype)]


# ---- the transformations ----


def _differentiate(asm: bytes | str, names: Sequence[str]) -> tuple[str, list[str]]:
    """The module with the gradients of `loss` appended, and the names of their results."""
    text = _engine._core().run_pipeline(with_roles(asm, {n: "param" for n in names}), _AUTODIFF)
    with opened(text) as main:
        found = {main.argument_name(int(a["raf.grad_of"].value)): n for (_, a), n in zip(main.results, main.result_names()) if "raf.grad_of" in a}
    return text, [found[n] for n in names]


def _finish(asm: str, results: Sequence[tuple[str, str]], stored: Mapping[str, Array], conjugated: Collection[str] = ()) -> bytes:
    """Only these results, each under a new name; stored arrays are parameters, all others inputs.

    Programs compute gradients of real and imaginary parts; the gradient of a complex array is the conjugate of those two, as JAX has it.
    """

    def change(main: Main) -> None:
        by_name = dict(zip(main.result_names(), main.results))
        main.results = [main.named(main.conjugated(v) if name in conjugated else v, new) for name, new in results for v in [by_name[name][0]]]
        for i, attributes in enumerate(main.arguments):
            if attributes["raf.role"].value not in ("seed", "step"):
                kept = main.argument_name(i) in stored
                main.set_role(i, "param" if kept else "input", kept)

    return edited(asm, change)


def _complex(gradients: Sequence[str], wrt: _Wrt) -> set[str]:
    """The gradients of complex arrays."""
    return {g for g, leaf in zip(gradients, wrt.leaves(), strict=True) if leaf.dtype.kind == "c"}


def _scalar(function: Function, output: int | str | None) -> int:
    leaves = function.signature.results.leaves
    names = [leaf.name for leaf in leaves]
    if output is None:
        floats = [i for i, leaf in enumerate(leaves) if is_inexact(leaf.dtype) and leaf.dtype.kind != "c"]
        return floats[0] if floats else 0
    if isinstance(output, str) and output in names:
        return names.index(output)
    if isinstance(output, int) and -len(names) <= output < len(names):
        return output % len(names)
    raise CompileError(f"output: {function.name} has no result {output!r}{suggest(str(output), names)}")


def value_and_grad(
    model: Model | Function, wrt: Wrt = 0, *, output: int | str | None = None, loss: str | Loss | None = None, **options: Any
) -> Function:
    """A function that returns the results of the model and the gradient of a scalar one with respect to an argument: `(results, gradient)`.

    `wrt` is the position or name of an argument (its gradient has the argument's pytree), the name of an array in it, a pattern (a dict of gradients by name),
    or a sequence of those (a tuple). `output` is the number or name of the scalar result, by default the first floating-point one; `loss` gives a model of
    predictions a loss, whose target becomes the last argument. Options are those of `raf.compile`: target, opt_level, libraries, threads, cache.

    >>> slope = raf.value_and_grad(raf.import_onnx("model.onnx"), loss="cross_entropy")  # with respect to x
    >>> loss, gradient = slope(x[:8], y[:8])
    >>> gradient.shape
    (8, 4)
    """
    return _gradient(model, wrt, output, loss, options, with_value=True)


def grad(model: Model | Function, wrt: Wrt = 0, *, output: int | str | None = None, loss: str | Loss | None = None, **options: Any) -> Function:
    """A function that returns the gradient of a scalar result of the model with respect to an argument; see `value_and_grad`.

    It can be given to `raf.grad`, `raf.vjp` and `raf.jvp` in turn: `raf.jvp(raf.grad(model))` makes Hessian-vector products.
    """
    return _gradient(model, wrt, output, loss, options, with_value=False)


def _gradient(model: Model | Function, wrt: Wrt, output: int | str | None, loss: str | Loss | None, options: Mapping[str, Any], with_value: bool) -> Function:
    function = as_function(model, loss, options)
    chosen = _Wrt(function, wrt)
    number = _scalar(function, output)
    names = [leaf.name for leaf in function.signature.results.leaves]

    def lower(shapes: Shapes) -> bytes:
        def mark(main: Main) -> None:
            value, _ = main.results[number]
            dtype = function.signature.results.leaves[number].dtype
            if list(value.type.shape) or not is_inexact(dtype):
                shown = "complex" if dtype.kind == "c" else str(value.type)
                raise CompileError(
                    f"a gradient is of a scalar floating-point result; {names[number]!r} of {function.name} is {shown}. "
                    "Choose another by output=, give a loss=, or use raf.vjp")
            main.results = [main.named(v, "loss" if i == number else f"value:{i}") for i, (v, _) in enumerate(main.results)]

        text, gradients = _differentiate(edited(function.module(shapes), mark), chosen.names)
        values = [("loss" if i == number else f"value:{i}", n) for i, n in enumerate(names)] if with_value else []
        return _finish(text, [*values, *((g, f"grad:{n}") for g, n in zip(gradients, chosen.names))], function.stored, _complex(gradients, chosen))

    results = _Results(function.signature.results if with_value else None, chosen)
    title = f"{'value_and_grad' if with_value else 'grad'}({function.name})"
    return Function(title, Signature(function.signature.arguments, results), function.slots, lower, function.stored, function.options)


def vjp(model: Model | Function, wrt: Wrt = 0, **options: Any) -> Function:
    """A function `(*args, cotangent)` that returns the results of the model and the product of a cotangent, a value of the form of the results, with the Jacobian:
    `(results, gradient)`, the gradient in the form of `wrt` (see `value_and_grad`). Cotangents of results that are not floating-point numbers are not looked at.
    """
    function = as_function(model, None, options)
    chosen = _Wrt(function, wrt)
    cotangents = _Cotangents("cotangent", function.signature.results)
    names = [leaf.name for leaf in function.signature.results.leaves]

    def lower(shapes: Shapes) -> bytes:
        text, gradients = _differentiate(edited(function.module(shapes), lambda main: _pair(main, function, True)), chosen.names)
        values = [(f"value:{i}", n) for i, n in enumerate(names)]
        return _finish(text, [*values, *((g, f"grad:{n}") for g, n in zip(gradients, chosen.names))], function.stored, _complex(gradients, chosen))

    slots = [*function.slots, *(Slot(leaf.name, (leaf.dtype,), None) for leaf in cotangents.leaves)]
    signature = Signature((*function.signature.arguments, cotangents), _Results(function.signature.results, chosen))
    return Function(f"vjp({function.name})", signature, slots, lower, function.stored, function.options)


def _pair(main: Main, function: Function, conjugates: bool = False) -> None:
    """Pairs every floating-point or complex result with a new argument; the sum is `loss`. With `conjugates` complex arguments are JAX's cotangents."""
    values = [v for v, _ in main.results]
    pairs = []
    for value, leaf in zip(values, function.signature.results.leaves):
        if is_inexact(leaf.dtype):
            other = main.add_argument(value.type, f"cotangent:{leaf.name}")
            pairs.append((value, main.conjugated(other) if conjugates and leaf.dtype.kind == "c" else other))
    if not pairs:
        raise CompileError(f"{function.name} has no floating-point result to differentiate")
    main.results = [main.named(main.pairing(pairs), "loss"), *(main.named(v, f"value:{i}") for i, v in enumerate(values))]


def jvp(model: Model | Function, wrt: Wrt = 0, **options: Any) -> Function:
    """A function `(*args, tangent)` that returns the results of the model and the product of the Jacobian with a tangent, a value of the form of `wrt`:
    `(results, tangents of the results)`. The tangent of a result that is not a floating-point number is the result itself.

    The cotangent product u -> u J is linear in u, and its own cotangent product is J v: the reverse rules do, and what depends on u alone is removed.
    """
    function = as_function(model, None, options)
    chosen = _Wrt(function, wrt)
    leaves = function.signature.results.leaves
    floats = [i for i, leaf in enumerate(leaves) if is_inexact(leaf.dtype)]

    def lower(shapes: Shapes) -> bytes:
        text, gradients = _differentiate(edited(function.module(shapes), lambda main: _pair(main, function)), chosen.names)

        def pair_gradients(main: Main) -> None:
            by_name = dict(zip(main.result_names(), main.results))
            pairs = [(by_name[g][0], main.add_argument(by_name[g][0].type, f"tangent:{n}")) for g, n in zip(gradients, chosen.names)]
            total = main.pairing(pairs)
            kept = [main.named(by_name[f"value:{i}"][0], f"value:{i}") for i in range(len(leaves))]
            main.results = [main.named(total, "loss"), *kept]

        cotangents = [f"cotangent:{leaves[i].name}" for i in floats]
        text, tangents = _differentiate(edited(text, pair_gradients), cotangents)
        values = [(f"value:{i}", leaf.name) for i, leaf in enumerate(leaves)]
        moved = dict(zip(floats, tangents))
        made = [(moved.get(i, f"value:{i}"), f"tangent:{leaf.name}") for i, leaf in enumerate(leaves)]
        finished = _finish(text, [*values, *made], function.stored)
        return edited(_engine._core().run_pipeline(finished, _CLEAN), lambda main: _drop(main, cotangents))

    tangent = _Tangents("tangent", chosen)
    slots = [*function.slots, *(Slot(leaf.name, (leaf.dtype,), None) for leaf in tangent.leaves)]
    results = _Pair(function.signature.results)
    return Function(f"jvp({function.name})", Signature((*function.signature.arguments, tangent), results), slots, lower, function.stored, function.options)


class _Pair(Tree):
    """The results of a function twice: themselves and their tangents."""

    def __init__(self, results: Tree) -> None:
        super().__init__("result", (*results.leaves, *(Leaf(f"tangent:{leaf.name}", leaf.dtype) for leaf in results.leaves)))
        object.__setattr__(self, "form", results)

    form: Tree

    def unflatten(self, values: Sequence[Any]) -> Any:
        count = len(self.form.leaves)
        return self.form.unflatten(values[:count]), self.form.unflatten(values[count:])

    def flatten(self, value: Any) -> list[Array]:
        return self.form.flatten(value[0]) + self.form.flatten(value[1])


def _drop(main: Main, names: Sequence[str]) -> None:
    """Removes arguments that nothing uses."""
    for i in reversed(range(len(main.arguments))):
        if main.argument_name(i) in names:
            main.block.erase_argument(i)
            del main.arguments[i]
