# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf compile."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any

import typer

from ..amp import TYPES as AMP_TYPES
from ..errors import CompileError
from ..losses import NAMES as LOSSES
from ..optim import NAMES as OPTIMIZERS
from ..optim import SCHEDULES
from ..trainer import NAN_POLICIES
from ._common import check_places, is_stablehlo, make_loss, make_optimizer, note, open_model, option

_HELP = """Compile a training step, or without --loss a prediction, ahead of time to a .rafx file, which raf run and raf.load_executable take, also where there is no compiler.

[bold]Examples[/]

  raf compile model.onnx --loss cross_entropy --optimizer adamw --input-shape x=32,3,64,64 -o step.rafx

  raf compile model.onnx --loss mse --optimizer sgd --lr 0.1 --schedule cosine --steps 1000 --input-shape x=32,8 -o step.rafx

  raf compile model.onnx --loss cross_entropy --input-shape x=32,3,64,64 --target cuda:sm_90 -o step.rafx

  raf compile model.onnx --input-shape x=1,3,64,64 -o predict.rafx

The file is for this kind of CPU, these shapes, and this version of the runtime; raf run says so if it is not. An input that is not named has the shape of the model, if that is fixed.
"""

_LOSS, _OPTIMIZER, _PROGRAM = "Loss", "Optimizer", "Program"


