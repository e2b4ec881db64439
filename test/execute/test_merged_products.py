# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products that became one give the numbers of those apart: the gates of a recurrence by the model's own choice, and every form of siblings and sums by a launch that costs a second."""

import itertools

import numpy as np
import pytest
from execute.harness import Program, close

ALWAYS = "raf-merge-products{launch-ns=1000000000}"


def argument(name, *shape):
    return f'%{name}: tensor<{"x".join(map(str, shape))}xf32> {{raf.role = "input", raf.name = "{name}"}}'


def given(shapes, seed=0):
    rng = np.random.default_rng(seed)
    return {name: (rng.standard_normal(shape) * 0.3).astype(np.float32) for name, shape in shapes.items()}


def recurrence(steps, rows, width):
    """h = tanh(h a) * sigmoid(h b) + tanh(h c) * h, in each step, with matrices apart."""
    h, w = f"tensor<{rows}x{width}xf32>", f"tensor<{width}x{width}xf32>"
    lines, state = [], "h"
    for t in range(steps):
        for gate in "abc":
            lines.append(f"%{gate}{t} = raf.matmul %{state}, %{gate} transpose_rhs : {h}, {w} -> {h}")
        lines += [f"%x{t} = raf.tanh %a{t} : {h}", f"%y{t} = raf.sigmoid %b{t} : {h}", f"%z{t} = raf.tanh %c{t} : {h}"]
        lines += [f"%p{t} = raf.mul %x{t}, %y{t} : {h}", f"%q{t} = raf.mul %z{t}, %{state} : {h}", f"%s{t} = raf.add %p{t}, %q{t} : {h}"]
        state = f"s{t}"
    arguments = ", ".join([argument("h", rows, width), *(argument(gate, width, width) for gate in "abc")])
    return f'func.func @main({arguments}) -> ({h} {{raf.name = "y"}}) {{\n' + "\n".join(lines) + f"\nreturn %{state} : {h}\n}}"


def test_gates_of_a_recurrence():
    module = recurrence(6, 4, 32)
    values = given({"h": (4, 32), "a": (32, 32), "b": (32, 32), "c": (32, 32)})
    expected = Program(module, opt_level=0)(values)
    together, apart = (Program(module, libraries=["dnnl"], skip=skip) for skip in ([], ["raf-merge-products"]))
    assert together.manifest["library_calls"] < apart.manifest["library_calls"]
    for program in (together, apart, Program(module)):
        close(program(values)["y"], expected["y"], 1e-5)


@pytest.mark.parametrize("left, right", list(itertools.product([False, True], repeat=2)))
def test_forms(left, right):
    """Products that share their left or their right operand, and a sum of products, with operands of different sizes."""
    m, k, n = 6, 5, 7

    def shape(rows, columns, transposed):
        return (columns, rows) if transposed else (rows, columns)

    flags = (" transpose_lhs" if left else "") + (" transpose_rhs" if right else "")
    shapes = {"x": shape(m, k, left), "w": shape(k, n, right)}
    shapes |= {f"a{i}": shape(m + i, k, left) for i in range(3)} | {f"b{i}": shape(k, n + i, right) for i in range(3)}
    shapes |= {f"u{i}": shape(m, k + i, left) for i in range(4)} | {f"v{i}": shape(k + i, n, right) for i in range(4)} | {"o": (m, n)}
    lines, results = [], {}

    def type_of(dims):
        return f"tensor<{dims[0]}x{dims[1]}xf32>"

    def product(name, a, b, rows, columns):
        lines.append(f"%{name} = raf.matmul %{a}, %{b}{flags} : {type_of(shapes[a])}, {type_of(shapes[b])} -> {type_of((rows, columns))}")

    for i in range(3):
        product(f"l{i}", "x", f"b{i}", m, n + i)
        product(f"r{i}", f"a{i}", "w", m + i, n)
        results |= {f"l{i}": (m, n + i), f"r{i}": (m + i, n)}
    for i in range(4):
        product(f"s{i}", f"u{i}", f"v{i}", m, n)
    lines += [f"%t{i} = raf.add %{a}, %{b} : {type_of((m, n))}" for i, (a, b) in enumerate([("s0", "s1"), ("t0", "o"), ("t1", "s2"), ("t2", "s3")])]
    results["t3"] = (m, n)
    named = ", ".join(f'{type_of(dims)} {{raf.name = "{name}"}}' for name, dims in results.items())
    returned = f"return {', '.join('%' + r for r in results)} : {', '.join(map(type_of, results.values()))}"
    module = f"func.func @main({', '.join(argument(name, *dims) for name, dims in shapes.items())}) -> ({named}) {{\n" + "\n".join([*lines, returned]) + "\n}"
    values = given(shapes)
    expected = Program(module, opt_level=0)(values)
    merged = Program(module, [ALWAYS, "canonicalize", "cse"], libraries=["dnnl"])
    assert merged.manifest["library_calls"] == 3
    actual = merged(values)
    for name in results:
        close(actual[name], expected[name], 1e-5, name)
