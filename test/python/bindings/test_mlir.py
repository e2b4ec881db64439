# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The private MLIR package: contexts know RAF's dialects and passes, errors carry locations, other copies of MLIR do not disturb it."""

import ast
import pathlib
import subprocess
import sys

import pytest

from raf._mlir import ir
from raf._mlir._mlir_libs import _raf
from raf._mlir.passmanager import PassManager

MODULE = """
func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.addf %x, %x : tensor<4xf32>
  %1 = arith.mulf %0, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def test_context_knows_dialects():
    from raf._mlir.dialects import arith, func, linalg, math, memref, raf, scf, tensor

    with ir.Context() as context:
        for dialect in (arith, func, linalg, math, memref, raf, scf, tensor):
            assert context.dialects[dialect.__name__.rsplit(".", 1)[1]] is not None


def test_passes_run_by_name():
    with ir.Context():
        module = ir.Module.parse(MODULE)
        PassManager.parse("builtin.module(canonicalize,cse)").run(module.operation)
        assert "mulf" not in str(module)


def test_errors_have_locations():
    with ir.Context(), pytest.raises(ir.MLIRError) as error:
        ir.Module.parse("func.func @f() {\n  foo.bar\n}")
    assert "2:3" in str(error.value.error_diagnostics[0].location)


def test_unknown_pass_is_an_error():
    with ir.Context(), pytest.raises(ValueError, match="no-such-pass"):
        PassManager.parse("builtin.module(no-such-pass)")


def test_stub_matches_module():
    stub = pathlib.Path(_raf.__file__).parent / "_raf.pyi"
    declared = {node.name for node in ast.parse(stub.read_text()).body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    assert declared == {name for name in vars(_raf) if not name.startswith("__")}


@pytest.mark.parametrize("first", ["raf", "jaxlib"])
def test_lives_beside_jaxlib(first):
    pytest.importorskip("jaxlib")
    imports = ["from raf._mlir import ir", "from jaxlib.mlir import ir as other"]
    if first == "jaxlib":
        imports.reverse()
    program = "\n".join(imports) + f"""
for m in (ir, other):
    with m.Context() as context:
        context.allow_unregistered_dialects = True
        assert "addf" in str(m.Module.parse('''"x.y"() {{a = "addf"}} : () -> ()'''))
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
