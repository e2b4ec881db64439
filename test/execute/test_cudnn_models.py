# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models that train on the simulated GPU with all that cuDNN has, for users who prefer it: batch norm, pools and attention beside convolutions. The losses are those of the CPU."""

from __future__ import annotations

import numpy as np
import pytest

import raf
from raf import examples
from raf.examples.builder import Builder
from raf.examples.sequence import block

pytest.importorskip("raf._core")


def images(batch, channels, size, classes):
    return lambda rng: (rng.standard_normal((batch, channels, size, size)).astype(np.float32), rng.integers(0, classes, batch))


def pooled():
    """Both kinds of pools, padded and not, with batch norm between them."""
    b = Builder("pooled")
    x = b("MaxPool", b("Relu", b.batch_norm(b.conv(b.input("image", ["batch", 3, 12, 12]), "conv1", 3, 8, 3, pad=1, bias=False), "bn1", 8)), kernel_shape=[2, 2], strides=[2, 2])
    x = b("AveragePool", b("Relu", b.conv(x, "conv2", 8, 8, 3, pad=1)), kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1], count_include_pad=1)
    x = b("AveragePool", b.batch_norm(b.conv(x, "conv3", 8, 8, 3, pad=1, bias=False), "bn2", 8), kernel_shape=[3, 3], strides=[1, 1], pads=[1, 1, 1, 1])
    b.output(b.linear(b("Flatten", x, axis=1), "fc", 8 * 9, 5), ["batch", 5])
    return b.model()


def residual():
    """A convolution with a bias and relu, one with a bias and a residual, and one with gelu."""
    b = Builder("residual")
    x = b("Relu", b.conv(b.input("image", ["batch", 8, 6, 6]), "conv1", 8, 16, 3, pad=1))
    x = b("Add", x, b.conv(x, "conv2", 16, 16, 3, pad=1))
    x = b("Relu", b("Add", b("Relu", x), b.conv(x, "conv3", 16, 16, 1)))
    b.output(b.linear(b("Flatten", b("GlobalAveragePool", x), axis=1), "fc", 16, 4), ["batch", 4])
    return b.model()


def encoder():
    """A block of a transformer on given features, without a mask."""
    b = Builder("encoder")
    x = block(b, b.input("features", ["batch", 8, 32]), "block", 2, 32, 32, None)
    b.output(b.linear(b("ReduceMean", x, axes=[1], keepdims=0), "head", 32, 4), ["batch", 4])
    return b.model()


CONVOLUTION = {"cudnn.conv", "cudnn.conv_input_grad", "cudnn.conv_weight_grad"}
NORM, MAXIMA, MEANS = ({f"cudnn.{name}", f"cudnn.{name}_grad"} for name in ("batch_norm", "max_pool", "avg_pool"))
ATTENTION = {"cudnn.attention", "cudnn.attention_grad"}
MODELS = {
    "lenet": (lambda: examples.lenet(size=16), images(2, 1, 16, 10), None, CONVOLUTION),
    # Of f32 the library has no gradients of pools, nor maxima that have one.
    "pooled": (pooled, images(4, 3, 12, 5), None, CONVOLUTION | NORM | {"cudnn.avg_pool"}),
    # The gradients of weights are f32.
    "pooled-bf16": (pooled, images(4, 3, 12, 5), "bf16", CONVOLUTION | NORM | MAXIMA | MEANS),
    "resnet18": (lambda: examples.resnet18(size=32, classes=4, width=4), images(4, 3, 32, 4), None, CONVOLUTION | NORM),
    "gpt-bf16": (lambda: examples.gpt(1, 16, 2, 32, 40, 8), lambda rng: (rng.integers(0, 40, (2, 8)), rng.integers(0, 40, 16)), "bf16", ATTENTION),
    "bert-bf16": (
        lambda: examples.bert(1, 16, 2, 32, 50, 8, 3),
        lambda rng: (rng.integers(0, 50, (2, 8)), (np.arange(8) < [[8], [5]]).astype(np.int64), rng.integers(0, 3, 2)),
        "bf16",
        ATTENTION,
    ),
    "encoder-bf16": (encoder, lambda rng: (rng.standard_normal((2, 8, 32)).astype(np.float32), rng.integers(0, 4, 2)), "bf16", ATTENTION),
}


def train(name, steps=4, **options):
    make, data, amp, _ = MODELS[name]
    trainer = raf.compile(raf.import_onnx(make()), loss="cross_entropy", optimizer=raf.optim.SGD(1e-2), amp=amp, **options)
    batch = data(np.random.default_rng(0))
    return trainer, [float(trainer.step(*batch)) for _ in range(steps)]


def calls(trainer):
    (program,) = trainer._programs.values()
    return {plan.split()[0] for plan in program.executable.plans}


@pytest.mark.parametrize("name", MODELS)
def test_the_losses_of_the_cpu(name):
    here, losses = train(name)
    there, same = train(name, target="cuda-sim", prefer=["cudnn"], check=["bounds"])
    assert calls(there) & (CONVOLUTION | NORM | MAXIMA | MEANS | ATTENTION) == MODELS[name][3]
    # ReLU at values that rounding moves across 0 is what makes the deep one differ.
    np.testing.assert_allclose(same, losses, rtol=2e-2 if MODELS[name][2] else 2e-3 if name == "resnet18" else 1e-5)
    for buffer, array in here.buffers.items():
        np.testing.assert_allclose(there.buffers[buffer], array, rtol=2e-2 if MODELS[name][2] else 1e-3, atol=1e-2 if MODELS[name][2] else 1e-4, err_msg=buffer)


@pytest.mark.parametrize("options", [{"amp": "bf16"}, {"tf32": True}], ids=["bf16", "tf32"])
def test_convolutions_go_with_what_follows_them(options):
    batch = images(4, 8, 6, 4)(np.random.default_rng(0))
    losses = {}
    for target, extra in (("cpu", {}), ("cuda-sim", {"prefer": ["cudnn"], "library_relu": True, "check": ["bounds"], **options})):
        amp = options.get("amp")
        trainer = raf.compile(raf.import_onnx(residual()), loss="cross_entropy", optimizer=raf.optim.SGD(0.05), target=target, **{**extra, "amp": amp})
        losses[target] = [float(trainer.step(*batch)) for _ in range(4)]
    np.testing.assert_allclose(losses["cuda-sim"], losses["cpu"], rtol=2e-2)
    (program,) = trainer._programs.values()
    fused = {plan.split("bf16" if amp else "f32", 1)[1] for plan in program.executable.plans if plan.startswith("cudnn.conv ")}
    assert fused == {" + bias, relu", " + bias + addend", " + bias + addend, relu"}


def test_generated_gradients_of_the_librarys_attention():
    """On chips that there are no engine has been seen for them."""
    _, losses = train("gpt-bf16")
    there, same = train("gpt-bf16", target="cuda-sim:sm_100", prefer=["cudnn"], check=["bounds"])
    assert calls(there) & ATTENTION == {"cudnn.attention"}
    np.testing.assert_allclose(same, losses, rtol=2e-2)


def test_other_models_keep_their_layout():
    """Without a preference for the library pools and norms are generated, with channels first."""
    there, _ = train("pooled", steps=1, target="cuda-sim", check=["bounds"])
    assert calls(there) >= CONVOLUTION and not calls(there) & (NORM | MAXIMA | MEANS)
