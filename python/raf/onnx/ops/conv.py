# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Convolution and transposed convolution."""

from __future__ import annotations

from ..errors import Unsupported
from ..graph import Graph, Tensor
from ..registry import Call, handles
from .window import window


def _bias(g: Graph, y: Tensor, bias: Tensor | None) -> Tensor:
    if bias is None:
        return y
    if bias.shape != (y.shape[1],):
        raise Unsupported(f"the bias must have the shape [{y.shape[1]}], got {list(bias.shape)}")
    return g.add(y, g.broadcast_dims(bias, y.shape, [1]))


def _operands(c: Call) -> tuple[Tensor, Tensor, int]:
    x, w, groups = c.floating(0), c.floating(1), int(c.attr("group", 1))
    if x.rank != w.rank or x.rank < 3 or x.dtype != w.dtype or groups < 1:
        raise Unsupported(f"input {x.dtype}{list(x.shape)}, weights {w.dtype}{list(w.shape)} and {groups} groups do not fit")
    kernel = c.attr("kernel_shape", None)
    if kernel and list(kernel) != list(w.shape[2:]):
        raise Unsupported(f"kernel_shape {list(kernel)} differs from the weights' shape {list(w.shape)}")
    return x, w, groups


@handles("Conv")
def conv(c: Call) -> Tensor:
    x, w, groups = _operands(c)
    win = window(c, x.shape[2:], w.shape[2:])
    if x.shape[1] != w.shape[1] * groups or w.shape[0] % groups:
        raise Unsupported(f"{groups} groups with weights {list(w.shape)} need {w.shape[1] * groups} input channels, got {x.shape[1]}")
    attributes = {"groups": groups} if groups != 1 else {}
    y = c.g.op("conv", [x, w], (x.shape[0], w.shape[0], *win.outputs(x.shape[2:])), x.dtype, **win.attributes(), **attributes)
    return _bias(c.g, y, c.get(2))


@handles("ConvTranspose")
def conv_transpose(c: Call) -> Tensor:
    x, w, groups = _operands(c)
    win = window(c, x.shape[2:], w.shape[2:])
    rank = x.rank - 2
    if x.shape[1] != w.shape[0] or x.shape[1] % groups:
        raise Unsupported(f"{groups} groups with weights {list(w.shape)} need {w.shape[0]} input channels, got {x.shape[1]}")
    extra = [int(v) for v in c.attr("output_padding", None) or [0] * rank]
    wanted = c.attr("output_shape", None)
    auto = c.text("auto_pad", "NOTSET")
    sizes = []
    for d in range(rank):
        natural = win.strides[d] * (x.shape[2 + d] - 1) + extra[d] + win.extent(d)
        if wanted or auto.startswith("SAME"):
            target = int(wanted[-rank:][d]) if wanted else x.shape[2 + d] * win.strides[d]
            total = max(0, natural - target)
            # A target larger than the natural size is reached by output padding.
            natural = max(natural, target)
            small, large = total // 2, total - total // 2
            win.low[d], win.high[d] = (small, large) if auto == "SAME_UPPER" else (large, small)
        sizes.append(natural - win.low[d] - win.high[d])
        if sizes[d] < 1 or (sizes[d] + win.low[d] + win.high[d] - win.extent(d)) // win.strides[d] + 1 != x.shape[2 + d]:
            raise Unsupported(f"output padding or output size of spatial dimension {d} does not belong to a convolution with stride {win.strides[d]}")
    attributes = {"groups": groups} if groups != 1 else {}
    y = c.g.op("conv_input_grad", [x, w], (x.shape[0], w.shape[1] * groups, *sizes), x.dtype, **win.attributes(), **attributes)
    return _bias(c.g, y, c.get(2))
