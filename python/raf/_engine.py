# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a forward module to a loaded executable: the passes of a step, the options, the cache."""

from __future__ import annotations

import dataclasses
import hashlib
import importlib
import json
import shlex
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from . import _cache, _measure
from .amp import Policy
from .errors import CompileError
from .losses import Loss
from .optim import Optimizer


#: The budget of memory that is chosen for each step, and what it may add to the step's time.
AUTO, SLACK_PERCENT = -1, 4


class Executable(Protocol):
    """raf._core.Executable, as far as Python uses it."""

    manifest: str
    objects: list[bytes]
    images: list[tuple[str, bytes]]
    runs: int

    def serialize(self) -> bytes: ...
    def bind(self, index: int, address: int) -> None: ...
    def run(self) -> None: ...


@dataclass(frozen=True)
class CompileOptions:
    """What decides the code of an executable, besides the module."""

    target: str = "cpu"
    opt_level: int = 2
    libraries: tuple[str, ...] = ("dnnl",)
    threads: int | None = None
    cache: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)
    #: Mixed precision: passes on the module before the pipeline.
    amp: Policy | None = None
    #: How to choose between libraries and generated code: "prefer" what is known to be good, or "measure".
    dispatch: str = "prefer"
    #: Bytes that a training step may hold altogether; 0: any number; AUTO: less than that where it costs next to nothing.
    memory_budget: int = 0

    @property
    def device(self) -> str | None:
        """The driver of the device that it is for: "cuda" or "cuda-sim"; None for the CPU."""
        name = self.target.partition(":")[0]
        return None if name == "cpu" else name

    @property
    def may_store(self) -> bool:
        """Whether programs may keep parameters in blocks of a library (raf-store-layouts)."""
        return self.device is None and self.opt_level > 0 and "dnnl" in self.libraries

    def storing(self, like: Sequence[str] = ()) -> CompileOptions:
        """For a program that may keep its parameters so; with `like` as another does (layouts of raf-store-layouts)."""
        return dataclasses.replace(self, extra={"store_layouts": True, **({"stored_as": list(like)} if like else {}), **self.extra})

    @property
    def pipeline(self) -> str:
        """The name of the pipeline."""
        return "raf-cpu" if self.device is None else "raf-cuda"

    def json(self) -> str:
        """The options of raf._core.Executable.compile."""
        values: dict[str, Any] = {"pipeline": self.pipeline, **self._of_pipeline()}
        if self.threads is not None:
            values["num_threads"] = self.threads
        return json.dumps(values, sort_keys=True)

    def with_hooks(self) -> CompileOptions:
        """For the same program with the runtime's clocks around its ops."""
        return dataclasses.replace(self, extra={**self.extra, "profile": True})

    def of_step(self) -> CompileOptions:
        """For a training step, which the budget of memory is for."""
        if self.memory_budget == 0:
            return self
        limit = {"memory_slack": SLACK_PERCENT} if self.memory_budget == AUTO else {"memory_budget": self.memory_budget}
        return dataclasses.replace(self, extra={**limit, **self.extra})

    def _of_pipeline(self) -> dict[str, Any]:
        # The pipeline uses no library unless told; an empty list cannot be written as an option.
        chip = {} if self.device is None else self._chip()
        return {"opt_level": self.opt_level, **({"libraries": list(self.libraries)} if self.libraries else {}), **chip, **self.extra}

    def _chip(self) -> dict[str, str]:
        """What the kernels are compiled for: as the target says, or what is in this machine. The simulated device runs those of the chip that is named."""
        driver, _, chip = self.target.partition(":")
        if driver == "cuda-sim":
            return {"chip": "sim", **({"simulate": chip} if chip else {})}
        return {"chip": chip or _chip_here()}

    def pass_pipeline(self) -> str:
        """What raf-opt takes to run the same passes."""
        items = []
        for key, value in sorted(self._of_pipeline().items()):
            text = ",".join(map(str, value)) if isinstance(value, list) else str(value).lower() if isinstance(value, bool) else str(value)
            items.append(f"{key.replace('_', '-')}={text}")
        return f"builtin.module({self.pipeline}{{{' '.join(items)}}})"


def _chip_here() -> str:
    """What to compile for on this machine's first CUDA device: the last of the chips that are not after it. Raises raf.CompileError without one."""
    from .compiler import CHIPS

    found = json.loads(_core().cuda_info("cuda"))
    if not found["devices"]:
        why = found["missing"][0] if found["missing"] else "the driver finds no device"
        raise CompileError(f'target "cuda" needs a CUDA device, and there is none here ({why}); name the chip to compile for another machine, as in "cuda:sm_90", or try "cuda-sim"')
    here = int(found["devices"][0]["architecture"].removeprefix("sm_"))
    fits = [number for number in (int(chip[3:]) for chip in CHIPS if chip[3:].isdigit()) if number <= here]
    if not fits:
        raise CompileError(f'target "cuda": the device is sm_{here}; sm_80 or later is needed')
    # What is for one architecture alone ("a") runs on no other; of 9.0 the products use it.
    return "sm_90a" if here == 90 else f"sm_{max(fits)}"


def _core() -> Any:
    try:
        return importlib.import_module("raf._core")
    except ModuleNotFoundError as error:
        raise CompileError(f"this installation of RAF has no compiler core ({error}); reinstall raf-compiler") from None


