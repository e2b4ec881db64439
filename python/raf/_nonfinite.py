# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is said of a step whose loss or gradients were not finite."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from ._arrays import Array
from ._program import Input
from .amp import Policy
from .errors import NonFiniteLossError
from .losses import CrossEntropy, Loss
from .model import TensorSpec

_F16_MAX = float(np.finfo(np.float16).max)


def not_finite(inputs: Iterable[Input], amp: Policy | None) -> list[str]:
    """The inputs that hold NaN or infinity, or what is infinite in the 16-bit floats of mixed precision."""
    found = []
    for s in inputs:
        if s.array.dtype.kind in "biu":
            continue
        values = np.abs(s.array.astype(np.float32))
        if count := int(np.count_nonzero(~np.isfinite(values))):
            found.append(f"input {s.name!r} holds {count} values that are not finite")
        elif amp is not None and amp.type == "f16" and (count := int(np.count_nonzero(values > _F16_MAX))):
            found.append(f"input {s.name!r} holds {count} values beyond {_F16_MAX:g}, the largest number of f16, which may be why: scale the data, or take amp='bf16'")
    return found


def labels_outside(loss: Loss, output: TensorSpec, inputs: Sequence[Input]) -> list[str]:
    """What is wrong with labels, the last input, that name no class of the loss of this output."""
    if not isinstance(loss, CrossEntropy) or loss.dense or not output.dims:
        return []
    classes = output.dims[loss.class_axis % len(output.dims)]
    return loss.labels_outside(np.asarray(inputs[-1].array), classes) if isinstance(classes, int) else []


def describe(step: int, loss: Array, lr: float, bad: Sequence[str], names: Sequence[str]) -> NonFiniteLossError:
    """The error of that step; `bad` is what is wrong with the batch, and the parameters and buffers of these names were not finite before it."""
    found = "; ".join(bad) if bad else "the inputs of this batch are finite"
    rate = "" if math.isfinite(lr) else f", the learning rate {lr}"
    state = (
        f"{', '.join(names[:5])}{' and others' if len(names) > 5 else ''} were not finite before it (an earlier update overflowed): load the last checkpoint"
        if names
        else "parameters, optimizer state and step number are those before it"
    )
    what = f"the loss of step {step} is {float(loss)}" + (" but its gradients are not finite" if math.isfinite(loss) else "")
    return NonFiniteLossError(
        f"{what}{rate}: {found}; {state}. Try a smaller learning rate (now {lr:g}) or a warmup, look at the data, or compile with nan='skip' to drop such steps.",
        step,
        float(loss),
    )
