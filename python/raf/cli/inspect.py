# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf inspect."""

from __future__ import annotations

import json as json_module
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from ..errors import RuntimeError
from ..losses import NAMES as LOSSES
from ..model import Model
from ..optim import NAMES as OPTIMIZERS
from ._common import make_loss, open_model, output

_HELP = """Show what a model is made of; with --loss also the memory and the kernels of its training step.

A model with ops that RAF does not support ends in one message that names all of them.

[bold]Examples[/]

  raf inspect model.onnx --size N=32

  raf inspect model.onnx --size N=32 --loss cross_entropy --optimizer adamw

  raf inspect model.onnx --size N=32 --loss cross_entropy --remarks fuse

  raf inspect model.onnx --nodes --json
"""


def inspect(
    model: Annotated[Path, typer.Argument(help="The ONNX or StableHLO file.")],
    size: Annotated[list[str] | None, typer.Option(metavar="NAME=N", help="A size that the file leaves open, NAME=VALUE, repeatable; 1 if not given.", show_default=False)] = None,
    shape: Annotated[list[str] | None, typer.Option(metavar="NAME=NxM", help="The shape of an input, NAME=32x64, repeatable.", show_default=False)] = None,
    nodes: Annotated[bool, typer.Option("--nodes", help="One line an op, not one a kind of op.")] = False,
    loss: Annotated[str | None, typer.Option(metavar="NAME", help="Compile the training step with this loss and show its plan.", show_default=False, autocompletion=lambda: list(LOSSES))] = None,
    params: Annotated[Path | None, typer.Option(metavar="FILE", help="For StableHLO: values of its parameters, as for raf train.", show_default=False)] = None,
    optimizer: Annotated[str, typer.Option(metavar="NAME", help="The optimizer of that step.", autocompletion=lambda: list(OPTIMIZERS))] = "adamw",
    remarks: Annotated[
        str | None, typer.Option(metavar="PASSES", help="With --loss: what passes of these names (a regular expression, . for all) say about their choices.", show_default=False)
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    from .. import _cost

    if remarks is not None and loss is None:
        raise typer.BadParameter("--remarks needs --loss: remarks are about the training step")

    network = open_model(str(model), params, needs_values=loss is not None)
    shapes = shapes_of(network, size or [], shape or [])
    specialized = network.specialize(shapes)
    rows = _cost.rows(specialized.asm)
    report: dict[str, Any] = {
        "name": network.name,
        "inputs": [{"name": s.name, "dtype": str(s.dtype), "shape": list(s.dims or ())} for s in specialized.inputs],
        "outputs": [{"name": s.name, "dtype": str(s.dtype), "shape": list(s.dims or ())} for s in specialized.outputs],
        "parameters": sum(p.size for p in network.params.values()),
        "parameter_bytes": sum(p.nbytes for p in network.params.values()),
        "frozen": sum(network.params[n].size for n in network.frozen if n in network.params),
        "buffers": sum(b.size for b in network.buffers.values()),
        "flops": sum(r.flops for r in rows),
        "ops": [r.json() for r in rows],
    }
    if loss is not None:
        report["step"] = _step(network, loss, optimizer, shapes, remarks)
    if json:
        print(json_module.dumps(report))
        return
    _show(report, rows, nodes)


def shapes_of(network: Model, sizes: list[str], shapes: list[str]) -> dict[str, Any]:
    """Concrete shapes for every input: what was given, then what the file says, then 1."""
    known: dict[str, int] = {}
    for item in sizes:
        name, _, value = item.rpartition("=")
        if not name or not value.isdigit():
            raise RuntimeError(f"--size {item}: expected NAME=VALUE, as in N=32")
        known[name] = int(value)
    unknown = sorted(known.keys() - set(network.dims))
    if unknown:
        raise RuntimeError(f"--size: the model has no open size {', '.join(map(repr, unknown))}; it has {', '.join(network.dims) or 'none'}")
    result: dict[str, Any] = {}
    for item in shapes:
        name, _, value = item.rpartition("=")
        if not name or not all(part.isdigit() for part in value.split("x")):
            raise RuntimeError(f"--shape {item}: expected NAME=SIZES, as in x=32x64")
        result[name] = tuple(int(part) for part in value.split("x"))
    for spec in network.inputs:
        if spec.name not in result and spec.dims is not None:
            result[spec.name] = tuple(d if isinstance(d, int) else known.get(d or "", 1) for d in spec.dims)
    return result


def _step(network: Model, loss: str, optimizer: str, shapes: dict[str, Any], remarks: str | None) -> dict[str, Any]:
    """Memory and calls of the compiled training step, and what its passes say."""
    from ..compiler import compile

    trainer = compile(network, loss=make_loss(loss, None, None, None, False, None, None), optimizer=optimizer, lazy=True)
    manifest = trainer.program(shapes).manifest.raw
    step: dict[str, Any] = {key: manifest[key] for key in ("memory", "kernels", "library_calls") if key in manifest}
    if remarks is not None:
        step["remarks"] = [r.json() for r in trainer.remarks(trainer.random_batch(shapes)).only(remarks)]
    return step


def _show(report: dict[str, Any], rows: list[Any], nodes: bool) -> None:
    console = output()
    for kind in ("inputs", "outputs"):
        for spec in report[kind]:
            console.print(f"{kind[:-1]:7} {spec['name']}: {spec['dtype']}[{', '.join(map(str, spec['shape']))}]", highlight=False, markup=False)
    if nodes:
        table = Table("node", "op", "result", "parameters", "FLOPs")
        for row in rows:
            table.add_row(row.node, row.op, row.result, f"{row.parameters:,}", f"{row.flops:,}")
    else:
        table = Table("op", "count", "parameters", "FLOPs")
        counts = Counter(r.op for r in rows)
        flops = {op: sum(r.flops for r in rows if r.op == op) for op in counts}
        for op in sorted(counts, key=lambda o: (-flops[o], o)):
            table.add_row(op, str(counts[op]), f"{sum(r.parameters for r in rows if r.op == op):,}", f"{flops[op]:,}")
    for column in table.columns[-2:]:
        column.justify = "right"
    console.print(table)
    frozen = f", {report['frozen']:,} of them frozen" if report["frozen"] else ""
    console.print(
        f"{report['parameters']:,} parameters ({report['parameter_bytes'] / 2**20:.2f} MiB){frozen}; {report['buffers']:,} values of running statistics; "
        f"{report['flops']:,} FLOPs forward (a multiply-add counts as two)",
        highlight=False,
    )
    if "step" in report:
        _show_step(report["step"])


def _show_step(step: dict[str, Any]) -> None:
    table = Table(title="the training step", title_justify="left", show_header=False)
    memory = dict(step.get("memory") or {})
    times = {"time, modelled": memory.pop("step_ns", None), "of it computed again": memory.pop("recompute_ns", None)}
    again = memory.pop("recomputed", None)
    for name, value in memory.items():
        table.add_row(f"memory: {name.replace('_', ' ').removesuffix(' bytes')}", f"{value:,} bytes" if isinstance(value, int) else json_module.dumps(value))
    if again is not None:
        table.add_row("values computed again", f"{again:,}")
    for name, value in times.items():
        if value is not None:
            table.add_row(name, f"{value / 1e6:.3f} ms")
    for key in ("kernels", "library_calls"):
        if key in step:
            value = step[key]
            table.add_row(key.replace("_", " "), str(len(value) if isinstance(value, (list, dict)) else value))
    output().print(table)
    if "remarks" in step:
        from ..remarks import Remark, Remarks

        found = Remarks(Remark(**{**r, "nodes": tuple(r["nodes"])}) for r in step["remarks"])
        output().print(str(found), highlight=False, markup=False, soft_wrap=True)


inspect.__doc__ = _HELP
