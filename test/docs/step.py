# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Leaves step.mlir, a training step, as the pages take it for granted."""

import pathlib

import onnx.parser
import raf
from raf import _core

text = """<ir_version: 8, opset_import: ["" : 20]>
mlp (float[4, 3] x) => (float[4, 2] logits)
<float[3, 2] w = {0.1, -0.2, 0.3, -0.4, 0.5, -0.6}, float[2] b = {0, 0}> { h = Gemm (x, w, b) logits = Gelu (h) }"""
module = raf.import_onnx(onnx.parser.parse_model(text)).specialize().asm
step = _core.run_pipeline(module, "builtin.module(raf-attach-loss{loss=cross_entropy},raf-autodiff,raf-apply-optimizer{optimizer=adamw},canonicalize,cse)")
pathlib.Path("step.mlir").write_text(step)
