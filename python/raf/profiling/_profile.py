# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a profile holds, and its tables."""

from __future__ import annotations

import json
import os
import re
import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any, NamedTuple

from .._files import write
from ..errors import RuntimeError, suggest
from ._ceilings import Ceilings, ceilings
from ._memory import Timeline, timeline

#: What a node's op serves, by the tag of its location.
PHASES = {"": "forward", "grad": "backward", "update": "update"}
_FLOATS = ("bf16", "f16", "f64", "f32")
NO_NODE = "(no node)"


class Span(NamedTuple):
    """One execution of an op (`thread` is -1), or the part of it that a member of the thread team ran; nanoseconds of the monotonic clock."""

    op: int
    begin: int
    end: int
    thread: int


class Run(NamedTuple):
    """One recorded step."""

    begin: int
    end: int
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Op:
    """A kernel launch, library call or copy of the step, or a call of the regions of a loop or branch, with the time of its executions in a step.

    `nodes` are the model's nodes that it serves, each with "forward", "backward" or "update"; `flops` and `bytes` are those of one execution.
    """

    number: int
    name: str
    kind: str
    function: str
    nodes: tuple[tuple[str, str], ...]
    flops: int
    bytes: int
    operands: tuple[str, ...]
    reads: tuple[int, ...]
    writes: tuple[int, ...]
    workspace: tuple[int, ...]
    regions: tuple[str, ...]
    calls: float
    ms: float

    @property
    def dtype(self) -> str:
        """The element type that it computes with: the narrowest floating-point one of its operands."""
        found = {operand.rpartition("x")[2] for operand in self.operands}
        return next((dtype for dtype in _FLOATS if dtype in found), "f32")

    @property
    def title(self) -> str:
        """Equal for ops that do the same: the kernel, or the library's op with the types of its operands."""
        if self.kind == "kernel":
            return re.sub(r"_inplace(_\d+)*", "", self.name)
        return f"{self.name} {' '.join(self.operands[:4])}".strip()


@dataclass(frozen=True)
class Row:
    """A line of a table. `roofline` is the least time that the machine's ceilings allow over the time that it took, None where there are none; `of` says what belongs to it."""

    name: str
    ms: float
    share: float
    calls: float
    flops: float
    bytes: float
    roofline: float | None
    of: tuple[str, ...] = ()
    phases: dict[str, float] = field(default_factory=dict)

    @property
    def gflops(self) -> float:
        """GFLOP/s."""
        return self.flops / self.ms / 1e6 if self.ms else 0.0

    @property
    def gbs(self) -> float:
        """GB/s."""
        return self.bytes / self.ms / 1e6 if self.ms else 0.0

    def json(self) -> dict[str, Any]:
        """Its fields and rates."""
        return {**asdict(self), "gflops_per_s": self.gflops, "gb_per_s": self.gbs}


