# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random straight-line steps: whatever is in place, reordered, shared or copied, a step computes what its SSA form says."""

import json
import random

import numpy as np
import pytest
from python.core.steps import CODEGEN, Step, core, pipeline

N = 12
T, V = f"tensor<{N}xf32>", f"tensor<3x{N // 3}xf32>"

# Two kernels that may work in place (the second only over its first input), one that must not, one that accumulates, one with two results.
KERNELS = f"""
#id = affine_map<(i) -> (i)>
#rev = affine_map<(i) -> ({N - 1} - i)>
func.func private @add(%a: {T}, %b: {T}, %o: {T}) -> {T} attributes {{raf.kernel}} {{
  %r = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%a, %b : {T}, {T}) outs(%o : {T}) {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.addf %x, %y : f32
    linalg.yield %s : f32
  }} -> {T}
  return %r : {T}
}}
func.func private @addrev(%a: {T}, %b: {T}, %o: {T}) -> {T} attributes {{raf.kernel}} {{
  %r = linalg.generic {{indexing_maps = [#id, #rev, #id], iterator_types = ["parallel"]}} ins(%a, %b : {T}, {T}) outs(%o : {T}) {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  }} -> {T}
  return %r : {T}
}}
func.func private @accumulate(%a: {T}, %o: {T}) -> {T} attributes {{raf.kernel}} {{
  %r = linalg.generic {{indexing_maps = [#rev, #id], iterator_types = ["parallel"]}} ins(%a : {T}) outs(%o : {T}) {{
  ^bb0(%x: f32, %z: f32):
    %h = arith.constant 0.5 : f32
    %p = arith.mulf %z, %h : f32
    %s = arith.addf %x, %p : f32
    linalg.yield %s : f32
  }} -> {T}
  return %r : {T}
}}
func.func private @both(%a: {T}, %o: {T}, %p: {T}) -> ({T}, {T}) attributes {{raf.kernel}} {{
  %r:2 = linalg.generic {{indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}} ins(%a : {T}) outs(%o, %p : {T}, {T}) {{
  ^bb0(%x: f32, %y: f32, %z: f32):
    %h = arith.constant 0.25 : f32
    %n = arith.negf %x : f32
    %q = arith.mulf %x, %h : f32
    linalg.yield %n, %q : f32, f32
  }} -> ({T}, {T})
  return %r#0, %r#1 : {T}, {T}
}}
"""


class Program:
    """Random ops on some arguments, as MLIR and as numpy."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.numbers = [f"%a{i}" for i in range(rng.randint(1, 4))]
        self.lines, self.code = [], []
        values = list(self.numbers)
        for i in range(rng.randint(1, 14)):
            a, b = rng.choice(values[-5:]), rng.choice(values)
            empty = "%shared" if rng.random() < 0.5 else f"%e{i}"
            if empty != "%shared":
                self.lines.append(f"{empty} = tensor.empty() : {T}")
            kind = rng.choice(["add", "addrev", "accumulate", "both", "reshape"])
            r = f"%v{i}"
            if kind in ("add", "addrev"):
                alias = "[0, 0, 1, 0]" if kind == "add" else "[0, 0]"
                self.lines.append(f"{r} = raf.launch @{kind} ins({a}, {b} : {T}, {T}) outs({empty} : {T}) may_alias = {alias} -> {T}")
                self.code.append((r, lambda v, a=a, b=b, k=kind: v[a] + v[b] if k == "add" else v[a] - v[b][::-1]))
            elif kind == "accumulate":
                self.lines.append(f"{r} = raf.launch @accumulate ins({a} : {T}) outs({b} : {T}) -> {T}")
                self.code.append((r, lambda v, a=a, b=b: v[a][::-1] + v[b] * np.float32(0.5)))
            elif kind == "both":
                self.lines.append(f"{r}, %w{i} = raf.launch @both ins({a} : {T}) outs({empty}, {empty} : {T}, {T}) may_alias = [0, 0, 0, 1] -> {T}, {T}")
                self.code += [(r, lambda v, a=a: -v[a]), (f"%w{i}", lambda v, a=a: v[a] * np.float32(0.25))]
                values.append(f"%w{i}")
            else:
                self.lines += [f"%t{i} = raf.reshape {a} : {T} to {V}", f"{r} = raf.reshape %t{i} : {V} to {T}"]
                self.code.append((r, lambda v, a=a: v[a]))
            values.append(r)
        # Every argument may be donated, to any value; further results are not aliased.
        self.results = [(rng.choice(values[-6:]), i) for i in range(len(self.numbers)) if rng.random() < 0.6]
        self.results += [(rng.choice(values), None) for _ in range(rng.randint(0 if self.results else 1, 3))]
        rng.shuffle(self.results)

    def text(self):
        args = ", ".join(f'{a}: {T} {{raf.role = "param", raf.name = "{a[1:]}"}}' for a in self.numbers)
        kinds = ", ".join(
            f'{T} {{raf.name = "r{i}"' + ("" if k is None else f", raf.alias = {k} : i64") + "}" for i, (_, k) in enumerate(self.results)
        )
        names = ", ".join(name for name, _ in self.results)
        body = "\n  ".join([f"%shared = tensor.empty() : {T}", *self.lines])
        types = ", ".join([T] * len(self.results))
        return f"{KERNELS}\nfunc.func @main({args}) -> ({kinds}) {{\n  {body}\n  return {names} : {types}\n}}"

    def run(self, arguments):
        values = {f"%{name}": value.copy() for name, value in arguments.items()}
        for name, compute in self.code:
            values[name] = compute(values)
        arrays = {name: values[f"%{name}"] for name in arguments}
        for index, (name, argument) in enumerate(self.results):
            arrays[f"r{index}" if argument is None else self.numbers[argument][1:]] = values[name]
        return arrays


@pytest.mark.parametrize("seed", range(30))
def test_random_steps(seed):
    program = Program(seed)
    rng = np.random.default_rng(seed)
    arguments = {a[1:]: rng.integers(-8, 8, N).astype(np.float32) for a in program.numbers}
    expected = program.run(arguments)
    for passes in (pipeline(), pipeline(plan="raf-plan-memory{share=false}"), pipeline(inplace=""), CODEGEN):
        text = json.dumps({"pipeline": passes, "opt_level": 0})
        step = Step(core.Executable.compile(program.text(), text), arguments)
        step.run()
        for name, value in expected.items():
            np.testing.assert_array_equal(step.arrays[name], value, err_msg=f"{name} with {passes} in\n{program.text()}")
