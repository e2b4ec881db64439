# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The optimizers' options. The maths is in the dialect: raf.sgd_update and raf.adam_update."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Union

from .._options import flag, real, strings
from ..errors import CompileError, suggest
from ..model import matching
from .schedules import Schedule, as_schedule

#: What stands for itself in the options of a pass: quoted parts, as in `p['w']`, may hold anything.
_AS_OPTION = re.compile(r"""(?:[^ ,{}'"]|'[^']*'|"[^"]*")+""")


#: A learning rate: a number, a schedule, or a function of the number of finished steps.
Rate = Union[float, Schedule, Callable[[int], float]]


class Optimizer:
    """What every optimizer has: a learning rate, which may be a schedule, and constants that are compiled into the step.

    The learning rate can be replaced at any time (`trainer.optimizer.lr = 1e-4`, or a schedule) and nothing is compiled again. `no_decay` are patterns
    (as of file names) of parameters that weight decay leaves alone, such as ("*.bias", "*norm*"). With `clip_norm` all gradients are multiplied by min(1, clip_norm / norm), where
    norm is the root of the sum of squares of all of them, before anything else is done with them.

    >>> optimizer = raf.optim.AdamW(raf.optim.Warmup(raf.optim.Cosine(3e-3, steps=100), steps=10), no_decay="b*")
    >>> trainer = raf.compile(raf.import_onnx("model.onnx"), loss="cross_entropy", optimizer=optimizer)
    >>> round(trainer.lr, 6)
    0.0003
    >>> trainer.lr = 1e-4
    """

    name: ClassVar[str]
    #: The constants that are True or False.
    flags: ClassVar[tuple[str, ...]] = ()

    def __init__(
        self, lr: Rate, no_decay: str | Sequence[str] = (), clip_norm: float | None = None, **constants: float | bool
    ) -> None:
        own = type(self).__name__
        self.constants = {key: (flag if key in self.flags else real)(f"{own}: {key}", value) for key, value in constants.items()}
        self.clip_norm = None if clip_norm is None else real(f"{own}: clip_norm", clip_norm)
        if self.clip_norm is not None and not (math.isfinite(self.clip_norm) and self.clip_norm > 0):
            raise CompileError(f"{own}: clip_norm must be finite and above 0, or None, got {clip_norm}")
        self.no_decay = tuple(strings(f"{own}: no_decay", no_decay))
        self.lr = lr
        for key, value in self.constants.items():
            if not math.isfinite(value) or value < 0:
                raise CompileError(f"{own}: {key} must be finite and not negative, got {value}")

    @property
    def lr(self) -> Schedule:
        """The learning rate as a schedule. Set it to a number, a schedule or a function of the number of finished steps; raises raf.CompileError for others."""
        return self._schedule

    @lr.setter
    def lr(self, value: Rate) -> None:
        self._schedule = as_schedule(value)

    @property
    def states(self) -> tuple[str, ...]:
        """What it keeps for each parameter, beside it, as raf-apply-optimizer names it."""
        raise NotImplementedError

    def pass_options(self, params: Iterable[str] = ()) -> str:
        """The options of the pass raf-apply-optimizer; `params` are the names among which `no_decay` chooses."""
        items = [f"optimizer={self.name}"]
        for key, value in self.constants.items():
            text = str(value).lower() if isinstance(value, bool) else repr(value)
            items.append(f"{key.replace('_', '-')}={text}")
        if self.clip_norm is not None:
            items.append(f"clip-norm={self.clip_norm!r}")
        if self.no_decay and self.constants.get("weight_decay"):
            items.append(f"no-decay={','.join(self._exempt(list(params)))}")
        return " ".join(items)

    def _exempt(self, params: Sequence[str]) -> list[str]:
        for pattern in self.no_decay:
            if not matching(params, pattern):
                raise CompileError(f"no_decay: no parameter matches {pattern!r}{suggest(pattern, params)}")
        names = [p for p in params if any(p in matching(params, pattern) for pattern in self.no_decay)]
        for name in names:
            if not _AS_OPTION.fullmatch(name):
                raise CompileError(f"no_decay: the parameter name {name!r} cannot be written as an option of a pass")
        return names

    def config(self) -> dict[str, Any]:
        """What a checkpoint notes, JSON. The schedule is for information: the run that resumes uses its own."""
        return {"optimizer": self.name, "constants": dict(self.constants), "no_decay": list(self.no_decay), "clip_norm": self.clip_norm, "lr": self.lr.config()}

    def __repr__(self) -> str:
        clip = {} if self.clip_norm is None else {"clip_norm": self.clip_norm}
        return f"{type(self).__name__}({', '.join([f'lr={self.lr}', *(f'{k}={v}' for k, v in {**self.constants, **clip}.items())])})"


