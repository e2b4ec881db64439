# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Losses: what the pass raf-attach-loss appends to a model. Each is a mean over the batch."""

from __future__ import annotations

import math
from typing import Any, ClassVar

from numpy.typing import NDArray

from ._options import flag, real, whole
from .errors import CompileError, suggest


class Loss:
    """What every loss has: a name, options, and whether it takes a target. `output` is the number or name of the output that it looks at, by default the first.

    >>> raf.losses.CrossEntropy(label_smoothing=0.1, output="scores")
    CrossEntropy(output='scores', label_smoothing=0.1, ignore_index=-100, dense_target=False, class_axis=1)
    """

    name: ClassVar[str]
    has_target: ClassVar[bool] = True

    def __init__(self, output: int | str | None = None, **options: float | bool) -> None:
        self.output = output
        self.options = options

    def pass_options(self, output: int, target_type: str | None) -> str:
        """The options of raf-attach-loss; `output` is the number of the model's output that the loss looks at, `target_type` the element type of
        the target ("i64", "f32" ...)."""
        items = [f"loss={self.name}", f"output={output}"]
        items += [f"{k.replace('_', '-')}={str(v).lower() if isinstance(v, bool) else repr(v)}" for k, v in self.options.items()]
        if target_type is not None:
            items.append(f"target-type={target_type}")
        return " ".join(items)

    def config(self) -> dict[str, Any]:
        """What a checkpoint notes, JSON."""
        return {"loss": self.name, "output": self.output, **self.options}

    def __repr__(self) -> str:
        given = {**({} if self.output is None else {"output": self.output}), **self.options}
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in given.items())})"


class CrossEntropy(Loss):
    """Softmax cross entropy of logits: mean over the rows of -ln softmax(logits)[label].

    The classes are on `class_axis`: 1 as in PyTorch, for [N, C] and [N, C, H, W]; -1 for [N, T, C], as language models have them. The target is
    integer labels (int32 or int64, the logits' shape without that axis), or with `dense` a distribution of the logits' shape and dtype. Rows whose label is `ignore_index` count neither in the sum nor in the mean. `label_smoothing` s in [0, 1) mixes the target with the
    uniform distribution: (1 - s) * target + s / classes. Raises raf.CompileError for another `label_smoothing`.
    """

    name = "cross_entropy"

    def __init__(
        self,
        *,
        label_smoothing: float = 0.0,
        ignore_index: int = -100,
        dense: bool = False,
        class_axis: int = 1,
        output: int | str | None = None,
    ) -> None:
        smoothing, ignored = real("CrossEntropy: label_smoothing", label_smoothing), whole("CrossEntropy: ignore_index", ignore_index)
        if not 0 <= smoothing < 1:
            raise CompileError(f"CrossEntropy: label_smoothing must be in [0, 1), got {label_smoothing}")
        self.dense, self.class_axis = flag("CrossEntropy: dense", dense), whole("CrossEntropy: class_axis", class_axis)
        super().__init__(output, label_smoothing=smoothing, ignore_index=ignored, dense_target=self.dense, class_axis=self.class_axis)

    def labels_outside(self, labels: NDArray[Any], classes: int) -> list[str]:
        """What is wrong with labels that name no class, or do not count at all: they make the loss NaN."""
        if labels.size and (labels == self.options["ignore_index"]).all():
            return [f"all {labels.size} labels of target 'target' are ignore_index ({self.options['ignore_index']}), so that the loss is the mean of nothing"]
        outside = labels[((labels < 0) | (labels >= classes)) & (labels != self.options["ignore_index"])]
        if not outside.size:
            return []
        return [f"target 'target' holds {outside.size} labels outside the {classes} classes, such as {outside.flat[0]} (expected 0 to {classes - 1})"]


class MSE(Loss):
    """Mean of (output - target)^2 over all elements; the target has the output's shape and dtype."""

    name = "mse"

    def __init__(self, *, output: int | str | None = None) -> None:
        super().__init__(output)


class L1(Loss):
    """Mean of |output - target|; the gradient at 0 is 0."""

    name = "l1"

    def __init__(self, *, output: int | str | None = None) -> None:
        super().__init__(output)


class Huber(Loss):
    """Mean of d^2 / 2 where |d| <= delta, else delta * (|d| - delta / 2), with d = output - target; the target has the output's shape and dtype.

    Raises raf.CompileError for a `delta` that is not positive.
    """

    name = "huber"

    def __init__(self, *, delta: float = 1.0, output: int | str | None = None) -> None:
        value = real("Huber: delta", delta)
        if not (math.isfinite(value) and value > 0):
            raise CompileError(f"Huber: delta must be positive, got {delta}")
        super().__init__(output, delta=value)


class BCEWithLogits(Loss):
    """Mean binary cross entropy of logits against targets in [0, 1] of the same shape and dtype."""

    name = "bce_with_logits"

    def __init__(self, *, output: int | str | None = None) -> None:
        super().__init__(output)


class Output(Loss):
    """No loss is appended: the model's output `output` (a number or a name, by default the first) is a scalar loss already."""

    name = "output"
    has_target = False

    def __init__(self, output: int | str | None = None) -> None:
        super().__init__(output)


_BY_NAME: dict[str, type[CrossEntropy | MSE | L1 | Huber | BCEWithLogits | Output]] = {
    cls.name: cls for cls in (CrossEntropy, MSE, L1, Huber, BCEWithLogits, Output)
}


NAMES = tuple(_BY_NAME)


def resolve(loss: str | Loss) -> Loss:
    """A loss by name or object. Names: cross_entropy, mse, l1, huber, bce_with_logits, output."""
    if isinstance(loss, Loss):
        return loss
    if isinstance(loss, str):
        name = loss.lower().replace("-", "_")
        cls = _BY_NAME.get(name)
        if cls is None:
            raise CompileError(f"unknown loss {loss!r}{suggest(name, _BY_NAME)}")
        return cls()
    raise CompileError(f"loss: expected a name or a raf.losses object, got {type(loss).__name__}")
