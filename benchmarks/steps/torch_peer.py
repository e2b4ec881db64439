# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The workloads in PyTorch, eager or compiled."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F
from torch import nn

from . import workloads as W

Batches = Sequence[W.Batch]

VERSION = torch.__version__


class Block(nn.Module):
    """ResNet's block: two convolutions, or with `widen` above 1 three of which the middle one is 3x3 and the last has so many times its channels."""

    def __init__(self, inputs: int, middle: int, stride: int, widen: int) -> None:
        super().__init__()
        outputs = middle * widen
        shapes = [(inputs, middle, 3, stride), (middle, outputs, 3, 1)] if widen == 1 else [(inputs, middle, 1, 1), (middle, middle, 3, stride), (middle, outputs, 1, 1)]
        self.count = len(shapes)
        for i, (before, after, kernel, step) in enumerate(shapes, 1):
            setattr(self, f"conv{i}", nn.Conv2d(before, after, kernel, step, kernel // 2, bias=False))
            setattr(self, f"bn{i}", nn.BatchNorm2d(after))
        shortcut = stride != 1 or inputs != outputs
        self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)) if shortcut else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = x
        for i in range(1, self.count + 1):
            y = getattr(self, f"bn{i}")(getattr(self, f"conv{i}")(F.relu(y) if i > 1 else y))
        return F.relu(y + self.downsample(x))


class ResNet(nn.Module):
    def __init__(self, widen: int) -> None:
        super().__init__()
        sizes = W.RESNET if widen == 1 else W.RESNET50
        width = sizes["width"]
        self.conv1, self.bn1 = nn.Conv2d(3, width, 7, 2, 3, bias=False), nn.BatchNorm2d(width)
        self.stages = len(sizes["blocks"])
        inputs = width
        for i, count in enumerate(sizes["blocks"]):
            middle = width << i
            blocks = [Block(middle * widen if block else inputs, middle, 2 if i and not block else 1, widen) for block in range(count)]
            setattr(self, f"layer{i + 1}", nn.Sequential(*blocks))
            inputs = middle * widen
        self.fc = nn.Linear(inputs, sizes["classes"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        for i in range(self.stages):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


class TransformerBlock(nn.Module):
    def __init__(self, width: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.fc1, self.fc2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x: torch.Tensor, causal: bool = True) -> torch.Tensor:
        batch, time, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, time, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=causal)
        x = x + self.proj(mixed.transpose(1, 2).reshape(batch, time, width))
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        width, heads, hidden = W.GPT["width"], W.GPT["heads"], W.GPT["hidden"]
        self.embed, self.position = nn.Embedding(W.GPT["vocabulary"], width), nn.Embedding(W.GPT["time"], width)
        self.blocks = nn.ModuleList(TransformerBlock(width, heads, hidden) for _ in range(W.GPT["layers"]))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, W.GPT["vocabulary"], bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens) + self.position.weight
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


