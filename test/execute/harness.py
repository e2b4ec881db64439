# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs modules: from text through named passes and the pipeline of the target (pytest --target) to arrays."""

import json
import os

import ml_dtypes
import numpy as np
import pytest
import raf
from raf._device import _free, device

core = pytest.importorskip("raf._core")
try:
    core.run_pipeline("module {}", "builtin.module(raf-cpu)")
except raf.CompileError as error:
    if "raf-cpu" in str(error) and "registered" in str(error):
        pytest.skip("this build has no pipeline raf-cpu", allow_module_level=True)

#: Where programs run.
TARGET = os.environ.get("RAF_TEST_TARGET", "cpu")
#: The pipeline's options for it.
PIPELINES = {"cpu": {"pipeline": "raf-cpu"}, "cuda-sim": {"pipeline": "raf-cuda", "chip": "sim"}}
PIPELINES["cuda-sim:sm_90a"] = {**PIPELINES["cuda-sim"], "simulate": "sm_90a"}
PIPELINE = PIPELINES[TARGET]
TYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32", "bool": "i1"}
DTYPES = {**{n: np.dtype(n) for n in TYPES if n != "bfloat16"}, "bfloat16": np.dtype(ml_dtypes.bfloat16)}
DTYPES |= {short: DTYPES[name] for name, short in TYPES.items()}


def type_of(array):
    """The tensor type of an array."""
    return f"tensor<{''.join(f'{d}x' for d in array.shape)}{TYPES[array.dtype.name]}>"


class Program:
    """@main of a module, after passes on its text, compiled for the target. Called with arrays by name, it gives arrays by name."""

    def __init__(self, asm, passes=(), target=TARGET, **options):
        self.target = target
        if target != "cpu" and options.get("libraries"):
            options["libraries"] = ["cublas", "cudnn"]  # those of the target in place of the CPU's
        module = core.run_pipeline(asm, f"builtin.module({','.join(passes)})") if passes else asm
        self.executable = core.Executable.compile(module, json.dumps({**PIPELINES[target], "opt_level": 2, "libraries": [], **options}))
        self.manifest = json.loads(self.executable.manifest)

    def __call__(self, given):
        arguments = []
        for described in self.manifest["args"]:
            array = np.asarray(given[described["name"]])
            assert array.shape == tuple(described["shape"]) and array.dtype == DTYPES[described["dtype"]], described
            arguments.append(np.array(array, order="C"))  # donated arguments are written to
        results, buffers = {}, []
        for described in self.manifest["results"]:
            alias = described.get("alias")
            if alias is not None and alias >= 0:
                results[described["name"]] = arguments[alias]
                continue
            results[described["name"]] = np.empty(described["shape"], DTYPES[described["dtype"]])
            buffers.append(results[described["name"]])
        run = self._run_here if self.target == "cpu" else self._run_on_device
        run([*arguments, *buffers])
        return results

    def _run_here(self, arrays):
        for position, array in enumerate(arrays):
            self.executable.bind(position, array.ctypes.data)
        self.executable.run()

    def _run_on_device(self, arrays):
        here = device("cuda-sim")
        places = [here.alloc(max(array.nbytes, 1)) for array in arrays]
        try:
            for position, (place, array) in enumerate(zip(places, arrays)):
                self.executable.bind(position, place)
                if position < len(self.manifest["args"]):
                    self.executable.upload(place, array.ctypes.data, array.nbytes)
            self.executable.run()
            for place, array in zip(places, arrays):
                self.executable.download(array.ctypes.data, place, array.nbytes)
        finally:
            for place in places:
                _free(here, place)


def close(actual, expected, rtol, what=""):
    """Within rtol of the value or of the largest value."""
    expected = np.asarray(expected)
    scale = np.abs(expected[np.isfinite(expected)]).max(initial=1.0)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=rtol * scale, err_msg=what)
