# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Metrics, gathered batch by batch: nothing keeps the outputs of a whole data set unless the metric needs them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._options import whole
from .errors import RuntimeError, suggest

Array = NDArray[Any]


class StreamingMetric:
    """A number gathered over batches: `reset`, `update` once a batch, `result`.

    `outputs` is the model's output that the loss looks at (the first one without a loss), with the classes on the last axis; `targets` is the batch's
    target, or None for a model that computes its own loss; `loss` is the batch's mean loss or None. The next batch overwrites both arrays: copy what is kept.
    """

    name = "metric"

    def reset(self) -> None:
        raise NotImplementedError

    def update(self, outputs: Array, targets: Array | None, loss: float | None) -> None:
        raise NotImplementedError

    def result(self) -> float:
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """What was gathered, JSON, so that a checkpoint in the middle of an epoch has it. A metric without a state begins again there."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None: ...


class _Mean(StreamingMetric):
    """A mean weighted by the number of samples."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        self._sum = 0.0
        self._count = 0

    def _add(self, total: float, count: int) -> None:
        self._sum += total
        self._count += count

    def result(self) -> float:
        return self._sum / self._count if self._count else float("nan")

    def state_dict(self) -> dict[str, Any]:
        return {"sum": self._sum, "count": self._count}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self._sum, self._count = float(state.get("sum", 0.0)), int(state.get("count", 0))


class Loss(_Mean):
    """The mean loss over the samples (batches weighted by their size)."""

    name = "loss"

    def update(self, outputs: Array, targets: Array | None, loss: float | None) -> None:
        if loss is None:
            raise RuntimeError("metric 'loss': the model was compiled without a loss")
        rows = targets if targets is not None and targets.ndim else outputs
        count = rows.shape[0] if rows.ndim else 1
        self._add(loss * count, count)


def _labels(metric: str, outputs: Array, targets: Array | None) -> tuple[Array, Array]:
    """Scores [rows, classes] and integer labels [rows]; a dense target becomes its largest class."""
    if targets is None:
        raise RuntimeError(f"metric {metric!r}: the data has no targets")
    if targets.shape == outputs.shape and targets.ndim > 1:
        targets = targets.argmax(-1)
    if outputs.shape[:-1] != targets.shape:
        raise RuntimeError(
            f"metric {metric!r}: outputs {outputs.shape} and targets {targets.shape} do not fit; expected one label for each row of scores"
        )
    return outputs.reshape(-1, outputs.shape[-1]), targets.reshape(-1)


class Accuracy(_Mean):
    """The share of rows whose largest score is the label. Outputs are [..., classes]; a single column or no class axis is taken as a binary logit
    (positive means class 1). Labels equal to `ignore_index` do not count.

    >>> metric = raf.metrics.Accuracy()
    >>> metric.update(np.array([[0.1, 0.9], [0.8, 0.2]]), np.array([1, 1]), None)
    >>> metric.result()
    0.5
    """

    name = "accuracy"

    def __init__(self, ignore_index: int = -100) -> None:
        super().__init__()
        self.ignore_index = ignore_index

    def update(self, outputs: Array, targets: Array | None, loss: float | None) -> None:
        if targets is not None and (outputs.ndim < 2 or outputs.shape[-1] == 1) and outputs.size == targets.size:
            hits = (outputs.reshape(-1) > 0) == (targets.reshape(-1) > 0.5)
            self._add(float(hits.sum()), hits.size)
            return
        scores, labels = _labels(self.name, outputs, targets)
        hits = scores.argmax(-1) == labels
        ignored = int(np.count_nonzero(labels == self.ignore_index))
        if ignored:
            hits = hits[labels != self.ignore_index]
        self._add(float(np.count_nonzero(hits)), labels.size - ignored)


class TopK(_Mean):
    """The share of rows whose label is among the k largest scores. Equal scores count in favour of the label only as far as there is room.

    Scores are [..., classes], labels integers [...]. Raises raf.RuntimeError for k below 1 and for shapes that do not fit.
    """

    def __init__(self, k: int = 5, ignore_index: int = -100) -> None:
        super().__init__()
        self.k = k = whole("TopK: k", k, RuntimeError)
        if k < 1:
            raise RuntimeError(f"TopK: k must be at least 1, got {k}")
        self.name = f"top{k}"
        self.ignore_index = ignore_index

    def update(self, outputs: Array, targets: Array | None, loss: float | None) -> None:
        scores, labels = _labels(self.name, outputs, targets)
        counted = labels != self.ignore_index
        safe = np.where(counted, labels, 0)
        own = np.take_along_axis(scores, safe[:, None], 1)
        before = np.arange(scores.shape[1]) < safe[:, None]
        rank = (scores > own).sum(1) + ((scores == own) & before).sum(1)
        self._add(float(((rank < self.k) & counted).sum()), int(counted.sum()))


class Function(StreamingMetric):
    """Any function (outputs, targets) -> number, called once with the outputs and targets of the whole data set, which are kept for it.

    >>> def spread(outputs, targets):
    ...     return outputs.std()
    >>> list(trainer.evaluate((x_test, y_test), ["accuracy", spread]))
    ['accuracy', 'spread']
    """

    def __init__(self, function: Callable[[Array, Array], Any], name: str | None = None) -> None:
        self.function = function
        self.name = name or str(getattr(function, "__name__", type(function).__name__))
        self.reset()

    def reset(self) -> None:
        self._outputs: list[Array] = []
        self._targets: list[Array] = []

    def update(self, outputs: Array, targets: Array | None, loss: float | None) -> None:
        self._outputs.append(np.array(outputs))
        if targets is not None:
            self._targets.append(np.array(targets))

    def result(self) -> float:
        if not self._outputs:
            return float("nan")
        targets = np.concatenate(self._targets) if self._targets else np.empty(0)
        return float(self.function(np.concatenate(self._outputs), targets))


_BY_NAME: dict[str, Callable[[], StreamingMetric]] = {
    "loss": Loss,
    "accuracy": Accuracy,
    "top1": lambda: TopK(1),
    "top3": lambda: TopK(3),
    "top5": lambda: TopK(5),
}
NAMES = tuple(_BY_NAME)


def resolve(metrics: Sequence[Any] | Mapping[str, Any] | str) -> dict[str, StreamingMetric]:
    """Metrics by name, object or function, each with the name that its value gets; a mapping chooses the names itself."""
    if isinstance(metrics, str):
        metrics = [metrics]
    items: list[tuple[str | None, Any]] = list(metrics.items()) if isinstance(metrics, Mapping) else [(None, m) for m in metrics]
    resolved: dict[str, StreamingMetric] = {}
    for name, metric in items:
        if isinstance(metric, str):
            if metric not in _BY_NAME:
                raise RuntimeError(f"unknown metric {metric!r}{suggest(metric, _BY_NAME)}")
            metric = _BY_NAME[metric]()
        elif inspect.isclass(metric) and issubclass(metric, StreamingMetric):
            metric = metric()
        elif not isinstance(metric, StreamingMetric):
            if not callable(metric):
                raise RuntimeError(f"metric: expected a name, a raf.metrics object or a function, got {type(metric).__name__}")
            metric = Function(metric, name)
        metric.reset()
        resolved[name or str(metric.name)] = metric
    return resolved
