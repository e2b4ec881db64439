# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf train."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ..amp import TYPES as AMP_TYPES
from ..errors import RuntimeError
from ..losses import NAMES as LOSSES
from ..metrics import NAMES as METRICS
from ..optim import NAMES as OPTIMIZERS
from ..optim import SCHEDULES
from ..trainer import NAN_POLICIES
from ._common import check_places, convert, fixed_batch, fixed_batch_differs, import_model, import_program, is_stablehlo, make_loss, make_optimizer, note, option, output, read_data, save_values, whole_batches
from ._examples import EXAMPLES

_HELP = """Train an ONNX model or a StableHLO program on arrays in .npz files.

[bold]Examples[/]

  raf train --example digits --export digits.onnx

  raf train model.onnx --data train.npz --val val.npz --lr 1e-3 --schedule cosine --epochs 20 --export trained.onnx

  raf train model.onnx --data train.npz --epochs 40 --checkpoint run --resume

  raf train loss.mlir --params start.npz --data train.npz --loss output --export trained.npz

A StableHLO program (.mlir, .mlirbc, .stablehlo, .vhlo, or .jax of jax.export) has no values: --params has them, by the names of its arguments.

The .npz file holds an array for each input of the model, by its name (or x, when there is one input), and the target (target, y or labels); the first axis is the sample. Ctrl-C writes a checkpoint first; --resume goes on from there, to the same bits.
"""

_DATA, _LOSS, _OPTIMIZER, _TRAINING, _FILES, _MACHINE = "Data", "Loss", "Optimizer", "Training", "Checkpoints, logs and results", "Machine"


