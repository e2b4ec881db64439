# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the commands share: consoles, reading data for a model, loss options."""

from __future__ import annotations

import functools
import io
import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import typer
from rich.console import Console

from .. import losses
from .._arrays import Array
from .._files import destination, write
from ..data import load_npz, match_arrays, samples_of
from ..errors import RuntimeError, suggest
from ..losses import Loss
from ..model import Model, matching


@functools.lru_cache(maxsize=1)
def errors() -> Console:
    """stderr."""
    return Console(stderr=True)


def output() -> Console:
    """stdout."""
    return Console()


def check_places(files: Mapping[str, Path | None], makes_folders: bool = False) -> None:
    """Before work is done whose results go to the files of these options. `makes_folders`: what writes them makes missing folders. Raises raf.RuntimeError for a file that cannot be written."""
    for name, path in files.items():
        if path is None:
            continue
        folder = destination(path).parent
        while makes_folders and not os.path.lexists(folder):
            folder = folder.parent
        if not os.path.isdir(folder) or not os.access(folder, os.W_OK):
            raise RuntimeError(f"{name} {path}: the folder {'cannot be made' if makes_folders else 'is not there'} or cannot be written")


def note(text: str) -> None:
    errors().print(text, markup=False, highlight=False, style="dim", soft_wrap=True)


def option(*names: str, panel: str, help: str, metavar: str | None = None, choices: Iterable[str] = (), **more: Any) -> Any:
    """An option in its part of the help; `choices` are what a shell completes."""
    known = sorted(choices)
    return typer.Option(*names, rich_help_panel=panel, help=help, metavar=metavar, show_default=False, autocompletion=(lambda: known) if known else None, **more)


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


def make_optimizer(name: str, lr: float | None, schedule: str, steps: int, **options: Any) -> Any:
    """An optimizer from the options of the command line; an option that it does not have is an error."""
    from .. import optim

    cls = type(optim.resolve(name))
    given = {k: v for k, v in options.items() if v is not None}
    try:
        made = cls(**given)
    except TypeError:
        unfit = [f"--{k.replace('_', '-')}" for k in given if k != "weight_decay"]
        raise RuntimeError(f"the optimizer {name!r} does not take {' and '.join(unfit)}") from None
    made.lr = optim.parse_schedule(schedule, lr if lr is not None else made.lr(0), steps)
    return made


def read_data(path: str, model: Model, loss: Loss | None) -> dict[str, Array]:
    """The arrays of an .npz file for the model's inputs and the target, in the model's types (a conversion is noted)."""
    targets = ["target"] if loss is not None and loss.has_target else []
    return convert(match_arrays(load_npz(path), [i.name for i in model.inputs], targets, path), model, loss, path)


def restored(array: Array, dtype: np.dtype[Any]) -> Array:
    """The array of a file in its type, if that is the one expected: numpy writes bytes where it does not know the type, such as bfloat16."""
    return array.view(dtype) if array.dtype == np.dtype((np.void, dtype.itemsize)) else array


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
        array = restored(array, dtypes[0])
        result[name] = array if array.dtype in dtypes else as_dtype(name, array, dtypes[0], source)
    return result


def as_dtype(name: str, array: Array, dtype: np.dtype[Any], source: str) -> Array:
    """The array of a file in this type (a conversion is noted)."""
    array = restored(array, dtype)
    if array.dtype == dtype:
        return array
    if dtype.kind in "iu" and array.dtype.kind == "f" and not np.array_equal(array, np.round(array)):
        raise RuntimeError(f"{source}: {name!r} must be {dtype}, but holds fractions ({array.dtype})")
    if array.dtype.kind not in "biufV" or array.dtype.type is np.void:
        raise RuntimeError(f"{source}: {name!r} is {array.dtype}; expected {dtype}")
    note(f"{source}: {name!r} is converted from {array.dtype} to {dtype}")
    return array.astype(dtype)


#: How files of StableHLO end: text, MLIR bytecode, portable artifacts, jax.export.
STABLEHLO = (".mlir", ".mlirbc", ".stablehlo", ".vhlo", ".jax")


def is_stablehlo(path: str | os.PathLike[str]) -> bool:
    return os.fspath(path).lower().endswith(STABLEHLO)


def import_model(path: str, free_batch: bool = False) -> Model:
    """raf.import_onnx or raf.import_stablehlo by the file's ending, with a message of our own when the file is not there."""
    from ..importers import import_onnx, import_stablehlo

    if not os.path.exists(path):
        folder = os.path.dirname(path) or "."
        near = [n for n in os.listdir(folder) if n.endswith((".onnx", *STABLEHLO))] if os.path.isdir(folder) else []
        raise RuntimeError(f"there is no file {path!r}{suggest(os.path.basename(path), near) if near else ''}")
    return import_stablehlo(path) if is_stablehlo(path) else import_onnx(path)


