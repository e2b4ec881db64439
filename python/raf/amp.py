# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Mixed precision: which ops compute in 16-bit floats, and how the loss is scaled for f16."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any

from .errors import CompileError, suggest

TYPES = ("bf16", "f16")
POLICIES = ("f32", "compute", "follow")
# What an option of a pass can hold without being taken apart.
_AS_OPTION = re.compile(r"[^\s,{}='\"]+")


class Policy:
    """Products of matrices and convolutions take 16-bit operands and sum in f32; parameters, optimizer state, losses, softmax and sums stay f32.

    `type` is "bf16" or "f16". `override` gives other policies by the name of an op ("raf.softmax") or of source nodes (patterns as of file names, "layer1.*"):
    "f32", "compute" (in the 16-bit type) or "follow" (the operands). Of several that match the last one counts.

    f16 has few exponents, so that the loss is multiplied by a scale: it begins with `initial_scale`, a power of two, is halved when a gradient overflows (that
    step changes nothing else) and doubled after `growth_interval` good steps. By default only f16 has one.

    With `keep_copies` the 16-bit copies of the parameters are not made at the start of a step but with the update before it, and kept: a step reads 4 bytes less a
    parameter, and 2 bytes a parameter are held between steps. Getting `trainer.params`, where one may write, makes every later step
    begin with its conversions again. On a device `trainer.on_device()` does, and `trainer.params`, copies there, only the next one.

    >>> policy = raf.amp.Policy("f16", override={"raf.relu": "f32"}, growth_interval=500)
    >>> trainer = raf.compile(raf.import_onnx("model.onnx"), loss="cross_entropy", optimizer="adamw", amp=policy)
    >>> loss = trainer.step(x[:32], y[:32])
    >>> trainer.loss_scale, trainer.skipped
    (65536.0, 0)
    """

    def __init__(
        self,
        type: str = "bf16",
        *,
        override: Mapping[str, str] | None = None,
        loss_scaling: bool | None = None,
        initial_scale: float = 65536.0,
        growth_interval: int = 2000,
        keep_copies: bool = False,
    ) -> None:
        if not isinstance(type, str) or type not in TYPES:
            raise CompileError(f"amp: unknown type {type!r}{suggest(str(type), TYPES)}")
        if override is not None and not isinstance(override, Mapping):
            raise CompileError(f"amp: override must be a dict of names to policies, got {override!r}")
        for pattern, policy in (override or {}).items():
            if not isinstance(pattern, str) or not _AS_OPTION.fullmatch(pattern):
                raise CompileError(f"amp: override {pattern!r} is no name; quotes, blanks, commas, braces and '=' may be matched by '?'")
            if policy not in POLICIES:
                raise CompileError(f"amp: override of {pattern!r}: unknown policy {policy!r}{suggest(str(policy), POLICIES)}")
        scales = isinstance(initial_scale, (int, float)) and not isinstance(initial_scale, bool) and math.isfinite(initial_scale)
        if not scales or not 1 <= initial_scale <= 2**24 or math.frexp(initial_scale)[0] != 0.5:
            raise CompileError(f"amp: initial_scale must be a power of two from 1 to 2**24, got {initial_scale!r}")
        if not isinstance(growth_interval, int) or isinstance(growth_interval, bool) or not 1 <= growth_interval < 2**31:
            raise CompileError(f"amp: growth_interval must be an integer of at least 1, got {growth_interval!r}")
        if not isinstance(keep_copies, bool):
            raise CompileError(f"amp: keep_copies must be True or False, got {keep_copies!r}")
        self.type = type
        self.keep_copies = keep_copies
        self.override = dict(override or {})
        self.loss_scaling = type == "f16" if loss_scaling is None else bool(loss_scaling)
        self.initial_scale = float(initial_scale)
        self.growth_interval = growth_interval

    def __repr__(self) -> str:
        return f"Policy({self.type!r}" + (f", override={self.override}" if self.override else "") + ")"

    def passes(self, training: bool = True) -> list[str]:
        """The passes that convert a program. Simplified first: conversions are placed where they are fewest. An override may name what only a training step has."""
        items = [f"type={self.type}"]
        if self.override:
            items.append("override=" + ",".join(f"{pattern}={policy}" for pattern, policy in self.override.items()))
            if not training:
                items.append("check-overrides=false")
        return ["canonicalize", "cse", "raf-simplify", "canonicalize", "cse", f"raf-auto-cast{{{' '.join(items)}}}"]


def resolve(amp: Any) -> Policy | None:
    """A policy by name ("bf16", "f16"), as an object, or None."""
    if amp is None or isinstance(amp, Policy):
        return amp
    if isinstance(amp, str):
        return Policy(amp)
    raise CompileError(f"amp: expected 'bf16', 'f16', a raf.amp.Policy or None, got {amp!r}")
