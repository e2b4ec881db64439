# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads in RAF: the ONNX file, compiled with nothing taken from the cache."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import onnx  # noqa: F401  (raf imports it with the first model: part of the imported framework, as what the peers import is)

import raf
import raf._core
import raf.onnx.importer  # noqa: F401  (likewise)

from . import workloads as W

VERSION = raf.__version__


def build(folder: Path, threads: int, amp: str = "none", **options: Any) -> raf.Trainer:
    """The trainer of the workload in the folder. The step is compiled when the first batch comes."""
    if amp != "none":
        options["amp"] = amp
    optimizer = raf.optim.AdamW(lr=W.LR, beta1=W.BETA1, beta2=W.BETA2, epsilon=W.EPSILON, weight_decay=W.WEIGHT_DECAY)
    model = raf.import_onnx(str(folder / "model.onnx"))
    return raf.compile(model, loss="cross_entropy", optimizer=optimizer, threads=threads, **{"cache": False, **options})
