# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Optimizers and learning-rate schedules. The update rules are compiled into the step; the learning rate is an argument of it."""

from .optimizers import NAMES, SGD, Adam, AdamW, Optimizer, resolve
from .schedules import (
    SCHEDULES,
    Constant,
    Cosine,
    Exponential,
    Function,
    Linear,
    OneCycle,
    Schedule,
    Sequential,
    Step,
    Warmup,
    as_schedule,
    parse_schedule,
)

__all__ = [
    "NAMES",
    "SCHEDULES",
    "SGD",
    "Adam",
    "AdamW",
    "Constant",
    "Cosine",
    "Exponential",
    "Function",
    "Linear",
    "OneCycle",
    "Optimizer",
    "Schedule",
    "Sequential",
    "Step",
    "Warmup",
    "as_schedule",
    "parse_schedule",
    "resolve",
]
