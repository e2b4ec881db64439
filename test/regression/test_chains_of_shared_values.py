# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""In a chain whose values are each used twice (the rounds of a block cipher that makes random numbers), computing cheap values again for each use grew exponentially."""

import re

import pytest

core = pytest.importorskip("raf._core")


def chain(rounds):
    lines = []
    for i in range(rounds):
        lines.append(f"%a{i + 1} = raf.add %a{i}, %b{i} : tensor<64xi32>")
        lines.append(f"%b{i + 1} = raf.xor %b{i}, %a{i + 1} : tensor<64xi32>")
    body = "\n".join(lines)
    return f"func.func @main(%a0: tensor<64xi32>, %b0: tensor<64xi32>) -> tensor<64xi32> {{\n{body}\nreturn %b{rounds} : tensor<64xi32>\n}}"


@pytest.mark.parametrize("rounds", [8, 30])
def test_fusion_computes_few_values_twice(rounds):
    text = core.run_pipeline(chain(rounds), "builtin.module(raf-convert-to-linalg,canonicalize,cse,func.func(raf-fuse))")
    assert 2 * rounds <= len(re.findall(r"arith\.(?:addi|xori)", text)) <= 4 * rounds + 40
