# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What libraries compute is what generated code computes, and raf-layout and raf-simplify change nothing but the order of work."""

import re

import numpy as np
import pytest
from execute.harness import DTYPES, TARGET, Program, close, type_of

#: On a device, its own libraries.
DNNL = ["dnnl"]
DISPATCH = "raf-dispatch" if TARGET == "cpu" else "raf-dispatch{libraries=cublas,cudnn}"


def module(arguments, body, results):
    """@main with named arguments and results: {name: type} twice, around lines of raf ops."""
    inputs = ", ".join(f'%{n}: tensor<{t}> {{raf.name = "{n}", raf.role = "input"}}' for n, t in arguments.items())
    types = ", ".join(f'tensor<{t}> {{raf.name = "{n}"}}' for n, t in results.items())
    values = ", ".join(f"%{n}" for n in results) + " : " + ", ".join(f"tensor<{t}>" for t in results.values())
    return f"module {{\nfunc.func @main({inputs}) -> ({types}) {{\n{body}\nreturn {values}\n}}\n}}"


def arrays(arguments, seed=0):
    rng = np.random.default_rng(seed)
    dims = {n: [int(d) for d in re.findall(r"(\d+)x", t)] for n, t in arguments.items()}
    return {n: rng.standard_normal(d).astype(np.float32) for n, d in dims.items()}


def window(kernel, stride, pad, dilation=1, rank=2, layout=None):
    def ints(value):
        return "[" + ", ".join([str(value)] * rank) + "]"

    text = f"kernel = {ints(kernel)} " if kernel else ""
    text += f"strides = {ints(stride)} pad_low = {ints(pad)} pad_high = {ints(pad)} dilations = {ints(dilation)}"
    return text + (f" layout = {layout}" if layout else "")


CASES = {}


def case(name, arguments, body, results, dnnl=1):
    CASES[name] = (arguments, body, results, dnnl)


case(
    "layer",
    {"x": "32x20xf32", "w": "48x20xf32", "b": "48xf32"},
    """%0 = raf.matmul %x, %w transpose_rhs : tensor<32x20xf32>, tensor<48x20xf32> -> tensor<32x48xf32>
%1 = raf.broadcast %b dims = [1] : tensor<48xf32> to tensor<32x48xf32>
%2 = raf.add %0, %1 : tensor<32x48xf32>
%y = raf.relu %2 : tensor<32x48xf32>""",
    {"y": "32x48xf32"},
)
for activation in ("tanh", "sigmoid", "silu", "gelu erf", "gelu tanh"):
    case(
        f"activation {activation}",
        {"x": "9x20xf32", "w": "20x17xf32", "r": "9x17xf32"},
        f"""%0 = raf.matmul %x, %w : tensor<9x20xf32>, tensor<20x17xf32> -> tensor<9x17xf32>
%1 = raf.{activation} %0 : tensor<9x17xf32>
%2 = raf.mul %1, %r : tensor<9x17xf32>
%3 = raf.sub %2, %r : tensor<9x17xf32>
%c = raf.constant dense<0.25> : tensor<9x17xf32>
%y = raf.mul %3, %c : tensor<9x17xf32>""",
        {"y": "9x17xf32"},
    )
