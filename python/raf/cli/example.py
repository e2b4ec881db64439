# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf example."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from ._common import note
from ._examples import EXAMPLES

_HELP = """Write an example's files: the untrained model and its data.

[bold]Example[/]

  raf example digits here && raf train here/digits.onnx --data here/train.npz --val here/test.npz --lr 3e-3
"""


def example(
    name: Annotated[str, typer.Argument(help="digits or digits-mlp.", autocompletion=lambda: list(EXAMPLES))],
    folder: Annotated[Path, typer.Argument(help="Where to write NAME.onnx, train.npz and test.npz.")],
) -> None:
    from ..errors import RuntimeError
    from . import _examples

    chosen = _examples.load(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.onnx").write_bytes(chosen.onnx)
        for part, arrays in (("train", chosen.train), ("test", chosen.test)):
            with (folder / f"{part}.npz").open("wb") as file:
                np.savez(file, **{key: array for key, array in arrays.items()})  # type: ignore[arg-type]
    except OSError as error:
        raise RuntimeError(f"{str(folder)!r} cannot be written: {error}") from error
    note(f"{folder}: {name}.onnx, train.npz, test.npz")


example.__doc__ = _HELP
