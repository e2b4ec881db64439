# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What train_step.py shows of its measurements: a table for each workload, one line for each at the end, and bars."""

from __future__ import annotations

import math
import statistics
from pathlib import Path
from typing import Any

PEERS = {"raf": "RAF", "torch-eager": "PyTorch", "torch-compile": "torch.compile", "jax": "JAX", "raf-codegen": "RAF, no library", "torch-foreach": "PyTorch, foreach AdamW"}
#: What --amp means: the element type of products and convolutions.
PRECISIONS = {"none": "f32", "bf16": "bf16", "f16": "f16"}


def table(name: str, result: dict[str, Any], rates: dict[str, Any]) -> str:
    """The rows of a workload."""
    from . import floor

    counted, rows, dtype = result["counted"], result["peers"], PRECISIONS[result["amp"]]
    compute, moved = result["floor_ms"]["compute"], result["floor_ms"]["memory"]
    least = max(compute or 0.0, moved)
    arithmetic = f"{rates['gemm'][dtype] / 1e9:.0f} GFLOP/s = {compute:.3g} ms" if compute else f"a speed that was not measured: no product of {dtype}"
    size = floor.traffic(counted, dtype)
    lines = [
        f"\n{name}, {dtype}: {result['title']}; {counted['params']:,} parameters",
        f"  floor: {counted['flops'] / 1e9:.4g} GFLOP at {arithmetic}; {size / 2**20:.4g} MiB at {size / moved / 1e6:.1f} GB/s = {moved:.3g} ms",
        f"  {'':22} {'ms/step':>9} {'min':>9} {'CPU ms':>9} {'x':>6} {'floors':>7} {'first s':>8} {'again s':>8} {'MiB':>7} {'planned':>8} {'loss 1':>9} {'loss 5':>9} {'last (step)':>16} {'difference':>11}",
    ]
    ours = rows.get("raf", {}).get("median_ms")
    for peer, row in rows.items():
        if "median_ms" not in row:
            lines.append(f"  {PEERS[peer]:22} {'not installed: ' + row['absent'] if 'absent' in row else 'FAILED: ' + row['failed'].splitlines()[0][:110]}")
            continue
        cells = [
            f"{row['median_ms']:9.4g}",
            f"{row['min_ms']:9.4g}",
            f"{statistics.median(row['cpu_ms']):9.4g}",
            f"{row['median_ms'] / ours:6.2f}" if ours else " " * 6,
            f"{row['median_ms'] / least:7.2f}" if least else " " * 7,
            f"{row['first_s']:8.2f}",
            f"{row['again_s']:8.2f}" if "again_s" in row else " " * 8,
            f"{row['steps_mib']:7.0f}" if "steps_mib" in row else " " * 7,
            f"{planned(row) / 2**20:8.0f}" if row.get("plan") else " " * 8,
            f"{row['losses'][0]:9.5f}",
            f"{row['losses'][-1]:9.5f}",
            f"{row['loss']:.4f} ({row['steps']})".rjust(16),
            f"{row['loss_difference']:11.1e}" if "loss_difference" in row else "",
        ]
        lines.append(f"  {PEERS[peer]:22} {' '.join(cells)}" + (f"  FAILED later: {row['failed'].splitlines()[0][:80]}" if "failed" in row else ""))
    if "imported_s" in rows.get("raf", {}) and "again_s" in rows["raf"]:
        lines.append(f"  RAF's imports took {rows['raf']['imported_s']:.2f} s more")
    return "\n".join(lines)


def planned(row: dict[str, Any]) -> int:
    """The bytes of RAF's memory plan: everything that is resident and the arena."""
    plan = row["plan"]
    return sum(plan.get(key, 0) for key in ("params", "states", "buffers", "inputs", "outputs", "scalars", "constants", "arena_bytes"))


def summary(workloads: dict[str, dict[str, Any]]) -> str:
    """RAF beside the best peer, a line a workload."""
    lines = [f"\n{'':20} {'x best peer':>11} {'':14} {'floors':>7} {'memory':>7} {'first':>7} {'again s':>8}"]
    for name, result in workloads.items():
        best, ours = result.get("against_best"), result["peers"].get("raf", {})
        if not best:
            continue
        least = max(result["floor_ms"]["compute"] or 0.0, result["floor_ms"]["memory"])
        memory = f"{best['memory']:7.2f}" if "memory" in best else " " * 7
        again = f"{ours['again_s']:8.2f}" if "again_s" in ours else " " * 8
        lines.append(f"{name:20} {best['speedup']:11.2f} {PEERS[best['peer']]:14} {ours['median_ms'] / least:7.2f} {memory} {best['first']:7.2f} {again}")
    lines.append("x: the best peer's time over RAF's; memory and first step: RAF's over the best peer's")
    return "\n".join(lines)


def plot(workloads: dict[str, dict[str, Any]], path: Path) -> None:
    """Bars: each peer's time of a step, memory and first step over RAF's, which is the line at 1. Raises raf.RuntimeError without matplotlib or when the file cannot be written."""
    from raf.profiling._pictures import pyplot, save

    figure = pyplot()
    names = [name for name, result in workloads.items() if "median_ms" in result["peers"].get("raf", {})]
    peers = list(dict.fromkeys(peer for name in names for peer, row in workloads[name]["peers"].items() if peer != "raf" and "median_ms" in row))
    quantities = (("median_ms", "time of a step"), ("steps_mib", "memory"), ("first_s", "first step, compilation included"))
    figure.set_size_inches(max(8, 1.4 * len(names) + 3), 9)
    for place, (key, title) in enumerate(quantities):
        axes = figure.add_subplot(len(quantities), 1, place + 1)
        for i, peer in enumerate(peers):
            values = []
            for name in names:
                rows = workloads[name]["peers"]
                theirs, ours = rows.get(peer, {}).get(key), rows["raf"].get(key)
                values.append(theirs / ours if theirs and ours else math.nan)
            bars = axes.bar([x + (i - (len(peers) - 1) / 2) * 0.8 / max(1, len(peers)) for x in range(len(names))], [v - 1 for v in values], 0.8 / max(1, len(peers)), bottom=1, label=PEERS[peer])
            axes.bar_label(bars, ["" if math.isnan(v) else f"{v:.2g}" for v in values], fontsize="xx-small", padding=1)
        axes.set_yscale("log", base=2)
        axes.margins(y=0.15)
        axes.yaxis.set_major_formatter(lambda y, _: f"{y:g}")
        axes.axhline(1, color="black", linewidth=0.6)
        axes.set_xticks(range(len(names)), names)
        axes.set_ylabel("x RAF")
        axes.set_title(title, fontsize="medium")
        if not place:
            axes.legend(fontsize="x-small", ncols=len(peers) or 1)
    save(figure, path)