case(
    "accumulate",
    {"x": "8x4xf32", "h": "8x16xf32", "w": "4x16xf32", "u": "16x16xf32"},
    """%0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
%1 = raf.matmul %h, %u : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
%2 = raf.add %0, %1 : tensor<8x16xf32>
%y = raf.tanh %2 : tensor<8x16xf32>""",
    {"y": "8x16xf32"},
    dnnl=2,
)
case(
    "accumulate on a value that is read again",
    {"x": "8x4xf32", "w": "4x16xf32", "r": "8x16xf32"},
    """%e = raf.exp %r : tensor<8x16xf32>
%0 = raf.matmul %x, %w : tensor<8x4xf32>, tensor<4x16xf32> -> tensor<8x16xf32>
%y = raf.add %0, %e : tensor<8x16xf32>
%z = raf.neg %e : tensor<8x16xf32>""",
    {"y": "8x16xf32", "z": "8x16xf32"},
)
case(
    "heads",
    {"q": "2x8x64xf32", "k": "2x8x64xf32", "v": "2x8x64xf32"},
    """%q1 = raf.reshape %q : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
%q2 = raf.transpose %q1 permutation = [0, 2, 1, 3] : tensor<2x8x4x16xf32> -> tensor<2x4x8x16xf32>
%k1 = raf.reshape %k : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
%k2 = raf.transpose %k1 permutation = [0, 2, 3, 1] : tensor<2x8x4x16xf32> -> tensor<2x4x16x8xf32>
%v1 = raf.reshape %v : tensor<2x8x64xf32> to tensor<2x8x4x16xf32>
%v2 = raf.transpose %v1 permutation = [0, 2, 1, 3] : tensor<2x8x4x16xf32> -> tensor<2x4x8x16xf32>
%s = raf.matmul %q2, %k2 : tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32> -> tensor<2x4x8x8xf32>
%p = raf.softmax %s axis = 3 : tensor<2x4x8x8xf32>
%o = raf.matmul %p, %v2 : tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32> -> tensor<2x4x8x16xf32>
%o1 = raf.transpose %o permutation = [0, 2, 1, 3] : tensor<2x4x8x16xf32> -> tensor<2x8x4x16xf32>
%y = raf.reshape %o1 : tensor<2x8x4x16xf32> to tensor<2x8x64xf32>""",
    {"y": "2x8x64xf32"},
    dnnl=2,
)
case(
    "transposed result",
    {"x": "6x20xf32", "w": "20x17xf32", "r": "17x6xf32", "b": "17xf32"},
    """%0 = raf.matmul %x, %w : tensor<6x20xf32>, tensor<20x17xf32> -> tensor<6x17xf32>
%1 = raf.transpose %0 permutation = [1, 0] : tensor<6x17xf32> -> tensor<17x6xf32>
%2 = raf.broadcast %b dims = [0] : tensor<17xf32> to tensor<17x6xf32>
%3 = raf.add %1, %2 : tensor<17x6xf32>
%y = raf.add %3, %r : tensor<17x6xf32>""",
    {"y": "17x6xf32"},
)
case(
    "attention",
    {"q": "2x4x8x16xf32", "k": "2x2x8x16xf32", "v": "2x2x8x12xf32"},
    "%y, %lse = raf.attention %q, %k, %v scale = 0.25 causal : (tensor<2x4x8x16xf32>, tensor<2x2x8x16xf32>, tensor<2x2x8x12xf32>)"
    " -> (tensor<2x4x8x12xf32>, tensor<2x4x8xf32>)",
    {"y": "2x4x8x12xf32"},
    dnnl=2,
)
for name, x, dx, y, axis, layout in (
    ("channels first", "2x8x9x9", "2x8x9x9", "2x6x5x5", 1, None),
    ("channels last", "2x9x9x8", "2x9x9x8", "2x5x5x6", 3, "channels_last"),
):
    attributes = window(0, 2, 1, layout=layout)
    case(
        f"conv {name}",
        {"x": f"{x}xf32", "w": "6x8x3x3xf32", "b": "6xf32", "r": f"{y}xf32"},
        f"""%0 = raf.conv %x, %w {attributes} : (tensor<{x}xf32>, tensor<6x8x3x3xf32>) -> tensor<{y}xf32>
%1 = raf.broadcast %b dims = [{axis}] : tensor<6xf32> to tensor<{y}xf32>
%2 = raf.add %0, %1 : tensor<{y}xf32>
%3 = raf.add %2, %r : tensor<{y}xf32>
%y = raf.relu %3 : tensor<{y}xf32>
%dx = raf.conv_input_grad %r, %w {attributes} : (tensor<{y}xf32>, tensor<6x8x3x3xf32>) -> tensor<{x}xf32>
%dw = raf.conv_weight_grad %x, %r {attributes} : (tensor<{x}xf32>, tensor<{y}xf32>) -> tensor<6x8x3x3xf32>""",
        {"y": f"{y}xf32", "dx": f"{x}xf32", "dw": "6x8x3x3xf32"},
        dnnl=3,
    )
    pool = window(3, 2, 1, layout=layout)
    py = y.replace("6", "8")
    case(
        f"pools {name}",
        {"x": f"{x}xf32", "g": f"{py}xf32"},
        f"""%y, %i = raf.max_pool %x {pool} : (tensor<{x}xf32>) -> (tensor<{py}xf32>, tensor<{py}xi32>)
%dx = raf.max_pool_grad %g, %i {pool} : (tensor<{py}xf32>, tensor<{py}xi32>) -> (tensor<{x}xf32>)
%a = raf.avg_pool %x {pool} : (tensor<{x}xf32>) -> (tensor<{py}xf32>)
%da = raf.avg_pool_grad %g count_include_pad {pool} : (tensor<{py}xf32>) -> (tensor<{x}xf32>)""",
        {"y": f"{py}xf32", "dx": f"{x}xf32", "a": f"{py}xf32", "da": f"{x}xf32"},
        dnnl=4,
    )
    for relu in (False, True):
        cut = f"""%z = raf.constant dense<0.0> : tensor<{x}xf32>
%y = raf.relu %n : tensor<{x}xf32>
%p = raf.compare gt %y, %z : tensor<{x}xf32> -> tensor<{x}xi1>
%dy = raf.select %p, %g, %z : tensor<{x}xf32>"""
        plain = f"%y = raf.exp %n : tensor<{x}xf32>\n%dy = raf.mul %g, %y : tensor<{x}xf32>"
        vector, five = "tensor<8xf32>", ", ".join(["tensor<8xf32>"] * 4)
        case(
            f"batch norm {name}{' relu' * relu}",
            {"x": f"{x}xf32", "s": "8xf32", "b": "8xf32", "rm": "8xf32", "rv": "8xf32", "g": f"{x}xf32"},
            f"""%n, %nm, %nv, %mean, %rstd = raf.batch_norm %x, %s, %b, %rm, %rv axis = {axis} epsilon = 1.0e-5 momentum = 0.9 : (tensor<{x}xf32>, {five}) -> (tensor<{x}xf32>, {five})
{cut if relu else plain}
%dx, %ds, %db = raf.batch_norm_grad %dy, %x, %s, %mean, %rstd axis = {axis} : (tensor<{x}xf32>, tensor<{x}xf32>, {vector}, {vector}, {vector}) -> (tensor<{x}xf32>, {vector}, {vector})""",
            {"y": f"{x}xf32", "nm": "8xf32", "nv": "8xf32", "rstd": "8xf32", "dx": f"{x}xf32", "ds": "8xf32", "db": "8xf32"},
            dnnl=2,
        )


