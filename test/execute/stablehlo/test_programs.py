# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every program of programs/ gives what JAX gave, and so do its gradients (generate.py). Needs no JAX."""

import pathlib
import re

import numpy as np
import pytest
import raf
from raf.testing import assert_close

HERE = pathlib.Path(__file__).parent
PROGRAMS = {}
for file in sorted((HERE / "programs").glob("*.mlir")):
    parts = re.split(r"^// ----- (\S+)\n", file.read_text(), flags=re.M)[1:]
    PROGRAMS.update({f"{file.stem}/{name}": text for name, text in zip(parts[::2], parts[1::2])})

_LOADED = {}


def arrays(name, kind):
    family, program = name.split("/")
    if family not in _LOADED:
        _LOADED[family] = dict(np.load(HERE / "programs" / f"{family}.npz"))
    found = {k.removeprefix(f"{program}/{kind}"): v for k, v in _LOADED[family].items() if k.startswith(f"{program}/{kind}")}
    return {int(k): v for k, v in found.items() if k.isdigit()}


def typed(array, dtype):
    """bfloat16 is stored as its bits."""
    return array.view(dtype) if dtype.name == "bfloat16" else array


def tolerance(text):
    """The least exact type that the program computes in."""
    return next((name for element, name in (("bf16", "bfloat16"), ("f16", "float16"), ("f32", "float32")) if f"x{element}>" in text or f"<{element}>" in text), "float64")


def check(name, gradient):
    """Results alone, or with the gradients: one compilation gives both."""
    model = raf.import_stablehlo(PROGRAMS[name])
    leaves = [t.leaves[0] for t in model.signature.arguments]
    inputs = [typed(a, leaves[k].dtype) for k, a in sorted(arrays(name, "in").items())]
    outputs = {k: typed(a, np.dtype(model.outputs[k].dtype)) for k, a in arrays(name, "out").items()}
    least = tolerance(PROGRAMS[name])
    pulled = {}
    if gradient:
        gradients = {k: typed(a, leaves[k].dtype) for k, a in arrays(name, "grad").items()}
        cotangents = arrays(name, "ct")
        given = [typed(cotangents[k], a.dtype) if k in cotangents else np.zeros(a.shape, a.dtype) for k, a in sorted(outputs.items())]
        product = raf.vjp(model, sorted(gradients), opt_level=1, cache=False)
        found, pulled = product(*inputs, cotangent=given[0] if len(given) == 1 else tuple(given))
    else:
        gradients = {}
        found = raf.compile(model, opt_level=1, cache=False)(*inputs)
    found = found if isinstance(found, tuple) else (found,)
    for k, expected in outputs.items():
        assert_close(found[k], expected, least, f"result {k}")
    for (k, expected), actual in zip(sorted(gradients.items()), pulled):
        assert_close(actual, expected, least, f"gradient of argument {k}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_equals_jax(name):
    check(name, gradient=bool(arrays(name, "grad")))


def test_there_are_many():
    assert len(PROGRAMS) >= 200
