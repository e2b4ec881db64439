# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf eval."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from ..losses import NAMES as LOSSES
from ..metrics import NAMES as METRICS
from ._common import fixed_batch, fixed_batch_differs, is_stablehlo, make_loss, open_model, read_data, whole_batches
from .train import _report

_HELP = """Measure a model, or a checkpoint of it, on data.

[bold]Examples[/]

  raf eval trained.onnx --data test.npz

  raf eval model.onnx --checkpoint run/best.safetensors --data test.npz --metric loss --metric top5 --json

  raf eval loss.mlir --params trained.npz --data test.npz --loss output
"""


def evaluate(
    model: Annotated[Path, typer.Argument(help="The ONNX or StableHLO file.")],
    data: Annotated[Path, typer.Option(metavar="FILE", help="The data, .npz, as for raf train.")],
    params: Annotated[Path | None, typer.Option(metavar="FILE", help="For StableHLO: values of its parameters and buffers, as for raf train.", show_default=False)] = None,
    buffer: Annotated[list[str] | None, typer.Option(metavar="PATTERN", help="For StableHLO: arguments that are buffers; repeatable.", show_default=False)] = None,
    checkpoint: Annotated[Path | None, typer.Option(metavar="FILE", help="Take the parameters of this checkpoint.")] = None,
    loss: Annotated[str, typer.Option(metavar="NAME", help="As for raf train.", autocompletion=lambda: list(LOSSES))] = "cross_entropy",
    label_smoothing: Annotated[float | None, typer.Option(help="For cross_entropy.")] = None,
    ignore_index: Annotated[int | None, typer.Option(help="For cross_entropy.")] = None,
    dense: Annotated[bool, typer.Option("--dense", help="For cross_entropy: targets are distributions.")] = False,
    class_axis: Annotated[int | None, typer.Option(help="For cross_entropy: the axis of the classes, 1 if not given.", show_default=False)] = None,
    delta: Annotated[float | None, typer.Option(help="For huber.")] = None,
    loss_output: Annotated[str | None, typer.Option(help="The output that the loss looks at.")] = None,
    metric: Annotated[list[str] | None, typer.Option(metavar="NAME", help="loss, accuracy, top3, top5; repeatable.", show_default=False, autocompletion=lambda: list(METRICS))] = None,
    batch_size: Annotated[int, typer.Option(metavar="N", min=1, help="Samples at once.")] = 256,
    threads: Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads; RAF_NUM_THREADS or the physical cores if not given.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    from ..compiler import compile

    made_loss = make_loss(loss, label_smoothing, ignore_index, delta, dense, class_axis, loss_output)
    program = is_stablehlo(model)
    network = open_model(str(model), params, buffer or ())
    arrays = read_data(str(data), network, made_loss)
    fixed = fixed_batch(network) if program else None
    if fixed is not None:
        arrays, batch_size = whole_batches(arrays, fixed, str(data)), fixed
    trainer = compile(network, loss=made_loss, optimizer="sgd", threads=threads, free_batch=not program and fixed_batch_differs(network, arrays), lazy=True)
    if checkpoint is not None:
        trainer.load(checkpoint, weights_only=True)
    values = trainer.evaluate(arrays, metric or None, batch_size=batch_size)
    if json:
        print(json_module.dumps(values))
    else:
        _report(values, str(data))


evaluate.__doc__ = _HELP
