# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gpu_check.py prints, and what it calls a failure."""

from __future__ import annotations

from typing import Any

from steps import floor

#: Why something is absent that is there.
NO_TIME = "no time was left"
NAMES = {"raf": "RAF", "torch-eager": "PyTorch", "torch-compile": "torch.compile", "jax": "JAX"}
#: Differences of losses from PyTorch's, over the first loss. Products of 16 bits round by 2^-9.
ALLOWED = {"none": 1e-3, "bf16": 5e-2, "f16": 1e-2}


def judge(data: dict[str, Any]) -> list[str]:
    """Fills in differences, ratios and shares; returns what went wrong. What is not installed (PyTorch, a peer) is no failure; RAF that does not run is, and so is what nobody ran."""
    failures = []
    if not data["checks"] and not data["models"]:
        failures.append("nothing was run")
    late = [check["name"] for check in data["checks"] if check.get("absent") == NO_TIME]
    late += [f"{name}/{peer}" for name, model in data["models"].items() for peer, row in model["peers"].items() if row.get("absent") == NO_TIME and peer != "raf"]
    if late:
        failures.append(f"{NO_TIME} for {len(late)}, raise --limit: {', '.join(late)}")
    failures += [f"{check['name']}: {check.get('error') or 'off by %.3g times the tolerance' % check['worst']}" for check in data["checks"] if "error" in check or check.get("worst", 0) > 1 or check.get("worst") != check.get("worst")]
    for name, model in data["models"].items():
        rows = model["peers"]
        ours = rows.get("raf", {})
        if "losses" not in ours:
            failures.append(f"{name}: RAF did not run: {ours.get('failed') or ours.get('absent')}")
            continue
        for peer, row in rows.items():
            if "failed" in row:
                failures.append(f"{name}: {NAMES[peer]}: {row['failed']}")
            if "losses" not in row:
                continue
            row["difference"] = None if row is ours else max(abs(a - b) for a, b in zip(ours["losses"], row["losses"])) / abs(row["losses"][0])
            if row is not ours and not row["difference"] <= ALLOWED[model["amp"]]:
                failures.append(f"{name}: losses differ from {NAMES[peer]}'s by {row['difference']:.2g}, allowed {ALLOWED[model['amp']]:.2g}: {ours['losses']} and {row['losses']}")
            if "ms" in row:
                row["ratio"] = row["ms"] / ours["ms"]
                row |= shares(model, row["ms"], data.get("ceilings", {}))
    return failures


def shares(model: dict[str, Any], ms: float, ceilings: dict[str, Any]) -> dict[str, float]:
    """The parts of the measured ceilings that a step of this time reaches, by the counted arithmetic and the counted traffic."""
    if "copy" not in ceilings:
        return {}
    dtype = "f32" if model["amp"] == "none" else model["amp"]
    rate = ceilings["matmul"].get(dtype)
    moved = floor.traffic(model["counted"], dtype) / ceilings["copy"]
    return {"of_copy": moved * 1e3 / ms, **({"of_matmul": model["counted"]["flops"] / rate * 1e3 / ms} if rate else {})}


def _number(row: dict[str, Any], key: str, form: str) -> str:
    return format(row[key], form) if row.get(key) is not None else "-"


def table(data: dict[str, Any]) -> str:
    device = data["device"]["devices"][0]
    lines = [f"{device['name']} ({device['architecture']}), target {data['target']}; {data['seconds']:.0f} s"]
    if data["target"] == "cuda-sim":
        lines.append("SIMULATED: the times below are of a CPU and mean nothing")
    checks = data["checks"]
    good = [check for check in checks if check.get("worst", 2) <= 1]
    lines.append(f"ops and families: {len(good)} of {len(checks)} agree, {sum('absent' in check for check in checks)} not compared; the nearest to its tolerance: "
                 + (max(good, key=lambda check: check["worst"])["name"] + f" ({max(check['worst'] for check in good):.2f})" if good else "-"))  # fmt: skip
    rates = data.get("ceilings", {})
    if "copy" in rates:
        lines.append("ceilings: " + ", ".join(f"{dtype} products {rate / 1e12:.3g} TFLOP/s" for dtype, rate in rates["matmul"].items()) + f", copy {rates['copy'] / 1e9:.4g} GB/s")
    lines += ["", f"{'model':12} {'peer':14} {'ms':>9} {'ratio':>6} {'peak MiB':>9} {'kernels':>8} {'of matmul':>9} {'of copy':>8} {'loss diff':>10} {'first s':>8}"]
    for name, model in data["models"].items():
        for peer, row in model["peers"].items():
            if "losses" not in row:
                lines.append(f"{name:12} {NAMES[peer]:14} {'left out: ' + row['absent'] if 'absent' in row else 'FAILED: ' + row['failed']}")
                continue
            lines.append(
                f"{name:12} {NAMES[peer]:14} {_number(row, 'ms', '.2f'):>9} {_number(row, 'ratio', '.2f'):>6} {_number(row, 'peak_mib', '.0f'):>9} {_number(row, 'kernels', 'd'):>8} "
                f"{_number(row, 'of_matmul', '.0%'):>9} {_number(row, 'of_copy', '.0%'):>8} {_number(row, 'difference', '.1e'):>10} {_number(row, 'first_s', '.1f'):>8}"
            )
    return "\n".join(lines)
