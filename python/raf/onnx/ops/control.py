# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""If with a constant condition, Loop and Scan with a constant number of steps: their bodies become part of the graph."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..errors import Unsupported
from ..graph import Tensor
from ..registry import Call, handles, normalize_axis

_TRIP_LIMIT = 100_000


@handles("If")
def if_op(c: Call) -> list[Tensor]:
    condition = c.constant(0)
    if condition is None or condition.size != 1:
        raise Unsupported("the condition must be one truth value")
    branch = c.attr("then_branch" if bool(condition.reshape(-1)[0]) else "else_branch")
    return c.run.subgraph(branch, c.env, {}, "a branch")


def _bool(value: Tensor) -> bool:
    if value.array is None or value.size != 1:
        raise Unsupported("the loop's condition must be known at import")
    return bool(value.array.reshape(-1)[0])


@handles("Loop")
def loop(c: Call) -> list[Tensor]:
    g, body = c.g, c.attr("body")
    trips = c.constant(0)
    going = c.constant(1)
    if trips is None and going is None:
        raise Unsupported("a loop without an end")
    count = int(trips.reshape(-1)[0]) if trips is not None else _TRIP_LIMIT
    if count > _TRIP_LIMIT:
        raise Unsupported(f"{count} steps are too many to unroll")
    carried: list[Any] = list(c.inputs[2:])
    keep = going is None or bool(going.reshape(-1)[0])
    scans: list[list[Tensor]] = [[] for _ in range(len(body.output) - 1 - len(carried))]
    if len(body.input) != 2 + len(carried):
        raise Unsupported(f"the body takes {len(body.input)} values, the loop gives {2 + len(carried)}")
    step = 0
    while keep and step < count:
        values = [g.const(np.int64(step)), g.const(np.bool_(True)), *carried]
        results = c.run.subgraph(body, c.env, {i.name: v for i, v in zip(body.input, values)}, "the body")
        keep = _bool(results[0])
        carried = results[1:1 + len(carried)]
        for rows, value in zip(scans, results[1 + len(carried):]):
            rows.append(g.reshape(value, (1, *value.shape)))
        step += 1
        if step == _TRIP_LIMIT:
            raise Unsupported("the loop does not end")
    if any(not rows for rows in scans):
        raise Unsupported("a loop of no step with scanned outputs")
    return [*carried, *(g.concat(rows, 0) for rows in scans)]


@handles("Scan")
def scan(c: Call) -> list[Tensor]:
    g, body, inputs = c.g, c.attr("body"), int(c.attr("num_scan_inputs"))
    values = c.all()
    states, sources = values[:len(values) - inputs], values[len(values) - inputs:]
    outputs = len(body.output) - len(states)

    def numbers(name: str, count: int) -> list[int]:
        return [int(v) for v in c.attr(name, None) or [0] * count]

    axes = [normalize_axis(a, s.rank) for a, s in zip(numbers("scan_input_axes", inputs), sources)]
    lengths = {s.shape[a] for s, a in zip(sources, axes)}
    if len(lengths) != 1 or not 0 < max(lengths) <= _TRIP_LIMIT:
        raise Unsupported(f"scanned inputs have {sorted(lengths)} steps")
    count = lengths.pop()
    backwards = numbers("scan_input_directions", inputs)
    rows: list[list[Tensor]] = [[] for _ in range(outputs)]
    for step in range(count):
        parts = []
        for source, axis, back in zip(sources, axes, backwards):
            at = count - 1 - step if back else step
            part = g.take(source, axis, at, at + 1)
            parts.append(g.reshape(part, [d for i, d in enumerate(part.shape) if i != axis]))
        results = c.run.subgraph(body, c.env, {i.name: v for i, v in zip(body.input, [*states, *parts])}, "the body")
        states = results[:len(states)]
        for kept, value in zip(rows, results[len(states):]):
            kept.append(value)
    made = []
    for kept, axis, back in zip(rows, numbers("scan_output_axes", outputs), numbers("scan_output_directions", outputs)):
        axis = normalize_axis(axis, kept[0].rank + 1)
        wide = [g.reshape(v, (*v.shape[:axis], 1, *v.shape[axis:])) for v in (kept[::-1] if back else kept)]
        made.append(g.concat(wide, axis))
    return [*states, *made]
