# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Computes nodes of constants at import: shape arithmetic, masks, index tables. Common ops by numpy, others by onnx's reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import onnx

from . import data
from .errors import Unsupported
from .graph import FOLD_LIMIT

Arrays = Sequence[Any]  # of numpy arrays, or None where an input is absent

_POINTWISE: dict[str, Callable[..., np.ndarray]] = {
    "Add": np.add, "Sub": np.subtract, "Mul": np.multiply, "Equal": np.equal, "Greater": np.greater, "Less": np.less,
    "GreaterOrEqual": np.greater_equal, "LessOrEqual": np.less_equal, "And": np.logical_and, "Or": np.logical_or, "Xor": np.logical_xor, "Not": np.logical_not,
    "Where": np.where, "Neg": np.negative, "Abs": np.abs, "Sqrt": np.sqrt, "Floor": np.floor, "Ceil": np.ceil, "Exp": np.exp, "Log": np.log}

#: Ops that the reference computes; none makes more elements than it takes.
_REFERENCE = frozenset(
    "Mod Pow Sign Round Min Max Clip Reciprocal Split Flatten ReduceSum ReduceProd ReduceMax ReduceMin ReduceMean CumSum Trilu NonZero ArgMax ArgMin TopK ScatterND "
    "ScatterElements GatherElements GatherND IsNaN IsInf BitShift BitwiseAnd BitwiseOr BitwiseXor BitwiseNot Unique Sin Cos Tanh Erf Relu Sigmoid CastLike Sum Mean".split())

FOLDABLE = frozenset(_POINTWISE) | _REFERENCE | frozenset(
    "Div Gather Concat Unsqueeze Squeeze Slice Cast Reshape Transpose Expand ConstantOfShape Range Tile EyeLike OneHot Pad".split())


def fold(node: onnx.NodeProto, inputs: Arrays, attributes: dict[str, Any], opset: int) -> list[np.ndarray] | None:
    """The outputs of a node of constants, or None where it is too large or not one of the ops above."""
    op = node.op_type
    if op not in FOLDABLE or any(a is not None and a.dtype.kind == "O" for a in inputs):
        return None
    with np.errstate(all="ignore"):
        try:
            result = _compute(op, node, inputs, attributes, opset)
        except Unsupported:
            raise
        except Exception:
            return None  # the op's importer says what is wrong
    return None if result is None else [np.asarray(r) for r in result]


def _fits(count: int) -> bool:
    return 0 <= count <= FOLD_LIMIT


def _compute(op: str, node: onnx.NodeProto, inputs: Arrays, attributes: dict[str, Any], opset: int) -> Sequence[Any] | None:
    x: Any = inputs[0] if inputs else None
    if op in _POINTWISE or op == "Div":
        if not _fits(math.prod(np.broadcast_shapes(*(a.shape for a in inputs if a is not None)))):
            return None
        if op == "Div":
            return [_divide(x, inputs[1])]
        return [_POINTWISE[op](*inputs)]
    if op == "Cast":
        to = data.DTYPES.get(int(attributes["to"]))
        if to is None:
            return None
        return [np.broadcast_to(x.reshape(-1)[0].astype(to), x.shape)] if x.size and not any(x.strides) else [x.astype(to)] if _fits(x.size) else None
    if op == "Gather":
        axis = int(attributes.get("axis", 0))
        if not _fits(math.prod(x.shape) // max(1, x.shape[axis]) * inputs[1].size):
            return None
        return [np.take(x, inputs[1], axis=axis)]
    if op == "Concat":
        return [np.concatenate(inputs, int(attributes["axis"]))] if _fits(sum(a.size for a in inputs if a is not None)) else None
    if op in ("Unsqueeze", "Squeeze"):
        axes = inputs[1].tolist() if len(inputs) > 1 and inputs[1] is not None else attributes.get("axes")
        if op == "Squeeze":
            return [np.squeeze(x, None if axes is None else tuple(axes))]
        return [np.expand_dims(x, tuple(axes or ()))]
    if op == "Transpose":
        return [np.transpose(x, attributes.get("perm"))]
    if op == "Reshape":
        return [x.reshape(reshape_target(x.shape, inputs[1].tolist(), bool(attributes.get("allowzero", 0))))]
    if op == "Expand":
        return [np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(inputs[1].tolist())))]
    if op == "ConstantOfShape":
        value = attributes.get("value")
        fill = data.to_array(value, None).reshape(-1)[0] if value is not None else np.float32(0)
        if any(d < 0 for d in x.tolist()):
            return None
        return [np.broadcast_to(fill, tuple(x.tolist()))]
    if op == "Range":
        start, limit, delta = (a.reshape(-1)[0] for a in inputs)
        if delta == 0 or not _fits(math.ceil((limit - start) / delta) if (limit - start) / delta > 0 else 0):
            return None
        return [np.arange(start, limit, delta, dtype=x.dtype)]
    if op == "Slice":
        return [x[slice_index(x.shape, *_slice_arguments(inputs, attributes))]]
    if op == "Tile":
        return [np.tile(x, inputs[1].tolist())] if _fits(x.size * math.prod(inputs[1].tolist())) else None
    if op == "EyeLike" and not _fits(x.size):
        return None
    if op == "OneHot" and not _fits(x.size * int(inputs[1].reshape(-1)[0])):
        return None
    if op == "Pad":
        pads = inputs[1].tolist() if len(inputs) > 1 else attributes["pads"]
        if len(inputs) > 3 or not _fits(math.prod(d + max(0, a) + max(0, b) for d, a, b in zip(x.shape, pads, pads[x.ndim:]))):
            return None
    if sum(a.size for a in inputs if a is not None) > FOLD_LIMIT:
        return None
    return _reference(node, inputs, attributes, opset)


