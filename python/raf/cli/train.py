# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf train."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ..errors import RuntimeError
from ._common import convert, fixed_batch_differs, import_model, make_loss, note, output, read_data

_HELP = """Train an ONNX model on arrays in .npz files.

[bold]Examples[/]

  raf train --example digits --export digits.onnx

  raf train model.onnx --data train.npz --val val.npz --optimizer adamw --lr 1e-3 --schedule cosine --epochs 20 --checkpoint run --export trained.onnx

  raf train model.onnx --data train.npz --epochs 40 --checkpoint run --resume

The .npz file holds an array for each input of the model, by its name (or x, when there is one input), and the target (target, y or labels);
the first axis is the sample. Ctrl-C writes a checkpoint first; --resume goes on from there, to the same bits.
"""


def train(
    model: Annotated[str | None, typer.Argument(help="The ONNX file.", show_default=False)] = None,
    example: Annotated[str | None, typer.Option(help="Train an example instead: digits or digits-mlp (fetches nothing).")] = None,
    data: Annotated[str | None, typer.Option(help="Training data, .npz.")] = None,
    val: Annotated[str | None, typer.Option(help="Validation data, .npz.")] = None,
    val_split: Annotated[float, typer.Option(help="Without --val: this share of the training data is held out for validation.")] = 0.0,
    loss: Annotated[str, typer.Option(help="cross_entropy, mse, l1, huber, bce_with_logits, or output (the model computes it).")] = "cross_entropy",
    label_smoothing: Annotated[float | None, typer.Option(help="For cross_entropy.")] = None,
    ignore_index: Annotated[int | None, typer.Option(help="For cross_entropy: the label of rows that do not count.")] = None,
    dense: Annotated[bool, typer.Option("--dense", help="For cross_entropy: targets are distributions, not labels.")] = False,
    class_axis: Annotated[int | None, typer.Option(help="For cross_entropy: the axis of the classes, 1 if not given.", show_default=False)] = None,
    delta: Annotated[float | None, typer.Option(help="For huber.")] = None,
    loss_output: Annotated[str | None, typer.Option(help="The output that the loss looks at; the first by default.")] = None,
    optimizer: Annotated[str | None, typer.Option(help="sgd, adam or adamw (the default).", show_default=False)] = None,
    lr: Annotated[float | None, typer.Option(help="Learning rate; the optimizer's default if not given.", show_default=False)] = None,
    momentum: Annotated[float | None, typer.Option(help="For sgd.")] = None,
    nesterov: Annotated[bool, typer.Option("--nesterov", help="For sgd.")] = False,
    weight_decay: Annotated[float | None, typer.Option(help="Weight decay.")] = None,
    no_decay: Annotated[list[str] | None, typer.Option(help="Pattern of parameters without weight decay, repeatable.", show_default=False)] = None,
    schedule: Annotated[
        str | None,
        typer.Option(
            help="constant, cosine, linear, one-cycle, step:every=N, exponential:gamma=X; options as in cosine:warmup=100,end=1e-5.", show_default=False
        ),
    ] = None,
    epochs: Annotated[int | None, typer.Option(min=1, help="Passes over the data; 10 if not given.", show_default=False)] = None,
    batch_size: Annotated[int | None, typer.Option(min=1, help="Samples in a step; 32 if not given.", show_default=False)] = None,
    drop_last: Annotated[bool, typer.Option("--drop-last", help="Leave out a last batch that is smaller.")] = False,
    seed: Annotated[int, typer.Option(help="Of the order of the samples and of dropout.")] = 0,
    metric: Annotated[list[str] | None, typer.Option(help="Metric, repeatable: loss, accuracy, top3, top5.", show_default=False)] = None,
    train_metrics: Annotated[
        bool | None,
        typer.Option("--train-metrics/--no-train-metrics", help="Take the metrics of the training batches too; by default if the model's outputs are small.", show_default=False),
    ] = None,
    freeze: Annotated[list[str] | None, typer.Option(help="Pattern of parameters that stay as they are, repeatable.", show_default=False)] = None,
    checkpoint: Annotated[Path | None, typer.Option(help="Folder for last.safetensors and best.safetensors.")] = None,
    checkpoint_every: Annotated[int | None, typer.Option(min=1, help="Also write a checkpoint each so many steps.")] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the checkpoint folder, if it holds a checkpoint.")] = False,
    patience: Annotated[int | None, typer.Option(min=1, help="Stop when validation has not improved for so many epochs.")] = None,
    nan: Annotated[str, typer.Option(help="What a loss that is not finite does: raise, skip or ignore.")] = "raise",
    log: Annotated[Path | None, typer.Option(help="Log file with a JSON object a line.")] = None,
    tensorboard: Annotated[Path | None, typer.Option(help="Folder for TensorBoard's event files.")] = None,
    export: Annotated[Path | None, typer.Option(help="Write the trained model to this ONNX file.")] = None,
    threads: Annotated[int | None, typer.Option(min=1, help="Threads; by default RAF_NUM_THREADS or the physical cores.")] = None,
    opt_level: Annotated[int, typer.Option(min=0, max=2, help="0 optimizes nothing.")] = 2,
    no_cache: Annotated[bool, typer.Option("--no-cache", help="Do not keep compiled programs on disk.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Show the result alone.")] = False,
) -> None:
    from .. import callbacks
    from ..compiler import compile
    from ..data import split
    from ..fitting import Stopped
    from ..importers import import_onnx
    from . import _examples

    if (model is None) == (example is None):
        raise typer.BadParameter("give an ONNX file or --example, one of them")
    if model is not None and data is None:
        raise typer.BadParameter("--data is missing: the .npz file with the training data")
    if example is not None and (data is not None or val is not None):
        raise typer.BadParameter("--example brings its own data: leave out --data and --val")
    if resume and checkpoint is None:
        raise typer.BadParameter("--resume needs --checkpoint, the folder to go on from")
    if export is not None and not (export.absolute().parent.is_dir() and os.access(export.absolute().parent, os.W_OK)):
        raise RuntimeError(f"--export {export}: the folder is not there or cannot be written")
    made_loss = make_loss(loss, label_smoothing, ignore_index, delta, dense, class_axis, loss_output)
    defaults: dict[str, Any] = {"optimizer": "adamw", "lr": None, "schedule": "constant", "epochs": 10, "batch_size": 32}
    test: dict[str, Any] | None = None
    if example is not None:
        chosen = _examples.load(example)
        defaults.update(chosen.options)
        network = import_onnx(chosen.onnx)
        arrays = convert(chosen.train, network, made_loss, example)
        test = convert(chosen.test, network, made_loss, example)
        validation: dict[str, Any] | None = test
    else:
        assert model is not None and data is not None
        network = import_model(model)
        arrays = read_data(data, network, made_loss)
        validation = read_data(val, network, made_loss) if val is not None else None
        if validation is None and val_split:
            arrays, validation = split(arrays, val_split, seed)
    count = epochs or defaults["epochs"]
    size = batch_size or defaults["batch_size"]
    samples = len(next(iter(arrays.values())))
    steps = count * max(1, samples // size if drop_last else -(-samples // size))
    made_optimizer = _optimizer(
        optimizer or defaults["optimizer"], lr if lr is not None or optimizer is not None else defaults["lr"], schedule or defaults["schedule"], steps,
        momentum=momentum, nesterov=nesterov or None, weight_decay=weight_decay, no_decay=no_decay or None,
    )  # fmt: skip
    trainer = compile(
        network,
        loss=made_loss,
        optimizer=made_optimizer,
        seed=seed,
        threads=threads,
        opt_level=opt_level,
        cache=not no_cache,
        nan=nan,
        frozen=freeze or (),
        free_batch=fixed_batch_differs(network, arrays),
    )
    if not quiet:
        params = sum(p.size for p in network.params.values())
        note(f"{example or network.name}: {params:,} parameters; {samples:,} samples, {count} epochs, batches of {size}, {made_optimizer!r}")
    hooks: list[callbacks.Callback] = []
    if log is not None:
        hooks.append(callbacks.JsonLines(log))
    if tensorboard is not None:
        hooks.append(callbacks.TensorBoard(tensorboard))
    if patience is not None:
        hooks.append(callbacks.EarlyStopping(patience=patience, restore_best=True))
    metrics = metric or None
    try:
        history = trainer.fit(
            arrays, count, batch_size=size, validation=validation, metrics=metrics, train_metrics=train_metrics, callbacks=hooks, drop_last=drop_last, checkpoint=checkpoint,
            checkpoint_every=checkpoint_every, resume=resume, progress=not quiet,
        )  # fmt: skip
    except Stopped as stop:
        note(f"{stop}" + ("; the same command with --resume goes on from there" if stop.checkpoint else ""))
        raise typer.Exit(128 + stop.signal) from None
    if trainer.skipped:
        note(f"{trainer.skipped} steps were skipped: their loss was not finite")
    if not history:
        raise RuntimeError("there was nothing to do")
    _report(trainer.evaluate(test, metrics) if test is not None else history[-1], "test" if test is not None else "last epoch")
    if export is not None:
        trainer.export_onnx(export)
        note(f"the trained model is in {export}")


def _optimizer(name: str, lr: float | None, schedule: str, steps: int, **options: Any) -> Any:
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


def _report(values: dict[str, Any], what: str) -> None:
    table = Table(title=what, title_justify="left", show_header=False)
    for name, value in values.items():
        if name in ("epoch", "step", "lr", "seconds"):
            continue
        table.add_row(name, f"{100 * value:.2f} %" if "accuracy" in name or "top" in name else f"{value:.4f}")
    output().print(table)


train.__doc__ = _HELP
