# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is trained: an ONNX file with initial weights and a few batches, which all peers start from."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

#: AdamW as all peers have it.
LR, BETA1, BETA2, EPSILON, WEIGHT_DECAY = 1e-3, 0.9, 0.999, 1e-8, 0.01

#: Batches that are trained on in turn. A net soon knows one by heart: its gradients would end in denormal numbers, which some peers flush and others compute with slowly.
BATCHES = 16

# The decoder's sizes.
GPT = {"layers": 4, "width": 512, "heads": 8, "hidden": 2048, "vocabulary": 8192, "time": 128}


@dataclass(frozen=True)
class Workload:
    """`batch` gives an input and its labels; `options` are those of the model in raf.examples."""

    title: str
    model: str
    batch: Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]
    options: dict[str, Any]

    def write(self, name: str, folder: Path) -> None:
        """model.onnx, weights.npz, batches.npz (x0, y0, x1, ...) and workload.json in the folder."""
        import onnx
        from onnx import numpy_helper

        from raf import examples

        rng = np.random.default_rng(1)
        pairs = [self.batch(rng) for _ in range(BATCHES)]
        model = examples.MODELS[self.model](seed=0, **self.options)
        onnx.save(model, folder / "model.onnx")
        np.savez(folder / "weights.npz", **{t.name: numpy_helper.to_array(t) for t in model.graph.initializer if not t.name.startswith("const_")})
        np.savez(folder / "batches.npz", **{f"{name}{i}": array for i, pair in enumerate(pairs) for name, array in zip("xy", pair)})
        (folder / "workload.json").write_text(json.dumps({"name": name, "input": model.graph.input[0].name}))


def read_batches(folder: Path) -> list[tuple[np.ndarray, np.ndarray]]:
    with np.load(folder / "batches.npz") as file:
        return [(file[f"x{i}"], file[f"y{i}"]) for i in range(BATCHES)]


def _images(batch: int, channels: int, size: int, classes: int) -> Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]:
    return lambda r: (r.standard_normal((batch, channels, size, size), np.float32), r.integers(0, classes, batch))


def _vectors(*shape: int) -> Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]:
    return lambda r: (r.standard_normal(shape, np.float32), r.integers(0, 10, shape[0]))


def _tokens(r: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    time, vocabulary = GPT["time"], GPT["vocabulary"]
    return r.integers(0, vocabulary, (8, time)), r.integers(0, vocabulary, 8 * time)


WORKLOADS = {
    "mlp": Workload("64-128-10, batch 32", "mlp", _vectors(32, 64), {}),
    "cnn": Workload("2 convolutions on 28x28, batch 64", "cnn", _images(64, 1, 28, 10), {}),
    "resnet18": Workload("ResNet-18 on 112x112, batch 8", "resnet18", _images(8, 3, 112, 1000), {"size": 112}),
    "gpt": Workload("decoder, 4 layers of 512, vocabulary 8192, batch 8 x 128", "gpt", _tokens, GPT),
    "lstm": Workload("LSTM 128 -> 256, batch 32 x 32", "lstm", _vectors(32, 32, 128), {}),
}
