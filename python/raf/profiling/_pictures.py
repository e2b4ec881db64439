# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of a profile: memory over time, and the graph of the fused step."""

from __future__ import annotations

import io
import os
import shlex
import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._files import destination, write
from ..errors import RuntimeError
from ._memory import CLASSES, Live

if TYPE_CHECKING:
    from ._profile import Op, Profile

MEMORY_FORMATS = ("png", "svg", "pdf")
GRAPH_FORMATS = ("dot", *MEMORY_FORMATS)
_COLORS = ("#4e79a7", "#76b7b2", "#9c755f", "#bab0ac", "#d4d4d4", "#59a14f", "#f28e2b", "#edc948", "#b07aa1")
_ANNOTATED = 5


def format_of(path: str | os.PathLike[str], known: tuple[str, ...]) -> str:
    """The ending of the name, "" for none."""
    ending = destination(path).suffix.lower().removeprefix(".")
    if ending and ending not in known:
        raise RuntimeError(f"cannot write {os.fsdecode(path)!r}: expected a name that ends in {', '.join('.' + k for k in known)} or has no ending, got .{ending}")
    return ending


def check_formats(memory: Path | None, graph: Path | None) -> None:
    """Before a profile of which these pictures are to be drawn. Raises raf.RuntimeError for names whose ending is no format."""
    for path, known in ((memory, MEMORY_FORMATS), (graph, GRAPH_FORMATS)):
        if path is not None:
            format_of(path, known)


def pyplot() -> Any:
    """matplotlib's figures without a display."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise RuntimeError(f"pictures need matplotlib, which is not installed ({error}): pip install 'raf-compiler[plot]'") from None
    figure = Figure(figsize=(10, 5.5), layout="constrained")
    FigureCanvasAgg(figure)
    return figure


def save(figure: Any, path: str | os.PathLike[str]) -> None:
    """Writes the picture in the format that the name ends in, or as PNG and SVG."""
    ending = format_of(path, MEMORY_FORMATS)
    for kind in [ending] if ending else ["png", "svg"]:
        data = io.BytesIO()
        figure.savefig(data, format=kind, dpi=130)
        write(path if ending else f"{os.fsdecode(path)}.{kind}", data.getvalue())


def memory_picture(profile: Profile, path: str | os.PathLike[str], budget: int | None) -> None:
    format_of(path, MEMORY_FORMATS)
    figure = pyplot()
    axes = figure.add_subplot()
    timeline = profile.timeline
    # Where each op begins and ends; what is between two ops belongs to neither.
    edges = [0.0]
    for op in timeline.ops:
        edges.append(edges[-1] + max(op.ms, 1e-6))
    mebi = 2**20
    bottom = [0.0] * len(timeline.ops)
    for kind, color in zip(CLASSES, _COLORS):
        sizes = [size / mebi for size in timeline.bytes[kind]]
        if not any(sizes):
            continue
        top = [a + b for a, b in zip(bottom, sizes)]
        axes.stairs(top, edges, baseline=bottom, fill=True, color=color, label=f"{kind} ({max(sizes):.4g} MiB)")
        bottom = top
    axes.axhline(timeline.planned / mebi, color="black", linewidth=0.9, linestyle=":", label=f"planned ({timeline.planned / mebi:.4g} MiB)")
    if budget:
        axes.axhline(budget / mebi, color="#e15759", linewidth=1.4, linestyle="--", label=f"budget ({budget / mebi:.4g} MiB)")
    if timeline.ops:
        _annotate(axes, timeline.at_peak(), (edges[timeline.peak] + edges[timeline.peak + 1]) / 2, bottom[timeline.peak], edges[-1])
    axes.set_xlim(0, edges[-1] or 1)
    axes.set_ylim(0, max([timeline.planned / mebi, *bottom, (budget or 0) / mebi, 1e-6]) * 1.12)
    axes.set_xlabel("ms of a step's ops")
    axes.set_ylabel("MiB")
    axes.set_title(f"{_plain(profile.name)}: memory of a training step", parse_math=False)
    axes.legend(loc="upper left", bbox_to_anchor=(1.01, 1), fontsize="small", frameon=False)
    save(figure, path)


def _annotate(axes: Any, largest: list[Live], at: float, height: float, width: float) -> None:
    """Names the largest tensors that are alive at the peak."""
    equal = Counter((b.bytes, b.type, _short(b.label), b.kind) for b in largest)
    lines = [f"peak {height:.4g} MiB"]
    for (size, kind, label, purpose), count in sorted(equal.items(), key=lambda item: -item[0][0] * item[1])[:_ANNOTATED]:
        lines.append(f"{f'{count} x ' if count > 1 else ''}{size / 2**20:.3g} MiB  {kind}  {_plain(label)} ({purpose})")
    axes.plot([at], [height], marker="v", color="black", markersize=6)
    axes.annotate(
        "\n".join(lines), (at, height), xytext=(0.03, 0.05) if at > width / 2 else (0.97, 0.05), textcoords="axes fraction", ha="left" if at > width / 2 else "right", va="bottom",
        fontsize="x-small", parse_math=False, bbox={"boxstyle": "round", "facecolor": "white", "alpha": 0.85, "linewidth": 0.5}, arrowprops={"arrowstyle": "-", "linewidth": 0.6},
    )  # fmt: skip


def _plain(text: str) -> str:
    """Without characters that files of pictures may not hold, those of control among them."""
    return "".join(c if c.isprintable() else "?" for c in text)


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


# ---- the graph ----


def graph_picture(profile: Profile, path: str | os.PathLike[str]) -> None:
    ending = format_of(path, GRAPH_FORMATS)
    target = destination(path)
    source = target if ending == "dot" else target.with_suffix(".dot") if ending else Path(f"{target}.dot")
    write(source, dot(profile))
    if ending in ("", "dot"):
        return
    program = shutil.which("dot")
    if program is None:
        raise RuntimeError(
            f"cannot draw {str(target)!r}: the program 'dot' of Graphviz is not on the PATH. The graph is in {str(source)!r}; install Graphviz and run: {shlex.join(['dot', f'-T{ending}', str(source), '-o', str(target)])}"
        )
    done = subprocess.run([program, f"-T{ending}", str(source)], capture_output=True, check=False)
    if done.returncode:
        raise RuntimeError(f"cannot draw {str(target)!r}: dot ended with status {done.returncode}: {done.stderr.decode(errors='replace').strip()[:300]}")
    write(target, done.stdout)


def dot(profile: Profile) -> str:
    """The step in Graphviz' language: a box an op, redder the more time it takes, an edge for each value that one op leaves another, with its bytes."""
    total = sum(op.ms for op in profile.leaves) or 1.0
    lines = ["digraph step {", '  graph [rankdir=TB, fontname="sans-serif"];', '  node [fontname="sans-serif", fontsize=10, style="filled,rounded", shape=box];', '  edge [fontname="sans-serif", fontsize=8];']
    functions = dict.fromkeys(op.function for op in profile.ops)
    for function in functions:
        members = [op for op in profile.ops if op.function == function]
        if function != "main":
            lines += [f"  subgraph {_quoted('cluster_' + function)} {{", f"    label={_quoted(function)}; style=dashed;"]
        lines += [f"    {_box(op, op.ms / total)}" for op in members]
        if function != "main":
            lines.append("  }")
        lines += _edges(profile, members)
    first = {function: next(op.number for op in profile.ops if op.function == function) for function in functions}
    for op in profile.ops:
        lines += [f"  op{op.number} -> op{first[region]} [style=dashed, label={_quoted('runs')}];" for region in op.regions if region in first]
    return "\n".join([*lines, "}", ""])


