# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Dense and convolutional nets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import onnx

    from .builder import Builder


def mlp(sizes: Sequence[int] = (64, 128, 10), seed: int = 0) -> onnx.ModelProto:
    """Dense layers with ReLU between them."""
    from .builder import Builder

    b = Builder("mlp", seed)
    x = b.input("x", ["batch", sizes[0]])
    for i, (inputs, outputs) in enumerate(zip(sizes, sizes[1:])):
        x = b.linear(b("Relu", x) if i else x, f"fc{i + 1}", inputs, outputs)
    b.output(x, ["batch", sizes[-1]])
    return b.model()


def lenet(seed: int = 0, size: int = 28) -> onnx.ModelProto:
    """LeNet-5 (LeCun et al., 1998) with ReLU and max pooling."""
    from .builder import Builder

    b = Builder("lenet", seed)
    x = b.input("image", ["batch", 1, size, size])
    x = b("MaxPool", b("Relu", b.conv(x, "conv1", 1, 6, 5, pad=2)), kernel_shape=[2, 2], strides=[2, 2])
    x = b("MaxPool", b("Relu", b.conv(x, "conv2", 6, 16, 5)), kernel_shape=[2, 2], strides=[2, 2])
    x = b("Flatten", x, axis=1)
    side = (size // 2 - 4) // 2
    x = b("Relu", b.linear(x, "fc1", 16 * side * side, 120))
    x = b("Relu", b.linear(x, "fc2", 120, 84))
    b.output(b.linear(x, "fc3", 84, 10), ["batch", 10])
    return b.model()


def cnn(seed: int = 0, size: int = 28) -> onnx.ModelProto:
    """Two convolutions of 16 and 32 channels, each with ReLU and max pooling, and a dense layer."""
    from .builder import Builder

    b = Builder("cnn", seed)
    x = b.input("image", ["batch", 1, size, size])
    for i, (inputs, outputs) in enumerate(((1, 16), (16, 32))):
        x = b("MaxPool", b("Relu", b.conv(x, f"conv{i + 1}", inputs, outputs, 3, pad=1)), kernel_shape=[2, 2], strides=[2, 2])
    b.output(b.linear(b("Flatten", x, axis=1), "fc", 32 * (size // 4) ** 2, 10), ["batch", 10])
    return b.model()


def _classifier(b: Builder, x: str, features: int, classes: int) -> onnx.ModelProto:
    x = b("Flatten", b("GlobalAveragePool", x), axis=1)
    b.output(b.linear(x, "fc", features, classes), ["batch", classes])
    return b.model()


def _resnet(name: str, blocks: Sequence[int], widen: int, seed: int, size: int, classes: int, width: int) -> onnx.ModelProto:
    """`widen` is 1 for blocks of two convolutions, else the factor between what a block of three computes in and what it gives."""
    from .builder import Builder

    b = Builder(name, seed)
    x = b.input("image", ["batch", 3, size, size])
    x = b("Relu", b.batch_norm(b.conv(x, "conv1", 3, width, 7, stride=2, pad=3, bias=False), "bn1", width))
    x = b("MaxPool", x, kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1])
    inputs = width
    for stage, count in enumerate(blocks):
        middle = width << stage
        outputs = middle * widen
        for block in range(count):
            name, stride = f"layer{stage + 1}.{block}", 2 if stage and not block else 1
            shapes = [(inputs, middle, 3, stride), (middle, outputs, 3, 1)] if widen == 1 else [(inputs, middle, 1, 1), (middle, middle, 3, stride), (middle, outputs, 1, 1)]
            y = x
            for i, (before, after, kernel, step) in enumerate(shapes, 1):
                y = b.batch_norm(b.conv(b("Relu", y) if i > 1 else y, f"{name}.conv{i}", before, after, kernel, step, kernel // 2, bias=False), f"{name}.bn{i}", after)
            if stride != 1 or inputs != outputs:
                x = b.batch_norm(b.conv(x, f"{name}.downsample.0", inputs, outputs, 1, stride, bias=False), f"{name}.downsample.1", outputs)
            x = b("Relu", b("Add", y, x))
            inputs = outputs
    return _classifier(b, x, inputs, classes)


def resnet18(seed: int = 0, size: int = 224, classes: int = 1000, width: int = 64) -> onnx.ModelProto:
    """ResNet-18 (He et al., arXiv 1512.03385) with torchvision's names; `width` is the number of channels of the first stage."""
    return _resnet("resnet18", (2, 2, 2, 2), 1, seed, size, classes, width)


def resnet50(seed: int = 0, size: int = 224, classes: int = 1000, width: int = 64, blocks: Sequence[int] = (3, 4, 6, 3)) -> onnx.ModelProto:
    """ResNet-50 with torchvision's names, the strides in its 3x3 convolutions; `blocks` are those of each stage."""
    return _resnet("resnet50", blocks, 4, seed, size, classes, width)


def mobilenet(seed: int = 0, size: int = 96, classes: int = 10) -> onnx.ModelProto:
    """Inverted residuals with depthwise convolutions, squeeze and excitation, ReLU6 and hard swish: MobileNetV2 and V3 in small (arXiv 1801.04381, 1905.02244)."""
    import numpy as np

    from .builder import Builder

    b = Builder("mobilenet", seed)

    def relu6(x: str) -> str:
        return str(b("Clip", x, b.const(0.0, np.float32), b.const(6.0, np.float32)))

    x = b.input("image", ["batch", 3, size, size])
    x = b("HardSwish", b.batch_norm(b.conv(x, "stem", 3, 16, 3, stride=2, pad=1, bias=False), "stem_bn", 16))
    inputs = 16
    for i, (outputs, expand, stride, excite) in enumerate(((16, 1, 1, False), (24, 4, 2, False), (24, 3, 1, True), (40, 3, 2, True))):
        name, middle = f"blocks.{i}", inputs * expand
        y = relu6(b.batch_norm(b.conv(x, f"{name}.expand", inputs, middle, 1, bias=False), f"{name}.bn1", middle))
        y = b.batch_norm(b.conv(y, f"{name}.depthwise", middle, middle, 3, stride, 1, groups=middle, bias=False), f"{name}.bn2", middle)
        if excite:
            s = b("Relu", b.conv(b("GlobalAveragePool", y), f"{name}.se.reduce", middle, 8, 1))
            y = b("Mul", y, b("HardSigmoid", b.conv(s, f"{name}.se.expand", 8, middle, 1), alpha=1 / 6))
        y = b.batch_norm(b.conv(b("HardSwish", y), f"{name}.project", middle, outputs, 1, bias=False), f"{name}.bn3", outputs)
        x = b("Add", x, y) if stride == 1 and inputs == outputs else y
        inputs = outputs
    return _classifier(b, x, inputs, classes)


def vit(
    layers: int = 12, width: int = 192, heads: int = 3, hidden: int = 768, size: int = 224, patch: int = 16, classes: int = 1000, seed: int = 0
) -> onnx.ModelProto:
    """A vision transformer (arXiv 2010.11929) that classifies the mean of its patches, as arXiv 2205.01580; with its default sizes ViT-Ti/16."""
    from .builder import Builder
    from .sequence import block

    b = Builder("vit", seed)
    patches = (size // patch) ** 2
    x = b.conv(b.input("image", ["batch", 3, size, size]), "patch", 3, width, patch, stride=patch)
    x = b("Transpose", b("Reshape", x, b.const([0, width, patches])), perm=[0, 2, 1])
    x = b("Add", x, b.normal("position.weight", (patches, width), 0.02))
    for i in range(layers):
        x = block(b, x, f"blocks.{i}", heads, width, hidden, None)
    x = b("ReduceMean", b.layer_norm(x, "norm", width), axes=[1], keepdims=0)
    b.output(b.linear(x, "head", width, classes), ["batch", classes])
    return b.model()
