# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Learning-rate schedules: pure functions of the number of steps done, so that a resumed run needs nothing but that number."""

from __future__ import annotations

import inspect
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any, cast

from .._options import real, whole
from ..errors import CompileError, RuntimeError, suggest


def _check(condition: bool, message: str) -> None:
    if not condition:
        raise CompileError(message)


class Schedule(ABC):
    """A learning rate for each step. `schedule(n)` is the rate of the step that follows `n` finished steps (n = 0 is the first step).

    >>> schedule = raf.optim.Step(0.1, every=30)
    >>> [round(schedule(n), 6) for n in (0, 29, 30, 60)]
    [0.1, 0.1, 0.01, 0.001]
    """

    def __post_init__(self) -> None:
        for field in fields(cast(Any, self)):
            if field.type in ("float", "int"):
                what, value = f"{type(self).__name__}: {field.name}", getattr(self, field.name)
                object.__setattr__(self, field.name, real(what, value) if field.type == "float" else whole(what, value))

    @abstractmethod
    def __call__(self, step: int) -> float: ...

    def config(self) -> dict[str, Any]:
        """What a checkpoint notes about the schedule, JSON."""
        values = {f.name: getattr(self, f.name) for f in fields(cast(Any, self))}
        return {"schedule": type(self).__name__, **{k: _jsonable(v) for k, v in values.items()}}


def _jsonable(value: Any) -> Any:
    if isinstance(value, Schedule):
        return value.config()
    if isinstance(value, (list, tuple)):
        return [_jsonable(v) for v in value]
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    return getattr(value, "__qualname__", type(value).__qualname__)


@dataclass(frozen=True)
class Constant(Schedule):
    """lr, always."""

    lr: float

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(math.isfinite(self.lr) and self.lr >= 0, f"lr must be finite and not negative, got {self.lr}")

    def __call__(self, step: int) -> float:
        return self.lr


@dataclass(frozen=True)
class Step(Schedule):
    """lr * gamma ** k, where k is the number of multiples of `every` passed, or of milestones if `every` is a sequence of step numbers."""

    lr: float
    every: int | Sequence[int]
    gamma: float = 0.1

    def __post_init__(self) -> None:
        super().__post_init__()
        milestones = isinstance(self.every, Iterable) and not isinstance(self.every, str)
        every = tuple(whole("Step: every", m) for m in cast(Sequence[int], self.every)) if milestones else whole("Step: every", self.every)
        object.__setattr__(self, "every", every)
        _check(milestones or cast(int, every) > 0, f"Step: every must be positive, got {self.every}")

    def __call__(self, step: int) -> float:
        if isinstance(self.every, int):
            return self.lr * self.gamma ** (step // self.every)
        return self.lr * self.gamma ** sum(step >= m for m in self.every)


@dataclass(frozen=True)
class Exponential(Schedule):
    """lr * gamma ** (step / every): a factor `gamma` each `every` steps, smoothly."""

    lr: float
    gamma: float
    every: int = 1

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.every > 0, f"Exponential: every must be positive, got {self.every}")

    def __call__(self, step: int) -> float:
        return float(self.lr * self.gamma ** (step / self.every))


@dataclass(frozen=True)
class Linear(Schedule):
    """From lr to end in a straight line over `steps` steps, then end."""

    lr: float
    end: float
    steps: int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.steps > 0, f"Linear: steps must be positive, got {self.steps}")

    def __call__(self, step: int) -> float:
        part = min(step / self.steps, 1.0)
        return self.lr + (self.end - self.lr) * part


@dataclass(frozen=True)
class Cosine(Schedule):
    """Half a cosine from lr down to end over `steps` steps, then end."""

    lr: float
    steps: int
    end: float = 0.0

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.steps > 0, f"Cosine: steps must be positive, got {self.steps}")

    def __call__(self, step: int) -> float:
        part = min(step / self.steps, 1.0)
        return self.end + (self.lr - self.end) * 0.5 * (1.0 + math.cos(math.pi * part))


@dataclass(frozen=True)
class OneCycle(Schedule):
    """Up from lr / start_divisor to lr over `warm` of the `steps`, then down to lr / end_divisor; both halves are cosines (Smith, arXiv 1708.07120)."""

    lr: float
    steps: int
    warm: float = 0.3
    start_divisor: float = 25.0
    end_divisor: float = 25e4

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.steps > 0, f"OneCycle: steps must be positive, got {self.steps}")
        _check(0.0 < self.warm < 1.0, f"OneCycle: warm must be between 0 and 1, got {self.warm}")

    def __call__(self, step: int) -> float:
        top = self.warm * self.steps
        if step < top:
            a, b, part = self.lr / self.start_divisor, self.lr, step / top
        else:
            a, b, part = self.lr, self.lr / self.end_divisor, min((step - top) / (self.steps - top), 1.0)
        return b + (a - b) * 0.5 * (1.0 + math.cos(math.pi * part))


