# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What gpu_check.py compiles and runs. Weights and batches follow from names and seeds, so that a folder of executables needs none of them."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from steps import workloads as W


@dataclass(frozen=True)
class Model:
    """A model of raf.examples with its peers' sizes. `amp` is the type of its products in the timed step, or none."""

    model: str
    options: dict[str, Any]
    batch: Callable[[np.random.Generator], W.Batch]
    amp: str | None = None


def _images(batch: int, channels: int, size: int, classes: int) -> Callable[[np.random.Generator], W.Batch]:
    return lambda r: ((r.standard_normal((batch, channels, size, size), np.float32),), r.integers(0, classes, batch))


def _tokens(batch: int, time: int, vocabulary: int) -> Callable[[np.random.Generator], W.Batch]:
    return lambda r: ((r.integers(0, vocabulary, (batch, time)),), r.integers(0, vocabulary, batch * time))


def _sentences(batch: int, time: int, vocabulary: int, classes: int) -> Callable[[np.random.Generator], W.Batch]:
    def make(r: np.random.Generator) -> W.Batch:
        keep = np.arange(time) < r.integers(time // 2, time + 1, (batch, 1))
        return (r.integers(0, vocabulary, (batch, time)), keep.astype(np.int64)), r.integers(0, classes, batch)

    return make


def _gpt(layers: int, width: int, heads: int, vocabulary: int, time: int, batch: int, amp: str | None = None) -> Model:
    return Model("gpt", {"layers": layers, "width": width, "heads": heads, "hidden": 4 * width, "vocabulary": vocabulary, "time": time}, _tokens(batch, time, vocabulary), amp)


def _bert(layers: int, width: int, heads: int, vocabulary: int, time: int, batch: int, amp: str | None = None) -> Model:
    sizes = {"layers": layers, "width": width, "heads": heads, "hidden": 4 * width, "vocabulary": vocabulary, "time": time, "classes": 2}
    return Model("bert", sizes, _sentences(batch, time, vocabulary, 2), amp)


def _resnet(kind: str, size: int, width: int, classes: int, batch: int, amp: str | None = None, **blocks: Any) -> Model:
    return Model(kind, {"size": size, "width": width, "classes": classes, **blocks}, _images(batch, 3, size, classes), amp)


def _lstm(batch: int, time: int) -> Model:
    return Model("lstm", {"time": time}, lambda r: ((r.standard_normal((batch, time, 128), np.float32),), r.integers(0, 10, batch)))


def _mlp(batch: int) -> Model:
    return Model("mlp", {}, lambda r: ((r.standard_normal((batch, 64), np.float32),), r.integers(0, 10, batch)))


#: Trained for some steps and compared, in f32.
COMPARED = {
    "mlp": _mlp(256),
    "cnn": Model("cnn", {}, _images(64, 1, 28, 10)),
    "resnet18": _resnet("resnet18", 64, 64, 100, 32),
    "lstm": _lstm(32, 32),
    "bert": _bert(2, 256, 4, 1000, 64, 8),
    "gpt": _gpt(2, 256, 4, 1000, 128, 4),
}
#: Trained, compared and timed.
TIMED = {
    "gpt2-small": _gpt(12, 768, 12, 50257, 1024, 8, "bf16"),
    "bert-base": _bert(12, 768, 12, 30522, 128, 32, "bf16"),
    "resnet50": _resnet("resnet50", 224, 64, 1000, 64, "bf16"),
}
SMALL_COMPARED = {
    "mlp": _mlp(8),
    "cnn": Model("cnn", {}, _images(2, 1, 28, 10)),
    "resnet18": _resnet("resnet18", 32, 4, 4, 4),
    "lstm": _lstm(2, 3),
    "bert": _bert(1, 16, 2, 30, 8, 2),
    "gpt": _gpt(1, 16, 2, 30, 8, 2),
}
SMALL_TIMED = {
    "gpt2-small": _gpt(1, 16, 2, 30, 8, 2, "bf16"),
    "bert-base": _bert(1, 16, 2, 30, 8, 2, "bf16"),
    "resnet50": _resnet("resnet50", 32, 4, 4, 4, "bf16", blocks=(1, 1)),
}


def timed(small: bool) -> dict[str, Model]:
    return SMALL_TIMED if small else TIMED


def models(small: bool) -> dict[str, Model]:
    """All of them; a name that is in both lists would be one folder."""
    return {**SMALL_COMPARED, **SMALL_TIMED} if small else {**COMPARED, **TIMED}


BATCHES = 4


def batches(model: Model) -> list[W.Batch]:
    rng = np.random.default_rng(1)
    return [model.batch(rng) for _ in range(BATCHES)]


def weight(name: str, shape: Sequence[int]) -> np.ndarray:
    """The initial value of a parameter or running statistic: norms do nothing, matrices keep the size of what they multiply."""
    kind = name.rpartition(".")[2]
    if kind == "running_var" or (len(shape) == 1 and kind == "weight"):
        return np.ones(shape, np.float32)
    if len(shape) < 2:
        return np.zeros(shape, np.float32)
    rng = np.random.default_rng(zlib.crc32(name.encode()))
    fan = np.prod(shape[1:]) if len(shape) == 4 else min(shape[-2:])
    scale = 0.02 if "embed" in name or "position" in name else float(fan) ** -0.5
    return rng.standard_normal(shape, np.float32) * np.float32(scale)


@dataclass(frozen=True)
class Family:
    """A program of one family of ops: %a, %b ... are the operands, %y0 ... the results, {a} and {y0} their types. `reference` computes the same with PyTorch in f64; what differs
    by more than `tolerance`, relative to the value or to the largest value, is wrong."""

    family: str
    text: str
    operands: Mapping[str, tuple[int, ...]]
    results: Sequence[tuple[int, ...]]
    reference: Callable[..., Any]
    tolerance: float = 1e-5


def operand(family: str, name: str, letter: str, shape: tuple[int, ...]) -> np.ndarray:
    """Integers, indices below 16, are those of the letters from i on; %v is positive."""
    rng = np.random.default_rng(zlib.crc32(f"{family}/{name}/{letter}".encode()))
    if letter >= "i" and letter < "p":
        return rng.integers(0, 16, shape)
    return (np.abs if letter == "v" else np.asarray)(rng.standard_normal(shape, np.float32))


def families(small: bool) -> dict[str, Family]:
    r, c, batch, heads = (24, 40, 2, 2) if small else (4096, 1024, 16, 12)
    size, channels, time, width = (8, 4, 16, 8) if small else (56, 64, 512, 64)
    image, kernel, half = (batch, channels, size, size), (channels, channels, 3, 3), (batch, channels, size // 2, size // 2)
    attended = (batch, heads, time, width)
    window = "strides = [1, 1] pad_low = [1, 1] pad_high = [1, 1] dilations = [1, 1] groups = 1 layout = channels_first"
    pool = "strides = [2, 2] pad_low = {0} pad_high = {1} dilations = [1, 1] layout = channels_first"
    indices = "x".join(map(str, half)) + "xi32"
    decoupled = "beta1 = 0.9 beta2 = 0.99 epsilon = 1.0e-8 weight_decay = 0.1 decoupled"

    def torch() -> Any:
        import torch as module

        return module

    def F() -> Any:
        return torch().nn.functional

    def adam(p: Any, g: Any, m: Any, v: Any) -> tuple[Any, Any, Any]:
        m, v = 0.9 * m + 0.1 * g, 0.99 * v + 0.01 * g * g
        return p * (1 - 1e-3 * 0.1) - 1e-3 * (m / (1 - 0.9**3)) / ((v / (1 - 0.99**3)).sqrt() + 1e-8), m, v

    half_type = lambda *shape: "tensor<" + "".join(f"{d}x" for d in shape) + "bf16>"
    last, rows, theirs = (batch, size, size, 8), half_type(*attended), '{{raf.dispatch = ["cudnn"]}}'
    narrow = lambda letters, kind: "".join(f"%n{x} = raf.cast %{x} : {{{x}}} to {kind}\n  " for x in letters)

    def causal(a: Any) -> Any:
        return a.masked_fill(torch().ones(time, time, device=a.device, dtype=torch().bool).triu(1), -float("inf"))

    wide = {"a": (r, c)}
    return {
        # What cuDNN has beside convolutions is taken from it only where that is asked for.
        "cudnn_attention": Family("contraction", narrow("abc", rows) + f"%z, %y1 = raf.attention %na, %nb, %nc scale = 0.125 causal {theirs} : ({rows}, {rows}, {rows}) -> ({rows}, {{y1}})\n  "
                                  f"%y0 = raf.cast %z : {rows} to {{y0}}", dict.fromkeys("abc", attended), [attended, attended[:3]],
                                  lambda q, k, v: (causal(0.125 * q @ k.mT).softmax(-1) @ v, causal(0.125 * q @ k.mT).logsumexp(-1)), 2e-2),
        "cudnn_conv": Family("conv", narrow("a", half_type(*last)) + narrow("b", half_type(8, 8, 3, 3)) + narrow("c", half_type(8)) + "%z = raf.conv %na, %nb strides = [1, 1] pad_low = [1, 1] "
                             f"pad_high = [1, 1] dilations = [1, 1] layout = channels_last {theirs} : ({half_type(*last)}, {half_type(8, 8, 3, 3)}) -> {half_type(*last)}\n  "
                             f"%w = raf.broadcast %nc dims = [3] : {half_type(8)} to {half_type(*last)}\n  %x = raf.add %z, %w : {half_type(*last)}\n  "
                             f"%u = raf.silu %x : {half_type(*last)}\n  %y0 = raf.cast %u : {half_type(*last)} to {{y0}}", {"a": last, "b": (8, 8, 3, 3), "c": (8,)}, [last],
                             lambda a, b, c_: F().silu(F().conv2d(a.movedim(3, 1), b, c_, padding=1)).movedim(1, 3), 2e-2),
        "cudnn_max_pool": Family("pool", "%y0, %i = raf.max_pool %a kernel = [2, 2] strides = [2, 2] pad_low = [0, 0] pad_high = [0, 0] dilations = [1, 1] layout = channels_last "
                                 f"{theirs} : ({{a}}) -> ({{y0}}, tensor<{batch}x{size // 2}x{size // 2}x8xi32>)", {"a": last}, [(batch, size // 2, size // 2, 8)],
                                 lambda a: F().max_pool2d(a.movedim(3, 1), 2).movedim(1, 3)),
        "cudnn_batch_norm": Family("norm", f"%y0, %m, %s, %y1, %y2 = raf.batch_norm %a, %b, %c, %d, %v axis = 3 epsilon = 1.0e-5 momentum = 0.9 {theirs} : ({{a}}, {{b}}, {{c}}, {{d}}, {{v}}) -> "
                                   "({y0}, {b}, {b}, {y1}, {y2})", {"a": last, **dict.fromkeys("bcdv", (8,))}, [last, (8,), (8,)],
                                   lambda a, b, c_, d, v: (F().batch_norm(a.movedim(3, 1), None, None, b, c_, True, 0.1, 1e-5).movedim(1, 3), a.mean((0, 1, 2)),
                                                           (a.var((0, 1, 2), correction=0) + 1e-5).rsqrt())),
        "gelu": Family("elementwise", "%g = raf.gelu erf %a : {a}\n  %t = raf.tanh %b : {b}\n  %y0 = raf.mul %g, %t : {a}", {"a": (r, c), "b": (r, c)}, [(r, c)],
                       lambda a, b: F().gelu(a) * b.tanh()),
        "sum_rows": Family("reduction", "%y0 = raf.reduce sum %a dims = [1] : {a} -> {y0}", wide, [(r,)], lambda a: a.sum(1)),
        "sum_columns": Family("reduction", "%y0 = raf.reduce sum %a dims = [0] : {a} -> {y0}", wide, [(c,)], lambda a: a.sum(0)),
        "max_all": Family("reduction", "%y0 = raf.reduce max %a dims = [0, 1] : {a} -> {y0}", wide, [()], lambda a: a.max()),
        "matmul": Family("contraction", "%y0 = raf.matmul %a, %b transpose_rhs : {a}, {b} -> {y0}", {"a": (r, c), "b": (r // 2, c)}, [(r, r // 2)], lambda a, b: a @ b.T),
        "batched": Family("contraction", "%y0 = raf.matmul %a, %b : {a}, {b} -> {y0}", {"a": (*attended[:2], time, width), "b": (*attended[:2], width, time)}, [(*attended[:2], time, time)],
                          lambda a, b: a @ b),
        "attention": Family("contraction", "%y0, %y1 = raf.attention %a, %b, %c scale = 0.125 causal : ({a}, {b}, {c}) -> ({y0}, {y1})",
                            dict.fromkeys("abc", attended), [attended, attended[:3]],
                            lambda q, k, v: (F().scaled_dot_product_attention(q, k, v, is_causal=True, scale=0.125),
                                             (0.125 * q @ k.mT).masked_fill(torch().ones(time, time, device=q.device, dtype=torch().bool).triu(1), -float("inf")).logsumexp(-1))),
        "conv": Family("conv", f"%y0 = raf.conv %a, %b {window} : ({{a}}, {{b}}) -> {{y0}}", {"a": image, "b": kernel}, [image], lambda a, b: F().conv2d(a, b, padding=1)),
        "conv_input_grad": Family("conv", f"%y0 = raf.conv_input_grad %a, %b {window} : ({{a}}, {{b}}) -> {{y0}}", {"a": image, "b": kernel}, [image],
                                  lambda a, b: torch().nn.grad.conv2d_input(image, b, a, padding=1)),
        "conv_weight_grad": Family("conv", f"%y0 = raf.conv_weight_grad %a, %b {window} : ({{a}}, {{b}}) -> {{y0}}", {"a": image, "b": image}, [kernel],
                                   lambda a, b: torch().nn.grad.conv2d_weight(a, kernel, b, padding=1)),
        "max_pool": Family("pool", f"%y0, %i = raf.max_pool %a kernel = [3, 3] {pool.format([1, 1], [0, 0])} : ({{a}}) -> ({{y0}}, tensor<{indices}>)", {"a": image}, [half],
                           lambda a: F().max_pool2d(a, 3, 2, 1)),
        "avg_pool": Family("pool", f"%y0 = raf.avg_pool %a kernel = [2, 2] {pool.format([0, 0], [0, 0])} : ({{a}}) -> ({{y0}})", {"a": image}, [half], lambda a: F().avg_pool2d(a, 2)),
        "softmax": Family("norm", "%y0 = raf.softmax %a axis = 1 : {a}", wide, [(r, c)], lambda a: a.softmax(1)),
        "layer_norm": Family("norm", "%y0, %y1, %y2 = raf.layer_norm %a, %b, %c axis = 1 epsilon = 1.0e-5 : ({a}, {b}, {c}) -> ({y0}, {y1}, {y2})", {"a": (r, c), "b": (c,), "c": (c,)},
                             [(r, c), (r,), (r,)], lambda a, b, c_: (F().layer_norm(a, (c,), b, c_), a.mean(1), (a.var(1, correction=0) + 1e-5).rsqrt())),
        "batch_norm": Family("norm", "%y0, %y1, %y2, %m, %s = raf.batch_norm %a, %b, %c, %d, %v axis = 1 epsilon = 1.0e-5 momentum = 0.9 : ({a}, {b}, {c}, {d}, {v}) -> ({y0}, {y1}, {y2}, {b}, {b})",
                             {"a": image, **dict.fromkeys("bcdv", (channels,))}, [image, (channels,), (channels,)],
                             lambda a, b, c_, d, v: (F().batch_norm(a, None, None, b, c_, True, 0.1, 1e-5), 0.9 * d + 0.1 * a.mean((0, 2, 3)), 0.9 * v + 0.1 * a.var((0, 2, 3), correction=0))),
        "gather": Family("indexing", "%y0 = raf.gather %a, %i axis = 0 : {a}, {i} -> {y0}", {"a": (r, c), "i": (r,)}, [(r, c)], lambda a, i: a[i]),
        "scatter_add": Family("indexing", "%y0 = raf.scatter_add %a, %i, %b axis = 0 : {a}, {i}, {b}", {"a": (r, c), "i": (r,), "b": (r, c)}, [(r, c)], lambda a, i, b: a.index_add(0, i, b)),
        "transpose": Family("shape", "%t = raf.transpose %a permutation = [1, 0] : {a} -> {y0}\n  %y0 = raf.neg %t : {y0}", wide, [(c, r)], lambda a: -a.T),
        "concat": Family("shape", "%y0 = raf.concat %a, %b axis = 1 : ({a}, {b}) -> {y0}", {"a": (r, c), "b": (r, c)}, [(r, 2 * c)], lambda a, b: torch().cat([a, b], 1)),
        "cross_entropy": Family("loss", "%y0, %y1 = raf.cross_entropy %a, %i ignore_index = -1 label_smoothing = 0.0 : {a}, {i} -> {y0}, {y1}", {"a": (r, c), "i": (r,)}, [(), (r,)],
                                lambda a, i: (F().cross_entropy(a, i), a.logsumexp(1))),
        "adamw": Family("optimizer", "%l = raf.constant dense<1.0e-3> : tensor<f32>\n  %n = raf.constant dense<3> : tensor<i64>\n  "
                        f"%y0, %y1, %y2 = raf.adam_update %a, %b, %c, %v, %l, %n {decoupled} : ({{a}}, {{b}}, {{c}}, {{v}}, tensor<f32>, tensor<i64>) -> ({{a}}, {{a}}, {{a}})",
                        dict.fromkeys("abcv", (r, c)), [(r, c)] * 3, adam),
    }  # fmt: skip
