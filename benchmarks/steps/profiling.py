# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a compiled step consists of: its kernels and library calls, from the module after its memory was planned."""

from __future__ import annotations

import math
import os
import re
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_BYTES = {"f64": 8, "i64": 8, "f32": 4, "i32": 4, "bf16": 2, "f16": 2, "i8": 1, "i1": 1}
_MEMREF = re.compile(r"memref<((?:\d+x)*)(\w+)[^>]*>")
_FUNCTION = re.compile(r"^  func\.func (?:private )?@(\w+)\(")
_STEP_OP = re.compile(r'^    (?:%\S+ = )?"?(raf\.launch|dnnl\.\w+|memref\.copy)"?(?: @(\w+))?')
_BODY_OP = re.compile(r"(?:= |^\s+)(linalg\.\w+|math\.\w+|scf\.\w+|arith\.(?:divf|addf|mulf|maximumf|cmpf|select))")


@dataclass(frozen=True)
class StepOp:
    """A launch or call: `key` groups equal ones, `text` says what it works on, `flops` is that of products and convolutions."""

    name: str
    key: str
    text: str
    bytes: int
    flops: int


def lower(trainer: Any, tool: str, threads: int) -> str:
    """The module of the trainer's step after raf-plan-memory, as text."""
    from raf import _engine
    from raf._arrays import mlir_name

    program = trainer._current
    shapes = {slot.name: tuple(slot.shape) for slot in program.inputs}
    inputs = {i.name: shapes[i.name] for i in trainer.model.inputs}
    target = next((s.dtype for s in program.inputs if s.name not in inputs), None)
    pipeline = _engine.training_pipeline(trainer.loss, trainer.optimizer, trainer._output, None if target is None else mlir_name(target))
    module = _engine._core().run_pipeline(trainer.model.specialize(inputs).asm, pipeline)
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "step.mlir"
        path.write_text(module)
        command = [tool, f"--pass-pipeline={trainer._options.pass_pipeline()}", "--mlir-print-ir-after=raf-plan-memory", "--mlir-elide-elementsattrs-if-larger=16"]
        environment = {**os.environ, "RAF_NUM_THREADS": str(threads)}  # what oneDNN supports depends on it
        done = subprocess.run([*command, str(path), "-o", "/dev/null"], stderr=subprocess.PIPE, text=True, env=environment)
    if done.returncode:
        raise RuntimeError(done.stderr[-2000:])
    return done.stderr


def describe(text: str) -> list[StepOp]:
    """The ops of the step in the order of the manifest's `ops`."""
    bodies: dict[str, Counter[str]] = {}
    found: list[tuple[str, str, str]] = []
    function = ""
    for line in text.splitlines():
        if start := _FUNCTION.match(line):
            function = start[1]
            bodies[function] = Counter()
        elif function == "main":
            if op := _STEP_OP.match(line):
                found.append((op[1], op[2] or "", line))
        elif function and (inner := _BODY_OP.search(line)):
            bodies[function][inner[1]] += 1
    return [_step_op(kind, callee, line, bodies.get(callee, Counter())) for kind, callee, line in found]


def _step_op(kind: str, callee: str, line: str, body: Counter[str]) -> StepOp:
    shapes = [([int(d) for d in dims.split("x") if d], element) for dims, element in _MEMREF.findall(line)]
    size = sum(math.prod(s) * _BYTES.get(t, 4) for s, t in shapes)
    if kind == "raf.launch":
        inside = ", ".join(f"{n} {op}" if n > 1 else op for op, n in body.most_common(10))
        return StepOp(callee, callee, f"{_types(shapes)}  [{inside}]", size, 0)
    operands = [[int(d) for d in dims.split("x") if d] for part in re.findall(r"(?:ins|outs)\([^)]*\)", line) for dims, _ in _MEMREF.findall(part)]
    extra = re.findall(r"post_ops = \[[^\]]*\]|layout = \w+|bias", line)
    for side, strides in re.findall(r"(lhs|rhs)_view = #dnnl.view<\[[\d, ]+\], strides = \[([\d, ]+)\]>", line):
        extra += [] if strides.endswith(" 1") else [f"{side}^T"]
    return StepOp(kind.removeprefix("memref."), f"{kind} {_types(shapes)} {' '.join(extra).replace('#dnnl.post_op', '')}", "", size, _flops(kind, line, operands))


def _types(shapes: list[tuple[list[int], str]]) -> str:
    """The biggest few, in order."""
    big = sorted(range(len(shapes)), key=lambda i: -math.prod(shapes[i][0]))[:5]
    names = ["x".join(map(str, [*shapes[i][0], shapes[i][1]])) for i in sorted(big)]
    return " ".join(f"{n} {name}" if n > 1 else name for name, n in Counter(names).items()) + (f" +{len(shapes) - 5}" if len(shapes) > 5 else "")


def _flops(kind: str, line: str, shapes: list[list[int]]) -> int:
    if kind == "dnnl.matmul":
        # [b, m, k] [b, k, n] [b, m, n], whichever are transposed: the sizes multiply to b^3 (m k n)^2
        view = re.search(r"lhs_view = #dnnl.view<\[([\d, ]+)\]", line)
        inner = int(view[1].split(",")[-1]) if view else shapes[0][-1]
        return 2 * math.prod(shapes[2]) * inner
    if kind.startswith("dnnl.conv"):
        y, w = {"dnnl.conv": (-1, 1), "dnnl.conv_input_grad": (0, 1), "dnnl.conv_weight_grad": (1, 2)}[kind]
        return 2 * math.prod(shapes[y]) * math.prod(shapes[w][1:])
    return 0
