# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small data and models to try RAF with, to test it and to measure it: each model is an onnx.ModelProto with seeded initial weights."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .digits import digits, digits_cnn, digits_mlp
from .sequence import bert, gpt, gru, lstm, rnn
from .vision import cnn, lenet, mlp, mobilenet, resnet18, resnet50, vit

if TYPE_CHECKING:
    import onnx

MODELS = {f.__name__: f for f in (bert, cnn, digits_cnn, digits_mlp, gpt, gru, lenet, lstm, mlp, mobilenet, resnet18, resnet50, rnn, vit)}


def model(name: str) -> onnx.ModelProto:
    """A model by name, with its default sizes."""
    return MODELS[name]()


__all__ = ["MODELS", "bert", "cnn", "digits", "digits_cnn", "digits_mlp", "gpt", "gru", "lenet", "lstm", "mlp", "mobilenet", "model", "resnet18", "resnet50", "rnn", "vit"]
