# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ops of each kind of kernel on the simulated GPU, with every check, whatever the target of the run. All ops: pytest test/execute/test_ops.py --target=cuda-sim,
which took twelve minutes on two busy cores."""

import functools

import pytest

pytest.importorskip("jax")

from execute import harness, test_ops  # noqa: E402
from execute.test_ops import double_precision  # noqa: E402, F401  (a fixture)

#: Elementwise, reduced, contracted, transposed, by index, in loops on one thread, with random numbers, in place.
QUICK = ("add", "softmax", "matmul", "transpose", "gather", "scatter_add", "cumsum", "dynamic_update_slice", "dropout", "adam_update")


@pytest.mark.parametrize("op", QUICK)
def test_op(op, monkeypatch):
    monkeypatch.setattr(test_ops, "Program", functools.partial(harness.Program, target="cuda-sim"))
    test_ops.test_op(op, 2)
