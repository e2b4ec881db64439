# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What ends LLVM's own tools is an error of the compilation, and the process goes on."""

import json
import sys

import pytest
from python.core.steps import STEP, core, options

import raf

MANIFEST = r'raf.manifest = "{\"args\": [], \"results\": [], \"memory\": {}}"'
SELECT = """%0 = llvm.call_intrinsic "llvm.nvvm.read.ptx.sreg.tid.x"() : () -> i32
      llvm.store volatile %0, %p : i32, !llvm.ptr"""
ASSEMBLY = '%0 = llvm.inline_asm has_side_effects "", "={foo}" : () -> i32'


def lowered(body, functions):
    """A module in the LLVM dialect with that many functions: more than 12 are compiled in parts, in threads of their own."""
    text = "\n".join(f"llvm.func @f{i}(%p: !llvm.ptr) {{\n      {body}\n      llvm.return\n    }}" for i in range(functions))
    return f"""module attributes {{{MANIFEST}}} {{
    {text}
    llvm.func @raf_init(%c: !llvm.ptr) -> i64 {{
      %0 = llvm.mlir.constant(0 : i64) : i64
      llvm.return %0 : i64
    }}
    llvm.func @raf_run(%c: !llvm.ptr, %a: !llvm.ptr, %b: !llvm.ptr) {{
      llvm.return
    }}
    }}"""


@pytest.mark.parametrize("functions", [1, 40])
@pytest.mark.parametrize(
    ("body", "message"),
    [(SELECT, "LLVM cannot compile this module: Cannot select: intrinsic"), (ASSEMBLY, "LLVM cannot compile this module: couldn't allocate output register")],
    ids=["instruction selection", "diagnosed by LLVM"],
)
def test_fatal_errors_of_llvm(body, message, functions):
    text = json.dumps({"pipeline": "builtin.module(canonicalize)"})
    for _ in range(2):
        with pytest.raises(raf.CompileError, match=message):
            core.Executable.compile(lowered(body, functions), text)
    core.Executable.compile(lowered("", functions), text).run()
    assert core.Executable.compile(STEP.read_bytes(), options())


@pytest.mark.parametrize("pipeline", ["raf-cpu{no-such-option=1}", "raf-attach-loss{no-such-option=1}"])
def test_unknown_options_are_in_the_error(pipeline, capfd):
    with pytest.raises(raf.CompileError, match="no such option no-such-option"):
        core.run_pipeline("module {}", f"builtin.module({pipeline})")
    sys.stderr.flush()
    assert capfd.readouterr().err == ""
