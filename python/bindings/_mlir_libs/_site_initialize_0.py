# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Run by MLIR's package on import: each Context gets RAF's dialects, and passes are known by name."""

from ._raf import register_dialects, register_passes

register_passes()
