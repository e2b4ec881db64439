# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions that make a Model; each loads its reader at the first call, since `import raf` should not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .model import Model, Shapes

if TYPE_CHECKING:
    from .onnx.loader import Input


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