def _box(op: Op, share: float) -> str:
    nodes = [f"{name} ({phase})" if phase != "forward" else name for name, phase in op.nodes]
    text = "\n".join([op.title, *(_short(n, 60) for n in nodes[:4]), *([f"and {len(nodes) - 4} more"] if len(nodes) > 4 else []), f"{op.ms:.4g} ms, {100 * share:.1f} %"])
    shape = {"library": "box3d", "regions": "component", "copy": "cds"}.get(op.kind, "box")
    saturation = min(1.0, share * 4)
    return f"op{op.number} [label={_quoted(text)}, shape={shape}, fillcolor={_quoted(f'0.02 {saturation:.3f} 1.0')}];"


def _edges(profile: Profile, members: list[Op]) -> list[str]:
    lines: list[str] = []
    writer: dict[int, int] = {}
    named: set[int] = set()
    for op in members:
        for buffer in dict.fromkeys(op.reads):
            described = profile.buffers[buffer]
            if buffer in writer:
                if writer[buffer] != op.number:
                    lines.append(f"  op{writer[buffer]} -> op{op.number} [label={_quoted(described['type'] + ' ' + _size(described['bytes']))}];")
            elif described["role"] in ("input", "target"):
                if buffer not in named:
                    named.add(buffer)
                    lines.append(f"  buffer{buffer} [label={_quoted(described['name'] + ' ' + described['type'])}, shape=ellipse, fillcolor=white];")
                lines.append(f"  buffer{buffer} -> op{op.number} [label={_quoted(_size(described['bytes']))}];")
        for buffer in op.writes:
            writer[buffer] = op.number
    for buffer, last in writer.items():
        described = profile.buffers[buffer]
        if described["role"] == "result":
            lines.append(f"  result{buffer} [label={_quoted(described['name'] + ' ' + described['type'])}, shape=ellipse, fillcolor=white];")
            lines.append(f"  op{last} -> result{buffer} [label={_quoted(_size(described['bytes']))}];")
    return lines


def _size(count: int) -> str:
    for unit, size in (("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} B"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
