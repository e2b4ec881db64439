# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""raf_dnnl.h, compiled as the compiler uses it, writes the words that the Python encoder of these tests writes, and reads them
back to the same words."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
import raf_rt as R

INCLUDE = Path(__file__).parents[2] / "runtime" / "include"

PROGRAM = r"""
#include "raf_dnnl.h"
#include "raf_runtime.h"
#include <cstdio>
using namespace raf::rt::plan;

template <class Plan> void print(const Plan &plan, int64_t workspace = -1) {
  std::vector<int64_t> words = encode(plan, workspace);
  Plan back;
  int64_t read = 0;
  bool same = decode(words.data(), words.size(), back, read) && read == workspace && encode(back, read) == words;
  Plan shorter;
  if (!same || decode(words.data(), words.size() - 1, shorter, read))
    std::printf("WRONG ");
  for (int64_t word : words)
    std::printf("%lld ", static_cast<long long>(word));
  std::printf("| %lld\n", static_cast<long long>(workspace));
}

int main() {
  Matmul matmul;
  matmul.a = Tensor::dense(Type::F32, {2, 3, 4, 5}).permuted({0, 2, 1, 3}); // [2, 4, 3, 5]
  matmul.b = Tensor::dense(Type::BF16, {2, 4, 6, 5}).permuted({0, 1, 3, 2});
  matmul.c = Tensor::dense(Type::F16, {2, 4, 3, 6});
  matmul.bias = Tensor::dense(Type::F32, {1, 1, 1, 6});
  matmul.postOps = {{PostOpKind::Clip, -0.5, 6, {}}, {PostOpKind::Mul, 0, 0, matmul.c}, {PostOpKind::Sum, 2, 0, {}}};
  matmul.packB = Internal::Any;
  print(matmul, 4096);

  Convolution conv;
  conv.src = Tensor::channelsLast(Type::F32, {2, 6, 9, 7});
  conv.weights = Tensor::dense(Type::F32, {8, 3, 3, 2});
  conv.dst = Tensor::channelsLast(Type::F32, {2, 8, 4, 7});
  conv.groups = 2;
  conv.strides = {2, 1};
  conv.dilations = {1, 3};
  conv.padBegin = {0, 1};
  conv.padEnd = {1, 2};
  print(conv);

  Pooling pool;
  pool.mode = PoolMode::AverageWindow;
  pool.src = Tensor::dense(Type::F32, {2, 6, 9});
  pool.dst = Tensor::dense(Type::F32, {2, 6, 4});
  pool.window = {3};
  pool.strides = {2};
  pool.dilations = {1};
  pool.padBegin = {0};
  pool.padEnd = {0};
  pool.indices = true;
  print(pool);

  BatchNorm norm;
  norm.src = norm.dst = conv.src;
  norm.epsilon = 1e-3;
  norm.relu = true;
  print(norm);
  print(Reorder{Tensor::dense(Type::I8, {3, 2}), Tensor::dense(Type::F64, {2, 3}).permuted({1, 0})});
  Tensor packed{Type::F32, {5, 70}, {64, 320}};
  packed.blocks = {64};
  packed.blockDims = {1};
  print(Reorder{Tensor::dense(Type::F32, {5, 70}), packed});

  if (matmul.operandBuffer(0) != 4 || matmul.workspaceBuffer() != 5 || conv.workspaceBuffer() != 3 ||
      pool.workspaceBuffer() != 3 || norm.forwardWorkspace() != 7 || norm.backwardWorkspace() != 9)
    std::printf("WRONG buffers\n");
}
"""


def nhwc(*shape):
    return np.moveaxis(np.zeros((shape[0], *shape[2:], shape[1]), np.float32), -1, 1)


def test_compiler_and_tests_encode_alike(tmp_path):
    if not INCLUDE.exists():
        pytest.skip("the headers are not beside the tests")
    compiler = shutil.which(os.environ.get("CXX", "c++"))
    if compiler is None:
        pytest.skip("no C++ compiler")
    source, program = tmp_path / "encode.cpp", tmp_path / "encode"
    source.write_text(PROGRAM)
    flags = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-fno-exceptions", "-fno-rtti", f"-I{INCLUDE}"]
    subprocess.run([compiler, *flags, source, "-o", program], check=True)
    lines = subprocess.run([program], capture_output=True, text=True, check=True).stdout.splitlines()

    bf16 = pytest.importorskip("ml_dtypes").bfloat16
    c = np.zeros((2, 4, 3, 6), np.float16)
    dense = np.zeros((2, 6, 9), np.float32)
    src = nhwc(2, 6, 9, 7)
    expected = [
        (R.matmul(np.zeros((2, 3, 4, 5), np.float32).transpose(0, 2, 1, 3), np.zeros((2, 4, 6, 5), bf16).swapaxes(2, 3), c,
                  np.zeros((1, 1, 1, 6), np.float32), [R.op("clip", -0.5, 6), R.op("mul", operand=c), R.op("sum", 2)],
                  R.ANY, workspace=4096), 4096),
        (R.convolution(src, np.zeros((8, 3, 3, 2), np.float32), nhwc(2, 8, 4, 7), (2, 1), (1, 3), (0, 1), (1, 2), 2), -1),
        (R.pooling(3, dense, np.zeros((2, 6, 4), np.float32), (3,), (2,), (1,), (0,), (0,), indices=True), -1),
        (R.batch_norm(src, src, 1e-3, True), -1),
        (R.reorder(np.zeros((3, 2), np.int8), np.zeros((2, 3)).T), -1),
        (R.reorder(np.zeros((5, 70), np.float32), R.Packed([1, 2, 5, 70, 2, 64, 320, 1, 64, 1, 1, 0], 0)), -1),
    ]  # fmt: skip
    assert lines == [" ".join(map(str, [*words, "|", workspace])) for words, workspace in expected]