def compile(
    model: Annotated[Path, typer.Argument(help="The ONNX or StableHLO file.", show_default=False)],
    out: Annotated[Path, option("--output", "-o", panel=_PROGRAM, metavar="FILE", help="The .rafx file to write.")],
    input_shape: Annotated[list[str] | None, option("--input-shape", panel=_PROGRAM, metavar="NAME=D,D,...", help="The shape of an input, as x=32,3,64,64; repeatable.")] = None,
    target: Annotated[str, option(panel=_PROGRAM, metavar="TARGET", help="Where it will run: cpu (this kind of CPU; the default), cuda, cuda:sm_90 or another chip, cuda-sim, or cuda-sim:sm_90a, the simulation of a chip.")] = "cpu",
    params: Annotated[Path | None, option("--params", panel=_PROGRAM, metavar="FILE", help="For StableHLO: values of its parameters by name, .npz or .safetensors.")] = None,
    loss: Annotated[str | None, option(panel=_LOSS, metavar="NAME", choices=LOSSES, help="cross_entropy, mse, l1, huber, bce_with_logits, or output; none for a prediction.")] = None,
    loss_output: Annotated[str | None, option(panel=_LOSS, metavar="NAME", help="The output that the loss looks at; the first if not given.")] = None,
    label_smoothing: Annotated[float | None, option(panel=_LOSS, metavar="S", help="For cross_entropy.")] = None,
    ignore_index: Annotated[int | None, option(panel=_LOSS, metavar="LABEL", help="For cross_entropy: the label of rows that do not count.")] = None,
    dense: Annotated[bool, option("--dense", panel=_LOSS, help="For cross_entropy: targets are distributions, not labels.")] = False,
    class_axis: Annotated[int | None, option(panel=_LOSS, metavar="AXIS", help="For cross_entropy: the axis of the classes, 1 if not given.")] = None,
    delta: Annotated[float | None, option(panel=_LOSS, metavar="D", help="For huber: where it becomes linear, 1 if not given.")] = None,
    optimizer: Annotated[str | None, option(panel=_OPTIMIZER, metavar="NAME", choices=OPTIMIZERS, help="sgd, adam or adamw (the default).")] = None,
    lr: Annotated[float | None, option(panel=_OPTIMIZER, metavar="RATE", help="Learning rate; 0.01 for sgd, 0.001 for the others if not given.")] = None,
    schedule: Annotated[str, option(panel=_OPTIMIZER, metavar="NAME", choices=SCHEDULES, help="As for raf train; its length is --steps.")] = "constant",
    steps: Annotated[int, option(panel=_OPTIMIZER, metavar="N", min=1, help="Length of the schedule; 1000 if not given.")] = 1000,
    momentum: Annotated[float | None, option(panel=_OPTIMIZER, metavar="M", help="For sgd.")] = None,
    nesterov: Annotated[bool, option("--nesterov", panel=_OPTIMIZER, help="For sgd.")] = False,
    weight_decay: Annotated[float | None, option(panel=_OPTIMIZER, metavar="DECAY", help="0.01 for adamw, 0 for the others if not given.")] = None,
    no_decay: Annotated[list[str] | None, option(panel=_OPTIMIZER, metavar="PATTERN", help="Parameters without weight decay, as '*.bias'; repeatable.")] = None,
    clip_norm: Annotated[float | None, option(panel=_OPTIMIZER, metavar="NORM", help="Scale all gradients down together where their norm is above this.")] = None,
    freeze: Annotated[list[str] | None, option(panel=_OPTIMIZER, metavar="PATTERN", help="Parameters that stay as they are, as 'layer1.*'; repeatable.")] = None,
    seed: Annotated[int, option(panel=_PROGRAM, metavar="N", help="Of dropout and of the order of the samples; 0 if not given.")] = 0,
    nan: Annotated[str, option(panel=_PROGRAM, metavar="POLICY", choices=NAN_POLICIES, help="A loss that is not finite: raise (the default), skip or ignore.")] = "raise",
    amp: Annotated[str | None, option(panel=_PROGRAM, metavar="TYPE", choices=AMP_TYPES, help="Mixed precision: bf16, or f16 with a loss scale that adapts.")] = None,
    memory_budget: Annotated[str, option(panel=_PROGRAM, metavar="BYTES", help="What a step may hold altogether, as 2GiB; auto (the default); none.")] = "auto",
    threads: Annotated[int | None, option(panel=_PROGRAM, metavar="N", min=1, help="Threads of the step, wherever it runs; if not given, as many as that process uses.")] = None,
    opt_level: Annotated[int, option(panel=_PROGRAM, metavar="0..2", min=0, max=2, help="0 optimizes nothing; 2 if not given.")] = 2,
    no_cache: Annotated[bool, option("--no-cache", panel=_PROGRAM, help="Do not keep compiled programs on disk.")] = False,
) -> None:
    from .. import compile as compile_model

    if loss is None and (optimizer is not None or lr is not None):
        raise typer.BadParameter("--optimizer and --lr are for training, which needs --loss too")
    check_places({"--output": out})
    shapes = dict(_shape(text) for text in input_shape or [])
    common: dict[str, Any] = {"target": target, "amp": amp, "threads": threads, "opt_level": opt_level, "cache": not no_cache}
    network = open_model(str(model), params)
    # The file may fix a batch that is not the one wanted here.
    free = any(i.name in shapes and i.dims and shapes[i.name][:1] != i.dims[:1] for i in network.inputs) and not is_stablehlo(str(model))
    if loss is None:
        predictor = compile_model(network, free_batch=free, **common)
        predictor.save_executable(out, shapes)
    else:
        made_loss = make_loss(loss, label_smoothing, ignore_index, delta, dense, class_axis, loss_output)
        made_optimizer = make_optimizer(
            optimizer or "adamw", lr, schedule, steps, momentum=momentum, nesterov=nesterov or None, weight_decay=weight_decay, no_decay=no_decay or None, clip_norm=clip_norm
        )
        trainer = compile_model(
            network, loss=made_loss, optimizer=made_optimizer, memory_budget=memory_budget, seed=seed, nan=nan, frozen=freeze or (), free_batch=free, lazy=True, **common
        )
        trainer.save_executable(out, shapes)
    note(f"{'a prediction' if loss is None else 'a training step'} of {network.name} for {target} is in {out} ({out.stat().st_size:,} bytes)")


def _shape(text: str) -> tuple[str, tuple[int, ...]]:
    name, separator, sizes = text.rpartition("=")
    if not separator or not re.fullmatch(r"\d+(,\d+)*|", sizes.strip()):
        raise CompileError(f"--input-shape {text!r}: expected NAME=SIZE,SIZE,... as in x=32,3,64,64")
    return name, tuple(int(size) for size in sizes.split(",") if size.strip())


compile.__doc__ = _HELP
