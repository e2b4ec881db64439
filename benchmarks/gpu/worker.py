# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process of one peer: python worker.py PEER NAME,NAME... FOLDER DEVICE STEPS SECONDS. It writes a JSON object for each model, on a line.

PEER is raf, torch-eager, torch-compile or jax; DEVICE is what PyTorch calls it (cuda, cpu). Losses of STEPS steps come first; then, if SECONDS is not 0, steps are timed. The loss of each
step is read, as a loop of training does, so that every step ends before the next begins."""

from __future__ import annotations

import itertools
import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gpu import cases  # noqa: E402
from steps import find_raf  # noqa: E402
from steps import workloads as W  # noqa: E402

SIZES = {"gpt": W.GPT, "bert": W.BERT, "resnet18": W.RESNET, "resnet50": W.RESNET50}


def raf_step(folder: Path, name: str, batches: list[W.Batch]) -> tuple[Callable[[], float], Callable[[], dict[str, Any]]]:
    find_raf()
    import raf

    step = raf.load_executable(folder / "models" / f"{name}.rafx")
    for values in (step.params, step.buffers):
        for key, array in values.items():
            array[...] = cases.weight(key, array.shape)
    turns = itertools.cycle(batches)
    executable = step._loaded.program.executable

    def run() -> float:
        inputs, labels = next(turns)
        return float(step.step(*inputs, labels))

    def seen() -> dict[str, Any]:
        from raf._device import device

        counts = executable.device_counts
        # Arguments and results are the device's; the arena and constants are the executable's, which has them as long as it lives.
        peak = device(step.manifest["program"]["target"]["device"]).memory["peak_bytes"] + executable.device_memory["peak_bytes"]
        kept = sum(step.memory.get(part, 0) for part in ("params", "states", "buffers", "inputs", "outputs"))
        return {"planned_mib": (kept + step.memory["arena_bytes"]) / 2**20, "peak_mib": peak / 2**20, "counts": counts}

    return run, seen


def torch_step(entry: dict[str, Any], mode: str, device: str, weights: dict[str, np.ndarray], batches: list[W.Batch]) -> tuple[Callable[[], float], Callable[[], dict[str, Any]]]:
    import torch
    from steps import torch_peer

    step = torch_peer.build(entry, mode, entry["amp"], weights, batches, os.cpu_count() or 1, device)

    def seen() -> dict[str, Any]:
        if device == "cpu":
            return {}
        from torch.profiler import ProfilerActivity, profile

        peak = torch.cuda.max_memory_allocated() / 2**20
        with profile(activities=[ProfilerActivity.CUDA]) as recorded:
            float(step())
        kernels = sum(event.count for event in recorded.key_averages() if not event.key.startswith(("Memcpy", "Memset")))
        return {"peak_mib": peak, "kernels": kernels}

    return lambda: float(step()), seen


def jax_step(entry: dict[str, Any], device: str, weights: dict[str, np.ndarray], batches: list[W.Batch]) -> tuple[Callable[[], float], Callable[[], dict[str, Any]]]:
    if device == "cpu":
        os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_PYTHON_CLIENT_PREALLOCATE"] = "false"
    import jax
    from steps import jax_peer

    found = jax.devices()[0]
    if device != "cpu" and found.platform != "gpu":
        raise ImportError(f"the JAX that is installed knows no GPU: it has {found.platform}")
    step = jax_peer.build(entry, "", entry["amp"], weights, batches, os.cpu_count() or 1)
    return lambda: float(step()), lambda: {"peak_mib": stats["peak_bytes_in_use"] / 2**20} if (stats := found.memory_stats()) else {}


def main(peer: str, name: str, folder: Path, device: str, steps: int, seconds: float) -> dict[str, Any]:
    check = json.loads((folder / "check.json").read_text())
    entry = check["models"][name]
    batches = cases.batches(cases.models(check["small"])[name])
    if entry["model"] in SIZES:
        SIZES[entry["model"]].update(entry["options"])
    weights = {} if peer == "raf" else {key: cases.weight(key, shape) for key, shape in entry["weights"].items()}
    began = time.perf_counter()
    try:
        if peer == "raf":
            step, seen = raf_step(folder, name, batches)
        elif peer == "jax":
            step, seen = jax_step(entry, device, weights, batches)
        else:
            step, seen = torch_step(entry, peer.partition("-")[2], device, weights, batches)
    except ImportError as error:
        return {"absent": str(error)}
    losses = [step()]
    first = time.perf_counter() - began
    # The first step is run call by call, later ones are graphs.
    launched = sum(seen()["counts"][part] for part in ("launches", "plans")) if peer == "raf" else None
    losses += [step() for _ in range(steps - 1)]
    result: dict[str, Any] = {"losses": losses, "first_s": first}
    if seconds:
        times: list[float] = []
        end = time.perf_counter() + seconds
        while len(times) < 5 or time.perf_counter() < end:
            begin = time.perf_counter()
            step()
            times.append((time.perf_counter() - begin) * 1e3)
        result |= {"ms": statistics.median(times), "min_ms": min(times), "timed": len(times)}
    result |= seen()
    if launched is not None:
        result["kernels"] = launched
    return result


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)  # what frameworks print is no answer
    for which in sys.argv[2].split(","):
        print(json.dumps(main(sys.argv[1], which, Path(sys.argv[3]), sys.argv[4], int(sys.argv[5]), float(sys.argv[6]))), file=answers)
