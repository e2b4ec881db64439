# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of `raf train --example`: a model, data, and the options that train it well."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .. import examples
from .._arrays import Array
from ..errors import RuntimeError, suggest

#: Name: whether the data are images or flat, and options.
EXAMPLES: dict[str, tuple[bool, dict[str, Any]]] = {
    "digits": (True, {"optimizer": "adamw", "lr": 3e-3, "schedule": "cosine", "epochs": 12, "batch_size": 32}),
    "digits-mlp": (False, {"optimizer": "adamw", "lr": 3e-3, "schedule": "cosine", "epochs": 25, "batch_size": 32}),
}


@dataclass(frozen=True)
class Example:
    """`onnx` is the content of an ONNX file."""

    onnx: bytes
    train: dict[str, Array]
    test: dict[str, Array]
    options: dict[str, Any]


def load(name: str) -> Example:
    """An example by name."""
    if name not in EXAMPLES:
        raise RuntimeError(f"unknown example {name!r}{suggest(name, EXAMPLES)}")
    image, options = EXAMPLES[name]
    proto = examples.digits_cnn() if image else examples.digits_mlp()
    (x, y), (test_x, test_y) = examples.digits(image=image)
    key = proto.graph.input[0].name
    return Example(proto.SerializeToString(deterministic=True), {key: x, "target": y}, {key: test_x, "target": test_y}, options)
