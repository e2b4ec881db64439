# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Random graphs give the same numbers as written and after everything that the compiler does to them, with a library and without."""

import os

import numpy as np
import pytest
from execute.harness import Program, close

SEEDS = int(os.environ.get("RAF_TEST_GRAPHS", "12"))


class Builder:
    """A module grown op by op from values that exist; sizes stay small and numbers near 1."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)
        self.lines, self.arguments, self.values = [], {}, []
        for shape in ((4, 6), (6, 5), (2, 4, 6), (6,), (2, 6, 4), (4, 4)):
            name = f"a{len(self.arguments)}"
            self.arguments[name] = shape
            self.values.append((f"%{name}", shape))

    @staticmethod
    def type(shape):
        return f"tensor<{''.join(f'{d}x' for d in shape)}f32>"

    def pick(self, test=lambda shape: True):
        found = [v for v in self.values if test(v[1])]
        # Rather a recent value, so that chains grow.
        return found[max(self.rng.integers(len(found), size=2))] if found else None

    def emit(self, text, shape, types):
        name = f"%v{len(self.lines)}"
        self.lines.append(f"{name} = raf.{text} : {types}")
        self.values.append((name, tuple(int(d) for d in shape)))

    def constant(self, shape):
        value = float(self.rng.choice([-1.0, 0.5, 2.0, 0.25, 0.1, 3.0]))
        name = f"%c{len(self.lines)}"
        self.lines.append(f"{name} = raf.constant dense<{value!r}> : {self.type(shape)}")
        return name

    def unary(self):
        x, shape = self.pick()
        kind = self.rng.choice(["tanh", "sigmoid", "relu", "neg", "abs", "gelu erf", "silu", "cos"])
        self.emit(f"{kind} {x}", shape, self.type(shape))

    def binary(self):
        x, shape = self.pick()
        y, _ = self.pick(lambda s: s == shape)
        kind = self.rng.choice(["add", "add", "sub", "mul", "maximum", "minimum"])
        self.emit(f"{kind} {x}, {y}", shape, self.type(shape))

    def scale(self):
        x, shape = self.pick()
        operands = [x, self.constant(shape)]
        if self.rng.integers(2):
            operands.reverse()
        kind = self.rng.choice(["add", "sub", "mul"])
        self.emit(f"{kind} {operands[0]}, {operands[1]}", shape, self.type(shape))

    def broadcast(self):
        x, shape = self.pick(lambda s: len(s) <= 2)
        rank = int(self.rng.integers(max(1, len(shape)), 4))
        dims = sorted(self.rng.choice(rank, len(shape), replace=False).tolist())
        out = [int(d) for d in self.rng.choice([2, 4, 6], rank)]
        for dim, size in zip(dims, shape):
            out[dim] = size
        self.emit(f"broadcast {x} dims = {dims}", out, f"{self.type(shape)} to {self.type(out)}")

    def reduce(self):
        x, shape = self.pick(lambda s: len(s) >= 2)
        dims = sorted(self.rng.choice(len(shape), int(self.rng.integers(1, len(shape))), replace=False).tolist())
        out = [d for i, d in enumerate(shape) if i not in dims]
        self.emit(f"reduce {self.rng.choice(['sum', 'max'])} {x} dims = {dims}", out, f"{self.type(shape)} -> {self.type(out)}")

    def transpose(self):
        x, shape = self.pick(lambda s: len(s) >= 2)
        permutation = self.rng.permutation(len(shape)).tolist()
        out = [shape[p] for p in permutation]
        self.emit(f"transpose {x} permutation = {permutation}", out, f"{self.type(shape)} -> {self.type(out)}")

    def reshape(self):
        x, shape = self.pick()
        size, out = int(np.prod(shape)), []
        for factor in (2, 4, 6, 3):
            if size % factor == 0 and len(out) < 2 and self.rng.integers(2):
                out.append(factor)
                size //= factor
        out.append(size)
        self.emit(f"reshape {x}", out, f"{self.type(shape)} to {self.type(out)}")

    def slice(self):
        x, shape = self.pick(lambda s: min(s, default=0) >= 2)
        starts = [int(self.rng.integers(0, d)) if self.rng.integers(2) else 0 for d in shape]
        strides = [int(self.rng.integers(1, 3)) for _ in shape]
        out = [-(-(d - b) // s) for d, b, s in zip(shape, starts, strides)]
        self.emit(f"slice {x} starts = {starts} limits = {list(shape)} strides = {strides}", out, f"{self.type(shape)} -> {self.type(out)}")

    def pads(self):
        """The sum of two pads, side by side or overlapping."""
        x, shape = self.pick(lambda s: len(s) >= 1)
        axis, size = int(self.rng.integers(len(shape))), None
        size, gap = shape[axis], int(self.rng.integers(0, 3)) - 1
        out = list(shape)
        out[axis] = 2 * size + gap
        if out[axis] < size:
            return
        names = []
        for low in (0, size + gap):
            lows, highs = [0] * len(shape), [0] * len(shape)
            lows[axis], highs[axis] = low, out[axis] - size - low
            self.emit(f"pad {x} low = {lows} high = {highs} interior = {[0] * len(shape)} value = 0.0", out, f"{self.type(shape)} -> {self.type(out)}")
            names.append(self.values[-1][0])
        self.emit(f"add {names[0]}, {names[1]}", out, self.type(out))

    def concat(self):
        x, shape = self.pick(lambda s: len(s) >= 1)
        y, _ = self.pick(lambda s: s == shape)
        axis = int(self.rng.integers(len(shape)))
        out = list(shape)
        out[axis] *= 2
        self.emit(f"concat {x}, {y} axis = {axis}", out, f"({self.type(shape)}, {self.type(shape)}) -> {self.type(out)}")

    def matmul(self):
        x, a = self.pick(lambda s: len(s) >= 2)
        left = bool(self.rng.integers(2))
        k = a[-2] if left else a[-1]
        found = self.pick(lambda s: len(s) == len(a) and s[:-2] == a[:-2] and k in s[-2:])
        if not found:
            return
        y, b = found
        right = b[-1] == k and (b[-2] != k or bool(self.rng.integers(2)))
        out = (*a[:-2], a[-1] if left else a[-2], b[-2] if right else b[-1])
        flags = " transpose_lhs" * left + " transpose_rhs" * right
        self.emit(f"matmul {x}, {y}{flags}", out, f"{self.type(a)}, {self.type(b)} -> {self.type(out)}")

    def build(self, count):
        kinds = [self.unary, self.binary, self.binary, self.scale, self.broadcast, self.reduce, self.transpose, self.reshape, self.slice, self.pads, self.concat,
                 self.matmul, self.matmul, self.matmul]  # fmt: skip
        while len(self.lines) < count:
            kinds[self.rng.integers(len(kinds))]()
            name, shape = self.values[-1]
            if np.prod(shape, initial=1) > 4096:
                self.values.pop()  # its op stays, unused
            elif "matmul" in self.lines[-1] or "reduce sum" in self.lines[-1]:
                self.emit(f"tanh {name}", shape, self.type(shape))
        results = {f"r{i}": v for i, v in enumerate(self.values[-6:])}
        inputs = ", ".join(f'%{n}: {self.type(s)} {{raf.name = "{n}", raf.role = "input"}}' for n, s in self.arguments.items())
        types = ", ".join(f'{self.type(s)} {{raf.name = "{n}"}}' for n, (_, s) in results.items())
        values = ", ".join(v for v, _ in results.values()) + " : " + ", ".join(self.type(s) for _, s in results.values())
        lines = "\n".join(self.lines)
        return f"module {{\nfunc.func @main({inputs}) -> ({types}) {{\n{lines}\nreturn {values}\n}}\n}}"


@pytest.mark.parametrize("seed", range(SEEDS))
def test_graph(seed):
    builder = Builder(seed)
    asm = builder.build(40)
    rng = np.random.default_rng(seed)
    given = {n: rng.standard_normal(s).astype(np.float32) for n, s in builder.arguments.items()}
    expected = Program(asm, opt_level=0)(given)
    for libraries in ([], ["dnnl"]):
        actual = Program(asm, libraries=libraries)(given)
        for name in expected:
            close(actual[name], expected[name], 1e-4, f"{libraries}: {name} of\n{asm}")
