# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A process of its own around jaxlib's MLIR, which ends the process on some malformed inputs. Run by reader.py as a script; imports nothing of RAF.

stdin: a line of JSON, {"kind": ..., "types": [...] or null}, then the program. `kind` is "text", "bytecode", "portable" or "export"; `types` are the argument types
that dynamic shapes are refined to. stdout: a line of JSON, then the module in generic form with locations if there is no "error" in it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

# The folder of this script: its modules must not stand for those of other packages.
del sys.path[0]


def context(ir: Any) -> Any:
    from jaxlib.mlir._mlir_libs import _jax_mlir_ext
    from jaxlib.mlir.dialects import chlo, mhlo, sdy, stablehlo

    made = ir.Context()
    upstream = ir.DialectRegistry()
    _jax_mlir_ext.register_dialects(upstream)
    made.append_dialect_registry(upstream)
    for dialect in (stablehlo, chlo, sdy):
        dialect.register_dialect(made)
    mhlo.register_mhlo_dialect(made)
    made.load_all_available_dialects()
    return made


def exported(data: bytes) -> tuple[bytes, dict[str, Any]]:
    """The module of a jax.export file, and what the file says about it."""
    from jax import export, tree_util

    found = export.deserialize(bytearray(data))
    if len(found.platforms) != 1 or found.nr_devices != 1:
        raise ValueError(f"the function is exported for {found.nr_devices} devices and the platforms {list(found.platforms)}; export it for one of each")
    args, kwargs = tree_util.tree_unflatten(found.in_tree, range(len(found.in_avals)))
    if kwargs:
        raise ValueError("the function is exported with keyword arguments; export it with positional ones")
    kept = sorted(found.module_kept_var_idx)
    return bytes(found.mlir_module_serialized), {
        "function": found.fun_name,
        "kept": kept,
        "shapes": [[d if isinstance(d, int) else str(d) for d in a.shape] for a in found.in_avals],
        "outputs": [[d if isinstance(d, int) else str(d) for d in a.shape] for a in found.out_avals],
        "paths": [["", ""] if path is None else path for path in paths(tree_util, args, len(found.in_avals))],
    }


def paths(tree_util: Any, args: Any, count: int) -> list[tuple[int, str] | None]:
    """For each leaf of the arguments: its argument, and its path in it."""
    made: list[tuple[int, str] | None] = [None] * count
    for number, arg in enumerate(args):
        for path, leaf in tree_util.tree_flatten_with_path(arg)[0]:
            made[leaf] = number, tree_util.keystr(path)
    return made


def main() -> tuple[dict[str, Any], str]:
    request = json.loads(sys.stdin.buffer.readline())
    data = sys.stdin.buffer.read()
    answer: dict[str, Any] = {}
    if request["kind"] == "export":
        data, answer = exported(data)
        request["kind"] = "portable"
    from jaxlib.mlir import ir
    from jaxlib.mlir.dialects import stablehlo
    from jaxlib.mlir.passmanager import PassManager

    with context(ir) as made, ir.Location.unknown():
        if request["kind"] == "portable":
            module = stablehlo.deserialize_portable_artifact(made, data)
        else:
            module = ir.Module.parse(data.decode() if request["kind"] == "text" else data)
        if request.get("types") is not None:
            stablehlo.register_stablehlo_passes()
            types = ",".join(request["types"])
            steps = f"stablehlo-refine-arguments{{types={types}}},stablehlo-refine-shapes,func.func(stablehlo-canonicalize-dynamism)"
            PassManager.parse(f"builtin.module({steps})").run(module.operation)
        module.operation.verify()
        text = str(module.operation.get_asm(print_generic_op_form=True, enable_debug_info=True))
    return answer, text


if __name__ == "__main__":
    try:
        head, body = main()
    except BaseException as error:
        diagnostics = [f"{d.location}: {d.message}" for d in getattr(error, "error_diagnostics", ())]
        head, body = {"error": type(error).__name__, "message": str(error), "diagnostics": diagnostics}, ""
    sys.stdout.buffer.write(json.dumps(head).encode() + b"\n" + body.encode())
