# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every two options that change how a step is computed, together: five steps have the losses of level 0 in f32."""

import itertools

import numpy as np
import pytest
from execute import models
from execute.test_opt_levels import LOSS, reference

#: What each option adds to those of `raf.compile`.
OPTIONS = {
    "amp": {"amp": "bf16"},
    "no-fusion": {"skip": ["raf-fuse"]},
    "no-layout": {"skip": ["raf-layout"]},
    "measured": {"dispatch": "measure"},
    "codegen": {"libraries": ()},
}
MODELS = ("digits_mlp", "digits_cnn", "bert", "gpt", "lstm")
STEPS = 5


def together(names):
    """The options of raf.compile for several of them."""
    found = {}
    for option in (OPTIONS[name] for name in names):
        for key, value in option.items():
            found[key] = [*found.get(key, ()), *value] if key == "skip" else value
    return found


@pytest.mark.parametrize("pair", list(itertools.combinations(OPTIONS, 2)), ids="+".join)
@pytest.mark.parametrize("name", MODELS)
def test_losses(name, pair):
    expected, _ = reference(name, "adamw")
    made = models.trainer(name, "adamw", **together(pair))
    np.testing.assert_allclose(models.run(made, STEPS, name), expected, rtol=2e-2 if "amp" in pair else LOSS)
