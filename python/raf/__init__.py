# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""RAF compiles deep-learning training."""

from importlib import metadata as _metadata

from . import amp, callbacks, checkpoint, data, losses, metrics, optim
from ._device_arrays import DeviceArray
from .compiler import compile
from .custom_gradients import custom_gradient
from .data import ArrayLoader
from .errors import CompileError, Error, ImportError, NonFiniteLossError, RuntimeError
from .executable import load_executable
from .fitting import History
from .functions import Function, grad, jvp, value_and_grad, vjp
from .importers import from_jax, import_onnx, import_stablehlo
from .model import Model
from .predictor import Predictor
from .trainer import Trainer

try:
    __version__ = _metadata.version("raf-compiler")
except _metadata.PackageNotFoundError:  # in a build tree
    __version__ = "0+dev"

__all__ = [
    "ArrayLoader",
    "CompileError",
    "DeviceArray",
    "Error",
    "Function",
    "History",
    "ImportError",
    "Model",
    "NonFiniteLossError",
    "Predictor",
    "RuntimeError",
    "Trainer",
    "__version__",
    "amp",
    "callbacks",
    "checkpoint",
    "compile",
    "custom_gradient",
    "data",
    "from_jax",
    "grad",
    "import_onnx",
    "import_stablehlo",
    "jvp",
    "load_executable",
    "losses",
    "metrics",
    "optim",
    "value_and_grad",
    "vjp",
]
