# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf.compile."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Any, overload

import numpy as np

from . import amp as precision
from . import losses, optim
from ._engine import AUTO, CompileOptions
from ._options import strings
from .errors import CompileError, suggest
from .losses import Loss
from .model import Model
from .optim import Optimizer, Schedule
from .predictor import Predictor
from .trainer import NAN_POLICIES, Trainer

#: Targets with the libraries that they have.
TARGETS = {"cpu": ("dnnl",), "cuda": ("cublas", "cudnn"), "cuda-sim": ("cublas", "cudnn")}
#: What kernels for target="cuda:CHIP" can be compiled for.
CHIPS = ("sm_80", "sm_86", "sm_89", "sm_90", "sm_90a", "sm_100", "sm_100a", "sm_120", "sm_120a")
DISPATCH = ("prefer", "measure")


@overload
def compile(model: Model, *, loss: str | Loss, optimizer: str | Optimizer, **options: Any) -> Trainer: ...
@overload
def compile(model: Model, *, loss: None = None, optimizer: None = None, **options: Any) -> Predictor: ...


def compile(
    model: Model,
    *,
    loss: str | Loss | None = None,
    optimizer: str | Optimizer | None = None,
    lr: float | Schedule | Callable[[int], float] | None = None,
    target: str = "cpu",
    amp: str | precision.Policy | None = None,
    memory_budget: int | str | None = "auto",
    outputs: Iterable[str | int] | str | int | None = None,
    seed: int = 0,
    threads: int | None = None,
    opt_level: int = 2,
    libraries: Sequence[str] | None = None,
    dispatch: str = "prefer",
    streams: int = 1,
    cache: bool = True,
    nan: str = "raise",
    frozen: str | Sequence[str] = (),
    free_batch: bool = False,
    lazy: bool = False,
    **extra: Any,
) -> Trainer | Predictor:
    """Compiles a model for training, or without loss and optimizer for prediction.

    model       from `raf.import_onnx`. Sizes that it leaves open are compiled for each value that is met.
    loss        "cross_entropy", "mse", "l1", "huber", "bce_with_logits", "output" (the model computes it), or a `raf.losses` object.
    optimizer   "sgd", "adam", "adamw", or a `raf.optim` object. `lr` replaces its learning rate: a number, a schedule, a function of the step.
    target      "cpu"; "cuda", the CUDA device of this machine; "cuda:sm_90" (or another chip), to compile for a device that need not be here; "cuda-sim", a simulated device that
                runs on the CPU, slowly, and reports accesses out of bounds, races and other faults of kernels ("cuda-sim:sm_90a": of those made for that chip). Parameters and states stay on the device: `params` and `buffers`
                are copies of them, which are uploaded before the next step.
    amp         mixed precision: "bf16", "f16" or a `raf.amp.Policy`. Parameters and their updates stay f32. None: the arithmetic is that of the model's types.
    memory_budget  what a training step may hold altogether (parameters, optimizer states, inputs, outputs, activations and workspaces), in bytes or as "2GiB". Values are
                computed again where that takes it, the same but for rounding; where nothing helps the error names the least budget that does. "auto": values are computed
                again where a percent of the step's modelled time saves more than a percent of the process's memory, up to 4 % of the time. None: nothing is computed again.
    outputs     names or numbers of the outputs that predictions return; all by default.
    seed        of dropout and of `fit`'s order of the samples.
    threads     of the compiled code, whatever others in the process use; by default RAF_NUM_THREADS or the physical cores.
    opt_level   0 (nothing fused, nothing in place: the reference), 1 or 2.
    libraries   which libraries' kernels may be used: all that the target has ("dnnl" on the CPU, "cublas" and "cudnn" on CUDA devices) if not given, or () for generated code alone.
    dispatch    "prefer": libraries take what they have good kernels for. "measure": each product and convolution is timed once, on operands that lie as they do in the step, as the library
                computes it and as generated code does, in several blocks where that comes near, and the fastest is taken; the times are kept on disk (RAF_CACHE_DIR).
    streams     of a device: over how many its independent operations are spread, 1 to 64. The memory of a step stays the same.
    cache       keep compiled programs on disk (RAF_CACHE_DIR).
    nan         what a loss that is not finite does: "raise" stops with raf.NonFiniteLossError, "skip" leaves the step out and goes on; with both the
                step changes no parameter, state or buffer. "skip" also leaves out steps with gradients that are not finite, for which all gradients
                are kept until the last one is known. "ignore" does not look.
    frozen      patterns (as of file names) of parameters that are not trained.
    free_batch  the first axis of every input may have any size, whatever the file says.
    lazy        compile the step when it is first needed, even if the model's shapes are all known.

    Raises raf.CompileError for options that are not known, and for modules that the compiler does not accept.

    >>> model = raf.import_onnx("model.onnx")  # x: float32[batch, 4] -> scores: float32[batch, 3]
    >>> trainer = raf.compile(model, loss="cross_entropy", optimizer=raf.optim.SGD(0.1, momentum=0.9), frozen="b*")
    >>> float(trainer.step(x[:32], y[:32])) > float(trainer.step(x[:32], y[:32]))
    True
    >>> raf.compile(model)(x[:8]).shape
    (8, 3)
    >>> raf.compile(model, loss="cros_entropy", optimizer="sgd")
    Traceback (most recent call last):
        ...
    raf.errors.CompileError: unknown loss 'cros_entropy'; did you mean 'cross_entropy'? Known: bce_with_logits, cross_entropy, huber, l1, mse, output.
    """
    if not isinstance(model, Model):
        raise CompileError(f"model: expected what raf.import_onnx returns, got {type(model).__name__}")
    name = str(target).partition(":")[0]
    allowed = libraries_of(target, libraries)
    if isinstance(opt_level, bool) or opt_level not in (0, 1, 2):
        raise CompileError(f"opt_level must be 0, 1 or 2, got {opt_level!r}")
    if not isinstance(nan, str) or nan not in NAN_POLICIES:
        raise CompileError(f"unknown nan policy {nan!r}{suggest(str(nan), NAN_POLICIES)}")
    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 1):
        raise CompileError(f"threads must be a positive integer or None, got {threads!r}")
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or not -(2**63) <= seed < 2**63:
        raise CompileError(f"seed must be an integer of 64 bits, got {seed!r}")
    patterns = strings("frozen", frozen)
    if not isinstance(dispatch, str) or dispatch not in DISPATCH:
        raise CompileError(f"unknown dispatch {dispatch!r}{suggest(str(dispatch), DISPATCH)}")
    budget = _bytes(memory_budget)
    if budget > 0 and opt_level == 0:
        raise CompileError("memory_budget needs opt_level 1 or 2: at level 0 no buffer is used twice")
    if budget > 0 and loss is None and optimizer is None:
        raise CompileError("memory_budget is for training: a prediction keeps nothing that could be computed again")
    policy = precision.resolve(amp)
    if name != "cpu" and dispatch == "measure":
        raise CompileError(f'dispatch="measure" is for the target "cpu", got the target {target!r}')
    if isinstance(streams, bool) or not isinstance(streams, int) or not 1 <= streams <= 64:
        raise CompileError(f"streams must be an integer from 1 to 64, got {streams!r}")
    if streams > 1 and name == "cpu":
        raise CompileError(f"streams={streams} is for targets with a device (cuda, cuda-sim), got the target {target!r}")
    extra = _extra(extra)
    if streams > 1:
        extra = {"streams": streams, **extra}
    options = CompileOptions(target, opt_level, allowed, threads, cache, extra, policy, dispatch, budget)
    if patterns:
        model = model.freeze(*patterns)
    if loss is None and optimizer is None:
        return Predictor(model, options, outputs=outputs, free_batch=free_batch)
    if loss is None or optimizer is None:
        missing = "loss" if loss is None else "optimizer"
        raise CompileError(f"training needs a loss and an optimizer; {missing} is missing (without both, raf.compile makes a predictor)")
    resolved = losses.resolve(loss), optim.resolve(optimizer, lr)
    return Trainer(model, *resolved, options, seed=int(seed), nan=nan, outputs=outputs, free_batch=free_batch, lazy=lazy)


