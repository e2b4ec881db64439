# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The arena of a step against the most bytes that are alive at once, below which no plan can be, and against what the runtime allocates."""

import json
import os
import pathlib
import subprocess
import sys

import pytest
from execute import models

#: Trains a model of this folder in a process of its own: what the runtime has held at most and how often it allocated, after one step and after three, and what was planned and bound.
FRESH = """
import json, math, sys
import raf
from raf import _core
from execute import models
name, options = sys.argv[1], json.loads(sys.argv[2])
trainer = raf.compile(raf.import_onnx(models.proto(name)), loss="cross_entropy", optimizer="adamw", lazy=True, cache=False, **options)
batch = models.batch(name)
trainer.step(*batch)
first = _core.memory()
for _ in range(2):
    trainer.step(*batch)
(program,) = (p for (training, *_), p in trainer._programs.items() if training)
bound = {}
for arg in program.manifest.args:
    bound[arg.role] = bound.get(arg.role, 0) + math.prod(arg.shape) * arg.dtype.itemsize
print(json.dumps({"first": first, "last": _core.memory(), "plan": trainer.memory, "bound": bound}))
"""


@pytest.mark.parametrize("libraries", [(), ("dnnl",)], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("name", ["digits_mlp", "digits_cnn", "resnet18", "gpt", "lstm"])
def test_arena_is_near_the_lower_bound(name, libraries):
    made = models.trainer(name, "adamw", 2, libraries, threads=2)
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    memory = program.manifest.raw["memory"]
    assert memory["lower_bound"] <= memory["arena_bytes"] <= 1.03 * memory["lower_bound"]
    assert program.executable.arena_bytes == memory["arena_bytes"]


@pytest.mark.parametrize(
    "name, options", [("gpt", {}), ("resnet18", {}), ("lstm", {"libraries": []}), ("gpt", {"amp": "bf16"}), ("bert", {"memory_budget": 780_000})], ids=["gpt", "resnet18", "codegen", "amp", "budget"]
)
def test_measured_is_planned(name, options):
    """The runtime holds the arena that was planned, to the byte, from the first step on, and what is bound to the program is what the plan says."""
    environment = {**os.environ, "RAF_NUM_THREADS": "2", "PYTHONPATH": os.pathsep.join([str(pathlib.Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])}
    run = subprocess.run([sys.executable, "-c", FRESH, name, json.dumps(options)], capture_output=True, text=True, env=environment)
    assert run.returncode == 0, run.stderr
    seen = json.loads(run.stdout)
    plan, bound = seen["plan"], seen["bound"]
    assert seen["first"]["peak_bytes"] == seen["last"]["peak_bytes"] == seen["last"]["current_bytes"] == plan["arena_bytes"] > 0
    assert seen["first"]["allocations"] == seen["last"]["allocations"] == 1
    assert ("memory_budget" not in options) or plan["recomputed"] > 0
    for role, kind in (("param", "params"), ("state", "states"), ("buffer", "buffers")):
        assert bound.get(role, 0) == plan[kind]
    assert bound["input"] + bound["target"] == plan["inputs"]
