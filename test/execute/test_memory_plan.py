# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arena of a step against the most bytes that are alive at once, below which no plan can be, and against what the runtime allocates."""

import pytest
from execute import models


@pytest.mark.parametrize("libraries", [(), ("dnnl",)], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("name", ["digits_mlp", "digits_cnn", "resnet18", "gpt", "lstm"])
def test_arena_is_near_the_lower_bound(name, libraries):
    made = models.trainer(name, "adamw", 2, libraries, threads=2)
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    memory = program.manifest.raw["memory"]
    assert memory["lower_bound"] <= memory["arena_bytes"] <= 1.03 * memory["lower_bound"]
    assert program.executable.arena_bytes == memory["arena_bytes"]
