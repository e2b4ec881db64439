# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function that names its gradient (raf.vjp) is computed as it is written and differentiated as it says, also inside a loop."""

import numpy as np
import pytest
from execute.harness import Program, close

STRAIGHT_THROUGH = """func.func private @round(%x: tensor<3xf32>) -> tensor<3xf32> attributes {raf.vjp = @round_vjp} {
  %y = raf.round %x : tensor<3xf32>
  return %y : tensor<3xf32>
}
func.func private @round_vjp(%x: tensor<3xf32>, %dy: tensor<3xf32>) -> tensor<3xf32> {
  return %dy : tensor<3xf32>
}
"""
ONCE = "%y = call @round(%s) : (tensor<3xf32>) -> tensor<3xf32>"
IN_A_LOOP = """%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %y = scf.for %i = %c0 to %c1 step %c1 iter_args(%z = %s) -> (tensor<3xf32>) {
    %r = func.call @round(%z) : (tensor<3xf32>) -> tensor<3xf32>
    scf.yield %r : tensor<3xf32>
  }"""


@pytest.mark.parametrize("opt_level", [0, 2])
@pytest.mark.parametrize("body", [ONCE, IN_A_LOOP], ids=["once", "loop"])
def test_straight_through(body, opt_level):
    asm = STRAIGHT_THROUGH + f"""func.func @main(%w: tensor<3xf32> {{raf.name = "w", raf.role = "param"}}) -> (tensor<f32> {{raf.name = "loss"}}) {{
  %two = raf.constant dense<2.0> : tensor<3xf32>
  %s = raf.mul %w, %two : tensor<3xf32>
  {body}
  %q = raf.mul %y, %y : tensor<3xf32>
  %loss = raf.reduce sum %q dims = [0] : tensor<3xf32> -> tensor<f32>
  return %loss : tensor<f32>
}}"""
    w = np.array([0.3, -1.4, 2.2], np.float32)
    actual = Program(asm, ["raf-autodiff"], opt_level=opt_level)({"w": w})
    close(actual["loss"], (np.round(2 * w) ** 2).sum(), 1e-6)
    close(actual["grad:w"], 2 * np.round(2 * w) * 2, 1e-6)
