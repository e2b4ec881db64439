# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of train_step.py: workloads, one module for each peer, and the process that a peer runs in."""

from __future__ import annotations

import importlib.util
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def find_raf() -> None:
    """Makes `import raf` work in a checkout: the installed package, the build tree (build/ or $RAF_BUILD_DIR), or python/ alone, which can write the models but compiles none."""
    if "RAF_BUILD_DIR" not in os.environ and importlib.util.find_spec("raf") is not None:
        return
    built = Path(os.environ.get("RAF_BUILD_DIR", ROOT / "build")) / "python"
    sys.path.insert(0, str(built if (built / "raf").exists() else ROOT / "python"))
