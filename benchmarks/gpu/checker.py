# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The process that runs the programs of ops and families: python checker.py FOLDER TORCH_DEVICE KIND/NAME ... A line of JSON for each: {"name", "error" or "worst": distance over tolerance}.

It ends after the first error of the device, whose context does not come back; gpu_check.py starts another one for what is left."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from gpu import cases  # noqa: E402
from steps import find_raf  # noqa: E402


def distance(got: np.ndarray, expected: np.ndarray, tolerance: float) -> float:
    """The largest difference over what is allowed, which is relative to the value or to the largest value; infinite where one alone is not finite."""
    if got.shape != expected.shape:
        return float("inf")
    if expected.dtype.kind in "bi":
        return 0.0 if np.array_equal(got, expected) else float("inf")
    got, expected = got.astype(np.float64), expected.astype(np.float64)
    finite = np.isfinite(expected)
    if not np.array_equal(got[~finite], expected[~finite], equal_nan=True) or not np.isfinite(got[finite]).all():
        return float("inf")
    got, expected = got[finite], expected[finite]
    scale = np.abs(expected).max(initial=1.0)
    return float((np.abs(got - expected) / (tolerance * (scale + np.abs(expected)))).max(initial=0.0))


def op(path: Path, entry: dict[str, Any]) -> float:
    """All rows of an op against what the tests of execution expect."""
    import ml_dtypes
    import raf

    with np.load(path.with_suffix(".npz")) as file:
        arrays = {n: file[n].view(ml_dtypes.bfloat16) if n in entry["bf16"] else file[n] for n in file.files}
    program = raf.load_executable(path)
    results = program(*(arrays[f"given:{n}"] for n in program.inputs))
    results = results if isinstance(results, tuple) else (results,)
    return max(distance(got, arrays[f"expected:{n}"], entry["rtol"][n.partition("_")[0]]) for n, got in zip(program.output_names, results))


def family(path: Path, name: str, small: bool, device: str) -> float:
    """A program against PyTorch in f64."""
    import raf
    import torch

    case = cases.families(small)[name]
    given = [cases.operand(case.family, name, letter, shape) for letter, shape in case.operands.items()]
    results = raf.load_executable(path)(*given)
    results = results if isinstance(results, tuple) else (results,)
    expected = case.reference(*(torch.from_numpy(a).to(device).to(torch.float64 if a.dtype.kind == "f" else torch.int64) for a in given))
    expected = expected if isinstance(expected, tuple) else (expected,)
    return max(distance(got, wanted.cpu().numpy(), case.tolerance) for got, wanted in zip(results, expected, strict=True))


def main(folder: Path, device: str, names: list[str]) -> None:
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    find_raf()
    import raf

    check = json.loads((folder / "check.json").read_text())
    for which in names:
        kind, name = which.split("/")
        path = folder / kind / f"{name}.rafx"
        result: dict[str, Any] = {"name": which}
        try:
            result["worst"] = op(path, check["ops"][name]) if kind == "ops" else family(path, name, check["small"], device)
        except ImportError as error:
            result["absent"] = str(error)
        except (raf.Error, ValueError, RuntimeError) as error:
            result["error"] = f"{type(error).__name__}: {error}"
        print(json.dumps(result), file=answers, flush=True)
        if "error" in result:
            return


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3:])
