# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes say about their choices: what was fused, given to a library, computed in place; what was not, and why."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from ._engine import CompileOptions, _core, measured
from .errors import RuntimeError, suggest

KINDS = ("passed", "missed", "analysis")
_PHASES = {"": "", "grad": " (backward)", "update": " (update)"}


@dataclass(frozen=True)
class Remark:
    """`source` is the pass, `kind` "passed", "missed" or "analysis", `nodes` the model's nodes that it is about."""

    source: str
    kind: str
    name: str
    message: str
    nodes: tuple[str, ...]

    def json(self) -> dict[str, Any]:
        """Its fields."""
        return asdict(self)


class Remarks(list[Remark]):
    """Remarks in the order of the passes; printing them shows a table.

    >>> print(trainer.remarks(x[:32], y[:32]).only("fuse"))  # doctest: +SKIP
    """

    def only(self, passes: str = "", kind: str = "") -> Remarks:
        """Those of passes whose name matches the regular expression, and of the kind.

        Raises raf.RuntimeError for a kind that there is not, and for what is no regular expression.
        """
        if kind and kind not in KINDS:
            raise RuntimeError(f"remarks: there is no kind {kind!r}{suggest(kind, KINDS)}")
        try:
            wanted = re.compile(passes)
        except re.error as error:
            raise RuntimeError(f"remarks: {passes!r} is no regular expression: {error}") from None
        return Remarks(r for r in self if wanted.search(r.source) and kind in ("", r.kind))

    def __str__(self) -> str:
        return "\n".join(self._lines()) or "no remarks"

    def _lines(self) -> Iterable[str]:
        counts: dict[Remark, int] = {}
        for remark in self:
            counts[remark] = counts.get(remark, 0) + 1
        for remark, count in counts.items():
            nodes = ", ".join(remark.nodes[:4]) + (f" and {len(remark.nodes) - 4} more" if len(remark.nodes) > 4 else "")
            yield f"{remark.source:14} {remark.kind:8} {remark.name:14} {nodes or '(no node)'}: {remark.message}{f' ({count} times)' if count > 1 else ''}"


def explain(module: str, options: CompileOptions) -> Remarks:
    """Runs the passes of a compilation again, on the module that they would get, and collects what they say; then what each kernel and library call consists of."""
    with measured(_core(), module, options) as options:
        found = json.loads(_core().explain(module, options.with_hooks().json()))
    result = Remarks()
    for r in found["remarks"]:
        text = ": ".join(part for part in (r["message"].strip(), r["reason"].strip()) if part)
        result.append(Remark(r["pass"], r["kind"], r["name"], text, _nodes(r["nodes"])))
    for op in found["manifest"]["profile"]["ops"]:
        if op["kind"] in ("kernel", "library") and len(op["nodes"]) > 1:
            source = "raf-fuse" if op["kind"] == "kernel" else "raf-dispatch"
            result.append(Remark(source, "passed", "Fused", f"in one {'kernel' if op['kind'] == 'kernel' else 'call'}, {op['name']}", _nodes(op["nodes"])))
    return result


def _nodes(pairs: list[list[str]]) -> tuple[str, ...]:
    return tuple(name + _PHASES.get(phase, f" ({phase})") for name, phase in pairs)
