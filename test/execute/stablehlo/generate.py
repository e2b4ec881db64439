# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes programs/: for each family the programs of its cases in generic form (FAMILY.mlir) with inputs, results, cotangents and gradients as JAX computes them
(FAMILY.npz). Run by hand, `python test/execute/stablehlo/generate.py [FAMILY ...]`, when a case is added; the tests read the files and need no JAX."""

import contextlib
import pathlib
import re
import sys
import zlib

import jax
import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent))
import complex_numbers  # noqa: E402, F401
import elementwise  # noqa: E402, F401
import idioms  # noqa: E402, F401
import operators  # noqa: E402, F401
import structure  # noqa: E402, F401
from cases import BF16, CASES  # noqa: E402

FOLDER = pathlib.Path(__file__).parent / "programs"


def stored(array):
    """npz knows no bfloat16: its bits."""
    array = np.asarray(array)
    return array.view(np.uint16) if array.dtype == BF16 else array


def is_inexact(array):
    return np.asarray(array).dtype.kind in "fc" or np.asarray(array).dtype == BF16


def generic(text):
    from jax._src.interpreters import mlir
    from jaxlib.mlir import ir

    with mlir.make_ir_context():
        return ir.Module.parse(text).operation.get_asm(print_generic_op_form=True)


def cotangent(rng, like):
    values = rng.uniform(-1, 1, like.shape)
    return (values + 1j * rng.uniform(-1, 1, like.shape) if np.iscomplexobj(like) else values).astype(like.dtype)


def generate(case):
    inputs = case.arrays()
    wide = any(a.dtype.itemsize == 8 and a.dtype.kind in "fiu" or a.dtype == np.complex128 for a in inputs)
    with jax.enable_x64() if wide else contextlib.nullcontext():
        fn = jax.jit(lambda *args: jax.tree_util.tree_leaves(case.function(*args)), keep_unused=True)
        if case.program:
            text = generic(case.program)
        else:
            text = fn.trace(*inputs).lower(lowering_platforms=("cpu",)).compiler_ir("stablehlo").operation.get_asm(print_generic_op_form=True)
        outputs = fn(*inputs)
        arrays = {**{f"in{k}": a for k, a in enumerate(inputs)}, **{f"out{k}": a for k, a in enumerate(outputs)}}
        wrt = [k for k, a in enumerate(inputs) if is_inexact(a)]
        sources = [k for k, a in enumerate(outputs) if is_inexact(a)]
        if case.differentiable and wrt and sources:
            rng = np.random.default_rng(zlib.crc32(case.name.encode()) + 1)
            cotangents = [cotangent(rng, outputs[k]) for k in sources]

            def chosen(*values):
                given = list(inputs)
                for k, v in zip(wrt, values):
                    given[k] = v
                found = fn(*given)
                return [found[k] for k in sources]

            gradients = jax.vjp(chosen, *(inputs[k] for k in wrt))[1](cotangents)
            arrays.update({f"ct{k}": a for k, a in zip(sources, cotangents)})
            arrays.update({f"grad{k}": a for k, a in zip(wrt, gradients)})
    return text.strip(), {k: stored(a) for k, a in arrays.items()}


def main(families):
    FOLDER.mkdir(exist_ok=True)
    for family in families or CASES:
        texts, arrays = [], {}
        for case in CASES[family]:
            text, made = generate(case)
            texts.append(f"// ----- {case.name}\n{text}\n")
            arrays.update({f"{case.name}/{k}": a for k, a in made.items()})
        (FOLDER / f"{family}.mlir").write_text(re.sub(r"[ \t]+$", "", "".join(texts), flags=re.M))
        np.savez_compressed(FOLDER / f"{family}.npz", **arrays)
        print(f"{family}: {len(CASES[family])} programs")


if __name__ == "__main__":
    main(sys.argv[1:])
