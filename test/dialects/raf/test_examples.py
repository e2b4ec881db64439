# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The example in the description of every op of our dialects parses, verifies, shows that op, and comes back the same when it is printed, in either form."""

import importlib.util
import pathlib
import re

import pytest
from raf._mlir import ir

DOCS = pathlib.Path(importlib.util.find_spec("raf").submodule_search_locations[0], "docs", "dialects")


REFUSED = "".join(path.read_text() for path in pathlib.Path(__file__).parents[1].glob("*/*invalid.mlir"))


def described_ops():
    for document in sorted(DOCS.glob("*.md")):
        text = document.read_text().partition("\n## Operations\n")[2].partition("\n## ")[0]
        for section in re.split(r"^### ", text, flags=re.M)[1:]:
            yield re.match(r"`([\w.]+)`", section).group(1), re.findall(r"^ *```mlir\n(.*?)^ *```", section, re.M | re.S)


OPS = dict(described_ops())
del OPS["raf.yield"]  # the example of raf.kernel shows it


def parse(example):
    """Values that an example takes for granted are defined after it, with the types that the parser expects for them."""
    types = {}
    with ir.Context() as context:
        context.allow_unregistered_dialects = True
        while True:
            sources = "".join(f'\n{name} = "example.value"() : () -> {kind}' for name, kind in types.items())
            try:
                return ir.Module.parse(f"module {{\n{example}{sources}\n}}")
            except ir.MLIRError as error:
                found = re.search(r"use of undeclared SSA value name", str(error))
                location = error.error_diagnostics[0].location
                line = example.splitlines()[location.start_line - 2] if found else ""
                name = re.match(r"%\w+", line[location.start_col - 1:]) if found else None
                wrong = re.search(r"definition of SSA value '(%\w+)#\d+' has type '.*?'.*?previously used here with type '(.*?)'", str(error), re.S)
                if name and name.group() not in types:
                    types[name.group()] = "none"
                elif wrong and types.get(wrong.group(1)) == "none":
                    types[wrong.group(1)] = wrong.group(2)
                else:
                    raise


def test_dialects_have_ops():
    assert {"raf.matmul", "dnnl.matmul"} <= OPS.keys()


@pytest.mark.parametrize("op", OPS)
def test_example(op):
    assert OPS[op], f"{op} has no example"
    for example in OPS[op]:
        module = parse(example)
        assert module.operation.verify()
        for text in (str(module), module.operation.get_asm(print_generic_op_form=True), module.operation.get_asm(enable_debug_info=True)):
            with ir.Context() as context:
                context.allow_unregistered_dialects = True
                assert str(ir.Module.parse(text)) == str(module)
    assert any(re.search(rf"\b{re.escape(op)}\b", example) for example in OPS[op])


@pytest.mark.parametrize("op", OPS)
def test_something_is_refused(op):
    assert re.search(rf"expected-error.*'{re.escape(op)}' op ", REFUSED), f"no *invalid.mlir in test/dialects expects an error of {op}"
