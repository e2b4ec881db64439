# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that make a Model; each loads its reader at the first call, since `import raf` should not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .model import Model, Shapes

if TYPE_CHECKING:
    from .onnx.loader import Input
    from .stablehlo.jax_function import Selection
    from .stablehlo.reader import Input as StablehloInput


def import_onnx(source: Input, *, input_shapes: Shapes = None, params: str | Sequence[str] | None = None, frozen: str | Sequence[str] | None = None) -> Model:
    """Reads a forward model from an ONNX file: a path, the file's bytes, or an onnx.ModelProto.

    `input_shapes` gives sizes to dimensions that the file leaves open, as in `Model.specialize`; they can be given later. Initializers become parameters by rule
    (floating point, and not a setting, a lone number or a mask), or, with `params`, just those whose names match one of the patterns; parameters that match
    `frozen` are not trained. Normalization and dropout are taken in their training form. Raises raf.ImportError once, with all problems that it finds.

    >>> raf.import_onnx("model.onnx")
    <raf.Model 'model.onnx': (x: float32[batch, 4]) -> (scores: float32[batch, 3]), 131 parameters>
    """
    from .onnx.importer import import_model

    return import_model(source, input_shapes, params, frozen)


def import_stablehlo(
    source: StablehloInput,
    *,
    params: Mapping[str, Any] | None = None,
    buffers: Mapping[str, Any] | None = None,
    frozen: str | Sequence[str] | None = None,
    input_shapes: Shapes = None,
) -> Model:
    """Reads a StableHLO program: a path, the file's bytes, or text. Its form is found by itself: MLIR text, MLIR bytecode, a portable artifact (VHLO), a file
    of jax.export. All but text in generic form is read with jaxlib (`pip install 'raf-compiler[stablehlo]'`), in a process of its own.

    The arguments of @main are inputs, under the names that JAX gave them (`p['w']`) or `arg0`, `arg1` ... `params` and `buffers` give values to those that the
    model keeps: arrays by name, or nested dicts and lists (`params={"p": {"w": w}}`). Parameters that match `frozen` are not trained; a buffer's new value is
    the result that its argument is donated to. `input_shapes` gives sizes to dimensions that the program leaves open. Raises raf.ImportError.
    """
    from .stablehlo.importer import import_model

    return import_model(source, params, buffers, frozen, input_shapes)


def from_jax(
    fn: Callable[..., Any],
    *args: Any,
    trainable: Selection = None,
    buffers: Selection = None,
    frozen: str | Sequence[str] = (),
    name: str | None = None,
) -> Model:
    """Makes a model of a JAX function and example arguments: pytrees of arrays, or of jax.ShapeDtypeStruct for those whose values do not matter.

    `trainable` chooses the parameters: the position or name of an argument, or names and patterns of arrays in it (`"p['w*']"`), or a sequence of those; by
    default the first argument, if it is a pytree of floating-point arrays that is not donated. `trainable=()` makes all arguments inputs. The model keeps the
    values of the arguments that hold a parameter, and `Trainer.step`, predictions and gradients take the others, as pytrees. `buffers` chooses arguments that
    the model keeps too, and whose new values are the last parts of the tuple that the function returns. `frozen` are patterns of parameters that are not
    trained. Names are paths in pytrees, as JAX writes them. The function returns predictions, or a scalar loss (`raf.compile(model, loss="output", ...)`).
    """
    from .stablehlo.jax_function import from_jax as make

    return make(fn, args, trainable, buffers, frozen, name)
