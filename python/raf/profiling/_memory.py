# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The memory of a step over its time, from the plan: which buffer is alive during which op."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._profile import Op

#: The classes from the bottom of the picture up, and which arguments' roles belong to those that live all the time.
RESIDENT = {
    "parameters": ("param", "copy"),
    "optimizer state": ("state",),
    "running statistics": ("buffer",),
    "inputs and outputs": ("input", "target", "result", "argument", "lr", "step", "seed"),
    "constants": ("constant",),
}
TEMPORARY = {"activations": "forward", "gradients": "backward", "of the update": "update"}
CLASSES = (*RESIDENT, *TEMPORARY, "workspace")
_ALIGNMENT = 64  # of places in the arena


@dataclass(frozen=True)
class Live:
    """A buffer of the arena: alive from op `first` to op `last` of `Timeline.ops`."""

    label: str
    type: str
    bytes: int
    kind: str
    first: int
    last: int


@dataclass(frozen=True)
class Timeline:
    """`bytes[CLASS][i]` are alive during op i of `ops`, the ops of the step itself in order; `peak` is the op with most, `arena` the planned size of what is not resident."""

    ops: tuple[Op, ...]
    bytes: dict[str, list[int]]
    buffers: tuple[Live, ...]
    arena: int

    @property
    def totals(self) -> list[int]:
        return [sum(values) for values in zip(*self.bytes.values())]

    @property
    def peak(self) -> int:
        totals = self.totals
        return max(range(len(totals)), key=totals.__getitem__) if totals else 0

    @property
    def planned(self) -> int:
        """What the step takes: everything that is resident, and the arena."""
        return self.arena + sum(self.bytes[kind][0] for kind in RESIDENT if self.bytes[kind])

    def at_peak(self) -> list[Live]:
        """The buffers of the arena that are alive at the peak, the largest first."""
        return sorted((b for b in self.buffers if b.first <= self.peak <= b.last), key=lambda b: -b.bytes)


def timeline(ops: Sequence[Op], buffers: Sequence[dict[str, Any]], memory: dict[str, int]) -> Timeline:
    step = tuple(op for op in ops if op.function == "main")
    uses: dict[int, list[int]] = {}
    writers: dict[int, Op] = {}
    scratch: set[int] = set()
    for position, op in enumerate(step):
        for used in (*op.reads, *op.writes, *op.workspace):
            uses.setdefault(used, []).append(position)
        for written in op.writes:
            writers.setdefault(written, op)
        scratch.update(op.workspace)
    sizes = {kind: [0] * len(step) for kind in CLASSES}
    live = []
    for number, buffer in enumerate(buffers):
        if buffer["function"] != "main":
            continue
        resident = next((kind for kind, roles in RESIDENT.items() if buffer["role"] in roles), None)
        if resident is not None:
            sizes[resident] = [size + buffer["bytes"] for size in sizes[resident]]
            continue
        if number not in uses:
            continue
        kind, label = _described(writers.get(number), number in scratch, buffer)
        size = -(-buffer["bytes"] // _ALIGNMENT) * _ALIGNMENT
        first, last = min(uses[number]), max(uses[number])
        live.append(Live(label, buffer["type"], buffer["bytes"], kind, first, last))
        for position in range(first, last + 1):
            sizes[kind][position] += size
    return Timeline(step, sizes, tuple(live), memory.get("arena_bytes", 0))


def _described(writer: Op | None, workspace: bool, buffer: dict[str, Any]) -> tuple[str, str]:
    """The class and the name of a buffer of the arena: those of what is first written there."""
    if workspace and writer is None:
        return "workspace", "workspace"
    if writer is None:
        return "activations", buffer["name"]
    phases = [phase for _, phase in writer.nodes]
    name = ", ".join(dict.fromkeys(name for name, _ in writer.nodes)) or writer.name
    # An op that serves several phases leaves what the latest of them needs.
    phase = next((p for p in ("forward", "backward", "update") if p in phases), "forward")
    kind = next(kind for kind, of in TEMPORARY.items() if of == phase)
    return kind, name