@dataclass(frozen=True)
class Warmup(Schedule):
    """Multiplies another schedule (or rate) by (step + 1) / steps during the first `steps` steps. The other schedule sees the same step numbers."""

    then: Schedule | float
    steps: int

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(self.steps > 0, f"Warmup: steps must be positive, got {self.steps}")
        object.__setattr__(self, "then", as_schedule(self.then))

    def __call__(self, step: int) -> float:
        return cast(Schedule, self.then)(step) * min((step + 1) / self.steps, 1.0)


@dataclass(frozen=True)
class Sequential(Schedule):
    """Schedules one after another: (schedule, steps) pairs, each counted from its own 0; the last one goes on, whatever its number of steps."""

    parts: Sequence[tuple[Schedule | float, int]]

    def __post_init__(self) -> None:
        super().__post_init__()
        _check(len(self.parts) > 0, "Sequential: needs at least one (schedule, steps) pair")
        object.__setattr__(self, "parts", tuple((as_schedule(s), whole("Sequential: a number of steps", n)) for s, n in self.parts))

    def __call__(self, step: int) -> float:
        for schedule, length in self.parts[:-1]:
            if step < length:
                return cast(Schedule, schedule)(step)
            step -= length
        return cast(Schedule, self.parts[-1][0])(step)


@dataclass(frozen=True)
class Function(Schedule):
    """Any function from the number of steps done to a learning rate."""

    function: Callable[[int], float]

    def __call__(self, step: int) -> float:
        value = self.function(step)
        try:
            return float(value)
        except (TypeError, ValueError, OverflowError):
            raise RuntimeError(f"lr: expected a number from the function for step {step}, got {value!r}") from None


def as_schedule(lr: float | Schedule | Callable[[int], float]) -> Schedule:
    """A number, a schedule or a function of the step number as a schedule."""
    if isinstance(lr, Schedule):
        return lr
    if isinstance(lr, Real) and not isinstance(lr, bool):
        return Constant(real("lr", lr))
    if callable(lr):
        return Function(lr)
    raise CompileError(f"lr: expected a number, a raf.optim schedule or a function of the step number, got {type(lr).__name__}")


def from_config(config: Any) -> Schedule:
    """The schedule that `config()` describes. Raises raf.RuntimeError for what it does not describe: a function, or something damaged."""
    classes = {cls.__name__: cls for cls in (Constant, Step, Exponential, Linear, Cosine, OneCycle, Warmup, Sequential)}
    try:
        values = dict(config)
        cls = classes[values.pop("schedule")]
        if "then" in values:
            values["then"] = from_config(values["then"])
        if "parts" in values:
            values["parts"] = [(from_config(part), int(length)) for part, length in values["parts"]]
        schedule: Schedule = cls(**values)
        float(schedule(0))
        return schedule
    except (TypeError, KeyError, ValueError, AttributeError, ArithmeticError, RecursionError, CompileError) as error:
        raise RuntimeError(f"the learning rate {config!r} is not a schedule ({type(error).__name__}: {error})") from None


_BY_NAME: dict[str, Callable[..., Schedule]] = {
    "constant": Constant,
    "step": Step,
    "exponential": Exponential,
    "linear": Linear,
    "cosine": Cosine,
    "one-cycle": OneCycle,
}
SCHEDULES = tuple(_BY_NAME)


def parse_schedule(text: str, lr: float, total_steps: int) -> Schedule:
    """The schedule that a command line names: `NAME[:key=value,...]`, such as "cosine", "step:every=100,gamma=0.5" or "cosine:warmup=50".

    `lr` is the base rate. `steps` is `total_steps` unless given; `warmup=N` puts a linear warmup of N steps before any of them.
    """
    name, _, rest = text.partition(":")
    cls = _BY_NAME.get(name.replace("_", "-"))
    if cls is None:
        raise CompileError(f"unknown schedule {name!r}{suggest(name, _BY_NAME)}")
    known = [p for p in inspect.signature(cls).parameters if p != "lr"]
    values: dict[str, Any] = {}
    warmup = 0
    for item in filter(None, rest.split(",")):
        key, _, value = item.partition("=")
        try:
            number = float(value)
        except ValueError:
            raise CompileError(f"schedule {text!r}: {key} needs a number, as in {key}=10") from None
        if key == "warmup":
            warmup = int(number)
        elif key in known:
            values[key] = int(number) if key in ("steps", "every") else number
        else:
            raise CompileError(f"schedule {text!r}: unknown option {key!r}{suggest(key, [*known, 'warmup'])}")
    if "steps" in known:
        values.setdefault("steps", max(total_steps, 1))
    missing = [p for p in known if inspect.signature(cls).parameters[p].default is inspect.Parameter.empty and p not in values]
    if missing == ["end"]:
        values["end"] = 0.0
    elif missing:
        raise CompileError(f"schedule {text!r}: {', '.join(missing)} must be given, as in {name}:{missing[0]}=10")
    schedule: Schedule = cls(lr, **values)
    return Warmup(schedule, warmup) if warmup else schedule
