# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Training in mixed precision goes as training in f32 does: its losses lie among those of f32 with other orders of the data. The slow variant does 200 steps for four
orders; the other one is short."""

import functools

import numpy as np
import pytest
import raf
import raf.examples
from execute.harness import core  # noqa: F401 (skips where there is no compiler)

pytest.importorskip("sklearn")


def digits(image):
    (x, y), _ = raf.examples.digits(image=image)
    return x, y


def upscaled():
    """The digits as 32x32 images of three channels."""
    x, y = digits(True)
    return np.repeat(np.repeat(np.repeat(x, 4, 2), 4, 3), 3, 1), y


def rows():
    """A digit as a sequence of its 8 rows, to be read by the recurrence."""
    x, y = digits(False)
    return np.ascontiguousarray(x.reshape(-1, 8, 8)), y


def sequences():
    """Tokens that count in steps of their own, with the next token as the label of each."""
    rng = np.random.default_rng(0)
    start, step = rng.integers(0, 31, (512, 1)), rng.integers(1, 6, (512, 1))
    tokens = (start + step * np.arange(17)) % 31
    return tokens[:, :-1].astype(np.int64), tokens[:, 1:].astype(np.int64)


#: Model, data, learning rate.
CASES = {
    "gpt": (lambda: raf.examples.MODELS["gpt"](layers=2, width=32, heads=4, hidden=64, vocabulary=31, time=16), sequences, 2e-3),
    "resnet18": (lambda: raf.examples.MODELS["resnet18"](size=32, width=8, classes=10), upscaled, 1e-3),
    "lstm": (lambda: raf.examples.MODELS["lstm"](inputs=8, hidden=32, time=8), rows, 5e-3),
}


@functools.cache
def case(name):
    build, data, lr = CASES[name]
    return build(), data(), lr


def losses(name, seed, steps, amp, size=16):
    proto, (x, y), lr = case(name)
    trainer = raf.compile(raf.import_onnx(proto), loss="cross_entropy", optimizer=raf.optim.AdamW(lr), amp=amp, lazy=True)
    rng = np.random.default_rng(seed)
    found = []
    for _ in range(steps):
        chosen = rng.integers(0, len(y), size)
        found.append(float(trainer.step(x[chosen], y[chosen].reshape(-1))))
    return np.array(found), trainer


@functools.cache
def reference_losses(name, seed, steps):
    return losses(name, seed, steps, None)[0]


def smooth(curve, window):
    return curve[: len(curve) // window * window].reshape(-1, window).mean(1)


def compare(name, amp, seeds, steps, window):
    """The means over seeds of the smoothed losses differ by no more than four standard errors of their difference: with about 18 degrees of freedom and 30 windows that are looked
    at, one choice of seeds in 40 would fail. A spread of four seeds is a poor estimate by itself: it is taken relative to the loss, and together with its neighbours'."""
    reference = np.array([smooth(reference_losses(name, s, steps), window) for s in seeds])
    runs = [losses(name, s, steps, amp) for s in seeds]
    mixed = np.array([smooth(curve, window) for curve, _ in runs])
    variance = (reference.var(0, ddof=1) + mixed.var(0, ddof=1)) / 2 / reference.mean(0) ** 2
    around = np.array([variance[max(i - 1, 0) : i + 2].mean() for i in range(len(variance))])
    band = np.maximum(4 * np.sqrt(around * 2 / len(seeds)), 0.05)
    off = np.abs(mixed.mean(0) / reference.mean(0) - 1)
    assert (off <= band).all(), f"f32 {reference.mean(0)}, {amp} {mixed.mean(0)}: off by {off}, the band is {band}"
    assert np.median(band) < 0.3, f"seeds differ so much that a wrong curve would not show: {band}"
    assert all(trainer.skipped <= 3 for _, trainer in runs)
    return reference, mixed


@pytest.mark.parametrize("amp", ["bf16", "f16"])
@pytest.mark.parametrize("name", CASES)
def test_short_curves(name, amp):
    """The same batches: the first losses agree, later ones on average. Through the batch norms of resnet18 rounding grows from step to step: the mean
    of 12 losses was seen 7 % off."""
    expected, found = reference_losses(name, 0, 12), losses(name, 0, 12, amp)[0]
    np.testing.assert_allclose(found[:2], expected[:2], rtol={"bf16": 3e-2, "f16": 1e-2}[amp])
    np.testing.assert_allclose(found.mean(), expected.mean(), rtol=0.1)


@pytest.mark.slow
@pytest.mark.parametrize("amp", ["bf16", "f16"])
@pytest.mark.parametrize("name", CASES)
def test_curves_of_200_steps_lie_in_the_band_of_f32(name, amp):
    reference, _ = compare(name, amp, (0, 1, 2, 3), 200, 40)
    assert reference[:, -1].mean() < 0.7 * reference[:, 0].mean(), "f32 itself did not learn"
