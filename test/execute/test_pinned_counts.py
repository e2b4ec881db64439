# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The number of kernels, their launches and library calls of each small model's step, and the bytes of its arena, are those of pinned_counts.json: a lost fusion, a lost
library call or a larger arena fails. A change that is meant is written down by `python test/execute/test_pinned_counts.py`, to be committed with its cause.

Bytes of oneDNN's scratch memory depend on the processor and are left out."""

import json
import pathlib
import sys

import pytest

if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from execute import models  # noqa: E402

pytestmark = pytest.mark.cpu_only("the counts are those of the CPU's pipeline")

PINS = pathlib.Path(__file__).with_name("pinned_counts.json")
LIBRARIES = {"codegen": (), "dnnl": ("dnnl",)}


def counts(name, libraries):
    # The number of threads decides how sums are shared out.
    made = models.trainer(name, "adamw", 2, LIBRARIES[libraries], threads=2)
    (program,) = (p for (training, *_), p in made._programs.items() if training)
    raw = program.manifest.raw
    result = {"kernels": len(raw["kernels"]), "launches": len(raw["ops"]) - raw["library_calls"], "library_calls": raw["library_calls"]}
    if libraries == "codegen":
        result["arena_bytes"] = raw["memory"]["arena_bytes"]
    return result


@pytest.mark.parametrize("libraries", LIBRARIES)
@pytest.mark.parametrize("name", models.SMALL)
def test_counts(name, libraries):
    pinned = json.loads(PINS.read_text())[name][libraries]
    assert counts(name, libraries) == pinned, f"if this is meant: python {pathlib.Path(__file__).name}"


def test_every_model_is_pinned():
    assert set(json.loads(PINS.read_text())) == set(models.SMALL)


def update():
    pins = {name: {libraries: counts(name, libraries) for libraries in LIBRARIES} for name in models.SMALL}
    before = json.loads(PINS.read_text()) if PINS.exists() else {}
    for name, entry in pins.items():
        if before.get(name) != entry:
            print(f"{name}: {before.get(name)} -> {entry}")
    PINS.write_text(json.dumps(pins, indent=2) + "\n")


if __name__ == "__main__":
    update()
