# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf profile."""

from __future__ import annotations

import json as json_module
from pathlib import Path
from typing import Annotated

import typer

from ..amp import TYPES as AMP_TYPES
from ..compiler import TARGETS
from ..errors import RuntimeError
from ..losses import NAMES as LOSSES
from ..optim import NAMES as OPTIMIZERS
from ._common import check_places, fixed_batch_differs, make_loss, open_model, output, read_data
from .inspect import shapes_of

_HELP = """Show where a training step spends its time and memory: by kernel and library call, and by node of the model.

The batch is taken from --data, or made of random numbers (zeros for integers) in the sizes that --size and --shape give.

[bold]Examples[/]

  raf profile model.onnx --size N=32

  raf profile model.onnx --data train.npz --batch-size 64 --by node --trace step.json --memory memory.png --graph step.svg

  raf profile model.onnx --size N=32 --target cuda
"""


def profile(
    model: Annotated[Path, typer.Argument(help="The ONNX or StableHLO file.")],
    params: Annotated[Path | None, typer.Option(metavar="FILE", help="For StableHLO: values of its parameters, as for raf train.", show_default=False)] = None,
    data: Annotated[Path | None, typer.Option(metavar="FILE", help="Take the batch from this .npz file, as for raf train.", show_default=False)] = None,
    batch_size: Annotated[int, typer.Option(metavar="N", min=1, help="Samples of --data in the batch.")] = 32,
    size: Annotated[list[str] | None, typer.Option(metavar="NAME=N", help="A size that the file leaves open, NAME=VALUE, repeatable; 1 if not given.", show_default=False)] = None,
    shape: Annotated[list[str] | None, typer.Option(metavar="NAME=NxM", help="The shape of an input, NAME=32x64, repeatable.", show_default=False)] = None,
    loss: Annotated[str, typer.Option(metavar="NAME", help="As for raf train.", autocompletion=lambda: list(LOSSES))] = "cross_entropy",
    loss_output: Annotated[str | None, typer.Option(metavar="NAME", help="The output that the loss looks at.", show_default=False)] = None,
    optimizer: Annotated[str, typer.Option(metavar="NAME", help="The optimizer of the step.", autocompletion=lambda: list(OPTIMIZERS))] = "adamw",
    amp: Annotated[str | None, typer.Option(metavar="TYPE", help="Mixed precision, as for raf train.", show_default=False, autocompletion=lambda: list(AMP_TYPES))] = None,
    target: Annotated[
        str,
        typer.Option(
            metavar="TARGET", help="Where the step runs: cpu, cuda (the first device of this machine) or cuda-sim, whose times say nothing about a GPU's.", autocompletion=lambda: list(TARGETS)
        ),
    ] = "cpu",
    steps: Annotated[int, typer.Option(metavar="N", min=1, help="Steps to record.")] = 10,
    by: Annotated[str, typer.Option(metavar="WHAT", help="A row for each op, or for each node of the model.", autocompletion=lambda: ["op", "node"])] = "op",
    top: Annotated[int, typer.Option(metavar="N", min=1, help="Rows of the table.")] = 25,
    trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Write a trace for ui.perfetto.dev or chrome://tracing, JSON.", show_default=False)] = None,
    memory: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the memory over time, .png or .svg (needs matplotlib).", show_default=False)] = None,
    graph: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the fused step, .dot, or .svg and .png (need Graphviz).", show_default=False)] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    threads: Annotated[int | None, typer.Option(metavar="N", min=1, help="Threads of the CPU; RAF_NUM_THREADS or the physical cores if not given.", show_default=False)] = None,
    opt_level: Annotated[int, typer.Option(metavar="0..2", min=0, max=2, help="0 optimizes nothing.")] = 2,
) -> None:
    from ..compiler import compile
    from ..profiling._pictures import check_formats

    if by not in ("op", "node"):
        raise RuntimeError(f"--by {by}: expected op or node")
    check_places({"--trace": trace, "--memory": memory, "--graph": graph})
    check_formats(memory, graph)
    network = open_model(str(model), params)
    made_loss = make_loss(loss, None, None, None, False, None, loss_output)
    given = {name: array[:batch_size] for name, array in read_data(str(data), network, made_loss).items()} if data is not None else {}
    free = fixed_batch_differs(network, given)
    trainer = compile(network, loss=made_loss, optimizer=optimizer, target=target, threads=threads, opt_level=opt_level, amp=amp, free_batch=free, nan="ignore", lazy=True)
    found = trainer.profile(given or trainer.random_batch(shapes_of(network, size or [], shape or [])), steps=steps)
    if json:
        print(json_module.dumps(found.json()))
    else:
        output().print(found.table(by, top), highlight=False, markup=False, soft_wrap=True)
    if trace is not None:
        found.to_chrome_trace(trace)
    if memory is not None:
        found.memory_picture(memory)
    if graph is not None:
        found.graph_picture(graph)


profile.__doc__ = _HELP
