# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A few tests of the files that run programs, with --target=cuda-sim, in a process of their own. docs/cuda.md says what else runs there."""

import subprocess
import sys
from pathlib import Path

import pytest
from execute.harness import TARGET

ROOT = Path(__file__).parents[1]

QUICK = """
execute/test_blocks.py::test_rows_of_loops_are_passed_in_place
execute/test_contraction.py::test_infinities_and_nan_stay_where_they_are
execute/test_control_flow.py::test_while[start0-6-2]
execute/test_control_flow.py::test_gradient_of_a_loop_that_ends_by_itself[the_counter_ends_it-2]
execute/test_determinism.py::test_interrupted_run_with_dropout
execute/test_gradients.py::test_gradient[reduce-max-2x3x5]
execute/test_mixed_precision.py::test_an_overflow_is_skipped_and_the_scale_recovers
execute/test_opt_levels.py::test_steps[adamw-dnnl-lstm]
execute/test_option_pairs.py::test_losses[digits_mlp-amp+streams]
execute/test_option_pairs.py::test_losses[digits_mlp-streams+remat]
execute/stablehlo/test_programs.py::test_equals_jax[dot/i32]
python/face/test_training.py::test_ten_steps_of_an_optimizer[adamw]
python/face/test_training.py::test_clipping_sees_unscaled_gradients
""".replace("the_counter_ends_it", "the counter ends it").split("\n")[1:-1]


@pytest.mark.skipif(TARGET != "cpu", reason="with --target they run by themselves")
def test_a_few_of_each_file():
    # One more, which has nothing to run there, says so.
    tests = [*QUICK, "execute/test_contraction.py::test_unknown_blocks"]
    command = [sys.executable, "-m", "pytest", "--target=cuda-sim", "--tb=short", *(str(ROOT / test) for test in tests)]
    done = subprocess.run(command, cwd=ROOT.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-10000:] + done.stderr[-2000:]
    assert "of the CPU alone: blocks of the CPU's products" in done.stdout and done.stdout.count("SKIPPED") == 1, done.stdout
