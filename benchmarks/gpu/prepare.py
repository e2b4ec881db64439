# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes a folder of executables for a target, with what `run` compares them with: needs the compiler, and for the rows of the ops the tests of this checkout with JAX."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from steps import ROOT, floor
from steps import workloads as W

from . import cases

TYPES = {"float64": "f64", "float32": "f32", "float16": "f16", "bfloat16": "bf16", "int64": "i64", "int32": "i32", "bool": "i1"}
#: The rows of all ops take a minute; these are enough to see that the script works.
SMALL_OPS = ("add", "matmul", "reduce", "softmax", "take_along_axis")


class UnknownName(ValueError):
    """A program that there is not."""


def prepare(folder: Path, target: str, small: bool, only: Sequence[str], say: Callable[[str], None]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    kinds: dict[str, Callable[..., Any]] = {"ops": _ops, "families": _families, "models": _models}
    entries: dict[str, Any] = {}
    programs = {kind: list(write(small)) for kind, write in kinds.items()}
    known = {*programs, *(name for made in programs.values() for name, _ in made)}
    if unknown := [name for name in only if name not in known]:
        raise UnknownName(f"--only {' '.join(unknown)}: expected of {', '.join(programs)}, or of the programs {', '.join(sorted(known - {*programs}))}")
    for kind, made in programs.items():
        entries[kind] = {}
        for name, make in made:
            if only and name not in only and kind not in only:
                continue
            begin = time.perf_counter()
            path = folder / kind / f"{name}.rafx"
            path.parent.mkdir(exist_ok=True)
            entries[kind][name] = {**make(path, target), "compile_s": round(time.perf_counter() - begin, 2)}
            if kind == "models":
                say(f"{name}: compiled in {entries[kind][name]['compile_s']:.1f} s, {path.stat().st_size >> 10} KiB")
    check = {"target": target, "small": small, **entries}
    (folder / "check.json").write_text(json.dumps(check, indent=1))
    total = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    say(f"{sum(map(len, entries.values()))} executables for {target} are in {folder} ({total / 2**20:.1f} MiB)")


def write_program(path: Path, asm: str, target: str) -> None:
    """An executable of a module whose arguments all are inputs."""
    import raf
    from raf import _core, _rafx

    chip = "sim" if target == "cuda-sim" else target.partition(":")[2]
    options = json.dumps({"pipeline": "raf-cuda", "chip": chip, "opt_level": 2, "libraries": ["cublas", "cudnn"]})
    manifest, objects, images = _core.compile_parts(asm, options)
    about = {"raf_version": raf.__version__, "kind": "prediction", "model": {"name": path.stem, "fingerprint": ""}, "program": json.loads(manifest), "training": None}
    _rafx.write(path, _rafx.Contents(about, objects, {}, [(dict(zip(("kind", "target"), which.split(" "))), data) for which, data in images]))


def type_of(shape: Sequence[int], kind: str) -> str:
    return f"tensor<{''.join(f'{d}x' for d in shape)}{kind}>"


def module(text: str, operands: Mapping[str, tuple[Sequence[int], str]], results: Sequence[Sequence[int]]) -> str:
    """@main of a family's text."""
    types = {letter: type_of(*operand) for letter, operand in operands.items()} | {f"y{k}": type_of(shape, "f32") for k, shape in enumerate(results)}
    arguments = ", ".join(f'%{letter}: {types[letter]} {{raf.name = "{letter}", raf.role = "input"}}' for letter in operands)
    names = [f"y{k}" for k in range(len(results))]
    signature = ", ".join(f'{types[n]} {{raf.name = "{n}"}}' for n in names)
    return f"func.func @main({arguments}) -> ({signature}) {{\n  {text.format(**types)}\n  return {', '.join('%' + n for n in names)} : {', '.join(types[n] for n in names)}\n}}\n"


def _families(small: bool) -> Any:
    def writer(name: str, family: cases.Family) -> Any:
        def make(path: Path, target: str) -> dict[str, Any]:
            kinds = {letter: (shape, TYPES[cases.operand(family.family, name, letter, (1,)).dtype.name]) for letter, shape in family.operands.items()}
            write_program(path, module(family.text, kinds, family.results), target)
            return {"family": family.family}

        return make

    for name, family in cases.families(small).items():
        yield name, writer(name, family)


def _ops(small: bool) -> Any:
    """The rows of every op in test/execute, with what they must give."""
    sys.path.insert(0, str(ROOT / "test"))
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    import jax

    with jax.enable_x64(True):
        from execute import test_ops

        def writer(op: str) -> Any:
            def make(path: Path, target: str) -> dict[str, Any]:
                with jax.enable_x64(True):
                    rows = test_ops.rows(op)
                    asm, given = test_ops.build(rows)
                write_program(path, asm, target)
                expected = {f"r{i}_y{k}": result for i, case in enumerate(rows) for k, result in enumerate(case.results)}
                arrays = {**{f"given:{n}": a for n, a in given.items()}, **{f"expected:{n}": a for n, a in expected.items()}}
                # npz holds no bfloat16.
                np.savez_compressed(path.with_suffix(".npz"), **{n: a.view(np.uint16) if a.dtype.name == "bfloat16" else a for n, a in arrays.items()})
                return {"rtol": {f"r{i}": max(case.rtol, 1e-12) for i, case in enumerate(rows)}, "bf16": [n for n, a in arrays.items() if a.dtype.name == "bfloat16"]}

            return make

        for op in SMALL_OPS if small else test_ops.OPS:
            yield op, writer(op)


def _models(small: bool) -> Any:
    def writer(name: str, model: cases.Model) -> Any:
        def make(path: Path, target: str) -> dict[str, Any]:
            import onnx
            import raf
            from raf import examples

            proto = examples.MODELS[model.model](seed=0, **model.options)
            inputs, _ = cases.batches(model)[0]
            optimizer = raf.optim.AdamW(lr=W.LR, beta1=W.BETA1, beta2=W.BETA2, epsilon=W.EPSILON, weight_decay=W.WEIGHT_DECAY)
            options = {"amp": model.amp} if model.amp else {}
            trainer = raf.compile(raf.import_onnx(proto), loss="cross_entropy", optimizer=optimizer, target=target, lazy=True, cache=False, **options)
            shapes = {spec.name: x.shape for spec, x in zip(trainer.model.inputs, inputs)}
            # `run` makes the values from their names: zeros take no place in the file.
            for array in (*trainer.params.values(), *trainer.buffers.values()):
                array[...] = 0
            trainer.save_executable(path, shapes)
            matrices = {op: sorted({node.input[1] for node in proto.graph.node if node.op_type == op}) for op in ("Gemm", "MatMul")}
            weights = {t.name: list(t.dims) for t in proto.graph.initializer if not t.name.startswith("const_")}
            with tempfile.TemporaryDirectory() as scratch:
                onnx.save(proto, Path(scratch, "model.onnx"))
                counted = floor.count(Path(scratch, "model.onnx"), inputs)
            return {"model": model.model, "amp": model.amp or "none", "timed": name in cases.timed(small), "options": model.options, "matrices": matrices, "weights": weights, "counted": counted}

        return make

    for name, model in cases.models(small).items():
        yield name, writer(name, model)
