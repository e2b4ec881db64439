# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a checkpoint says beside its tensors, and whether both are of the model that is to go on from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from . import checkpoint
from ._arrays import Array
from .errors import RuntimeError

#: States of the precision, not of the model or its optimizer: a training may go on with another.
SCALING = ("state:loss_scale", "state:good_steps")
#: A state has fewer steps: the numbers of those that follow have 64 bits too.
STEPS = 2**62


@dataclass(frozen=True)
class Notes:
    """The metadata of a state."""

    step: int
    seed: int
    skipped: int
    progress: dict[str, Any]
    optimizer: dict[str, Any]
    fingerprint: Any


def notes(metadata: Mapping[str, Any]) -> Notes:
    """Raises raf.RuntimeError for metadata without step and seed, and for values that no training has."""
    try:
        found = Notes(
            int(metadata["step"]),
            int(metadata["seed"]),
            int(metadata.get("skipped", 0)),
            dict(metadata.get("progress") or {}),
            dict(metadata.get("optimizer") or {}),
            metadata.get("fingerprint"),
        )
        if not (0 <= found.step < STEPS and -(2**63) <= found.seed < 2**63 and 0 <= found.skipped < STEPS):
            raise ValueError(f"step {found.step}, seed {found.seed} or {found.skipped} skipped steps are out of range")
    except (AttributeError, KeyError, TypeError, ValueError, OverflowError) as error:
        raise RuntimeError(f"the state's metadata is damaged ({type(error).__name__}: {error})") from None
    return found


def has_not_begun(tensors: Mapping[str, Array], found: Notes) -> bool:
    """Whether a state is of a training before its first step, which need not say what the optimizer's states are: zeros."""
    return found.step == 0 and not any(name.startswith("state:") for name in tensors)


def differences(expected: Mapping[str, Array], tensors: Mapping[str, Array], found: Notes, fingerprint: str) -> list[str]:
    """How a state differs from that of a model, a line each. States of the scale of the loss may be missing, or be there for nothing."""
    expected, tensors = ({n: a for n, a in of.items() if n not in SCALING or n in other} for of, other in ((expected, tensors), (tensors, expected)))
    lines = checkpoint.differences(expected, tensors)
    if not lines and found.fingerprint not in (None, fingerprint):
        lines.append("the parameters have the same names and shapes, but the graph of the model is another")
    return lines


def other_optimizer(mine: Any, found: Notes) -> list[str]:
    """A line if the state is of another optimizer."""
    theirs = found.optimizer.get("optimizer")
    return [f"the optimizer is {mine} here, {theirs} in the checkpoint"] if theirs not in (None, mine) else []


def without_program(tensors: Mapping[str, Array], kinds: Iterable[str], shapes: Mapping[str, tuple[int, ...]]) -> Iterable[str]:
    """How the states differ from those of an optimizer that keeps these kinds for parameters of these shapes, where no program says which there are: a state is named after its parameter and has
    its shape."""
    expected = {f"state:{kind}:{name}": shape for kind in kinds for name, shape in shapes.items()}
    yield from (f"{name} {list(shape)} is missing in the checkpoint" for name, shape in expected.items() if name not in tensors)
    for name, array in tensors.items():
        kind, _, own = name.partition(":")
        if kind == "state" and array.shape != (() if name in SCALING else expected.get(name)):
            known = name not in SCALING and shapes.get(own.partition(":")[2]) == array.shape
            yield f"{name} {array.dtype}{list(array.shape)} {'is no state of the optimizer' if known else 'belongs to no parameter'}"
