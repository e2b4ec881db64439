# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python ceilings.py DEVICE full|small measures, with PyTorch, the speed of a large product in each type and of a copy; python ceilings.py cuda|cuda-sim doctor says what device RAF finds."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from steps import find_raf  # noqa: E402


def doctor(driver: str) -> dict[str, Any]:
    find_raf()
    import raf  # noqa: F401
    from raf import _core

    found: dict[str, Any] = json.loads(_core.cuda_info(driver))
    return found


def measure(device: str, small: bool) -> dict[str, Any]:
    try:
        import torch
    except ImportError as error:
        return {"absent": str(error)}

    def fastest(call: Any) -> float:
        best = float("inf")
        for _ in range(10):
            begin = time.perf_counter()
            call()
            if device == "cuda":
                torch.cuda.synchronize()
            best = min(best, time.perf_counter() - begin)
        return best

    n, words = (256, 1 << 20) if small else (8192, 1 << 28)
    rates = {}
    for name, dtype in (("f32", torch.float32), ("bf16", torch.bfloat16)):
        a, b = (torch.randn(n, n, device=device, dtype=dtype) for _ in range(2))
        rates[name] = 2 * n**3 / fastest(lambda a=a, b=b: a @ b)
    x = torch.zeros(words, device=device)
    y = torch.empty_like(x)
    return {"matmul": rates, "copy": 8 * words / fastest(lambda: y.copy_(x)), "torch": torch.__version__, "name": torch.cuda.get_device_name() if device == "cuda" else "cpu"}


if __name__ == "__main__":
    print(json.dumps(doctor(sys.argv[1]) if sys.argv[2] == "doctor" else measure(sys.argv[1], sys.argv[2] == "small")))
