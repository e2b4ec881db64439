# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random StableHLO programs give what StableHLO's reference interpreter gives. The examples are the same in every run."""

import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pytest
import raf
from raf.testing import assert_close

pytest.importorskip("jaxlib")
pytest.importorskip("hypothesis")
from hypothesis import HealthCheck, Phase, assume, given, note, settings  # noqa: E402
from property.stablehlo_programs import programs  # noqa: E402


class Interpreter:
    """The interpreter's process, started again when a program ends it."""

    def __init__(self):
        self.process = None

    def __call__(self, text, arrays):
        if self.process is None or self.process.poll() is not None:
            script = pathlib.Path(__file__).with_name("stablehlo_interpreter.py")
            self.process = subprocess.Popen([sys.executable, str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        pickle.dump((text, arrays), self.process.stdin)
        self.process.stdin.flush()
        try:
            return pickle.load(self.process.stdout)
        except EOFError:
            return "the interpreter ended its process"

    def close(self):
        if self.process is not None:
            self.process.stdin.close()
            self.process.wait()
            self.process.stdout.close()


@pytest.fixture(scope="module")
def interpreter():
    made = Interpreter()
    yield made
    made.close()


@settings(max_examples=60, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck), phases=[Phase.explicit, Phase.generate])
@given(programs())
def test_agrees_with_the_reference_interpreter(interpreter, made):
    text, arguments = made
    note(text)
    rng = np.random.default_rng(0)
    arrays = [rng.uniform(-2, 2, s).astype(np.float32) if e == "f32" else rng.integers(-4, 5, s).astype(np.int32) for s, e in arguments]
    arrays = [np.asarray(a) for a in arrays]
    answer = interpreter(text, arrays)
    assume(not isinstance(answer, str))
    generic, expected = answer
    found = raf.compile(raf.import_stablehlo(generic), cache=False)(*arrays)
    found = found if isinstance(found, tuple) else (found,)
    for k, (a, e) in enumerate(zip(found, expected)):
        assert_close(a, e, what=f"result {k}")