def libraries_of(target: str, libraries: Sequence[str] | None) -> tuple[str, ...]:
    """The libraries that a target may use; raises CompileError for targets and libraries that are not known."""
    name, _, chip = str(target).partition(":")
    if name not in TARGETS or (chip and name == "cpu"):
        raise CompileError(f"unknown target {target!r}{suggest(str(target), [*TARGETS, 'cuda:sm_90'])}")
    if chip and chip not in CHIPS:
        raise CompileError(f"target {target!r}: unknown chip {chip!r}{suggest(chip, CHIPS)}")
    found = strings("libraries", TARGETS[name] if libraries is None else libraries)
    for library in found:
        if library not in TARGETS[name]:
            raise CompileError(f"unknown library {library!r} for the target {target!r}{suggest(str(library), TARGETS[name])}")
    return tuple(found)


_UNITS = {"": 1, "B": 1, **{f"{p}{b}": f ** (i + 1) for b, f in (("B", 1000), ("iB", 1024)) for i, p in enumerate("KMGT")}}


def _bytes(value: int | str | None) -> int:
    """A number of bytes from a number or a text such as "1.5GiB"; 0 for None or "none", AUTO for "auto"."""
    if value is None or value == "none":
        return 0
    if value == "auto":
        return AUTO
    if isinstance(value, str):
        match = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", value)
        unit = next((f for u, f in _UNITS.items() if match and u.lower() == match[2].lower()), None)
        value = int(Decimal(match[1]) * unit) if match and unit else value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not 0 < value < 2**63:
        raise CompileError(f'memory_budget must be a positive number of bytes, a text such as "512MiB" or "2GB", "auto" or "none", got {value!r}')
    return int(value)


def _extra(given: Mapping[str, Any]) -> dict[str, Any]:
    """Options of the pipeline: numbers of numpy as Python's, sequences as lists."""
    found = {}
    for name, value in given.items():
        value = value.item() if isinstance(value, np.generic) else value
        found[name] = value if isinstance(value, (bool, int, float, str)) else strings(name, value)
    return found
