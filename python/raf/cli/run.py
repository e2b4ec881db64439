# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf run."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from .._arrays import Array
from ..data import ArrayLoader, load_npz, match_arrays, samples_of
from ..errors import RuntimeError
from ._common import as_dtype, check_places, note, option, output, save_values

_HELP = """Run a .rafx file of raf compile: train with it and print the losses, or predict. Needs no model and no compiler.

[bold]Examples[/]

  raf run step.rafx --data train.npz --epochs 5 --save trained.safetensors

  raf run step.rafx --data train.npz --steps 100 --checkpoint run.safetensors --resume

  raf run predict.rafx --data test.npz --save scores.npz

The .npz file holds an array for each input, as for raf train. Each epoch of training leaves out the samples that make no whole batch.
"""

_DATA, _RUN, _FILES = "Data", "Run", "Results"


def run(
    file: Annotated[Path, typer.Argument(help="The .rafx file.", show_default=False)],
    data: Annotated[Path, option(panel=_DATA, metavar="FILE", help="The data, .npz.")],
    epochs: Annotated[int | None, option(panel=_RUN, metavar="N", min=1, help="Passes over the data; 1 if neither this nor --steps is given.")] = None,
    steps: Annotated[int | None, option(panel=_RUN, metavar="N", min=1, help="Stop after so many steps.")] = None,
    lr: Annotated[float | None, option(panel=_RUN, metavar="RATE", help="Learning rate in place of the file's.")] = None,
    every: Annotated[int, option(panel=_RUN, metavar="N", min=1, help="Print the loss of each Nth step; 1 if not given.")] = 1,
    checkpoint: Annotated[Path | None, option(panel=_FILES, metavar="FILE", help="Write a checkpoint at the end, .safetensors.")] = None,
    resume: Annotated[bool, option("--resume", panel=_FILES, help="Go on from the checkpoint, if it is there.")] = False,
    save: Annotated[Path | None, option("--save", panel=_FILES, metavar="FILE", help="Write the trained parameters, or the predictions: .npz or .safetensors.")] = None,
    threads: Annotated[int | None, option(panel=_RUN, metavar="N", min=1, help="Threads; RAF_NUM_THREADS or the physical cores if not given, and if the file does not say.")] = None,
) -> None:
    from ..executable import Prediction, load_executable

    if resume and checkpoint is None:
        raise typer.BadParameter("--resume needs --checkpoint, the file to go on from")
    if save is not None:
        if save.suffix not in (".npz", ".safetensors"):
            raise typer.BadParameter(f"--save {save}: expected FILE.npz or FILE.safetensors")
    check_places({"--save": save})
    check_places({"--checkpoint": checkpoint}, makes_folders=True)
    if threads is not None:
        from .._engine import _core

        _core().set_num_threads(threads)
    executable = load_executable(file)
    names = list(executable.inputs)
    arrays = match_arrays(load_npz(str(data)), [n for n in names if n != "target"], [n for n in names if n == "target"], str(data))
    arrays = {n: as_dtype(n, arrays[n], executable.inputs[n][0], str(data)) for n in names}
    if isinstance(executable, Prediction):
        if save is None or any(value is not None for value in (epochs, steps, lr, checkpoint)):
            raise typer.BadParameter(f"{file} is a prediction: it takes --data and --save")
        save_values(save, _predict(executable, arrays))
        note(f"{', '.join(executable.output_names)} of {samples_of(arrays)} samples are in {save}")
        return
    if resume and checkpoint is not None and os.path.exists(checkpoint):
        executable.load(checkpoint)
        note(f"going on after step {executable.steps_done} of {checkpoint}")
    if lr is not None:
        executable.lr = lr
    # The order of raf train --drop-last with the same seed.
    loader = ArrayLoader(arrays, executable.batch_size, shuffle=True, seed=executable.seed, drop_last=True)
    last = (epochs or (1 if steps is None else 0)) * len(loader)
    last = steps if steps is not None and (not last or steps < last) else last
    loader.epoch, loader.position = divmod(executable.steps_done, len(loader))
    console, first, done = output(), executable.steps_done, 0
    try:
        while done < last:
            for batch in loader:
                loss = float(executable.step(batch))
                done += 1
                if done % every == 0 or done in (1, last):
                    console.print(f"step {first + done}  loss {loss:.6g}", highlight=False)
                if done == last:
                    break
    finally:  # what was reached, also before an interrupt or a loss that is not finite
        if executable.skipped:
            note(f"{executable.skipped} steps were skipped: their loss or gradients were not finite")
        # Not over another training, of which an error in the first step has left nothing.
        if checkpoint is not None and (executable.steps_done > first or done == last):
            executable.save(checkpoint)
            note(f"the checkpoint is {checkpoint}")
    if save is not None:
        save_values(save, {**executable.params, **executable.buffers})
        note(f"the trained parameters are in {save}")


def _predict(executable: object, arrays: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs for all samples; the last batch is filled up with copies of its last sample."""
    from ..executable import Prediction

    assert isinstance(executable, Prediction)
    count, size = samples_of(arrays), executable.batch_size
    if not count:
        raise RuntimeError("the data has no samples")
    parts: list[tuple[Array, ...]] = []
    for start in range(0, count, size):
        batch = [a[start : start + size] for a in arrays.values()]
        missing = size - len(batch[0])
        if missing:
            batch = [np.concatenate([a, np.repeat(a[-1:], missing, axis=0)]) for a in batch]
        results = executable(*batch)
        results = results if isinstance(results, tuple) else (results,)
        if any(r.ndim == 0 or len(r) != size for r in results):
            raise RuntimeError("an output is not one of samples: call raf.load_executable(FILE) with the inputs instead")
        parts.append(tuple(r[: size - missing] for r in results))
    return {name: np.concatenate([part[i] for part in parts]) for i, name in enumerate(executable.output_names)}


run.__doc__ = _HELP