class Profile:
    """Where the time and the memory of a compiled step go. Made by `Trainer.profile` and `Predictor.profile`; printing it shows its tables. On a device times are those of its clock.

    `steps` steps were recorded; every time is a median over them, the hooks' own (well under a microsecond an op) included. FLOPs are counted in the bodies of kernels and from the
    shapes of library calls, a multiply-add as two; bytes are what an op reads and writes at least, each buffer once.

    >>> profile = trainer.profile(x[:32], y[:32], steps=3)
    >>> profile.by_op()[0].ms >= profile.by_op()[1].ms, profile.timeline.planned > profile.memory["arena_bytes"]
    (True, True)
    >>> profile.to_chrome_trace("trace.json")
    >>> profile.graph_picture("step.dot")
    """

    def __init__(self, name: str, manifest: dict[str, Any], runs: Sequence[Run], threads: int) -> None:
        self.name = name
        self.threads = threads
        #: The driver of the device that the step ran on, "cuda" or "cuda-sim"; None for the CPU.
        self.device: str | None = (manifest.get("target") or {}).get("device")
        #: The recorded steps with every execution of an op and every thread's part of it.
        self.runs = tuple(runs)
        #: The buffers of the step, which `reads` and `writes` of ops number.
        self.buffers: list[dict[str, Any]] = manifest["profile"]["buffers"]
        #: The memory plan: bytes by class.
        self.memory: dict[str, int] = dict(manifest.get("memory") or {})
        self.ops = self._ops(manifest["profile"]["ops"])

    def _ops(self, described: list[dict[str, Any]]) -> tuple[Op, ...]:
        times: dict[int, list[float]] = defaultdict(lambda: [0.0] * len(self.runs))
        calls: dict[int, int] = defaultdict(int)
        for number, run in enumerate(self.runs):
            for span in run.spans:
                if span.thread < 0:
                    times[span.op][number] += (span.end - span.begin) / 1e6
                    calls[span.op] += 1
        return tuple(
            Op(
                number=i,
                name=op["name"],
                kind=op["kind"],
                function=op["function"],
                nodes=tuple((name, PHASES.get(tag, tag)) for name, tag in op["nodes"]),
                flops=op["flops"],
                bytes=op["bytes"],
                operands=tuple(op["operands"]),
                **{key: tuple(op.get(key, ())) for key in ("reads", "writes", "workspace", "regions")},
                calls=calls[i] / len(self.runs),
                ms=statistics.median(times[i]),
            )
            for i, op in enumerate(described)
        )

    def __repr__(self) -> str:
        return f"<raf.profiling.Profile of {self.name!r}: {self.ms:.4g} ms a step, {len(self.ops)} ops, {self.steps} steps>"

    def __str__(self) -> str:
        return self.table()

    @property
    def steps(self) -> int:
        """How many steps were recorded."""
        return len(self.runs)

    @cached_property
    def ms(self) -> float:
        """Milliseconds of a step."""
        return statistics.median((run.end - run.begin) / 1e6 for run in self.runs)

    @cached_property
    def leaves(self) -> tuple[Op, ...]:
        """The ops that do the work: all but the calls of regions, whose time is that of the ops inside."""
        return tuple(op for op in self.ops if op.kind != "regions")

    @property
    def ceilings(self) -> Ceilings | None:
        """The speed of matrix products and copies on this machine or its device, measured when it is first needed and remembered in the cache folder; None for a simulated device, and where they
        cannot be measured, as on a device whose memory is full."""
        return self._ceilings_or_why[0]

    @cached_property
    def _ceilings_or_why(self) -> tuple[Ceilings | None, str]:
        if self.device == "cuda-sim":
            return None, "a simulated device: its times say nothing about a GPU's, and there are no ceilings"
        try:
            found = ceilings(self.threads, sorted({op.dtype for op in self.leaves if op.flops} or {"f32"}), self.device)
        except RuntimeError as error:
            return None, f"no ceilings: they could not be measured: {str(error).splitlines()[0]}"
        return found, str(found)

    def by_op(self) -> list[Row]:
        """A row for each kernel and each kind of library call, the longest first; `of` names the nodes that it serves."""
        return self._rows((op.title, op, 1.0, "", tuple(dict.fromkeys(name for name, _ in op.nodes))) for op in self.leaves)

    def by_node(self) -> list[Row]:
        """A row for each node of the model, with its time forward, backward and of the update of parameters; `of` names the ops that serve it.

        An op that serves several nodes is divided evenly among them.
        """
        parts = []
        for op in self.leaves:
            for name, phase in op.nodes or ((NO_NODE, "forward"),):
                parts.append((name, op, 1 / max(1, len(op.nodes)), phase, (op.title,)))
        return self._rows(parts)

    def _rows(self, parts: Iterable[tuple[str, Op, float, str, tuple[str, ...]]]) -> list[Row]:
        groups: dict[str, list[tuple[Op, float, str, tuple[str, ...]]]] = defaultdict(list)
        for name, *rest in parts:
            groups[name].append(tuple(rest))  # type: ignore[arg-type]
        total = sum(op.ms for op in self.leaves) or 1.0
        rows = []
        for name, members in groups.items():
            ms = sum(op.ms * share for op, share, _, _ in members)
            limits = self.ceilings
            least = None if limits is None else sum(limits.seconds(op.flops, op.bytes, op.dtype) * 1e3 * op.calls * share for op, share, _, _ in members)
            phases: dict[str, float] = defaultdict(float)
            for op, share, phase, _ in members:
                phases[phase] += op.ms * share
            rows.append(
                Row(
                    name,
                    ms,
                    ms / total,
                    sum(op.calls for op, *_ in members),
                    sum(op.flops * op.calls * share for op, share, *_ in members),
                    sum(op.bytes * op.calls * share for op, share, *_ in members),
                    None if least is None else least / ms if ms else 0.0,
                    tuple(dict.fromkeys(text for *_, of in members for text in of)),
                    {phase: ms for phase, ms in phases.items() if phase},
                )
            )
        return sorted(rows, key=lambda row: -row.ms)

    def table(self, by: str = "op", top: int | None = 25) -> str:
        """The table by "op" or by "node" as text; `top` rows, or all for None.

        >>> trainer.profile(x[:32], y[:32], steps=1).table("node", top=3).splitlines()[3].split()[:5]
        ['ms', '%', 'calls', 'MFLOP', 'MiB']
        """
        if by not in ("op", "node"):
            raise RuntimeError(f"table: there is no table by {by!r}{suggest(str(by), ['op', 'node'])}")
        rows = self.by_op() if by == "op" else self.by_node()
        shown = rows if top is None else rows[:top]
        inside = sum(op.ms for op in self.leaves)
        lines = [
            f"{self.name}: step {self.ms:.4g} ms, of it {inside:.4g} ms in {sum(op.calls for op in self.leaves):g} kernels and calls; median of {self.steps} steps",
            self._ceilings_or_why[1],
            "",
            f"{'ms':>9} {'%':>5} {'calls':>6} {'MFLOP':>9} {'MiB':>8} {'GFLOP/s':>8} {'GB/s':>6} {'roofline':>8}"
            + ("  op (nodes)" if by == "op" else f"  {'forward':>8} {'backward':>8} {'update':>8}  node (ops)"),
        ]
        for row in shown:
            phases = "" if by == "op" else "  " + " ".join(f"{row.phases.get(phase, 0):8.3f}" for phase in PHASES.values())
            lines.append(
                f"{row.ms:9.4f} {100 * row.share:5.1f} {row.calls:6g} {row.flops / 1e6:9.3f} {row.bytes / 2**20:8.2f} {row.gflops:8.1f} {row.gbs:6.1f} {'-' if row.roofline is None else f'{100 * row.roofline:.0f}%':>8}{phases}"
                f"  {row.name}{_listed(row.of)}"
            )
        if len(shown) < len(rows):
            rest = rows[len(shown) :]
            lines.append(f"{sum(row.ms for row in rest):9.4f} {100 * sum(row.share for row in rest):5.1f}  {len(rest)} more")
        return "\n".join(lines)

    def json(self) -> dict[str, Any]:
        """Everything but the single executions, for programs."""
        return {
            "name": self.name,
            "steps": self.steps,
            "ms": self.ms,
            "ceilings": None if self.ceilings is None else asdict(self.ceilings),
            "memory": self.memory,
            "by_op": [row.json() for row in self.by_op()],
            "by_node": [row.json() for row in self.by_node()],
        }

    @cached_property
    def timeline(self) -> Timeline:
        """The memory that is live during each op of the step."""
        return timeline(self.ops, self.buffers, self.memory)

    # ---- files ----

    def to_chrome_trace(self, path: str | os.PathLike[str]) -> None:
        """Writes the recorded steps as a trace that ui.perfetto.dev and chrome://tracing open: every op and every thread's part of it with its real begin and end, and the live memory.

        Raises raf.RuntimeError when the file cannot be written.
        """
        from ._trace import events

        write(path, json.dumps({"displayTimeUnit": "ms", "traceEvents": events(self)}))

    def memory_picture(self, path: str | os.PathLike[str], *, budget: int | None = None) -> None:
        """Draws the planned memory over a step's time by class, with the budget, if there is one, and the largest tensors at the peak.

        The name's ending chooses PNG, SVG or PDF; without one, NAME.png and NAME.svg are written. `budget` is in bytes. Needs
        `pip install 'raf-compiler[plot]'`; raf.RuntimeError says so, or why the file cannot be written.
        """
        from ._pictures import memory_picture

        memory_picture(self, path, budget)

    def graph_picture(self, path: str | os.PathLike[str]) -> None:
        """Draws the step's kernels and library calls with what they pass on: NAME.dot for Graphviz, and NAME.svg, .png or .pdf when the name ends so.

        Raises raf.RuntimeError when Graphviz' program `dot` is missing (NAME.dot is written then) or a file cannot be written.
        """
        from ._pictures import graph_picture

        graph_picture(self, path)


def _listed(names: Sequence[str], most: int = 3) -> str:
    if not names:
        return ""
    return f" ({', '.join(names[:most])}{f' and {len(names) - most} more' if len(names) > most else ''})"
