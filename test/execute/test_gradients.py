# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every differentiable op, compiled and run in f64: values and gradients against JAX and against finite differences, first and second order."""

import dataclasses
import os
import subprocess
import sys

import numpy as np
import pytest

jax = pytest.importorskip("jax")

with jax.enable_x64(True):
    from execute.gradient_cases import CASES, digest
from execute.harness import DTYPES, TYPES, Program, close, type_of  # noqa: E402

#: Ops without a derivative: their results are integers or truth values, constant, or belong to later phases.
# Collectives are differentiated in test/passes/autodiff/Collective.mlir: one process cannot run more than one member.
COLLECTIVES = {"all_gather", "all_reduce", "all_to_all", "collective_broadcast", "collective_permute", "reduce_scatter"}
NO_DERIVATIVE = COLLECTIVES | {
    "and", "arg_reduce", "bitcast", "case", "compare", "constant", "count_leading_zeros", "device_id", "div_unsigned", "for", "iota", "is_nan", "kernel", "launch", "not", "or",
    "parallel_for", "popcount", "random_uniform", "rem_unsigned", "shift_left", "shift_right_arithmetic", "shift_right_logical", "stop_gradient", "threefry", "while", "xor", "yield"}
STEP = 1e-6


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    """Here alone: other modules of a run compare in the precision that JAX has by default."""
    with jax.enable_x64(True):
        yield


def params(cases):
    """For pytest: what is too large for the simulated device runs on the CPU alone."""
    return [pytest.param(case, marks=pytest.mark.cpu_only("takes minutes there")) if case.large else case for case in cases]


def is_real(array):
    return array.dtype == np.float64


class Function:
    """A case compiled: `y` and its gradients with respect to the real operands, for a cotangent of y; if `second`, also the gradients of the first of
    those gradients."""

    def __init__(self, case, y_like, second=False, real=np.float64):
        names = "abcdef"[:len(case.operands)]
        self.real = [n for n, a in zip(names, case.operands) if a.dtype == real]
        types = {n: type_of(a) for n, a in zip(names, case.operands)} | {"y": type_of(y_like), "w": "f64" if real == np.float64 else "f32"}
        arguments = ", ".join(f'%{n}: {types[n]} {{raf.name = "{n}", raf.role = "input"}}' for n in names)
        asm = f'func.func @main({arguments}) -> ({types["y"]} {{raf.name = "y"}}) {{\n  {case.text.format(**types)}\n  return %y : {types["y"]}\n}}\n'
        wrt = ",".join(self.real)
        passes = [f"raf-autodiff{{of=y wrt={wrt}}}"]
        if second:
            passes.append(f"raf-autodiff{{of=grad:y:{self.real[0]} wrt={wrt}}}")
        self.program = Program(asm, passes)

    def __call__(self, operands, cotangents):
        return self.program(dict(zip("abcdef", operands)) | cotangents)


def like_result(case):
    """An array of the result's shape."""
    if case.reference is None:
        return np.empty(case.shape)
    return np.empty(jax.eval_shape(case.reference, *case.operands).shape)


def reference_of_reals(case):
    """The reference as a function of the real operands alone, and those."""
    places = [k for k, a in enumerate(case.operands) if is_real(a)]

    def function(*reals):
        operands = list(case.operands)
        for k, value in zip(places, reals):
            operands[k] = value
        return case.reference(*operands)

    return function, [case.operands[k] for k in places]


@pytest.mark.parametrize("case", params(CASES), ids=str)
def test_gradient(case):
    rng = np.random.default_rng(3)
    y_like = like_result(case)
    function = Function(case, y_like)
    cotangent = np.ones(y_like.shape) if y_like.size == 1 else rng.standard_normal(y_like.shape)
    given = {"cotangent:y": cotangent}
    results = function(case.operands, given)

    if case.reference is not None:
        reference, reals = reference_of_reals(case)
        y, pullback = jax.vjp(reference, *reals)
        close(results["y"], y, 1e-10, "value")
        for name, expected in zip(function.real, pullback(cotangent)):
            close(results[f"grad:y:{name}"], expected, 1e-9, f"gradient of {name} against JAX")
    if not case.smooth:
        return
    for name, operand in zip("abcdef", case.operands):
        if not is_real(operand):
            continue
        direction = rng.standard_normal(operand.shape)
        ends = [function([o + s * STEP * direction if n == name else o for n, o in zip("abcdef", case.operands)], given)["y"] for s in (1, -1)]
        numeric = np.sum((ends[0] - ends[1]) * cotangent) / (2 * STEP)
        close(np.sum(results[f"grad:y:{name}"] * direction), numeric, 2e-7 * max(1.0, operand.size**0.5), f"gradient of {name} against finite differences")


