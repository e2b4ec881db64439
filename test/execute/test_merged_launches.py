# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels that share a launch compute the same bits as apart, in no more memory; with clipping, which all updates wait for, the updates of all parameters are one launch."""

import numpy as np
import pytest
import raf
from execute import models

CASES = {
    "lenet": {},
    "lstm": {},
    "clipped": {"optimizer": lambda: raf.optim.SGD(0.05, momentum=0.9, clip_norm=0.5)},
    "scaled": {"optimizer": lambda: raf.optim.AdamW(1e-3, clip_norm=0.5), "amp": "f16"},
    "codegen": {"libraries": ()},
}


def launches(made):
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    raw = program.manifest.raw
    return len(raw["ops"]) - raw["library_calls"], raw["memory"]["arena_bytes"]


@pytest.mark.parametrize("case", CASES)
def test_same_bits(case):
    options = dict(CASES[case])
    name = case if case in models.SMALL else "digits_cnn"
    make = options.pop("optimizer", lambda: "adamw")
    together = models.trainer(name, make(), threads=2, **options)
    apart = models.trainer(name, make(), threads=2, skip=["raf-merge-launches"], **options)
    np.testing.assert_array_equal(models.run(together, 3, name), models.run(apart, 3, name))
    for key, value in models.state(apart).items():
        np.testing.assert_array_equal(models.state(together)[key], value, err_msg=key)
    (few, arena), (many, bound) = launches(together), launches(apart)
    assert few < many
    assert arena <= bound


def test_all_updates_are_one_launch():
    made = models.trainer("resnet18", CASES["clipped"]["optimizer"](), threads=2, libraries=())
    apart = models.trainer("resnet18", CASES["clipped"]["optimizer"](), threads=2, libraries=(), skip=["raf-merge-launches"])
    saved = launches(apart)[0] - launches(made)[0]
    assert saved >= len(made.params) - 1
