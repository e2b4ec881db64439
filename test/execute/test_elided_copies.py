# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Slices and concatenations that are views give the numbers of those that are copied: in random programs, whose values are updated in place, and in an unrolled recurrence."""

import random

import numpy as np
import pytest
from execute import models
from execute.harness import Program, close

ROWS, COLUMNS = 8, 16


class Writer:
    """A random program of products, slices and concatenations by rows, and pointwise ops; all values have COLUMNS columns."""

    def __init__(self, seed):
        self.random, self.lines, self.rows = random.Random(seed), [], {"x": ROWS, "v": 2 * ROWS}
        for _ in range(self.random.randint(12, 28)):
            self.step()
        for last in list(self.rows)[-3:]:  # what is a result itself lies where it is told to
            self.add(self.rows[last], f"raf.tanh %{last} : {self.type(self.rows[last])}")

    @staticmethod
    def type(rows):
        return f"tensor<{rows}x{COLUMNS}xf32>"

    def add(self, rows, text):
        name = f"t{len(self.lines)}"
        self.lines.append(f"%{name} = {text}")
        self.rows[name] = rows

    def recent(self):
        return self.random.choice(list(self.rows)[-5:])

    def step(self):
        a, kind = self.recent(), self.random.choice(["product"] * 4 + ["slice"] * 3 + ["concat"] * 3 + ["add", "tanh"])
        rows = self.rows[a]
        type = self.type(rows)
        if kind == "product":
            self.add(rows, f"raf.matmul %{a}, %w : {type}, tensor<{COLUMNS}x{COLUMNS}xf32> -> {type}")
        elif kind == "slice" and rows > 1:
            begin = self.random.randrange(rows - 1)
            end = self.random.randint(begin + 1, rows)
            box = f"starts = [{begin}, 0] limits = [{end}, {COLUMNS}] strides = [1, 1]"
            self.add(end - begin, f"raf.slice %{a} {box} : {type} -> {self.type(end - begin)}")
        elif kind == "concat":
            parts = [a] + [self.recent() for _ in range(self.random.randint(1, 3))]
            total = sum(self.rows[p] for p in parts)
            if total <= 12 * ROWS:
                types = ", ".join(self.type(self.rows[p]) for p in parts)
                self.add(total, f"raf.concat {', '.join('%' + p for p in parts)} axis = 0 : ({types}) -> {self.type(total)}")
        elif kind == "add":
            others = [b for b in self.rows if self.rows[b] == rows]
            self.add(rows, f"raf.add %{a}, %{self.random.choice(others)} : {type}")
        else:
            self.add(rows, f"raf.tanh %{a} : {type}")

    def module(self):
        results = list(self.rows)[-3:]
        types = [self.type(self.rows[r]) for r in results]
        named = ", ".join(f'{t} {{raf.name = "r{i}"}}' for i, t in enumerate(types))
        arguments = {"x": self.type(ROWS), "v": self.type(2 * ROWS), "w": f"tensor<{COLUMNS}x{COLUMNS}xf32>"}
        given = ", ".join(f'%{n}: {t} {{raf.role = "input", raf.name = "{n}"}}' for n, t in arguments.items())
        body = "\n".join(self.lines)
        return f"func.func @main({given}) -> ({named}) {{\n{body}\nreturn {', '.join('%' + r for r in results)} : {', '.join(types)}\n}}"


@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed):
    module = Writer(seed).module()
    rng = np.random.default_rng(seed)
    given = {n: rng.standard_normal(s).astype(np.float32) * 0.4 for n, s in {"x": (ROWS, COLUMNS), "v": (2 * ROWS, COLUMNS), "w": (COLUMNS, COLUMNS)}.items()}
    expected = Program(module, opt_level=0)(given)
    for libraries in ((), ("dnnl",)):
        actual = Program(module, libraries=list(libraries))(given)
        for name, value in expected.items():
            close(actual[name], value, 2e-5, f"{name} of\n{module}")


@pytest.mark.parametrize("name", ["lstm", "gru", "rnn"])
def test_unrolled_recurrences(name):
    views = models.trainer(name, "adamw", threads=2)
    copies = models.trainer(name, "adamw", threads=2, skip=["raf-elide-copies"])
    # Where a sum is no longer fused with what it sums, it may be taken in another order.
    close(models.run(views, 3, name), models.run(copies, 3, name), 1e-5)
    for key, value in models.state(copies).items():
        close(models.state(views)[key], value, 1e-4, key)
