# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""StableHLO's reference interpreter as a process: it ends its process on what it does not know. Each request and answer is one pickle on stdin and stdout:
(text, arrays) -> (the text in generic form, arrays) or the message of an error. Started by test_random_stablehlo.py, which alone writes to it."""

import pickle
import sys

# This folder has names that other packages have too.
del sys.path[0]

import numpy as np  # noqa: E402
from jaxlib.mlir import ir  # noqa: E402
from jaxlib.mlir._mlir_libs import _jax_mlir_ext  # noqa: E402
from jaxlib.mlir.dialects import chlo, stablehlo  # noqa: E402
from jaxlib.mlir.passmanager import PassManager  # noqa: E402


def main():
    stablehlo.register_stablehlo_passes()
    context, upstream = ir.Context(), ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(upstream)
    context.append_dialect_registry(upstream)
    stablehlo.register_dialect(context)
    chlo.register_dialect(context)
    stablehlo.register_interpreter_dialect(context)
    context.load_all_available_dialects()
    out = sys.stdout.buffer
    with context, ir.Location.unknown():
        while True:
            try:
                text, arrays = pickle.load(sys.stdin.buffer)
            except EOFError:
                return
            try:
                module = ir.Module.parse(text)
                generic = module.operation.get_asm(print_generic_op_form=True)
                PassManager.parse("builtin.module(func.func(chlo-legalize-to-stablehlo))").run(module.operation)
                results = stablehlo.eval_module(module, [ir.DenseElementsAttr.get(np.asarray(a, order="C")) for a in arrays])
                answer = generic, [np.array(r) for r in results]
            except Exception as error:
                answer = str(error)
            pickle.dump(answer, out)
            out.flush()


if __name__ == "__main__":
    main()
