# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the passes say, as records: with the nodes that it is about, filtered, as a table, and on the command line."""

import json
import re

import numpy as np
import onnx
import pytest

import raf
from raf import examples
from raf._engine import CompileOptions
from raf.remarks import Remark, Remarks, explain

pytest.importorskip("raf._core")
X, Y = np.zeros((32, 64), np.float32), np.zeros(32, np.int64)


def trainer(**options):
    return raf.compile(raf.import_onnx(examples.MODELS["mlp"](seed=0)), loss="cross_entropy", optimizer="adamw", lazy=True, **options)


def test_remarks_name_what_was_fused_and_what_was_not():
    found = trainer().remarks(X, Y)
    calls = found.only("dispatch", "passed")
    assert Remark("raf-dispatch", "passed", "Fused", "in one call, dnnl.matmul", ("/fc1/Gemm", "/Relu_0")) in calls
    kernels = found.only("fuse", "passed")
    assert any("fc1.bias (update)" in r.nodes and "/Relu_0 (backward)" in r.nodes for r in kernels)
    assert all(r.source == "raf-fuse" and r.kind == "passed" for r in kernels)


def test_remarks_say_why_not():
    found = trainer(libraries=()).remarks(X, Y)
    missed = found.only("fuse", "missed")
    assert any(r.name == "NotFused" and "a contraction has a kernel of its own" in r.message and r.nodes for r in missed)
    assert not found.only("dispatch")


def test_remarks_on_what_the_library_declines():
    integers = """func.func @main(%a: tensor<4x9xi32> {raf.role = "input", raf.name = "a"}, %b: tensor<9x5xi32> {raf.role = "input", raf.name = "b"}) -> (tensor<4x5xi32> {raf.name = "y"}) {
      %y = raf.matmul %a, %b : tensor<4x9xi32>, tensor<9x5xi32> -> tensor<4x5xi32>
      return %y : tensor<4x5xi32>
    }"""
    (declined,) = explain(integers, CompileOptions()).only("dispatch", "missed")
    assert declined.name == "raf.matmul" and "i32" in declined.message


def test_remarks_on_what_was_measured():
    assert any("measured: " in r.message for r in trainer(dispatch="measure").remarks(X, Y).only("dispatch"))


def test_remarks_on_a_budget_of_memory():
    with pytest.raises(raf.CompileError, match="a memory budget of 1000 bytes .* cannot be met"):
        trainer(memory_budget=1000).remarks(X, Y)


def test_remarks_compile_and_change_nothing():
    made = trainer()
    made.remarks(X, Y)
    assert not made._programs and made.steps_done == 0


def test_equal_remarks_are_a_line_of_the_table():
    one = Remark("raf-fuse", "missed", "NotFused", "too large", ("a", "b", "c", "d", "e"))
    assert str(Remarks([one, one])) == "raf-fuse       missed   NotFused       a, b, c, d and 1 more: too large (2 times)"
    assert str(Remarks()) == "no remarks" and "(no node)" in str(Remarks([Remark("memory", "missed", "copy", "in use", ())]))


def test_wrong_filters():
    with pytest.raises(raf.RuntimeError, match="no kind 'mised'; did you mean 'missed'"):
        Remarks().only(kind="mised")
    with pytest.raises(raf.RuntimeError, match=r"'\(' is no regular expression"):
        Remarks().only("(")
    with pytest.raises(raf.RuntimeError, match="input 'x': expected float32"):
        trainer().remarks(X.astype(np.float64), Y)


@pytest.fixture
def run(tmp_path, command):
    onnx.save(examples.MODELS["mlp"](seed=0), tmp_path / "mlp.onnx")
    return command


def test_inspect_shows_remarks(run):
    status, out, err = run("inspect", "mlp.onnx", "--size", "batch=32", "--loss", "cross_entropy", "--remarks", "dispatch")
    assert status == 0, err
    assert "/fc1/Gemm, /Relu_0: in one call, dnnl.matmul" in out and "raf-fuse" not in out
    assert re.search(r"memory: params +│ [\d,]+ bytes", out) and re.search(r"values computed again +│ 0 ", out) and re.search(r"time, modelled +│ [\d.]+ ms", out)
    status, out, _ = run("inspect", "mlp.onnx", "--size", "batch=32", "--loss", "cross_entropy", "--remarks", ".", "--json")
    assert {r["source"] for r in json.loads(out)["step"]["remarks"]} >= {"raf-dispatch", "raf-fuse"}


@pytest.mark.parametrize(("args", "status", "message"), [(("--remarks", "fuse"), 2, "--remarks needs --loss"), (("--loss", "mse", "--remarks", "("), 1, "is no regular expression")])
def test_errors_are_one_message(run, args, status, message):
    found, _, err = run("inspect", "mlp.onnx", *args)
    assert found == status and message in err.replace("\n", " ") and "Traceback" not in err
