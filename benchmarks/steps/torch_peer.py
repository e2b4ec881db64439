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

Batches = Sequence[tuple[np.ndarray, np.ndarray]]

VERSION = torch.__version__


class Block(nn.Module):
    """ResNet's basic block."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        shortcut = stride != 1 or inputs != outputs
        self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs)) if shortcut else nn.Identity()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.relu(self.bn1(self.conv1(x)))
        return F.relu(self.bn2(self.conv2(y)) + self.downsample(x))


class ResNet18(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(3, 64, 7, 2, 3, bias=False), nn.BatchNorm2d(64)
        self.stages = 4
        inputs = 64
        for i in range(self.stages):
            outputs = 64 << i
            setattr(self, f"layer{i + 1}", nn.Sequential(Block(inputs, outputs, 2 if i else 1), Block(outputs, outputs, 1)))
            inputs = outputs
        self.fc = nn.Linear(inputs, 1000)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.max_pool2d(F.relu(self.bn1(self.conv1(x))), 3, 2, 1)
        for i in range(self.stages):
            x = getattr(self, f"layer{i + 1}")(x)
        return self.fc(x.mean((2, 3)))


class DecoderBlock(nn.Module):
    def __init__(self, width: int, heads: int, hidden: int) -> None:
        super().__init__()
        self.heads = heads
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.proj = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.fc1, self.fc2 = nn.Linear(width, hidden), nn.Linear(hidden, width)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        batch, time, width = x.shape
        q, k, v = self.qkv(self.norm1(x)).view(batch, time, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + self.proj(mixed.transpose(1, 2).reshape(batch, time, width))
        return x + self.fc2(F.gelu(self.fc1(self.norm2(x))))


class GPT(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        width, heads, hidden = W.GPT["width"], W.GPT["heads"], W.GPT["hidden"]
        self.embed, self.position = nn.Embedding(W.GPT["vocabulary"], width), nn.Embedding(W.GPT["time"], width)
        self.blocks = nn.ModuleList(DecoderBlock(width, heads, hidden) for _ in range(W.GPT["layers"]))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, W.GPT["vocabulary"], bias=False)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        x = self.embed(tokens) + self.position.weight
        for block in self.blocks:
            x = block(x)
        return self.head(self.norm(x)).flatten(0, 1)


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


MODELS: dict[str, type[nn.Module]] = {"mlp": MLP, "cnn": CNN, "resnet18": ResNet18, "gpt": GPT, "lstm": LSTM}


def _lstm_weight(name: str, weights: Mapping[str, np.ndarray]) -> np.ndarray:
    """ONNX has the gates in the order input, output, forget, cell and both biases in one tensor; PyTorch input, forget, cell, output."""
    kind = name.split(".")[1].removesuffix("_l0")
    if kind.startswith("bias"):
        packed = np.split(weights["rnn.bias"][0], 2)[kind == "bias_hh"]
    else:
        packed = weights[f"rnn.{kind}"][0]
    i, o, f, c = np.split(packed, 4)
    return np.concatenate([i, f, c, o])


def load(model: nn.Module, weights: Mapping[str, np.ndarray]) -> None:
    """Copies the ONNX file's weights. A matrix of MatMul is the transpose of Linear's."""
    with torch.no_grad():
        for name, value in model.state_dict().items():
            if name.endswith("num_batches_tracked"):
                continue
            array = _lstm_weight(name, weights) if name.startswith("rnn.") else weights[name]
            is_matmul = isinstance(model, GPT) and array.ndim == 2 and name.split(".")[-2] in ("qkv", "proj", "fc1", "fc2", "head")
            value.copy_(torch.from_numpy(np.ascontiguousarray(array.T if is_matmul else array)))


def build(name: str, mode: str, weights: Mapping[str, np.ndarray], batches: Batches, threads: int) -> Callable[[], Any]:
    """The step of a workload on the next batch; it returns the loss, which float() reads."""
    torch.set_num_threads(threads)
    model = MODELS[name]()
    load(model, weights)
    optimizer = torch.optim.AdamW(
        model.parameters(), lr=W.LR, betas=(W.BETA1, W.BETA2), eps=W.EPSILON, weight_decay=W.WEIGHT_DECAY, foreach=mode == "foreach", fused=mode != "foreach"
    )
    turns = itertools.cycle([(torch.from_numpy(x), torch.from_numpy(y)) for x, y in batches])

    def loss_of(inputs: torch.Tensor, labels: torch.Tensor) -> torch.Tensor:
        return F.cross_entropy(model(inputs), labels)

    forward = torch.compile(loss_of) if mode == "compile" else loss_of

    def step() -> torch.Tensor:
        loss = forward(*next(turns))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step
