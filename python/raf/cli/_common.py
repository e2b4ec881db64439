# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands share: consoles, reading data for a model, loss options."""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from rich.console import Console

from .. import losses
from .._arrays import Array
from ..data import load_npz, match_arrays
from ..errors import RuntimeError, suggest
from ..losses import Loss
from ..model import Model


@functools.lru_cache(maxsize=1)
def errors() -> Console:
    """stderr."""
    return Console(stderr=True)


def output() -> Console:
    """stdout."""
    return Console()


def note(text: str) -> None:
    errors().print(text, markup=False, highlight=False, style="dim", soft_wrap=True)


def make_loss(name: str, label_smoothing: float | None, ignore_index: int | None, delta: float | None, dense: bool, class_axis: int | None, loss_output: str | None) -> Loss:
    """A loss from the options of the command line; an option that the loss does not have is an error."""
    given: dict[str, Any] = {
        "label_smoothing": label_smoothing,
        "ignore_index": ignore_index,
        "delta": delta,
        "dense": dense or None,
        "class_axis": class_axis,
        "output": loss_output,
    }
    given = {k: v for k, v in given.items() if v is not None}
    cls = type(losses.resolve(name))
    try:
        return cls(**given)
    except TypeError:
        unfit = [f"--{k.replace('_', '-')}" for k in given if k != "output"]
        raise RuntimeError(f"the loss {name!r} does not take {' and '.join(unfit)}") from None


def read_data(path: str, model: Model, loss: Loss | None) -> dict[str, Array]:
    """The arrays of an .npz file for the model's inputs and the target, in the model's types (a conversion is noted)."""
    targets = ["target"] if loss is not None and loss.has_target else []
    return convert(match_arrays(load_npz(path), [i.name for i in model.inputs], targets, path), model, loss, path)


def convert(arrays: Mapping[str, Array], model: Model, loss: Loss | None, source: str) -> dict[str, Array]:
    """The arrays in the element types that the model and the loss take."""
    wanted: dict[str, tuple[np.dtype[Any], ...]] = {i.name: (np.dtype(i.dtype),) for i in model.inputs}
    labels = isinstance(loss, losses.CrossEntropy) and not loss.dense
    index = 0
    if loss is not None and isinstance(loss.output, str):
        index = [o.name for o in model.outputs].index(loss.output) if loss.output in [o.name for o in model.outputs] else 0
    wanted["target"] = (np.dtype(np.int64), np.dtype(np.int32)) if labels else (np.dtype(model.outputs[index].dtype),)
    result = {}
    for name, array in arrays.items():
        dtypes = wanted.get(name, (array.dtype,))
        if array.dtype in dtypes:
            result[name] = array
            continue
        if dtypes[0].kind in "iu" and array.dtype.kind == "f" and not np.array_equal(array, np.round(array)):
            raise RuntimeError(f"{source}: {name!r} must be {dtypes[0]}, but holds fractions ({array.dtype})")
        if array.dtype.kind not in "biufV" and array.dtype.name != "bfloat16":
            raise RuntimeError(f"{source}: {name!r} is {array.dtype}; expected {dtypes[0]}")
        note(f"{source}: {name!r} is converted from {array.dtype} to {dtypes[0]}")
        result[name] = array.astype(dtypes[0])
    return result


def import_model(path: str, free_batch: bool = False) -> Model:
    """raf.import_onnx, with a message of our own when the file is not there."""
    from ..importers import import_onnx

    if not os.path.exists(path):
        folder = os.path.dirname(path) or "."
        near = [n for n in os.listdir(folder) if n.endswith(".onnx")] if os.path.isdir(folder) else []
        raise RuntimeError(f"there is no file {path!r}{suggest(os.path.basename(path), near) if near else ''}")
    return import_onnx(path)


def fixed_batch_differs(model: Model, arrays: Mapping[str, Array]) -> bool:
    """Whether the file fixes the number of samples in a batch."""
    return any(i.dims and isinstance(i.dims[0], int) and i.name in arrays for i in model.inputs)
