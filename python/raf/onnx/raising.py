# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns chains that exporters write out back into the ops that they mean."""

from __future__ import annotations

from collections.abc import Sequence

from .graph import Graph, Tensor


def raise_patterns(graph: Graph, outputs: Sequence[Tensor]) -> list[Tensor]:
    return list(outputs)