#: Name: x, w, y in channels_first, attributes.
SHAPES = {
    "depthwise": ("2x8x9x9", "8x1x3x3", "2x8x9x9", window(0, 1, 1) + " groups = 8"),
    "groups": ("2x8x9x9", "4x2x3x3", "2x4x9x9", window(0, 1, 1) + " groups = 4"),
    "dilated": ("2x3x9x9", "4x3x3x3", "2x4x5x5", window(0, 1, 0, 2)),
    "pointwise, strided": ("2x16x9x9", "4x16x1x1", "2x4x5x5", window(0, 2, 0)),
    "one dimension": ("2x3x12", "4x3x3", "2x4x12", window(0, 1, 1, rank=1)),
    "three dimensions": ("2x3x4x5x6", "4x3x3x3x3", "2x4x4x5x6", window(0, 1, 1, rank=3)),
    "pads of two sizes": ("2x3x8x8", "4x3x4x4", "2x4x8x8", "strides = [1, 1] pad_low = [1, 2] pad_high = [2, 1] dilations = [1, 1]"),
}


@pytest.mark.parametrize("name", SHAPES)
def test_convolutions(name):
    """Forward and both gradients: by the library as written, by generated code in channels_last, and as the pipeline does it."""
    x, w, y, attributes = SHAPES[name]
    arguments = {"x": f"{x}xf32", "w": f"{w}xf32", "g": f"{y}xf32"}
    body = f"""%y = raf.conv %x, %w {attributes} : (tensor<{x}xf32>, tensor<{w}xf32>) -> tensor<{y}xf32>
%dx = raf.conv_input_grad %g, %w {attributes} : (tensor<{y}xf32>, tensor<{w}xf32>) -> tensor<{x}xf32>
%dw = raf.conv_weight_grad %x, %g {attributes} : (tensor<{x}xf32>, tensor<{y}xf32>) -> tensor<{w}xf32>"""
    asm = module(arguments, body, {"y": f"{y}xf32", "dx": f"{x}xf32", "dw": f"{w}xf32"})
    given = arrays(arguments)
    expected = Program(asm, opt_level=0)(given)
    for passes, libraries in (([DISPATCH], []), (["raf-layout"], []), ([], DNNL)):
        actual = Program(asm, passes, libraries=libraries)(given)
        for result in expected:
            close(actual[result], expected[result], 2e-5, f"{passes} {libraries} {result}")


