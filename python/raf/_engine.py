# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a forward module to a loaded executable: the passes of a step, the options, the cache."""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from . import _cache
from .errors import CompileError
from .losses import Loss
from .optim import Optimizer


class Executable(Protocol):
    """raf._core.Executable, as far as Python uses it."""

    manifest: str

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

    def json(self) -> str:
        values: dict[str, Any] = {"pipeline": f"raf-{self.target}", "opt_level": self.opt_level, "libraries": list(self.libraries)}
        if self.threads is not None:
            values["num_threads"] = self.threads
        return json.dumps({**values, **self.extra}, sort_keys=True)


def _core() -> Any:
    try:
        return importlib.import_module("raf._core")
    except ModuleNotFoundError as error:
        raise CompileError(f"this installation of RAF has no compiler core ({error}); reinstall raf-compiler") from None


def training_pipeline(loss: Loss, optimizer: Optimizer | None, output: int, target_type: str | None, params: Iterable[str] = ()) -> str:
    """The passes that turn a forward module into a training step; without an optimizer, into one that evaluates the loss and keeps the outputs."""
    options = loss.pass_options(output, target_type)
    if optimizer is None:
        return f"builtin.module(raf-inference,raf-attach-loss{{{options} keep-outputs=true}})"
    return f"builtin.module(raf-attach-loss{{{options}}},raf-autodiff,raf-apply-optimizer{{{optimizer.pass_options(params)}}})"


INFERENCE_PIPELINE = "builtin.module(raf-inference)"


def build(asm: bytes, pipeline: str, options: CompileOptions) -> Executable:
    """Compiles a forward module, or takes the executable from the cache."""
    core = _core()
    text = options.json()
    name = _cache.key(asm, pipeline, text) if options.cache else ""
    if options.cache and (stored := _cache.load(name)) is not None:
        try:
            cached: Executable = core.Executable.deserialize(stored)
            return cached
        except CompileError:
            pass  # made by a build that this one does not understand
    module = core.run_pipeline(asm, pipeline)
    executable: Executable = core.Executable.compile(module, text)
    if options.cache:
        _cache.store(name, executable.serialize)
    return executable