class SGD(Optimizer):
    """Stochastic gradient descent: g' = g + weight_decay * p; v = momentum * v + g'; p -= lr * (g' + momentum * v if nesterov else v).

    With momentum 0 there is no velocity and the update is p -= lr * g'. Raises raf.CompileError for constants that are negative or not finite, and for nesterov
    without momentum.
    """

    name = "sgd"
    flags = ("nesterov",)

    @property
    def states(self) -> tuple[str, ...]:
        return ("velocity",) if self.constants["momentum"] else ()

    def __init__(
        self,
        lr: Rate = 0.01,
        *,
        momentum: float = 0.0,
        nesterov: bool = False,
        weight_decay: float = 0.0,
        no_decay: str | Sequence[str] = (),
        clip_norm: float | None = None,
    ) -> None:
        super().__init__(lr, no_decay, clip_norm, momentum=momentum, nesterov=nesterov, weight_decay=weight_decay)
        if self.constants["nesterov"] and self.constants["momentum"] == 0:
            raise CompileError("SGD: nesterov needs a momentum above 0")


class Adam(Optimizer):
    """Adam (Kingma and Ba, arXiv 1412.6980): m and v are running means of g and g^2 with decays beta1 and beta2, in [0, 1);
    p -= lr * (m / (1 - beta1^t)) / (sqrt(v / (1 - beta2^t)) + epsilon) at step t, counted from 1.

    `weight_decay`, 0 if not given, times p is added to the gradient (L2), as torch.optim.Adam does. Raises raf.CompileError for constants outside their range.
    """

    name = "adam"
    usual_decay: ClassVar[float] = 0.0

    @property
    def states(self) -> tuple[str, ...]:
        return ("m", "v")

    def __init__(
        self,
        lr: Rate = 1e-3,
        *,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        weight_decay: float | None = None,
        no_decay: str | Sequence[str] = (),
        clip_norm: float | None = None,
    ) -> None:
        decay = self.usual_decay if weight_decay is None else weight_decay
        super().__init__(lr, no_decay, clip_norm, beta1=beta1, beta2=beta2, epsilon=epsilon, weight_decay=decay)
        for key in ("beta1", "beta2"):
            if not self.constants[key] < 1:
                raise CompileError(f"{type(self).__name__}: {key} must be in [0, 1), got {self.constants[key]}")


class AdamW(Adam):
    """Adam with decoupled weight decay (Loshchilov and Hutter, arXiv 1711.05101): p *= 1 - lr * weight_decay beside Adam's update. `weight_decay` is 0.01 if
    not given; the rest is as for `Adam`."""

    name = "adamw"
    usual_decay = 0.01


_BY_NAME: dict[str, type[SGD | Adam]] = {"sgd": SGD, "adam": Adam, "adamw": AdamW}
NAMES = tuple(_BY_NAME)


def resolve(optimizer: str | Optimizer, lr: Rate | None = None) -> Optimizer:
    """An optimizer by name ("sgd", "adam", "adamw") or object."""
    if isinstance(optimizer, Optimizer):
        if lr is not None:
            optimizer.lr = lr
        return optimizer
    if isinstance(optimizer, str):
        cls = _BY_NAME.get(optimizer.lower())
        if cls is None:
            raise CompileError(f"unknown optimizer {optimizer!r}{suggest(optimizer.lower(), _BY_NAME)}")
        return cls() if lr is None else cls(lr)
    raise CompileError(f"optimizer: expected a name or a raf.optim optimizer, got {type(optimizer).__name__}")
