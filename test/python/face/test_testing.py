# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import numpy as np
import pytest

from raf import testing


def test_gradients_are_the_change_of_a_step(fake):
    x, y = fake.data(8)
    loss, grads = testing.gradients(fake.model(), x, y, loss="cross_entropy")
    assert loss > 0 and grads["fc1.weight"].shape == (6, 8) and any(g.any() for g in grads.values())
    assert set(testing.gradients(fake.model().freeze("fc1.*"), x, y, loss="cross_entropy")[1]) == {"fc2.weight"}


def test_differences_agree(fake):
    x, y = fake.data(8)
    testing.check_gradients(fake.model(), x, y, loss="cross_entropy", samples=5)


def test_wrong_gradients_are_listed(fake, monkeypatch):
    x, y = fake.data(8)
    right = testing.gradients

    def wrong(*args, **options):
        loss, grads = right(*args, **options)
        grads["fc2.weight"] = grads["fc2.weight"] + np.float32(1)
        return loss, grads

    monkeypatch.setattr(testing, "gradients", wrong)
    with pytest.raises(AssertionError, match=r"(?s)5 gradients are off:.*fc2.weight\[\d, \d\]: .*, by differences"):
        testing.check_gradients(fake.model(), x, y, loss="cross_entropy", samples=5)
