# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Who holds the values of parameters, and that nobody holds them twice."""

import subprocess
import sys
import textwrap

import numpy as np
import onnx
import pytest
import raf
from onnx import TensorProto, helper, numpy_helper
from raf._arrays import Slab

pytest.importorskip("raf._core")


def wide(rows):
    weight = numpy_helper.from_array(np.ones((rows, 1024), np.float32), "w")
    x, y = (helper.make_tensor_value_info(n, TensorProto.FLOAT, [2, d]) for n, d in (("x", rows), ("y", 1024)))
    graph = helper.make_graph([helper.make_node("MatMul", ["x", "w"], ["y"])], "wide", [x], [y], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])


def test_a_trainers_model_has_its_values(tmp_path):
    model = raf.import_onnx(wide(8))
    trainer = raf.compile(model, loss="mse", optimizer="sgd", lr=0.5)
    assert trainer.model.params["w"] is trainer.params["w"] and trainer.model.name == model.name
    trainer.step(np.ones((2, 8), np.float32), np.zeros((2, 1024), np.float32))
    assert (model.params["w"] == 1).all() and not (trainer.model.params["w"] == 1).any()
    trainer.model.export_onnx(tmp_path / "trained.onnx")
    np.testing.assert_array_equal(raf.import_onnx(tmp_path / "trained.onnx").params["w"], trainer.params["w"])
    predictor = raf.compile(model)
    assert predictor.model.params["w"] is not model.params["w"] and (predictor.model.params["w"] == 1).all()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_parameters_are_in_memory_once(tmp_path):
    onnx.save(wide(32 * 1024), tmp_path / "wide.onnx")  # 128 MiB
    program = textwrap.dedent("""
        import ctypes, gc, sys
        import numpy as np, raf

        def resident():
            gc.collect()
            ctypes.CDLL(None).malloc_trim(0)
            return next(int(l.split()[1]) for l in open("/proc/self/status") if l.startswith("VmRSS")) / 1024

        raf.compile(raf.import_onnx(sys.argv[2]))  # what the first model takes
        before = resident()
        predictor = raf.compile(raf.import_onnx(sys.argv[1]))
        predictor(np.ones((2, 32 * 1024), np.float32))
        print(resident() - before)
    """)
    onnx.save(wide(8), tmp_path / "small.onnx")
    done = subprocess.run([sys.executable, "-c", program, tmp_path / "wide.onnx", tmp_path / "small.onnx"], capture_output=True, text=True, check=True)
    assert 100 < float(done.stdout) < 1.5 * 128


def test_touching_a_slab_leaves_zeros():
    slab = Slab({"a": ((3 << 20,), np.dtype(np.float32)), "b": ((5,), np.dtype(np.float32))})
    slab.touch()
    assert slab.memory.nbytes > 8 << 20 and not slab.memory.any()