def _reference(node: onnx.NodeProto, inputs: Arrays, attributes: dict[str, Any], opset: int) -> Sequence[Any]:
    from onnx.reference import ReferenceEvaluator

    used = [(f"i{k}", a) for k, a in enumerate(inputs) if a is not None]
    copy = onnx.helper.make_node(node.op_type, [f"i{k}" if a is not None else "" for k, a in enumerate(inputs)], [f"o{k}" for k in range(len(node.output))], **attributes)
    graph = onnx.helper.make_graph(
        [copy], "fold", [onnx.helper.make_tensor_value_info(n, data.onnx_type(a.dtype), a.shape) for n, a in used],
        [onnx.helper.make_tensor_value_info(f"o{k}", onnx.TensorProto.UNDEFINED, None) for k in range(len(node.output))])
    model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
    return list(ReferenceEvaluator(model).run(None, {n: np.ascontiguousarray(a) for n, a in used}))


def _divide(a: Any, b: Any) -> np.ndarray:
    """Division that truncates integers toward zero."""
    if a.dtype.kind == "f" or a.dtype.kind == "V":
        return np.asarray(a / b)
    safe = np.where(b == 0, 1, b)
    quotient = np.asarray(np.abs(a) // np.abs(safe) * np.sign(a) * np.sign(safe), dtype=a.dtype)
    return np.where(b == 0, np.zeros_like(quotient), quotient)


def reshape_target(shape: Sequence[int], target: Sequence[int], allow_zero: bool) -> list[int]:
    """ONNX's meaning of 0 (keep) and -1 (the rest)."""
    out = [int(d) for d in target]
    for i, d in enumerate(out):
        if d == 0 and not allow_zero:
            if i >= len(shape):
                raise Unsupported(f"the target shape {out} keeps dimension {i} of a tensor of rank {len(shape)}")
            out[i] = shape[i]
    if out.count(-1) > 1 or any(d < -1 for d in out):
        raise Unsupported(f"the target shape {out} is not valid")
    if -1 in out:
        known = math.prod(d for d in out if d != -1)
        if known == 0 or math.prod(shape) % known:
            raise Unsupported(f"the shape {list(shape)} does not fit the target shape {out}")
        out[out.index(-1)] = math.prod(shape) // known
    if math.prod(out) != math.prod(shape):
        raise Unsupported(f"the shape {list(shape)} does not fit the target shape {out}")
    return out


def _slice_arguments(inputs: Arrays, attributes: dict[str, Any]) -> tuple[list[int], list[int], list[int] | None, list[int] | None]:
    def at(i: int) -> list[int] | None:
        value = inputs[i] if i < len(inputs) else None
        return None if value is None else [int(v) for v in value.reshape(-1)]

    if len(inputs) > 1:
        return at(1) or [], at(2) or [], at(3), at(4)
    return list(attributes["starts"]), list(attributes["ends"]), attributes.get("axes"), None


def slice_index(shape: Sequence[int], starts: Sequence[int], ends: Sequence[int], axes: Sequence[int] | None, steps: Sequence[int] | None) -> tuple[slice, ...]:
    """numpy's index for an ONNX Slice."""
    index = [slice(0, d, 1) for d in shape]
    axes = list(range(len(starts))) if axes is None else axes
    steps = [1] * len(starts) if steps is None else steps
    if not len(starts) == len(ends) == len(axes) == len(steps):
        raise Unsupported(f"starts, ends, axes and steps have {len(starts)}, {len(ends)}, {len(axes)} and {len(steps)} elements")
    for start, end, axis, step in zip(starts, ends, axes, steps):
        if not -len(shape) <= axis < len(shape) or step == 0:
            raise Unsupported(f"axis {axis} with step {step} is not valid for rank {len(shape)}")
        size = shape[axis]
        if step > 0:
            low, high = (min(max(v + size if v < 0 else v, 0), size) for v in (start, end))
            index[axis] = slice(low, max(low, high), step)
        else:
            low, high = (min(max(v + size if v < 0 else v, least), size - 1) for v, least in ((start, 0), (end, -1)))
            index[axis] = slice(low, high if high >= 0 else None, step) if high < low else slice(0, 0, 1)
    return tuple(index)
