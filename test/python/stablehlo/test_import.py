# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every form in which StableHLO is kept, and what is said about inputs that are none."""

import importlib.util
import io
import pathlib
import subprocess
import sys
import time

import numpy as np
import pytest
import raf
from raf.testing import assert_close

jax = pytest.importorskip("jax")
jnp = jax.numpy

TEXT = """module @jit_f {
  func.func public @main(%arg0: tensor<2x3xf32> loc("x"), %arg1: tensor<3xf32> loc("p['b']")) -> (tensor<2x3xf32> {jax.result_info = "result"}) {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
    %1 = stablehlo.add %arg0, %0 : tensor<2x3xf32>
    return %1 : tensor<2x3xf32>
  }
}
"""
X, B = np.arange(6, dtype=np.float32).reshape(2, 3), np.array([1, 2, 3], np.float32)


def exported(*shapes):
    def f(x, p):
        return {"sum": x + p["b"], "first": jnp.tanh(x)[0]}

    return jax.export.export(jax.jit(f))(*shapes)


@pytest.fixture(scope="module")
def export():
    return exported(X, {"b": B})


def generic(text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context():
        return ir.Module.parse(text).operation.get_asm(print_generic_op_form=True, enable_debug_info=True)


def bytecode(text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context():
        buffer = io.BytesIO()
        ir.Module.parse(text).operation.write_bytecode(buffer)
        return buffer.getvalue()


def runs(model, *inputs):
    return raf.compile(model)(*inputs)


@pytest.mark.parametrize("form", [lambda t: t, lambda t: t.encode(), generic, bytecode], ids=["text", "bytes", "generic", "bytecode"])
def test_forms(form):
    model = raf.import_stablehlo(form(TEXT))
    assert [str(i) for i in model.inputs] == ["x: float32[2, 3]", "p['b']: float32[3]"]
    assert model.outputs[0].name == "result"
    np.testing.assert_array_equal(runs(model, X, B), X + B)


def test_a_path(tmp_path):
    file = tmp_path / "f.mlir"
    file.write_text(TEXT)
    for given in (file, str(file)):
        assert raf.import_stablehlo(given).name == "f.mlir"


def test_a_portable_artifact(export):
    model = raf.import_stablehlo(bytes(export.mlir_module_serialized))
    first, total = runs(model, X, B)
    np.testing.assert_array_equal(total, X + B)
    assert_close(first, np.tanh(X[0]))


def test_an_exported_file_keeps_its_pytrees(export, tmp_path):
    file = tmp_path / "f.jax"
    file.write_bytes(export.serialize())
    model = raf.import_stablehlo(file)
    assert [o.name for o in model.outputs] == ["result['first']", "result['sum']"]
    found = runs(model, X, {"b": B})
    assert sorted(found) == ["first", "sum"]
    np.testing.assert_array_equal(found["sum"], X + B)
    kept = raf.import_stablehlo(file, params={"p": {"b": B}})
    assert list(kept.params) == ["p['b']"]
    np.testing.assert_array_equal(runs(kept, X)["sum"], X + B)


def test_sizes_that_are_left_open():
    (rows,) = jax.export.symbolic_shape("rows")
    model = raf.import_stablehlo(bytes(exported(jax.ShapeDtypeStruct((rows, 3), np.float32), {"b": B}).serialize()))
    assert model.dims == ("rows",)
    predictor = raf.compile(model)
    for count in (1, 4):
        x = np.ones((count, 3), np.float32)
        np.testing.assert_array_equal(predictor(x, {"b": B})["sum"], x + B)
    with pytest.raises(raf.ImportError, match="'x' has the shape"):
        raf.import_stablehlo(TEXT).specialize({"x": (4, 3)})


MALFORMED = {
    "syntax": ("module {", r"<text>:1:\d+: expected operation name"),
    "unknown op": (TEXT.replace("stablehlo.add", "stablehlo.addd"), r"<text>:4:\d+: .*stablehlo.addd"),
    "types": (TEXT.replace("return %1 : tensor<2x3xf32>", "return %1 : tensor<2x4xf32>"), r"<text>:5:\d+: "),
    "no main": ("module { func.func @f() { return } }", "no function @main; it has @f"),
    "declaration": ("module { func.func private @main() -> tensor<f32> }", "no function @main"),
    "generic syntax": ('"builtin.module"() ({ "func.func"() ', r"<text>:1:\d+: expected ':'"),
    "element type": (TEXT.replace("xf32", "xf8E4M3FN"), "argument 'x' has the element type f8E4M3FN"),
    "unsupported op": (TEXT.replace("stablehlo.add %arg0, %0", 'stablehlo.custom_call @mystery(%arg0, %0) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32> //'), "mystery"),
    "empty": (b" ", "the program is empty"),
    "missing file": ("nowhere.mlir", "cannot read 'nowhere.mlir': No such file"),
    "not a source": (3, "expected StableHLO as a path, text or bytes, got int"),
    "noise": (bytes(range(128, 256)) * 9, "taken as a jax.export file"),
    "not an artifact": (b"ML\xefR\rStableHLO_v1.0.0\0" + bytes(90), "a StableHLO artifact that jaxlib does not accept"),
    "not bytecode": (b"ML\xefR\x01MLIR22\0" + bytes(90), "duplicate top-level section"),
}


@pytest.mark.parametrize("kind", MALFORMED)
def test_malformed(kind):
    given, said = MALFORMED[kind]
    with pytest.raises(raf.ImportError, match=said):
        raf.import_stablehlo(given)


def test_damaged_artifacts_never_end_the_process(export):
    good = bytes(export.mlir_module_serialized)
    rng = np.random.default_rng(0)
    for k in range(12):
        damaged = bytearray(good[: len(good) - 3 * k])
        for at in rng.integers(30, len(damaged), 6):
            damaged[at] = int(rng.integers(256))
        try:
            model = raf.import_stablehlo(bytes(damaged))
        except raf.ImportError:
            continue
        assert model.outputs


def test_without_jaxlib_the_message_says_what_to_install():
    code = f"""
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name.startswith("jax") else find(name, *rest)
import raf
try:
    raf.import_stablehlo({TEXT!r})
except raf.ImportError as error:
    print(error)
"""
    root = pathlib.Path(importlib.util.find_spec("raf").submodule_search_locations[0]).parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={"PYTHONPATH": str(root)}, check=True)
    assert "pip install 'raf-compiler[stablehlo]'" in done.stdout


def test_ten_thousand_ops_take_less_than_two_seconds():
    lines = [f'%{i + 1} = "stablehlo.{"sine" if i % 2 else "negate"}"(%{i}) : (tensor<8xf32>) -> tensor<8xf32>' for i in range(10_000)]
    head = '"builtin.module"() ({ "func.func"() <{function_type = (tensor<8xf32>) -> tensor<8xf32>, sym_name = "main"}> ({ ^bb0(%0: tensor<8xf32>):'
    text = "\n".join([head, *lines, '"func.return"(%10000) : (tensor<8xf32>) -> () }) : () -> () }) : () -> ()'])
    raf.import_stablehlo(TEXT)  # loads what is loaded once
    start = time.process_time()
    raf.import_stablehlo(text)
    assert time.process_time() - start < 2


def test_parameters_that_do_not_fit():
    with pytest.raises(raf.ImportError) as error:
        raf.import_stablehlo(TEXT, params={"p": {"b": np.ones(4, np.float32)}, "q": B})
    assert "argument \"p['b']\" is float32[3], got float32[4]" in str(error.value)
    assert "there is no argument 'q'" in str(error.value)


def test_onnx_cannot_be_written():
    with pytest.raises(raf.ImportError, match="comes from StableHLO"):
        raf.import_stablehlo(TEXT).export_onnx("x.onnx")
