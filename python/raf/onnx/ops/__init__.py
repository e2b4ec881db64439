# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One module a family of ONNX ops; each registers its functions when it is imported."""

from ..registry import HANDLERS, Call, domain_of
from . import attention, classic, contraction, control, conv, elementwise, indexing, norm, pool, recurrent, reduction, sequence, shape

__all__ = ["HANDLERS", "Call", "domain_of"]
