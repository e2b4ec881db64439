# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf doctor."""

from __future__ import annotations

import importlib
import json as json_module
import os
import platform
import time
from importlib import metadata
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from .. import _cache
from ._common import output

_HELP = """Show what RAF finds on this machine, and what is missing.

[bold]Examples[/]

  raf doctor

  raf doctor --json
"""

_PACKAGES = ("numpy", "ml_dtypes", "onnx", "safetensors", "rich", "typer")
_OPTIONAL = {
    "scikit-learn": "raf train --example digits",
    "matplotlib": "pictures of a step's memory",
    "tensorboard": "TensorBoard logs",
    "onnxruntime": "comparing exported models",
    "jax": "JAX functions and StableHLO",
}


def doctor(json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    report = examine()
    if json:
        print(json_module.dumps(report))
        return
    console = output()
    sections = ("raf", "cpu", "cuda", "cuda-sim", "packages", "cache")
    width = max(len(name) for title in sections for name in report[title])
    for title in sections:
        table = Table.grid(padding=(0, 2))
        table.add_column(min_width=width + 2)
        for name, value in report[title].items():
            table.add_row(f"  {name}", _text(value))
        console.print(title, style="bold", highlight=False)
        console.print(table, highlight=False)
    if report["missing"]:
        console.print("missing", style="bold", highlight=False)
        for line in report["missing"]:
            console.print(f"  - {line}", markup=False, highlight=False)
    else:
        console.print("nothing is missing", style="bold", highlight=False)


def examine() -> dict[str, Any]:
    """What doctor shows, JSON; "missing" lists what a user could install or mend."""
    missing: list[str] = []
    return {
        "raf": _raf(missing),
        "cpu": _cpu(),
        "cuda": _cuda("cuda", missing),
        "cuda-sim": _cuda("cuda-sim", missing),
        "packages": _packages(missing),
        "cache": _cache_folder(missing),
        "missing": missing,
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return ", ".join(map(str, value)) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{k} {_text(v)}" for k, v in value.items())
    return "not found" if value is None else str(value)


def _raf(missing: list[str]) -> dict[str, Any]:
    from .. import __file__ as package
    from .. import __version__

    found: dict[str, Any] = {"version": __version__, "package": str(Path(package).parent), "python": platform.python_version(), "system": platform.platform()}
    for name, module in (("executables", "raf._core"), ("compiler", "raf._mlir.ir")):
        if name == "compiler" and found["executables"] and not importlib.import_module("raf._core").has_compiler:
            found[name] = "not in this build, which has only the runtime"
            return found
        try:
            importlib.import_module(module)
            found[name] = True
        except Exception as error:  # a broken library shows itself in many ways, and this command is there to say so
            found[name] = False
            missing.append(f"{module} cannot be loaded ({type(error).__name__}: {error}); reinstall raf-compiler")
    if found["compiler"] and found["executables"]:
        found["training step"] = _try_step(missing)
    return found


def _try_step(missing: list[str]) -> str:
    """Compiles and runs the smallest training step."""
    import numpy as np

    from .. import examples
    from ..compiler import compile
    from ..importers import import_onnx

    start = time.perf_counter()
    try:
        trainer = compile(import_onnx(examples.mlp((4, 4, 2))), loss="cross_entropy", optimizer="sgd", cache=False)
        trainer.step(np.ones((2, 4), np.float32), np.array([0, 1]))
    except Exception as error:  # whatever it is, it is what the user came here to see
        missing.append(f"a training step cannot be compiled and run ({type(error).__name__}: {error})")
        return "fails"
    return f"works, compiled and run in {time.perf_counter() - start:.2f} s"


def _cpu() -> dict[str, Any]:
    found: dict[str, Any] = {"machine": platform.machine(), "cores of this process": _cores()}
    try:
        info = json_module.loads(importlib.import_module("raf._core").info())
    except ImportError:
        return found  # reported under "raf"
    compiler, runtime = info["compiler"], info["runtime"]
    found["model"] = runtime.get("cpu")
    if compiler is not None:
        found["code is made for"] = compiler["cpu"]
        found["vector instructions"] = [f for f in compiler["features"] if f.startswith(("avx", "amx", "sse4", "fma", "f16c", "neon", "sve", "bf16", "dotprod"))]
    found["threads"] = runtime.get("threads")
    onednn = runtime.get("onednn")
    found["oneDNN"] = f"{onednn['version']}, {onednn['isa']}" if onednn else None
    found["LLVM"] = compiler.get("llvm_version") if compiler is not None else None
    for name in ("RAF_NUM_THREADS", "OMP_NUM_THREADS"):
        if name in os.environ:
            found[name] = os.environ[name]
    return found


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


def _cuda(driver: str, missing: list[str]) -> dict[str, Any]:
    """The driver, its devices and the libraries as the runtime finds them; libraries are missing only beside a device."""
    try:
        report = json_module.loads(importlib.import_module("raf._core").cuda_info(driver))
    except ImportError:
        return {"driver": None}  # reported under "raf"
    if report["driver"] is None:
        return {"driver": report["missing"][0].removeprefix(f"{driver}: ")}
    found: dict[str, Any] = {"driver": f"CUDA {report['driver']['version']}, {report['driver']['file']}"}
    found["devices"] = [f"{d['name']} ({d['architecture']}, {d['memory'] / 2**30:.3g} GiB, {d['multiprocessors']} multiprocessors)" for d in report["devices"]]
    for name, library in report["libraries"].items():
        found[name] = library and f"{library['version']}, {library['file']}"
    missing += [f"{driver}: {line}" for line in report["missing"]]
    return found


def _packages(missing: list[str]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name in (*_PACKAGES, *_OPTIONAL):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            found[name] = None
            missing.append(f"{name}: pip install {name}" + (f" (for {_OPTIONAL[name]})" if name in _OPTIONAL else ""))
    return found


def _cache_folder(missing: list[str]) -> dict[str, Any]:
    folder = _cache.folder()
    if folder is None:
        return {"folder": "off"}
    count, size = _cache.usage()
    where = next(p for p in (folder, *folder.parents) if os.path.exists(p))
    writable = os.access(where, os.W_OK)
    if not writable:
        missing.append(f"the cache folder {folder} cannot be written; RAF_CACHE_DIR names another")
    return {"folder": str(folder), "writable": writable, "executables": count, "bytes": size}


doctor.__doc__ = _HELP
