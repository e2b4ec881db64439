# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attributes that convolution and pooling share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..errors import Unsupported
from ..registry import Call


@dataclass
class Window:
    kernel: list[int]
    strides: list[int]
    dilations: list[int]
    low: list[int]
    high: list[int]

    def attributes(self) -> dict[str, tuple[int, ...]]:
        return {"strides": tuple(self.strides), "pad_low": tuple(self.low), "pad_high": tuple(self.high), "dilations": tuple(self.dilations)}

    def extent(self, d: int) -> int:
        return (self.kernel[d] - 1) * self.dilations[d] + 1

    def outputs(self, spatial: Sequence[int], ceil: bool = False) -> list[int]:
        sizes = []
        for d, size in enumerate(spatial):
            room = size + self.low[d] + self.high[d] - self.extent(d)
            if room < 0:
                raise Unsupported(f"a window of {self.extent(d)} does not fit spatial dimension {d} of size {size} with pads {self.low[d]} and {self.high[d]}")
            count = (-(-room // self.strides[d]) if ceil else room // self.strides[d]) + 1
            # A window that starts in the padding on the right is dropped.
            if ceil and (count - 1) * self.strides[d] >= size + self.low[d]:
                count -= 1
            sizes.append(count)
        return sizes


def window(c: Call, spatial: Sequence[int], kernel: Sequence[int]) -> Window:
    rank = len(spatial)
    if not 1 <= rank <= 3:
        raise Unsupported(f"{rank} spatial dimensions are not supported, only 1 to 3")

    def numbers(name: str, default: int, count: int) -> list[int]:
        values = [int(v) for v in c.attr(name, None) or [default] * count]
        if len(values) != count:
            raise Unsupported(f"{name} {values} must have {count} elements")
        return values

    if len(kernel) != rank:
        raise Unsupported(f"kernel_shape {list(kernel)} must have {rank} elements")
    pads = numbers("pads", 0, 2 * rank)
    w = Window([int(k) for k in kernel], numbers("strides", 1, rank), numbers("dilations", 1, rank), pads[:rank], pads[rank:])
    if any(v < 1 for v in [*w.kernel, *w.strides, *w.dilations]):
        raise Unsupported("kernel, strides and dilations must be positive")
    auto = c.text("auto_pad", "NOTSET")
    if auto in ("SAME_UPPER", "SAME_LOWER") and c.op != "ConvTranspose":
        for d, size in enumerate(spatial):
            total = max(0, (-(-size // w.strides[d]) - 1) * w.strides[d] + w.extent(d) - size)
            small, large = total // 2, total - total // 2
            w.low[d], w.high[d] = (small, large) if auto == "SAME_UPPER" else (large, small)
    elif auto == "VALID":
        w.low, w.high = [0] * rank, [0] * rank
    elif auto not in ("NOTSET", "", "SAME_UPPER", "SAME_LOWER"):
        raise Unsupported(f"auto_pad {auto!r} is not supported")
    return w