def default_threads() -> int:
    """The threads of compiled code that does not choose."""
    return int(_core().get_num_threads())


def training_pipeline(
    loss: Loss,
    optimizer: Optimizer | None,
    output: int,
    target_type: str | None,
    params: Iterable[str] = (),
    guard: str = "none",
    keep_outputs: bool = True,
    amp: Policy | None = None,
) -> str:
    """The passes that turn a forward module into a training step; without an optimizer, into one that evaluates the loss.

    `guard` is what must be finite for a step to change anything: "none", "loss", or "gradients" and loss.
    """
    options = loss.pass_options(output, target_type) + (" keep-outputs=true" if keep_outputs else "")
    attach, cast = f"raf-attach-loss{{{options}}},raf-fuse-loss", [] if amp is None else amp.passes(optimizer is not None)
    if optimizer is None:
        return _pipeline("raf-inference", attach, *cast)
    scaled = amp is not None and amp.loss_scaling
    update = f"raf-apply-optimizer{{{optimizer.pass_options(params)} guard={'gradients' if scaled else guard}}}"
    keep = ["raf-keep-casts"] if amp is not None and amp.keep_copies else []
    if amp is None or not scaled:
        return _pipeline(attach, "raf-autodiff", *cast, update, *keep)
    # After autodiff gradients are what the whole step makes of them; the optimizer sees them unscaled, and its check decides about the scale.
    return _pipeline(
        attach, "raf-scale-loss", "raf-autodiff{of=scaled_loss}", *cast, "raf-unscale-gradients", update,
        f"raf-update-loss-scale{{growth-interval={amp.growth_interval}}}", *keep,
    )  # fmt: skip


def inference_pipeline(amp: Policy | None = None, outputs: Iterable[int] = ()) -> str:
    """The passes that turn a forward module into one that predicts: the outputs with these numbers, or all."""
    chosen = ",".join(map(str, outputs))
    return _pipeline(f"raf-inference{{outputs={chosen}}}" if chosen else "raf-inference", *([] if amp is None else amp.passes(training=False)))


def _pipeline(*passes: str) -> str:
    return f"builtin.module({','.join(passes)})"


def build(asm: bytes, pipeline: str, options: CompileOptions) -> Executable:
    """Compiles a forward module, or takes the executable from the cache.

    Raises raf.CompileError with the raf-opt command that replays the failure on a module that is left in the temporary folder.
    """
    core = _core()
    text = options.json()
    # What was measured holds for a number of threads.
    dispatch = f"measure {options.threads or default_threads()}" if options.dispatch == "measure" else options.dispatch
    name = _cache.key(asm, pipeline, text, dispatch) if options.cache else ""
    if options.cache and (stored := _cache.load(name)) is not None:
        try:
            cached: Executable = core.Executable.deserialize(stored)
            return cached
        except CompileError:
            pass  # made by a build that this one does not understand
    with _reproducible(asm, pipeline):
        module = core.run_pipeline(asm, pipeline)
    with measured(core, module, options) as options, _reproducible(module, options.pass_pipeline()):
        executable: Executable = core.Executable.compile(module, options.json())
    if options.cache:
        _cache.store(name, executable.serialize)
    return executable


@dataclass(frozen=True)
class Parts:
    """What an executable consists of, not loaded: it may be for another machine."""

    manifest: str
    objects: list[bytes]
    images: list[tuple[str, bytes]]


def build_parts(asm: bytes, pipeline: str, options: CompileOptions) -> Parts:
    """As `build`, but nothing is loaded or kept."""
    core = _core()
    with _reproducible(asm, pipeline):
        module = core.run_pipeline(asm, pipeline)
    with measured(core, module, options) as options, _reproducible(module, options.pass_pipeline()):
        return Parts(*core.compile_parts(module, options.json()))


@contextmanager
def measured(core: Any, module: str, options: CompileOptions) -> Iterator[CompileOptions]:
    """The options with a file of measured times, where they ask for one."""
    if options.dispatch != "measure" or options.target != "cpu" or options.opt_level == 0:
        yield options
        return

    def more(**extra: Any) -> CompileOptions:
        return dataclasses.replace(options, extra={**options.extra, **extra})

    threads = options.threads or default_threads()
    plain = {"pipeline": options.pipeline, "opt_level": options.opt_level, "num_threads": threads}
    with _measure.measurements(core, module, more(questions=True).pass_pipeline(), plain, threads, options.cache) as path:
        # In quotes, for it may have blanks.
        yield more(measurements=f"'{path}'")


@contextmanager
def _reproducible(module: bytes | str, pipeline: str) -> Iterator[None]:
    """Adds the command that replays a failure to the error."""
    try:
        yield
    except CompileError as error:
        data = module.encode() if isinstance(module, str) else module
        path = Path(tempfile.gettempdir()) / f"raf-{hashlib.sha256(data).hexdigest()[:12]}.mlir"
        try:
            path.write_bytes(data)
        except OSError:
            raise error from None
        command = f"raf-opt --pass-pipeline={shlex.quote(pipeline)} {shlex.quote(str(path))}"
        raise CompileError(f"{error}\nThe failure is replayed by: {command}", error.diagnostics, command) from None