# Weights that several ops want in one layout of the library are reordered once for all of them.
case(
    "packed product",
    {"x0": "8x192xf32", "w": "192x192xf32"},
    "\n".join(f"%x{i + 1} = raf.matmul %x{i}, %w transpose_rhs : tensor<8x192xf32>, tensor<192x192xf32> -> tensor<8x192xf32>" for i in range(4)),
    {"x4": "8x192xf32"},
    dnnl=5,
)
case(
    "packed convolution",
    {"x0": "2x32x6x6xf32", "x1": "2x32x6x6xf32", "w": "48x32x3x3xf32"},
    "\n".join(f"%y{i} = raf.conv %x{i}, %w {window(0, 1, 1)} : (tensor<2x32x6x6xf32>, tensor<48x32x3x3xf32>) -> tensor<2x48x6x6xf32>" for i in range(2)),
    {"y0": "2x48x6x6xf32", "y1": "2x48x6x6xf32"},
    dnnl=3,
)


@pytest.mark.parametrize("name", CASES)
def test_library(name):
    arguments, body, results, calls = CASES[name]
    asm = module(arguments, body, results)
    given = arrays(arguments)
    expected = Program(asm, opt_level=0)(given)
    program = Program(asm, libraries=DNNL)
    actual = program(given)
    if TARGET == "cpu":
        assert program.manifest["library_calls"] == calls
    for result in results:
        close(actual[result], expected[result], 2e-5, result)


NET = {
    "x": "2x3x8x8xf32",
    "w": "8x3x3x3xf32",
    "b": "8xf32",
    "s": "8xf32",
    "v": "8x8x3x3xf32",
    "l": "128x5xf32",
}
NET_BODY = f"""%0 = raf.conv %x, %w {window(0, 1, 1)} : (tensor<2x3x8x8xf32>, tensor<8x3x3x3xf32>) -> tensor<2x8x8x8xf32>
%1 = raf.broadcast %b dims = [1] : tensor<8xf32> to tensor<2x8x8x8xf32>
%2 = raf.add %0, %1 : tensor<2x8x8x8xf32>
%3, %nm, %nv, %mean, %rstd = raf.batch_norm %2, %s, %b, %b, %s axis = 1 epsilon = 1.0e-5 momentum = 0.9 : (tensor<2x8x8x8xf32>, {", ".join(["tensor<8xf32>"] * 4)}) -> (tensor<2x8x8x8xf32>, {", ".join(["tensor<8xf32>"] * 4)})
%4 = raf.relu %3 : tensor<2x8x8x8xf32>
%5, %i = raf.max_pool %4 {window(2, 2, 0)} : (tensor<2x8x8x8xf32>) -> (tensor<2x8x4x4xf32>, tensor<2x8x4x4xi32>)
%6 = raf.conv %5, %v {window(0, 1, 1)} : (tensor<2x8x4x4xf32>, tensor<8x8x3x3xf32>) -> tensor<2x8x4x4xf32>
%7 = raf.add %6, %5 : tensor<2x8x4x4xf32>
%8 = raf.concat %7, %5 axis = 1 : (tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>) -> tensor<2x16x4x4xf32>
%9 = raf.slice %8 starts = [0, 4, 0, 0] limits = [2, 12, 4, 4] strides = [1, 1, 1, 1] : tensor<2x16x4x4xf32> -> tensor<2x8x4x4xf32>
%10 = raf.softmax %9 axis = 1 : tensor<2x8x4x4xf32>
%11 = raf.reshape %10 : tensor<2x8x4x4xf32> to tensor<2x128xf32>
%12 = raf.matmul %11, %l : tensor<2x128xf32>, tensor<128x5xf32> -> tensor<2x5xf32>
%13 = raf.mul %12, %12 : tensor<2x5xf32>
%loss = raf.reduce sum %13 dims = [0, 1] : tensor<2x5xf32> -> tensor<f32>"""


