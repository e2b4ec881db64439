# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimization changes nothing but the order of sums: five steps of each model are those of level 0, where each op is a kernel of its own, nothing is
in place and no library is used. On another target too, they are those of the CPU."""

import functools

import numpy as np
import pytest
from execute import models

STEPS = 5
#: Of the losses.
LOSS = 1e-5


def tolerance(name, tensor):
    """Of the largest element. In models.DEEP that of states, and of what began at 0 and is nothing but updates, is wide: see there."""
    return 0.1 if name in models.DEEP and (tensor.startswith("state:") or tensor.endswith(".bias")) else 2e-5


@functools.cache
def reference(name, optimizer, steps=STEPS):
    """Of the CPU, whatever the target."""
    made = models.trainer(name, optimizer, opt_level=0, libraries=(), target="cpu")
    return models.run(made, steps, name), models.state(made)


@pytest.mark.parametrize("name", models.SMALL)
@pytest.mark.parametrize(
    ("optimizer", "opt_level", "libraries"),
    [("sgd", 2, ("dnnl",)), ("adamw", 1, ()), ("adamw", 2, ()), ("adamw", 2, ("dnnl",))],
    ids=["sgd-dnnl", "adamw-level1", "adamw-codegen", "adamw-dnnl"],
)
def test_steps(name, optimizer, opt_level, libraries):
    losses, expected = reference(name, optimizer)
    made = models.trainer(name, optimizer, opt_level, libraries)
    np.testing.assert_allclose(models.run(made, STEPS, name), losses, rtol=LOSS)
    actual = models.state(made)
    assert set(actual) == set(expected)
    wrong = []
    for tensor, value in expected.items():
        off = np.abs(actual[tensor] - value).max()
        if not off <= tolerance(name, tensor) * max(np.abs(value).max(), 1e-2):
            wrong.append(f"{tensor}: {off / np.abs(value).max():.3g} of the largest element {np.abs(value).max():.3g}")
    assert not wrong, "\n".join(wrong)


def test_device():
    """At level 0 of a device attention is products and a softmax, and sums are whole; only the gradients of tables are computed in another way than on the CPU."""
    name = "gpt"
    losses, expected = reference(name, "sgd", steps=2)
    made = models.trainer(name, "sgd", opt_level=0, libraries=(), target="cuda-sim", check=["bounds"])
    np.testing.assert_allclose(models.run(made, 2, name), losses, rtol=LOSS)
    actual = models.state(made)
    for tensor, value in expected.items():
        np.testing.assert_allclose(actual[tensor], value, rtol=0, atol=tolerance(name, tensor) * max(np.abs(value).max(), 1e-2), err_msg=tensor)
