# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What README.md and the pages on training take for granted: a small model, and data as files and as arrays."""

import pathlib

import numpy as np
import onnx
import onnx.parser
import raf

_model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 17]>
net (float[batch, 4] x) => (float[batch, 3] scores) <float[4, 16] w1, float[16] b1, float[16, 3] w2, float[3] b2> { h = Gemm (x, w1, b1) r = Relu (h) scores = Gemm (r, w2, b2) }""")
_random = np.random.default_rng(0)
for _name, _shape in (("w1", (4, 16)), ("b1", (16,)), ("w2", (16, 3)), ("b2", (3,))):
    _model.graph.initializer.append(onnx.numpy_helper.from_array(_random.normal(size=_shape).astype(np.float32), _name))
onnx.save(_model, "model.onnx")


def _samples(count):
    x = _random.normal(size=(count, 4)).astype(np.float32)
    return x, x[:, :3].argmax(1).astype(np.int64)


for _file, _count in (("train", 256), ("val", 64), ("test", 64)):
    _x, _y = _samples(_count)
    np.savez(f"{_file}.npz", x=_x, y=_y)
(x, y), (x_val, y_val), (x_test, y_test) = _samples(256), _samples(64), _samples(64)
batches = [(x[i : i + 32], y[i : i + 32]) for i in range(0, 256, 32)]
trainer = raf.compile(raf.import_onnx("model.onnx"), loss="cross_entropy", optimizer="adamw")
if not pathlib.Path("trained.onnx").exists():
    trainer.export_onnx("trained.onnx")
