# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The handwritten digits of scikit-learn (1797 images of 8x8 pixels) and two models for them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..errors import RuntimeError

if TYPE_CHECKING:
    import onnx


def digits(test_fraction: float = 0.2, seed: int = 0, image: bool = True) -> tuple[tuple[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]:
    """((x, y) to train, (x, y) to test): x is f32 in [0, 1], [n, 1, 8, 8] or, with `image` off, [n, 64]; y is i64. Needs scikit-learn, and no network."""
    try:
        from sklearn.datasets import load_digits
    except ModuleNotFoundError:
        raise RuntimeError("the digits come with scikit-learn: pip install scikit-learn") from None
    data = load_digits()
    x = (data.data / 16).astype(np.float32)
    y = data.target.astype(np.int64)
    order = np.random.default_rng(seed).permutation(len(x))
    x, y = x[order].reshape((-1, 1, 8, 8) if image else (-1, 64)), y[order]
    split = round(len(x) * (1 - test_fraction))
    return (x[:split], y[:split]), (x[split:], y[split:])


def digits_cnn(seed: int = 0) -> onnx.ModelProto:
    """Two convolutions with batch normalization, a pooling and two dense layers: 8x8 images to 10 scores."""
    from .builder import Builder

    b = Builder("digits_cnn", seed)
    x = b.input("image", ["batch", 1, 8, 8])
    x = b("Relu", b.batch_norm(b.conv(x, "conv1", 1, 16, 3, pad=1, bias=False), "bn1", 16))
    x = b("Relu", b.batch_norm(b.conv(x, "conv2", 16, 32, 3, pad=1, bias=False), "bn2", 32))
    x = b("MaxPool", x, kernel_shape=[2, 2], strides=[2, 2])
    x = b("Relu", b.linear(b("Flatten", x, axis=1), "fc1", 32 * 16, 64))
    b.output(b.linear(x, "fc2", 64, 10), ["batch", 10])
    return b.model()


def digits_mlp(seed: int = 0, hidden: int = 128) -> onnx.ModelProto:
    """64 pixels - hidden units - 10 scores."""
    from .vision import mlp

    return mlp((64, hidden, 10), seed)
