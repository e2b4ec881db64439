# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Helpers to compile and run steps in the form that raf-outline-kernels leaves, with kernels as plain loops."""

import json
import pathlib

import numpy as np
import pytest

core = pytest.importorskip("raf._core")

STEP = pathlib.Path(__file__).parents[2] / "passes/host/Inputs/mlp-step.mlir"
KERNELS = (
    "one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},"
    "drop-equivalent-buffer-results,func.func(convert-linalg-to-loops)"
)
LOWER = "lower-affine,convert-scf-to-cf,convert-to-llvm,reconcile-unrealized-casts"


def pipeline(plan="raf-plan-memory", host="raf-lower-host", inplace="raf-inplace,"):
    return f"builtin.module({inplace}raf-bufferize-host,{plan},{KERNELS},{host},{LOWER})"


CODEGEN = (
    "builtin.module(raf-inplace,raf-bufferize-host,raf-specialize-kernels,raf-plan-memory,raf-tile-kernels,canonicalize,cse,"
    "raf-approximate-math,canonicalize,cse,raf-lower-kernels,raf-lower-host)"
)


def options(**values):
    return json.dumps({"pipeline": pipeline(), **values})


class Step:
    """An executable with numpy arrays bound to it, by name."""

    def __init__(self, executable, values=None):
        self.executable = executable
        self.manifest = json.loads(executable.manifest)
        entries = self.manifest["args"] + [r for r in self.manifest["results"] if r["alias"] is None]
        self.arrays = {}
        for index, entry in enumerate(entries):
            array = np.zeros(entry["shape"], {"f32": np.float32, "f64": np.float64, "i64": np.int64}[entry["dtype"]])
            if values and entry["name"] in values:
                array[...] = values[entry["name"]]
            self.arrays[entry["name"]] = array
            executable.bind(index, array.ctypes.data)

    def run(self):
        self.executable.run()
