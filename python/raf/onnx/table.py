# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of docs/onnx.md: `python -m raf.onnx.table`."""

from __future__ import annotations

from .fold import FOLDABLE
from .ops import HANDLERS

#: What of an op is refused.
LIMITS = {
    "Attention": "past and present keys, softcap, the scores as an output",
    "Cast": "string and 8-bit floating-point types",
    "CastLike": "string and 8-bit floating-point types",
    "ConvTranspose": "output padding of the stride or more",
    "Dropout": "the mask output",
    "Einsum": "a repeated index in one operand",
    "GRU": "clip, sequences of different lengths",
    "GroupNormalization": "opsets 18 to 20 (deprecated by the standard)",
    "If": "conditions that depend on data",
    "LSTM": "clip, input_forget, sequences of different lengths",
    "Loop": "numbers of steps that depend on data, more than 50,000 nodes when unrolled",
    "LpNormalization": "p other than 1 and 2",
    "MaxPool": "the indices output",
    "Mod": "floating-point operands without fmod",
    "Pad": "reflection by the size or more",
    "Pow": "integer bases with an exponent that is no constant",
    "RNN": "clip, sequences of different lengths",
    "Resize": "cubic mode, antialias, crops, keep_aspect_ratio_policy",
    "ScatterElements": "without reduction=add: indices that are no constants or name a place twice; reductions other than add",
    "ScatterND": "as ScatterElements",
    "SoftmaxCrossEntropyLoss": "weights, reductions other than mean",
    "ZipMap": "gives the probabilities as a tensor",
    "MultiHeadAttention": "packed inputs, padding masks, past and present keys",
}

_FAMILIES = {
    "elementwise": "Arithmetic, logic, activations", "contraction": "Products", "attention": "Attention", "conv": "Convolution", "pool": "Pooling", "norm": "Normalization, softmax, loss",
    "reduction": "Reductions", "shape": "Shape", "indexing": "Indexing", "recurrent": "Recurrent", "control": "Control flow", "sequence": "Sequences", "classic": "Around scikit-learn's nets"}


def rows() -> list[tuple[str, str, str]]:
    """(family, ops, what is refused), in the order of the families."""
    ops: dict[str, set[tuple[str, str]]] = {}
    for (domain, op), handler in HANDLERS.items():
        ops.setdefault(handler.__module__.rsplit(".", 1)[1], set()).add((domain, op))
    found = []
    for family, title in _FAMILIES.items():
        names = sorted(ops.pop(family), key=lambda key: (key[1], key[0]))
        plain = [op for domain, op in names if not domain]
        others = [f"{domain}::{op}" for domain, op in names if domain and (op not in plain or domain == "ai.onnx.ml")]
        limits = [f"{op}: {LIMITS[op]}" for op in dict.fromkeys(op for _, op in names) if op in LIMITS]
        found.append((title, ", ".join(plain + others), "; ".join(limits)))
    if ops:
        raise ValueError(f"families without a title: {sorted(ops)}")
    known = {op for domain, op in HANDLERS if not domain}
    found.append(("Of constants only", ", ".join(sorted(FOLDABLE - known)), ""))
    return found


def table() -> str:
    lines = ["| family | ops | refused |", "|---|---|---|", *(f"| {a} | {b} | {c} |" for a, b, c in rows())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
