# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A profile as events of the Chrome trace format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._profile import Profile

_STEP = 0  # the track of the thread that runs the step; the members of its team follow


def events(profile: Profile) -> list[dict[str, Any]]:
    """Complete events in microseconds from the first step's begin, named tracks, and a counter of the live memory."""
    origin = profile.runs[0].begin
    threads = sorted({span.thread for run in profile.runs for span in run.spans if span.thread >= 0})
    result: list[dict[str, Any]] = [{"name": "process_name", "ph": "M", "pid": 0, "args": {"name": profile.name}}]
    result += _track(_STEP, "step")
    for thread in threads:
        result += _track(thread + 1, f"thread {thread}")
    totals = {op.number: total for op, total in zip(profile.timeline.ops, profile.timeline.totals)}
    for number, run in enumerate(profile.runs):
        result.append({"name": f"step {number}", "cat": "step", "ph": "X", "pid": 0, "tid": _STEP, "ts": (run.begin - origin) / 1e3, "dur": (run.end - run.begin) / 1e3})
        for span in run.spans:
            op = profile.ops[span.op]
            event: dict[str, Any] = {"name": op.title, "cat": op.kind, "ph": "X", "pid": 0, "tid": span.thread + 1, "ts": (span.begin - origin) / 1e3, "dur": (span.end - span.begin) / 1e3}
            if span.thread < 0:
                took = max(1, span.end - span.begin)
                event["args"] = {
                    "op": op.number,
                    "nodes": [f"{name} ({phase})" for name, phase in op.nodes],
                    "operands": list(op.operands),
                    "FLOPs": op.flops,
                    "bytes": op.bytes,
                    "GFLOP/s": round(op.flops / took, 2),
                    "GB/s": round(op.bytes / took, 2),
                }
                if op.number in totals:
                    result.append({"name": "memory", "ph": "C", "pid": 0, "ts": event["ts"], "args": {"MiB": totals[op.number] / 2**20}})
            result.append(event)
    return result


def _track(thread: int, name: str) -> list[dict[str, Any]]:
    return [
        {"name": "thread_name", "ph": "M", "pid": 0, "tid": thread, "args": {"name": name}},
        {"name": "thread_sort_index", "ph": "M", "pid": 0, "tid": thread, "args": {"sort_index": thread}},
    ]