@pytest.mark.parametrize("libraries", [[], DNNL], ids=["codegen", "dnnl"])
@pytest.mark.parametrize("passes", [["raf-layout"], ["raf-layout", "canonicalize", "cse", "raf-simplify"]], ids=["layout", "simplified"])
def test_layout(passes, libraries):
    asm = module(NET, NET_BODY, {"loss": "f32"}).replace('raf.role = "input"', 'raf.role = "param"')
    given = arrays(NET)
    expected = Program(asm, ["raf-autodiff"], opt_level=0)(given)
    actual = Program(asm, ["raf-autodiff", *passes], libraries=libraries)(given)
    assert set(actual) == set(expected) and len(expected) == 1 + len(NET)
    for result in expected:
        close(actual[result], expected[result], 5e-5, result)


def recurrence(steps):
    """tanh(x_t w + h u), unrolled; the sum of squares of the last state."""
    lines, h = [], "%h0"
    for t in range(steps):
        lines += [
            f"%s{t} = raf.slice %x starts = [0, {t}, 0] limits = [3, {t + 1}, 6] strides = [1, 1, 1] : tensor<3x{steps}x6xf32> -> tensor<3x1x6xf32>",
            f"%x{t} = raf.reshape %s{t} : tensor<3x1x6xf32> to tensor<3x6xf32>",
            f"%a{t} = raf.matmul %x{t}, %w : tensor<3x6xf32>, tensor<6x16xf32> -> tensor<3x16xf32>",
            f"%b{t} = raf.matmul {h}, %u : tensor<3x16xf32>, tensor<16x16xf32> -> tensor<3x16xf32>",
            f"%c{t} = raf.add %a{t}, %b{t} : tensor<3x16xf32>",
            f"%h{t + 1} = raf.tanh %c{t} : tensor<3x16xf32>",
        ]
        h = f"%h{t + 1}"
    lines += [f"%q = raf.mul {h}, {h} : tensor<3x16xf32>", "%loss = raf.reduce sum %q dims = [0, 1] : tensor<3x16xf32> -> tensor<f32>"]
    return {"x": f"3x{steps}x6xf32", "h0": "3x16xf32", "w": "6x16xf32", "u": "16x16xf32"}, "\n".join(lines)


@pytest.mark.parametrize("libraries", [[], DNNL], ids=["codegen", "dnnl"])
def test_recurrence(libraries):
    arguments, body = recurrence(5)
    asm = module(arguments, body, {"loss": "f32"}).replace('raf.role = "input"', 'raf.role = "param"')
    given = arrays(arguments)
    expected = Program(asm, ["raf-autodiff"], opt_level=0)(given)
    program = Program(asm, ["raf-autodiff"], libraries=libraries)
    actual = program(given)
    for result in expected:
        close(actual[result], expected[result], 2e-5, result)
    # Forward one product for all inputs and one for each state; backward one for each state, and three for the gradients of x, w and u.
    if libraries and TARGET == "cpu":
        assert program.manifest["library_calls"] <= 1 + 5 + 5 + 5 + 2


@pytest.mark.parametrize("name", [name for name in CASES if not name.startswith("pools")])
def test_library_keeps_nan(name):
    """A broken step must not look like a good one: NaN in an argument reaches the same results with libraries as without. Not so in max_pool (runtime/README.md).
    It may reach fewer elements, since the library leaves out the products with padding that generated code computes."""
    arguments, body, results, _ = CASES[name]
    asm = module(arguments, body, results)
    oracle, program = Program(asm, opt_level=0), Program(asm, libraries=DNNL)
    for broken in arguments:
        given = arrays(arguments)
        given[broken][tuple(d // 2 for d in given[broken].shape)] = np.nan
        expected, actual = oracle(given), program(given)
        for result in results:
            assert np.isnan(actual[result]).any() == np.isnan(expected[result]).any(), f"{result} of NaN in {broken}"
            assert np.isnan(expected[result])[np.isnan(actual[result])].all(), f"{result} of NaN in {broken}"


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("pools")])
def test_library_takes_the_first_of_equal_maxima(name):
    """Windows of activations are often full of zeros: one element has the gradient, and the same one as in generated code."""
    arguments, body, results, _ = CASES[name]
    asm = module(arguments, body, results)
    given = arrays(arguments)
    given["x"] = np.maximum(np.round(given["x"]), 0)
    expected, actual = Program(asm, opt_level=0)(given), Program(asm, libraries=DNNL)(given)
    np.testing.assert_array_equal(actual["y"], expected["y"])
    close(actual["dx"], expected["dx"], 1e-6)


