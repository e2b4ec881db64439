# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""For tests of models and operators: gradients as arrays, and their check by finite differences."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._arrays import Array
from .compiler import compile
from .losses import Loss
from .model import Model
from .optim import SGD
from .trainer import Trainer

#: How close results are to a reference, by the least exact dtype that took part: relative, and relative to the largest value of the array.
TOLERANCES: dict[str, tuple[float, float]] = {"float64": (1e-9, 1e-10), "float32": (5e-5, 1e-5), "float16": (5e-3, 2e-3), "bfloat16": (4e-2, 1.6e-2)}


def assert_close(actual: Array, expected: Array, dtype: np.dtype[Any] | str | None = None, what: str = "") -> None:
    """Raises AssertionError unless the arrays agree to TOLERANCES of `dtype` (of `expected` by default); integers and booleans must be equal.

    NaN and infinities must stand at the same places.
    """
    assert actual.shape == expected.shape and actual.dtype == expected.dtype, (
        f"{what}: got {actual.dtype}{list(actual.shape)}, expected {expected.dtype}{list(expected.shape)}")
    if expected.dtype.kind in "biu":
        np.testing.assert_array_equal(actual, expected, err_msg=what)
        return
    parts = {"complex64": "float32", "complex128": "float64"}
    name = np.dtype(expected.dtype if dtype is None else dtype).name
    rtol, share = TOLERANCES[parts.get(name, name)]
    wide = np.complex128 if expected.dtype.kind == "c" else np.float64
    expected, actual = expected.astype(wide), actual.astype(wide)
    finite = np.abs(expected[np.isfinite(expected)])
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=share * float(finite.max() if finite.size else 0), err_msg=what)


def _trainer(model: Model, loss: str | Loss, options: dict[str, Any]) -> Trainer:
    return compile(model, loss=loss, optimizer=SGD(1.0), nan="ignore", **options)


def gradients(model: Model, *batch: Any, loss: str | Loss, **options: Any) -> tuple[float, dict[str, Array]]:
    """The loss of a batch and its gradients with respect to the trained parameters, by name, in the parameters' dtypes.

    `batch` is as for `Trainer.step`, `options` as for `raf.compile`. The gradient is what a step of SGD with the learning rate 1 takes away, so it is
    exact to the rounding of that difference. Dropout is that of the first step.

    >>> from raf.testing import gradients
    >>> loss, grads = gradients(raf.import_onnx("model.onnx"), x[:8], y[:8], loss="cross_entropy")
    >>> grads["w2"].shape, grads["w2"].dtype
    ((16, 3), dtype('float32'))
    """
    trainer = _trainer(model, loss, options)
    before = {name: array.copy() for name, array in trainer.params.items()}
    value = float(trainer.step(*batch))
    return value, {n: a - trainer.params[n] for n, a in before.items() if n not in model.frozen}


def check_gradients(
    model: Model,
    *batch: Any,
    loss: str | Loss,
    samples: int = 16,
    epsilon: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
    **options: Any,
) -> None:
    """Compares the gradients with central differences of the loss at `samples` elements of each parameter, chosen by `seed`.

    Raises AssertionError that lists every element that is off. Meant for f64 models (epsilon 1e-5, rtol 1e-6, atol 1e-8); in f32 the differences are
    good to a few digits only (epsilon 1e-2, rtol 5e-2, atol 1e-3). A kink (ReLU at 0, ties of a maximum) within epsilon shows as an error.
    """
    wide = all(p.dtype == np.float64 for p in model.params.values())
    epsilon = epsilon if epsilon is not None else (1e-5 if wide else 1e-2)
    rtol = rtol if rtol is not None else (1e-6 if wide else 5e-2)
    atol = atol if atol is not None else (1e-8 if wide else 1e-3)
    _, exact = gradients(model, *batch, loss=loss, **options)
    trainer = _trainer(model, loss, options)
    trainer.lr = 0.0
    start = trainer.state_dict()

    def value() -> float:
        # Dropout depends on the step number, so each evaluation is the first step.
        metadata = {**start["metadata"], "step": 0}
        result = float(trainer.step(*batch))
        trainer.load_state_dict({"tensors": start["tensors"], "metadata": metadata})
        return result

    rng = np.random.default_rng(seed)
    wrong = []
    for name, grad in exact.items():
        for index in rng.choice(grad.size, min(samples, grad.size), replace=False):
            place = np.unravel_index(index, grad.shape)
            center = start["tensors"][f"param:{name}"][place]
            sides = []
            for offset in (epsilon, -epsilon):
                trainer.params[name][place] = center + offset
                sides.append(value())
            difference = (sides[0] - sides[1]) / (2 * epsilon)
            if not abs(difference - grad[place]) <= atol + rtol * abs(difference):
                where = ", ".join(map(str, place))
                wrong.append(f"{name}[{where}]: {grad[place]:.9g}, by differences {difference:.9g}")
    if wrong:
        raise AssertionError("\n".join([f"{len(wrong)} gradients are off:", *wrong]))