def import_program(path: str, values: str | None, params: Sequence[str], buffers: Sequence[str]) -> Model:
    """A StableHLO program whose parameters and buffers have the values of a file: all arrays of the file, or those whose names match the patterns."""
    from ..importers import import_stablehlo

    types = {i.name: np.dtype(i.dtype) for i in import_model(path).inputs}
    arguments = list(types)
    if values is None:
        raise RuntimeError(f"{path}: a StableHLO program has no values for its parameters; --params FILE (.npz or .safetensors) gives them by the names of its arguments: {', '.join(arguments)}")
    arrays = {n: restored(a, types.get(n, a.dtype)) for n, a in load_values(values).items()}
    for option, patterns in (("--param", params), ("--buffer", buffers)):
        for pattern in patterns:
            named = matching(arguments, pattern)
            if not named:
                raise RuntimeError(f"{option} {pattern!r} matches no argument of {path}; it has {', '.join(arguments)}")
            missing = [n for n in named if n not in arrays]
            if missing:
                raise RuntimeError(f"{values} has no values for {', '.join(map(repr, missing))} ({option} {pattern!r}); it has {', '.join(arrays) or 'none'}")
    kept = {n for pattern in buffers for n in matching(arguments, pattern)}
    trained = {n for pattern in params for n in matching(arguments, pattern)} if params else arrays.keys() - kept
    both = sorted(kept & trained)
    if both:
        raise RuntimeError(f"{', '.join(map(repr, both))}: an argument is a parameter (--param) or a buffer (--buffer), not both")
    model = import_stablehlo(path, params={n: a for n, a in arrays.items() if n in trained}, buffers={n: a for n, a in arrays.items() if n in kept})
    if not model.params.keys() - model.frozen:
        raise RuntimeError(f"{values} has no floating-point parameters of {path}: there is nothing to train")
    return model


def open_model(path: str, values: Path | None, buffers: Sequence[str] = (), needs_values: bool = True) -> Model:
    """import_model, or import_program for what needs the values of a StableHLO program's parameters (--params)."""
    if values is not None and not is_stablehlo(path):
        raise typer.BadParameter("--params is for StableHLO: an ONNX file has its parameters' values")
    if not is_stablehlo(path) or (values is None and not needs_values):
        return import_model(path)
    return import_program(path, None if values is None else str(values), (), buffers)


def load_values(path: str) -> dict[str, Array]:
    """The arrays of an .npz or .safetensors file by name."""
    if not path.endswith(".safetensors"):
        return load_npz(path)
    from safetensors import SafetensorError
    from safetensors.numpy import load_file

    try:
        return dict(load_file(path))
    except FileNotFoundError:
        raise RuntimeError(f"there is no file {path!r}") from None
    except (OSError, SafetensorError, ValueError) as error:
        raise RuntimeError(f"{path!r} cannot be read as .safetensors: {error}") from error


def save_values(path: str | os.PathLike[str], arrays: Mapping[str, Array]) -> None:
    """Writes arrays by name to an .npz or .safetensors file, at once or not at all."""
    if os.fspath(path).endswith(".safetensors"):
        from safetensors.numpy import save

        write(path, save({n: np.asarray(a, order="C") for n, a in arrays.items()}))
        return
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as file:  # numpy.savez takes names as arguments, of which "file" is one
        for name, array in arrays.items():
            entry = io.BytesIO()
            np.lib.format.write_array(entry, np.asarray(array), allow_pickle=False)
            file.writestr(f"{name}.npy", entry.getvalue())
    write(path, buffer.getvalue())


def fixed_batch(model: Model) -> int | None:
    """The number of samples that a program is for, if it is for one number."""
    sizes = {i.dims[0] if i.dims else None for i in model.inputs}
    size = sizes.pop() if len(sizes) == 1 else None
    return size if isinstance(size, int) else None


def whole_batches(arrays: Mapping[str, Array], size: int, source: str) -> dict[str, Array]:
    """The arrays without samples that make no whole batch of the size that a program is for."""
    count = samples_of(arrays)
    kept = count // size * size if size else 0
    if not kept:
        raise RuntimeError(f"{source} has {count} samples, and the program is for batches of {size}")
    if kept < count:
        note(f"{source}: the program is for batches of {size}; {count - kept} of {count} samples are left out")
    return {n: a[:kept] for n, a in arrays.items()}


def fixed_batch_differs(model: Model, arrays: Mapping[str, Array]) -> bool:
    """Whether the file fixes the number of samples in a batch."""
    return any(i.dims and isinstance(i.dims[0], int) and i.name in arrays for i in model.inputs)