def _cut(name, of, shape, heads, width, at, rows=None):
    """Heads of `width` out of the columns of `of` [b, t, columns] from column `at` on, transposed to [b, h, t, d], and of those the given rows."""
    b, t, columns = shape
    tensor = lambda *dims: f"tensor<{'x'.join(map(str, dims))}xELEMENT>"  # noqa: E731
    text = f"""  %{name}0 = raf.slice %{of} starts = [0, 0, {at}] limits = [{b}, {t}, {at + heads * width}] strides = [1, 1, 1] : {tensor(b, t, columns)} -> {tensor(b, t, heads * width)}
  %{name}1 = raf.reshape %{name}0 : {tensor(b, t, heads * width)} to {tensor(b, t, heads, width)}
  %{name}2 = raf.transpose %{name}1 permutation = [0, 2, 1, 3] : {tensor(b, t, heads, width)} -> {tensor(b, heads, t, width)}
"""
    first, last = rows or (0, t)
    return text + f"  %{name} = raf.slice %{name}2 starts = [0, 0, {first}, 0] limits = [{b}, {heads}, {last}, {width}] strides = [1, 1, 1, 1] : {tensor(b, heads, t, width)} -> {tensor(b, heads, last - first, width)}\n"


@pytest.mark.parametrize("element", ["f32", "bf16", "f64"])
@pytest.mark.parametrize(
    "rows, keys, columns, at",
    [((16, 32), (0, 32), 96, (0, 32)), ((5, 19), (0, 32), 96, (32, 64)), ((3, 30), (7, 31), 96, (32, 0)), ((0, 20), (0, 21), 96, (0, 64)), ((8, 24), (0, 16), 101, (3, 65)), ((0, 32), (1, 2), 96, (0, 32))],
    ids=["halves", "rows", "both", "first", "columns", "one-key"],
)
def test_products_of_parts(element, rows, keys, columns, at):
    """Operands that are read where they lie, and results that are stored as they are read, are those of the program without any of it."""
    b, t, h, d = 3, 32, 4, 8
    m, s = rows[1] - rows[0], keys[1] - keys[0]
    x = np.random.default_rng(5).standard_normal((b, t, columns)).astype(DTYPES[element])
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}) -> (tensor<{b}x{h}x{m}x{s}xELEMENT> {{raf.name = "scores"}}, tensor<{b}x{m}x{h}x{d}xELEMENT> {{raf.name = "joined"}}, tensor<{b}x{h}x{s}x{d}xELEMENT> {{raf.name = "back"}}) {{
{_cut("q", "x", x.shape, h, d, at[0], rows)}{_cut("k", "x", x.shape, h, d, at[1], keys)}  %scores = raf.matmul %q, %k transpose_rhs : tensor<{b}x{h}x{m}x{d}xELEMENT>, tensor<{b}x{h}x{s}x{d}xELEMENT> -> tensor<{b}x{h}x{m}x{s}xELEMENT>
  %0 = raf.matmul %scores, %k : tensor<{b}x{h}x{m}x{s}xELEMENT>, tensor<{b}x{h}x{s}x{d}xELEMENT> -> tensor<{b}x{h}x{m}x{d}xELEMENT>
  %joined = raf.transpose %0 permutation = [0, 2, 1, 3] : tensor<{b}x{h}x{m}x{d}xELEMENT> -> tensor<{b}x{m}x{h}x{d}xELEMENT>
  %back = raf.matmul %scores, %q transpose_lhs : tensor<{b}x{h}x{m}x{s}xELEMENT>, tensor<{b}x{h}x{m}x{d}xELEMENT> -> tensor<{b}x{h}x{s}x{d}xELEMENT>
  return %scores, %joined, %back : tensor<{b}x{h}x{m}x{s}xELEMENT>, tensor<{b}x{m}x{h}x{d}xELEMENT>, tensor<{b}x{h}x{s}x{d}xELEMENT>
}}""".replace("ELEMENT", element)
    expected = Program(asm, opt_level=0)({"x": x})
    for libraries in [[], ["dnnl"]]:
        for name, value in Program(asm, libraries=libraries)({"x": x}).items():
            wanted = expected[name].astype(np.float64)
            np.testing.assert_allclose(value.astype(np.float64), wanted, atol={"f32": 1e-5, "bf16": 0.03, "f64": 1e-12}[element] * np.abs(wanted).max(), err_msg=f"{name} {libraries}")


@pytest.mark.parametrize("batch", [2, 0])
@pytest.mark.parametrize("between", ["", "slice", "reshape"])
def test_products_of_transposed_products(batch, between):
    """A product that another one reads where it lies is there, though a transpose alone reads it; operands without elements lie nowhere."""
    x = np.random.default_rng(6).standard_normal((batch, 4, 16, 8)).astype(np.float32)
    v = np.random.default_rng(7).standard_normal((batch, 4, 8, 8)).astype(np.float32)
    moved, last = {
        "": ("", f"{batch}x16x4x8"),
        "slice": (f"  %m = raf.slice %t starts = [0, 2, 0, 0] limits = [{batch}, 10, 4, 8] strides = [1, 1, 1, 1] : tensor<{batch}x16x4x8xf32> -> tensor<{batch}x8x4x8xf32>\n", f"{batch}x8x4x8"),
        "reshape": (f"  %m = raf.reshape %t : tensor<{batch}x16x4x8xf32> to tensor<{batch * 8}x2x4x8xf32>\n", f"{batch * 8}x2x4x8"),
    }[between]
    outer = tuple(int(size) for size in last.split("x")[:2])
    w = np.random.default_rng(8).standard_normal((*outer, 8, 5)).astype(np.float32)
    result = f"tensor<{outer[0]}x{outer[1]}x4x5xf32>"
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}, %v: {type_of(v)} {{raf.name = "v", raf.role = "input"}}, %w: {type_of(w)} {{raf.name = "w", raf.role = "input"}}) -> ({result} {{raf.name = "z"}}) {{
  %y = raf.matmul %x, %v : {type_of(x)}, {type_of(v)} -> tensor<{batch}x4x16x8xf32>
  %t = raf.transpose %y permutation = [0, 2, 1, 3] : tensor<{batch}x4x16x8xf32> -> tensor<{batch}x16x4x8xf32>
{moved}  %z = raf.matmul {"%m" if between else "%t"}, %w : tensor<{last}xf32>, {type_of(w)} -> {result}
  return %z : {result}
}}"""
    given = {"x": x, "v": v, "w": w}
    expected = Program(asm, opt_level=0)(given)["z"]
    for libraries in [[], ["dnnl"]]:
        np.testing.assert_allclose(Program(asm, libraries=libraries)(given)["z"], expected, rtol=1e-4, atol=1e-4)


def test_flattened_batches_without_rows():
    x, w = np.zeros((0, 3, 4, 4), np.float32), np.ones((48, 10), np.float32)
    asm = f"""func.func @main(%x: {type_of(x)} {{raf.name = "x", raf.role = "input"}}, %w: {type_of(w)} {{raf.name = "w", raf.role = "input"}}) -> (tensor<0x10xf32> {{raf.name = "y"}}) {{
  %0 = raf.reshape %x : {type_of(x)} to tensor<0x48xf32>
  %1 = raf.matmul %0, %w : tensor<0x48xf32>, {type_of(w)} -> tensor<0x10xf32>
  return %1 : tensor<0x10xf32>
}}"""
    for libraries in [[], ["dnnl"]]:
        assert Program(asm, libraries=libraries)({"x": x, "w": w})["y"].shape == (0, 10)
