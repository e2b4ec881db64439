# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which function imports which ONNX op, and what such a function sees of its node."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Union

import numpy as np
import onnx

from .errors import Unsupported
from .graph import ELEMENT_TYPES, Graph, Tensor, is_float

if TYPE_CHECKING:
    from .interpret import Interpreter

Result = Union[Tensor, Sequence[Union[Tensor, None]]]
Handler = Callable[["Call"], Result]

HANDLERS: dict[tuple[str, str], Handler] = {}
_REQUIRED: Any = object()


def handles(*ops: str, domain: str = "") -> Callable[[Handler], Handler]:
    """Registers the function for ops of a domain."""

    def register(function: Handler) -> Handler:
        for op in ops:
            HANDLERS[domain, op] = function
        return function

    return register


def domain_of(node: onnx.NodeProto) -> str:
    return "" if node.domain == "ai.onnx" else node.domain


class Call:
    """One node with its inputs: `c[0]` is the first, `c.get(1)` the second or None."""

    __slots__ = ("node", "inputs", "run", "g", "opset", "env", "_attributes")

    def __init__(self, node: onnx.NodeProto, inputs: Sequence[Tensor | None], run: Interpreter, attributes: dict[str, Any]) -> None:
        self.node, self.inputs, self.run, self._attributes = node, inputs, run, attributes
        self.g: Graph = run.graph
        self.opset: int = run.opset
        self.env: dict[str, Tensor | None] = {}

    @property
    def op(self) -> str:
        return self.node.op_type

    @property
    def outputs(self) -> int:
        return len(self.node.output)

    def uses(self, index: int) -> bool:
        """Whether the node names its output `index`."""
        return index < len(self.node.output) and bool(self.node.output[index])

    def get(self, index: int) -> Tensor | None:
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is not None and value.dtype not in ELEMENT_TYPES:
            raise Unsupported(f"input {self.node.input[index]!r} has the element type {value.dtype}")
        return value

    def __getitem__(self, index: int) -> Tensor:
        value = self.get(index)
        if value is None:
            raise Unsupported(f"input {index} is missing")
        return value

    def all(self) -> list[Tensor]:
        return [self[i] for i in range(len(self.inputs))]

    def floating(self, index: int = 0) -> Tensor:
        x = self[index]
        if not is_float(x.dtype):
            raise Unsupported(f"input {self.node.input[index]!r} has the element type {x.dtype}; a floating-point type is needed")
        return x

    def attr(self, name: str, default: Any = _REQUIRED) -> Any:
        value = self._attributes.get(name, default)
        if value is _REQUIRED:
            raise Unsupported(f"attribute {name!r} is missing")
        return value

    def text(self, name: str, default: str) -> str:
        value = self.attr(name, default)
        return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)

    def constant(self, index: int) -> np.ndarray | None:
        """The elements of an input that must be known at import; None if it is absent."""
        value = self.inputs[index] if index < len(self.inputs) else None
        if value is None:
            return None
        if value.array is None:
            what = f"{value.argument.role} " if value.argument else ""
            raise Unsupported(f"input {index} ({what}{self.node.input[index]!r}) must be a constant")
        return value.array

    def ints(self, index: int, name: str | None = None, default: Any = None) -> list[int] | None:
        """Integers from a constant input or, in older opsets, from the attribute `name`."""
        array = self.constant(index)
        if array is not None:
            if array.dtype.kind not in "iu":
                raise Unsupported(f"input {index} must hold integers, got {array.dtype}")
            return [int(v) for v in array.reshape(-1)]
        value = self.attr(name, default) if name else default
        return None if value is None else [int(v) for v in value]

    def number(self, index: int, name: str | None = None, default: Any = None) -> Any:
        """One number from a constant input or from the attribute `name`."""
        array = self.constant(index)
        if array is None:
            return self.attr(name, default) if name else default
        if array.size != 1:
            raise Unsupported(f"input {index} must be one number, got the shape {list(array.shape)}")
        return array.reshape(-1)[0].item()

    def axis(self, rank: int, default: Any = _REQUIRED, name: str = "axis") -> int:
        return normalize_axis(int(self.attr(name, default)), rank)


def normalize_axis(axis: int, rank: int) -> int:
    if not -rank <= axis < rank:
        raise Unsupported(f"axis {axis} is outside [-{rank}, {rank})")
    return axis % rank


def normalize_axes(axes: Sequence[int], rank: int) -> list[int]:
    found = [normalize_axis(int(a), rank) for a in axes]
    if len(set(found)) != len(found):
        raise Unsupported(f"axes {list(axes)} name a dimension twice")
    return sorted(found)
