# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The forward numerics of every op: the rows of gradient_cases.py in f32 and bf16, and those of op_cases.py, at both ends of the optimization levels.

All rows of an op are one program, since compiling is what takes time."""

import re

import numpy as np
import pytest

jax = pytest.importorskip("jax")

with jax.enable_x64(True):
    from execute.gradient_cases import CASES
from execute.harness import DTYPES, TARGET, Program, close, type_of  # noqa: E402
from execute.op_cases import OP_CASES, OpCase  # noqa: E402

#: Ops that are no computation of the model: kernels, outlined regions and their calls are made by the compiler.
INTERNAL = {"kernel", "launch", "parallel_for", "yield", "for", "while", "case"}
#: Ops of programs that several devices run together; nothing compiles them for one.
COLLECTIVE = {"device_id", "all_reduce", "all_gather", "reduce_scatter", "all_to_all", "collective_permute", "collective_broadcast"}
LETTERS = "abcdef"


@pytest.fixture(scope="module", autouse=True)
def double_precision():
    """Here alone: other modules of a run compare in the precision that JAX has by default."""
    with jax.enable_x64(True):
        yield


def in_type(case, name, rtol):
    """A gradient row with its real operands in another type; the reference computes in f64 on the rounded operands."""
    dtype = DTYPES[name]
    operands = [o.astype(dtype) if o.dtype == np.float64 else o for o in case.operands]
    with np.errstate(all="ignore"):
        expected = np.asarray(case.reference(*(jax.numpy.asarray(o.astype(np.float64) if o.dtype == dtype else o) for o in operands))).astype(dtype)
    text = re.sub(r"\bxf64|(?<=<)f64|(?<=x)f64", lambda m: m.group().replace("f64", name), case.text)
    text = re.sub(r"\{y\}", "{y0}", re.sub(r"%y\b", "%y0", text))
    return OpCase(case.op, text, tuple(operands), (expected,), rtol)


def rows(op):
    result = [case for case in OP_CASES if case.op == op]
    for case in CASES:
        if case.op != op or case.reference is None or op == "cast" or (case.large and TARGET != "cpu"):
            continue
        result.append(in_type(case, "f32", 2e-5))
        # The learning rate is never of 16 bits.
        if op not in ("sgd_update", "adam_update"):
            result.append(in_type(case, "bf16", 3e-2))
    return result


def build(cases):
    """@main with all rows, the names of row i prefixed."""
    arguments, body, results, given = [], [], [], {}
    for i, case in enumerate(cases):
        types = {"w": "f64" if any(o.dtype == np.float64 for o in case.operands) else "f32"}
        for letter, operand in zip(LETTERS, case.operands):
            name = f"r{i}_{letter}"
            types[letter], given[name] = type_of(operand), operand
            arguments.append(f'%{name}: {types[letter]} {{raf.name = "{name}", raf.role = "input"}}')
        for k, expected in enumerate(case.results):
            types[f"y{k}"] = type_of(expected)
            results.append((f"r{i}_y{k}", types[f"y{k}"]))
        body.append("  " + re.sub(r"%(\w+)", rf"%r{i}_\1", case.text.format(**types)))
    signature = ", ".join(f'{kind} {{raf.name = "{name}"}}' for name, kind in results)
    returned = f"  return {', '.join(f'%{name}' for name, _ in results)} : {', '.join(kind for _, kind in results)}"
    return "\n".join([f"func.func @main({', '.join(arguments)}) -> ({signature}) {{", *body, returned, "}"]), given


OPS = sorted({case.op for case in (*CASES, *OP_CASES)})


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("op", OPS)
def test_op(op, opt_level):
    cases = rows(op)
    asm, given = build(cases)
    actual = Program(asm, opt_level=opt_level)(given)
    for i, case in enumerate(cases):
        for k, expected in enumerate(case.results):
            got, what = actual[f"r{i}_y{k}"], f"{case.text} at {[o.shape for o in case.operands]}, {expected.dtype}"
            assert got.dtype == expected.dtype and got.shape == expected.shape, what
            if expected.dtype.kind in "bi":
                np.testing.assert_array_equal(got, expected, err_msg=what)
            else:
                close(got.astype(np.float64), expected.astype(np.float64), max(case.rtol, 1e-12), what)


def test_every_op_has_a_row():
    from raf._mlir.dialects import _raf_ops_gen as ops

    names = {c.OPERATION_NAME.removeprefix("raf.") for c in vars(ops).values() if hasattr(c, "OPERATION_NAME")}
    assert set(OPS) == names - INTERNAL - COLLECTIVE
