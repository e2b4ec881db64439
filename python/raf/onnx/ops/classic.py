# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The few ops of the ai.onnx.ml domain that surround scikit-learn's neural nets."""

from __future__ import annotations

import numpy as np

from ..errors import Unsupported
from ..graph import Tensor
from ..registry import Call, handles
from .indexing import gather

_ML = "ai.onnx.ml"


@handles("ArrayFeatureExtractor", domain=_ML)
def array_feature_extractor(c: Call) -> Tensor:
    g, x, indices = c.g, c[0], c[1]
    picked = gather(g, x, g.reshape(indices, (indices.size,)), x.rank - 1)
    return g.reshape(picked, (1, indices.size)) if x.rank == 1 else picked


@handles("Scaler", domain=_ML)
def scaler(c: Call) -> Tensor:
    g, x = c.g, c.floating()
    offset, scale = (np.asarray(c.attr(n), x.dtype) for n in ("offset", "scale"))
    return g.mul(g.sub(x, g.broadcast(g.const(offset), x.shape)), g.broadcast(g.const(scale), x.shape))


@handles("Normalizer", domain=_ML)
def normalizer(c: Call) -> Tensor:
    g, x, norm = c.g, c.floating(), c.text("norm", "MAX")
    magnitude = g.unary("abs", x)
    if norm == "MAX":
        size = g.reduce("max", magnitude, [x.rank - 1], True)
    elif norm == "L1":
        size = g.reduce("sum", magnitude, [x.rank - 1], True)
    elif norm == "L2":
        size = g.unary("sqrt", g.reduce("sum", g.mul(x, x), [x.rank - 1], True))
    else:
        raise Unsupported(f"norm {norm!r} is not known")
    return g.div(x, g.broadcast(size, x.shape))


@handles("ZipMap", domain=_ML)
def zip_map(c: Call) -> Tensor:
    """The probabilities themselves: a list of dictionaries is nothing that can be trained."""
    return c.floating()
