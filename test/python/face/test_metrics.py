# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

import raf
from raf import metrics


def feed(metric, outputs, targets, batches=3, loss=None):
    for o, t in zip(np.array_split(outputs, batches), np.array_split(targets, batches)):
        metric.update(o, t, loss)
    return metric.result()


@pytest.fixture
def scores():
    rng = np.random.default_rng(0)
    return rng.normal(size=(50, 7)).astype(np.float32), rng.integers(0, 7, 50)


def test_accuracy_in_parts_is_the_whole(scores):
    outputs, labels = scores
    assert feed(metrics.Accuracy(), outputs, labels) == pytest.approx((outputs.argmax(1) == labels).mean())


def test_accuracy_of_dense_targets_sequences_and_binary_logits():
    outputs = np.array([[0.1, 0.9], [0.8, 0.2]], np.float32)
    assert feed(metrics.Accuracy(), outputs, np.array([[0, 1], [0, 1.0]]), 1) == 0.5
    assert feed(metrics.Accuracy(), outputs[None], np.array([[1, -100]]), 1) == 1.0
    assert feed(metrics.Accuracy(), np.array([[2.0], [-1.0]]), np.array([1.0, 1.0]), 1) == 0.5


def test_top_k_against_sorting(scores):
    outputs, labels = scores
    order = np.argsort(-outputs, 1)
    for k in (1, 3, 7, 9):
        assert feed(metrics.TopK(k), outputs, labels) == pytest.approx(np.mean([label in row[:k] for row, label in zip(order, labels)]))


def test_top_k_ties_leave_room_for_k_only():
    assert feed(metrics.TopK(1), np.zeros((2, 3)), np.array([0, 1]), 1) == 0.5


def test_loss_is_weighted_by_batch_size():
    metric = metrics.Loss()
    metric.update(np.zeros((3, 1)), np.zeros(3), 1.0)
    metric.update(np.zeros((1, 1)), np.zeros(1), 5.0)
    assert metric.result() == 2.0


def test_any_function_sees_everything_at_once(scores):
    outputs, labels = scores

    def spread(o, t):
        assert o.shape == outputs.shape and t.shape == labels.shape
        return o.std()

    resolved = metrics.resolve([spread, "accuracy", metrics.TopK(3)])
    assert list(resolved) == ["spread", "accuracy", "top3"]
    assert feed(resolved["spread"], outputs, labels) == pytest.approx(outputs.std())
    assert list(metrics.resolve({"mine": spread})) == ["mine"]


def test_empty_is_nan():
    assert np.isnan(metrics.Accuracy().result()) and np.isnan(metrics.Function(np.mean).result())


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: metrics.resolve(["acuracy"]), "did you mean 'accuracy'"),
        (lambda: metrics.resolve([3]), "expected a name"),
        (lambda: metrics.TopK(0), "k must be at least 1"),
        (lambda: metrics.Accuracy().update(np.zeros((3, 2)), np.zeros(4), None), "do not fit"),
        (lambda: metrics.TopK(2).update(np.zeros((3, 2)), None, None), "no targets"),
        (lambda: metrics.Loss().update(np.zeros((3, 2)), None, None), "without a loss"),
    ],
)
def test_errors(make, message):
    with pytest.raises(raf.RuntimeError, match=message):
        make()
