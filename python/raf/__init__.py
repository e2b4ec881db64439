# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RAF compiles deep-learning training."""

from importlib import metadata as _metadata

from .errors import CompileError, Error, ImportError, NonFiniteLossError, RuntimeError
from .importers import import_onnx
from .model import Model

try:
    __version__ = _metadata.version("raf-compiler")
except _metadata.PackageNotFoundError:  # in a build tree
    __version__ = "0+dev"

__all__ = ["CompileError", "Error", "ImportError", "Model", "NonFiniteLossError", "RuntimeError", "__version__", "import_onnx"]