def second_order_cases():
    """Of each op and label the first: shapes matter less here."""
    seen = {}
    for case in CASES:
        if case.reference is not None and case.smooth:
            seen.setdefault((case.op, case.label), case)
    return list(seen.values())


@pytest.mark.parametrize("case", params(second_order_cases()), ids=str)
def test_second_order(case):
    rng = np.random.default_rng(5)
    y_like = like_result(case)
    function = Function(case, y_like, second=True)
    reference, reals = reference_of_reals(case)
    cotangent = np.ones(y_like.shape) if y_like.size == 1 else rng.standard_normal(y_like.shape)
    direction = np.ones(reals[0].shape) if reals[0].size == 1 else rng.standard_normal(reals[0].shape)
    first = function.real[0]
    results = function(case.operands, {"cotangent:y": cotangent, f"cotangent:grad:y:{first}": direction})

    def slope(*operands):
        return jax.vjp(reference, *operands)[1](cotangent)[0]

    for name, expected in zip(function.real, jax.vjp(slope, *reals)[1](direction)):
        close(results[f"grad:grad:y:{first}:{name}"], expected, 1e-8, f"second derivative by {first} and {name}")


def first_cases():
    """The first case of each op that has a reference and no operands of a fixed type."""
    seen = {}
    for case in CASES:
        if case.reference is not None and case.op not in ("cast", "sgd_update", "adam_update"):
            seen.setdefault(case.op, case)
    return list(seen.values())


@pytest.mark.parametrize("dtype", ["bfloat16", pytest.param("float16", marks=pytest.mark.slow)])
@pytest.mark.parametrize("case", first_cases(), ids=str)
def test_16_bit_gradient(case, dtype):
    """Formulas are computed in f32 and rounded at the end: few roundings, so little error against f64 at the rounded operands."""
    half = DTYPES[dtype]
    operands = tuple(a.astype(half) if is_real(a) else a for a in case.operands)
    exact = dataclasses.replace(case, operands=tuple(a.astype(np.float64) if a.dtype == half else a for a in operands))
    reference, reals = reference_of_reals(exact)
    y, pullback = jax.vjp(reference, *reals)
    cotangent = (np.ones(y.shape) if y.size == 1 else np.random.default_rng(3).standard_normal(y.shape)).astype(half)
    text = case.text.replace("f64>", TYPES[dtype] + ">")
    function = Function(dataclasses.replace(case, operands=operands, text=text), np.empty(y.shape, half), real=half)
    results = function(operands, {"cotangent:y": cotangent})
    for name, expected in zip(function.real, pullback(cotangent.astype(np.float64))):
        close(results[f"grad:y:{name}"].astype(np.float64), expected, 0.015 if dtype == "bfloat16" else 0.002, f"gradient of {name}")


def test_every_differentiable_op_has_a_row():
    from raf._mlir.dialects import _raf_ops_gen as ops

    names = {c.OPERATION_NAME.removeprefix("raf.") for c in vars(ops).values() if hasattr(c, "OPERATION_NAME")}
    rows = {case.op for case in CASES}
    assert names - NO_DERIVATIVE - rows == set(), "ops without a row in gradient_cases.py"
    assert rows <= names - NO_DERIVATIVE


@pytest.mark.cpu_only("compares with the rows of the device")
def test_the_rows_are_the_same_for_every_target():
    env = {**os.environ, "RAF_TEST_TARGET": "cuda-sim", "JAX_ENABLE_X64": "1", "PYTHONPATH": os.pathsep.join(sys.path)}
    there = subprocess.run([sys.executable, "-c", "from execute.gradient_cases import digest; print(digest())"], env=env, capture_output=True, text=True, check=True).stdout
    assert there.strip() == digest()
