# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes ONNX graphs layer by layer, with the names and initial weights that PyTorch's layers have."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

#: Opset and IR version that ONNX Runtime has known for years.
OPSET, IR_VERSION = 17, 9

_TYPES = {"f32": TensorProto.FLOAT, "f64": TensorProto.DOUBLE, "i64": TensorProto.INT64}


class Builder:
    """`b("Relu", x)` adds a node and returns the name of its output; layers add their weights too."""

    def __init__(self, name: str, seed: int = 0, opset: int = OPSET) -> None:
        self.name, self.opset = name, opset
        self.rng = np.random.default_rng(seed)
        self.nodes: list[onnx.NodeProto] = []
        self.weights: dict[str, onnx.TensorProto] = {}
        self.inputs: list[onnx.ValueInfoProto] = []
        self.outputs: list[onnx.ValueInfoProto] = []
        self._counts: dict[str, int] = {}

    def input(self, name: str, dims: Sequence[int | str], dtype: str = "f32") -> str:
        self.inputs.append(helper.make_tensor_value_info(name, _TYPES[dtype], dims))
        return name

    def output(self, value: str, dims: Sequence[int | str], name: str = "logits", dtype: str = "f32") -> None:
        self.nodes.append(helper.make_node("Identity", [value], [name], name=name))
        self.outputs.append(helper.make_tensor_value_info(name, _TYPES[dtype], dims))

    def __call__(self, op: str, *inputs: str, name: str = "", outputs: int = 1, **attributes: Any) -> Any:
        if not name:
            self._counts[op] = self._counts.get(op, -1) + 1
            name = f"/{op}_{self._counts[op]}"
        results = [f"{name}_out{i or ''}" for i in range(outputs)]
        self.nodes.append(helper.make_node(op, list(inputs), results, name=name, **attributes))
        return results[0] if outputs == 1 else results

    # -- constants and weights

    def const(self, value: Any, dtype: Any = np.int64) -> str:
        array = np.asarray(value, dtype)
        name = f"const_{array.dtype}_{'x'.join(map(str, array.shape))}_{'_'.join(str(v) for v in array.reshape(-1)[:8])}"
        if array.size > 8:
            name += f"_{len(self.weights)}"
        self.weights.setdefault(name, numpy_helper.from_array(array, name))
        return name

    def weight(self, name: str, array: Any) -> str:
        if name in self.weights:
            raise ValueError(f"two weights have the name {name!r}")
        self.weights[name] = numpy_helper.from_array(np.ascontiguousarray(array, dtype=np.float32), name)
        return name

    def uniform(self, name: str, shape: Sequence[int], bound: float) -> str:
        return self.weight(name, self.rng.uniform(-bound, bound, shape))

    def normal(self, name: str, shape: Sequence[int], std: float) -> str:
        return self.weight(name, self.rng.standard_normal(shape) * std)

    # -- layers

    def linear(self, x: str, name: str, inputs: int, outputs: int, bias: bool = True, rank: int = 2) -> str:
        """Gemm for matrices; MatMul and Add for more dimensions, as exporters write it."""
        bound = 1 / math.sqrt(inputs)
        if rank == 2:
            weight = self.uniform(f"{name}.weight", (outputs, inputs), bound)
            return str(self("Gemm", x, weight, *([self.uniform(f"{name}.bias", (outputs,), bound)] if bias else []), name=f"/{name}/Gemm", transB=1))
        weight = self.uniform(f"{name}.weight", (inputs, outputs), bound)
        y = self("MatMul", x, weight, name=f"/{name}/MatMul")
        return str(self("Add", self.uniform(f"{name}.bias", (outputs,), bound), y, name=f"/{name}/Add") if bias else y)

    def conv(self, x: str, name: str, inputs: int, outputs: int, kernel: int, stride: int = 1, pad: int = 0, groups: int = 1, bias: bool = True) -> str:
        fan = inputs // groups * kernel * kernel
        weight = self.uniform(f"{name}.weight", (outputs, inputs // groups, kernel, kernel), math.sqrt(3 / fan))
        extra = [self.uniform(f"{name}.bias", (outputs,), 1 / math.sqrt(fan))] if bias else []
        return str(self("Conv", x, weight, *extra, name=f"/{name}/Conv", kernel_shape=[kernel] * 2, strides=[stride] * 2, pads=[pad] * 4, dilations=[1, 1], group=groups))

    def batch_norm(self, x: str, name: str, features: int) -> str:
        one, zero = np.ones(features), np.zeros(features)
        parts = [self.weight(f"{name}.{part}", value) for part, value in (("weight", one), ("bias", zero), ("running_mean", zero), ("running_var", one))]
        return str(self("BatchNormalization", x, *parts, name=f"/{name}/BatchNormalization", epsilon=1e-5, momentum=0.9))

    def layer_norm(self, x: str, name: str, features: int) -> str:
        parts = [self.weight(f"{name}.weight", np.ones(features)), self.weight(f"{name}.bias", np.zeros(features))]
        return str(self("LayerNormalization", x, *parts, name=f"/{name}/LayerNormalization", axis=-1, epsilon=1e-5))

    def model(self) -> onnx.ModelProto:
        graph = helper.make_graph(self.nodes, self.name, self.inputs, self.outputs, list(self.weights.values()))
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", self.opset)], ir_version=IR_VERSION, producer_name="raf.examples")
        onnx.checker.check_model(model)
        return model
