# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a compiled step spends its time and memory: `Trainer.profile` and `Predictor.profile` make a `Profile`."""

from ._ceilings import Ceilings, ceilings
from ._profile import Op, Profile, Row, Run, Span

__all__ = ["Ceilings", "Op", "Profile", "Row", "Run", "Span", "ceilings"]
