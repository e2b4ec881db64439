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

# The sizes of the residual nets and the transformers.
RESNET = {"width": 64, "classes": 1000, "blocks": (2, 2, 2, 2)}
RESNET50 = {"width": 64, "classes": 1000, "blocks": (3, 4, 6, 3)}
GPT = {"layers": 4, "width": 512, "heads": 8, "hidden": 2048, "vocabulary": 8192, "time": 128}
BERT = {"layers": 12, "width": 768, "heads": 12, "hidden": 3072, "vocabulary": 30522, "time": 128, "classes": 2}
VIT = {"layers": 12, "width": 192, "heads": 3, "hidden": 768, "size": 224, "patch": 16, "classes": 1000}

#: Inputs and labels.
Batch = tuple[tuple[np.ndarray, ...], np.ndarray]


@dataclass(frozen=True)
class Workload:
    """`batch` gives the inputs and their labels; `options` are those of the model in raf.examples."""

    title: str
    model: str
    batch: Callable[[np.random.Generator], Batch]
    options: dict[str, Any]

    def write(self, folder: Path) -> None:
        """In the folder: model.onnx, weights.npz, batches.npz, and workload.json, which says which matrices are stored [out, in] (those of Gemm; those of MatMul are [in, out])."""
        import onnx
        from onnx import numpy_helper

        from raf import examples

        rng = np.random.default_rng(1)
        batches = [self.batch(rng) for _ in range(BATCHES)]
        model = examples.MODELS[self.model](seed=0, **self.options)
        onnx.save(model, folder / "model.onnx")
        np.savez(folder / "weights.npz", **{t.name: numpy_helper.to_array(t) for t in model.graph.initializer if not t.name.startswith("const_")})
        arrays = {f"x{i}_{k}": x for i, (inputs, _) in enumerate(batches) for k, x in enumerate(inputs)}
        np.savez(folder / "batches.npz", **arrays, **{f"y{i}": labels for i, (_, labels) in enumerate(batches)})
        matrices = {op: sorted({node.input[1] for node in model.graph.node if node.op_type == op}) for op in ("Gemm", "MatMul")}
        (folder / "workload.json").write_text(json.dumps({"model": self.model, "inputs": len(batches[0][0]), "matrices": matrices}))


def read_batches(folder: Path) -> list[Batch]:
    inputs = json.loads((folder / "workload.json").read_text())["inputs"]
    with np.load(folder / "batches.npz") as file:
        return [(tuple(file[f"x{i}_{k}"] for k in range(inputs)), file[f"y{i}"]) for i in range(BATCHES)]


def _images(batch: int, channels: int, size: int, classes: int) -> Callable[[np.random.Generator], Batch]:
    return lambda r: ((r.standard_normal((batch, channels, size, size), np.float32),), r.integers(0, classes, batch))


def _vectors(*shape: int) -> Callable[[np.random.Generator], Batch]:
    return lambda r: ((r.standard_normal(shape, np.float32),), r.integers(0, 10, shape[0]))


def _tokens(r: np.random.Generator) -> Batch:
    time, vocabulary = GPT["time"], GPT["vocabulary"]
    return (r.integers(0, vocabulary, (8, time)),), r.integers(0, vocabulary, 8 * time)


def _sentences(r: np.random.Generator) -> Batch:
    """Of different lengths: at least half of the positions are kept."""
    time = BERT["time"]
    keep = np.arange(time) < r.integers(time // 2, time + 1, (4, 1))
    return (r.integers(0, BERT["vocabulary"], (4, time)), keep.astype(np.int64)), r.integers(0, BERT["classes"], 4)


WORKLOADS = {
    "mlp": Workload("64-128-10, batch 32", "mlp", _vectors(32, 64), {}),
    "cnn": Workload("2 convolutions on 28x28, batch 64", "cnn", _images(64, 1, 28, 10), {}),
    "resnet18": Workload("ResNet-18 on 112x112, batch 8", "resnet18", _images(8, 3, 112, 1000), {"size": 112}),
    "gpt": Workload("decoder, 4 layers of 512, vocabulary 8192, batch 8 x 128", "gpt", _tokens, GPT),
    "lstm": Workload("LSTM 128 -> 256, batch 32 x 32", "lstm", _vectors(32, 32, 128), {}),
    "bert-base": Workload("BERT-base, batch 4 x 128", "bert", _sentences, BERT),
    "vit-tiny": Workload("ViT-Ti/16 on 224x224, batch 8", "vit", _images(8, 3, 224, 1000), VIT),
}