class EncoderLayer(nn.Module):
    """BERT's layer, with the normalizations after the sums."""

    def __init__(self, width: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value, self.output = (nn.Linear(width, width) for _ in range(4))
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.fc1, self.fc2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        batch, time, width = x.shape
        q, k, v = (part(x).view(batch, time, self.heads, width // self.heads).transpose(1, 2) for part in (self.query, self.key, self.value))
        mixed = F.scaled_dot_product_attention(q, k, v, attn_mask=keep)
        x = self.norm1(self.output(mixed.transpose(1, 2).reshape(batch, time, width)) + x)
        return self.norm2(self.fc2(F.gelu(self.fc1(x))) + x)


class BERT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        width = W.BERT["width"]
        self.embeddings = nn.ModuleDict({"word": nn.Embedding(W.BERT["vocabulary"], width), "position": nn.Embedding(W.BERT["time"], width), "norm": nn.LayerNorm(width)})
        self.layer = nn.ModuleList(EncoderLayer(width, W.BERT["heads"], W.BERT["hidden"]) for _ in range(W.BERT["layers"]))
        self.pooler, self.classifier = nn.Linear(width, width), nn.Linear(width, W.BERT["classes"])

    def forward(self, tokens: torch.Tensor, keep: torch.Tensor) -> torch.Tensor:
        x = self.embeddings["norm"](self.embeddings["word"](tokens) + self.embeddings["position"].weight)
        mask = keep.bool()[:, None, None, :]
        for layer in self.layer:
            x = layer(x, mask)
        return self.classifier(torch.tanh(self.pooler(x[:, 0])))


class Position(nn.Module):
    """A learned vector for each place."""

    def __init__(self, places: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(places, width))


class ViT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        width, patch = W.VIT["width"], W.VIT["patch"]
        self.patch, self.position = nn.Conv2d(3, width, patch, patch), Position((W.VIT["size"] // patch) ** 2, width)
        self.blocks = nn.ModuleList(TransformerBlock(width, W.VIT["heads"], W.VIT["hidden"]) for _ in range(W.VIT["layers"]))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, W.VIT["classes"])

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patch(x).flatten(2).transpose(1, 2) + self.position.weight
        for block in self.blocks:
            x = block(x, causal=False)
        return self.head(self.norm(x).mean(1))


class LSTM(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.rnn, self.head = nn.LSTM(128, 256, batch_first=True), nn.Linear(256, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.head(self.rnn(x)[0][:, -1])


class MLP(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(64, 128), nn.Linear(128, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.fc2(F.relu(self.fc1(x)))


class CNN(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.conv2, self.fc = nn.Conv2d(1, 16, 3, padding=1), nn.Conv2d(16, 32, 3, padding=1), nn.Linear(32 * 49, 10)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        return self.fc(F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1))


MODELS: dict[str, Callable[[], nn.Module]] = {"mlp": MLP, "cnn": CNN, "resnet18": lambda: ResNet(1), "resnet50": lambda: ResNet(4), "gpt": GPT, "lstm": LSTM, "bert": BERT, "vit": ViT}


def _lstm_weight(name: str, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """ONNX has the gates in the order input, output, forget, cell and both biases in one tensor; PyTorch input, forget, cell, output."""
    kind = name.split(".")[1].removesuffix("_l0")
    if kind.startswith("bias"):
        packed = np.split(weights["rnn.bias"][0], 2)[kind == "bias_hh"]
    else:
        packed = weights[f"rnn.{kind}"][0]
    i, o, f, c = np.split(packed, 4)
    return np.concatenate([i, f, c, o])


def load(model: nn.Module, weights: Mapping[str, np.ndarray], transposed: set[str]) -> None:
    """Copies the ONNX file's weights. Linear has its matrix [out, in]."""
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if name.endswith("num_batches_tracked"):
                continue
            array = _lstm_weight(name, weights) if name.startswith("rnn.") else weights[name]
            value.copy_(torch.from_numpy(np.ascontiguousarray(array.T if name in transposed else array)))


def build(workload: Mapping[str, Any], mode: str, amp: str, weights: Mapping[str, np.ndarray], batches: Batches, threads: int, device: str = "cpu") -> Callable[[], Any]:
    """The step of a workload on the next batch; it returns the loss, which float() reads. `amp` is the element type of autocast, or "none"."""
    torch.set_num_threads(threads)
    model = MODELS[workload["model"]]()
    load(model, weights, set(workload["matrices"]["MatMul"]))
    model.to(device)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=W.LR, betas=(W.BETA1, W.BETA2), eps=W.EPSILON, weight_decay=W.WEIGHT_DECAY, foreach=mode == "foreach", fused=mode != "foreach"
    )
    turns = itertools.cycle([(tuple(torch.from_numpy(x).to(device) for x in inputs), torch.from_numpy(y).to(device)) for inputs, y in batches])
    low = {"none": None, "bf16": torch.bfloat16, "f16": torch.float16}[amp]

    def loss_of(inputs: tuple[torch.Tensor, ...], labels: torch.Tensor) -> torch.Tensor:
        if low is None:
            return F.cross_entropy(model(*inputs), labels)
        with torch.autocast(device, low):
            scores = model(*inputs)
        return F.cross_entropy(scores.float(), labels)

    forward = torch.compile(loss_of) if mode == "compile" else loss_of

    def step() -> torch.Tensor:
        loss = forward(*next(turns))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step
