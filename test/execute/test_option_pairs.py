# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every two options that change how a step is computed, together: five steps have the losses of level 0 in f32."""

import itertools
import re

import numpy as np
import pytest
import raf
from execute import models
from execute.harness import TARGET
from execute.test_opt_levels import LOSS, reference
from execute.test_rematerialization import CLASSES

#: What each option adds to those of `raf.compile`.
OPTIONS = {
    "amp": {"amp": "bf16"},
    "no-fusion": {"skip": ["raf-fuse"]},
    "no-layout": {"skip": ["raf-layout"]},
    **({"measured": {"dispatch": "measure"}} if TARGET == "cpu" else {"streams": {"streams": 4}}),
    "codegen": {"libraries": ()},
    "remat": {"memory_budget": 1},  # a budget between the least and what the step takes without one
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


def trainer(name, options):
    """A trainer with these options; a budget of memory is in the middle of those that make a difference."""
    if "memory_budget" not in options:
        return models.trainer(name, "adamw", **options)
    with pytest.raises(raf.CompileError) as caught:
        models.trainer(name, "adamw", **options)
    least = int(re.search(r"a budget of at least (\d+)", str(caught.value))[1])
    free = models.trainer(name, "adamw", **{k: v for k, v in options.items() if k != "memory_budget"})
    held = sum(free.memory[c] for c in CLASSES)
    made = models.trainer(name, "adamw", **{**options, "memory_budget": (least + held) // 2})
    assert sum(made.memory[c] for c in CLASSES) <= (least + held) // 2 or least >= held
    return made


@pytest.mark.parametrize("pair", list(itertools.combinations(OPTIONS, 2)), ids="+".join)
@pytest.mark.parametrize("name", MODELS)
def test_losses(name, pair):
    expected, _ = reference(name, "adamw")
    made = trainer(name, together(pair))
    np.testing.assert_allclose(models.run(made, STEPS, name), expected, rtol=2e-2 if "amp" in pair else LOSS)
