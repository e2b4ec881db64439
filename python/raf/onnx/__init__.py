# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ONNX files in and out; `raf.import_onnx` is the entry."""