def train(
    model: Annotated[Path | None, typer.Argument(help="The ONNX or StableHLO file.", show_default=False)] = None,
    example: Annotated[str | None, option(panel=_DATA, metavar="NAME", choices=EXAMPLES, help="Train an example instead: digits or digits-mlp (fetches nothing).")] = None,
    data: Annotated[Path | None, option(panel=_DATA, metavar="FILE", help="Training data, .npz.")] = None,
    val: Annotated[Path | None, option(panel=_DATA, metavar="FILE", help="Validation data, .npz.")] = None,
    val_split: Annotated[float, option(panel=_DATA, metavar="SHARE", help="Without --val: this share of the training data is held out for validation.")] = 0.0,
    params: Annotated[Path | None, option("--params", panel=_DATA, metavar="FILE", help="For StableHLO: values of its parameters by name, .npz or .safetensors.")] = None,
    param: Annotated[list[str] | None, option("--param", panel=_DATA, metavar="PATTERN", help="Arguments that are parameters; all of --params if not given; repeatable.")] = None,
    buffer: Annotated[list[str] | None, option("--buffer", panel=_DATA, metavar="PATTERN", help="Arguments of --params that the program replaces (donated); repeatable.")] = None,
    batch_size: Annotated[int | None, option(panel=_DATA, metavar="N", min=1, help="Samples in a step; 32 if not given.")] = None,
    drop_last: Annotated[bool, option("--drop-last", panel=_DATA, help="Leave out a last batch that is smaller.")] = False,
    loss: Annotated[
        str, option(panel=_LOSS, metavar="NAME", choices=LOSSES, help="cross_entropy (the default), mse, l1, huber, bce_with_logits, or output (the model computes it).")
    ] = "cross_entropy",
    loss_output: Annotated[str | None, option(panel=_LOSS, metavar="NAME", help="The output that the loss looks at; the first if not given.")] = None,
    label_smoothing: Annotated[float | None, option(panel=_LOSS, metavar="S", help="For cross_entropy.")] = None,
    ignore_index: Annotated[int | None, option(panel=_LOSS, metavar="LABEL", help="For cross_entropy: the label of rows that do not count.")] = None,
    dense: Annotated[bool, option("--dense", panel=_LOSS, help="For cross_entropy: targets are distributions, not labels.")] = False,
    class_axis: Annotated[int | None, option(panel=_LOSS, metavar="AXIS", help="For cross_entropy: the axis of the classes, 1 if not given.")] = None,
    delta: Annotated[float | None, option(panel=_LOSS, metavar="D", help="For huber: where it becomes linear, 1 if not given.")] = None,
    optimizer: Annotated[str | None, option(panel=_OPTIMIZER, metavar="NAME", choices=OPTIMIZERS, help="sgd, adam or adamw (the default).")] = None,
    lr: Annotated[float | None, option(panel=_OPTIMIZER, metavar="RATE", help="Learning rate; 0.01 for sgd, 0.001 for the others if not given.")] = None,
    schedule: Annotated[
        str | None,
        option(
            panel=_OPTIMIZER, metavar="NAME", choices=SCHEDULES, help="constant, cosine, linear, one-cycle, step:every=N, exponential:gamma=X; options as in cosine:warmup=100,end=1e-5."
        ),
    ] = None,
    momentum: Annotated[float | None, option(panel=_OPTIMIZER, metavar="M", help="For sgd.")] = None,
    nesterov: Annotated[bool, option("--nesterov", panel=_OPTIMIZER, help="For sgd.")] = False,
    weight_decay: Annotated[float | None, option(panel=_OPTIMIZER, metavar="DECAY", help="0.01 for adamw, 0 for the others if not given.")] = None,
    no_decay: Annotated[list[str] | None, option(panel=_OPTIMIZER, metavar="PATTERN", help="Parameters without weight decay, as '*.bias'; repeatable.")] = None,
    clip_norm: Annotated[float | None, option(panel=_OPTIMIZER, metavar="NORM", help="Scale all gradients down together where their norm is above this.")] = None,
    freeze: Annotated[list[str] | None, option(panel=_OPTIMIZER, metavar="PATTERN", help="Parameters that stay as they are, as 'layer1.*'; repeatable.")] = None,
    epochs: Annotated[int | None, option(panel=_TRAINING, metavar="N", min=1, help="Passes over the data; 10 if not given.")] = None,
    seed: Annotated[int, option(panel=_TRAINING, metavar="N", help="Of the order of the samples and of dropout; 0 if not given.")] = 0,
    metric: Annotated[list[str] | None, option(panel=_TRAINING, metavar="NAME", choices=METRICS, help="loss, accuracy, top3, top5; repeatable.")] = None,
    train_metrics: Annotated[
        bool | None,
        option("--train-metrics/--no-train-metrics", panel=_TRAINING, help="Take the metrics of the training batches too; if not given, when the model's outputs are small."),
    ] = None,
    patience: Annotated[int | None, option(panel=_TRAINING, metavar="N", min=1, help="Stop when validation has not improved for N epochs.")] = None,
    nan: Annotated[
        str, option(panel=_TRAINING, metavar="POLICY", choices=NAN_POLICIES, help="A loss that is not finite: raise (the default) stops before its update, skip goes on, ignore does not look.")
    ] = "raise",
    amp: Annotated[str | None, option(panel=_TRAINING, metavar="TYPE", choices=AMP_TYPES, help="Mixed precision: bf16, or f16 with a loss scale that adapts.")] = None,
    memory_budget: Annotated[
        str,
        option(panel=_MACHINE, metavar="BYTES", help="What a step may hold altogether, as 2GiB: values are computed again where that takes it. auto (the default): where it is nearly free; none: never."),
    ] = "auto",
    checkpoint: Annotated[Path | None, option(panel=_FILES, metavar="DIR", help="Folder for last.safetensors and best.safetensors.")] = None,
    checkpoint_every: Annotated[int | None, option(panel=_FILES, metavar="N", min=1, help="Write a checkpoint each N steps too.")] = None,
    resume: Annotated[bool, option("--resume", panel=_FILES, help="Go on from the checkpoint folder, if it holds a checkpoint.")] = False,
    export: Annotated[Path | None, option(panel=_FILES, metavar="FILE", help="Write the trained model to this ONNX file; for StableHLO its parameters, .npz or .safetensors.")] = None,
    log: Annotated[Path | None, option(panel=_FILES, metavar="FILE", help="Log with a JSON object a line.")] = None,
    tensorboard: Annotated[Path | None, option(panel=_FILES, metavar="DIR", help="Folder for TensorBoard's event files.")] = None,
    quiet: Annotated[bool, option("--quiet", "-q", panel=_FILES, help="Show the result alone.")] = False,
    threads: Annotated[int | None, option(panel=_MACHINE, metavar="N", min=1, help="Threads; RAF_NUM_THREADS or the physical cores if not given.")] = None,
    opt_level: Annotated[int, option(panel=_MACHINE, metavar="0..2", min=0, max=2, help="0 optimizes nothing; 2 if not given.")] = 2,
    no_cache: Annotated[bool, option("--no-cache", panel=_MACHINE, help="Do not keep compiled programs on disk.")] = False,
) -> None:
    from .. import callbacks
    from ..compiler import compile
    from ..data import samples_of, split
    from ..fitting import Stopped
    from ..importers import import_onnx
    from . import _examples

    if (model is None) == (example is None):
        raise typer.BadParameter("give an ONNX or StableHLO file or --example, one of them")
    program = model is not None and is_stablehlo(model)
    if not program and (params is not None or param or buffer):
        raise typer.BadParameter("--params, --param and --buffer are for StableHLO: an ONNX file has its parameters' values")
    if program and export is not None and export.suffix not in (".npz", ".safetensors"):
        raise typer.BadParameter(f"--export {export}: a StableHLO program cannot be written as ONNX; FILE.npz or FILE.safetensors has its trained parameters")
    if model is not None and data is None:
        raise typer.BadParameter("--data is missing: the .npz file with the training data")
    if example is not None and (data is not None or val is not None):
        raise typer.BadParameter("--example brings its own data: leave out --data and --val")
    if resume and checkpoint is None:
        raise typer.BadParameter("--resume needs --checkpoint, the folder to go on from")
    check_places({"--export": export})
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
        network = import_program(str(model), str(params) if params is not None else None, param or (), buffer or ()) if program else import_model(str(model))
        arrays = read_data(str(data), network, made_loss)
        validation = read_data(str(val), network, made_loss) if val is not None else None
        if validation is None and val_split:
            arrays, validation = split(arrays, val_split, seed)
        fixed = fixed_batch(network) if program else None
        if fixed is not None:
            if batch_size not in (None, fixed):
                raise RuntimeError(f"--batch-size {batch_size}: {model} is for batches of {fixed}; sizes that jax.export.symbolic_shape leaves open may be any")
            batch_size, drop_last = fixed, True
            whole_batches(arrays, fixed, str(data))
            validation = whole_batches(validation, fixed, str(val or data)) if validation is not None else None
    count = epochs or defaults["epochs"]
    size = batch_size or defaults["batch_size"]
    samples = samples_of(arrays)
    steps = count * max(1, samples // size if drop_last else -(-samples // size))
    made_optimizer = make_optimizer(
        optimizer or defaults["optimizer"], lr if lr is not None or optimizer is not None else defaults["lr"], schedule or defaults["schedule"], steps,
        momentum=momentum, nesterov=nesterov or None, weight_decay=weight_decay, no_decay=no_decay or None, clip_norm=clip_norm,
    )  # fmt: skip
    trainer = compile(
        network,
        loss=made_loss,
        optimizer=made_optimizer,
        amp=amp,
        memory_budget=memory_budget,
        seed=seed,
        threads=threads,
        opt_level=opt_level,
        cache=not no_cache,
        nan=nan,
        frozen=freeze or (),
        free_batch=not program and fixed_batch_differs(network, arrays),
    )
    if not quiet:
        numbers = sum(p.size for p in network.params.values())
        note(f"{example or network.name}: {numbers:,} parameters; {samples:,} samples, {count} epochs, batches of {size}, {made_optimizer!r}")
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
        scale = "" if trainer.loss_scale is None else f"; the loss scale is {trainer.loss_scale:g} now"
        note(f"{trainer.skipped} steps were skipped: their loss or gradients were not finite{scale}")
    if not history:
        raise RuntimeError("there was nothing to do")
    _report(trainer.evaluate(test, metrics) if test is not None else history[-1], "test" if test is not None else "last epoch")
    if export is not None and program:
        save_values(export, {**trainer.params, **trainer.buffers})
        note(f"the trained parameters are in {export}")
    elif export is not None:
        trainer.export_onnx(export)
        note(f"the trained model is in {export}")


def _report(values: dict[str, Any], what: str) -> None:
    table = Table(title=what, title_justify="left", show_header=False)
    for name, value in values.items():
        if name in ("epoch", "step", "lr", "seconds"):
            continue
        table.add_row(name, f"{100 * value:.2f} %" if "accuracy" in name or "top" in name else f"{value:.4f}")
    output().print(table)


train.__doc__ = _HELP
